// Elements as they lie in the library's memory turned into storage form. The walk goes part by part of the datatype
// and along all elements of a part, so that the loops inside are plain loops over bytes.

import { elementSize } from '../../src/hdf5/datatype/layout.ts'
import type { ObjectReference } from '../../src/hdf5/object-id.ts'
import type { Elements } from '../../src/hdf5/values/elements.ts'
import { GrowingBytes } from '../../src/hdf5/values/growing-bytes.ts'
import {
  encodeRegionReference,
  type RegionReference,
  writeObjectReference,
} from '../../src/hdf5/values/references.ts'
import { writeSequenceSlot, writeSlot } from '../../src/hdf5/values/slots.ts'
import type { MemoryType } from './memory-type.ts'

/** What references of the file become; undefined: the null reference. */
export interface References {
  object(address: bigint): ObjectReference | undefined
  /** Of a region that is described in a heap of the file, by its position and index there. */
  region(heap: bigint, index: number): RegionReference | undefined
}

/** An address that names nothing (HADDR_UNDEF). */
const UNDEFINED_ADDRESS = 0xffff_ffff_ffff_ffffn

/** `count` elements that lie at `from` in `memory`, one after another. */
export function elementsFromMemory(
  memory: Uint8Array,
  from: number,
  type: MemoryType,
  count: number,
  references: References,
): Elements {
  const size = elementSize(type.type)
  const data = new Uint8Array(count * size)
  const heap = new GrowingBytes(0)
  const view = new DataView(memory.buffer, memory.byteOffset, memory.byteLength)
  const run: Run = { from, fromStep: type.size, to: 0, toStep: size, count }
  convert({ memory, view, data, heap, references }, type, run)
  return { count, data, heap: heap.used() }
}

interface Conversion {
  readonly memory: Uint8Array
  readonly view: DataView
  readonly data: Uint8Array
  readonly heap: GrowingBytes
  readonly references: References
}

/** `count` parts, the first at `from` in memory and `to` in storage, so many bytes apart. */
interface Run {
  readonly from: number
  readonly fromStep: number
  readonly to: number
  readonly toStep: number
  readonly count: number
}

function convert(conversion: Conversion, type: MemoryType, run: Run): void {
  switch (type.kind) {
    case 'plain':
      copyPlain(conversion, type.size, run)
      break
    case 'swapped':
      copySwapped(conversion, type.size, run)
      break
    case 'bits':
      copyBits(conversion, type, run)
      break
    case 'compound':
      for (const { offset, storageOffset, member } of type.fields) {
        convert(conversion, member, { ...run, from: run.from + offset, to: run.to + storageOffset })
      }
      break
    case 'array':
      convertArrays(conversion, type, run)
      break
    case 'string':
      copyStrings(conversion, run)
      break
    case 'sequence':
      convertSequences(conversion, type.base, run)
      break
    case 'object-reference':
      convertObjectReferences(conversion, run)
      break
    case 'region-reference':
      convertRegionReferences(conversion, run)
      break
  }
}

function copyPlain({ memory, data }: Conversion, size: number, run: Run): void {
  const { fromStep, toStep, count } = run
  if (fromStep === size && toStep === size) {
    data.set(memory.subarray(run.from, run.from + count * size), run.to)
    return
  }
  for (let index = 0, from = run.from, to = run.to; index < count; index++, from += fromStep, to += toStep) {
    for (let byte = 0; byte < size; byte++) data[to + byte] = memory[from + byte]
  }
}

function copySwapped({ memory, data }: Conversion, size: number, run: Run): void {
  const { fromStep, toStep, count } = run
  for (let index = 0, from = run.from, to = run.to; index < count; index++, from += fromStep, to += toStep) {
    for (let byte = 0; byte < size; byte++) data[to + byte] = memory[from + size - 1 - byte]
  }
}

/** Moves the significant bits to the bottom and fills those above with the sign. */
function copyBits({ memory, data }: Conversion, type: Extract<MemoryType, { kind: 'bits' }>, run: Run): void {
  const { size, order, precision, offset, type: datatype } = type
  const isSigned = datatype.class === 'H5T_INTEGER' && datatype.signed
  const isLittle = datatype.class === 'H5T_INTEGER' && datatype.order === 'LE'
  for (let index = 0; index < run.count; index++) {
    const from = run.from + index * run.fromStep
    const to = run.to + index * run.toStep
    let bits = 0n
    for (let byte = 0; byte < size; byte++) {
      const position = order === 'LE' ? size - 1 - byte : byte
      bits = (bits << 8n) | BigInt(memory[from + position])
    }
    const value = bits >> BigInt(offset)
    const whole = isSigned ? BigInt.asIntN(precision, value) : BigInt.asUintN(precision, value)
    for (let byte = 0; byte < size; byte++) {
      const position = isLittle ? byte : size - 1 - byte
      data[to + position] = Number((whole >> BigInt(8 * byte)) & 0xffn)
    }
  }
}

/** Whichever of the two is shorter is walked outside: elements, or places in an array. */
function convertArrays(conversion: Conversion, type: Extract<MemoryType, { kind: 'array' }>, run: Run): void {
  const { length, base } = type
  const baseSize = elementSize(base.type)
  if (run.fromStep === type.size && run.toStep === length * baseSize) {
    const { from, to, count } = run
    convert(conversion, base, { from, to, fromStep: base.size, toStep: baseSize, count: count * length })
    return
  }
  if (length < run.count) {
    for (let place = 0; place < length; place++) {
      convert(conversion, base, { ...run, from: run.from + place * base.size, to: run.to + place * baseSize })
    }
    return
  }
  for (let index = 0; index < run.count; index++) {
    const from = run.from + index * run.fromStep
    const to = run.to + index * run.toStep
    convert(conversion, base, { from, to, fromStep: base.size, toStep: baseSize, count: length })
  }
}

function copyStrings({ memory, view, data, heap }: Conversion, run: Run): void {
  for (let index = 0; index < run.count; index++) {
    const start = view.getUint32(run.from + index * run.fromStep, true)
    const end = start === 0 ? 0 : memory.indexOf(0, start)
    const length = end - start
    const at = length === 0 ? 0 : heap.append(memory, start, length)
    writeSlot(data, run.to + index * run.toStep, at, length)
  }
}

function convertSequences(conversion: Conversion, base: MemoryType, run: Run): void {
  const { view, data, heap } = conversion
  const size = elementSize(base.type)
  for (let index = 0; index < run.count; index++) {
    const at = run.from + index * run.fromStep
    const count = view.getUint32(at, true)
    // Converted beside the heap, because parts of the elements go into the heap meanwhile.
    const elements = new Uint8Array(count * size)
    const from = view.getUint32(at + 4, true)
    convert({ ...conversion, data: elements }, base, {
      from,
      fromStep: base.size,
      to: 0,
      toStep: size,
      count,
    })
    writeSequenceSlot(data, run.to + index * run.toStep, heap.append(elements), elements.length)
  }
}

function convertObjectReferences({ view, data, references }: Conversion, run: Run): void {
  for (let index = 0; index < run.count; index++) {
    const address = view.getBigUint64(run.from + index * run.fromStep, true)
    const isNull = address === 0n || address === UNDEFINED_ADDRESS
    writeObjectReference(isNull ? undefined : references.object(address), data, run.to + index * run.toStep)
  }
}

function convertRegionReferences({ view, data, heap, references }: Conversion, run: Run): void {
  for (let index = 0; index < run.count; index++) {
    const at = run.from + index * run.fromStep
    const position = view.getBigUint64(at, true)
    if (position === 0n || position === UNDEFINED_ADDRESS) continue
    const region = references.region(position, view.getUint32(at + 8, true))
    if (!region) continue
    const bytes = encodeRegionReference(region)
    writeSlot(data, run.to + index * run.toStep, heap.append(bytes), bytes.length)
  }
}
