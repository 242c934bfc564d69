// Chunks: the record must fit the dataset, and the values that it names must exist and have the length in the record.

import { isUndecodable } from '@hyperslab/h5/filters'
import { ElementsBuilder } from '@hyperslab/model/values'
import { isSameValue } from '../batch.ts'
import { decodeCoordinates, encodeCoordinates } from '../chunk-records/chunk-key.ts'
import {
  baseBytes,
  blobOf,
  type ChunkAddress,
  type ChunkRecord,
  chunkKey,
  decodeChunkRecord,
  type FileChunk,
  fileAddress,
  isBlobNamed,
  isInFile,
  isInline,
  isRepeated,
  isUnstored,
  locateBlob,
  type PatchNumbers,
  patchBlobs,
  storedBytes,
  valuesKey,
  valuesName,
} from '../chunk-records/chunk-record.ts'
import { blobOfPatch, bytesIn, decodePatch, isSound, patchKey } from '../chunk-records/patches.ts'
import { readRecorded } from '../chunk-records/recorded-chunk.ts'
import { type ChunkLayout, chunkElements } from '../chunks/chunk-layout.ts'
import { isVersion } from '../records/blob-name.ts'
import type { Finding } from './finding.ts'
import { type CheckParts, decoded } from './parts.ts'

/**
 * Checks a chunk, and a little later its values. Returns the bytes that are stored for it; undefined: the record is
 * broken.
 */
export function checkChunk(
  parts: CheckParts,
  layout: ChunkLayout,
  address: ChunkAddress,
  bytes: Uint8Array,
): number | undefined {
  const { report, later } = parts
  const chunk = decodeCoordinates(address.coordinates)
  const location = { object: address.dataset, name: `chunk [${chunk}]` }
  const record = decoded(parts, location, () => decodeChunkRecord(bytes))
  if (record === undefined) return undefined
  const { dims, chunkDims } = layout.grid
  const isOne = chunk.length === dims.length && isSameValue(encodeCoordinates(chunk), address.coordinates)
  if (!isOne || chunk.some((index, d) => index * chunkDims[d] >= dims[d])) {
    report({ kind: 'chunk-outside', ...location, expected: `inside [${dims}]` })
    return storedBytes(record)
  }
  const wrong = faultOf(layout, record)
  if (wrong !== undefined) {
    report({ kind: 'wrong-chunk', ...location, ...wrong })
    return storedBytes(record)
  }
  const read = () => readValues(parts, layout, { chunk, address, record }, location)
  if (record.patches) {
    checkPatches(parts, layout, address, record.patches, location.name)
    if (isUnstored(record) || isRepeated(record)) later.run(read)
  }
  if (isInline(record)) {
    later.get(valuesKey(address), values => {
      if (isLength(parts, location, baseBytes(record), values?.length)) later.run(read)
    })
  }
  if (isInFile(record)) later.run(() => checkInFile(parts, address, record, location, read))
  const blob = blobOf(address, record)
  if (blob !== undefined) {
    later.run(async () => {
      const size = await sizeOfNamed(parts, blob)
      if (!isLength(parts, { ...location, blob }, baseBytes(record), size)) return
      await countCompared(parts, blob)
      await read()
    })
  }
  return storedBytes(record)
}

/** Checks that the patches exist, have together the length in the record, and fit the chunk. */
function checkPatches(
  parts: CheckParts,
  layout: ChunkLayout,
  address: ChunkAddress,
  patches: PatchNumbers,
  chunk: string,
): void {
  const { report, later } = parts
  const { from, to, bytes } = patches
  const object = address.dataset
  const named: string[] = []
  let length = 0
  for (let number = from; number < to; number++) {
    const where = { object, name: `patch ${number} of ${chunk}` }
    later.get(patchKey(address, number), value => {
      if (value === undefined) report({ kind: 'missing-values', ...where })
      const patch = value && decoded(parts, where, () => decodePatch(layout, value))
      const inBlob = patch && blobOfPatch(patch)
      length += (value?.length ?? 0) + bytesIn(inBlob)
      if (inBlob) {
        const blob = valuesName(address, inBlob)
        named.push(blob)
        later.run(async () => {
          const size = await sizeOfNamed(parts, blob)
          if (isLength(parts, { ...where, blob }, bytesIn(inBlob), size)) await countCompared(parts, blob)
        })
      }
      if (number < to - 1) return
      const all = { object, name: `patches of ${chunk}` }
      if (length !== bytes) report({ kind: 'wrong-length', ...all, expected: bytes, found: length })
      const expected = patchBlobs(address, patches).join(' ')
      if (named.join(' ') !== expected)
        report({ kind: 'wrong-chunk', ...all, expected: `the blobs ${expected}`, found: named.join(' ') })
    })
  }
}

async function sizeOfNamed({ blobs, totals }: CheckParts, blob: string): Promise<number | undefined> {
  const size = await blobs.size(blob)
  if (size === undefined) return undefined
  totals.blobs++
  totals.blobBytes += size
  return size
}

/** Checks the file that a domain was imported from, from which chunks of the domain may take their values. */
export function checkFile(parts: CheckParts, address: ChunkAddress, record: ChunkRecord): void {
  const { later } = parts
  const location = { object: address.dataset, name: 'the file that was imported' }
  const blob = blobOf(address, record)
  later.run(async () => {
    const size = blob === undefined ? undefined : await sizeOfNamed(parts, blob)
    const named = { ...location, ...(blob !== undefined && { blob }) }
    const isWhole = isLength(parts, named, baseBytes(record), size)
    if (isWhole && blob !== undefined && parts.filters !== undefined)
      await compareAll(parts, blob, storedBytes(record), location)
  })
}

/** Bytes of a file that are read at once. */
const PIECE_BYTES = 4 * 2 ** 20

/**
 * Compares all bytes of a file in order, since the chunks in it do not begin and end where its checksummed parts do.
 */
async function compareAll(
  parts: CheckParts,
  blob: string,
  length: number,
  location: Omit<Finding, 'kind'>,
): Promise<void> {
  await countCompared(parts, blob)
  const piece = new Uint8Array(Math.min(PIECE_BYTES, length))
  try {
    for (let offset = 0; offset < length; offset += piece.length)
      await parts.blobs.readCompared(blob, offset, piece.subarray(0, length - offset))
  } catch (error) {
    parts.report({ kind: 'unreadable-values', ...location, blob, found: messageOf(error) })
  }
}

async function countCompared({ blobs, filters, totals }: CheckParts, blob: string): Promise<void> {
  if (filters !== undefined && !(await blobs.hasChecksums(blob))) totals.uncomparedBlobs++
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Checks that the values are within the file that the root group names. */
async function checkInFile(
  { blobs, reads, report }: CheckParts,
  address: ChunkAddress,
  record: FileChunk,
  location: Omit<Finding, 'kind'>,
  read: () => Promise<void>,
): Promise<void> {
  const { blob, offset } = locateBlob(address, record)
  const file = fileAddress(address.dataset)
  const isNamed = isBlobNamed({ version: record.file }, await reads.get(chunkKey(file)))
  const size = isNamed ? await blobs.size(blob) : undefined
  const expected = offset + baseBytes(record)
  if (size === undefined) report({ kind: 'missing-values', ...location, blob })
  else if (size < expected) report({ kind: 'wrong-length', ...location, blob, expected, found: size })
  else await read()
}

function isLength(
  { report }: Pick<CheckParts, 'report'>,
  location: Omit<Finding, 'kind'>,
  expected: number,
  actual: number | undefined,
): boolean {
  if (actual === undefined) report({ kind: 'missing-values', ...location })
  else if (actual !== expected) report({ kind: 'wrong-length', ...location, expected, found: actual })
  return actual === expected
}

type Difference = Pick<Finding, 'expected' | 'found'>

/** The fault of a record that no chunk of the dataset can have. */
function faultOf(layout: ChunkLayout, record: ChunkRecord): Difference | undefined {
  const { elementSize, isVariableSize, pipeline } = layout
  const { chunkDims } = layout.grid
  const { version, dataLength, heapLength, patches } = record
  const all = chunkElements(layout.grid) * elementSize
  if (!isVersion(version)) return { expected: 'a version of 16 hex digits', found: version }
  if (!isLengthOf(dataLength) || !isLengthOf(heapLength)) {
    return { expected: 'whole numbers of bytes', found: `${dataLength} and ${heapLength}` }
  }
  if (patches && !isSound(patches)) {
    const { from, to, bytes } = patches
    return { expected: 'numbers of patches', found: `${from} to ${to}, ${bytes} bytes` }
  }
  if (isUnstored(record)) {
    const isSuch = patches !== undefined && dataLength === 0 && heapLength === 0
    return isSuch ? undefined : { expected: 'patches, and no other values', found: dataLength + heapLength }
  }
  if (heapLength > 0 && !isVariableSize) {
    return { expected: 'no heap, as the size of the elements is fixed', found: heapLength }
  }
  if (isRepeated(record)) {
    const { inside, element } = record
    if (dataLength !== elementSize) return { expected: elementSize, found: dataLength }
    if (element.length !== dataLength + heapLength) {
      return { expected: dataLength + heapLength, found: element.length }
    }
    const isInside =
      inside.length === chunkDims.length && inside.every((extent, d) => extent > 0 && extent <= chunkDims[d])
    return isInside ? undefined : { expected: `a part of [${chunkDims}]`, found: `[${inside}]` }
  }
  if (record.filtered) {
    if (pipeline === undefined) return { expected: 'no filters', found: 'filtered values' }
    return dataLength === all ? undefined : { expected: all, found: dataLength }
  }
  if (dataLength % elementSize !== 0)
    return { expected: `elements of ${elementSize} bytes`, found: dataLength }
  return dataLength <= all ? undefined : { expected: `${all} at most`, found: dataLength }
}

function isLengthOf(length: unknown): boolean {
  return Number.isSafeInteger(length) && Number(length) >= 0
}

async function readValues(
  { blobs, reads, filters, report }: CheckParts,
  layout: ChunkLayout,
  stored: { readonly chunk: readonly number[]; readonly address: ChunkAddress; readonly record: ChunkRecord },
  location: Omit<Finding, 'kind'>,
): Promise<void> {
  const { filtered } = stored.record
  // The bytes of such a chunk are those of its file, and cannot be checked here.
  const isKept = filtered !== undefined && isUndecodable(layout.pipeline ?? [], filtered.mask)
  if (filters === undefined || isKept) return
  const source = { blobs, filters, get: (key: Uint8Array) => reads.get(key) }
  try {
    const elements = await readRecorded(source, layout, stored.chunk, stored.address, stored.record)
    // Reading the elements also follows those of variable size into the heap.
    if (layout.isVariableSize) {
      new ElementsBuilder(layout.type, elements.count).copy(elements, 0, 0, elements.count)
    }
  } catch (error) {
    report({ kind: 'unreadable-values', ...location, found: messageOf(error) })
  }
}
