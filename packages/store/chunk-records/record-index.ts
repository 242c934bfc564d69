// The records of the store as an index of chunks.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import type { ChunkBox } from '@hyperslab/model/selection'
import type { Reads } from '../changes.ts'
import type { ChunkIndex, ChunkSpan, FoundChunk, ListedChunk } from '../chunks/chunk-index.ts'
import type { ChunkLayout } from '../chunks/chunk-layout.ts'
import { successor } from '../key-range.ts'
import { objectPartRange, restOfObjectKey } from '../records/keys.ts'
import { decodeCoordinates } from './chunk-key.ts'
import {
  addressOf,
  type ChunkAddress,
  type ChunkRecord,
  chunkKey,
  decodeChunkRecord,
  isInline,
  valuesKey,
} from './chunk-record.ts'
import { presentValues, recordedChunk } from './recorded-chunk.ts'
import type { ValueSource } from './value-source.ts'

/** Chunks that are looked up at once; their inline values are in memory. */
const LOOKUPS = 64

interface IndexParts {
  readonly reads: Pick<Reads, 'getMany' | 'range'>
  readonly source: ValueSource
  readonly layout: ChunkLayout
}

export function recordIndex(
  reads: Pick<Reads, 'getMany' | 'range'>,
  source: ValueSource,
  layout: ChunkLayout,
): ChunkIndex {
  const parts = { reads, source, layout }
  return {
    lookups: LOOKUPS,
    isComplete: false,
    find: chunks => findChunks(parts, chunks),
    all: span => listChunks(parts, span),
    listStored: (box, most) => listStored(parts, box, most),
  }
}

async function findChunks(
  { reads, source, layout }: IndexParts,
  chunks: readonly (readonly number[])[],
): Promise<readonly (FoundChunk | undefined)[]> {
  const addresses = chunks.map((chunk): ChunkAddress => addressOf(layout, chunk))
  // Small values are in one chunk, beside its record: both are read together.
  const keys =
    addresses.length === 1
      ? [...addresses.map(chunkKey), ...addresses.map(valuesKey)]
      : addresses.map(chunkKey)
  const read = await reads.getMany(keys)
  const records = read.slice(0, addresses.length).map(bytes => bytes && decodeChunkRecord(bytes))
  const values: (Uint8Array | undefined)[] = read.slice(addresses.length)
  const inline: number[] = []
  for (const [i, record] of records.entries()) if (record && isAtHand(record)) inline.push(i)
  if (inline.length > values.length) {
    const found = await reads.getMany(inline.map(i => valuesKey(addresses[i])))
    for (const [at, i] of inline.entries()) values[i] = found[at]
  }
  return records.map((record, i): FoundChunk | undefined => {
    if (!record) return undefined
    const bytes = isAtHand(record) ? presentValues(addresses[i], record, values[i]) : undefined
    return recordedChunk(source, layout, addresses[i], record, bytes)
  })
}

/** Whether the values are read with the record. */
function isAtHand(record: ChunkRecord): boolean {
  return isInline(record) && !record.filtered
}

async function* listChunks(parts: IndexParts, { from, count }: ChunkSpan = {}): AsyncIterable<ListedChunk> {
  const { reads, source, layout } = parts
  const { dataset, grid } = layout
  if (from && count === 1) {
    const [chunk] = await findChunks(parts, [from])
    if (chunk) yield { coordinates: from, chunk }
    return
  }
  const range = {
    ...objectPartRange(dataset, 'chunk'),
    ...(from && { start: chunkKey(addressOf(layout, from)) }),
    ...(count !== undefined && { limit: count }),
  }
  for await (const { key, value } of reads.range(range)) {
    const coordinates = decodeCoordinates(restOfObjectKey(key))
    // This is the record of the domain's file, which has coordinates that no chunk has.
    if (coordinates.length !== grid.dims.length) continue
    const record = decodeChunkRecord(value)
    yield { coordinates, chunk: recordedChunk(source, layout, addressOf(layout, coordinates), record) }
  }
}

async function listStored(
  { reads, layout }: IndexParts,
  { low, high }: ChunkBox,
  most: number,
): Promise<readonly (readonly number[])[] | undefined> {
  const last = high.map(end => end - 1)
  const range = {
    start: chunkKey(addressOf(layout, low)),
    end: successor(chunkKey(addressOf(layout, last))),
    limit: most + 1,
  }
  const chunks: (readonly number[])[] = []
  let read = 0
  for await (const { key } of reads.range(range)) {
    if (++read > most) return undefined
    const chunk = decodeCoordinates(restOfObjectKey(key))
    if (chunk.every((index, d) => index >= low[d] && index < high[d])) chunks.push(chunk)
    if (isTurnOver()) await nextTurn()
  }
  return chunks
}
