// The Reader of the store, over a snapshot or a running write. Each method calls a function of records/ or chunks/ with
// the state to read from, or, for a domain that is a mounted file, the contents of that file. A stored entry of the
// same name wins.

import type { AbortCheck } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { isReferenceLayout } from '@hyperslab/model/dataset'
import { type DomainPath, isSameDomain, type ObjectId, type ObjectKind } from '@hyperslab/model/names'
import type { Selection } from '@hyperslab/model/selection'
import { type Elements, expandPieces, type Piece } from '@hyperslab/model/values'
import type { Reads } from '../changes.ts'
import { chunkKey, decodeChunkRecord, fileAddress, fileBlob } from '../chunk-records/chunk-record.ts'
import type { Folds } from '../chunk-records/folds.ts'
import { openLargeValue } from '../chunk-records/large-values.ts'
import { recordIndex } from '../chunk-records/record-index.ts'
import type { ValueSource } from '../chunk-records/value-source.ts'
import type { ChunkSpan } from '../chunks/chunk-index.ts'
import { type ChunkLayout, layoutOfChunks } from '../chunks/chunk-layout.ts'
import type { ChunkOnDisk } from '../chunks/found-frames.ts'
import { IndexedValues } from '../chunks/indexed-values.ts'
import type { PlacedChunk } from '../chunks/placed-chunks.ts'
import type { ReadParts } from '../chunks/read-values.ts'
import type { ChunkBytes } from '../chunks/stored-chunks.ts'
import type { Blobs } from '../interfaces/engine.ts'
import type { JoinReview, SourceList } from '../interfaces/joined-domains.ts'
import {
  isJoinedEntry,
  type JoinedEntry,
  type MountedDomain,
  type MountedReads,
  type Mounts,
  type ValueParts,
} from '../interfaces/mounted-domains.ts'
import type { Quota } from '../interfaces/quotas.ts'
import type {
  Allocation,
  Attribute,
  ContentsOf,
  Dataset,
  DomainEntry,
  DomainState,
  DomainStatistics,
  DomainUse,
  HdfObject,
  Link,
  LinkKey,
  ListedAttribute,
  ListedLink,
  LocatedChunks,
  ObjectDetails,
  ObjectStatus,
  OwnFile,
  Page,
  Reader,
  Tombstone,
} from '../interfaces/store.ts'
import { getQuotas } from '../quotas/quotas.ts'
import {
  getAttribute,
  listAttributes,
  type OpenLargeValue,
  wasAttributeDeleted,
} from '../records/attributes.ts'
import { countedChunks } from '../records/counters.ts'
import type { DecodedRecords } from '../records/decoded-records.ts'
import { getDetails, KnownDetails } from '../records/details.ts'
import { countNames, getDomain, isJoined, listChildren, wasDomainDeleted } from '../records/domains.ts'
import { getFolder } from '../records/folders.ts'
import { getLink, listLinks, listLinksTo, wasLinkDeleted } from '../records/links.ts'
import { getObject, listObjects, wasObjectDeleted } from '../records/objects.ts'
import { getStatistics, listUse } from '../records/statistics.ts'
import { getState, getStatus, isFile } from '../records/status.ts'
import { mergeChildren } from './merge-children.ts'
import { type ShownEntries, TableOfContents } from './table-of-contents.ts'

export interface ReaderParts extends ValueParts {
  readonly decoded: DecodedRecords
  readonly blobs: Blobs
  /** Folds the chunks that are found with patches; absent: writes of them do. */
  readonly folds?: Folds
  /** Domains that are files; absent: there are none. */
  readonly mounts?: Mounts
  readonly shownEntries: ShownEntries
}

/** The methods about objects, links and attributes, which need no values. */
type ObjectSource = Pick<
  Reader,
  'object' | 'details' | 'status' | 'objects' | 'link' | 'links' | 'linksTo' | 'attribute' | 'attributes'
>

export class StoreReader implements Reader {
  readonly #reads: Reads
  readonly #parts: ReaderParts
  readonly #mounted: MountedReads | undefined
  readonly #signal: AbortCheck | undefined
  /** Root groups of joined domains: they are in the store, for their lists, and all else is in the files. */
  readonly #joinedRoots = new Set<ObjectId>()
  #known: KnownDetails | undefined
  #table: TableOfContents | undefined

  constructor(reads: Reads, parts: ReaderParts, signal?: AbortCheck) {
    this.#reads = reads
    this.#parts = parts
    this.#signal = signal
    this.#mounted = parts.mounts?.begin(parts, signal)
  }

  /** Must be called once, when the read or the write has ended. */
  end(): void {
    this.#mounted?.close()
  }

  /** Whether the result of the read depends on records alone. */
  get hasReadRecordsOnly(): boolean {
    return !this.#mounted?.areUsed
  }

  async domain(path: DomainPath): Promise<DomainEntry | undefined> {
    const stored = await getDomain(this.#reads, path, this.#parts.decoded)
    if (!stored) return this.#mounted?.domain(path)
    return this.#shown(stored)
  }

  /** A stored entry; that of a joined domain as its files are now. */
  #shown(entry: DomainEntry): DomainEntry | Promise<DomainEntry> {
    return isJoinedEntry(entry) ? this.#joined(entry) : entry
  }

  async #joined(entry: JoinedEntry): Promise<DomainEntry> {
    this.#joinedRoots.add(entry.root)
    if (this.#mounted) {
      const found = await this.#mounted.joined(entry)
      return { ...found.entry, sourceLists: await Promise.all(found.storedDomains.map(this.#listOf)) }
    }
    return { ...entry, damage: 'it is made of other files, which only a service reads' }
  }

  /** The list of a domain now; one that is gone meanwhile can be read by nobody. */
  readonly #listOf = async (path: DomainPath): Promise<SourceList> => {
    const entry = await getDomain(this.#reads, path, this.#parts.decoded)
    const root = entry?.root && (await getObject(this.#reads, entry.root, this.#parts.decoded))
    return root ? { acl: root.acl, closed: entry.closed } : { acl: [], closed: true }
  }

  reviewJoin(...asked: Parameters<Reader['reviewJoin']>): Promise<JoinReview> {
    const { mounts } = this.#parts
    if (mounts) return mounts.reviewJoin(...asked)
    const [path] = asked
    const message = 'only a service joins files: start one on this store'
    throw new HyperslabError('file-not-found', message, { subject: path })
  }

  async linkedFile({ path, mounted }: DomainEntry, name: string): Promise<DomainPath | undefined> {
    return mounted ? this.#mounted?.locate(path, name) : undefined
  }

  children(folder: DomainPath, page?: Page): AsyncIterable<DomainEntry> {
    const stored = listChildren(this.#reads, folder, page, entry => this.#shown(entry))
    return this.#mounted ? mergeChildren(stored, this.#mounted.children(folder, page), page?.limit) : stored
  }

  wasDomainDeleted(path: DomainPath): Promise<boolean> {
    return wasDomainDeleted(this.#reads, path)
  }

  async hasHeldDomains(path: DomainPath): Promise<boolean> {
    return (await getFolder(this.#reads, path)) !== undefined
  }

  tableOfContents(of: ContentsOf): Promise<DomainEntry> {
    this.#table = new TableOfContents(of, {
      reads: this.#reads,
      reader: this,
      mounted: this.#mounted,
      shown: this.#parts.shownEntries,
      signal: this.#signal,
    })
    return this.#table.entry()
  }

  quotas(): Promise<readonly Quota[]> {
    return getQuotas(this.#reads)
  }

  async statistics(path: DomainPath): Promise<DomainStatistics | undefined> {
    const stored = await getStatistics(this.#reads, path)
    if (!this.#mounted) return stored
    const root = stored && !(await isJoined(this.#reads, path)) ? undefined : (await this.domain(path))?.root
    return root ? this.#contents(root)?.statistics() : stored
  }

  use(folder: DomainPath, roots: boolean): AsyncIterable<readonly DomainUse[]> {
    return listUse(this.#reads, folder, roots, this.#signal)
  }

  async state(root: ObjectId): Promise<DomainState> {
    return this.#contents(root)?.state ?? getState(this.#reads, root)
  }

  async ownFile(root: ObjectId): Promise<OwnFile | undefined> {
    const mounted = this.#contents(root)
    if (mounted) return mounted.ownFile()
    const record = await this.#reads.get(chunkKey(fileAddress(root)))
    if (record === undefined) return undefined
    const stored = decodeChunkRecord(record)
    if (!('dataLength' in stored) || !(await isFile(this.#reads, root, stored.version))) return undefined
    const { version, dataLength } = stored
    const name = fileBlob(root, version)
    const read: OwnFile['read'] = (target, position) => this.#parts.blobs.read(name, position, target)
    return { size: dataLength, version, read }
  }

  async nameCount(root: ObjectId): Promise<number> {
    return this.#contents(root) && !this.#joinedRoots.has(root) ? 1 : countNames(this.#reads, root)
  }

  requireUnchanged(): Promise<void> | undefined {
    return this.#mounted?.requireUnchanged()
  }

  finishDomain(root: ObjectId): Promise<void> | undefined {
    return this.#mounted?.finish(root)
  }

  object(id: ObjectId): Promise<HdfObject | undefined> {
    const source = this.#joinedRoots.has(id) ? undefined : this.#objects(id)
    return source?.object(id) ?? getObject(this.#reads, id, this.#parts.decoded)
  }

  async details(ids: readonly ObjectId[]): Promise<readonly (ObjectDetails | undefined)[]> {
    if (ids.length === 0) return []
    const details = await this.#objects(ids[0])?.details(ids)
    if (details) return Promise.all(details.map(each => this.#withStoredRoot(each)))
    const { decoded } = this.#parts
    const open = this.openLargeValue
    return getDetails({ reads: this.#reads, known: this.#knownDetails, decoded, open }, ids)
  }

  async #withStoredRoot(details: ObjectDetails | undefined): Promise<ObjectDetails | undefined> {
    if (!details || !this.#joinedRoots.has(details.object.id)) return details
    const object = await this.object(details.object.id)
    return object && { ...details, object }
  }

  status(id: ObjectId): Promise<ObjectStatus> {
    return this.#objects(id)?.status(id) ?? getStatus(this.#reads, id)
  }

  objects(root: ObjectId, kind: ObjectKind, page?: Page<ObjectId>): AsyncIterable<ObjectId> {
    return this.#objects(root)?.objects(root, kind, page) ?? listObjects(this.#reads, root, kind, page)
  }

  link(group: ObjectId, title: string): Promise<Link | undefined> {
    return this.#objects(group)?.link(group, title) ?? getLink(this.#reads, group, title)
  }

  links(group: ObjectId, page?: Page): AsyncIterable<ListedLink> {
    return this.#objects(group)?.links(group, page) ?? listLinks(this.#reads, group, page)
  }

  linksTo(id: ObjectId): AsyncIterable<LinkKey> {
    return this.#objects(id)?.linksTo(id) ?? listLinksTo(this.#reads, id)
  }

  attribute(owner: ObjectId, name: string): Promise<Attribute | undefined> {
    const computed = this.#objects(owner)
    return computed?.attribute(owner, name) ?? getAttribute(this.#reads, owner, name, this.openLargeValue)
  }

  attributes(owner: ObjectId, page?: Page): AsyncIterable<ListedAttribute> {
    const computed = this.#objects(owner)
    return computed?.attributes(owner, page) ?? listAttributes(this.#reads, owner, page, this.openLargeValue)
  }

  wasDeleted(tombstone: Tombstone): Promise<boolean> {
    if ('object' in tombstone) return wasObjectDeleted(this.#reads, tombstone.object)
    if ('attribute' in tombstone) {
      return wasAttributeDeleted(this.#reads, tombstone.owner, tombstone.attribute)
    }
    const { group, title } = tombstone
    return this.#tableOf(group)?.wasLinkDeleted(group, title) ?? wasLinkDeleted(this.#reads, group, title)
  }

  allocation(dataset: ObjectId): Promise<Allocation> {
    return this.#contents(dataset)?.allocation(dataset) ?? countedChunks(this.#reads, dataset)
  }

  readValues(dataset: Dataset, selection: Selection, signal?: AbortCheck): AsyncIterable<Elements> {
    return expandPieces(dataset.type, this.readPieces(dataset, selection, signal), signal)
  }

  readPieces(dataset: Dataset, selection: Selection, signal?: AbortCheck): AsyncIterable<Piece> {
    const mounted = this.#contents(dataset.id)
    if (mounted) return mounted.readPieces(dataset, selection, signal)
    if (isReferenceLayout(dataset.creationProperties.layout)) {
      if (!this.#mounted) throw noMounts(dataset)
      return this.#mounted.readReferenced(this, dataset, selection, signal)
    }
    const layout = layoutOfChunks(dataset, this.#parts.pieceBytes)
    return this.#stored(layout).read(selection, signal)
  }

  storedChunks(dataset: Dataset, span?: ChunkSpan): AsyncIterable<ChunkBytes> {
    const mounted = this.#contents(dataset.id)
    if (mounted) return mounted.storedChunks(dataset, span)
    const layout = layoutOfChunks(dataset, this.#parts.pieceBytes)
    return this.#stored(layout).chunks(dataset, span)
  }

  async chunkOnDisk(dataset: Dataset, coordinates: readonly number[]): Promise<ChunkOnDisk | undefined> {
    const mounted = this.#contents(dataset.id)
    if (mounted) return mounted.chunkOnDisk(dataset, coordinates)
    if (isReferenceLayout(dataset.creationProperties.layout)) return {}
    const layout = layoutOfChunks(dataset, this.#parts.pieceBytes)
    return this.#stored(layout).chunkOnDisk(coordinates)
  }

  async placedChunks(dataset: Dataset): Promise<AsyncIterable<PlacedChunk> | undefined> {
    const mounted = this.#contents(dataset.id)
    if (mounted) return mounted.placedChunks(dataset)
    if (isReferenceLayout(dataset.creationProperties.layout)) return undefined
    const layout = layoutOfChunks(dataset, this.#parts.pieceBytes)
    return layout.filled || layout.initializer ? undefined : this.#stored(layout).places()
  }

  async locateChunks(dataset: Dataset): Promise<LocatedChunks | undefined> {
    return this.#contents(dataset.id)?.locateChunks(dataset)
  }

  /** Throws if values are missing; stored values never are. */
  requireValues(dataset: Dataset, signal?: AbortCheck): Promise<void> | undefined {
    return this.#contents(dataset.id)?.requireValues(dataset, signal)
  }

  /** The source of the object if it is not stored: a mounted file, or the table of contents. */
  #objects(id: ObjectId): ObjectSource | undefined {
    return this.#contents(id) ?? this.#tableOf(id)
  }

  #tableOf(id: ObjectId): TableOfContents | undefined {
    return this.#table && isSameDomain(id, this.#table.root) ? this.#table : undefined
  }

  /** The mounted contents of the object; undefined: it is in the store, or nowhere. */
  #contents(id: ObjectId): MountedDomain | undefined {
    return this.#mounted?.contents(id)
  }

  get #knownDetails(): KnownDetails {
    this.#known ??= new KnownDetails()
    return this.#known
  }

  protected readonly openLargeValue: OpenLargeValue = (id, attribute) =>
    openLargeValue(layout => this.#chunkParts(layout), id, attribute, this.#parts.pieceBytes)

  #stored(layout: ChunkLayout): IndexedValues {
    return new IndexedValues(layout, this.#chunkParts(layout))
  }

  #chunkParts(layout: ChunkLayout): ReadParts {
    const { blobs, filters, pool, folds } = this.#parts
    const source: ValueSource = {
      blobs,
      filters,
      get: key => this.#reads.get(key),
      notePatches: (of, address, patches) => folds?.noteRead(of, address, patches),
    }
    const index = recordIndex(this.#reads, source, layout)
    return { index, filters, pool, parallelReads: blobs.parallelism }
  }
}

function noMounts({ id }: Dataset): HyperslabError {
  return new HyperslabError(
    'file-not-found',
    `the values of the dataset ${id} are stored in another file, and this server has no mounted files`,
    { subject: id },
  )
}
