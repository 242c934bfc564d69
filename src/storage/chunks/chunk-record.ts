// The record of a chunk says where its values are: inline, in a key beside it, or in a blob; or, where all elements were
// written as the same one, it holds that element itself. No other file looks at `at`. `version` is fresh with every
// write of the chunk, so that any change shows in the record alone.
//
// The values in a key or a blob are the packed elements in row-major order over the full chunk shape, cut after the last
// one inside the extents, and then their heap. Elements outside the extents have the fill value. Where filters have been applied, the
// elements are those of the full chunk shape, and what is stored is what the filters of the dataset made of it all.

import type { ObjectId } from '../../hdf5/object-id.ts'
import { blobName, type ChunkBlob } from '../records/blob-name.ts'
import { objectKey } from '../records/keys.ts'
import { decodeRecord, encodeRecord, tailOf } from '../records/record.ts'

export type ChunkRecord = StoredChunk | RepeatedChunk

export interface StoredChunk {
  readonly at: 'inline' | 'blob'
  readonly version: string
  /** Bytes of the packed elements. */
  readonly dataLength: number
  /** Bytes of the heap, which follows them. */
  readonly heapLength: number
  /** Absent: the values are stored as they are. */
  readonly filtered?: FilteredValues
}

/** All elements are the same one; filters do not apply. */
export interface RepeatedChunk {
  readonly at: 'record'
  readonly version: string
  /** Bytes of the packed element, and of its heap. */
  readonly dataLength: number
  readonly heapLength: number
  readonly filtered?: undefined
  /** Extents of the part of the chunk, from its first element on, that is this one; elsewhere it has the fill value. */
  readonly inside: readonly number[]
  /** The packed element and its heap. */
  readonly element: Uint8Array
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

/** A chunk of a dataset. `coordinates` as chunk-key.ts encodes them. */
export interface ChunkAddress {
  readonly dataset: ObjectId
  readonly coordinates: Uint8Array
}

export function encodeChunkRecord(record: ChunkRecord): Uint8Array {
  if (!isRepeated(record)) return encodeRecord(record)
  const { element, ...head } = record
  return encodeRecord(head, element)
}

export function decodeChunkRecord(bytes: Uint8Array): ChunkRecord {
  const record = decodeRecord<StoredChunk | Omit<RepeatedChunk, 'element'>>(bytes)
  return record.at === 'record' ? { ...record, element: tailOf(bytes) } : record
}

export function chunkKey({ dataset, coordinates }: ChunkAddress): Uint8Array {
  return objectKey(dataset, 'chunk', coordinates)
}

export function valuesKey({ dataset, coordinates }: ChunkAddress): Uint8Array {
  return objectKey(dataset, 'values', coordinates)
}

/** Whether the record itself holds the one element that the chunk repeats. */
export function isRepeated(record: ChunkRecord): record is RepeatedChunk {
  return record.at === 'record'
}

/** Whether the values are in the key beside the record. */
export function isInline(record: ChunkRecord): boolean {
  return record.at === 'inline'
}

/** The blob that the record names; undefined: the values are elsewhere. */
export function blobOf(address: ChunkAddress, record: ChunkRecord): string | undefined {
  return record.at === 'blob' ? valuesName(address, record) : undefined
}

/** A name for the values, the same only for the same bytes: that of their blob, whether they have one or not. */
export function valuesName(address: ChunkAddress, { version }: ChunkRecord): string {
  return blobName({ ...address, version })
}

/** Whether the record of a chunk, as it is stored, names a blob of the chunk. */
export function isBlobNamed(
  { version }: Pick<ChunkBlob, 'version'>,
  stored: Uint8Array | undefined,
): boolean {
  if (stored === undefined) return false
  try {
    const record = decodeChunkRecord(stored)
    return record.at === 'blob' && record.version === version
  } catch {
    // It is not known what a damaged record named.
    return true
  }
}
