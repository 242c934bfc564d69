// Values as programs use them, of elements in storage form: typed arrays of numbers, and lists of all else.

import { product } from '@hyperslab/model/dataset'
import type { ByteOrder, Datatype } from '@hyperslab/model/datatype'
import { elementSize, elementsOfType, fieldOffsets, isBoolean } from '@hyperslab/model/datatype'
import type { ObjectId } from '@hyperslab/model/names'
import type { Elements } from '@hyperslab/model/values'
import {
  decodeRegionReference,
  decodeText,
  readObjectReference,
  slotLength,
  slotStart,
} from '@hyperslab/model/values'

export type NumberArray =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array

/** The address of an object in its file. */
export interface H5Reference {
  readonly address: string
  /** The part of a dataset that a region reference names. */
  readonly region?: unknown
}

/**
 * One value: a number, a bigint for integers of 64 bits, a boolean, a string, bytes of an opaque type, an object with a
 * value for each field of a compound, the values of an array or a sequence, a reference or null.
 */
export type H5Value =
  | number
  | bigint
  | boolean
  | string
  | null
  | Uint8Array
  | H5Reference
  | H5Values
  | { readonly [field: string]: H5Value }

/** Values one after another: numbers of integers, floats, bitfields and enumerations in a typed array. */
export type H5Values = NumberArray | readonly H5Value[]

/** The values of all elements. Elements of the storage form must not change. */
export function decodeValues(type: Datatype, { count, data, heap }: Elements): H5Values {
  return valuesAt(type, count, data, heap)
}

function valuesAt(type: Datatype, count: number, data: Uint8Array, heap: Uint8Array): H5Values {
  const numbers = numbersAt(type, count, data)
  if (numbers) return numbers
  const size = elementSize(type)
  const read = readerOf(type, data, heap)
  return Array.from({ length: count }, (_, index) => read(index * size))
}

/** Undefined: the values are no numbers. */
function numbersAt(type: Datatype, count: number, data: Uint8Array): NumberArray | undefined {
  if (isBoolean(type)) return undefined
  switch (type.class) {
    case 'H5T_INTEGER':
      return INTEGERS[`${type.signed ? 'i' : 'u'}${type.size}`](ownBuffer(data, count, type.size, type.order))
    case 'H5T_BITFIELD':
      return INTEGERS[`u${type.size}`](ownBuffer(data, count, type.size, type.order))
    case 'H5T_ENUM':
      return numbersAt(type.base, count, data)
    case 'H5T_FLOAT': {
      const buffer = ownBuffer(data, count, type.size, type.order)
      if (type.size === 8) return new Float64Array(buffer)
      return type.size === 4
        ? new Float32Array(buffer)
        : Float32Array.from(new Uint16Array(buffer), halfFloat)
    }
    default:
      return undefined
  }
}

const INTEGERS: Readonly<Record<`${'i' | 'u'}${1 | 2 | 4 | 8}`, (buffer: ArrayBuffer) => NumberArray>> = {
  i1: buffer => new Int8Array(buffer),
  i2: buffer => new Int16Array(buffer),
  i4: buffer => new Int32Array(buffer),
  i8: buffer => new BigInt64Array(buffer),
  u1: buffer => new Uint8Array(buffer),
  u2: buffer => new Uint16Array(buffer),
  u4: buffer => new Uint32Array(buffer),
  u8: buffer => new BigUint64Array(buffer),
}

/** A copy of the numbers, little-endian, as all processors are on which JavaScript runs today. */
function ownBuffer(data: Uint8Array, count: number, size: number, order: ByteOrder): ArrayBuffer {
  const bytes = new Uint8Array(count * size)
  bytes.set(data.subarray(0, count * size))
  if (order === 'BE' && size > 1) {
    for (let start = 0; start < bytes.length; start += size) bytes.subarray(start, start + size).reverse()
  }
  return bytes.buffer
}

function halfFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const [exponent, fraction] = [(bits >>> 10) & 31, bits & 1023]
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}

type ReadValue = (offset: number) => H5Value

/** Reads the value of an element that begins at an offset. */
function readerOf(type: Datatype, data: Uint8Array, heap: Uint8Array): ReadValue {
  switch (type.class) {
    case 'H5T_STRING':
      return stringReader(type, data, heap)
    case 'H5T_COMPOUND':
      return compoundReader(type, data, heap)
    case 'H5T_ARRAY': {
      const { base, dims } = elementsOfType(type)
      return offset => valuesAt(base, product(dims), data.subarray(offset, offset + elementSize(type)), heap)
    }
    case 'H5T_VLEN':
      return offset => {
        const [start, length] = [slotStart(data, offset), slotLength(data, offset)]
        const count = length / elementSize(type.base)
        return valuesAt(type.base, count, heap.subarray(start, start + length), heap)
      }
    case 'H5T_OPAQUE':
      return offset => new Uint8Array(data.subarray(offset, offset + type.size))
    case 'H5T_REFERENCE':
      return type.base === 'H5T_STD_REF_OBJ' ? objectReader(data) : regionReader(data, heap)
    default:
      return numberReader(type, data)
  }
}

function stringReader(
  type: Extract<Datatype, { class: 'H5T_STRING' }>,
  data: Uint8Array,
  heap: Uint8Array,
): ReadValue {
  const { length, strPad } = type
  if (length === 'H5T_VARIABLE') {
    return offset => {
      const start = slotStart(data, offset)
      return decodeText(heap, start, start + slotLength(data, offset))
    }
  }
  return offset => {
    let end = offset + length
    if (strPad === 'H5T_STR_NULLTERM') {
      const nul = data.indexOf(0, offset)
      if (nul >= 0 && nul < end) end = nul
    } else {
      const pad = strPad === 'H5T_STR_SPACEPAD' ? 32 : 0
      while (end > offset && data[end - 1] === pad) end--
    }
    return decodeText(data, offset, end)
  }
}

function compoundReader(
  type: Extract<Datatype, { class: 'H5T_COMPOUND' }>,
  data: Uint8Array,
  heap: Uint8Array,
): ReadValue {
  const offsets = fieldOffsets(type)
  const readers = type.fields.map(field => readerOf(field.type, data, heap))
  return offset =>
    Object.fromEntries(type.fields.map(({ name }, i) => [name, readers[i](offset + offsets[i])]))
}

function numberReader(type: Datatype, data: Uint8Array): ReadValue {
  const size = elementSize(type)
  if (isBoolean(type)) return offset => data[offset] !== 0
  return offset => {
    const numbers = numbersAt(type, 1, data.subarray(offset, offset + size))
    if (!numbers) throw new Error(`values of class ${type.class} cannot be read`)
    return numbers[0]
  }
}

function objectReader(data: Uint8Array): ReadValue {
  return offset => {
    const reference = readObjectReference(data, offset)
    return reference ? { address: addressOf(reference.id) } : null
  }
}

function regionReader(data: Uint8Array, heap: Uint8Array): ReadValue {
  return offset => {
    const length = slotLength(data, offset)
    if (length === 0) return null
    const start = slotStart(data, offset)
    const region = decodeRegionReference(heap.subarray(start, start + length))
    if (typeof region === 'string') return region
    const { id, ...selection } = region
    return { address: addressOf(id), region: selection }
  }
}

/** The id that stands for the address of an object, and back. */
export function idOfAddress(address: string): ObjectId {
  // It has the form of an id, 32 hexadecimal digits.
  return BigInt(address).toString(16).padStart(32, '0') as ObjectId
}

function addressOf(id: ObjectId): string {
  return BigInt(`0x${id}`).toString()
}
