// The chunks of a box: read in groups, decoded, and copied into the box once. While the chunks of a group are decoded,
// the bytes of the next are read.

import type { AbortCheck } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { extentsOf, product } from '@hyperslab/model/dataset'
import type { Box } from '../../file-reader.ts'
import { codecOf } from '../../filters/codecs.ts'
import { MAX_RATIO } from '../../filters/compression/installed.ts'
import { decodedSizeFault } from '../../filters/decoded-size.ts'
import { deflate, inflateStart } from '../../filters/deflate.ts'
import type { Pipeline } from '../../filters/pipeline.ts'
import { damaged } from '../../format/errors.ts'
import type { ChunkIndexRecord } from '../../format/indexes/chunk-index-record.ts'
import type { FilterDescription } from '../../format/messages/filters.ts'
import type { ChunkedLayout } from '../../format/messages/layout.ts'
import { filledInTurns } from './box-memory.ts'
import { copyRuns, copyRunsInTurns, runsOfBox } from './box-runs.ts'
import { crossesEdge } from './chunk-box.ts'
import { chunkBytes, chunksOf } from './chunk-index.ts'
import { READ_AT_ONCE, readRows, rowsAt, zeros } from './rows.ts'
import type { ReadOptions, StoredDataset, ValueSource } from './value-source.ts'

/**
 * The size above which a chunk that was only deflated is kept only up to the extents: a chunk may be far larger than
 * they are. All such chunks of a file together have at most this number of bytes, which take a second, since a small
 * file could have thousands of them.
 */
const LARGE_CHUNK = 16 * 2 ** 20
/** Bytes of a chunk beyond which only the elements inside the extents are kept. @limit memory, bytes */
const MAX_STARTED_CHUNK = 2 ** 28
/** Bytes of such chunks of one file. @limit safety, bytes */
const MAX_STARTED_BYTES = 2 ** 30
/** The size up to which an unfiltered chunk is read as a whole even if only a part is needed. */
const SMALL_CHUNK = 64 * 1024

/** The bytes of a box of a dataset in chunks. */
export async function readChunks(
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

/** Chunks that take this number of bytes before or after they are decoded. */
function* groupsOf(
  chunks: readonly ChunkIndexRecord[],
  length: number,
): Generator<readonly ChunkIndexRecord[]> {
  let group: ChunkIndexRecord[] = []
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

/** Reads chunks into a box. */
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

  async read(chunks: readonly ChunkIndexRecord[], signal: AbortCheck | undefined): Promise<void> {
    const wanted: ChunkIndexRecord[] = []
    for (const chunk of chunks) if (!(await this.#useDecoded(chunk))) wanted.push(chunk)
    const large = wanted.filter(chunk => this.#isReadByRows(chunk))
    const whole = wanted.filter(chunk => !this.#isReadByRows(chunk))
    for (const chunk of wanted) this.#check(chunk)
    const ranges = whole.map(({ address, length }) => ({ position: address, length }))
    const [pieces] = await Promise.all([
      this.#source.bytes.readValues(ranges, 'a chunk'),
      ...large.map(chunk => this.#copyRows(chunk, signal)),
    ])
    await this.#decoding
    this.#decoding = this.#copyAll(whole, pieces)
    // It is awaited later; until then a failure must not count as unhandled.
    this.#decoding.catch(() => {})
  }

  async finish(): Promise<void> {
    await this.#decoding
  }

  /** True: the chunk went through no filter. */
  #isPlain({ mask, coordinates }: ChunkIndexRecord): boolean {
    const { hasUnfilteredEdges, chunkDims } = this.#layout
    if (hasUnfilteredEdges && crossesEdge(coordinates, chunkDims, this.#dims)) return true
    return this.#pipeline.every((_, index) => (mask >>> index) & 1)
  }

  /** A large chunk without filters is read by rows: only the rows that the box needs. */
  #isReadByRows(chunk: ChunkIndexRecord): boolean {
    if (this.#length <= SMALL_CHUNK || !this.#isPlain(chunk)) return false
    return !this.#isAllInside(chunk.coordinates, this.#partOf(chunk.coordinates).part)
  }

  #check(chunk: ChunkIndexRecord): void {
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

  #useDecoded(chunk: ChunkIndexRecord): false | Promise<true> {
    const bytes = this.#source.decoded.use(chunk.address)
    if (bytes?.length !== this.#decodedLength(chunk)) return false
    return this.#copy(chunk, bytes).then(() => true)
  }

  async #copyAll(chunks: readonly ChunkIndexRecord[], pieces: readonly Uint8Array[]): Promise<void> {
    const filtered: Promise<void>[] = []
    for (const [index, chunk] of chunks.entries()) {
      if (!this.#isPlain(chunk)) filtered.push(this.#copyDecoded(chunk, pieces[index]))
    }
    const decoding = Promise.all(filtered)
    // It is awaited later; until then a failure must not count as unhandled.
    decoding.catch(() => {})
    for (const [index, chunk] of chunks.entries()) {
      if (this.#isPlain(chunk)) await this.#copy(chunk, pieces[index])
    }
    await decoding
  }

  async #copyDecoded(chunk: ChunkIndexRecord, bytes: Uint8Array): Promise<void> {
    const decoded = await this.#decode(chunk, bytes)
    await this.#copy(chunk, decoded)
    const { part } = this.#partOf(chunk.coordinates)
    if (!this.#isAllInside(chunk.coordinates, part)) this.#source.decoded.set(chunk.address, decoded)
  }

  async #decode(chunk: ChunkIndexRecord, bytes: Uint8Array): Promise<Uint8Array> {
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
        const reason = cause instanceof Error ? cause.message : String(cause)
        throw damaged(nameOf(chunk), address, reason)
      })
      .finally(() => decoding.delete(address))
    decoding.set(address, decoded)
    return decoded
  }

  /** True: the chunk is kept up to the last element that is inside the extents. */
  #isStarted({ coordinates, length, mask }: ChunkIndexRecord): boolean {
    if (this.#length <= LARGE_CHUNK || this.#length > Math.min(MAX_STARTED_CHUNK, MAX_RATIO * length))
      return false
    const isDeflated = this.#pipeline.length === 1 && this.#pipeline[0].id === deflate.id && mask === 0
    return isDeflated && this.#bytesToEnd(coordinates) <= LARGE_CHUNK
  }

  #decodedLength(chunk: ChunkIndexRecord): number {
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
  #copy({ coordinates }: ChunkIndexRecord, bytes: Uint8Array): Promise<void> {
    const { part, inBox } = this.#partOf(coordinates)
    const runs = runsOfBox(part.count, this.#layout.chunkDims, part.start, this.#box.count, inBox)
    return copyRunsInTurns(runs, this.#dataset.elementSize, bytes, this.#target)
  }

  /** The part that the chunk shares with the box, in the chunk, and its beginning in the box. */
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

  /** The number of bytes to the last element of the chunk that is inside the extents. */
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

  async #copyRows({ address, coordinates }: ChunkIndexRecord, signal: AbortCheck | undefined): Promise<void> {
    const { part, inBox } = this.#partOf(coordinates)
    const { elementSize } = this.#dataset
    const rows = rowsAt(this.#source.bytes, address, 'a chunk', signal)
    const bytes = await readRows(rows, this.#layout.chunkDims, part, elementSize)
    const runs = runsOfBox(part.count, part.count, zeros(part.count), this.#box.count, inBox)
    copyRuns(runs, elementSize, bytes, this.#target)
  }
}

/** The bytes with zeros up to a length: missing bytes are beyond the extents. */
function padded(bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length === length) return bytes
  const whole = new Uint8Array(length)
  whole.set(bytes)
  return whole
}

function nameOf({ coordinates }: ChunkIndexRecord): string {
  return `the chunk [${coordinates.join(', ')}]`
}
