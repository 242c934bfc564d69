// Reading a selection in pieces of a few MiB. While a piece is used the next one is fetched, and no more than that.
// Of a chunk in a blob, unless it is filtered, a few runs are read one by one, straight to their places in the piece;
// of many, all bytes between the first and the last selected element.

import { type ChunkPart, type Selection, selectionCount } from '../../hdf5/selection/selection.ts'
import { splitSelection } from '../../hdf5/selection/split.ts'
import { ElementsBuilder } from '../../hdf5/values/copy.ts'
import { type Elements, EMPTY_HEAP } from '../../hdf5/values/elements.ts'
import { Turns } from '../../turns.ts'
import type { Reads } from '../changes.ts'
import { inParallel } from '../in-parallel.ts'
import type { AbortCheck } from '../store.ts'
import type { BufferPool } from './buffer-pool.ts'
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
import { encodeCoordinates } from './chunk-key.ts'
import { type ChunkLayout, chunkElements } from './chunk-layout.ts'
import {
  type ChunkAddress,
  chunkKey,
  decodeChunkRecord,
  isInline,
  isRepeated,
  placeOf,
  type StoredChunk,
  valuesKey,
} from './chunk-record.ts'
import { planInTurns } from './plan.ts'

/** Chunks that are looked up at once; inline values of as many are held. */
const LOOKUP_BATCH = 64
/** Blobs that are read at once. */
const PARALLEL_READS = 8

export interface ReadParts {
  readonly reads: Reads
  readonly source: ValueSource
  readonly pool: BufferPool
}

/** A piece's bytes are valid until the next one is asked for. */
export async function* readSelection(
  parts: ReadParts,
  layout: ChunkLayout,
  selection: Selection,
  signal?: AbortCheck,
): AsyncGenerator<Elements> {
  const pieces = (await splitForReading(selection, layout))[Symbol.iterator]()
  let ahead = fetchNext(parts, layout, pieces)
  try {
    for (;;) {
      const piece = await ahead?.elements
      if (!ahead || !piece) return
      const { buffer } = ahead
      ahead = fetchNext(parts, layout, pieces)
      yield piece
      parts.pool.give(buffer)
      signal?.throwIfAborted()
    }
  } finally {
    if (ahead) {
      await Promise.allSettled([ahead.elements])
      parts.pool.give(ahead.buffer)
    }
  }
}

/** Decoded bytes of the chunks of one piece, above which a chunk will be decoded again for the next piece. */
const WIDE_BYTES = 2 ** 25
/** Larger pieces are then worth their memory. */
const WIDE_PIECE_BYTES = 2 ** 24

/** A piece that crosses many filtered chunks takes as much of each as memory allows: each time they are decoded anew. */
async function splitForReading(selection: Selection, layout: ChunkLayout): Promise<Iterable<Selection>> {
  const { grid, pipeline, pieceElements, elementSize } = layout
  const isWide = pipeline !== undefined && (await decodesMuch(selection, layout))
  return splitSelection(selection, grid, isWide ? WIDE_PIECE_BYTES / elementSize : pieceElements)
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
function fetchNext(parts: ReadParts, layout: ChunkLayout, pieces: Iterator<Selection>): Fetch | undefined {
  const next = pieces.next()
  if (next.done) return undefined
  const buffer = parts.pool.take(selectionCount(next.value) * layout.elementSize)
  const elements = fetchPiece(parts, layout, next.value, buffer)
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
  const builder = new ElementsBuilder(layout.type, selectionCount(selection), buffer)
  // Whatever is not stored keeps the fill value.
  if (layout.fillValue) builder.fill(layout.fillValue)
  let batch: ChunkPart[] = []
  // Chunks that are not stored, or are in memory, are read without ever waiting.
  const turns = new Turns()
  for (const part of await planInTurns(selection, layout.grid)) {
    batch.push(part)
    if (batch.length < LOOKUP_BATCH) continue
    await fetchParts(parts, layout, batch, builder, buffer)
    batch = []
    await turns.next()
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
  { reads, source, pool }: ReadParts,
  layout: ChunkLayout,
  batch: readonly ChunkPart[],
  builder: ElementsBuilder,
  buffer: Uint8Array,
): Promise<void> {
  const addresses = batch.map(({ chunk }) => ({
    dataset: layout.dataset,
    coordinates: encodeCoordinates(chunk),
  }))
  const records = await reads.getMany(addresses.map(chunkKey))
  const inline: StoredPart[] = []
  const others: StoredPart[] = []
  for (const [i, bytes] of records.entries()) {
    const [part, address] = [batch[i], addresses[i]]
    if (bytes === undefined) {
      if (layout.initializer || layout.filled) gatherMissing(layout, part, builder)
      continue
    }
    const record = decodeChunkRecord(bytes)
    if (!isRepeated(record)) {
      const list = isInline(record) && !record.filtered ? inline : others
      list.push({ part, address, record })
      continue
    }
    const repeated = repeatedIn(layout, record)
    if (isAllInside(layout, part.chunk, repeated)) builder.repeat(part, repeated.element)
    else builder.gather(part, await readChunk(source, layout, part.chunk, address, record))
  }
  if (inline.length > 0) {
    const values = await reads.getMany(inline.map(({ address }) => valuesKey(address)))
    inline.forEach(({ part, address, record }, i) => {
      const found = elementsOf(layout, record, presentValues(address, record, values[i]))
      builder.gather(part, withFill(layout, found, part.end))
    })
  }
  await inParallel(others, PARALLEL_READS, async stored => {
    const { part, address, record } = stored
    if (record.filtered) {
      return useFiltered(source, layout, address, record, record.filtered, elements =>
        builder.gather(part, withFill(layout, elements, part.end)),
      )
    }
    if (!layout.isVariableSize) return fetchFixed(source, pool, layout, stored, builder, buffer)
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
  source: ValueSource,
  pool: BufferPool,
  layout: ChunkLayout,
  { part, address, record }: StoredPart,
  builder: ElementsBuilder,
  buffer: Uint8Array,
): Promise<void> {
  const { elementSize } = layout
  const { blob, offset } = placeOf(address, record)
  const storedEnd = record.dataLength / elementSize
  const runs = fewRuns(part, elementSize)
  if (runs !== undefined) {
    for (const { chunkOffset, selectionOffset, length } of runs) {
      const stored = Math.min(length, storedEnd - chunkOffset)
      if (stored <= 0) continue
      const into = buffer.subarray(selectionOffset * elementSize, (selectionOffset + stored) * elementSize)
      await readBlob(source, blob, offset + chunkOffset * elementSize, into)
    }
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
