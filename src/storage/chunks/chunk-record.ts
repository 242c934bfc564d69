// The record of a chunk says where its values are: inline, in a key beside it, or in a blob. `version` is fresh with
// every write of the chunk, so who has read the record notices any change without comparing the values.
//
// The values are the packed elements in row-major order over the full chunk shape, cut after the last one inside the
// extents, and then their heap. Elements outside the extents have the fill value. Where filters have been applied, the
// elements are those of the full chunk shape, and what is stored is what the filters of the dataset made of it all.

import type { ObjectId } from '../../hdf5/object-id.ts'
import { blobName } from '../records/blob-name.ts'
import { objectKey } from '../records/keys.ts'
import { decodeRecord, encodeRecord } from '../records/record.ts'

export interface ChunkRecord {
  readonly at: 'inline' | 'blob'
  readonly version: string
  /** Bytes of the packed elements. */
  readonly dataLength: number
  /** Bytes of the heap, which follows them. */
  readonly heapLength: number
  /** Absent: the values are stored as they are. */
  readonly filtered?: FilteredValues
}

export interface FilteredValues {
  /** Bytes that are stored. */
  readonly length: number
  /** Bit i is set: filter i of the dataset was not applied. */
  readonly mask: number
}

/** Bytes that are stored for the values. */
export function storedBytes({ dataLength, heapLength, filtered }: ChunkRecord): number {
  return filtered?.length ?? dataLength + heapLength
}

/** Which chunk, of which dataset. `coordinates` as chunk-key.ts gives them. */
export interface ChunkPlace {
  readonly dataset: ObjectId
  readonly coordinates: Uint8Array
}

export function encodeChunkRecord(record: ChunkRecord): Uint8Array {
  return encodeRecord(record)
}

export function decodeChunkRecord(bytes: Uint8Array): ChunkRecord {
  return decodeRecord<ChunkRecord>(bytes)
}

export function chunkKey({ dataset, coordinates }: ChunkPlace): Uint8Array {
  return objectKey(dataset, 'chunk', coordinates)
}

export function valuesKey({ dataset, coordinates }: ChunkPlace): Uint8Array {
  return objectKey(dataset, 'values', coordinates)
}

/** The blob that the record names. */
export function blobOf(place: ChunkPlace, { version }: ChunkRecord): string {
  return blobName({ ...place, version })
}
