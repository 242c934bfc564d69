// The records of the store as an index of chunks.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import type { Reads } from '../changes.ts'
import type { ChunkIndex, FoundChunk } from '../chunks/chunk-index.ts'
import type { ChunkLayout } from '../chunks/chunk-layout.ts'
import { successor } from '../key-range.ts'
import { objectPartRange, restOfObjectKey } from '../records/keys.ts'
import { decodeCoordinates, encodeCoordinates } from './chunk-key.ts'
import {
  addressOf,
  type ChunkAddress,
  chunkKey,
  decodeChunkRecord,
  isInline,
  valuesKey,
} from './chunk-record.ts'
import { presentValues, recordedChunk } from './recorded-chunk.ts'
import type { ValueSource } from './value-source.ts'

/** Chunks that are looked up at once; their inline values are in memory. */
const LOOKUPS = 64

export function recordIndex(
  reads: Pick<Reads, 'getMany' | 'range'>,
  source: ValueSource,
  layout: ChunkLayout,
): ChunkIndex {
  const { dataset, grid } = layout
  const find: ChunkIndex['find'] = async chunks => {
    const addresses = chunks.map((chunk): ChunkAddress => addressOf(layout, chunk))
    const records = (await reads.getMany(addresses.map(chunkKey))).map(
      bytes => bytes && decodeChunkRecord(bytes),
    )
    const inline: number[] = []
    for (const [i, record] of records.entries())
      if (record && isInline(record) && !record.filtered) inline.push(i)
    const values: (Uint8Array | undefined)[] = []
    if (inline.length > 0) {
      const found = await reads.getMany(inline.map(i => valuesKey(addresses[i])))
      for (const [at, i] of inline.entries()) values[i] = found[at]
    }
    return records.map((record, i): FoundChunk | undefined => {
      if (!record) return undefined
      const isAtHand = isInline(record) && !record.filtered
      const bytes = isAtHand ? presentValues(addresses[i], record, values[i]) : undefined
      return recordedChunk(source, layout, addresses[i], record, bytes)
    })
  }
  return {
    lookups: LOOKUPS,
    isComplete: false,
    find,
    async *all({ from, count } = {}) {
      if (from && count === 1) {
        const [chunk] = await find([from])
        if (chunk) yield { coordinates: from, chunk }
        return
      }
      const every = objectPartRange(dataset, 'chunk')
      const range = {
        ...every,
        ...(from && { start: chunkKey({ dataset, coordinates: encodeCoordinates(from) }) }),
        ...(count !== undefined && { limit: count }),
      }
      for await (const { key, value } of reads.range(range)) {
        const coordinates = decodeCoordinates(restOfObjectKey(key))
        // This is the record of the domain's file, which has coordinates that no chunk has.
        if (coordinates.length !== grid.dims.length) continue
        const record = decodeChunkRecord(value)
        yield { coordinates, chunk: recordedChunk(source, layout, addressOf(layout, coordinates), record) }
      }
    },
    async listStored({ low, high }, most) {
      const last = high.map(end => end - 1)
      const range = {
        start: chunkKey({ dataset, coordinates: encodeCoordinates(low) }),
        end: successor(chunkKey({ dataset, coordinates: encodeCoordinates(last) })),
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
    },
  }
}
