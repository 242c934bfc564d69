// The contents of a mounted HDF5 file: a domain that is read from the file on request, by the rules of an import, so
// that a mounted and an imported copy give the same answers, except for ids and times. An object is never decoded
// because a client named its address: an id is accepted when links or references from the root lead to its object.
// Decoded objects are kept within limits.

import { createHash } from 'node:crypto'
import { type AbortCheck, inParallel, isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import type { ChunkDecoder, FileAddress, FileLink, H5FileReader, ReadCaller } from '@hyperslab/h5/reader'
import { openH5File, runSteps, type Steps, waitFor } from '@hyperslab/h5/reader'
import { firstIndex } from '@hyperslab/model/dataset'
import type { Acl, ObjectId, ObjectKind } from '@hyperslab/model/names'
import { compareUtf8 } from '@hyperslab/model/names'
import type { Selection } from '@hyperslab/model/selection'
import type { Piece } from '@hyperslab/model/values'
import type { ChunkBytes, ChunkOnDisk, ChunkSpan } from '@hyperslab/store/chunks'
import type {
  Allocation,
  Attribute,
  Dataset,
  DomainStatistics,
  HdfObject,
  Link,
  LinkKey,
  ListedAttribute,
  ListedLink,
  LocatedChunks,
  MountedContents,
  ObjectDetails,
  ObjectStatus,
  Page,
  PlacedChunk,
} from '@hyperslab/store/store'
import { harmless, PARALLEL_OBJECTS } from '../transfer/file-objects.ts'
import { H5servTable } from '../transfer/h5serv-table.ts'
import { MountedAttributes, type ObjectAttributes } from './attributes.ts'
import { domainError } from './domain-errors.ts'
import { type GroupLinks, MountedLinks } from './links.ts'
import type { OpenFile } from './mount.ts'
import { addressOfId } from './object-ids.ts'
import { type MountedFileState, MountedObjects, type ReadReferences } from './objects.ts'
import { ReachableObjects } from './reachable.ts'
import type { KeptContents } from './shared-contents.ts'
import { tolerate } from './tolerate.ts'

/**
 * Reads the values of the datasets of one file. Values that the file does not give are `values-unreadable`, with the
 * reason.
 */
export interface ValueReader {
  /** `Reader.readPieces` for a dataset of the file. */
  read(dataset: Dataset, address: FileAddress, selection: Selection, caller: ReadCaller): AsyncIterable<Piece>
  /** `Reader.storedChunks` for a dataset of the file. */
  storedChunks(dataset: Dataset, address: FileAddress, span?: ChunkSpan): AsyncIterable<ChunkBytes>
  /** `Reader.chunkOnDisk` for a dataset of the file. */
  chunkOnDisk(
    dataset: Dataset,
    address: FileAddress,
    coordinates: readonly number[],
  ): Promise<ChunkOnDisk | undefined>
  /** `Reader.placedChunks` for a dataset of the file. */
  placedChunks(dataset: Dataset, address: FileAddress): Promise<AsyncIterable<PlacedChunk> | undefined>
  /** `Reader.locateChunks` for a dataset of the file. */
  locateChunks(dataset: Dataset, address: FileAddress, caller: ReadCaller): Promise<LocatedChunks | undefined>
  /** `Reader.requireValues` for a dataset of the file. */
  requireValues(dataset: Dataset, address: FileAddress, caller: ReadCaller): Promise<void>
  /** The allocation, at once if it was counted before. */
  allocation(dataset: Dataset, address: FileAddress): Allocation | Promise<Allocation>
}

export interface ContentsOptions {
  /** The id of the root group (object-ids.ts). */
  readonly root: ObjectId
  /** The access control list of the root group. */
  readonly acl: Acl
  readonly openValues: (reader: H5FileReader, readReferences: ReadReferences) => ValueReader
  /** Runs the filters of chunks that the reader of the file decodes. Default: in this thread. */
  readonly decode?: ChunkDecoder
  /** Called with the first damage of an opened file, which names the object. Default: it is not reported. */
  readonly warn?: (message: string) => void
  /** True: a file that is marked as open for writing, without SWMR, is served, too. Default: it is refused. */
  readonly readsWhileWritten?: boolean
}

/**
 * Opens a file; reads only the superblock and the root group. Throws the reason when the file cannot be served. The
 * caller closes the open file.
 */
export async function openContents(
  { source, openSibling, joined }: Pick<OpenFile, 'source' | 'openSibling' | 'joined'>,
  file: MountedFileState,
  options: ContentsOptions,
): Promise<KeptContents> {
  const { decode, readsWhileWritten = false } = options
  const reader = await openH5File(source, file.path, {
    openSibling,
    readsWhileWritten,
    isLongLived: true,
    ...(joined && { joined }),
    ...(decode && { decode }),
  })
  const kept = new KeptFile(reader, file, options)
  const root = await kept.for({}).object(options.root)
  if (root?.kind === 'group') return kept
  throw new HyperslabError('file-unreadable', `${file.path} cannot be read: its root is not a group`)
}

/** The most bytes of the attributes of an object that are part of its details. @limit memory, bytes */
const MAX_DETAIL_BYTES = 2 ** 16
const NOTHING: Allocation = { chunks: 0, bytes: 0 }

/** The parts of a file that are kept. */
class KeptFile implements KeptContents {
  readonly reader: H5FileReader
  readonly file: MountedFileState
  readonly root: ObjectId
  readonly table: H5servTable
  readonly objects: MountedObjects
  readonly links: MountedLinks
  readonly attributes: MountedAttributes
  readonly reachable: ReachableObjects
  readonly values: ValueReader
  /** The beginning of the versions of all objects. */
  readonly state: string
  statistics: DomainStatistics | undefined

  constructor(reader: H5FileReader, file: MountedFileState, options: ContentsOptions) {
    const { root, openValues, warn } = options
    this.reader = reader
    this.file = file
    this.root = root
    this.table = new H5servTable(reader)
    this.objects = new MountedObjects(reader, this.table, file, options)
    let isReported = false
    const onDamage = (address: FileAddress, { message }: HyperslabError) => {
      if (!isReported)
        warn?.(`${file.path}: links or attributes of ${reader.pathOf(address)} are lost: ${message}`)
      isReported = true
    }
    this.links = new MountedLinks(reader, this.table, this.objects, file.lastModified, onDamage)
    this.attributes = new MountedAttributes(reader, this.objects, file.lastModified, onDamage)
    this.reachable = new ReachableObjects(reader, this.table, this.objects, this.links, file.size)
    this.values = openValues(reader, this.objects.readReferences)
    this.state = createHash('sha256').update(root).update(file.stamp).digest('hex').slice(0, 16)
  }

  for(caller: ReadCaller): MountedContents {
    return new FileContents(this, caller)
  }

  get heldBytes(): number {
    const decoded = this.objects.heldBytes + this.links.heldBytes + this.attributes.heldBytes
    return (this.reader.heldBytes ?? 0) + decoded + this.reachable.heldBytes + this.table.heldBytes
  }
}

class FileContents implements MountedContents {
  readonly #kept: KeptFile
  readonly #caller: ReadCaller
  readonly #reader: H5FileReader
  readonly #file: MountedFileState
  readonly #root: ObjectId
  readonly #objects: MountedObjects
  readonly #links: MountedLinks
  readonly #attributes: MountedAttributes
  readonly #reachable: ReachableObjects
  readonly #values: ValueReader

  constructor(kept: KeptFile, caller: ReadCaller) {
    this.#kept = kept
    this.#caller = caller
    this.#reader = kept.reader
    this.#file = kept.file
    this.#root = kept.root
    this.#objects = kept.objects
    this.#links = kept.links
    this.#attributes = kept.attributes
    this.#reachable = kept.reachable
    this.#values = kept.values
  }

  async object(id: ObjectId): Promise<HdfObject | undefined> {
    const address = await this.#addressOf(id)
    if (address === undefined) return undefined
    return this.#within(address, '', () => this.#objects.object(address))
  }

  async details(ids: readonly ObjectId[]): Promise<readonly (ObjectDetails | undefined)[]> {
    const objects = await allOf(ids.map(id => this.#knownObject(id) ?? this.object(id)))
    const details: (ObjectDetails | undefined)[] = []
    // One after another: all attributes of many objects might not fit into memory.
    for (const object of objects) {
      if (isTurnOver()) await nextTurn()
      this.#caller.signal?.throwIfAborted()
      const found = object && runSteps(this.#detailsOf(object))
      details.push(found instanceof Promise ? await found : found)
    }
    return details
  }

  /** Undefined: it is not decoded. */
  #knownObject(id: ObjectId): HdfObject | undefined {
    const address = id === this.#root ? this.#reader.root : addressOfId(this.#root, id)
    return address === undefined ? undefined : this.#objects.known(address)
  }

  *#detailsOf(object: HdfObject): Steps<ObjectDetails> {
    const address = this.#objects.addressOf(object)
    // An object that cannot be read is an error only for a request about this object.
    const attributes =
      this.#attributes.known(address) ?? (yield* waitFor(tolerate(this.#attributes.get(address))))
    const { decoded, failures, bytes = 0 } = attributes ?? {}
    const isWhole = decoded && failures?.size === 0 && bytes <= MAX_DETAIL_BYTES
    const links = object.kind === 'group' ? yield* waitFor(this.#links.get(address)) : undefined
    const chunks = yield* this.#chunksOf(object, address)
    return {
      object,
      ...(attributes && { status: this.#statusOf(object, address, links, attributes) }),
      ...(isWhole && { attributes: [...decoded.values()] }),
      ...(chunks !== undefined && { chunks }),
      ...(object.kind === 'dataset' &&
        this.#objects.areValuesHere(object, address) && { areValuesHere: true }),
    }
  }

  /** Undefined where the index of chunks would have to be read. */
  *#chunksOf(object: HdfObject, address: FileAddress): Steps<number | undefined> {
    if (object.kind !== 'dataset' || object.creationProperties.layout === 'H5D_CHUNKED') return undefined
    const counted = this.#values.allocation(object, address)
    const allocation = yield* waitFor(counted instanceof Promise ? tolerate(counted) : counted)
    return allocation?.chunks
  }

  async status(id: ObjectId): Promise<ObjectStatus> {
    const address = await this.#addressOf(id)
    if (address === undefined) return { lastModified: 0, linkCount: 0, attributeCount: 0, version: '' }
    return this.#within(address, '', async () => {
      const object = await this.#objects.object(address)
      const links = object.kind === 'group' ? await this.#links.get(address) : undefined
      return this.#statusOf(object, address, links, await this.#attributes.get(address))
    })
  }

  #statusOf(
    { created }: HdfObject,
    address: FileAddress,
    links: GroupLinks | undefined,
    attributes: ObjectAttributes,
  ): ObjectStatus {
    const damage = links?.damage ?? attributes.damage
    return {
      lastModified: created,
      linkCount: links?.byName.length ?? 0,
      attributeCount: attributes.byName.length,
      ...(damage && { damage: this.#domainError(damage) }),
      ...(!this.#objects.isOfOthers(address) && {
        version: `${this.#kept.state}${Number(address).toString(16)}`,
      }),
    }
  }

  async *objects(
    _root: ObjectId,
    kind: ObjectKind,
    { marker, limit = Infinity }: Page<ObjectId> = {},
  ): AsyncGenerator<ObjectId> {
    const { ids } = await this.#reachable.all(this.#caller.signal)
    const all = ids[kind]
    const from = marker === undefined ? 0 : firstIndex(all, id => id > marker)
    // A copy of all that follow would be made for a caller that takes the first ones only.
    for (let i = from; i < Math.min(all.length, from + limit); i++) yield all[i]
  }

  async link(group: ObjectId, title: string): Promise<Link | undefined> {
    const address = await this.#addressOf(group)
    if (address === undefined) return undefined
    return this.#within(address, ` link ${JSON.stringify(title)}`, async () => {
      const { byName } = await this.#links.get(address)
      const link = byName[firstIndex(byName, other => compareUtf8(other.title, title) >= 0)]
      return link?.title === title ? this.#links.link(link) : undefined
    })
  }

  async *links(group: ObjectId, page: Page = {}): AsyncGenerator<ListedLink> {
    const address = await this.#addressOf(group)
    if (address === undefined) return
    const links = pageOf(await this.#links.get(address), page, ({ title }) => title)
    for (let from = 0; from < links.length; from += PARALLEL_OBJECTS) {
      const next = links.slice(from, from + PARALLEL_OBJECTS)
      yield* await allOf(next.map(link => this.#links.knownLink(link) ?? this.#listedLink(link)))
    }
  }

  async #listedLink(link: FileLink): Promise<ListedLink> {
    try {
      return await this.#links.link(link)
    } catch (error) {
      const reason = this.#domainError(harmless(error))
      const { title } = link
      return { title, created: this.#file.lastModified, target: { class: 'H5L_TYPE_ERROR', reason } }
    }
  }

  async *linksTo(id: ObjectId): AsyncGenerator<LinkKey> {
    const address = await this.#addressOf(id)
    if (address === undefined) return
    for (const parent of await this.#reachable.parentsOf(address, this.#caller.signal)) {
      const group = this.#objects.idAt(parent)
      for (const { title } of await this.#links.linksTo(address, parent)) yield { group, title }
    }
  }

  async attribute(owner: ObjectId, name: string): Promise<Attribute | undefined> {
    const address = await this.#addressOf(owner)
    if (address === undefined) return undefined
    return this.#within(address, ` attribute ${JSON.stringify(name)}`, async () => {
      const attributes = await this.#attributes.get(address)
      const { byName } = attributes
      if (byName[firstIndex(byName, other => compareUtf8(other, name) >= 0)] === name) {
        for await (const attribute of this.#attributes.named(address, attributes, [name])) {
          if ('reason' in attribute) throw attribute.reason
          return attribute
        }
      }
      return undefined
    })
  }

  async *attributes(owner: ObjectId, page: Page = {}): AsyncGenerator<ListedAttribute> {
    const address = await this.#addressOf(owner)
    if (address === undefined) return
    const attributes = await this.#attributes.get(address)
    const names = pageOf(attributes, page, name => name)
    for await (const attribute of this.#attributes.named(address, attributes, names)) {
      if ('reason' in attribute) yield { ...attribute, reason: this.#domainError(attribute.reason) }
      else yield attribute
    }
  }

  async allocation(id: ObjectId): Promise<Allocation> {
    const address = await this.#addressOf(id)
    const dataset = address === undefined ? undefined : await this.#objects.object(address)
    if (address === undefined || dataset?.kind !== 'dataset') return NOTHING
    // The chunks of a damaged index are not counted: an import keeps none of them.
    const counted = this.#values.allocation(dataset, address)
    return counted instanceof Promise ? ((await tolerate(counted)) ?? NOTHING) : counted
  }

  readPieces(dataset: Dataset, selection: Selection, signal?: AbortCheck): AsyncIterable<Piece> {
    const caller = { ...this.#caller, ...(signal && { signal }) }
    return this.#values.read(dataset, this.#objects.addressOf(dataset), selection, caller)
  }

  storedChunks(dataset: Dataset, span?: ChunkSpan): AsyncIterable<ChunkBytes> {
    return this.#values.storedChunks(dataset, this.#objects.addressOf(dataset), span)
  }

  chunkOnDisk(dataset: Dataset, coordinates: readonly number[]): Promise<ChunkOnDisk | undefined> {
    return this.#values.chunkOnDisk(dataset, this.#objects.addressOf(dataset), coordinates)
  }

  placedChunks(dataset: Dataset): Promise<AsyncIterable<PlacedChunk> | undefined> {
    return this.#values.placedChunks(dataset, this.#objects.addressOf(dataset))
  }

  locateChunks(dataset: Dataset): Promise<LocatedChunks | undefined> {
    return this.#values.locateChunks(dataset, this.#objects.addressOf(dataset), this.#caller)
  }

  requireValues(dataset: Dataset, signal?: AbortCheck): Promise<void> {
    const caller = { ...this.#caller, ...(signal && { signal }) }
    return this.#values.requireValues(dataset, this.#objects.addressOf(dataset), caller)
  }

  async statistics(): Promise<DomainStatistics> {
    this.#kept.statistics ??= await this.#count()
    return this.#kept.statistics
  }

  usesOfOthers(signal: AbortCheck): ReturnType<MountedContents['usesOfOthers']> {
    return this.#reachable.usesOfOthers(signal)
  }

  /** Undefined: no link or reference leads to an object of that id. */
  async #addressOf(id: ObjectId): Promise<FileAddress | undefined> {
    if (id === this.#root) return this.#reader.root
    const address = addressOfId(this.#root, id)
    if (address === undefined || address === this.#reader.root) return undefined
    return (await this.#reachable.has(address, this.#caller.signal)) ? address : undefined
  }

  async #count(): Promise<DomainStatistics> {
    const { ids, logicalBytes, damage } = await this.#reachable.all(this.#caller.signal)
    let chunks = 0
    let allocatedBytes = 0
    await inParallel(ids.dataset, PARALLEL_OBJECTS, async id => {
      this.#caller.signal?.throwIfAborted()
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
      // All reads except those of datasets' values.
      metadataBytes: Math.max(0, this.#file.size - allocatedBytes),
      entryBytes: 0,
      lastModified: this.#file.lastModified,
      ...(damage && { damage: this.#domainError(damage) }),
    }
  }

  /** The error in the terms of a request for the domain. */
  #domainError(error: HyperslabError): HyperslabError {
    return domainError(error, this.#file.path)
  }

  /** The result of `work`, whose errors get the path of the object and its part before their message. */
  async #within<T>(address: FileAddress, part: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw error instanceof HyperslabError ? error.within(`${this.#reader.pathOf(address)}${part}`) : error
    }
  }
}

/** The items, with promises replaced by their results; at once if there are no promises. */
function allOf<T>(items: readonly (T | Promise<T>)[]): readonly T[] | Promise<readonly T[]> {
  const isPending = items.some(item => item instanceof Promise)
  return isPending ? Promise.all(items) : (items as readonly T[])
}

/** The members of the page, in its order. */
function pageOf<T>(
  { byCreation, byName }: { readonly byCreation: readonly T[]; readonly byName: readonly T[] },
  { marker, order = 'name', prefix = '', limit = Infinity }: Page,
  nameOf: (item: T) => string,
): readonly T[] {
  if (order === 'created') {
    const from = marker === undefined ? 0 : byCreation.findIndex(item => nameOf(item) === marker) + 1
    return marker !== undefined && from === 0 ? [] : byCreation.slice(from, from + limit)
  }
  const isAfter = (item: T) =>
    (marker === undefined || compareUtf8(nameOf(item), marker) > 0) && compareUtf8(nameOf(item), prefix) >= 0
  const from = firstIndex(byName, isAfter)
  const end = firstIndex(
    byName,
    item => compareUtf8(nameOf(item), prefix) > 0 && !nameOf(item).startsWith(prefix),
  )
  return byName.slice(from, Math.min(Math.max(from, end), from + limit))
}
