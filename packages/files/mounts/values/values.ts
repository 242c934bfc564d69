// The values of the datasets of one mounted file. Those whose bytes are the storage form are read like those of stored
// domains, through the file's own index of chunks; of all others the boxes around the selection are read and converted.
// Only the selected chunks and the parts of the index that lead to them are read. Memory is that of a few pieces and
// chunks.

import { BoundedMap, ByteGate, inParallel } from '@hyperslab/base/bounded'
import { isUndecodable } from '@hyperslab/h5/filters'
import type {
  ByteSource,
  FileAddress,
  H5FileReader,
  ReadCaller,
  ReferenceResolver,
} from '@hyperslab/h5/reader'
import { extentsOf, isExtensible, product, rowSlab } from '@hyperslab/model/dataset'
import { allChunks, type ChunkPart, chunkCounts, partBox, type Selection } from '@hyperslab/model/selection'
import type { ElementsBuilder, Piece } from '@hyperslab/model/values'
import type { ChunkBytes, ChunkIndex, ChunkSpan } from '@hyperslab/store/chunks'
import {
  type ChunkLayout,
  type ChunkOnDisk,
  computedChunk,
  type IndexedValues,
  isWhollyInside,
  layoutOfChunks,
  readPortions,
  spanOf,
} from '@hyperslab/store/chunks'
import type { Allocation, Dataset, LocatedChunks, PlacedChunk, ValueParts } from '@hyperslab/store/store'
import { storedFormOf } from '../../transfer/adoption.ts'
import { boxShape } from '../../transfer/boxes.ts'
import {
  BYTES_AT_ONCE,
  type ChunkFile,
  chunksInOrder,
  fileChunks,
  fileSlabs,
  fileValues,
  locateInOrder,
} from './file-chunks.ts'
import { jointReads, type ReadBytes, rangeReads } from './joint-reads.ts'
import { StoredBoxes } from './stored-boxes.ts'
import { orUnreadable, unreadableValues } from './unreadable-values.ts'

/** Calls `decode`, and again once the targets of references are known; returns its last result. */
export type ReadResolved = <T>(decode: (resolve: ReferenceResolver) => Promise<T>) => Promise<T>

export interface MountedValuesParts extends ValueParts {
  readonly reader: H5FileReader
  /** The source that the reader reads; its stamp is part of the names of chunks that are kept decoded. */
  readonly source: ByteSource
  readonly readResolved: ReadResolved
  /** The path of an object, for messages. */
  readonly pathOf: (address: FileAddress) => string
}

/** The way in which a dataset is read. */
interface Plan {
  readonly layout: ChunkLayout
  /** Absent: its values must be converted; the chunks of the layout are boxes. */
  readonly index?: ChunkIndex
  /** The chunks as they are stored, where they are too large to be read as a whole, or are in several files. */
  readonly onDisk?: { readonly layout: ChunkLayout; readonly index: ChunkIndex }
}

/** The number of objects that are kept decoded. @limit memory, datasets */
const MAX_ALLOCATIONS = 32_768

/** Reads of one dataset at once. @limit safety, reads */
const MAX_PARALLEL_READS = 256
/** Larger chunks without filters are read row by row. */
const LARGE_CHUNK = 16 * 2 ** 20

export class MountedValues {
  readonly #parts: MountedValuesParts
  readonly #readBytes: ReadBytes
  /**
   * Counts of the chunks of datasets, and promises of those that are being counted.
   * @limit speed, datasets, bench/results.md#062-limits-of-speed
   */
  readonly #allocations = new BoundedMap<FileAddress, Allocation | Promise<Allocation>>(MAX_ALLOCATIONS)
  readonly #boxes = new ByteGate(BYTES_AT_ONCE)

  constructor(parts: MountedValuesParts) {
    this.#parts = parts
    this.#readBytes = jointReads(parts.source)
  }

  /**
   * `Reader.readPieces`. A part that cannot be read is HyperslabError `values-unreadable`, which names the dataset and
   * the part.
   */
  async *read(
    dataset: Dataset,
    address: FileAddress,
    selection: Selection,
    caller: ReadCaller = {},
  ): AsyncGenerator<Piece> {
    try {
      const { layout, index } = await this.#plan(dataset, address)
      yield* index
        ? this.#inFile(layout, index).read(selection, caller.signal)
        : this.#readBoxes(layout, address, selection, caller)
    } catch (error) {
      throw unreadableValues(error, this.#parts.pathOf(address), dataset.id)
    }
  }

  /** `Reader.storedChunks`. Converted values are returned without filters. */
  async *storedChunks(dataset: Dataset, address: FileAddress, span?: ChunkSpan): AsyncGenerator<ChunkBytes> {
    try {
      const { layout, index } = await this.#plan(dataset, address)
      const { chunkDims = [] } = dataset.creationProperties
      if (!index || chunkDims.join() !== layout.grid.chunkDims.join()) {
        yield* spanOf(this.#convertedChunks(dataset, address), span)
        return
      }
      const canGrow = isExtensible(dataset.space)
      for await (const chunk of this.#inFile(layout, index).chunks(dataset, span)) {
        // The file may have any bytes outside the extents.
        const isInside = !canGrow || isWhollyInside(layout.grid, chunk.coordinates)
        const isKept = isInside || isUndecodable(layout.pipeline ?? [], chunk.mask)
        yield isKept ? chunk : this.#wholeChunk(dataset, address, chunk.coordinates)
      }
    } catch (error) {
      throw unreadableValues(error, this.#parts.pathOf(address), dataset.id)
    }
  }

  /** `Reader.chunkOnDisk`. Chunks that are converted count as stored. */
  async chunkOnDisk(
    dataset: Dataset,
    address: FileAddress,
    coordinates: readonly number[],
  ): Promise<ChunkOnDisk | undefined> {
    try {
      const plan = await this.#plan(dataset, address)
      const { layout, index } = plan.onDisk ?? plan
      const { layout: kind, chunkDims = [] } = dataset.creationProperties
      const isSameGrid = kind === 'H5D_CHUNKED' && chunkDims.join() === layout.grid.chunkDims.join()
      return index && isSameGrid ? await this.#inFile(layout, index).chunkOnDisk(coordinates) : {}
    } catch (error) {
      throw unreadableValues(error, this.#parts.pathOf(address), dataset.id)
    }
  }

  /** `Reader.placedChunks` for a dataset of the file. */
  async placedChunks(
    dataset: Dataset,
    address: FileAddress,
  ): Promise<AsyncIterable<PlacedChunk> | undefined> {
    const { layout, index } = await this.#plan(dataset, address)
    const { layout: kind, chunkDims } = dataset.creationProperties
    const isOtherGrid = kind === 'H5D_CHUNKED' && chunkDims?.join() !== layout.grid.chunkDims.join()
    if (!index || isOtherGrid) return undefined
    return orUnreadable(this.#inFile(layout, index).places(), this.#parts.pathOf(address), dataset.id)
  }

  /** `Reader.locateChunks` for a dataset of the file. */
  async locateChunks(
    dataset: Dataset,
    address: FileAddress,
    { signal }: ReadCaller = {},
  ): Promise<LocatedChunks | undefined> {
    const { reader, pathOf } = this.#parts
    const stored = await reader.chunkRanges?.(address)
    if (!stored) return undefined
    const { chunkDims } = stored
    const located = locateInOrder({ dims: extentsOf(dataset.space), chunkDims }, stored, signal)
    return { chunkDims, batches: orUnreadable(located, pathOf(address), dataset.id) }
  }

  /**
   * `Reader.requireValues`. Chunks that are read in the storage form are compared with the file when their addresses
   * are looked up.
   */
  async requireValues(dataset: Dataset, address: FileAddress, caller: ReadCaller = {}): Promise<void> {
    try {
      const { index } = await this.#plan(dataset, address)
      if (!index) await this.#parts.reader.requireValues?.(address, caller)
    } catch (error) {
      throw unreadableValues(error, this.#parts.pathOf(address), dataset.id)
    }
  }

  /** `Reader.allocation`, by one walk over the index of chunks; the answer comes at once when the walk is over. */
  allocation(dataset: Dataset, address: FileAddress): Allocation | Promise<Allocation> {
    const known = this.#allocations.get(address)
    if (known) return known
    const counting = this.#allocation(dataset, address)
    this.#allocations.set(address, counting)
    counting.then(
      counted => this.#allocations.set(address, counted),
      () => undefined,
    )
    return counting
  }

  async #allocation({ space, creationProperties }: Dataset, address: FileAddress): Promise<Allocation> {
    const { layout, chunkDims } = creationProperties
    const { chunks, bytes } = (await this.#parts.reader.allocation?.(address)) ?? { chunks: 0, bytes: 0 }
    if (chunks === 0 || layout === 'H5D_CHUNKED' || chunkDims === undefined) return { chunks, bytes }
    // All of it is there.
    return { chunks: product(chunkCounts({ dims: extentsOf(space), chunkDims })), bytes }
  }

  async #plan(dataset: Dataset, address: FileAddress): Promise<Plan> {
    const { reader, source, pieceBytes } = this.#parts
    const file = {
      size: source.size,
      stamp: source.stamp,
      readBytes: this.#readBytes,
      readRanges: rangeReads(source),
    }
    const layout = layoutOfChunks(dataset, pieceBytes)
    const { dims, chunkDims } = layout.grid
    const isChunked = dataset.creationProperties.layout === 'H5D_CHUNKED'
    const stored = await reader.storedBytes?.(address)
    if (stored?.layout === 'contiguous') {
      const slabs = { ...layout, grid: { dims, chunkDims: rowSlab(dims, layout.elementSize) } }
      return { layout: slabs, index: fileSlabs(slabs, stored, file) }
    }
    const form = stored && storedFormOf(dataset, stored)
    const inFile = stored && form && { layout, index: fileChunks(layout, stored, file) }
    if (inFile && (form.pipeline || form.chunkBytes <= LARGE_CHUNK)) return inFile
    const { elementBytes = layout.elementSize } = await reader.dataset(address)
    const pieceElements = Math.max(1, Math.min(layout.pieceElements, Math.floor(pieceBytes / elementBytes)))
    const boxDims = boxShape(dims, isChunked ? chunkDims : undefined, pieceElements)
    const boxes = { ...layout, pieceElements, grid: { dims, chunkDims: boxDims } }
    const onDisk = inFile ?? (await this.#inParts(dataset, address, layout, file))
    return { layout: boxes, ...(onDisk && { onDisk }) }
  }

  /** The chunks of a joined dataset, if its files store them as they are. */
  async #inParts(
    dataset: Dataset,
    address: FileAddress,
    layout: ChunkLayout,
    file: ChunkFile,
  ): Promise<Plan['onDisk']> {
    const ranges = await this.#parts.reader.partRanges?.(address)
    return ranges && storedFormOf(dataset, ranges) && { layout, index: fileChunks(layout, ranges, file) }
  }

  #inFile(layout: ChunkLayout, index: ChunkIndex): IndexedValues {
    return fileValues(this.#parts, layout, index, MAX_PARALLEL_READS)
  }

  async *#readBoxes(
    layout: ChunkLayout,
    address: FileAddress,
    selection: Selection,
    caller: ReadCaller,
  ): AsyncGenerator<Piece> {
    const stored = await this.#storedBoxes(layout, address, caller)
    const reader: Parameters<typeof readPortions>[0] = {
      pool: this.#parts.pool,
      get missing() {
        return stored?.missing
      },
      isComplete: true,
      fetch: (parts, builder) =>
        inParallel(parts, MAX_PARALLEL_READS, part =>
          this.#gatherBox(layout, address, part, builder.elements, caller),
        ),
    }
    yield* readPortions(reader, layout, selection, stored?.list, caller.signal)
  }

  /** Undefined: all boxes may be stored. */
  async #storedBoxes(
    layout: ChunkLayout,
    address: FileAddress,
    caller: ReadCaller,
  ): Promise<StoredBoxes | undefined> {
    const { reader, readResolved } = this.#parts
    const stored = await reader.storedChunks(address)
    if (!stored || layout.grid.dims.length === 0) return undefined
    const ones = layout.grid.dims.map(() => 1)
    return new StoredBoxes(layout.grid, stored, start =>
      readResolved(resolve => reader.readValues(address, start, ones, resolve, caller)),
    )
  }

  async #gatherBox(
    { grid, elementSize }: ChunkLayout,
    address: FileAddress,
    chunkPart: ChunkPart,
    builder: ElementsBuilder,
    caller: ReadCaller,
  ): Promise<void> {
    const { start, count, part } = partBox(chunkPart, grid)
    const bytes = product(count) * elementSize
    await this.#boxes.pass(bytes, async () => {
      caller.signal?.throwIfAborted()
      const { reader, readResolved, pool } = this.#parts
      // After a failure other parts may still be read into it.
      const into = pool.take(bytes)
      const options = { ...caller, into }
      const elements = await readResolved(resolve =>
        reader.readValues(address, start, count, resolve, options),
      )
      builder.gather(part, elements)
      pool.give(into)
    })
  }

  async *#convertedChunks(dataset: Dataset, address: FileAddress): AsyncGenerator<ChunkBytes> {
    const { grid } = layoutOfChunks(dataset, this.#parts.pieceBytes)
    const stored = await this.#parts.reader.storedChunks(address)
    const isSameGrid = stored?.chunkDims.join() === grid.chunkDims.join()
    if (stored && isSameGrid) {
      for await (const chunks of chunksInOrder(grid, stored.batches())) {
        for (const coordinates of chunks) yield this.#wholeChunk(dataset, address, coordinates)
      }
      return
    }
    for (const coordinates of allChunks(grid)) {
      yield this.#wholeChunk(dataset, address, coordinates)
    }
  }

  #wholeChunk(dataset: Dataset, address: FileAddress, coordinates: readonly number[]): ChunkBytes {
    const layout = layoutOfChunks(dataset, this.#parts.pieceBytes)
    return computedChunk(layout, dataset, coordinates, box => this.read(dataset, address, box))
  }
}
