// The contents of domains: objects with their links, attributes and chunks, the index, the tombstones and the counters.
// They are visited in the order of their keys, one domain and one object at a time; other records that a record names
// are looked up. The counters are compared with counts of the records.

import { logicalBytes } from '@hyperslab/model/dataset'
import { isRoot, isSameDomain, type ObjectId, rootOf } from '@hyperslab/model/names'
import { COUNTER_LENGTH } from '../batch.ts'
import {
  type ChunkRecord,
  chunkKey,
  decodeChunkRecord,
  isFileAddress,
  isInline,
  storedBytes,
} from '../chunk-records/chunk-record.ts'
import { hasPatch, parsePatchRest } from '../chunk-records/patches.ts'
import { type ChunkLayout, layoutOfChunks } from '../chunks/chunk-layout.ts'
import type { Entry } from '../interfaces/engine.ts'
import type { HdfObject } from '../interfaces/store.ts'
import { timeOf } from '../key-range.ts'
import { sizeIn } from '../records/attributes.ts'
import { counterOf, recordBytes } from '../records/counters.ts'
import {
  domainRemainsKey,
  indexKey,
  objectKey,
  objectRemainsKey,
  type ParsedKey,
  statisticKey,
  unfinishedKey,
} from '../records/keys.ts'
import { decodeObject } from '../records/objects.ts'
import { decodeRecord } from '../records/record.ts'
import { COUNTED } from '../records/statistics.ts'
import { checkAttribute, noteValue, requireCommittedType, resolveValues } from './attributes.ts'
import { checkChunk, checkFile } from './chunks.ts'
import { checkNames, type ExpectedNames } from './domains.ts'
import { checkBackLink, checkLink, checkOrderEntry } from './links.ts'
import { fits, orUndefined, reportBroken, requireRecord } from './lookups.ts'
import { type CheckParts, decoded, LAYOUT_PIECE_BYTES, MOST_UNRESOLVED } from './parts.ts'
import { QuotaCheck } from './quotas.ts'
import { BYTES_COUNTED, type DomainWalk, MEMBERS_COUNTED, type ObjectWalk, zeros } from './walks.ts'

type KeyOf<Type extends ParsedKey['type']> = Extract<ParsedKey, { readonly type: Type }>
export type ContentsKey = KeyOf<'index' | 'part' | 'tombstone' | 'statistic'>

/** The record of an object, and its note that it is being removed. */
interface ObjectHead {
  readonly record: Uint8Array | undefined
  readonly remains: Uint8Array | undefined
}

const STAMP_LENGTH = 16

export class ContentsCheck {
  readonly #parts: CheckParts
  readonly #quotas: QuotaCheck
  #names = new Map<ObjectId, ExpectedNames>()
  #domain: DomainWalk | undefined
  #object: ObjectWalk | undefined
  #heads: ReadonlyMap<ObjectId, ObjectHead> = new Map()

  constructor(parts: CheckParts) {
    this.#parts = parts
    this.#quotas = new QuotaCheck(parts)
  }

  /** Reads at once what the visits of the next keys need of the objects. */
  async prepare(keys: Iterable<ParsedKey>): Promise<void> {
    const ids = new Set<ObjectId>()
    for (const key of keys) if (key.type === 'part') ids.add(key.id)
    const head = (id: ObjectId) => [objectKey(id, 'record'), objectRemainsKey(id)]
    const values = await this.#parts.reads.getMany([...ids].flatMap(head))
    this.#heads = new Map(
      [...ids].map((id, i) => [id, { record: values[2 * i], remains: values[2 * i + 1] }]),
    )
  }

  /** The key must be one of those that were prepared last. */
  async visit(parsed: ContentsKey, entry: Entry): Promise<void> {
    const id = parsed.type === 'statistic' ? parsed.root : parsed.id
    if (this.#domain === undefined || !isSameDomain(this.#domain.root, id)) {
      await this.#endDomain()
      this.#domain = await this.#beginDomain(rootOf(id))
    }
    const domain = this.#domain
    if (domain.isRemoved) return
    if (parsed.type === 'part') {
      if (this.#object?.id !== id) {
        this.#endObject(domain)
        this.#object = this.#beginObject(domain, id)
      }
      await this.#visitPart(domain, this.#object, parsed, entry)
    } else if (parsed.type === 'index') this.#visitIndex(parsed)
    else if (parsed.type === 'tombstone') this.#visitTombstone(parsed)
    else domain.stored.set(parsed.statistic, entry.value)
  }

  /** Must be called after the last key. */
  async end(): Promise<void> {
    await this.#endDomain()
    await this.#parts.later.flush()
    await checkNames(this.#parts, this.#names)
    await this.#quotas.end()
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
    // Some counts need look-ups.
    await this.#parts.later.flush()
    await resolveValues(this.#parts, domain)
    this.#domain = undefined
    if (!domain.isRemoved) this.#quotas.addContents(domain)
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

  #beginObject(domain: DomainWalk, id: ObjectId): ObjectWalk {
    const parts = this.#parts
    const { record, remains } = this.#heads.get(id) ?? {}
    if (record !== undefined && remains !== undefined) parts.report({ kind: 'removed-and-there', object: id })
    const object = record && decoded(parts, { object: id }, () => decodeObject(id, record))
    const layout = object && decoded(parts, { object: id }, () => layoutIn(object))
    const state = record === undefined ? (remains ? 'removed' : 'missing') : object ? 'there' : 'broken'
    if (state === 'broken') domain.isBroken = true
    if (object) {
      parts.totals.objects++
      domain.counts[object.kind]++
      domain.counts.metadataBytes += recordBytes(objectKey(id, 'record'), record)
      if (object.kind === 'dataset') {
        domain.logicalBytes += BigInt(decoded(parts, { object: id }, () => logicalBytes(object)) ?? 0)
        requireCommittedType(parts, id, object)
      }
      requireRecord(parts, indexKey(object.kind, id), { kind: 'object-without-index', object: id })
    }
    return {
      id,
      state,
      object,
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
    if (walk.state === 'missing' && part !== 'backLink') return this.#visitOrphan(domain, walk, part, rest)
    switch (part) {
      case 'record':
        break
      case 'modified':
        walk.stored.set(part, value)
        this.#visitStamp(domain, id, key, value)
        break
      case 'linkCount':
      case 'attributeCount':
      case 'chunkCount':
      case 'chunkBytes':
      case 'memberBytes':
        walk.stored.set(part, value)
        break
      case 'link':
        checkLink(this.#parts, domain.root, walk, key, value)
        break
      case 'attribute':
        await checkAttribute(this.#parts, walk, key, value)
        break
      case 'linkByCreation':
        checkOrderEntry(this.#parts, id, 'link', rest, key)
        break
      case 'attributeByCreation':
        checkOrderEntry(this.#parts, id, 'attribute', rest, key)
        break
      case 'backLink':
        checkBackLink(this.#parts, id, rest, key)
        break
      case 'chunk':
        this.#visitChunk(domain, walk, rest, value)
        break
      case 'values':
        this.#visitValues(id, rest)
        break
      case 'largeValue':
        this.#visitLargeValue(domain, walk, key, value)
        break
      case 'knownFile':
      case 'keptOutline':
        decoded(this.#parts, { key }, () => decodeRecord(value))
        break
      default:
        part satisfies never
    }
  }

  /** A part of an object that has no record. */
  async #visitOrphan(
    domain: DomainWalk,
    walk: ObjectWalk,
    part: KeyOf<'part'>['part'],
    rest: Uint8Array,
  ): Promise<void> {
    if (part === 'chunk') await noteValue(this.#parts, domain, walk.id)
    else if (part === 'values') this.#visitValues(walk.id, rest)
    else if (!walk.isToldMissing) {
      walk.isToldMissing = true
      domain.isBroken = true
      this.#parts.report({ kind: 'parts-without-object', object: walk.id })
    }
  }

  #visitStamp(domain: DomainWalk, id: ObjectId, key: Uint8Array, stamp: Uint8Array): void {
    if (stamp.length !== STAMP_LENGTH) reportBroken(this.#parts, id, key, `a stamp of ${stamp.length} bytes`)
    else domain.lastModified = Math.max(domain.lastModified, timeOf(stamp))
  }

  #visitLargeValue(domain: DomainWalk, walk: ObjectWalk, key: Uint8Array, value: Uint8Array): void {
    const bytes = decoded(this.#parts, { object: walk.id, key }, () => sizeIn(value))
    if (bytes === undefined) this.#markBroken(domain, walk)
    walk.counts.memberBytes += bytes ?? 0
    walk.largeValues++
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

  #visitValues(id: ObjectId, rest: Uint8Array): void {
    const patch = parsePatchRest(rest)
    const { coordinates } = patch ?? { coordinates: rest }
    const isNamed = (record: ChunkRecord): boolean =>
      patch ? hasPatch(record, patch.number) : isInline(record)
    this.#parts.later.get(chunkKey({ dataset: id, coordinates }), record => {
      if (fits<ChunkRecord>(record, isNamed)) return
      const values = `values ${Buffer.from(coordinates).toString('hex')}`
      const name = patch ? `patch ${patch.number} of ${values}` : values
      this.#parts.report({ kind: 'values-without-chunk', object: id, name })
    })
  }

  // The index, and the tombstones

  #visitIndex({ id, kind }: KeyOf<'index'>): void {
    this.#parts.later.get(objectKey(id, 'record'), record => {
      if (fits<HdfObject>(record, object => object.kind === kind)) return
      this.#parts.report({ kind: 'index-without-object', object: id, expected: kind })
    })
  }

  #visitTombstone({ id, subject, name }: KeyOf<'tombstone'>): void {
    const location = { object: id, ...(subject !== 'object' && { name: Buffer.from(name).toString() }) }
    const key = subject === 'object' ? objectKey(id, 'record') : objectKey(id, subject, name)
    this.#parts.later.get(key, record => {
      if (record !== undefined) this.#parts.report({ kind: 'deleted-and-there', ...location })
    })
    if (subject === 'object') return
    this.#parts.later.get(objectKey(id, 'record'), record => {
      if (record !== undefined) return
      requireRecord(this.#parts, objectRemainsKey(id), { kind: 'tombstone-without-owner', ...location })
    })
  }

  #markBroken(domain: DomainWalk, walk: ObjectWalk): void {
    domain.isBroken = true
    walk.isBroken = true
  }
}

function layoutIn(object: HdfObject): ChunkLayout | undefined {
  const hasChunks =
    object.kind === 'dataset' &&
    object.space.class !== 'H5S_NULL' &&
    object.creationProperties.chunkDims !== undefined
  return hasChunks ? layoutOfChunks(object, LAYOUT_PIECE_BYTES) : undefined
}

/** The number in a counter; a broken counter is reported as a wrong one. */
function countedIn(record: Uint8Array | undefined): number {
  return record === undefined || record.length === COUNTER_LENGTH ? counterOf(record) : Number.NaN
}
