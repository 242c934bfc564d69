// The values of a dataset: their storage in the file (none, in the header, contiguous or in chunks), and their bytes.

import { inOrder, isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { elementCount, product } from '@hyperslab/model/dataset'
import { isVariableSize } from '@hyperslab/model/datatype'
import { elementsFromJson } from '@hyperslab/model/json'
import { chunkCounts, type Hyperslab, linearBoxes, planParts } from '@hyperslab/model/selection'
import { type Elements, ElementsBuilder, PREFIXED_REFERENCES } from '@hyperslab/model/values'
import { type EncodedChunk, isUndecodable } from '../../filters/pipeline.ts'
import { type Steps, waitFor } from '../../steps.ts'
import type { FileContext } from '../file-context.ts'
import { type ElementForm, elementFormOf } from '../file-types.ts'
import { type WrittenFilters, writtenFilters } from '../filters.ts'
import type { HeapLayout } from '../global-heap.ts'
import type { SourceChunk, SourceDataset, SourceSpan } from '../source.ts'
import { box } from './boxes.ts'
import { bytesAhead } from './bytes-ahead.ts'
import { MAX_ENCODED_CHUNK } from './chunk-encoding.ts'
import type { WrittenChunk } from './chunk-tree.ts'
import { type ElementContext, encodeElement, encodeElements } from './elements.ts'
import { EncodedLengths } from './encoded-lengths.ts'
import { type MarkedPart, type ValueMark, ValueMarks } from './value-marks.ts'

export type Storage =
  /** Nothing is stored: all elements are the fill value. */
  | { readonly kind: 'none'; readonly length: 0 }
  /** The values are in the object header, and nowhere else. */
  | { readonly kind: 'compact'; readonly length: number }
  | { readonly kind: 'contiguous'; readonly length: number }
  /** `length`: of all chunks together. */
  | {
      readonly kind: 'chunked'
      readonly length: number
      readonly chunkDims: readonly number[]
      readonly chunkCount: number
      /** The lengths of chunks that go through the filters now. */
      readonly encoded?: EncodedLengths
    }

/**
 * Bytes of compact values: with the rest of the layout message, less than the most that a message has.
 * @limit format, bytes
 */
const MAX_COMPACT = 65_000

/**
 * Bytes of contiguous values of which less than half were ever written, beyond which they are written in chunks.
 * @limit memory, bytes
 */
const MAX_SPARSE = 64 * 2 ** 20

/**
 * Bytes of values that are read before they are sent only if that is requested: reading each of many small datasets
 * takes long.
 * @limit safety, bytes
 */
export const MAX_UNSEEN = 65_536

/** Chunks of a dataset that are encoded at once. @limit memory, chunks */
const ENCODED_AT_ONCE = 4
/** The length of a chunk has 32 bits. @limit format, bytes */
const MAX_CHUNK = 2 ** 32 - 1

interface PlacedBytes {
  readonly offset: number
  readonly bytes: Uint8Array
}

export class DatasetValues {
  readonly dataset: SourceDataset
  readonly form: ElementForm
  readonly #context: FileContext
  #filters: WrittenFilters | undefined

  constructor(context: FileContext, dataset: SourceDataset) {
    this.#context = context
    this.dataset = dataset
    this.form = elementFormOf(dataset.type)
  }

  get filters(): WrittenFilters {
    this.#filters ??= writtenFilters(this.dataset, this.form)
    return this.#filters
  }

  get hasFillValue(): boolean {
    return this.#fill !== undefined
  }

  /**
   * The fill value, also one that is only reported because it is never written in the file that the dataset was
   * imported from.
   */
  get #fill(): Elements | undefined {
    const { type, creationProperties } = this.dataset
    const { json, fillValue } = creationProperties
    const reported = json.get('fillTime') === 'H5D_FILL_TIME_NEVER' ? json.get('fillValue') : undefined
    if (fillValue || reported === undefined) return fillValue
    return elementsFromJson(type, [], reported, PREFIXED_REFERENCES)
  }

  /** The fill value, one element. `put` stores its objects in the global heap. */
  fillValue(put: ElementContext['put']): Uint8Array | undefined {
    const fill = this.#fill
    const elementContext = this.#context.elementContext(this.dataset.id, 'the fill value', put)
    return fill && encodeElement(this.form, fill, elementContext)
  }

  *plan(): Steps<Storage> {
    const { space, creationProperties } = this.dataset
    const { layout, filters, chunkDims } = creationProperties
    const length = elementCount(space) * this.form.fileSize
    const isSimple = space.class === 'H5S_SIMPLE' && chunkDims !== undefined
    if (isSimple && (layout === 'H5D_CHUNKED' || filters.length > 0))
      return yield* waitFor(this.#planChunks(chunkDims))
    // The message of contiguous values holds their length.
    if (isSimple && !Number.isSafeInteger(length)) return yield* waitFor(this.#planChunks(chunkDims))
    const isWritten = this.#fillsChunks || (yield* this.#countChunks()) > 0
    if (layout === 'H5D_COMPACT' && length > 0 && length <= MAX_COMPACT) return { kind: 'compact', length }
    if (length === 0 || !isWritten) return { kind: 'none', length: 0 }
    if (isSimple && length > MAX_SPARSE && (yield* this.#isSparse(space.dims, chunkDims))) {
      return yield* waitFor(this.#planChunks(chunkDims))
    }
    return { kind: 'contiguous', length }
  }

  /**
   * Reads some of the stored values, and throws like the source: `values-unreadable` for missing ones. A plan that
   * leaves out missing values must meet none of them: so all values with addresses and all chunks that are filtered
   * anew are read, because the plan reads them, and the last chunk is fetched.
   */
  async probe(): Promise<void> {
    const { space, creationProperties } = this.dataset
    if (space.class === 'H5S_NULL' || elementCount(space) === 0) return
    const { layout, chunkDims = [] } = creationProperties
    const dims = space.class === 'H5S_SIMPLE' ? space.dims : []
    const { skipsUnreadable } = this.#context
    if (skipsUnreadable && (this.form.hasAddresses || this.#areEncoded)) {
      for await (const _ of this.#read());
      return
    }
    if (layout === 'H5D_CHUNKED') {
      let last: SourceChunk | undefined
      for await (const chunk of this.#stored()) {
        if (!last && !this.#isKept(chunk))
          await this.#probeAt(chunk.coordinates.map((index, d) => index * chunkDims[d]))
        last = chunk
        if (!skipsUnreadable) return
      }
      await this.#probeChunk(last)
      return
    }
    await this.#probeAt(dims.map(() => 0))
    await this.#probeAt(dims.map(extent => extent - 1))
  }

  /** Whether the chunk is sent as it is although nobody can decode it here. */
  #isKept({ mask }: SourceChunk): boolean {
    return this.form.kind === 'plain' && isUndecodable(this.dataset.creationProperties.filters, mask)
  }

  async #probeAt(coordinates: readonly number[]): Promise<void> {
    const one = coordinates.map(() => 1)
    for await (const _ of this.#read(box(coordinates, one)));
  }

  /** Fetches a chunk whose bytes are otherwise not read before they are sent. */
  async #probeChunk(chunk: SourceChunk | undefined): Promise<void> {
    if (this.form.kind === 'plain') await chunk?.bytes()
  }

  /**
   * Compact and contiguous values, and those of the chunks one after another. `put` stores their objects in the global
   * heap.
   */
  async *pieces({ kind }: Storage, put: ElementContext['put']): AsyncGenerator<Uint8Array> {
    if (kind === 'none') return
    const elementContext = this.#context.elementContext(this.dataset.id, 'the values', put)
    if (kind === 'chunked') {
      yield* this.#chunkPieces(elementContext)
      return
    }
    for await (const elements of this.#read()) {
      yield* encodeElements(this.form, elements, elementContext)
    }
  }

  /**
   * The chunks from `address` on, in order; with their positions relative to each other, and their masks, as the file
   * has them.
   */
  async *writtenChunks(address: number, encoded?: EncodedLengths): AsyncGenerator<WrittenChunk> {
    let next = address
    let index = 0
    for await (const chunk of this.#stored()) {
      const { coordinates } = chunk
      const { length, mask } = encoded?.at(index++) ?? this.#inFile(chunk)
      yield { coordinates, address: next, length, mask }
      next += length
    }
  }

  /**
   * Positions, in order, at which `part` can begin; the first is the beginning. All chunks are walked for them, and
   * values with objects in the global heap are read. `heap` is a walk from their first object there.
   */
  async marks(storage: Storage, heap: HeapLayout): Promise<readonly ValueMark[]> {
    const put = (bytes: Uint8Array) => heap.put(bytes)
    const elementContext = this.#context.elementContext(this.dataset.id, 'the values', put)
    const isInHeap = isVariableSize(this.dataset.type)
    const marks = new ValueMarks(heap, isInHeap)
    if (storage.kind === 'chunked') {
      let chunk = 0
      for await (const { coordinates, address: offset } of this.writtenChunks(0, storage.encoded)) {
        if (chunk > 0) marks.add({ offset, chunk, coordinates })
        chunk++
        if (!isInHeap) continue
        for (const _ of encodeElements(this.form, await this.#readChunk(coordinates), elementContext));
      }
    } else if (storage.kind === 'contiguous' && isInHeap) {
      let offset = 0
      for await (const elements of this.#read()) {
        if (offset > 0) marks.add({ offset, chunk: 0 })
        for (const _ of encodeElements(this.form, elements, elementContext)) {
          if (isTurnOver()) await nextTurn()
        }
        offset += elements.count * this.form.fileSize
      }
    }
    return marks.all
  }

  /**
   * The bytes from `from` up to `to`, and some before and after them, each piece with its offset in the values. `put`
   * stores the objects of the values in the global heap, from the mark on.
   */
  async *part(
    storage: Storage,
    marked: MarkedPart,
    from: number,
    to: number,
    put: ElementContext['put'],
  ): AsyncGenerator<PlacedBytes> {
    const { mark } = marked
    const elementContext = this.#context.elementContext(this.dataset.id, 'the values', put)
    if (storage.kind === 'chunked') yield* this.#chunkedPart(storage, marked, from, to, elementContext)
    if (storage.kind !== 'contiguous') return
    const { fileSize } = this.form
    const { space, type } = this.dataset
    const dims = space.class === 'H5S_SIMPLE' ? space.dims : []
    const first = Math.floor((isVariableSize(type) ? mark.offset : from) / fileSize)
    let offset = first * fileSize
    for (const { start, count } of linearBoxes(dims, first, Math.ceil(to / fileSize))) {
      for await (const elements of this.#read(box(start, count))) {
        for (const bytes of encodeElements(this.form, elements, elementContext)) {
          yield { offset, bytes }
          offset += bytes.length
        }
      }
    }
  }

  async *#chunkedPart(
    { encoded }: Extract<Storage, { kind: 'chunked' }>,
    { mark, chunks: count }: MarkedPart,
    from: number,
    to: number,
    elementContext: ElementContext,
  ): AsyncGenerator<PlacedBytes> {
    let { offset, chunk: index } = mark
    const isInHeap = isVariableSize(this.dataset.type)
    for await (const chunk of this.#stored({ from: mark.coordinates, count })) {
      const { length } = encoded?.at(index++) ?? this.#inFile(chunk)
      if (offset + length > from || isInHeap) {
        const first = Math.max(from - offset, 0)
        const last = Math.min(to - offset, length)
        if (chunk.read && this.form.kind === 'plain' && last - first < length) {
          const bytes = this.#context.memory.take(last - first)
          await chunk.read(first, bytes)
          yield { offset: offset + first, bytes }
          this.#context.memory.give(bytes)
        } else {
          let done = offset
          for await (const bytes of this.#chunkBytesOf(chunk, elementContext)) {
            yield { offset: done, bytes }
            done += bytes.length
          }
        }
      }
      offset += length
      if (offset >= to) return
    }
  }

  /** One chunk as the file has it. */
  async *#chunkBytesOf(chunk: SourceChunk, elementContext: ElementContext): AsyncGenerator<Uint8Array> {
    const { coordinates } = chunk
    if (this.form.kind === 'plain') yield await chunk.bytes()
    else if (this.#areEncoded) yield (await this.#encode(coordinates)).bytes
    else yield* encodeElements(this.form, await this.#readChunk(coordinates), elementContext)
  }

  async #planChunks(chunkDims: readonly number[]): Promise<Storage> {
    if (this.#chunkBytes > MAX_CHUNK) {
      throw new HyperslabError(
        'type-unsupported',
        `chunks of ${this.#chunkBytes} bytes cannot be written to a file`,
      )
    }
    if (this.#areEncoded) return this.#planEncodedChunks(chunkDims)
    let chunkCount = 0
    let length = 0
    let last: SourceChunk | undefined
    for await (const chunk of this.#stored()) {
      chunkCount++
      length += this.#inFile(chunk).length
      last = chunk
    }
    if (length > MAX_UNSEEN) await this.#probeChunk(last)
    return { kind: 'chunked', chunkDims, chunkCount, length }
  }

  /** Plans chunks that are filtered: they are encoded to find their lengths, and again when they are written. */
  async #planEncodedChunks(chunkDims: readonly number[]): Promise<Storage> {
    const encoded = new EncodedLengths()
    let length = 0
    for await (const { bytes, mask } of this.#encodedChunks()) {
      encoded.add(bytes.length, mask)
      length += bytes.length
    }
    return { kind: 'chunked', chunkDims, chunkCount: encoded.count, length, encoded }
  }

  /** The number of stored chunks. */
  #countChunks(): Iterable<Promise<unknown>, number, unknown> {
    return waitFor(this.#context.remembered.chunkCount(this.dataset.id))
  }

  /** Chunks that were never written do not have the fill value. */
  get #fillsChunks(): boolean {
    const { filled, creationProperties } = this.dataset
    return filled !== undefined || creationProperties.initializer !== undefined
  }

  *#isSparse(dims: readonly number[], chunkDims: readonly number[]): Steps<boolean> {
    if (this.#fillsChunks) return false
    const chunks = yield* this.#countChunks()
    return 2 * chunks < product(chunkCounts({ dims, chunkDims }))
  }

  /** The length and mask in the file of a chunk that is not encoded now. */
  #inFile({ length, mask }: SourceChunk): Pick<WrittenChunk, 'length' | 'mask'> {
    return this.form.kind === 'plain'
      ? { length, mask: this.filters.mask(mask) }
      : { length: this.#chunkBytes, mask: this.filters.unfiltered }
  }

  /**
   * True when chunks go through the filters now, because their elements are not those of the file. If they hold
   * addresses, they go through none: how long they become depends on the addresses.
   */
  get #areEncoded(): boolean {
    if (this.form.kind === 'plain' || this.form.hasAddresses) return false
    return this.filters.pipeline.length > 0 && this.#chunkBytes <= MAX_ENCODED_CHUNK
  }

  async *#stored(span?: SourceSpan): AsyncGenerator<SourceChunk> {
    for await (const chunk of this.#context.remembered.chunks(this.dataset, span)) {
      if (isTurnOver()) await nextTurn()
      this.#context.throwIfAborted()
      yield chunk
    }
  }

  /** Elements of a chunk. */
  get #wholeChunk(): number {
    return product(this.dataset.creationProperties.chunkDims ?? [])
  }

  /** Bytes in the file of a chunk that went through no filter. */
  get #chunkBytes(): number {
    return this.#wholeChunk * this.form.fileSize
  }

  async *#chunkPieces(elementContext: ElementContext): AsyncGenerator<Uint8Array> {
    if (this.form.kind === 'plain') {
      yield* bytesAhead(this.#stored())
      return
    }
    if (this.#areEncoded) {
      for await (const { bytes } of this.#encodedChunks()) yield bytes
      return
    }
    for await (const { coordinates } of this.#stored()) {
      yield* encodeElements(this.form, await this.#readChunk(coordinates), elementContext)
    }
  }

  #encodedChunks(): AsyncIterable<EncodedChunk> {
    return inOrder(this.#stored(), ENCODED_AT_ONCE, ({ coordinates }) => this.#encode(coordinates))
  }

  #encode(coordinates: readonly number[]): Promise<EncodedChunk> {
    const { encoding } = this.#context
    return encoding.run(this.filters.pipeline, this.#chunkBytes, () => this.#fileChunk(coordinates))
  }

  /** The elements of a chunk as the file has them. */
  async #fileChunk(coordinates: readonly number[]): Promise<Uint8Array> {
    const elements = await this.#readChunk(coordinates)
    const chunk = new Uint8Array(this.#chunkBytes)
    let done = 0
    for (const piece of encodeElements(this.form, elements, NO_ADDRESSES)) {
      chunk.set(piece, done)
      done += piece.length
      if (isTurnOver()) await nextTurn()
    }
    return chunk
  }

  /** All elements of a chunk. Those outside the extents have the fill value, which they show when the dataset grows. */
  async #readChunk(coordinates: readonly number[]): Promise<Elements> {
    const { type, space, creationProperties } = this.dataset
    const { chunkDims = [], fillValue } = creationProperties
    const dims = space.class === 'H5S_SIMPLE' ? space.dims : []
    const start = coordinates.map((index, d) => index * chunkDims[d])
    const count = start.map((first, d) => Math.min(chunkDims[d], dims[d] - first))
    const inside = new ElementsBuilder(type, product(count))
    let at = 0
    for await (const piece of this.#read(box(start, count))) {
      inside.copy(piece, 0, at, piece.count)
      at += piece.count
    }
    if (count.every((extent, d) => extent === chunkDims[d])) return inside.finish()
    const elements = new ElementsBuilder(type, this.#wholeChunk)
    elements.fill(fillValue)
    const origin = count.map(() => 0)
    const [part] = planParts(box(origin, count), { dims: chunkDims, chunkDims })
    elements.scatter(part, inside.finish())
    return elements.finish()
  }

  async *#read(selection?: Hyperslab): AsyncGenerator<Elements> {
    const { source, signal, remembered } = this.#context
    const pieces = selection
      ? source.readValues(this.dataset, selection, signal)
      : remembered.values(this.dataset, signal)
    for await (const elements of pieces) {
      this.#context.throwIfAborted()
      yield elements
    }
  }
}

/** The context of elements without addresses. */
const NO_ADDRESSES: ElementContext = { addressOf: noAddress, put: noAddress, onLostReference: noAddress }

function noAddress(): never {
  throw new Error('the elements of this type hold no addresses')
}
