// Reading a selection in pieces of up to 2 MiB. While a piece is used the next one is fetched, and no more than that.
// Of a chunk in a blob, unless it is filtered, a few runs are read one by one, straight to their places in the piece;
// of many, all bytes between the first and the last selected element.

import { type ChunkPart, type Selection, selectionCount } from '../../hdf5/selection/selection.ts'
import { splitSelection } from '../../hdf5/selection/split.ts'
import { ElementsBuilder } from '../../hdf5/values/copy.ts'
import { type Elements, EMPTY_HEAP } from '../../hdf5/values/elements.ts'
import { nextTurn } from '../../turns.ts'
import { inParallel } from '../in-parallel.ts'
import type { AbortCheck } from '../store.ts'
import type { BufferPool } from './buffer-pool.ts'
import type { ChunkIndex } from './chunk-index.ts'
import {
  elementsOf,
  filledIn,
  isAllInside,
  missingElements,
  presentValues,
  readBlob,
  readChunk,
  repeatedIn,
  useFiltered,
  type ValueSource,
  withFill,
} from './chunk-io.ts'
import { type ChunkLayout, chunkElements } from './chunk-layout.ts'
import { type ChunkAddress, isInline, isRepeated, locateBlob, type StoredChunk } from './chunk-record.ts'
import { planInTurns } from './plan.ts'

export interface ReadParts {
  readonly index: ChunkIndex
  readonly source: ValueSource
  readonly pool: BufferPool
  /** Chunks that are read at once. */
  readonly parallelReads: number
}

/** A piece's bytes are valid until the next one is asked for. */
export function readSelection(
  parts: ReadParts,
  layout: ChunkLayout,
  selection: Selection,
  signal?: AbortCheck,
): AsyncGenerator<Elements> {
  const fetch: FetchPiece = (piece, buffer) => fetchPiece(parts, layout, piece, buffer)
  return fetchPieces(() => splitForReading(selection, layout), layout.elementSize, parts.pool, fetch, signal)
}

/** The elements of a piece, which may lie in the buffer: it has as many bytes as they take. */
export type FetchPiece = (piece: Selection, buffer: Uint8Array) => Promise<Elements>

/** The pieces one after another, of which one is fetched ahead. Its bytes are valid until the next one is asked for. */
export async function* fetchPieces(
  split: () => Iterable<Selection> | Promise<Iterable<Selection>>,
  elementSize: number,
  pool: BufferPool,
  fetch: FetchPiece,
  signal?: AbortCheck,
): AsyncGenerator<Elements> {
  const pieces = (await split())[Symbol.iterator]()
  const fetchNext = () => beginNext(pieces, elementSize, pool, fetch)
  let ahead = fetchNext()
  try {
    for (;;) {
      const piece = await ahead?.elements
      if (!ahead || !piece) return
      const { buffer } = ahead
      ahead = fetchNext()
      yield piece
      pool.give(buffer)
      signal?.throwIfAborted()
    }
  } finally {
    if (ahead) {
      await Promise.allSettled([ahead.elements])
      pool.give(ahead.buffer)
    }
  }
}

/**
 * A socket of Linux takes some 2.5 MiB at once (`tcp_wmem`): to read and send values in pieces of 4 MiB takes up to twice the
 * processor time.
 */
const MAX_PIECE_BYTES = 2 ** 21

/** Decoded bytes of the chunks of one piece, above which a chunk will be decoded again for the next piece. */
const WIDE_BYTES = 2 ** 25
/** Larger pieces are then worth their memory. */
const WIDE_PIECE_BYTES = 2 ** 24

/** A piece that crosses many filtered chunks takes as much of each as memory allows: each time they are decoded anew. */
async function splitForReading(selection: Selection, layout: ChunkLayout): Promise<Iterable<Selection>> {
  const { grid, pipeline, pieceElements, elementSize } = layout
  const isWide = pipeline !== undefined && (await decodesMuch(selection, layout))
  const narrow = Math.min(pieceElements, MAX_PIECE_BYTES / elementSize)
  return splitSelection(selection, grid, isWide ? WIDE_PIECE_BYTES / elementSize : narrow)
}

/** Judged by the first piece. */
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

interface Fetch {
  readonly elements: Promise<Elements>
  readonly buffer: Uint8Array
}

/** Begins to fetch the next piece; undefined when there is none. */
function beginNext(
  pieces: Iterator<Selection>,
  elementSize: number,
  pool: BufferPool,
  fetch: FetchPiece,
): Fetch | undefined {
  const next = pieces.next()
  if (next.done) return undefined
  const buffer = pool.take(selectionCount(next.value) * elementSize)
  const elements = fetch(next.value, buffer)
  // The failure is thrown when the piece is awaited; until then it must not count as unhandled.
  elements.catch(() => {})
  return { elements, buffer }
}

async function fetchPiece(
  parts: ReadParts,
  layout: ChunkLayout,
  selection: Selection,
  buffer: Uint8Array,
): Promise<Elements> {
  const { isComplete, lookups } = parts.index
  const builder = new ElementsBuilder(layout.type, selectionCount(selection), buffer, isComplete)
  // Whatever is not stored keeps the fill value.
  if (layout.fillValue && !isComplete) builder.fill(layout.fillValue)
  let batch: ChunkPart[] = []
  // Chunks that are not stored, or are in memory, are read without ever waiting.
  for (const part of await planInTurns(selection, layout.grid)) {
    batch.push(part)
    if (batch.length < lookups) continue
    await fetchParts(parts, layout, batch, builder, buffer)
    batch = []
    await nextTurn()
  }
  await fetchParts(parts, layout, batch, builder, buffer)
  return builder.finish()
}

interface StoredPart {
  readonly part: ChunkPart
  readonly address: ChunkAddress
  readonly record: StoredChunk
}

async function fetchParts(
  parts: ReadParts,
  layout: ChunkLayout,
  batch: readonly ChunkPart[],
  builder: ElementsBuilder,
  buffer: Uint8Array,
): Promise<void> {
  const { index, source, parallelReads } = parts
  const others: StoredPart[] = []
  for (const [i, found] of (await index.find(batch.map(({ chunk }) => chunk))).entries()) {
    const part = batch[i]
    if (found === undefined) {
      if (layout.initializer || layout.filled) gatherMissing(layout, part, builder)
      continue
    }
    const { address, record, values } = found
    if (isRepeated(record)) {
      const repeated = repeatedIn(layout, record)
      if (isAllInside(layout, part.chunk, repeated)) builder.repeat(part, repeated.element)
      else builder.gather(part, await readChunk(source, layout, part.chunk, address, record))
    } else if (isInline(record) && !record.filtered) {
      const elements = elementsOf(layout, record, presentValues(address, record, values))
      builder.gather(part, withFill(layout, elements, part.end))
    } else {
      others.push({ part, address, record })
    }
  }
  await inParallel(others, parallelReads, async stored => {
    const { part, address, record } = stored
    if (record.filtered) {
      return useFiltered(source, layout, address, record, record.filtered, elements =>
        builder.gather(part, withFill(layout, elements, part.end)),
      )
    }
    if (!layout.isVariableSize) return fetchFixed(parts, layout, stored, builder, buffer)
    builder.gather(part, await readChunk(source, layout, part.chunk, address, record))
  })
}

/** What a chunk that is not stored has instead of the fill value. */
function gatherMissing(layout: ChunkLayout, part: ChunkPart, builder: ElementsBuilder): void {
  const { chunk, first, end } = part
  const filled = filledIn(layout, chunk)
  if (filled && isAllInside(layout, chunk, filled)) builder.repeat(part, filled.element)
  else builder.gather(part, missingElements(layout, chunk, first, end - first), first)
}

/** The bytes between the first and the last selected element of a chunk, to their places in the piece. */
async function fetchFixed(
  { source, pool, parallelReads }: ReadParts,
  layout: ChunkLayout,
  { part, address, record }: StoredPart,
  builder: ElementsBuilder,
  buffer: Uint8Array,
): Promise<void> {
  const { elementSize } = layout
  const { blob, offset } = locateBlob(address, record)
  const storedEnd = record.dataLength / elementSize
  const runs = fewRuns(part, elementSize)
  if (runs !== undefined) {
    await inParallel(runs, parallelReads, async ({ chunkOffset, selectionOffset, length }) => {
      const stored = Math.min(length, storedEnd - chunkOffset)
      if (stored <= 0) return
      const into = buffer.subarray(selectionOffset * elementSize, (selectionOffset + stored) * elementSize)
      await readBlob(source, blob, offset + chunkOffset * elementSize, into)
    })
    return
  }
  const stored = Math.min(part.end, storedEnd) - part.first
  if (stored <= 0) return
  const scratch = pool.take(stored * elementSize)
  try {
    await readBlob(source, blob, offset + part.first * elementSize, scratch)
    const found = { count: stored, data: scratch, heap: EMPTY_HEAP }
    builder.gather(part, withFill(layout, found, part.end - part.first), part.first)
  } finally {
    pool.give(scratch)
  }
}

/** A read costs about as much as reading so many bytes more. */
const BYTES_OF_A_READ = 2 ** 14

interface Run {
  readonly chunkOffset: number
  readonly selectionOffset: number
  readonly length: number
}

/** The runs of a part, if to read each by itself costs no more than to read what lies between them as well. */
function fewRuns(part: ChunkPart, elementSize: number): readonly Run[] | undefined {
  const between = Math.max(0, part.end - part.first - part.count) * elementSize
  const most = 1 + between / BYTES_OF_A_READ
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
