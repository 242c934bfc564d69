// Strings and sequences of any length. An element is a count, and the address and index of an object in a global heap of the file
// (HDF5 file format specification, IV.B and III.E). Elements that name the same object share it in storage form, too.

import { writeSequenceSlot, writeSlot } from '../../hdf5/values/slots.ts'
import { damaged } from '../format/errors.ts'
import type { GlobalHeapReference } from '../format/global-heap.ts'
import { type Run, readAddress, useHeapBytes, viewOf, type Walk } from './element-walk.ts'
import type { Conversion } from './types.ts'

/** The objects that some parts of a run name, each once. */
interface Batch {
  /** The part after the last one. */
  readonly end: number
  /** Of each part, which object it is; -1: none, it is empty. */
  readonly numbers: readonly number[]
  readonly references: readonly GlobalHeapReference[]
  /** How many items each object holds at least. */
  readonly counts: readonly number[]
}

/** Read at once, unless one object alone is longer. */
const MAX_BATCH_BYTES = 4 * 2 ** 20

export async function convertStrings(walk: Walk, run: Run): Promise<void> {
  for await (const { start, numbers, counts, objects } of batchesOf(walk, run, 1)) {
    const starts: number[] = []
    const lengths: number[] = []
    for (let number = 0; number < objects.length; number++) {
      const object = objects[number]
      // The terminating NUL may be counted or not.
      const end = endOfString(object, counts[number])
      starts.push(walk.stored.append(object, 0, end))
      lengths.push(end)
    }
    for (let index = 0; index < numbers.length; index++) {
      const number = numbers[index]
      const at = run.to + (start + index) * run.toStep
      writeSlot(walk.data, at, number === -1 ? 0 : starts[number], number === -1 ? 0 : lengths[number])
    }
  }
}

/** `length`, or where the first NUL is before. */
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
type Convert = (walk: Walk, conversion: Conversion, run: Run) => Promise<void>

export async function convertSequences(
  walk: Walk,
  base: Conversion,
  run: Run,
  convert: Convert,
): Promise<void> {
  for await (const { start, numbers, counts, objects } of batchesOf(walk, run, base.fileSize)) {
    const starts = await storeItems(walk, base, convert, counts, objects)
    for (let index = 0; index < numbers.length; index++) {
      const number = numbers[index]
      const at = run.to + (start + index) * run.toStep
      const length = number === -1 ? 0 : counts[number] * base.size
      writeSequenceSlot(walk.data, at, number === -1 ? 0 : starts[number], length)
    }
  }
}

/** Where the items of each object begin in the heap of storage form. */
async function storeItems(
  walk: Walk,
  base: Conversion,
  convert: Convert,
  counts: readonly number[],
  objects: readonly Uint8Array[],
): Promise<readonly number[]> {
  if (base.kind === 'plain') {
    return objects.map((object, number) => walk.stored.append(object, 0, counts[number] * base.size))
  }
  // All items of all objects are converted as one run, beside the heap, because their own parts go into the heap meanwhile.
  const count = counts.reduce((sum, items) => sum + items, 0)
  const file = new Uint8Array(count * base.fileSize)
  const data = new Uint8Array(count * base.size)
  let at = 0
  for (const [number, object] of objects.entries()) {
    const length = counts[number] * base.fileSize
    file.set(object.subarray(0, length), at)
    at += length
  }
  await convert({ ...walk, file, data }, base, {
    from: 0,
    fromStep: base.fileSize,
    to: 0,
    toStep: base.size,
    count,
  })
  let start = walk.stored.append(data)
  return counts.map(items => {
    const first = start
    start += items * base.size
    return first
  })
}

/** The parts of the run, some at a time, with the objects that they name. `start`: the first part. */
async function* batchesOf(walk: Walk, run: Run, itemSize: number) {
  for (let start = 0; start < run.count; ) {
    const batch = nextBatch(walk, run, start, itemSize)
    const { references, counts, numbers } = batch
    const objects = references.length === 0 ? [] : await walk.heap.objects(references)
    for (let number = 0; number < objects.length; number++) {
      const object = objects[number]
      const needed = counts[number] * itemSize
      if (object.length >= needed) continue
      const { address, index } = references[number]
      const rule = `its object ${index} has ${object.length} bytes, an element needs ${needed}`
      throw damaged('the global heap collection', address, rule)
    }
    yield { start, numbers, counts, objects }
    start = batch.end
  }
}

function nextBatch(walk: Walk, run: Run, start: number, itemSize: number): Batch {
  const { widths } = walk
  const view = viewOf(walk.file)
  const numbers: number[] = []
  const references: GlobalHeapReference[] = []
  const counts: number[] = []
  const known = new Map<number, Map<number, number>>()
  let bytes = 0
  let part = start
  for (; part < run.count && bytes < MAX_BATCH_BYTES; part++) {
    const at = run.from + part * run.fromStep
    const count = view.getUint32(at, true)
    const address = readAddress(view, at + 4, widths.offsets)
    if (count === 0 || address === undefined) {
      numbers.push(-1)
      continue
    }
    const index = view.getUint32(at + 4 + widths.offsets, true)
    const inCollection = known.get(address) ?? new Map<number, number>()
    const same = inCollection.get(index)
    if (same !== undefined && counts[same] === count) {
      numbers.push(same)
      continue
    }
    if (inCollection.size === 0) known.set(address, inCollection)
    inCollection.set(index, references.length)
    numbers.push(references.length)
    references.push({ address, index })
    counts.push(count)
    bytes += count * itemSize
  }
  useHeapBytes(walk, bytes)
  return { end: part, numbers, references, counts }
}
