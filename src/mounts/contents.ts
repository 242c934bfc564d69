// The contents of a mounted HDF5 file: a domain that is read from the file when it is asked for, by the rules of an import, so that
// a mounted and an imported copy answer alike, but for ids and times. Nothing is decoded because a client named its address: an id
// is honoured when links or references from the root have named its object. What was decoded is kept within bounds.

import { createHash } from 'node:crypto'
import { BoundedMap } from '../bounded-map.ts'
import { HyperslabError } from '../errors.ts'
import { openH5File } from '../h5file/reader/reader.ts'
import type { ChunkDecoder } from '../h5file/reader/values.ts'
import type {
  FileAddress,
  FileAttribute,
  FileLink,
  H5FileReader,
  ReferenceResolver,
} from '../h5file/reader.ts'
import type { Acl } from '../hdf5/acl.ts'
import { logicalBytes } from '../hdf5/dataset-layout.ts'
import { extentsOf } from '../hdf5/dataspace.ts'
import { elementSize } from '../hdf5/datatype/layout.ts'
import { firstIndex } from '../hdf5/first-index.ts'
import { attributeName, linkTitle } from '../hdf5/names.ts'
import type { ObjectId, ObjectKind, ObjectReference } from '../hdf5/object-id.ts'
import type { Selection } from '../hdf5/selection/selection.ts'
import { compareUtf8 } from '../hdf5/utf8.ts'
import type { Elements } from '../hdf5/values/elements.ts'
import { hasReferences } from '../hdf5/values/references.ts'
import { inParallel } from '../storage/in-parallel.ts'
import type {
  AbortCheck,
  Allocation,
  Attribute,
  ChunkBytes,
  Dataset,
  DomainStatistics,
  HdfObject,
  Link,
  LinkPlace,
  ObjectDetails,
  ObjectStatus,
  Page,
} from '../storage/store.ts'
import { boxesOf, boxesOfChunks } from '../transfer/boxes.ts'
import { harmless, linkTargetOf, newName, openObject } from '../transfer/file-objects.ts'
import { isTurnOver, nextTurn, sortInTurns } from '../turns.ts'
import type { MountedFile, OpenFile } from './mount.ts'
import { addressOfId, idAtAddress } from './object-ids.ts'
import type { KeptContents } from './shared-contents.ts'
import { Walk } from './walk.ts'

/** Reads the values of the datasets of one file. Those that the file does not give are `values-unreadable`, with the reason. */
export interface ValueReader {
  /** As `Reader.readValues`. */
  read(
    dataset: Dataset,
    address: FileAddress,
    selection: Selection,
    signal?: AbortCheck,
  ): AsyncIterable<Elements>
  /** As `Reader.storedChunks`. */
  storedChunks(dataset: Dataset, address: FileAddress): AsyncIterable<ChunkBytes>
  allocation(dataset: Dataset, address: FileAddress): Promise<Allocation>
}

/**
 * The result of `read`, in whose values references name the objects of the file. `read` is called again when it has met references
 * to objects that had not been read yet.
 */
export type ReadReferences = <T>(read: (resolve: ReferenceResolver) => Promise<T>) => Promise<T>

export interface ContentsOptions {
  /** The id of the root group (object-ids.ts). */
  readonly root: ObjectId
  /** The access control list of the root group. */
  readonly acl: Acl
  readonly openValues: (reader: H5FileReader, readReferences: ReadReferences) => ValueReader
  /** Runs the filters of chunks that the reader of the file decodes. Default: in this thread. */
  readonly decode?: ChunkDecoder
  /** A file that is marked as open for writing, without SWMR, is served all the same. Default: it is refused. */
  readonly readsWhileWritten?: boolean
}

/** What is known of a mounted file without opening it. */
type MountedFileState = Omit<MountedFile, 'open'>

/** Reads no more than the superblock and the root group. Throws the reason when the file cannot be served. The caller closes the open file. */
export async function openContents(
  { source, openSibling }: Pick<OpenFile, 'source' | 'openSibling'>,
  file: MountedFileState,
  options: ContentsOptions,
): Promise<KeptContents> {
  const { decode, readsWhileWritten = false } = options
  const reader = await openH5File(source, file.path, {
    openSibling,
    readsWhileWritten,
    isLongLived: true,
    ...(decode && { decode }),
  })
  const contents = new FileContents(reader, file, options)
  const root = await contents.object(options.root)
  if (root?.kind === 'group') return contents
  throw new HyperslabError('file-unreadable', `${file.path} cannot be read: its root is no group`)
}

interface GroupLinks {
  /** As `H5FileReader.links` orders them. */
  readonly byCreation: readonly FileLink[]
  readonly byName: readonly FileLink[]
}

interface ObjectAttributes {
  /** Names, as `H5FileReader.attributes` orders them. */
  readonly byCreation: readonly string[]
  readonly byName: readonly string[]
  /** Absent: they are too many to be kept, and are read again for each page. */
  readonly decoded?: ReadonlyMap<string, Attribute>
  /** Of all attributes, whether they are kept or not. */
  readonly decodedBytes: number
  /** Those that cannot be read. */
  readonly failures: ReadonlyMap<string, HyperslabError>
  /** That this takes. */
  readonly bytes: number
}

/** What links from the root group lead to. */
interface LinkedObjects {
  /** In the order of their ids. */
  readonly ids: Readonly<Record<ObjectKind, readonly ObjectId[]>>
  readonly logicalBytes: number
}

/** Of objects, with what their fill values take. */
const MAX_OBJECTS = 32_768
const FILL_BYTES_OF_OBJECT = 4096
/** Of links that are kept decoded, some 200 bytes each. */
const MAX_LINKS = 250_000
/** Of the attributes of one object that are in memory at once. */
const MAX_ATTRIBUTE_BYTES = 16 * 2 ** 20
/** Of the attributes of an object that are part of its details. */
const MAX_DETAIL_BYTES = 2 ** 16
/** Of the attributes of all objects that are kept decoded. */
const MAX_KEPT_ATTRIBUTE_BYTES = 64 * 2 ** 20
/** What an attribute takes beside its value. */
const ATTRIBUTE_OVERHEAD = 1024
/** What a name takes of attributes that are not kept. */
const NAME_BYTES = 64
/** What a link, an object that is kept decoded, and an object that was met take in memory, about. */
const LINK_BYTES = 200
const OBJECT_BYTES = FILL_BYTES_OF_OBJECT
const MET_BYTES = 400
const NOTHING: Allocation = { chunks: 0, bytes: 0 }

/** References that lead to nothing that can be read. */
const MAX_UNREADABLE = 10_000

/** Objects that are opened at once: a reader joins reads of what is near. */
const PARALLEL_OBJECTS = 64
/** Elements of references that the walk reads at once. */
const BOX_ELEMENTS = 16_384

class FileContents implements KeptContents {
  readonly #reader: H5FileReader
  readonly #file: MountedFileState
  readonly #root: ObjectId
  readonly #acl: Acl
  readonly #values: ValueReader
  /** Of what the versions of objects begin with. */
  readonly #state: string
  /** The objects that links and references have named; undefined: not read yet, or not readable. */
  readonly #met = new Map<FileAddress, ObjectKind | undefined>()
  /** References to these are null. */
  readonly #unreadable = new BoundedMap<FileAddress, HyperslabError>(MAX_UNREADABLE)
  readonly #objects = new BoundedMap<FileAddress, HdfObject>(MAX_OBJECTS, { weightOf: weightOfObject })
  readonly #links = new BoundedMap<FileAddress, GroupLinks>(MAX_LINKS, {
    weightOf: ({ byName }) => byName.length + 1,
  })
  readonly #readingLinks = new Map<FileAddress, Promise<GroupLinks>>()
  readonly #attributes = new BoundedMap<FileAddress, ObjectAttributes>(MAX_KEPT_ATTRIBUTE_BYTES, {
    weightOf: ({ bytes }) => bytes,
  })
  /** Along hard links. */
  readonly #linkWalk: Walk
  /** Along hard links and references. */
  readonly #referenceWalk: Walk
  /** The groups that have a hard link to the object. */
  readonly #parents = new Map<FileAddress, FileAddress[]>()
  readonly #linked: { [kind in ObjectKind]: ObjectId[] } = { group: [], dataset: [], datatype: [] }
  /** Datasets whose values change without the file. */
  readonly #ofOthers = new Set<FileAddress>()
  #logicalBytes = 0
  #linkedObjects: Promise<LinkedObjects> | undefined
  #statistics: Promise<DomainStatistics> | undefined

  constructor(reader: H5FileReader, file: MountedFileState, { root, acl, openValues }: ContentsOptions) {
    this.#reader = reader
    this.#file = file
    this.#root = root
    this.#acl = acl
    this.#values = openValues(reader, read => this.#readReferences(read))
    this.#state = createHash('sha256').update(root).update(file.stamp).digest('hex').slice(0, 16)
    this.#met.set(reader.root, undefined)
    this.#linkWalk = new Walk(reader.root, address => this.#visitLinks(address))
    this.#referenceWalk = new Walk(reader.root, address => this.#visitReferences(address))
  }

  get heldBytes(): number {
    const decoded = LINK_BYTES * this.#links.weight + OBJECT_BYTES * this.#objects.weight
    const met = MET_BYTES * (this.#met.size + this.#unreadable.size)
    return (this.#reader.heldBytes ?? 0) + this.#attributes.weight + decoded + met
  }

  async object(id: ObjectId): Promise<HdfObject | undefined> {
    const address = await this.#addressOf(id)
    if (address === undefined) return undefined
    return this.#within(address, '', () => this.#object(address))
  }

  async details(ids: readonly ObjectId[]): Promise<readonly (ObjectDetails | undefined)[]> {
    const objects = await Promise.all(ids.map(id => this.object(id)))
    const details: (ObjectDetails | undefined)[] = []
    // One after another: all attributes of many objects might not fit into memory.
    for (const object of objects) {
      if (isTurnOver()) await nextTurn()
      details.push(object && (await this.#detailsOf(object)))
    }
    return details
  }

  async #detailsOf(object: HdfObject): Promise<ObjectDetails> {
    const address = this.#addressOfObject(object)
    // What cannot be read is an error where it is asked for alone.
    const attributes = await tolerate(this.#attributesOf(address))
    const { decoded, bytes = 0 } = attributes ?? {}
    return {
      object,
      ...(decoded && bytes <= MAX_DETAIL_BYTES && { attributes: [...decoded.values()] }),
      ...(await this.#chunksOf(object, address)),
    }
  }

  /** Nothing where the index of chunks would have to be read. */
  async #chunksOf(object: HdfObject, address: FileAddress): Promise<Pick<ObjectDetails, 'chunks'>> {
    if (object.kind !== 'dataset' || object.creationProperties.layout === 'H5D_CHUNKED') return {}
    const allocation = await tolerate(this.#values.allocation(object, address))
    return allocation ? { chunks: allocation.chunks } : {}
  }

  async status(id: ObjectId): Promise<ObjectStatus> {
    const address = await this.#addressOf(id)
    if (address === undefined) return { lastModified: 0, linkCount: 0, attributeCount: 0, version: '' }
    return this.#within(address, '', async () => {
      const { kind, created } = await this.#object(address)
      const links = kind === 'group' ? await this.#linksOf(address) : undefined
      const attributes = await this.#attributesOf(address)
      return {
        lastModified: created,
        linkCount: links?.byName.length ?? 0,
        attributeCount: attributes.byName.length,
        ...(!this.#ofOthers.has(address) && { version: `${this.#state}${Number(address).toString(16)}` }),
      }
    })
  }

  async *objects(
    _root: ObjectId,
    kind: ObjectKind,
    { marker, limit }: Page<ObjectId> = {},
  ): AsyncGenerator<ObjectId> {
    const { ids } = await this.#whole()
    const all = ids[kind]
    const from = marker === undefined ? 0 : firstIndex(all, id => id > marker)
    yield* all.slice(from, limit === undefined ? undefined : from + limit)
  }

  async link(group: ObjectId, title: string): Promise<Link | undefined> {
    const address = await this.#addressOf(group)
    if (address === undefined) return undefined
    return this.#within(address, ` link ${JSON.stringify(title)}`, async () => {
      const { byName } = await this.#linksOf(address)
      const link = byName[firstIndex(byName, other => compareUtf8(other.title, title) >= 0)]
      return link?.title === title ? this.#link(link) : undefined
    })
  }

  async *links(group: ObjectId, page: Page = {}): AsyncGenerator<Link> {
    const address = await this.#addressOf(group)
    if (address === undefined) return
    const { limit = Number.POSITIVE_INFINITY } = page
    const links = pageOf(await this.#linksOf(address), page, ({ title }) => title)
    let count = 0
    for (let from = 0; from < links.length && count < limit; ) {
      const next = links.slice(from, from + Math.min(PARALLEL_OBJECTS, limit - count))
      from += next.length
      for (const link of await Promise.all(next.map(link => tolerate(this.#link(link))))) {
        if (!link) continue
        yield link
        count++
      }
    }
  }

  async *linksTo(id: ObjectId): AsyncGenerator<LinkPlace> {
    const address = await this.#addressOf(id)
    if (address === undefined) return
    await this.#linkWalk.complete()
    for (const parent of this.#parents.get(address) ?? []) {
      const group = this.#idAt(parent)
      for (const link of (await this.#linksOf(parent)).byName) {
        if (isTurnOver()) await nextTurn()
        if (link.class === 'H5L_TYPE_HARD' && link.address === address) yield { group, title: link.title }
      }
    }
  }

  async attribute(owner: ObjectId, name: string): Promise<Attribute | undefined> {
    const address = await this.#addressOf(owner)
    if (address === undefined) return undefined
    return this.#within(address, ` attribute ${JSON.stringify(name)}`, async () => {
      const attributes = await this.#attributesOf(address)
      const { byName, failures } = attributes
      if (byName[firstIndex(byName, other => compareUtf8(other, name) >= 0)] === name) {
        for await (const attribute of this.#attributesNamed(address, attributes, [name])) return attribute
      }
      const failure = failures.get(name)
      if (failure) throw failure
      return undefined
    })
  }

  async *attributes(owner: ObjectId, page: Page = {}): AsyncGenerator<Attribute> {
    const address = await this.#addressOf(owner)
    if (address === undefined) return
    const attributes = await this.#attributesOf(address)
    const names = pageOf(attributes, page, name => name).slice(0, page.limit)
    yield* this.#attributesNamed(address, attributes, names)
  }

  async allocation(id: ObjectId): Promise<Allocation> {
    const address = await this.#addressOf(id)
    const dataset = address === undefined ? undefined : await this.#object(address)
    if (address === undefined || dataset?.kind !== 'dataset') return NOTHING
    // Of a damaged index nothing is known, and an import keeps nothing.
    return (await tolerate(this.#values.allocation(dataset, address))) ?? NOTHING
  }

  readValues(dataset: Dataset, selection: Selection, signal?: AbortCheck): AsyncIterable<Elements> {
    return this.#values.read(dataset, this.#addressOfObject(dataset), selection, signal)
  }

  storedChunks(dataset: Dataset): AsyncIterable<ChunkBytes> {
    return this.#values.storedChunks(dataset, this.#addressOfObject(dataset))
  }

  statistics(): Promise<DomainStatistics> {
    this.#statistics ??= this.#count().catch((error: unknown) => {
      this.#statistics = undefined
      throw error
    })
    return this.#statistics
  }

  // Objects

  /** Undefined: no link or reference leads to an object of that id. */
  async #addressOf(id: ObjectId): Promise<FileAddress | undefined> {
    if (id === this.#root) return this.#reader.root
    const address = addressOfId(this.#root, id)
    if (address === undefined || address === this.#reader.root) return undefined
    const isMet = () => this.#met.has(address)
    if (!isMet()) await this.#linkWalk.complete(isMet)
    if (!isMet()) await this.#referenceWalk.complete(isMet)
    return isMet() ? address : undefined
  }

  #addressOfObject({ id }: HdfObject): FileAddress {
    const address = id === this.#root ? this.#reader.root : addressOfId(this.#root, id)
    if (address === undefined) throw new Error(`the object ${id} is not in ${this.#file.path}`)
    return address
  }

  #idAt(address: FileAddress): ObjectId {
    return address === this.#reader.root ? this.#root : idAtAddress(this.#root, address)
  }

  /** Throws when the object cannot be part of a domain. */
  async #object(address: FileAddress): Promise<HdfObject> {
    const known = this.#objects.use(address)
    if (known) return known
    const opened = await openObject(this.#reader, address)
    const base = {
      id: this.#idAt(address),
      created: opened.modified === undefined ? this.#file.lastModified : opened.modified * 1e6,
      acl: address === this.#reader.root ? this.#acl : [],
    }
    let object: HdfObject
    switch (opened.kind) {
      case 'group':
        object = { ...base, kind: opened.kind }
        break
      case 'datatype':
        object = { ...base, kind: opened.kind, type: opened.type }
        break
      case 'dataset': {
        const { committedType, type, space, creationProperties, isOfOthers } = opened.dataset
        if (isOfOthers) this.#ofOthers.add(address)
        const committed = await this.#committed(committedType)
        object = { ...base, kind: opened.kind, type, ...committed, space, creationProperties }
      }
    }
    this.#met.set(address, object.kind)
    this.#objects.set(address, object)
    return object
  }

  /** Undefined: no object can be read there. */
  async #referenceTo(address: FileAddress): Promise<ObjectReference | undefined> {
    const known = this.#knownReference(address)
    if (known || this.#unreadable.get(address)) return known
    try {
      const { kind, id } = await this.#object(address)
      return { kind, id }
    } catch (error) {
      this.#unreadable.set(address, harmless(error))
      return undefined
    }
  }

  #knownReference(address: FileAddress): ObjectReference | undefined {
    const kind = this.#met.get(address)
    return kind && { kind, id: this.#idAt(address) }
  }

  async #committed(address: FileAddress | undefined): Promise<{ committedType?: ObjectId }> {
    const reference = address === undefined ? undefined : await this.#referenceTo(address)
    return reference ? { committedType: reference.id } : {}
  }

  async #readReferences<T>(read: (resolve: ReferenceResolver) => Promise<T>): Promise<T> {
    const unknown = new Set<FileAddress>()
    const result = await read(address => {
      const reference = this.#knownReference(address)
      if (!reference && !this.#unreadable.get(address)) unknown.add(address)
      return reference
    })
    if (unknown.size === 0) return result
    await inParallel(unknown, PARALLEL_OBJECTS, async address => {
      await this.#referenceTo(address)
    })
    return read(address => this.#knownReference(address))
  }

  // Links

  async #linksOf(group: FileAddress): Promise<GroupLinks> {
    const known = this.#links.use(group) ?? this.#readingLinks.get(group)
    if (known) return known
    const reading = this.#readLinks(group).finally(() => this.#readingLinks.delete(group))
    this.#readingLinks.set(group, reading)
    return reading
  }

  async #readLinks(group: FileAddress): Promise<GroupLinks> {
    const titles = new Set<string>()
    const byCreation: FileLink[] = []
    let isSorted = true
    for await (const batch of this.#reader.links(group)) {
      for (const link of batch) {
        if (isTurnOver()) await nextTurn()
        if (!isAllowed(() => newName(linkTitle(link.title), titles))) continue
        const last = byCreation.at(-1)
        if (last && compareUtf8(last.title, link.title) > 0) isSorted = false
        byCreation.push(link)
        if (link.class === 'H5L_TYPE_HARD' && !this.#met.has(link.address)) {
          this.#met.set(link.address, undefined)
        }
      }
    }
    const byName = isSorted
      ? byCreation
      : await sortInTurns(byCreation, (a, b) => compareUtf8(a.title, b.title))
    const links = { byCreation, byName }
    this.#links.set(group, links)
    return links
  }

  /** Throws the reason when its target cannot be read. */
  async #link(link: FileLink): Promise<Link> {
    const created = this.#file.lastModified
    const reference =
      link.class === 'H5L_TYPE_HARD'
        ? (this.#knownReference(link.address) ?? (await this.#object(link.address)))
        : undefined
    const target = linkTargetOf(link, () => reference && { kind: reference.kind, id: reference.id })
    if (!target) throw new Error('a hard link has no target')
    return { title: link.title, created, target }
  }

  // Attributes

  async #attributesOf(owner: FileAddress): Promise<ObjectAttributes> {
    const known = this.#attributes.use(owner)
    if (known) return known
    const attributes = await this.#readReferences(resolve => this.#readAttributes(owner, resolve))
    if (attributes.bytes <= MAX_ATTRIBUTE_BYTES) this.#attributes.set(owner, attributes)
    return attributes
  }

  async #readAttributes(owner: FileAddress, resolve: ReferenceResolver): Promise<ObjectAttributes> {
    const failures = new Map<string, HyperslabError>()
    const names = new Set<string>()
    const decoded = new Map<string, Attribute>()
    let decodedBytes = ATTRIBUTE_OVERHEAD
    const batches = this.#reader.attributes(owner, resolve, (name, error) => failures.set(name, error))
    for await (const batch of batches) {
      for (const attribute of batch) {
        if (isTurnOver()) await nextTurn()
        if (!isAllowed(() => newName(attributeName(attribute.name), names))) continue
        decodedBytes += bytesOfAttribute(attribute)
        if (decodedBytes > MAX_ATTRIBUTE_BYTES) decoded.clear()
        else decoded.set(attribute.name, await this.#attribute(attribute))
      }
    }
    const byCreation = [...names]
    const byName = await sortInTurns(byCreation, compareUtf8)
    const isKept = decodedBytes <= MAX_ATTRIBUTE_BYTES
    const bytes = isKept ? decodedBytes : NAME_BYTES * names.size
    return { byCreation, byName, failures, decodedBytes, bytes, ...(isKept && { decoded }) }
  }

  /** In the order of the names. Of those that are not kept, no more are in memory than might be kept. */
  async *#attributesNamed(
    owner: FileAddress,
    { byCreation, decoded, decodedBytes }: ObjectAttributes,
    names: readonly string[],
  ): AsyncGenerator<Attribute> {
    const parts = decoded ? 1 : Math.ceil(decodedBytes / MAX_ATTRIBUTE_BYTES)
    const most = Math.max(1, Math.ceil(byCreation.length / parts))
    for (let from = 0; from < names.length; from += most) {
      const some = names.slice(from, from + most)
      const found = decoded ?? (await this.#findAttributes(owner, some))
      for (const name of some) {
        const attribute = found.get(name)
        if (attribute) yield attribute
      }
    }
  }

  /** Reads the attributes of these names. What they refer to is known, because all were read before. */
  async #findAttributes(
    owner: FileAddress,
    names: readonly string[],
  ): Promise<ReadonlyMap<string, Attribute>> {
    const wanted = new Set(names)
    const found = new Map<string, Attribute>()
    for await (const batch of this.#reader.attributes(owner, address => this.#knownReference(address))) {
      for (const attribute of batch) {
        if (isTurnOver()) await nextTurn()
        // The first of a name counts.
        if (wanted.delete(attribute.name)) found.set(attribute.name, await this.#attribute(attribute))
      }
      if (wanted.size === 0) break
    }
    return found
  }

  async #attribute({ committedType, ...attribute }: FileAttribute): Promise<Attribute> {
    const time = this.#file.lastModified
    const committed = await this.#committed(committedType)
    return { ...attribute, ...committed, created: time, lastModified: time }
  }

  // The whole file

  /** The objects that the hard links of a group lead to. */
  async #visitLinks(address: FileAddress): Promise<Iterable<FileAddress>> {
    const object = await tolerate(this.#object(address))
    const links = object?.kind === 'group' ? (await this.#linksOf(address)).byName : []
    if (!object) return []
    const targets = await hardTargets(links)
    // From here on nothing fails, so nothing is counted twice.
    this.#linked[object.kind].push(object.id)
    if (object.kind === 'dataset') this.#logicalBytes += logicalBytes(object)
    for (const target of targets) {
      if (isTurnOver()) await nextTurn()
      const parents = this.#parents.get(target)
      if (parents) parents.push(address)
      else this.#parents.set(target, [address])
    }
    return targets
  }

  /** The objects that the hard links, the attributes and the values of an object lead to. */
  async #visitReferences(address: FileAddress): Promise<Iterable<FileAddress>> {
    const object = await tolerate(this.#object(address))
    if (!object) return []
    const named = await hardTargets(object.kind === 'group' ? (await this.#linksOf(address)).byName : [])
    const resolve = (target: FileAddress) => {
      named.add(target)
      return undefined
    }
    await tolerate(this.#visitAttributes(address, resolve))
    if (object.kind === 'dataset') {
      const { committedType } = await this.#reader.dataset(address)
      if (committedType !== undefined) resolve(committedType)
      await tolerate(this.#readAllReferences(object, address, resolve))
    }
    return named
  }

  async #visitAttributes(address: FileAddress, resolve: ReferenceResolver): Promise<void> {
    for await (const batch of this.#reader.attributes(address, resolve)) {
      for (const { committedType } of batch) if (committedType !== undefined) resolve(committedType)
    }
  }

  /** Reads the values of a dataset that has references, so that `resolve` gets all of them. */
  async #readAllReferences(
    { type, space, creationProperties: { chunkDims } }: Dataset,
    address: FileAddress,
    resolve: ReferenceResolver,
  ): Promise<void> {
    if (space.class === 'H5S_NULL' || !hasReferences(type)) return
    const dims = extentsOf(space)
    const most = Math.ceil(BOX_ELEMENTS / elementSize(type))
    const stored = await this.#reader.storedChunks(address)
    const boxes = stored
      ? boxesOfChunks(dims, stored.chunkDims, most, stored.batches)
      : boxesOf(dims, chunkDims, most)
    for await (const { start, count } of boxes) {
      await this.#reader.readValues(address, start, count, resolve)
    }
  }

  #whole(): Promise<LinkedObjects> {
    this.#linkedObjects ??= this.#findLinked().catch((error: unknown) => {
      this.#linkedObjects = undefined
      throw error
    })
    return this.#linkedObjects
  }

  async #findLinked(): Promise<LinkedObjects> {
    await this.#linkWalk.complete()
    const { group, dataset, datatype } = this.#linked
    return {
      ids: {
        group: await sortInTurns(group, compareIds),
        dataset: await sortInTurns(dataset, compareIds),
        datatype: await sortInTurns(datatype, compareIds),
      },
      logicalBytes: Math.min(this.#logicalBytes, Number.MAX_SAFE_INTEGER),
    }
  }

  async #count(): Promise<DomainStatistics> {
    const { ids, logicalBytes } = await this.#whole()
    let chunks = 0
    let allocatedBytes = 0
    await inParallel(ids.dataset, PARALLEL_OBJECTS, async id => {
      const allocation = await tolerate(this.allocation(id))
      chunks += allocation?.chunks ?? 0
      allocatedBytes += allocation?.bytes ?? 0
      await nextTurn()
    })
    return {
      groups: ids.group.length,
      datasets: ids.dataset.length,
      datatypes: ids.datatype.length,
      chunks,
      allocatedBytes,
      logicalBytes,
      // What is not values of datasets.
      metadataBytes: Math.max(0, this.#file.size - allocatedBytes),
      entryBytes: 0,
      lastModified: this.#file.lastModified,
    }
  }

  /** The result of `work`, whose errors begin with the path of the object and the part of it that they are about. */
  async #within<T>(address: FileAddress, part: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw error instanceof HyperslabError ? error.within(`${this.#reader.pathOf(address)}${part}`) : error
    }
  }
}

/** Of the order that the page asks for, what comes after its marker. */
function pageOf<T>(
  { byCreation, byName }: { readonly byCreation: readonly T[]; readonly byName: readonly T[] },
  { marker, order = 'name', prefix = '' }: Page,
  nameOf: (item: T) => string,
): readonly T[] {
  if (order === 'created') {
    if (marker === undefined) return byCreation
    const at = byCreation.findIndex(item => nameOf(item) === marker)
    return at === -1 ? [] : byCreation.slice(at + 1)
  }
  const isAfter = (item: T) =>
    (marker === undefined || compareUtf8(nameOf(item), marker) > 0) && compareUtf8(nameOf(item), prefix) >= 0
  const from = firstIndex(byName, isAfter)
  const end = firstIndex(
    byName,
    item => compareUtf8(nameOf(item), prefix) > 0 && !nameOf(item).startsWith(prefix),
  )
  return byName.slice(from, Math.max(from, end))
}

async function hardTargets(links: readonly FileLink[]): Promise<Set<FileAddress>> {
  const targets = new Set<FileAddress>()
  for (const link of links) {
    if (isTurnOver()) await nextTurn()
    if (link.class === 'H5L_TYPE_HARD') targets.add(link.address)
  }
  return targets
}

/** About as many as it takes in memory. */
function bytesOfAttribute({ value }: FileAttribute): number {
  return ATTRIBUTE_OVERHEAD + (value?.data.length ?? 0) + (value?.heap.length ?? 0)
}

function weightOfObject(object: HdfObject): number {
  const fillValue = object.kind === 'dataset' ? object.creationProperties.fillValue : undefined
  return 1 + Math.ceil((fillValue?.data.length ?? 0) / FILL_BYTES_OF_OBJECT)
}

function compareIds(a: ObjectId, b: ObjectId): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** False: the model does not allow the name. */
function isAllowed(check: () => void): boolean {
  try {
    check()
    return true
  } catch (error) {
    harmless(error)
    return false
  }
}

/** Undefined: the part of the file cannot be read. */
async function tolerate<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    harmless(error)
    return undefined
  }
}
