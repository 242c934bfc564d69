// The values of a dataset as the file has them: the bytes of a box of elements, one element after another. Chunks are found
// first, read in joined ranges, decoded, and copied into the box once. Memory is that of the box and of some chunks, whatever
// the file claims.

import { BoundedMap } from '../../bounded-map.ts'
import { HyperslabError } from '../../errors.ts'
import { codecOf } from '../../filters/codecs.ts'
import { decodedSizeFault } from '../../filters/decoded-size.ts'
import { deflate, inflateStart, MAX_RATIO } from '../../filters/deflate.ts'
import { decodeChunk, type EncodedChunk, type Pipeline } from '../../filters/pipeline.ts'
import { type Dataspace, extentsOf, product } from '../../hdf5/dataspace.ts'
import { isTurnOver, nextTurn } from '../../turns.ts'
import { type ByteRange, newMemory } from '../byte-source.ts'
import type { ChunkRecord } from '../format/chunk-record.ts'
import { damaged } from '../format/errors.ts'
import type { FilterDescription } from '../format/messages/filters.ts'
import type { ChunkedLayout, Layout } from '../format/messages/layout.ts'
import type { Box, StoredChunks } from '../reader.ts'
import { type BoxRuns, copyRuns, copyRunsInTurns, runsOfBox } from './box-runs.ts'
import { crossesEdge } from './chunk-box.ts'
import { chunkBytes, chunksOf } from './chunk-index.ts'
import type { ExternalRange } from './external.ts'
import { readExternal } from './external.ts'
import type { FileBytes } from './file-bytes.ts'
import type { CountMembers } from './member-count.ts'

/** What is needed of a dataset to read its values. */
export interface StoredDataset {
  readonly space: Dataspace
  /** Bytes of an element in the file. */
  readonly elementSize: number
  readonly layout: Layout
  readonly filters: readonly FilterDescription[]
  /** To be called before its chunks are listed: counts those of an index that was not listed before. */
  readonly beginChunks?: () => CountMembers
  /** One element as the file has it; absent: all bytes zero. */
  readonly fillValue?: Uint8Array
  /** The values of a contiguous dataset are in these parts of other files, one after another. */
  readonly external?: readonly ExternalRange[]
}

/** Runs the filters of a chunk backwards, perhaps in another thread; gives `length` bytes, or fewer but at least `least`. */
export type ChunkDecoder = (
  pipeline: Pipeline,
  chunk: EncodedChunk,
  length: number,
  least: number,
) => Promise<Uint8Array>

/** Reads the values of one file. */
export interface ValueSource {
  readonly bytes: FileBytes
  readonly decode: ChunkDecoder
  /** Decoded chunks of which a box needed a part, by address: the next box may need another. */
  readonly decoded: BoundedMap<number, Uint8Array>
  /** Chunks that are being decoded, by address: boxes that are read beside each other may need the same one. */
  readonly decoding: Map<number, Promise<Uint8Array>>
  /** The chunks that were inflated and kept only up to the extents: their bytes by address. */
  readonly started: Map<number, number>
}

/** Of decoded chunks that are kept. */
const MAX_DECODED_BYTES = 16 * 2 ** 20
/** Bytes of chunks, or of rows with what lies between them, that are read at once. */
const READ_AT_ONCE = 8 * 2 ** 20
/**
 * Chunks may be far larger than the extents: of longer ones that were only deflated, no more is kept than lies inside, if that is less.
 * All of a file together have so many bytes at most, which take a second: a small file could have thousands of them.
 */
const LARGE_CHUNK = 16 * 2 ** 20
const MAX_STARTED_CHUNK = 2 ** 28
const MAX_STARTED_BYTES = 2 ** 30
/** Values as short as metadata lie among it, and are read through the same cache. */
const SMALL_DATASET = 4096
/** A part of a chunk without filters is read with the rest of a chunk that is no larger. */
const SMALL_CHUNK = 64 * 1024
/** Rows that are nearer are read with what lies between them. */
const ROW_GAP = 16 * 1024
/** Rows of one read. */
const MAX_ROWS = 16_384

export function openValueSource(bytes: FileBytes, decode: ChunkDecoder = decodeInTurns()): ValueSource {
  const decoded = new BoundedMap<number, Uint8Array>(MAX_DECODED_BYTES, { weightOf: chunk => chunk.length })
  return { bytes, decode, decoded, decoding: new Map(), started: new Map() }
}

/** In this thread, which does other work between two chunks. */
export function decodeInTurns(): ChunkDecoder {
  return async (pipeline, chunk, length, least) => {
    await nextTurn()
    return decodeChunk(pipeline, chunk, length, least)
  }
}

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined
  /** The values are read into this memory if it is long enough: fresh memory costs more than the copying. */
  readonly into?: Uint8Array | undefined
}

/** Bytes of a box. Callers ask for boxes of some MiB, and for parts of chunks that have 16 MiB. */
const MAX_BOX = 2 ** 28

/** The bytes of the box; at once if they are few, and in the cache, so use `await`. Not of a virtual dataset, whose values are those of others (virtual.ts). */
export function readBox(
  source: ValueSource,
  dataset: StoredDataset,
  box: Box,
  options: ReadOptions = {},
): Uint8Array | Promise<Uint8Array> {
  const { signal, into } = options
  const { layout, elementSize, space } = dataset
  const dims = extentsOf(space)
  const byteCount = product(box.count) * elementSize
  if (byteCount === 0 || space.class === 'H5S_NULL') return new Uint8Array(0)
  // Elements may be much larger in the file than in the model: a bound of their number does not bound their bytes.
  if (byteCount > MAX_BOX) {
    const rule = `${product(box.count)} elements of ${elementSize} bytes are too many to be read at once`
    throw damaged('the values', undefined, rule)
  }
  switch (layout.class) {
    case 'compact': {
      if (layout.bytes.length < product(dims) * elementSize) {
        throw damaged('the data layout', undefined, `it holds ${layout.bytes.length} bytes of values`)
      }
      return copyBox(layout.bytes, dims, box, elementSize, into)
    }
    case 'contiguous': {
      const { address } = layout
      if (dataset.external) {
        return readRows(externalRows(dataset.external, signal), dims, box, elementSize, into)
      }
      if (address === undefined) return filled(dataset, byteCount, into)
      source.bytes.requireRange({ position: address, length: byteCount }, 'the values')
      const length = product(dims) * elementSize
      if (length <= SMALL_DATASET) {
        const bytes = source.bytes.read(address, length, 'the values')
        const copy = (all: Uint8Array) => copyBox(all, dims, box, elementSize, into)
        return bytes instanceof Promise ? bytes.then(copy) : copy(bytes)
      }
      return readRows(rowsAt(source.bytes, address, 'the values', signal), dims, box, elementSize, into)
    }
    case 'chunked':
      return readChunks(source, dataset, layout, box, options)
    case 'virtual':
      throw new Error('a virtual dataset has no values of its own')
  }
}

/** The chunks that are stored; undefined: all values are, or it is not known. */
export function storedChunks({ bytes }: ValueSource, dataset: StoredDataset): StoredChunks | undefined {
  const { layout, space } = dataset
  if (layout.class === 'contiguous' && layout.address === undefined && !dataset.external) {
    return { chunkDims: extentsOf(space), batches: none }
  }
  if (layout.class !== 'chunked' || space.class !== 'H5S_SIMPLE') return undefined
  const isFiltered = dataset.filters.length > 0
  const { beginChunks } = dataset
  return {
    chunkDims: layout.chunkDims,
    async *batches() {
      const chunked = { layout, space, isFiltered, ...(beginChunks && { count: beginChunks() }) }
      for await (const chunks of chunksOf(bytes, chunked)) yield chunks.map(({ coordinates }) => coordinates)
    },
  }
}

async function* none(): AsyncGenerator<never> {}

/** The memory of the caller, if it is long enough. */
function partOf(into: Uint8Array | undefined, length: number): Uint8Array | undefined {
  return into && into.length >= length ? into.subarray(0, length) : undefined
}

/** Bytes of elements that were never written. */
function filled({ fillValue }: StoredDataset, length: number, into: Uint8Array | undefined): Uint8Array {
  const bytes = partOf(into, length)?.fill(0) ?? new Uint8Array(length)
  if (!fillValue?.some(byte => byte !== 0)) return bytes
  bytes.set(fillValue)
  for (let done = fillValue.length; done < length; done *= 2) bytes.copyWithin(done, 0, done)
  return bytes
}

/** Bytes that are filled or copied in one turn of the event loop: a millisecond, or two in fresh memory. */
const BYTES_PER_TURN = 2 ** 20

/** The same, of megabytes. */
async function filledInTurns(
  dataset: StoredDataset,
  length: number,
  into: Uint8Array | undefined,
): Promise<Uint8Array> {
  if (length <= BYTES_PER_TURN) return filled(dataset, length, into)
  const bytes = partOf(into, length) ?? newMemory(length)
  const { elementSize } = dataset
  const step = Math.ceil(BYTES_PER_TURN / elementSize) * elementSize
  for (let start = 0; start < length; start += step) {
    const part = bytes.subarray(start, start + step)
    filled(dataset, part.length, part)
    if (isTurnOver()) await nextTurn()
  }
  return bytes
}

/** The runs of a box of an array of these extents. */
function boxRuns(dims: readonly number[], { start, count }: Box): BoxRuns {
  return runsOfBox(count, dims, start, count, zeros(count))
}

function copyBox(
  bytes: Uint8Array,
  dims: readonly number[],
  box: Box,
  elementSize: number,
  into: Uint8Array | undefined,
): Uint8Array {
  const length = product(box.count) * elementSize
  const target = partOf(into, length) ?? new Uint8Array(length)
  const isAll = length === product(dims) * elementSize
  if (isAll) target.set(bytes.subarray(0, length))
  else copyRuns(boxRuns(dims, box), elementSize, bytes, target)
  return target
}

/** The bytes of an array whose elements lie one after another; positions count from the first one. */
interface Rows {
  read(ranges: readonly ByteRange[]): Promise<readonly Uint8Array[]>
  readInto(target: Uint8Array, position: number): Promise<void>
}

function rowsAt(bytes: FileBytes, address: number, structure: string, signal: AbortSignal | undefined): Rows {
  return {
    read(ranges) {
      const shifted = ranges.map(({ position, length }) => ({ position: address + position, length }))
      return bytes.readValues(shifted, structure, signal)
    },
    readInto: (target, position) => bytes.readInto(target, address + position, structure, signal),
  }
}

function externalRows(parts: readonly ExternalRange[], signal: AbortSignal | undefined): Rows {
  const readInto = (target: Uint8Array, position: number) => readExternal(parts, target, position, signal)
  const readOne = async ({ position, length }: ByteRange) => {
    const bytes = new Uint8Array(length)
    await readInto(bytes, position)
    return bytes
  }
  return { read: ranges => Promise.all(ranges.map(readOne)), readInto }
}

/** A box of an array. One run is not copied. */
async function readRows(
  rows: Rows,
  dims: readonly number[],
  box: Box,
  size: number,
  into?: Uint8Array,
): Promise<Uint8Array> {
  const byteCount = product(box.count) * size
  const target = partOf(into, byteCount) ?? newMemory(byteCount)
  const runs = boxRuns(dims, box)
  const length = runs.length * size
  if (runs.count === 1) {
    let position = 0
    runs.each(0, 1, from => {
      position = from * size
    })
    await rows.readInto(target, position)
    return target
  }
  for (let first = 0; first < runs.count; ) {
    // As many runs as are read with at most so many bytes, those between them included.
    const ranges: { position: number; length: number }[] = []
    let span = 0
    let end = first
    runs.each(first, Math.min(runs.count, first + MAX_ROWS), from => {
      const last = ranges.at(-1)
      const position = from * size
      const gap = last ? position - last.position - last.length : 0
      span += length + (gap <= ROW_GAP ? gap : 0)
      if (span > READ_AT_ONCE && ranges.length > 0) return
      ranges.push({ position, length })
      end++
    })
    const pieces = await rows.read(ranges)
    let at = first * length
    for (const piece of pieces) {
      target.set(piece, at)
      at += length
    }
    first = end
  }
  return target
}

async function readChunks(
  source: ValueSource,
  dataset: StoredDataset,
  layout: ChunkedLayout,
  box: Box,
  { signal, into }: ReadOptions,
): Promise<Uint8Array> {
  const { space, elementSize, filters } = dataset
  if (space.class !== 'H5S_SIMPLE') throw damaged('the data layout', undefined, 'a scalar has chunks')
  if (layout.elementSize !== elementSize) {
    const rule = `its elements have ${layout.elementSize} bytes, those of the datatype ${elementSize}`
    throw damaged('the data layout', undefined, rule)
  }
  const target = await filledInTurns(dataset, product(box.count) * elementSize, into)
  const chunked = { layout, space, isFiltered: filters.length > 0 }
  const reader = new ChunkReader(source, dataset, layout, box, target)
  for await (const chunks of chunksOf(source.bytes, chunked, box)) {
    for (const group of groupsOf(chunks, chunkBytes(layout))) {
      signal?.throwIfAborted()
      await reader.read(group, signal)
    }
  }
  await reader.finish()
  return target
}

/** Chunks that take so many bytes before or after they are decoded. */
function* groupsOf(chunks: readonly ChunkRecord[], length: number): Generator<readonly ChunkRecord[]> {
  let group: ChunkRecord[] = []
  let bytes = 0
  for (const chunk of chunks) {
    group.push(chunk)
    bytes += Math.max(length, chunk.length)
    if (bytes < READ_AT_ONCE) continue
    yield group
    group = []
    bytes = 0
  }
  if (group.length > 0) yield group
}

/** Reads chunks into a box. While the chunks of a group are decoded, the bytes of the next are read. */
class ChunkReader {
  readonly #source: ValueSource
  readonly #dataset: StoredDataset
  readonly #layout: ChunkedLayout
  readonly #box: Box
  readonly #target: Uint8Array
  readonly #pipeline: Pipeline
  readonly #dims: readonly number[]
  readonly #length: number
  #decoding: Promise<unknown> = Promise.resolve()

  constructor(
    source: ValueSource,
    dataset: StoredDataset,
    layout: ChunkedLayout,
    box: Box,
    target: Uint8Array,
  ) {
    this.#source = source
    this.#dataset = dataset
    this.#layout = layout
    this.#box = box
    this.#target = target
    this.#pipeline = dataset.filters.map(({ id, clientData }) => ({ id, clientData }))
    this.#dims = extentsOf(dataset.space)
    this.#length = chunkBytes(layout)
  }

  async read(chunks: readonly ChunkRecord[], signal: AbortSignal | undefined): Promise<void> {
    const wanted: ChunkRecord[] = []
    for (const chunk of chunks) if (!(await this.#useDecoded(chunk))) wanted.push(chunk)
    const large = wanted.filter(chunk => this.#isReadByRows(chunk))
    const whole = wanted.filter(chunk => !this.#isReadByRows(chunk))
    for (const chunk of wanted) this.#check(chunk)
    const ranges = whole.map(({ address, length }) => ({ position: address, length }))
    const [pieces] = await Promise.all([
      this.#source.bytes.readValues(ranges, 'a chunk', signal),
      ...large.map(chunk => this.#copyRows(chunk, signal)),
    ])
    await this.#decoding
    this.#decoding = this.#copyAll(whole, pieces)
    // It is awaited later, and must not count as unhandled before.
    this.#decoding.catch(() => {})
  }

  async finish(): Promise<void> {
    await this.#decoding
  }

  /** True: the chunk went through no filter. */
  #isPlain({ mask, coordinates }: ChunkRecord): boolean {
    const { hasUnfilteredEdges, chunkDims } = this.#layout
    if (hasUnfilteredEdges && crossesEdge(coordinates, chunkDims, this.#dims)) return true
    return this.#pipeline.every((_, index) => (mask >>> index) & 1)
  }

  /** Of a large chunk without filters only the rows are read that the box needs. */
  #isReadByRows(chunk: ChunkRecord): boolean {
    if (this.#length <= SMALL_CHUNK || !this.#isPlain(chunk)) return false
    return !this.#isAllInside(chunk.coordinates, this.#partOf(chunk.coordinates).part)
  }

  #check(chunk: ChunkRecord): void {
    if (this.#isPlain(chunk)) {
      if (chunk.length === this.#length) return
      const rule = `it has ${chunk.length} bytes instead of ${this.#length}`
      throw damaged(nameOf(chunk), chunk.address, rule)
    }
    const isMissing = ({ id }: FilterDescription, index: number) =>
      !((chunk.mask >>> index) & 1) && !codecOf(id)
    const fault = this.#isStarted(chunk) ? undefined : decodedSizeFault(chunk.length, this.#length)
    if (fault) throw new HyperslabError('type-unsupported', `${nameOf(chunk)} cannot be read: ${fault}`)
    const missing = this.#dataset.filters.find(isMissing)
    if (!missing) return
    const name = missing.name === '' ? `${missing.id}` : `${missing.name} (${missing.id})`
    throw new HyperslabError('file-unreadable', `the filter ${name} is not available`)
  }

  #useDecoded(chunk: ChunkRecord): false | Promise<true> {
    const bytes = this.#source.decoded.use(chunk.address)
    if (bytes?.length !== this.#decodedLength(chunk)) return false
    return this.#copy(chunk, bytes).then(() => true)
  }

  async #copyAll(chunks: readonly ChunkRecord[], pieces: readonly Uint8Array[]): Promise<void> {
    const filtered: Promise<void>[] = []
    for (const [index, chunk] of chunks.entries()) {
      if (!this.#isPlain(chunk)) filtered.push(this.#copyDecoded(chunk, pieces[index]))
    }
    const decoding = Promise.all(filtered)
    // It is awaited later, and must not count as unhandled before.
    decoding.catch(() => {})
    for (const [index, chunk] of chunks.entries()) {
      if (this.#isPlain(chunk)) await this.#copy(chunk, pieces[index])
    }
    await decoding
  }

  async #copyDecoded(chunk: ChunkRecord, bytes: Uint8Array): Promise<void> {
    const decoded = await this.#decode(chunk, bytes)
    await this.#copy(chunk, decoded)
    const { part } = this.#partOf(chunk.coordinates)
    if (!this.#isAllInside(chunk.coordinates, part)) this.#source.decoded.set(chunk.address, decoded)
  }

  async #decode(chunk: ChunkRecord, bytes: Uint8Array): Promise<Uint8Array> {
    const { decoding, decode } = this.#source
    const { address, mask } = chunk
    const known = decoding.get(address)
    const length = this.#decodedLength(chunk)
    if (known && (await known).length === length) return known
    const least = this.#bytesToEnd(chunk.coordinates)
    const decoded = (
      this.#isStarted(chunk)
        ? this.#inflateStart(address, bytes, least)
        : decode(this.#pipeline, { bytes, mask }, length, least)
    )
      .then(short => padded(short, length))
      .catch(cause => {
        const why = cause instanceof Error ? cause.message : String(cause)
        throw damaged(nameOf(chunk), address, why)
      })
      .finally(() => decoding.delete(address))
    decoding.set(address, decoded)
    return decoded
  }

  /** True: the chunk is kept up to the last element that is inside the extents. */
  #isStarted({ coordinates, length, mask }: ChunkRecord): boolean {
    if (this.#length <= LARGE_CHUNK || this.#length > Math.min(MAX_STARTED_CHUNK, MAX_RATIO * length))
      return false
    const isDeflated = this.#pipeline.length === 1 && this.#pipeline[0].id === deflate.id && mask === 0
    return isDeflated && this.#bytesToEnd(coordinates) <= LARGE_CHUNK
  }

  #decodedLength(chunk: ChunkRecord): number {
    return this.#isStarted(chunk) ? this.#bytesToEnd(chunk.coordinates) : this.#length
  }

  async #inflateStart(address: number, bytes: Uint8Array, length: number): Promise<Uint8Array> {
    const { started } = this.#source
    const others = [...started].reduce((sum, [other, size]) => (other === address ? sum : sum + size), 0)
    if (others + this.#length <= MAX_STARTED_BYTES) {
      started.set(address, this.#length)
      return inflateStart(bytes, length, this.#length)
    }
    throw new Error(
      `with those before it, more than ${MAX_STARTED_BYTES} bytes of large chunks were inflated`,
    )
  }

  /** The part of the chunk that the box needs. */
  #copy({ coordinates }: ChunkRecord, bytes: Uint8Array): Promise<void> {
    const { part, inBox } = this.#partOf(coordinates)
    const runs = runsOfBox(part.count, this.#layout.chunkDims, part.start, this.#box.count, inBox)
    return copyRunsInTurns(runs, this.#dataset.elementSize, bytes, this.#target)
  }

  /** What the chunk shares with the box: in the chunk, and where it begins in the box. */
  #partOf(coordinates: readonly number[]): { part: Box; inBox: readonly number[] } {
    const { start, count } = this.#box
    const { chunkDims } = this.#layout
    const first = coordinates.map((coordinate, d) => coordinate * chunkDims[d])
    const low = first.map((from, d) => Math.max(from, start[d]))
    const high = first.map((from, d) => Math.min(from + chunkDims[d], start[d] + count[d]))
    return {
      part: { start: low.map((from, d) => from - first[d]), count: high.map((to, d) => to - low[d]) },
      inBox: low.map((from, d) => from - start[d]),
    }
  }

  /** To the last element of the chunk that is inside the extents. */
  #bytesToEnd(coordinates: readonly number[]): number {
    const { chunkDims } = this.#layout
    const last = coordinates.reduce((index, coordinate, d) => {
      const inside = Math.min(chunkDims[d], this.#dims[d] - coordinate * chunkDims[d])
      return index * chunkDims[d] + inside - 1
    }, 0)
    return (last + 1) * this.#dataset.elementSize
  }

  #isAllInside(coordinates: readonly number[], { count }: Box): boolean {
    const { chunkDims } = this.#layout
    return count.every(
      (extent, d) => extent === Math.min(chunkDims[d], this.#dims[d] - coordinates[d] * chunkDims[d]),
    )
  }

  async #copyRows({ address, coordinates }: ChunkRecord, signal: AbortSignal | undefined): Promise<void> {
    const { part, inBox } = this.#partOf(coordinates)
    const { elementSize } = this.#dataset
    const rows = rowsAt(this.#source.bytes, address, 'a chunk', signal)
    const bytes = await readRows(rows, this.#layout.chunkDims, part, elementSize)
    const runs = runsOfBox(part.count, part.count, zeros(part.count), this.#box.count, inBox)
    copyRuns(runs, elementSize, bytes, this.#target)
  }
}

/** What is missing lies beyond the extents. */
function padded(bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length === length) return bytes
  const whole = new Uint8Array(length)
  whole.set(bytes)
  return whole
}

function nameOf({ coordinates }: ChunkRecord): string {
  return `the chunk [${coordinates.join(', ')}]`
}

function zeros(count: readonly number[]): readonly number[] {
  return count.map(() => 0)
}
