// The record of a chunk says where its values are: inline, in a key beside it; in a blob of its own; or in the file
// that the domain was imported from, which is one blob. If all elements are equal, the record holds that element
// itself. `version` is fresh with every write of these values.
//
// Small parts of a chunk that were written later are patches, in keys of their own beside the chunk (patches.ts), and
// the record has their numbers, and names the blobs that hold the bytes of larger ones. A chunk of which only patches
// were written has no other values. So every change of a chunk changes its record.
//
// The values in a key or a blob are the packed elements in row-major order over the full chunk shape, cut after the
// last one inside the extents, and then their heap. Elements outside the extents have the fill value. Where filters
// have been applied, the elements are those of the full chunk shape, and their bytes are stored as the filters of the
// dataset have encoded them. The same holds for values in a file and for those that a file's writer has filtered, but
// outside the extents of a dataset that cannot grow the elements may have any value.

import { type ObjectId, rootOf } from '@hyperslab/model/names'
import type { ChunkLayout } from '../chunks/chunk-layout.ts'
import { blobName, type ChunkBlob } from '../records/blob-name.ts'
import { objectKey } from '../records/keys.ts'
import { decodeRecord, encodeRecord, tailOf } from '../records/record.ts'
import { encodeCoordinates } from './chunk-key.ts'

export type ChunkRecord = StoredChunk | RepeatedChunk | UnstoredChunk

export type StoredChunk = OwnChunk | FileChunk

interface WithPatches {
  /** Absent: the chunk has no patches. */
  readonly patches?: PatchNumbers
}

/** The numbers of the patches of a chunk, from `from` up to `to`, and the bytes of all of them. */
export interface PatchNumbers {
  readonly from: number
  readonly to: number
  readonly bytes: number
  /** The blobs that hold bytes of patches; absent: all bytes are in the keys. */
  readonly blobs?: PatchBlobs
}

export interface PatchBlobs {
  /** The versions in the order of the patches. */
  readonly versions: readonly string[]
  /** Bytes of the patches that are in these blobs. */
  readonly bytes: number
}

interface StoredLengths extends WithPatches {
  readonly version: string
  /** Bytes of the packed elements. */
  readonly dataLength: number
  /** Bytes of the heap, which follows them. */
  readonly heapLength: number
  /** Absent: the values are stored as they are. */
  readonly filtered?: FilteredValues
}

/** The values are stored for this chunk alone. */
export interface OwnChunk extends StoredLengths {
  readonly at: 'inline' | 'blob'
}

/** The values are bytes of the file that the domain was imported from. */
export interface FileChunk extends StoredLengths {
  readonly at: 'file'
  /** The version of that file. */
  readonly file: string
  /** The offset of the values in the file. */
  readonly offset: number
}

/** All elements are the same one; filters do not apply. */
export interface RepeatedChunk extends WithPatches {
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

/** There are only patches; all other elements are those of a chunk that is not stored. */
export interface UnstoredChunk extends WithPatches {
  readonly at: 'none'
  readonly version: string
  readonly dataLength: 0
  readonly heapLength: 0
  readonly filtered?: undefined
}

export interface FilteredValues {
  /** Bytes that are stored. */
  readonly length: number
  /** Bit i is set: filter i of the dataset was not applied. */
  readonly mask: number
  /** The filters were applied by the program that wrote the imported file, so the bytes may be damaged. */
  readonly isForeign?: true
}

/** Bytes that are stored for the values, with the patches. */
export function storedBytes(record: ChunkRecord): number {
  return baseBytes(record) + (record.patches?.bytes ?? 0)
}

/** Bytes that are stored for the values under the patches. */
export function baseBytes({ dataLength, heapLength, filtered }: ChunkRecord): number {
  return filtered?.length ?? dataLength + heapLength
}

/** The change of the stored chunks and bytes when one record of a chunk replaces another. */
export function difference(
  from: ChunkRecord | undefined,
  to: ChunkRecord | undefined,
): { readonly chunks: number; readonly bytes: number } {
  return {
    chunks: (to ? 1 : 0) - (from ? 1 : 0),
    bytes: (to ? storedBytes(to) : 0) - (from ? storedBytes(from) : 0),
  }
}

/** Whether the values are bytes of an imported file, taken over without decoding them. */
export function isTakenOver(record: ChunkRecord): boolean {
  return isInFile(record) || record.filtered?.isForeign === true
}

/** A chunk of a dataset. `coordinates` as chunk-key.ts encodes them. */
export interface ChunkAddress {
  readonly dataset: ObjectId
  readonly coordinates: Uint8Array
}

export function addressOf({ dataset }: Pick<ChunkLayout, 'dataset'>, chunk: readonly number[]): ChunkAddress {
  return { dataset, coordinates: encodeCoordinates(chunk) }
}

/** The address as a key of a map. */
export function nameOfChunk({ dataset, coordinates }: ChunkAddress): string {
  return dataset + Buffer.from(coordinates).toString('latin1')
}

export function encodeChunkRecord(record: ChunkRecord): Uint8Array {
  if (!isRepeated(record)) return encodeRecord(record)
  const { element, ...head } = record
  return encodeRecord(head, element)
}

export function decodeChunkRecord(bytes: Uint8Array): ChunkRecord {
  const record = decodeRecord<StoredChunk | UnstoredChunk | Omit<RepeatedChunk, 'element'>>(bytes)
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

/** Whether the chunk has no values but its patches. */
export function isUnstored(record: ChunkRecord): record is UnstoredChunk {
  return record.at === 'none'
}

/** Whether the values are in the key beside the record. */
export function isInline(record: ChunkRecord): boolean {
  return record.at === 'inline'
}

/** Whether the values are in the file that the domain was imported from. */
export function isInFile(record: ChunkRecord): record is FileChunk {
  return record.at === 'file'
}

/** No chunk has these coordinates. */
const FILE_COORDINATES = Uint8Array.of(0xfe)

/**
 * The address of the record of the file that the domain of `id` was imported from: a chunk of the root group, so that
 * its blob is named, kept and swept like other blobs.
 */
export function fileAddress(id: ObjectId): ChunkAddress {
  return { dataset: rootOf(id), coordinates: FILE_COORDINATES }
}

export function isFileAddress({ dataset, coordinates }: ChunkAddress): boolean {
  return rootOf(dataset) === dataset && Buffer.compare(coordinates, FILE_COORDINATES) === 0
}

/** The blob of that file. */
export function fileBlob(id: ObjectId, version: string): string {
  return blobName({ ...fileAddress(id), version })
}

/** The blob that values which are not inline are read from, and their offset in it. */
export function locateBlob(
  address: ChunkAddress,
  record: StoredChunk,
): { readonly blob: string; readonly offset: number } {
  if (!isInFile(record)) return { blob: valuesName(address, record), offset: 0 }
  return { blob: fileBlob(address.dataset, record.file), offset: record.offset }
}

/** The blob of its own that holds the values under the patches; undefined: they are elsewhere. */
export function blobOf(address: ChunkAddress, record: ChunkRecord): string | undefined {
  return record.at === 'blob' ? valuesName(address, record) : undefined
}

/** All blobs that the record names: that of the values, and those of patches. */
export function blobsOf(address: ChunkAddress, record: ChunkRecord | undefined): readonly string[] {
  if (record === undefined) return []
  const blob = blobOf(address, record)
  return [...(blob === undefined ? [] : [blob]), ...patchBlobs(address, record.patches)]
}

export function patchBlobs(address: ChunkAddress, patches: PatchNumbers | undefined): readonly string[] {
  return (patches?.blobs?.versions ?? []).map(version => valuesName(address, { version }))
}

/** A name for the values, the same only for the same bytes: that of their blob, whether they have one or not. */
export function valuesName(address: ChunkAddress, { version }: Pick<ChunkRecord, 'version'>): string {
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
    if (record.at === 'blob' && record.version === version) return true
    return record.patches?.blobs?.versions.includes(version) ?? false
  } catch {
    // Any blob may be the one that a damaged record named.
    return true
  }
}
