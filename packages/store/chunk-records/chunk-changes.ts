// The chunks that a transaction changes. New values are durable before the transaction names them; a chunk that was
// written only in part is merged, at commit, with the values that other writes have put into it in the meantime.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { hasUnavailable, isUnfiltered } from '@hyperslab/h5/filters'
import { chunkItemSize } from '@hyperslab/model/dataset'
import type { Datatype } from '@hyperslab/model/datatype'
import type { ObjectId } from '@hyperslab/model/names'
import type { ChunkPart } from '@hyperslab/model/selection'
import type { Elements } from '@hyperslab/model/values'
import { ElementsBuilder, type FieldCopy } from '@hyperslab/model/values'
import type { ChunkFilters } from '../chunks/chunk-filters.ts'
import { type ChunkLayout, chunkElements, usedElements } from '../chunks/chunk-layout.ts'
import { copyPart, elementsBytes, withFill } from '../chunks/read-chunk.ts'
import type { Blobs, Change } from '../interfaces/engine.ts'
import type { AdoptedChunk, EncodedChunk, StoredFile } from '../interfaces/store.ts'
import { newVersion } from '../records/blob-name.ts'
import { chunkCounts, countChunks } from '../records/counters.ts'
import { objectKey } from '../records/keys.ts'
import { formChange } from '../records/status.ts'
import type { HeldBlobs } from '../transaction/held-blobs.ts'
import type { Transaction } from '../transaction/transaction.ts'
import { decodeCoordinates, encodeCoordinates } from './chunk-key.ts'
import {
  blobOf,
  blobsOf,
  type ChunkAddress,
  type ChunkRecord,
  chunkKey,
  decodeChunkRecord,
  encodeChunkRecord,
  type FileChunk,
  isInline,
  type PatchNumbers,
  type RepeatedChunk,
  type StoredChunk,
  valuesKey,
  valuesName,
} from './chunk-record.ts'
import type { Folds } from './folds.ts'
import type { Fragment } from './open-chunks.ts'
import {
  addPatch,
  difference,
  encodePatch,
  foldPatches,
  type GivenPatch,
  joinFragments,
  patchKey,
  patchKeys,
  SharedPatch,
  type WrittenElements,
} from './patches.ts'
import { readRecorded } from './recorded-chunk.ts'
import type { ValueSource } from './value-source.ts'
import type { WriteLimit } from './write-limit.ts'

/**
 * Inline values that one transaction may hold in memory until its commit; more of them go to blobs.
 * @limit memory, bytes
 */
const MAX_INLINE_BYTES_PER_TRANSACTION = 16 * 2 ** 20

/**
 * A chunk has room for this many patches of the longest kind, in keys and in blobs: longer parts are better written
 * with the whole chunk. A chunk that goes through filters takes longer to be written.
 */
const LEAST_PATCHES = 4
const LEAST_IN_BLOBS = 3
const LEAST_IN_BLOBS_IF_FILTERED = 2

/** A chunk with at most this many bytes inside the extents, a page of LMDB, is written whole. */
const SHORT_CHUNK_BYTES = 4096

/** Chunks that are held in memory, unfiltered, until all parts of a shared write have run. */
export class HeldChunks {
  readonly blobs: HeldBlobs
  readonly #addresses = new Map<string, HeldChunk>()
  readonly #patches = new Map<string, SharedPatch>()

  constructor(blobs: HeldBlobs) {
    this.blobs = blobs
  }

  /** The patch of the chunk that the works share; a new one holds at most `maxInlineBytes`. */
  patchOf(address: ChunkAddress, maxInlineBytes: number): SharedPatch {
    const name = nameOfChunk(address)
    const patch = this.#patches.get(name) ?? new SharedPatch(maxInlineBytes)
    this.#patches.set(name, patch)
    return patch
  }

  /** All chunks that were ever held; some may no longer be. */
  all(): Iterable<HeldChunk> {
    return this.#addresses.values()
  }

  has(address: ChunkAddress): boolean {
    return this.#addresses.has(nameOfChunk(address))
  }

  add(chunk: HeldChunk): void {
    this.#addresses.set(nameOfChunk(chunk.address), chunk)
  }
}

export interface HeldChunk {
  readonly layout: ChunkLayout
  readonly address: ChunkAddress
}

/** The part of a chunk that was written. */
export interface WrittenPart {
  readonly part: ChunkPart
  /** The fields to copy, from whole elements to whole elements; absent: all. */
  readonly fields: FieldCopy | undefined
}

/** A patch that is not yet part of the transaction. */
export interface NewPatch {
  readonly layout: ChunkLayout
  readonly address: ChunkAddress
  readonly patch: GivenPatch
}

/** A chunk's new values: durable, but not yet part of the transaction. */
export interface NewChunk {
  readonly address: ChunkAddress
  readonly record: ChunkRecord
  /** The values of an inline chunk. */
  readonly values: Uint8Array | undefined
  readonly before: ChunkRecord | undefined
  /** Absent: everything was written, whatever was there before. */
  readonly written?: WrittenPart
}

type StoredForm = Pick<StoredChunk, 'dataLength' | 'heapLength' | 'filtered'> & {
  readonly pieces: readonly Uint8Array[]
}

/** Bytes of an element that a record holds: records are read often. @limit memory, bytes */
const MAX_REPEATED_BYTES = 4096

/** Whether a record can hold the element. */
export function isShort(element: Elements): boolean {
  return elementsBytes(element) <= MAX_REPEATED_BYTES
}

export class ChunkChanges {
  readonly source: ValueSource
  /** The limit of the bytes and chunks that this transaction may store. */
  readonly limit: WriteLimit
  /** The number of chunks that are best stored at once. */
  readonly parallelism: number
  readonly #transaction: Transaction
  readonly #maxInlineBytes: number
  /** The parts of chunks that this transaction has written, by coordinates and dataset. */
  readonly #written = new Map<string, WrittenPart[]>()
  readonly #held: HeldChunks | undefined
  readonly #folds: Folds | undefined
  #inlineBytes = 0

  /**
   * Values of up to `maxInlineBytes` are stored inline. With `held`, whose blobs are `blobs`, chunks are held. With
   * `folds`, which fold them, chunks may get patches.
   */
  constructor(
    transaction: Transaction,
    blobs: Blobs,
    filters: ChunkFilters,
    maxInlineBytes: number,
    limit: WriteLimit,
    { held, folds }: { readonly held?: HeldChunks | undefined; readonly folds?: Folds | undefined } = {},
  ) {
    this.#transaction = transaction
    this.#maxInlineBytes = maxInlineBytes
    this.#held = held
    this.#folds = folds
    this.limit = limit
    this.parallelism = blobs.parallelism
    this.source = { blobs, filters, get: key => transaction.glance(key) }
  }

  /** The record of a chunk that will be written as a whole. */
  async recordToReplace(address: ChunkAddress): Promise<ChunkRecord | undefined> {
    const bytes = await this.#transaction.glance(chunkKey(address))
    return bytes && decodeChunkRecord(bytes)
  }

  /** The record of a chunk that will be written in part. */
  async recordToChange(
    layout: ChunkLayout,
    chunk: readonly number[],
    address: ChunkAddress,
  ): Promise<ChunkRecord | undefined> {
    const bytes = await this.#transaction.getForMerge(chunkKey(address), current =>
      this.#merge(layout, chunk, address, current && decodeChunkRecord(current)),
    )
    return bytes && decodeChunkRecord(bytes)
  }

  /**
   * The written part of a chunk as a patch; its blob, if it has one, is durable. Undefined: the part is too large for a
   * patch, or the chunk is too small or has too many patches already; then the whole chunk is written.
   */
  async patchOf(
    layout: ChunkLayout,
    address: ChunkAddress,
    type: Datatype,
    fields: readonly string[] | undefined,
    fragments: readonly Fragment[],
  ): Promise<NewPatch | undefined> {
    const bytes = fragments.reduce((sum, { elements }) => sum + elementsBytes(elements), 0)
    const isTaken = this.takesPatch(layout, bytes) || this.#takesPatchInBlob(layout, bytes)
    if (!isTaken || this.#hasFewElements(layout, address)) return undefined
    // A chunk that an earlier part of a shared write has changed is stored once, after all parts.
    if (this.#folds?.isBehind(address) || this.#held?.has(address)) return undefined
    const written = joinFragments(type, fields, fragments)
    const patch =
      this.#shortPatch(layout, written, bytes) ?? (await this.#patchInBlob(layout, address, written))
    if (patch === undefined) return undefined
    this.#inlineBytes += patch.bytes.length
    this.limit.addStored(patch.bytes.length + (patch.blob?.bytes ?? 0))
    return { layout, address, patch }
  }

  #shortPatch(layout: ChunkLayout, written: WrittenElements, bytes: number): GivenPatch | undefined {
    if (!this.takesPatch(layout, bytes)) return undefined
    const patch = encodePatch(written)
    return this.takesPatch(layout, patch.bytes.length) ? patch : undefined
  }

  async #patchInBlob(
    layout: ChunkLayout,
    address: ChunkAddress,
    written: WrittenElements,
  ): Promise<GivenPatch | undefined> {
    const version = newVersion(this.#transaction.random)
    const patch = encodePatch(written, version)
    const { data, heap } = written.elements
    // It may have very many runs.
    const isShort = patch.bytes.length <= Math.min(this.#maxInlineBytes, this.#freeInlineBytes)
    if (!isShort || !this.#takesPatchInBlob(layout, data.length + heap.length)) return undefined
    await this.#putForGood(valuesName(address, { version }), [data, heap])
    return patch
  }

  /** Whether storing all elements of a chunk inside the extents costs hardly more than a patch. */
  #hasFewElements(layout: ChunkLayout, { coordinates }: ChunkAddress): boolean {
    const elements = usedElements(layout.grid, decodeCoordinates(coordinates))
    const bytes = elements * chunkItemSize(layout.type)
    return layout.pipeline === undefined && bytes <= Math.min(SHORT_CHUNK_BYTES, this.#maxInlineBytes)
  }

  /** Whether a patch of `bytes` bytes, in a key, costs less than a chunk of the layout. */
  takesPatch(layout: ChunkLayout, bytes: number): boolean {
    const most = Math.min(this.#maxInlineBytes, this.#freeInlineBytes)
    return bytes <= Math.min(most, this.#patchableBytes(layout) / LEAST_PATCHES)
  }

  #takesPatchInBlob(layout: ChunkLayout, bytes: number): boolean {
    return (
      bytes <= this.#patchableBytes(layout) / (layout.pipeline ? LEAST_IN_BLOBS_IF_FILTERED : LEAST_IN_BLOBS)
    )
  }

  /** Bytes of a chunk that may have patches; negative: such chunks get no patches. */
  #patchableBytes(layout: ChunkLayout): number {
    if (this.#folds === undefined || this.#transaction.isFilling(layout.dataset)) return -1
    // A patch over a chunk that nobody can decode could never be read.
    if (layout.pipeline && hasUnavailable(layout.pipeline)) return -1
    const bytes = chunkElements(layout.grid) * chunkItemSize(layout.type)
    return bytes > this.#maxInlineBytes ? bytes : -1
  }

  get #freeInlineBytes(): number {
    return MAX_INLINE_BYTES_PER_TRANSACTION - this.#inlineBytes
  }

  /** Adds the patches to their chunks, as these are at the commit. */
  applyPatches(patches: readonly NewPatch[]): void {
    for (const { layout, address, patch } of patches) {
      let numbers: PatchNumbers | undefined
      const note = (found: PatchNumbers): void => {
        numbers = found
      }
      const shared = this.#held?.patchOf(address, this.#maxInlineBytes)
      const version = newVersion(this.#transaction.random)
      this.#transaction.amend(chunkKey(address), addPatch(address, patch, version, note, shared))
      this.#transaction.afterCommit(() => {
        if (numbers) this.#folds?.note(layout, address, numbers)
      })
    }
  }

  /** Makes new values of a chunk and its patches, if it has any. Patches that are added meanwhile stay. */
  async fold(layout: ChunkLayout, address: ChunkAddress): Promise<void> {
    const transaction = this.#transaction
    const before = await this.recordToReplace(address)
    if (!before?.patches) return
    const { patches } = before
    const last = await transaction.glance(patchKey(address, patches.to - 1))
    const chunk = decodeCoordinates(address.coordinates)
    const elements = await readRecorded(this.source, layout, chunk, address, before)
    const stored = await this.store(layout, address, elements)
    const dropBlobs = (record: ChunkRecord): readonly Change[] => {
      const blobs = blobsOf(address, record)
      return blobs.length === 0 ? [] : [transaction.garbageNotes(blobs)]
    }
    const changes = foldPatches({ address, before: { ...before, patches }, last, ...stored, dropBlobs })
    const form = formChange(address.dataset, transaction.random)
    // The dataset may be deleted meanwhile: nothing is written that its domain would keep for ever.
    transaction.amend(objectKey(address.dataset, 'record'), dataset =>
      dataset ? [form, { op: 'follow', key: chunkKey(address), changes }] : dropBlobs(stored.record),
    )
  }

  /** Stores the elements of a chunk, up to the last one inside the extents; no record names them yet. */
  async store(
    layout: ChunkLayout,
    address: ChunkAddress,
    elements: Elements,
  ): Promise<Pick<NewChunk, 'record' | 'values'>> {
    const { data, heap } = elements
    this.limit.addStored(elementsBytes(elements))
    if (this.#held?.blobs.hasRoom(elementsBytes(elements))) {
      const version = newVersion(this.#transaction.random)
      const record: StoredChunk = { at: 'blob', version, dataLength: data.length, heapLength: heap.length }
      this.#held.add({ layout, address })
      await this.#transaction.putBlob(valuesName(address, record), [data, heap])
      return { record, values: undefined }
    }
    return this.#putForm(address, await this.#storedForm(layout, elements))
  }

  /** Stores a chunk that went through filters elsewhere. */
  async storeEncoded(layout: ChunkLayout, { coordinates, bytes, mask }: EncodedChunk): Promise<NewChunk> {
    const { elementSize, grid, pipeline } = layout
    if (pipeline === undefined || isUnfiltered(pipeline, mask)) {
      throw new Error(`the chunk [${coordinates}] of ${layout.dataset} went through no filter`)
    }
    this.limit.addStored(bytes.length)
    const address = addressOf(layout, coordinates)
    const stored = await this.#putForm(address, {
      dataLength: chunkElements(grid) * elementSize,
      heapLength: 0,
      filtered: { length: bytes.length, mask, isForeign: true },
      pieces: [bytes],
    })
    return { address, ...stored, before: undefined }
  }

  /** Stores the values beside the record or in a blob. */
  async #putForm(
    address: ChunkAddress,
    { pieces, ...lengths }: StoredForm,
  ): Promise<Pick<NewChunk, 'record' | 'values'>> {
    const version = newVersion(this.#transaction.random)
    const bytes = pieces.reduce((sum, { length }) => sum + length, 0)
    const isInline = bytes <= Math.min(this.#maxInlineBytes, this.#freeInlineBytes)
    if (isInline) {
      this.#inlineBytes += bytes
      return { record: { at: 'inline', version, ...lengths }, values: Buffer.concat(pieces) }
    }
    const record: StoredChunk = { at: 'blob', version, ...lengths }
    await this.#putForGood(valuesName(address, record), pieces)
    return { record, values: undefined }
  }

  /** Stores a blob durably at once, instead of holding it in memory until `settle`. */
  #putForGood(name: string, pieces: readonly Uint8Array[]): Promise<void> {
    return this.#transaction.putBlob(name, this.#held ? streamed(pieces) : pieces)
  }

  /** The new chunks whose values are bytes of a file. */
  adopt(layout: ChunkLayout, file: StoredFile, adopted: readonly AdoptedChunk[]): readonly NewChunk[] {
    const { elementSize, grid, pipeline } = layout
    const all = chunkElements(grid) * elementSize
    return adopted.map(({ coordinates, offset, length, mask }) => {
      const isFiltered = pipeline !== undefined && !isUnfiltered(pipeline, mask)
      const used = isFiltered ? all : usedElements(grid, coordinates) * elementSize
      if (offset + length > file.length || (!isFiltered && length < used)) {
        throw new Error(
          `the chunk [${coordinates}] of ${layout.dataset} has not all of its bytes in the file`,
        )
      }
      this.limit.addChanged()
      const record: FileChunk = {
        at: 'file',
        version: newVersion(this.#transaction.random),
        dataLength: used,
        heapLength: 0,
        ...(isFiltered && { filtered: { length, mask } }),
        file: file.version,
        offset,
      }
      return { address: addressOf(layout, coordinates), record, values: undefined, before: undefined }
    })
  }

  /** The record of chunks all elements of which are the given one, which is short. */
  repeatedRecord({ grid }: ChunkLayout, { data, heap }: Elements): RepeatedChunk {
    return {
      at: 'record',
      version: newVersion(this.#transaction.random),
      dataLength: data.length,
      heapLength: heap.length,
      inside: grid.chunkDims,
      element: Buffer.concat([data, heap]),
    }
  }

  /** The bytes to store, filtered if filters make them shorter, and their description in the record. */
  async #storedForm(layout: ChunkLayout, elements: Elements): Promise<StoredForm> {
    const { pipeline } = layout
    if (pipeline) {
      const { data, heap } = withFill(layout, elements, chunkElements(layout.grid))
      const lengths = { dataLength: data.length, heapLength: heap.length }
      const { bytes, mask } = await this.source.filters.encode(pipeline, [data, heap])
      const filtered = { length: bytes.length, mask }
      if (!isUnfiltered(pipeline, mask)) return { pieces: [bytes], ...lengths, filtered }
    }
    const { data, heap } = elements
    return { pieces: [data, heap], dataLength: data.length, heapLength: heap.length }
  }

  /** Gives the chunks of a dataset their new values. */
  async apply(dataset: ObjectId, chunks: readonly NewChunk[]): Promise<void> {
    const more = { chunks: 0, bytes: 0 }
    // Chunks that repeat an element share their record.
    let shared: ChunkRecord | undefined
    let encoded: Uint8Array = new Uint8Array(0)
    for (const { address, record, values, before, written } of chunks) {
      const key = chunkKey(address)
      this.#followReplaced(key, address, before)
      const { chunks, bytes } = difference(before, record)
      more.chunks += chunks
      more.bytes += bytes
      if (record !== shared) encoded = encodeChunkRecord(record)
      shared = record
      if (written) {
        this.#transaction.set(key, encoded)
        this.#partsOf(address).push(written)
      } else {
        this.#transaction.setWhole(key, encoded)
        this.#written.delete(nameOfChunk(address))
      }
      if (values) this.#transaction.set(valuesKey(address), values)
      else if (before && isInline(before)) this.#transaction.delete(valuesKey(address))
      this.#dropPatches(address, before)
      this.#dropValues(address, before)
      if (isTurnOver()) await nextTurn()
    }
    countChunks(this.#transaction, dataset, more)
  }

  /**
   * Another write may have replaced the chunk before this transaction commits. Then the counters are corrected by the
   * difference between the record that was read and the stored one, and the values and patches of the stored one become
   * garbage.
   */
  #followReplaced(key: Uint8Array, address: ChunkAddress, before: ChunkRecord | undefined): void {
    if (this.#transaction.isFilling(address.dataset)) return
    this.#transaction.follow(key, value => {
      const there = value && decodeChunkRecord(value)
      const changes: Change[] = [...chunkCounts(address.dataset, difference(there, before))]
      for (const key of patchKeys(address, there?.patches)) changes.push({ op: 'delete', key })
      if (there === undefined) return changes
      const known = new Set(blobsOf(address, before))
      const blobs = blobsOf(address, there).filter(blob => !known.has(blob))
      if (blobs.length > 0) changes.push(this.#transaction.garbageNotes(blobs))
      if (isInline(there) && there.version !== before?.version)
        changes.push({ op: 'delete', key: valuesKey(address) })
      return changes
    })
  }

  /** Notes values that were stored and will not be applied as garbage. */
  discard(chunks: readonly NewChunk[], patches: readonly NewPatch[] = []): void {
    for (const { address, record } of chunks) this.#dropValues(address, record)
    for (const { address, patch } of patches)
      if (patch.blob) this.#transaction.dropBlob(valuesName(address, patch.blob))
  }

  remove(address: ChunkAddress, record: ChunkRecord): void {
    this.limit.addChanged()
    const key = chunkKey(address)
    this.#followReplaced(key, address, record)
    countChunks(this.#transaction, address.dataset, difference(record, undefined))
    this.#transaction.delete(key)
    if (isInline(record)) this.#transaction.delete(valuesKey(address))
    this.#dropPatches(address, record)
    this.#dropValues(address, record)
  }

  /** Merges the parts that this transaction has written of the chunk into its current values. */
  async #merge(
    layout: ChunkLayout,
    chunk: readonly number[],
    address: ChunkAddress,
    current: ChunkRecord | undefined,
  ): Promise<void> {
    const own = await this.recordToReplace(address)
    const parts = this.#written.get(nameOfChunk(address))
    if (!own || !parts) return
    const ours = await readRecorded(this.source, layout, chunk, address, own)
    // The current values of an inline chunk are not those with which this transaction has merged its own.
    const stored = { ...this.source, get: (key: Uint8Array) => this.#transaction.stored.get(key) }
    const theirs = await readRecorded(stored, layout, chunk, address, current)
    const builder = new ElementsBuilder(layout.type, usedElements(layout.grid, chunk))
    builder.copy(theirs, 0, 0, builder.capacity)
    for (const { part, fields } of parts) copyPart(layout, part, ours, builder, fields)
    await this.#replaceOwn(layout, address, own, builder.finish())
    this.#dropValues(address, current)
  }

  /** Stores a chunk that was held. */
  async settle({ layout, address }: HeldChunk, held: HeldBlobs): Promise<void> {
    const own = await this.recordToReplace(address)
    const blob = own && blobOf(address, own)
    if (own === undefined || blob === undefined || !held.holds(blob)) return
    const elements = await readRecorded(
      this.source,
      layout,
      decodeCoordinates(address.coordinates),
      address,
      own,
    )
    await this.#replaceOwn(layout, address, own, elements)
  }

  /** Replaces the values that this transaction has given the chunk. */
  async #replaceOwn(
    layout: ChunkLayout,
    address: ChunkAddress,
    own: ChunkRecord,
    elements: Elements,
  ): Promise<void> {
    const { record, values } = await this.store(layout, address, elements)
    countChunks(this.#transaction, address.dataset, difference(own, record))
    this.#transaction.set(chunkKey(address), encodeChunkRecord(record))
    if (values) this.#transaction.set(valuesKey(address), values)
    else this.#transaction.delete(valuesKey(address))
    this.#dropPatches(address, own)
    this.#dropValues(address, own)
  }

  #dropPatches(address: ChunkAddress, record: ChunkRecord | undefined): void {
    for (const key of patchKeys(address, record?.patches)) this.#transaction.delete(key)
  }

  #dropValues(address: ChunkAddress, record: ChunkRecord | undefined): void {
    for (const blob of blobsOf(address, record)) this.#transaction.dropBlob(blob)
  }

  #partsOf(address: ChunkAddress): WrittenPart[] {
    const text = nameOfChunk(address)
    const parts = this.#written.get(text) ?? []
    this.#written.set(text, parts)
    return parts
  }
}

/** The same pieces as a stream: streamed blobs are not held. */
function streamed(pieces: readonly Uint8Array[]): AsyncIterable<Uint8Array> {
  return {
    async *[Symbol.asyncIterator]() {
      yield* pieces
    },
  }
}

export function addressOf(layout: ChunkLayout, chunk: readonly number[]): ChunkAddress {
  return { dataset: layout.dataset, coordinates: encodeCoordinates(chunk) }
}

export function nameOfChunk({ dataset, coordinates }: ChunkAddress): string {
  return dataset + Buffer.from(coordinates).toString('latin1')
}
