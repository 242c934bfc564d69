// The Reader of the store, over a snapshot or over a write under way. Each method calls a function of records/ or chunks/
// with the state to read from.

import type { DomainPath } from '../hdf5/domain-path.ts'
import type { ObjectId, ObjectKind } from '../hdf5/object-id.ts'
import type { Selection } from '../hdf5/selection/selection.ts'
import type { Elements } from '../hdf5/values/elements.ts'
import type { Reads } from './changes.ts'
import type { BufferPool } from './chunks/buffer-pool.ts'
import type { ChunkFilters } from './chunks/chunk-filters.ts'
import { layoutOfChunks } from './chunks/chunk-layout.ts'
import { type ReadParts, readSelection } from './chunks/read-values.ts'
import { storedChunks } from './chunks/stored-chunks.ts'
import type { Blobs } from './engine.ts'
import { openLargeValue } from './large-values.ts'
import {
  getAttribute,
  listAttributes,
  type OpenLargeValue,
  wasAttributeDeleted,
} from './records/attributes.ts'
import { countedChunks } from './records/counters.ts'
import type { DecodedRecords } from './records/decoded-records.ts'
import { countNames, getDomain, listChildren, wasDomainDeleted } from './records/domains.ts'
import { getLink, listLinks, listLinksTo, wasLinkDeleted } from './records/links.ts'
import { getObject, listObjects, wasObjectDeleted } from './records/objects.ts'
import { getStatus } from './records/status.ts'
import { getStatistics } from './statistics.ts'
import type {
  AbortCheck,
  Allocation,
  Attribute,
  ChunkBytes,
  Dataset,
  DomainEntry,
  DomainStatistics,
  HdfObject,
  Link,
  LinkPlace,
  ObjectStatus,
  Page,
  Reader,
  Tombstone,
} from './store.ts'

export interface ReaderParts {
  readonly decoded: DecodedRecords
  readonly blobs: Blobs
  readonly filters: ChunkFilters
  readonly pool: BufferPool
  /** About how many bytes of values are moved at once. */
  readonly pieceBytes: number
}

export class StoreReader implements Reader {
  readonly #reads: Reads
  readonly #parts: ReaderParts

  constructor(reads: Reads, parts: ReaderParts) {
    this.#reads = reads
    this.#parts = parts
  }

  domain(path: DomainPath): Promise<DomainEntry | undefined> {
    return getDomain(this.#reads, path, this.#parts.decoded)
  }

  children(folder: DomainPath, page?: Page): AsyncIterable<DomainEntry> {
    return listChildren(this.#reads, folder, page)
  }

  wasDomainDeleted(path: DomainPath): Promise<boolean> {
    return wasDomainDeleted(this.#reads, path)
  }

  statistics(path: DomainPath): Promise<DomainStatistics | undefined> {
    return getStatistics(this.#reads, path)
  }

  nameCount(root: ObjectId): Promise<number> {
    return countNames(this.#reads, root)
  }

  object(id: ObjectId): Promise<HdfObject | undefined> {
    return getObject(this.#reads, id, this.#parts.decoded)
  }

  status(id: ObjectId): Promise<ObjectStatus> {
    return getStatus(this.#reads, id)
  }

  objects(root: ObjectId, kind: ObjectKind, page?: Page<ObjectId>): AsyncIterable<ObjectId> {
    return listObjects(this.#reads, root, kind, page)
  }

  link(group: ObjectId, title: string): Promise<Link | undefined> {
    return getLink(this.#reads, group, title)
  }

  links(group: ObjectId, page?: Page): AsyncIterable<Link> {
    return listLinks(this.#reads, group, page)
  }

  linksTo(id: ObjectId): AsyncIterable<LinkPlace> {
    return listLinksTo(this.#reads, id)
  }

  attribute(owner: ObjectId, name: string): Promise<Attribute | undefined> {
    return getAttribute(this.#reads, owner, name, this.#openLargeValue)
  }

  attributes(owner: ObjectId, page?: Page): AsyncIterable<Attribute> {
    return listAttributes(this.#reads, owner, page, this.#openLargeValue)
  }

  wasDeleted(tombstone: Tombstone): Promise<boolean> {
    if ('object' in tombstone) return wasObjectDeleted(this.#reads, tombstone.object)
    if ('title' in tombstone) return wasLinkDeleted(this.#reads, tombstone.group, tombstone.title)
    return wasAttributeDeleted(this.#reads, tombstone.owner, tombstone.attribute)
  }

  allocation(dataset: ObjectId): Promise<Allocation> {
    return countedChunks(this.#reads, dataset)
  }

  readValues(dataset: Dataset, selection: Selection, signal?: AbortCheck): AsyncIterable<Elements> {
    const layout = layoutOfChunks(dataset, this.#parts.pieceBytes)
    return readSelection(this.#chunkParts(), layout, selection, signal)
  }

  storedChunks(dataset: Dataset): AsyncIterable<ChunkBytes> {
    return storedChunks(this.#chunkParts(), layoutOfChunks(dataset, this.#parts.pieceBytes), dataset)
  }

  readonly #openLargeValue: OpenLargeValue = (id, attribute) =>
    openLargeValue(this.#chunkParts(), id, attribute, this.#parts.pieceBytes)

  #chunkParts(): ReadParts {
    const { blobs, filters, pool } = this.#parts
    const source = { blobs, filters, get: (key: Uint8Array) => this.#reads.get(key) }
    return { reads: this.#reads, source, pool }
  }
}
