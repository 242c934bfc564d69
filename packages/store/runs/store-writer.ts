// The Writer of the store, over one transaction.

import type { AbortCheck } from '@hyperslab/base/bounded'
import { extentsOf, product } from '@hyperslab/model/dataset'
import type { Acl, DomainPath, ObjectId, ObjectIds, Timestamp } from '@hyperslab/model/names'
import { boundsOf, type ChunkGrid, chunkCounts, type Selection } from '@hyperslab/model/selection'
import type { Elements, Piece } from '@hyperslab/model/values'
import { ChunkChanges } from '../chunk-records/chunk-changes.ts'
import {
  addressOf,
  chunkKey,
  encodeChunkRecord,
  fileAddress,
  fileBlob,
  type OwnChunk,
  valuesKey,
} from '../chunk-records/chunk-record.ts'
import type { NewChunk } from '../chunk-records/chunk-values.ts'
import { cutChunks } from '../chunk-records/cut-chunks.ts'
import type { Folds } from '../chunk-records/folds.ts'
import type { HeldChunks } from '../chunk-records/held-chunks.ts'
import { wholeIfShort, writeLargeValue } from '../chunk-records/large-values.ts'
import { writeEncodedChunk } from '../chunk-records/write-encoded.ts'
import { type OpenChunkCount, WriteLimit } from '../chunk-records/write-limit.ts'
import { writeSelection } from '../chunk-records/write-values.ts'
import { type ChunkLayout, layoutOfChunks } from '../chunks/chunk-layout.ts'
import type { JoinProgress, KnownFile } from '../interfaces/joined-domains.ts'
import type { NewQuota, QuotaScope } from '../interfaces/quotas.ts'
import type {
  AdoptedChunk,
  Allocation,
  Attribute,
  Dataset,
  DomainEntry,
  DomainStatistics,
  EncodedChunk,
  GivenAttribute,
  HdfObject,
  Link,
  ObjectDetails,
  ObjectStatus,
  StoredFile,
  Writer,
  WriteValuesOptions,
} from '../interfaces/store.ts'
import { chargeDomains, deleteQuota, enforceQuota, putQuota } from '../quotas/quotas.ts'
import {
  deleteAttribute,
  getAttributes,
  type NewAttributeRecord,
  putAttributes,
} from '../records/attributes.ts'
import { newVersion } from '../records/blob-name.ts'
import { deleteObject, dropValues } from '../records/deletion.ts'
import { deleteDomain, dropContents, putDomain, renewUnfinished } from '../records/domains.ts'
import { objectKey } from '../records/keys.ts'
import { deleteLink, getLinks, isTitleFree, putLinks } from '../records/links.ts'
import {
  createFreshObject,
  createObject,
  expectFreeIds,
  lookUpObjects,
  rememberedObject,
  replaceObject,
  requireFreeId,
  requireObject,
  setAcl,
} from '../records/objects.ts'
import { setFileState, touch } from '../records/status.ts'
import type { Transaction } from '../transaction/transaction.ts'
import { forgetKnownFile, setKnownFiles } from './known-files.ts'
import { type ReaderParts, StoreReader } from './store-reader.ts'

export interface WriterParts extends ReaderParts {
  /** The name of this process. */
  readonly processName: () => string
  readonly ids: ObjectIds
  readonly maxOpenBytes: number
  readonly maxInlineBytes: number
  /** Bytes that one write may store, as write-limit.ts counts them. */
  readonly maxWriteBytes: number
  readonly openChunks: OpenChunkCount
  /** Folds the chunks that get patches. */
  readonly folds: Folds
  /** The chunks of a shared write; then `blobs` are its blobs. */
  readonly held?: HeldChunks
}

export class StoreWriter extends StoreReader implements Writer {
  readonly #transaction: Transaction
  readonly #parts: WriterParts
  readonly #chunks: ChunkChanges
  readonly #keeps: (() => Promise<void>)[] = []

  constructor(transaction: Transaction, parts: WriterParts, signal?: AbortCheck) {
    super(transaction, parts, signal)
    this.#transaction = transaction
    this.#parts = parts
    const limit = new WriteLimit(parts.maxWriteBytes, parts.openChunks)
    this.#chunks = new ChunkChanges({ ...parts, transaction, limit })
  }

  onConflict(keep: () => Promise<void>): void {
    this.#keeps.push(keep)
  }

  async keepForNextRun(): Promise<boolean> {
    for (const keep of this.#keeps) await keep()
    return this.#keeps.length > 0
  }

  override end(): void {
    super.end()
    this.#chunks.values.limit.end()
  }

  get time(): Timestamp {
    return this.#transaction.time
  }

  override async statistics(path: DomainPath): Promise<DomainStatistics | undefined> {
    await this.#transaction.applyAmendments()
    return super.statistics(path)
  }

  override async details(ids: readonly ObjectId[]): Promise<readonly (ObjectDetails | undefined)[]> {
    await this.#transaction.applyAmendments()
    return super.details(ids)
  }

  override async allocation(dataset: ObjectId): Promise<Allocation> {
    await this.#transaction.applyAmendments()
    return super.allocation(dataset)
  }

  override async domain(path: DomainPath): Promise<DomainEntry | undefined> {
    const entry = await super.domain(path)
    if (entry?.root !== undefined) this.#transaction.event.notePath(entry.root, path)
    return entry
  }

  putDomain(entry: DomainEntry): Promise<void> {
    return putDomain(this.#transaction, entry)
  }

  deleteDomain(path: DomainPath): Promise<void> {
    return deleteDomain(this.#transaction, path)
  }

  knowFiles(root: ObjectId, files: readonly KnownFile[], progress?: JoinProgress): void {
    setKnownFiles(this.#transaction, root, files, progress)
  }

  forgetFile(root: ObjectId, file: DomainPath): Promise<boolean> {
    return forgetKnownFile(this.#transaction, root, file)
  }

  putQuota(quota: NewQuota): Promise<string> {
    return putQuota(this.#transaction, quota)
  }

  chargeDomains(after: Uint8Array | undefined): Promise<Uint8Array | undefined> {
    return chargeDomains(this.#transaction, after)
  }

  enforceQuota(id: string): Promise<boolean> {
    return enforceQuota(this.#transaction, id)
  }

  deleteQuota(scope: QuotaScope): Promise<boolean> {
    return deleteQuota(this.#transaction, scope)
  }

  dropContents(root: ObjectId): Promise<void> {
    return dropContents(this.#transaction, root)
  }

  renewUnfinished(root: ObjectId, renewed: Timestamp): Promise<void> {
    return renewUnfinished(this.#transaction, { root, renewed, process: this.#parts.processName() })
  }

  requireFreeId(id: ObjectId): Promise<void> {
    return requireFreeId(this.#transaction, id)
  }

  createObject(object: HdfObject): Promise<ObjectStatus> {
    return createObject(this.#transaction, object)
  }

  expectFreeIds(ids: readonly ObjectId[]): void {
    expectFreeIds(this.#transaction, ids)
  }

  createFreshObject(object: HdfObject): ObjectStatus {
    return createFreshObject(this.#transaction, object)
  }

  deleteObject(id: ObjectId, options: { readonly links: boolean }): Promise<void> {
    return deleteObject(this.#transaction, id, options)
  }

  setAcl(id: ObjectId, acl: Acl): Promise<void> {
    return setAcl(this.#transaction, id, acl)
  }

  async setExtents({ id }: Dataset, dims: readonly number[], signal?: AbortCheck): Promise<void> {
    this.#transaction.claim(objectKey(id, 'record'))
    const dataset = await requireObject(this.#transaction, id)
    if (dataset.kind !== 'dataset' || dataset.space.class !== 'H5S_SIMPLE') {
      throw new Error(`the object ${id} has no extents to change`)
    }
    const { space } = dataset
    if (dims.some((extent, d) => extent < space.dims[d])) {
      const layout = this.#layoutOf(dataset)
      await cutChunks(this.#transaction, this.#chunks, layout, dims, signal)
    }
    const { filled } = dataset
    const resized: Dataset = {
      ...dataset,
      space: { ...space, dims },
      ...(filled && {
        filled: { ...filled, dims: filled.dims.map((extent, d) => Math.min(extent, dims[d])) },
      }),
    }
    await replaceObject(this.#transaction, resized, 'values', { dims })
  }

  async markUnreadable(id: ObjectId, reason: string): Promise<void> {
    const object = await requireObject(this.#transaction, id)
    if (object.kind !== 'dataset') throw new Error(`the object ${id} is not a dataset`)
    const { filled: _, ...dataset } = object
    await dropValues(this.#transaction, id)
    await replaceObject(this.#transaction, { ...dataset, unreadable: reason }, 'values')
  }

  isTitleFree(group: ObjectId, title: string): boolean | Promise<boolean> {
    return isTitleFree(this.#transaction, group, title)
  }

  async lookUpObjects(ids: readonly ObjectId[]): Promise<void> {
    await lookUpObjects(this.#transaction, ids)
  }

  async lookUpValues(ids: readonly ObjectId[]): Promise<void> {
    const keys: Uint8Array[] = []
    for (const [i, record] of (await lookUpObjects(this.#transaction, ids)).entries()) {
      const object = record && rememberedObject(ids[i], record, this.#parts.decoded)
      if (object?.kind !== 'dataset' || object.creationProperties.chunkDims === undefined) continue
      const grid = { dims: extentsOf(object.space), chunkDims: object.creationProperties.chunkDims }
      const address = addressOf({ dataset: object.id }, lastChunk(grid))
      keys.push(chunkKey(address), valuesKey(address))
    }
    await this.#transaction.readAhead(keys)
  }

  namedLinks(group: ObjectId, titles: readonly string[]): Promise<readonly (Link | undefined)[]> {
    return getLinks(this.#transaction, group, titles)
  }

  putLinks(group: ObjectId, ...links: readonly Link[]): Promise<void> {
    return putLinks(this.#transaction, group, links)
  }

  deleteLink(group: ObjectId, title: string): Promise<boolean> {
    return deleteLink(this.#transaction, group, title)
  }

  namedAttributes(owner: ObjectId, names: readonly string[]): Promise<readonly (Attribute | undefined)[]> {
    return getAttributes(this.#transaction, owner, names, this.openLargeValue)
  }

  async putAttributes(owner: ObjectId, ...given: readonly GivenAttribute[]): Promise<void> {
    const attributes: NewAttributeRecord[] = []
    for (const attribute of given) {
      const { value } = attribute
      attributes.push({ attribute, value: value && (await this.#storedValue(owner, attribute, value)) })
    }
    await putAttributes(this.#transaction, owner, attributes)
  }

  /** The value as the record of an attribute holds it: the elements or, if they are many, their id. */
  async #storedValue(
    owner: ObjectId,
    attribute: GivenAttribute,
    value: Elements | AsyncIterable<Elements>,
  ): Promise<Elements | ObjectId> {
    const { ids, pool, maxOpenBytes, maxInlineBytes, pieceBytes } = this.#parts
    const elements = await wholeIfShort(attribute, value, maxInlineBytes)
    if ('data' in elements) return elements
    const transaction = this.#transaction
    const id = ids.newObject(owner)
    const parts = { transaction, chunks: this.#chunks, pool, maxOpenBytes }
    await writeLargeValue(parts, id, attribute, pieceBytes, elements)
    return id
  }

  deleteAttribute(owner: ObjectId, name: string): Promise<boolean> {
    return deleteAttribute(this.#transaction, owner, name)
  }

  async putFile(root: ObjectId, pieces: AsyncIterable<Uint8Array>): Promise<StoredFile> {
    const transaction = this.#transaction
    const version = newVersion(transaction.random)
    let length = 0
    async function* counted(): AsyncGenerator<Uint8Array> {
      length = 0
      for await (const piece of pieces) {
        length += piece.length
        yield piece
      }
    }
    await transaction.putBlob(fileBlob(root, version), { [Symbol.asyncIterator]: counted })
    const record: OwnChunk = { at: 'blob', version, dataLength: length, heapLength: 0 }
    transaction.set(chunkKey(fileAddress(root)), encodeChunkRecord(record))
    setFileState(transaction, root, version)
    return { version, length }
  }

  async dropFile(root: ObjectId, { version }: StoredFile): Promise<void> {
    this.#transaction.delete(chunkKey(fileAddress(root)))
    this.#transaction.dropBlob(fileBlob(root, version))
  }

  async adoptChunks(given: Dataset, file: StoredFile, adopted: readonly AdoptedChunk[]): Promise<void> {
    const dataset = await this.#requireDataset(given)
    await this.#chunks.apply(given.id, this.#chunks.values.adopt(this.#layoutOf(dataset), file, adopted))
    touch(this.#transaction, dataset, 'values')
  }

  async putEncodedChunks(dataset: Dataset, encoded: readonly EncodedChunk[]): Promise<void> {
    const layout = this.#layoutOf(await this.#requireDataset(dataset))
    const chunks: NewChunk[] = []
    for (const chunk of encoded) chunks.push(await this.#chunks.values.storeEncoded(layout, chunk))
    await this.#chunks.apply(dataset.id, chunks)
    touch(this.#transaction, dataset, 'values')
  }

  async writeEncodedChunk(given: Dataset, { coordinates, bytes }: Omit<EncodedChunk, 'mask'>): Promise<void> {
    const dataset = await this.#requireDataset(given)
    const layout = this.#layoutOf(dataset)
    await writeEncodedChunk(this.#chunks, layout, coordinates, bytes)
    const { chunkDims } = layout.grid
    const start = coordinates.map((index, d) => index * chunkDims[d])
    const stop = start.map((first, d) => Math.min(first + chunkDims[d], layout.grid.dims[d]))
    touch(this.#transaction, dataset, 'values', { box: { start, stop } })
  }

  async writeValues(
    given: Dataset,
    selection: Selection,
    elements: AsyncIterable<Piece>,
    options: WriteValuesOptions = {},
  ): Promise<void> {
    const { id, space } = given
    const dataset = await this.#requireDataset(given)
    if (extentsOf(dataset.space).join() !== extentsOf(space).join()) {
      throw new Error(`the selection was made for other extents than those of the dataset ${id}`)
    }
    const { pool, maxOpenBytes } = this.#parts
    const box = boundsOf(selection)
    const fill = async (element: Elements): Promise<void> => {
      await dropValues(this.#transaction, id)
      const filled = { element, dims: extentsOf(space) }
      await replaceObject(this.#transaction, { ...dataset, filled }, 'values', box && { box })
    }
    const parts = { transaction: this.#transaction, chunks: this.#chunks, pool, maxOpenBytes, fill }
    const layout = this.#layoutOf(dataset)
    if (await writeSelection(parts, layout, selection, elements, options))
      touch(this.#transaction, dataset, 'values', box && { box })
  }

  /** The dataset with the changes of this write. */
  async #requireDataset(given: Dataset): Promise<Dataset> {
    const { id } = given
    const dataset = this.#transaction.isFilling(id) ? given : await requireObject(this.#transaction, id)
    if (dataset.kind !== 'dataset') throw new Error(`the object ${id} is not a dataset`)
    return dataset
  }

  #layoutOf(dataset: Dataset): ChunkLayout {
    return layoutOfChunks(dataset, this.#parts.pieceBytes)
  }
}

/** The only chunk; of several the one with the next rows. */
function lastChunk({ dims, chunkDims }: ChunkGrid): readonly number[] {
  const isOne = product(chunkCounts({ dims, chunkDims })) <= 1
  return dims.map((extent, d) => (isOne || d > 0 ? 0 : Math.floor(extent / chunkDims[d])))
}
