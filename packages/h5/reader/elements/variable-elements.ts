// Strings and sequences of any length. An element is a count, and the address and index of an object in a global heap
// of the file (HDF5 file format specification, III.E and VI.A): without an address it is empty.

import { dataViewOf, writeSequenceSlot, writeSlot } from '@hyperslab/model/values'
import { damaged } from '../../format/errors.ts'
import type { FileType } from '../../format/file-type.ts'
import type { GlobalHeapReference } from '../../format/heaps/global-heap.ts'
import { type Steps, waitFor } from '../../steps.ts'
import { type Run, readAddress, type Walk } from './element-walk.ts'
import type { Conversion } from './types.ts'

/**
 * Some elements of a run that are not empty, each with its offset in storage, the number of its items, and their
 * location.
 */
interface Batch {
  readonly targets: readonly number[]
  readonly counts: readonly number[]
  readonly references: readonly GlobalHeapReference[]
  /** The part of the run after the last one. */
  readonly end: number
}

/** Bytes of the number of items, which precedes the address. */
const COUNT_SIZE = 4
/** The value of each byte of the undefined address. */
const NO_ADDRESS = 0xff

/**
 * An element of a type with sequences that was never written: each is empty, and without an address. Those that a file
 * stores empty have the address 0 in libhdf5, so the two differ. Undefined: the type has no sequences.
 */
export function unwrittenElement(type: FileType, offsets: number): Uint8Array | undefined {
  const element = new Uint8Array(type.size)
  return markUnwritten(type, element, 0, offsets) ? element : undefined
}

function markUnwritten(type: FileType, element: Uint8Array, position: number, offsets: number): boolean {
  switch (type.class) {
    case 'H5T_VLEN':
      if (type.text) return false
      element.fill(NO_ADDRESS, position + COUNT_SIZE, position + COUNT_SIZE + offsets)
      return true
    case 'H5T_COMPOUND': {
      let isMarked = false
      for (const { offset, type: member } of type.members) {
        isMarked = markUnwritten(member, element, position + offset, offsets) || isMarked
      }
      return isMarked
    }
    case 'H5T_ARRAY': {
      if (!markUnwritten(type.base, element, position, offsets)) return false
      const first = element.subarray(position, position + type.base.size)
      for (let next = position + first.length; next < position + type.size; next += first.length)
        element.set(first, next)
      return true
    }
    default:
      return false
  }
}

/** Read at once, unless one object alone is longer. @limit memory, bytes */
const MAX_BATCH_BYTES = 4 * 2 ** 20

export function* convertStrings(walk: Walk, run: Run): Steps<void> {
  for (let start = 0; start < run.count; ) {
    const batch = nextBatch(walk, run, start, 1)
    const { targets, counts } = batch
    const objects = yield* objectsOf(walk, batch, 1)
    for (let index = 0; index < objects.length; index++) {
      const object = objects[index]
      // The terminating NUL may be counted or not.
      const length = endOfString(object, counts[index])
      writeSlot(walk.data, targets[index], walk.stored.append(object, 0, length), length)
    }
    start = batch.end
  }
}

/** `length`, or the position of an earlier NUL. */
function endOfString(bytes: Uint8Array, length: number): number {
  if (length > 64) {
    const end = bytes.indexOf(0)
    return end === -1 ? length : Math.min(end, length)
  }
  let end = 0
  while (end < length && bytes[end] !== 0) end++
  return end
}

/** Converts a run of any type. */
type Convert = (walk: Walk, conversion: Conversion, run: Run) => Steps<void>

export function* convertSequences(walk: Walk, base: Conversion, run: Run, convert: Convert): Steps<void> {
  const { offsets } = walk.widths
  for (let index = 0; index < run.count; index++) {
    const offset = run.from + index * run.fromStep + COUNT_SIZE
    const isWritten = walk.file.subarray(offset, offset + offsets).some(byte => byte !== NO_ADDRESS)
    if (isWritten) writeSequenceSlot(walk.data, run.to + index * run.toStep, 0, 0)
  }
  for (let start = 0; start < run.count; ) {
    const batch = nextBatch(walk, run, start, base.fileSize)
    const { targets, counts } = batch
    const objects = yield* objectsOf(walk, batch, base.fileSize)
    const total = counts.reduce((sum, count) => sum + count, 0)
    const items = joinItems(objects, counts, total, base.fileSize)
    const data = base.kind === 'plain' ? items : new Uint8Array(total * base.size)
    if (base.kind !== 'plain') {
      // The items are converted beside the heap, because their own parts go into the heap meanwhile.
      const inside = { from: 0, fromStep: base.fileSize, to: 0, toStep: base.size, count: total }
      yield* convert({ ...walk, file: items, data }, base, inside)
    }
    let offset = walk.stored.append(data)
    for (let index = 0; index < objects.length; index++) {
      const length = counts[index] * base.size
      writeSequenceSlot(walk.data, targets[index], offset, length)
      offset += length
    }
    start = batch.end
  }
}

/** All items of all objects, as they are in the file. */
function joinItems(
  objects: readonly Uint8Array[],
  counts: readonly number[],
  total: number,
  itemSize: number,
): Uint8Array {
  const items = new Uint8Array(total * itemSize)
  let offset = 0
  for (let index = 0; index < objects.length; index++) {
    const length = counts[index] * itemSize
    items.set(objects[index].subarray(0, length), offset)
    offset += length
  }
  return items
}

/** The objects that the elements of the batch name, each as long as its element needs. */
function* objectsOf(
  walk: Walk,
  { counts, references }: Batch,
  itemSize: number,
): Steps<readonly Uint8Array[]> {
  if (references.length === 0) return []
  const objects = yield* waitFor(walk.heap.objects(references))
  for (let index = 0; index < objects.length; index++) {
    const length = objects[index].length
    const needed = counts[index] * itemSize
    if (length >= needed) continue
    const { address, index: number } = references[index]
    const rule = `its object ${number} has ${length} bytes, an element needs ${needed}`
    throw damaged('the global heap collection', address, rule)
  }
  return objects
}

function nextBatch(walk: Walk, run: Run, start: number, itemSize: number): Batch {
  const width = walk.widths.offsets
  const view = dataViewOf(walk.file)
  const targets: number[] = []
  const counts: number[] = []
  const references: GlobalHeapReference[] = []
  let bytes = 0
  let part = start
  for (; part < run.count && bytes < MAX_BATCH_BYTES; part++) {
    const offset = run.from + part * run.fromStep
    const count = view.getUint32(offset, true)
    const address = readAddress(view, offset + 4, width)
    if (count === 0 || address === undefined) continue
    targets.push(run.to + part * run.toStep)
    counts.push(count)
    references.push({ address, index: view.getUint32(offset + 4 + width, true) })
    bytes += count * itemSize
  }
  walk.allowance.useHeapBytes(bytes)
  return { targets, counts, references, end: part }
}
