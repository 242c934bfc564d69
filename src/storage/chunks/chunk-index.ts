// Where the chunks of a dataset are looked up: among the records of the store, or, for a file that is served where it is, in the
// file's own index (src/mounts).

import { isTurnOver, nextTurn } from '../../bounded/turns.ts'
import type { ChunkLayout } from '../../chunks/chunk-layout.ts'
import type { ListStored } from '../../chunks/portions.ts'
import type { Reads } from '../changes.ts'
import { successor } from '../key-range.ts'
import { objectPartRange, restOfObjectKey } from '../records/keys.ts'
import { decodeCoordinates, encodeCoordinates } from './chunk-key.ts'
import {
  type ChunkAddress,
  type ChunkRecord,
  chunkKey,
  decodeChunkRecord,
  isInline,
  valuesKey,
} from './chunk-record.ts'

export interface ChunkIndex {
  /** Chunks that are looked up at once. */
  readonly lookups: number
  /** True: every element inside the extents is stored. */
  readonly isComplete: boolean
  /** In the order in which they are asked for; undefined: the chunk is not stored. */
  find(chunks: readonly (readonly number[])[]): Promise<readonly (FoundChunk | undefined)[]>
  /** All that are stored, in the order of their coordinates. */
  all(): AsyncIterable<ListedChunk>
  /** Absent: to look chunks up is as cheap. */
  readonly listStored?: ListStored
}

export interface FoundChunk {
  readonly address: ChunkAddress
  readonly record: ChunkRecord
  /** The values of an inline chunk that went through no filter. */
  readonly values?: Uint8Array | undefined
}

export interface ListedChunk {
  readonly coordinates: readonly number[]
  readonly record: ChunkRecord
}

/** Inline values of as many are held. */
const LOOKUPS = 64

/** The records of the store. */
export function recordIndex(
  reads: Pick<Reads, 'getMany' | 'range'>,
  { dataset, grid }: ChunkLayout,
): ChunkIndex {
  return {
    lookups: LOOKUPS,
    isComplete: false,
    async find(chunks) {
      const addresses = chunks.map(chunk => ({ dataset, coordinates: encodeCoordinates(chunk) }))
      const records = await reads.getMany(addresses.map(chunkKey))
      const inline: { readonly address: ChunkAddress; values?: Uint8Array | undefined }[] = []
      const found = records.map((bytes, i): FoundChunk | undefined => {
        if (bytes === undefined) return undefined
        const chunk = { address: addresses[i], record: decodeChunkRecord(bytes), values: undefined }
        if (isInline(chunk.record) && !chunk.record.filtered) inline.push(chunk)
        return chunk
      })
      if (inline.length > 0) {
        const values = await reads.getMany(inline.map(({ address }) => valuesKey(address)))
        for (let i = 0; i < inline.length; i++) inline[i].values = values[i]
      }
      return found
    },
    async *all() {
      for await (const { key, value } of reads.range(objectPartRange(dataset, 'chunk'))) {
        const coordinates = decodeCoordinates(restOfObjectKey(key))
        // The record of the domain's file has coordinates that no chunk has.
        if (coordinates.length === grid.dims.length) yield { coordinates, record: decodeChunkRecord(value) }
      }
    },
    async listStored({ low, high }, most) {
      const last = high.map(end => end - 1)
      const range = {
        start: chunkKey({ dataset, coordinates: encodeCoordinates(low) }),
        end: successor(chunkKey({ dataset, coordinates: encodeCoordinates(last) })),
        limit: most + 1,
      }
      const found: (readonly number[])[] = []
      let read = 0
      for await (const { key } of reads.range(range)) {
        if (++read > most) return undefined
        const chunk = decodeCoordinates(restOfObjectKey(key))
        if (chunk.every((index, d) => index >= low[d] && index < high[d])) found.push(chunk)
        if (isTurnOver()) await nextTurn()
      }
      return found
    },
  }
}
