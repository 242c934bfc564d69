// Stored numbers as doubles, which is exact but for integers of 64 bits: these become the nearest ones.

import type { FloatType } from '../datatype/datatype.ts'
import { elementSize } from '../datatype/layout.ts'
import { integerOf, readFloat } from '../values/numbers.ts'
import type { NumericType } from './reduction.ts'

/** Elements that are made doubles at once. */
export const RUN = 4096

/** Converts `count` elements to doubles, from the one at index `first` after byte `offset` on. */
export type Load = (
  data: Uint8Array,
  offset: number,
  first: number,
  count: number,
  target: Float64Array,
) => void

export function loaderOf(type: NumericType): Load {
  const size = elementSize(type)
  const ArrayType = arrayTypeOf(type)
  if (!ArrayType) {
    return (data, offset, first, count, target) => {
      const view = new DataView(data.buffer, data.byteOffset + offset + first * size, count * size)
      for (let i = 0; i < count; i++)
        target[i] =
          type.class === 'H5T_FLOAT' ? readFloat(type, view, i * size) : readWide(type, view, i * size)
    }
  }
  const isSwapped = size > 1 && orderOf(type) === 'BE'
  const aligned = new Uint8Array(RUN * size)
  return (data, offset, first, count, target) => {
    const from = data.byteOffset + offset + first * size
    if (!isSwapped && from % size === 0) {
      target.set(new ArrayType(data.buffer, from, count))
      return
    }
    aligned.set(data.subarray(offset + first * size, offset + (first + count) * size))
    if (isSwapped) swap(aligned, count * size, size)
    target.set(new ArrayType(aligned.buffer, 0, count))
  }
}

function orderOf(type: NumericType): 'LE' | 'BE' {
  return type.class === 'H5T_FLOAT' ? type.order : integerOf(type).order
}

type NumberArray =
  | Float64Array
  | Float32Array
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array

/** Absent: JavaScript has no array of such numbers. */
function arrayTypeOf(
  type: NumericType,
): (new (buffer: ArrayBufferLike, byteOffset: number, length: number) => NumberArray) | undefined {
  if (type.class === 'H5T_FLOAT') return { 2: undefined, 4: Float32Array, 8: Float64Array }[type.size]
  const { size, signed } = integerOf(type)
  const types = signed
    ? { 1: Int8Array, 2: Int16Array, 4: Int32Array, 8: undefined }
    : { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: undefined }
  return types[size]
}

/** The bytes of each number in the opposite order. `bytes` begins at a multiple of 4. */
function swap(bytes: Uint8Array, length: number, size: number): void {
  if (size === 2) {
    const numbers = new Uint16Array(bytes.buffer, bytes.byteOffset, length / 2)
    for (let i = 0; i < numbers.length; i++) numbers[i] = (numbers[i] << 8) | (numbers[i] >>> 8)
    return
  }
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, length / 4)
  for (let i = 0; i < words.length; i++) words[i] = swapped(words[i])
  if (size === 4) return
  for (let i = 0; i < words.length; i += 2) {
    const first = words[i]
    words[i] = words[i + 1]
    words[i + 1] = first
  }
}

function swapped(word: number): number {
  return (word << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24)
}

/** An integer of 64 bits as the nearest double. */
function readWide(type: Exclude<NumericType, FloatType>, view: DataView, offset: number): number {
  const { signed, order } = integerOf(type)
  const little = order === 'LE'
  const [low, high] = little ? [offset, offset + 4] : [offset + 4, offset]
  const word = signed ? view.getInt32(high, little) : view.getUint32(high, little)
  return word * 2 ** 32 + view.getUint32(low, little)
}
