// The contents of domains: objects with their links, attributes and chunks, the index, the tombstones and what is
// counted. They are visited in the order of their keys, so of one domain and one object at a time; what a record says
// of others is looked up. What the counters stand for is counted anew here, from nothing but the records.

import { logicalBytes } from '../../hdf5/dataset-layout.ts'
import { elementCount } from '../../hdf5/dataspace.ts'
import { elementSize, isVariableSize } from '../../hdf5/datatype/layout.ts'
import { idFromHex, isRoot, isSameDomain, type ObjectId, rootOf } from '../../hdf5/object-id.ts'
import { COUNTER_LENGTH } from '../batch.ts'
import { type ChunkLayout, layoutOfChunks } from '../chunks/chunk-layout.ts'
import {
  type ChunkRecord,
  chunkKey,
  decodeChunkRecord,
  isFileAddress,
  isInline,
  storedBytes,
} from '../chunks/chunk-record.ts'
import type { Entry } from '../engine.ts'
import { component, rangeOf } from '../key-range.ts'
import { layoutOfLargeValue } from '../large-values.ts'
import { decodeHead, type StoredAttribute, sizeIn } from '../records/attributes.ts'
import { counterOf, recordBytes } from '../records/counters.ts'
import {
  backLinkRest,
  creationOrder,
  domainRemainsKey,
  idOfLargeValueKey,
  idOfRemainsKey,
  indexKey,
  largeValueKey,
  nameOfCreationOrder,
  objectKey,
  objectPartRange,
  objectRemainsKey,
  type ParsedKey,
  parseBackLink,
  restOfObjectKey,
  type Statistic,
  statisticKey,
  TIME_LENGTH,
  timeOf,
  unfinishedKey,
} from '../records/keys.ts'
import { decodeObject, listObjects } from '../records/objects.ts'
import { decodeRecord, tailOf } from '../records/record.ts'
import { COUNTED } from '../statistics.ts'
import type { HdfObject, Link } from '../store.ts'
import { checkChunk, checkFile } from './chunks.ts'
import { checkNames, type ExpectedNames } from './domains.ts'
import type { Finding } from './finding.ts'
import { type CheckParts, decoded, hasSameBytes, MOST_UNRESOLVED } from './parts.ts'

type KeyOf<Of extends ParsedKey['of']> = Extract<ParsedKey, { readonly of: Of }>
export type ContentsKey = KeyOf<'index' | 'part' | 'tombstone' | 'statistic'>

type ContentsFigure = (typeof COUNTED)[number]

/** The same of an object; the bytes and chunks only if all of its records could be decoded. */
const MEMBERS_COUNTED = ['linkCount', 'attributeCount'] as const
const BYTES_COUNTED = ['memberBytes', 'chunkCount', 'chunkBytes'] as const
type ObjectFigure = (typeof MEMBERS_COUNTED)[number] | (typeof BYTES_COUNTED)[number]

/** Memory that a walk over a layout may take for pieces: nothing here is read in pieces. */
const PIECE_BYTES = 2 ** 20
const STAMP_LENGTH = 16

/** What is known of the domain that is being walked. */
interface DomainWalk {
  readonly root: ObjectId
  /** What it held is being removed: nothing of it is looked at. */
  readonly isRemoved: boolean
  readonly counts: Record<ContentsFigure, number>
  /** Of all datasets: more than a double holds, where extents claim much. */
  logicalBytes: bigint
  readonly stored: Map<Statistic, Uint8Array>
  lastModified: number
  /** A record could not be decoded, so what is counted cannot be compared. */
  isBroken: boolean
  /** Ids without a record that have chunks: large values of attributes, if their owners name them. */
  readonly values: Set<ObjectId>
}

interface ObjectWalk {
  readonly id: ObjectId
  readonly state: 'there' | 'missing' | 'removed' | 'broken'
  readonly object: HdfObject | undefined
  /** Of a dataset that has chunks. */
  readonly layout: ChunkLayout | undefined
  readonly counts: Record<ObjectFigure, number>
  readonly stored: Map<string, Uint8Array>
  /** Attributes that have a large value, and keys of large values. */
  largeAttributes: number
  largeValues: number
  isToldMissing: boolean
  /** A record of which something is counted could not be decoded. */
  isBroken: boolean
}

export class ContentsCheck {
  readonly #parts: CheckParts
  #names = new Map<ObjectId, ExpectedNames>()
  #domain: DomainWalk | undefined
  #object: ObjectWalk | undefined

  constructor(parts: CheckParts) {
    this.#parts = parts
  }

  async visit(parsed: ContentsKey, entry: Entry): Promise<void> {
    const id = parsed.of === 'statistic' ? parsed.root : parsed.id
    if (this.#domain === undefined || !isSameDomain(this.#domain.root, id)) {
      await this.#endDomain()
      this.#domain = await this.#beginDomain(rootOf(id))
    }
    const domain = this.#domain
    if (domain.isRemoved) return
    if (parsed.of === 'part') {
      if (this.#object?.id !== id) {
        this.#endObject(domain)
        this.#object = await this.#beginObject(domain, id)
      }
      await this.#visitPart(domain, this.#object, parsed, entry)
    } else if (parsed.of === 'index') this.#visitIndex(parsed)
    else if (parsed.of === 'tombstone') this.#visitTombstone(parsed)
    else domain.stored.set(parsed.statistic, entry.value)
  }

  /** To be called after the last key. */
  async end(): Promise<void> {
    await this.#endDomain()
    await this.#parts.later.flush()
    await checkNames(this.#parts, this.#names)
  }

  async #beginDomain(root: ObjectId): Promise<DomainWalk> {
    const { reads, report } = this.#parts
    const [remains, record, unfinished, names] = await reads.getMany([
      domainRemainsKey(root),
      objectKey(root, 'record'),
      unfinishedKey(root),
      statisticKey(root, 'names'),
    ])
    if (remains !== undefined && record !== undefined) report({ kind: 'removed-and-there', object: root })
    if (remains === undefined) {
      const isUnfinished = unfinished !== undefined
      this.#names.set(root, { names: countedIn(names), isUnfinished })
      if (record === undefined) report({ kind: 'contents-without-root', object: root })
      if (this.#names.size >= MOST_UNRESOLVED) {
        await checkNames(this.#parts, this.#names)
        this.#names = new Map()
      }
    }
    return {
      root,
      isRemoved: remains !== undefined,
      counts: zeros(COUNTED),
      logicalBytes: 0n,
      stored: new Map(),
      lastModified: 0,
      isBroken: record === undefined,
      values: new Set(),
    }
  }

  async #endDomain(): Promise<void> {
    const domain = this.#domain
    if (domain === undefined) return
    this.#endObject(domain)
    // Some of what is counted is looked up.
    await this.#parts.later.flush()
    await this.#resolveValues(domain)
    this.#domain = undefined
    if (domain.isRemoved || domain.isBroken) return
    domain.counts.logicalBytes = Number(BigInt.asIntN(64, domain.logicalBytes))
    for (const name of COUNTED) this.#compare(domain.root, name, domain.counts[name], domain.stored.get(name))
    const modified = countedIn(domain.stored.get('modified'))
    if (modified < domain.lastModified) {
      const difference = { expected: `${domain.lastModified} or later`, found: modified }
      this.#parts.report({ kind: 'wrong-counter', object: domain.root, name: 'modified', ...difference })
    }
  }

  #compare(object: ObjectId, name: string, expected: number, record: Uint8Array | undefined): void {
    const found = countedIn(record)
    if (found !== expected) this.#parts.report({ kind: 'wrong-counter', object, name, expected, found })
  }

  // Objects

  async #beginObject(domain: DomainWalk, id: ObjectId): Promise<ObjectWalk> {
    const parts = this.#parts
    const key = objectKey(id, 'record')
    const [record, remains] = await parts.reads.getMany([key, objectRemainsKey(id)])
    if (record !== undefined && remains !== undefined) parts.report({ kind: 'removed-and-there', object: id })
    const found = record && decoded(parts, { object: id }, () => decodeObject(id, record))
    const layout = found && decoded(parts, { object: id }, () => layoutIn(found))
    const state = record === undefined ? (remains ? 'removed' : 'missing') : found ? 'there' : 'broken'
    if (state === 'broken') domain.isBroken = true
    if (found) {
      parts.totals.objects++
      domain.counts[found.kind]++
      domain.counts.metadataBytes += recordBytes(key, record)
      if (found.kind === 'dataset') {
        domain.logicalBytes += BigInt(decoded(parts, { object: id }, () => logicalBytes(found)) ?? 0)
        this.#requireCommittedType(id, found)
      }
      this.#require(indexKey(found.kind, id), { kind: 'object-without-index', object: id })
    }
    return {
      id,
      state,
      object: found,
      layout,
      counts: zeros([...MEMBERS_COUNTED, ...BYTES_COUNTED]),
      stored: new Map(),
      largeAttributes: 0,
      largeValues: 0,
      isToldMissing: isRoot(id),
      isBroken: false,
    }
  }

  #endObject(domain: DomainWalk): void {
    const walk = this.#object
    this.#object = undefined
    if (walk?.state !== 'there') return
    const { id, counts, stored } = walk
    const { report } = this.#parts
    for (const name of MEMBERS_COUNTED) this.#compare(id, name, counts[name], stored.get(name))
    if (!walk.isBroken) {
      for (const name of BYTES_COUNTED) this.#compare(id, name, counts[name], stored.get(name))
    }
    domain.counts.chunks += counts.chunkCount
    domain.counts.allocatedBytes += counts.chunkBytes
    domain.counts.metadataBytes += counts.memberBytes
    if (!stored.has('modified')) report({ kind: 'object-without-stamp', object: id })
    if (walk.largeValues > walk.largeAttributes) {
      const difference = { expected: walk.largeAttributes, found: walk.largeValues }
      report({ kind: 'value-without-attribute', object: id, ...difference })
    }
  }

  async #visitPart(
    domain: DomainWalk,
    walk: ObjectWalk,
    { id, part, rest }: KeyOf<'part'>,
    { key, value }: Entry,
  ): Promise<void> {
    if (walk.state === 'removed') return
    if (walk.state === 'missing' && part !== 'backLink') {
      if (part === 'chunk') await this.#noteValue(domain, id)
      else if (part === 'values') this.#visitValues(id, rest)
      else if (!walk.isToldMissing) {
        walk.isToldMissing = true
        domain.isBroken = true
        this.#parts.report({ kind: 'parts-without-object', object: id })
      }
      return
    }
    switch (part) {
      case 'record':
        break
      case 'modified':
        walk.stored.set(part, value)
        if (value.length !== STAMP_LENGTH) this.#tellBroken(id, key, `a stamp of ${value.length} bytes`)
        else domain.lastModified = Math.max(domain.lastModified, timeOf(value))
        break
      case 'linkCount':
      case 'attributeCount':
      case 'chunkCount':
      case 'chunkBytes':
      case 'memberBytes':
        walk.stored.set(part, value)
        break
      case 'link':
        this.#visitLink(domain, walk, key, value)
        break
      case 'attribute':
        await this.#visitAttribute(walk, key, value)
        break
      case 'linkByCreation':
        this.#visitPlace(id, 'link', rest, key)
        break
      case 'attributeByCreation':
        this.#visitPlace(id, 'attribute', rest, key)
        break
      case 'backLink':
        this.#visitBackLink(id, rest, key)
        break
      case 'chunk':
        this.#visitChunk(domain, walk, rest, value)
        break
      case 'values':
        this.#visitValues(id, rest)
        break
      case 'largeValue': {
        const bytes = decoded(this.#parts, { object: id, key }, () => sizeIn(value))
        if (bytes === undefined) this.#markBroken(domain, walk)
        walk.counts.memberBytes += bytes ?? 0
        walk.largeValues++
        break
      }
      default:
        part satisfies never
    }
  }

  // Links

  #visitLink(domain: DomainWalk, walk: ObjectWalk, key: Uint8Array, value: Uint8Array): void {
    const { id } = walk
    walk.counts.linkCount++
    walk.counts.memberBytes += recordBytes(key, value)
    const link = decoded(this.#parts, { object: id, key }, () => {
      const { title, created, target } = decodeRecord<Link>(value)
      return {
        title,
        target: { ...target },
        name: component(title),
        place: creationOrder(created, component(title)),
      }
    })
    if (link === undefined) return
    const { title, target, name } = link
    const where = { object: id, name: title }
    if (!hasSameBytes(name, restOfObjectKey(key))) {
      this.#parts.report({ kind: 'misplaced-record', ...where, key })
      return
    }
    this.#require(objectKey(id, 'linkByCreation', link.place), { kind: 'member-without-place', ...where })
    if (target.class !== 'H5L_TYPE_HARD') return
    if (!isSameDomain(target.id, domain.root)) {
      this.#parts.report({ kind: 'link-out-of-domain', ...where, found: target.id })
      return
    }
    this.#parts.later.get(objectKey(target.id, 'record'), record => {
      if (record === undefined) {
        this.#parts.report({ kind: 'dangling-link', ...where, found: target.id })
        return
      }
      if (!fits<HdfObject>(record, ({ kind }) => kind === target.kind)) {
        this.#parts.report({ kind: 'link-of-wrong-kind', ...where, found: target.kind })
      }
      const back = objectKey(target.id, 'backLink', backLinkRest(id, name))
      this.#require(back, { kind: 'link-without-back-link', ...where, expected: target.id })
    })
  }

  #visitBackLink(id: ObjectId, rest: Uint8Array, key: Uint8Array): void {
    const source = decoded(this.#parts, { object: id, key }, () => parseBackLink(id, rest))
    if (source === undefined) return
    this.#parts.later.get(objectKey(source.group, 'link', source.title), record => {
      const isLinkHere = ({ target }: Link) => target.class === 'H5L_TYPE_HARD' && target.id === id
      if (fits(record, isLinkHere)) return
      const where = { object: id, name: Buffer.from(source.title).toString() }
      this.#parts.report({ kind: 'back-link-without-link', ...where, expected: source.group })
    })
  }

  /** A place in the order of creation. */
  #visitPlace(id: ObjectId, part: 'link' | 'attribute', rest: Uint8Array, key: Uint8Array): void {
    if (rest.length < TIME_LENGTH) {
      this.#tellBroken(id, key, `${rest.length} bytes`)
      return
    }
    const name = nameOfCreationOrder(rest)
    this.#parts.later.get(objectKey(id, part, name), record => {
      if (fits<Link>(record, ({ created }) => created === timeOf(rest))) return
      const where = { object: id, name: Buffer.from(name).toString() }
      this.#parts.report({ kind: 'place-without-member', ...where })
    })
  }

  // Attributes

  async #visitAttribute(walk: ObjectWalk, key: Uint8Array, value: Uint8Array): Promise<void> {
    const { id } = walk
    walk.counts.attributeCount++
    walk.counts.memberBytes += recordBytes(key, value)
    const attribute = decoded(this.#parts, { object: id, key }, () => {
      const head = decodeHead(value)
      const name = component(head.name)
      return { head, part: name, place: creationOrder(head.created, name), fault: faultOfValue(head, value) }
    })
    if (attribute === undefined) return
    const { head, part, place, fault } = attribute
    const where = { object: id, name: head.name }
    if (!hasSameBytes(part, restOfObjectKey(key))) {
      this.#parts.report({ kind: 'misplaced-record', ...where, key })
      return
    }
    if (fault !== undefined) this.#parts.report({ kind: 'wrong-value', ...where, found: fault })
    this.#require(objectKey(id, 'attributeByCreation', place), { kind: 'member-without-place', ...where })
    this.#requireCommittedType(id, head)
    if (head.large === undefined) return
    walk.largeAttributes++
    await this.#checkLargeValue(head, head.large, where)
  }

  /** The chunks of a large value, with the attribute that says what they hold. */
  async #checkLargeValue(
    head: StoredAttribute,
    value: ObjectId,
    where: { readonly object: ObjectId; readonly name: string },
  ): Promise<void> {
    const parts = this.#parts
    const layout = decoded(parts, where, () => layoutOfLargeValue(idFromHex(value), head, PIECE_BYTES))
    if (layout === undefined) return
    let expected: number | undefined = 0
    for await (const entry of parts.reads.range(objectPartRange(value, 'chunk'))) {
      const bytes = checkChunk(
        parts,
        layout,
        { dataset: value, coordinates: restOfObjectKey(entry.key) },
        entry.value,
      )
      expected = bytes === undefined || expected === undefined ? undefined : expected + bytes
      if (parts.later.isFull) await parts.later.flush()
    }
    const size = await parts.reads.get(largeValueKey(where.object, value))
    if (size === undefined) {
      parts.report({ kind: 'attribute-without-value', ...where, found: value })
      return
    }
    const found = orUndefined(() => sizeIn(size))
    if (expected === undefined || found === undefined || expected === found) return
    parts.report({ kind: 'wrong-counter', ...where, expected, found })
  }

  async #noteValue(domain: DomainWalk, id: ObjectId): Promise<void> {
    domain.values.add(id)
    if (domain.values.size < MOST_UNRESOLVED) return
    await this.#resolveValues(domain)
  }

  /** Reports the ids with chunks that are no large value of any object of the domain, nor of one that was deleted. */
  async #resolveValues({ root, values }: DomainWalk): Promise<void> {
    if (values.size === 0) return
    for await (const owner of this.#ownersIn(root)) {
      for await (const { key } of this.#parts.reads.range(objectPartRange(owner, 'largeValue'))) {
        values.delete(idOfLargeValueKey(key))
      }
    }
    for (const object of values) this.#parts.report({ kind: 'chunk-without-dataset', object })
    values.clear()
  }

  async *#ownersIn(root: ObjectId): AsyncGenerator<ObjectId> {
    const { reads } = this.#parts
    for (const kind of ['group', 'dataset', 'datatype'] as const) yield* listObjects(reads, root, kind)
    for await (const { key } of reads.range(rangeOf(domainRemainsKey(root)))) yield idOfRemainsKey(key)
  }

  #requireCommittedType(id: ObjectId, { committedType }: { readonly committedType?: ObjectId }): void {
    if (committedType === undefined) return
    this.#parts.later.get(objectKey(committedType, 'record'), record => {
      if (fits<HdfObject>(record, ({ kind }) => kind === 'datatype')) return
      this.#parts.report({ kind: 'committed-type-missing', object: id, found: committedType })
    })
  }

  // Chunks

  #visitChunk(domain: DomainWalk, walk: ObjectWalk, coordinates: Uint8Array, value: Uint8Array): void {
    const { id, layout, counts } = walk
    if (isFileAddress({ dataset: id, coordinates })) {
      const file = decoded(this.#parts, { object: id }, () => decodeChunkRecord(value))
      if (file) checkFile(this.#parts, { dataset: id, coordinates }, file)
      return
    }
    counts.chunkCount++
    if (layout === undefined && walk.state === 'there') {
      this.#parts.report({ kind: 'chunk-without-dataset', object: id })
    }
    const bytes =
      layout === undefined
        ? orUndefined(() => storedBytes(decodeChunkRecord(value)))
        : checkChunk(this.#parts, layout, { dataset: id, coordinates }, value)
    if (bytes === undefined) this.#markBroken(domain, walk)
    counts.chunkBytes += bytes ?? 0
  }

  #visitValues(id: ObjectId, coordinates: Uint8Array): void {
    this.#parts.later.get(chunkKey({ dataset: id, coordinates }), record => {
      if (fits<ChunkRecord>(record, isInline)) return
      const name = `values ${Buffer.from(coordinates).toString('hex')}`
      this.#parts.report({ kind: 'values-without-chunk', object: id, name })
    })
  }

  // The index, and what was deleted

  #visitIndex({ id, kind }: KeyOf<'index'>): void {
    this.#parts.later.get(objectKey(id, 'record'), record => {
      if (fits<HdfObject>(record, object => object.kind === kind)) return
      this.#parts.report({ kind: 'index-without-object', object: id, expected: kind })
    })
  }

  #visitTombstone({ id, what, name }: KeyOf<'tombstone'>): void {
    const where = { object: id, ...(what !== 'object' && { name: Buffer.from(name).toString() }) }
    const key = what === 'object' ? objectKey(id, 'record') : objectKey(id, what, name)
    this.#parts.later.get(key, record => {
      if (record !== undefined) this.#parts.report({ kind: 'deleted-and-there', ...where })
    })
    if (what === 'object') return
    this.#parts.later.get(objectKey(id, 'record'), record => {
      if (record !== undefined) return
      this.#require(objectRemainsKey(id), { kind: 'tombstone-without-owner', ...where })
    })
  }

  #markBroken(domain: DomainWalk, walk: ObjectWalk): void {
    domain.isBroken = true
    walk.isBroken = true
  }

  /** Reports the finding when there is no record of the key. */
  #require(key: Uint8Array, finding: Finding): void {
    this.#parts.later.get(key, record => {
      if (record === undefined) this.#parts.report(finding)
    })
  }

  #tellBroken(object: ObjectId, key: Uint8Array, found: string): void {
    this.#parts.report({ kind: 'broken-record', object, key, found })
  }
}

function layoutIn(object: HdfObject): ChunkLayout | undefined {
  const hasChunks =
    object.kind === 'dataset' &&
    object.space.class !== 'H5S_NULL' &&
    object.creationProperties.chunkDims !== undefined
  return hasChunks ? layoutOfChunks(object, PIECE_BYTES) : undefined
}

/** What of a short value does not fit the type and the dataspace. */
function faultOfValue({ packed, type, space }: StoredAttribute, record: Uint8Array): string | undefined {
  if (packed === undefined) return undefined
  const count = elementCount(space)
  if (packed.count !== count) return `${packed.count} elements instead of ${count}`
  const bytes = count * elementSize(type)
  if (packed.dataLength !== bytes) return `elements of ${packed.dataLength} bytes instead of ${bytes}`
  const { length } = tailOf(record)
  if (isVariableSize(type) ? length < bytes : length !== bytes) return `a value of ${length} bytes`
  return undefined
}

function zeros<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map(name => [name, 0])) as Record<Name, number>
}

/** A counter that is broken is reported as a wrong one. */
function countedIn(record: Uint8Array | undefined): number {
  return record === undefined || record.length === COUNTER_LENGTH ? counterOf(record) : Number.NaN
}

/** Whether a record is as another one says. A record that cannot be decoded passes: it is reported elsewhere. */
function fits<Head>(record: Uint8Array | undefined, isSuch: (head: Head) => boolean): boolean {
  return record !== undefined && (orUndefined(() => isSuch(decodeRecord<Head>(record))) ?? true)
}

function orUndefined<T>(decode: () => T): T | undefined {
  try {
    return decode()
  } catch {
    return undefined
  }
}
