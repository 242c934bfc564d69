// Reads a selection in portions of up to 2 MiB of stored values. While one is used the next one is fetched, and no
// further one. If a selection has few runs in an unfiltered chunk of a blob, they are read one by one, directly to
// their offsets in the piece; if it has many, all bytes between the first and the last selected element are read.

import { type AbortCheck, inParallel, nextTurn, type TargetRange } from '@hyperslab/base/bounded'
import {
  type ChunkPart,
  planParts,
  type Selection,
  selectionCount,
  splitSelection,
} from '@hyperslab/model/selection'
import { type Elements, ElementsBuilder, EMPTY_HEAP, type Piece } from '@hyperslab/model/values'
import type { BufferPool } from './buffer-pool.ts'
import type { ChunkFilters } from './chunk-filters.ts'
import type { ChunkIndex, PatchedChunk, StoredChunk, WholeChunk } from './chunk-index.ts'
import { type ChunkLayout, chunkElements } from './chunk-layout.ts'
import { listWritten, missingElement } from './missing-chunks.ts'
import { applyPatches } from './patches.ts'
import { planInTurns } from './plan.ts'
import { BufferLayout, LEAST_GAP, PortionBuilder } from './portion-builder.ts'
import { type Portion, type PortionOptions, portionsOf } from './portions.ts'
import {
  elementsOf,
  filledIn,
  isAllInside,
  missingElements,
  readChunk,
  useFiltered,
  withFill,
} from './read-chunk.ts'

export interface ReadParts {
  readonly index: ChunkIndex
  readonly filters: ChunkFilters
  readonly pool: BufferPool
  /** Chunks that are read at once. */
  readonly parallelReads: number
}

/** Reads a selection. The bytes of a piece are valid until the next one is requested. */
export async function* readSelection(
  parts: ReadParts,
  layout: ChunkLayout,
  selection: Selection,
  signal?: AbortCheck,
): AsyncGenerator<Piece> {
  const missing = missingElement(layout)
  const reader: PortionReader = {
    pool: parts.pool,
    missing,
    isComplete: parts.index.isComplete,
    fetch: (chunkParts, builder) => fetchChunks(parts, layout, chunkParts, { builder, signal }),
  }
  const only = onlyPart(selection, layout)
  if (only) {
    const { pieces, buffer } = await fetchPieces({ selection }, [only], layout, reader)
    for (const piece of pieces) {
      yield piece
      signal?.throwIfAborted()
    }
    parts.pool.give(buffer)
    return
  }
  const { listStored } = parts.index
  const options = {
    ...(await portionSizes(selection, layout)),
    grid: layout.grid,
    listStored: missing && listStored && listWritten(layout, listStored),
  }
  yield* fetchPortions(portionsOf(selection, options), layout, reader, signal)
}

/** The only part of a selection that is in one chunk and is one piece, as most small ones are; undefined for others. */
function onlyPart(
  selection: Selection,
  { grid, pieceElements, elementSize }: ChunkLayout,
): ChunkPart | undefined {
  if (selection.kind !== 'hyperslab') return undefined
  if (selectionCount(selection) > Math.min(pieceElements, MAX_PIECE_BYTES / elementSize)) return undefined
  const [first, second] = planParts(selection, grid)
  return second ? undefined : first
}

/** The functions that read the chunks of portions. */
interface PortionReader {
  readonly pool: BufferPool
  /** The element in the gaps between the parts of a portion. Undefined: all portions are whole. */
  readonly missing: Elements | undefined
  /** True: all elements of the parts are written. */
  readonly isComplete: boolean
  /** Reads the parts of a portion into the builder, which has them where they are in its buffer. */
  readonly fetch: (parts: Iterable<ChunkPart>, builder: PortionBuilder) => Promise<void>
}

interface FetchedPortion {
  readonly pieces: readonly Piece[]
  readonly buffer: Uint8Array
}

/** Reads a selection by the reader, in portions of as many elements as the layout says. */
export function readPortions(
  reader: PortionReader,
  layout: ChunkLayout,
  selection: Selection,
  listStored?: ChunkIndex['listStored'],
  signal?: AbortCheck,
): AsyncIterable<Piece> {
  const { grid, pieceElements: elements } = layout
  return fetchPortions(portionsOf(selection, { grid, elements, listStored }), layout, reader, signal)
}

/** The pieces of portions one after another, of which one is fetched ahead. */
async function* fetchPortions(
  portions: AsyncIterable<Portion>,
  layout: ChunkLayout,
  reader: PortionReader,
  signal?: AbortCheck,
): AsyncGenerator<Piece> {
  const next = portions[Symbol.asyncIterator]()
  const fetchNext = () => {
    const fetched = fetchPortion(next, layout, reader)
    // The failure is thrown when the portion is awaited; until then it must not count as unhandled.
    fetched.catch(() => {})
    return fetched
  }
  let ahead = fetchNext()
  try {
    for (;;) {
      const fetched = await ahead
      if (!fetched) return
      ahead = fetchNext()
      for (const piece of fetched.pieces) {
        yield piece
        signal?.throwIfAborted()
      }
      reader.pool.give(fetched.buffer)
    }
  } finally {
    const [last] = await Promise.allSettled([ahead])
    // After a failure other chunks may still be read into it.
    if (last.status === 'fulfilled' && last.value) reader.pool.give(last.value.buffer)
  }
}

/** The next portion; undefined: there is none. */
async function fetchPortion(
  portions: AsyncIterator<Portion>,
  layout: ChunkLayout,
  reader: PortionReader,
): Promise<FetchedPortion | undefined> {
  const next = await portions.next()
  if (next.done) return undefined
  const portion = next.value
  const parts = portion.parts ?? (await planInTurns(portion.selection, layout.grid))
  return fetchPieces(portion, parts, layout, reader)
}

async function fetchPieces(
  portion: Portion,
  parts: Iterable<ChunkPart>,
  layout: ChunkLayout,
  { pool, missing, isComplete, fetch }: PortionReader,
): Promise<FetchedPortion> {
  // Short gaps keep the fill value if the buffer begins with it and the gaps have that value.
  const leastGap = isComplete || layout.filled ? 1 : LEAST_GAP
  const bufferLayout = new BufferLayout(portion, leastGap)
  const buffer = pool.take(bufferLayout.room * layout.elementSize)
  const builder = new PortionBuilder(layout, bufferLayout, buffer, missing, isComplete)
  await fetch(bufferLayout.inBuffer(parts), builder)
  return { pieces: builder.finish(), buffer }
}

/**
 * Bytes of a piece of an answer. A socket of Linux takes some 2.5 MiB at once (`tcp_wmem`): reading and sending values
 * in pieces of 4 MiB takes up to twice the processor time.
 * @limit speed, bytes, bench/values.bench.mjs
 */
const MAX_PIECE_BYTES = 2 ** 21

/** Decoded bytes of the chunks of one piece, above which a chunk will be decoded again for the next piece. */
const WIDE_BYTES = 2 ** 25
/** The size of pieces for such chunks: larger pieces are worth their memory. */
const WIDE_PIECE_BYTES = 2 ** 24

/**
 * The sizes of portions. One that crosses many filtered chunks takes as much of each as memory allows, because the next
 * portion decodes them again.
 */
async function portionSizes(
  selection: Selection,
  layout: ChunkLayout,
): Promise<Pick<PortionOptions, 'elements' | 'elementsOfMany' | 'manyChunks'>> {
  const { grid, pipeline, pieceElements, elementSize } = layout
  const narrow = Math.min(pieceElements, MAX_PIECE_BYTES / elementSize)
  if (!pipeline) return { elements: narrow }
  const wide = WIDE_PIECE_BYTES / elementSize
  const manyChunks = WIDE_BYTES / (chunkElements(grid) * elementSize)
  return {
    elements: (await decodesMuch(selection, layout)) ? wide : narrow,
    elementsOfMany: wide,
    manyChunks,
  }
}

/** Whether a read decodes many chunks, judged by its first piece. */
async function decodesMuch(
  selection: Selection,
  { grid, pieceElements, elementSize }: ChunkLayout,
): Promise<boolean> {
  const [first] = splitSelection(selection, grid, pieceElements)
  if (first === undefined) return false
  const most = WIDE_BYTES / (chunkElements(grid) * elementSize)
  let chunks = 0
  for (const _ of await planInTurns(first, grid)) if (++chunks > most) return true
  return false
}

interface ChunkTarget {
  readonly builder: PortionBuilder
  /** No further chunk is read once it aborts. */
  readonly signal: AbortCheck | undefined
}

/** Finds the chunks of these parts and reads their stored values. */
async function fetchChunks(
  parts: ReadParts,
  layout: ChunkLayout,
  chunkParts: Iterable<ChunkPart>,
  target: ChunkTarget,
): Promise<void> {
  const { lookups } = parts.index
  let batch: ChunkPart[] = []
  // Chunks that are not stored, or are in memory, are read without ever waiting.
  for (const part of chunkParts) {
    batch.push(part)
    if (batch.length < lookups) continue
    await fetchParts(parts, layout, batch, target)
    batch = []
    await nextTurn()
  }
  await fetchParts(parts, layout, batch, target)
}

interface StoredPart {
  readonly part: ChunkPart
  readonly stored: StoredChunk
}

async function fetchParts(
  parts: ReadParts,
  layout: ChunkLayout,
  batch: readonly ChunkPart[],
  { builder, signal }: ChunkTarget,
): Promise<void> {
  signal?.throwIfAborted()
  const { index, filters, parallelReads } = parts
  const others: { readonly part: ChunkPart; readonly stored: StoredChunk | PatchedChunk }[] = []
  for (const [i, entry] of (await index.find(batch.map(({ chunk }) => chunk))).entries()) {
    const part = batch[i]
    if (entry === undefined) {
      gatherMissing(layout, part, builder)
    } else if ('patches' in entry) {
      others.push({ part, stored: entry })
    } else if ('element' in entry) {
      if (isAllInside(layout, part.chunk, entry)) builder.repeat(part, entry.element)
      else builder.elements.gather(part, await readChunk(filters, layout, part.chunk, entry))
    } else if (entry.values) {
      const elements = elementsOf(layout, entry, entry.values)
      builder.elements.gather(part, withFill(layout, elements, part.end))
    } else {
      others.push({ part, stored: entry })
    }
  }
  await inParallel(others, parallelReads, async ({ part, stored }) => {
    signal?.throwIfAborted()
    if ('patches' in stored) return fetchPatched(parts, layout, part, stored, builder)
    if (stored.filtered) {
      return useFiltered(filters, layout, part.chunk, stored, stored.filtered, elements =>
        builder.elements.gather(part, withFill(layout, elements, part.end)),
      )
    }
    if (!layout.isVariableSize) return fetchFixed(parts, layout, { part, stored }, builder)
    builder.elements.gather(part, await readChunk(filters, layout, part.chunk, stored))
  })
}

function gatherMissing(layout: ChunkLayout, part: ChunkPart, builder: PortionBuilder): void {
  const { chunk, first, end } = part
  const filled = filledIn(layout, chunk)
  if (filled && isAllInside(layout, chunk, filled)) builder.repeat(part, filled.element)
  else if (filled || layout.initializer)
    builder.elements.gather(part, missingElements(layout, chunk, first, end - first), first)
  else builder.leave(part)
}

/** Reads the bytes between the first and the last selected element of a chunk to their offsets in the piece. */
async function fetchFixed(
  { pool, parallelReads }: ReadParts,
  layout: ChunkLayout,
  { part, stored }: StoredPart,
  builder: PortionBuilder,
): Promise<void> {
  const { elementSize } = layout
  // The fill value must be there before bytes are read to their offsets.
  const { elements, buffer } = builder
  const storedEnd = stored.dataLength / elementSize
  const { readRanges } = stored
  const runs = fewRuns(part, elementSize, readRanges ? BYTES_OF_A_SHORT_READ : BYTES_OF_A_READ)
  if (runs !== undefined && readRanges) {
    const ranges: TargetRange[] = []
    for (const { chunkOffset, selectionOffset, length } of runs) {
      const count = Math.min(length, storedEnd - chunkOffset)
      const [position, offset] = [chunkOffset * elementSize, selectionOffset * elementSize]
      if (count > 0) ranges.push({ position, offset, length: count * elementSize })
    }
    return readRanges(ranges, buffer)
  }
  if (runs !== undefined) {
    await inParallel(runs, parallelReads, async ({ chunkOffset, selectionOffset, length }) => {
      const count = Math.min(length, storedEnd - chunkOffset)
      if (count <= 0) return
      const into = buffer.subarray(selectionOffset * elementSize, (selectionOffset + count) * elementSize)
      await stored.read(chunkOffset * elementSize, into)
    })
    return
  }
  const count = Math.min(part.end, storedEnd) - part.first
  if (count <= 0) return
  // After a failure other bytes may still be read into it.
  const scratch = pool.take(count * elementSize)
  await stored.read(part.first * elementSize, scratch)
  const found = { count, data: scratch, heap: EMPTY_HEAP }
  elements.gather(part, withFill(layout, found, part.end - part.first), part.first)
  pool.give(scratch)
}

/** Reads the elements between the first and the last selected one, and applies the patches. */
async function fetchPatched(
  { filters, pool }: ReadParts,
  layout: ChunkLayout,
  part: ChunkPart,
  stored: PatchedChunk,
  builder: PortionBuilder,
): Promise<void> {
  const { chunk, first, end } = part
  // After a failure other bytes may still be read into it.
  const scratch = pool.take((end - first) * layout.elementSize)
  const window = new ElementsBuilder(layout.type, end - first, scratch, true)
  await readWindow(filters, layout, chunk, stored.base, { first, end, scratch, window })
  await applyPatches(window, first, stored.patches(first, end))
  builder.elements.gather(part, window.finish(), first)
  pool.give(scratch)
}

/** The elements of a chunk from `first` to `end`, as a builder in `scratch` has them. */
interface Window {
  readonly first: number
  readonly end: number
  readonly scratch: Uint8Array
  readonly window: ElementsBuilder
}

async function readWindow(
  filters: ChunkFilters,
  layout: ChunkLayout,
  chunk: readonly number[],
  base: WholeChunk | undefined,
  { first, end, scratch, window }: Window,
): Promise<void> {
  const count = end - first
  const copy = (elements: Elements): void => window.copy(withFill(layout, elements, end), first, 0, count)
  if (base === undefined) {
    window.copy(missingElements(layout, chunk, first, count), 0, 0, count)
  } else if ('element' in base) {
    copy(await readChunk(filters, layout, chunk, base))
  } else if (base.filtered) {
    await useFiltered(filters, layout, chunk, base, base.filtered, copy)
  } else if (base.values || layout.isVariableSize) {
    copy(await readChunk(filters, layout, chunk, base))
  } else {
    const stored = Math.max(0, Math.min(end, base.dataLength / layout.elementSize) - first)
    if (stored < count) window.fill(layout.fillValue)
    if (stored > 0) {
      await base.read(first * layout.elementSize, scratch.subarray(0, stored * layout.elementSize))
    }
  }
}

/** A read costs about as much as this number of further bytes. */
const BYTES_OF_A_READ = 2 ** 14
/** The same for one of `readRanges`. */
const BYTES_OF_A_SHORT_READ = 2 ** 12

interface Run {
  readonly chunkOffset: number
  readonly selectionOffset: number
  readonly length: number
}

/** The runs of a part, if reading each by itself costs no more than reading the bytes between them too. */
function fewRuns(part: ChunkPart, elementSize: number, bytesOfRead: number): readonly Run[] | undefined {
  const between = Math.max(0, part.end - part.first - part.count) * elementSize
  const most = 1 + between / bytesOfRead
  const runs: Run[] = []
  part.runs((chunkOffset, chunkStride, selectionOffset, length) => {
    if (chunkStride === 1) {
      if (runs.length <= most) runs.push({ chunkOffset, selectionOffset, length })
      return
    }
    for (let i = 0; i < length && runs.length <= most; i++) {
      runs.push({
        chunkOffset: chunkOffset + i * chunkStride,
        selectionOffset: selectionOffset + i,
        length: 1,
      })
    }
  })
  return runs.length <= most ? runs : undefined
}
