// Patches: small parts of a chunk that were written after its other values, each in a key beside those. Their order is
// that of their numbers, which the commit gives them: a write of a patch does not read the chunk, and does not conflict
// with other writes of it. A read copies the patches over the other values (packages/store/chunks/patches.ts). Folding
// makes new values from those of a chunk and its patches (fold-chunk.ts).
//
// A patch is a record with the lengths of what follows: the runs, three numbers each, in 7 bits a byte, the lowest bits
// first; the packed elements, in the order of the runs; and their heap. With `fields`, the elements hold only these.
// The elements and the heap of a patch that is too long for a record are a blob, as large values of chunks are: the
// patch and the record of the chunk name its version.

import { type Datatype, elementSize } from '@hyperslab/model/datatype'
import {
  chooseFields,
  chosenIntoWhole,
  type Elements,
  EMPTY_HEAP,
  type FieldCopy,
} from '@hyperslab/model/values'
import { isSameValue } from '../batch.ts'
import { type ChunkLayout, chunkElements } from '../chunks/chunk-layout.ts'
import { joinElements } from '../chunks/read-chunk.ts'
import type { Change, Follow } from '../interfaces/engine.ts'
import { isVersion } from '../records/blob-name.ts'
import { chunkCounts } from '../records/counters.ts'
import { objectKey } from '../records/keys.ts'
import { decodeRecord, encodeRecord, tailOf } from '../records/record.ts'
import {
  type ChunkAddress,
  type ChunkRecord,
  chunkKey,
  decodeChunkRecord,
  difference,
  encodeChunkRecord,
  type PatchBlobs,
  type PatchNumbers,
} from './chunk-record.ts'
import type { Fragment } from './open-chunks.ts'

interface PatchHead {
  /** Bytes of the runs, and of the packed elements. */
  readonly runs: number
  readonly dataLength: number
  readonly fields?: readonly string[]
  /** The blob that holds the elements and the heap; absent: they follow. */
  readonly blob?: { readonly version: string; readonly heapLength: number }
}

/** Elements that were written into a chunk, whole or only some fields of them. */
export interface WrittenElements {
  /** The type of the elements. */
  readonly type: Datatype
  readonly fields: readonly string[] | undefined
  readonly runs: readonly number[]
  readonly elements: Elements
}

/** The written elements as a patch. */
export interface GivenPatch {
  readonly type: Datatype
  readonly fields: readonly string[] | undefined
  readonly bytes: Uint8Array
  /** The blob with the elements, which is stored already. */
  readonly blob?: { readonly version: string; readonly bytes: number }
}

/**
 * A patch is joined with the last one up to this length: LMDB keeps values of a page or more in pages of their own.
 * @limit memory, bytes
 */
const MAX_JOINED_BYTES = 2048
/**
 * Patches of one commit are joined up to this length: they are written once. Fewer patches are folded less often.
 * @limit speed, bytes, bench/results.md#056-patches
 */
const MAX_SHARED_BYTES = 2 ** 14
/** Patches are joined up to this many runs, since a read goes through all of them. @limit safety, runs */
const MAX_JOINED_RUNS = 16
/** A chunk cannot have more patches: a record with more is damaged. */
const MOST_PATCHES = 2 ** 20

// Keys

/** The byte before the number in the key of a patch. The coordinates of a chunk have a count of bytes there. */
const PATCH_MARK = 0xfd
const NUMBER_BYTES = 6

export function patchKey({ dataset, coordinates }: ChunkAddress, number: number): Uint8Array {
  const rest = Buffer.alloc(coordinates.length + 1 + NUMBER_BYTES)
  rest.set(coordinates)
  rest[coordinates.length] = PATCH_MARK
  rest.writeUIntBE(number, coordinates.length + 1, NUMBER_BYTES)
  return objectKey(dataset, 'values', rest)
}

export function patchKeys(address: ChunkAddress, patches: PatchNumbers | undefined): Uint8Array[] {
  const { from, to } = patches ?? { from: 0, to: 0 }
  return Array.from({ length: to - from }, (_, i) => patchKey(address, from + i))
}

/** The coordinates and the number of a patch; undefined: the key is that of the values under the patches. */
export function parsePatchRest(rest: Uint8Array): { coordinates: Uint8Array; number: number } | undefined {
  for (let at = 0; at < rest.length; at += 1 + rest[at]) {
    if (rest[at] !== PATCH_MARK) continue
    if (rest.length !== at + 1 + NUMBER_BYTES) return undefined
    return { coordinates: rest.subarray(0, at), number: Buffer.from(rest).readUIntBE(at + 1, NUMBER_BYTES) }
  }
  return undefined
}

/** Whether a patch of that number is one of the chunk. */
export function hasPatch({ patches }: ChunkRecord, number: number): boolean {
  return patches !== undefined && number >= patches.from && number < patches.to
}

// Form

/** Joins the fragments, in their order. */
export function joinFragments(
  type: Datatype,
  fields: readonly string[] | undefined,
  fragments: readonly Fragment[],
): WrittenElements {
  const runs: number[] = []
  for (const { part } of fragments)
    part.runs((offset, stride, _, length) => addRun(runs, offset, stride, length))
  const all = fragments.map(({ elements }) => elements)
  const elements = all.length === 1 ? all[0] : joinElements(type, all)
  return { type, fields, runs, elements }
}

/** The bytes of a patch. `blob` is the version of the blob with the elements; absent: the patch holds them. */
export function encodePatch({ type, fields, runs, elements }: WrittenElements, blob?: string): GivenPatch {
  const { data, heap } = elements
  const shape = { type, fields }
  if (blob === undefined) return { ...shape, bytes: encode(runs, elements, fields) }
  const runBytes = encodeNumbers(runs)
  const named = { version: blob, heapLength: heap.length }
  const head: PatchHead = {
    runs: runBytes.length,
    dataLength: data.length,
    ...(fields && { fields }),
    blob: named,
  }
  const bytes = data.length + heap.length
  return { ...shape, bytes: encodeRecord(head, runBytes), blob: { version: blob, bytes } }
}

function encode(runs: readonly number[], { data, heap }: Elements, fields?: readonly string[]): Uint8Array {
  const runBytes = encodeNumbers(runs)
  const head: PatchHead = { runs: runBytes.length, dataLength: data.length, ...(fields && { fields }) }
  return encodeRecord(head, runBytes, data, heap)
}

/** Adds a run; one that begins where the last one ends extends it. */
function addRun(runs: number[], offset: number, stride: number, length: number): void {
  const last = runs.length - 3
  const isNext = last >= 0 && runs[last + 1] === 1 && stride === 1 && runs[last] + runs[last + 2] === offset
  if (isNext) runs[last + 2] += length
  else runs.push(offset, stride, length)
}

function encodeNumbers(numbers: readonly number[]): Uint8Array {
  const bytes: number[] = []
  for (const number of numbers) {
    let rest = number
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
    bytes.push(rest)
  }
  return Uint8Array.from(bytes)
}

function decodeNumbers(bytes: Uint8Array): number[] {
  const numbers: number[] = []
  let number = 0
  let scale = 1
  for (const byte of bytes) {
    number += (byte % 128) * scale
    scale *= 128
    if (byte >= 128) continue
    numbers.push(number)
    number = 0
    scale = 1
  }
  return numbers
}

interface PatchParts extends PatchHead {
  readonly numbers: readonly number[]
  /** The elements; empty if they are in a blob. */
  readonly data: Uint8Array
  readonly heap: Uint8Array
}

function decode(bytes: Uint8Array): PatchParts {
  const head = decodeRecord<PatchHead>(bytes)
  const { runs, dataLength } = head
  const tail = tailOf(bytes)
  const heap = tail.subarray(runs + dataLength)
  return {
    ...head,
    numbers: decodeNumbers(tail.subarray(0, runs)),
    data: tail.subarray(runs, runs + dataLength),
    heap: heap.length === 0 ? EMPTY_HEAP : heap,
  }
}

/** A patch whose elements may be in a blob. */
export interface DecodedPatch {
  readonly runs: readonly number[]
  readonly fields: FieldCopy | undefined
  readonly count: number
  /** Bytes of an element. */
  readonly size: number
  readonly elements: Elements | ElementsInBlob
}

export interface ElementsInBlob {
  readonly version: string
  readonly dataLength: number
  readonly heapLength: number
}

/** The blob that holds the elements; undefined: the patch has them. */
export function blobOfPatch({ elements }: DecodedPatch): ElementsInBlob | undefined {
  return 'version' in elements ? elements : undefined
}

export function bytesIn(blob: ElementsInBlob | undefined): number {
  return blob === undefined ? 0 : blob.dataLength + blob.heapLength
}

/** Throws, with the reason, if the bytes cannot be a patch of a chunk of the layout. */
export function decodePatch(layout: ChunkLayout, bytes: Uint8Array): DecodedPatch {
  const { fields: names, numbers: runs, dataLength, blob, data, heap } = decode(bytes)
  const chosen = names && chooseFields(layout.type, names)
  const size = chosen ? elementSize(chosen.type) : layout.elementSize
  const all = chunkElements(layout.grid)
  let count = 0
  for (let i = 0; i < runs.length; i += 3) {
    const [offset, stride, length] = [runs[i], runs[i + 1], runs[i + 2]]
    if (!(stride > 0 && length > 0 && offset + stride * (length - 1) < all)) {
      throw new Error(`a run of ${length} elements at ${offset} leaves the chunk`)
    }
    count += length
  }
  const length = blob ? dataLength : data.length
  if (count * size !== length) {
    throw new Error(`${count} elements of ${size} bytes take ${count * size} bytes, not ${length}`)
  }
  if (blob && !(isVersion(blob.version) && isCount(blob.heapLength))) {
    throw new Error(
      `${blob.version} is not a version of a blob, or its heap does not have ${blob.heapLength} bytes`,
    )
  }
  const elements = blob ? { ...blob, dataLength } : { count, data, heap }
  return { runs, fields: chosen && chosenIntoWhole(chosen), count, size, elements }
}

/** The patch joined with another one, up to `most` bytes; undefined: they stay separate. */
function joinPatches(
  last: Uint8Array | undefined,
  { type, fields, bytes, blob }: GivenPatch,
  most: number,
): Uint8Array | undefined {
  if (last === undefined || blob || last.length + bytes.length > most) return undefined
  try {
    const [before, added] = [decode(last), decode(bytes)]
    if (before.blob || before.fields?.join('\0') !== fields?.join('\0')) return undefined
    const runs = [...before.numbers]
    for (let i = 0; i < added.numbers.length; i += 3) {
      addRun(runs, added.numbers[i], added.numbers[i + 1], added.numbers[i + 2])
    }
    if (runs.length > 3 * MAX_JOINED_RUNS) return undefined
    const size = elementSize(type)
    const elementsOf = ({ data, heap }: PatchParts): Elements => ({ count: data.length / size, data, heap })
    return encode(runs, joinElements(type, [elementsOf(before), elementsOf(added)]), fields)
  } catch {
    // A damaged patch stays unchanged: reads report it.
    return undefined
  }
}

export function isSound({ from, to, bytes, blobs }: PatchNumbers): boolean {
  const areNumbers = isCount(from) && isCount(to) && isCount(bytes) && from < to && to - from <= MOST_PATCHES
  if (!areNumbers || blobs === undefined) return areNumbers
  const { versions, bytes: inBlobs } = blobs
  return versions.length > 0 && versions.length <= to - from && versions.every(isVersion) && inBlobs <= bytes
}

function isCount(number: unknown): boolean {
  return Number.isSafeInteger(number) && Number(number) >= 0
}

// Changes at the commit

/** The last patch that a commit has put into a chunk, so that the next works of the commit are joined with it. */
export class SharedPatch {
  readonly mostBytes: number
  bytes: Uint8Array | undefined

  /** A value beside a record has at most `maxInlineBytes`. */
  constructor(maxInlineBytes: number) {
    this.mostBytes = Math.min(MAX_SHARED_BYTES, maxInlineBytes)
  }
}

/**
 * Adds a patch to the chunk in its state at the commit. `version` is that of a chunk that is not stored yet. `note`
 * gets the numbers of all patches, each time that the change is derived. `shared`: other works are in the same commit.
 */
export function addPatch(
  address: ChunkAddress,
  newPatch: GivenPatch,
  version: string,
  note: (numbers: PatchNumbers) => void,
  shared?: SharedPatch,
): Follow {
  const key = chunkKey(address)
  return value => {
    const stored = value && decodeChunkRecord(value)
    const record: ChunkRecord = stored ?? { at: 'none', version, dataLength: 0, heapLength: 0 }
    const { from, to, bytes, blobs } = record.patches ?? { from: 0, to: 0, bytes: 0 }
    const put = (number: number, patch: Uint8Array, before: number): readonly Change[] => {
      const added = patch.length - before + (newPatch.blob?.bytes ?? 0)
      const named = blobsWith(blobs, newPatch.blob)
      const patches = { from, to: number + 1, bytes: bytes + added, ...(named && { blobs: named }) }
      const after = { ...record, patches }
      note(patches)
      if (shared) shared.bytes = patch
      return [
        { op: 'set', key: patchKey(address, number), value: patch },
        { op: 'set', key, value: encodeChunkRecord(after) },
        ...chunkCounts(address.dataset, difference(stored, after)),
      ]
    }
    if (from === to || newPatch.blob) return put(to, newPatch.bytes, 0)
    const changes: Follow = last => {
      const isOfCommit = shared?.bytes !== undefined && isSameValue(shared.bytes, last)
      const joined = joinPatches(last, newPatch, isOfCommit ? shared.mostBytes : MAX_JOINED_BYTES)
      return joined ? put(to - 1, joined, last?.length ?? 0) : put(to, newPatch.bytes, 0)
    }
    return [{ op: 'follow', key: patchKey(address, to - 1), changes }]
  }
}

function blobsWith(blobs: PatchBlobs | undefined, more: GivenPatch['blob']): PatchBlobs | undefined {
  if (more === undefined) return blobs
  const { versions, bytes } = blobs ?? { versions: [], bytes: 0 }
  return { versions: [...versions, more.version], bytes: bytes + more.bytes }
}

/** The patches that are left of `all` when those that came first are folded; undefined: none. */
export function patchesAfter(folded: PatchNumbers, all: PatchNumbers): PatchNumbers | undefined {
  if (folded.to >= all.to) return undefined
  const versions = all.blobs?.versions.slice(folded.blobs?.versions.length ?? 0) ?? []
  const inBlobs = (all.blobs?.bytes ?? 0) - (folded.blobs?.bytes ?? 0)
  const blobs = versions.length > 0 ? { blobs: { versions, bytes: inBlobs } } : {}
  return { from: folded.to, to: all.to, bytes: all.bytes - folded.bytes, ...blobs }
}
