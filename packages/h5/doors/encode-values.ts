// Elements in storage form of values as programs have them, and the type that fits values of which none was named.

import { HyperslabError } from '@hyperslab/base/errors'
import { product } from '@hyperslab/model/dataset'
import type { Datatype, IntegerType } from '@hyperslab/model/datatype'
import { elementSize, elementsOfType, fieldOffsets } from '@hyperslab/model/datatype'
import type { ObjectReference } from '@hyperslab/model/names'
import {
  type Elements,
  EMPTY_HEAP,
  encodeText,
  GrowingBytes,
  writeObjectReference,
  writeSequenceSlot,
  writeSlot,
} from '@hyperslab/model/values'
import { BOOLEAN, TYPES } from './make-types.ts'

type NumberArray = Exclude<ArrayBufferView, DataView> & ArrayLike<number | bigint>

/** A value to write: the forms that a reader gives, and an object of the new file for a reference to it. */
export type WritableValue =
  | number
  | bigint
  | boolean
  | string
  | null
  | NumberArray
  | ObjectReference
  | readonly WritableValue[]
  | { readonly [field: string]: WritableValue }

const TYPE_OF_ARRAY: Readonly<Record<string, Datatype>> = {
  Int8Array: TYPES.int8,
  Uint8Array: TYPES.uint8,
  Uint8ClampedArray: TYPES.uint8,
  Int16Array: TYPES.int16,
  Uint16Array: TYPES.uint16,
  Int32Array: TYPES.int32,
  Uint32Array: TYPES.uint32,
  BigInt64Array: TYPES.int64,
  BigUint64Array: TYPES.uint64,
  Float32Array: TYPES.float32,
  Float64Array: TYPES.float64,
}

function isNumberArray(values: unknown): values is NumberArray {
  return ArrayBuffer.isView(values) && !(values instanceof DataView)
}

/** The class of a typed array; Buffer of Node is a Uint8Array. */
function typeOfArray(values: NumberArray): Datatype | undefined {
  return values instanceof Uint8Array ? TYPES.uint8 : TYPE_OF_ARRAY[values.constructor.name]
}

export interface FlatValues {
  readonly type: Datatype
  /** Undefined: a scalar. */
  readonly dims: readonly number[] | undefined
  readonly values: NumberArray | readonly WritableValue[]
}

/** The values, flat, with their type and shape where these are not named. */
export function shaped(
  value: WritableValue,
  type: Datatype | undefined,
  dims: readonly number[] | undefined,
): FlatValues {
  if (isNumberArray(value)) {
    const found = type ?? typeOfArray(value)
    if (!found) throw new HyperslabError('type-mismatch', 'the values need a type')
    if (found.class === 'H5T_OPAQUE') return { type: found, dims, values: [value] }
    return { type: found, dims: dims ?? [value.length], values: value }
  }
  if (!Array.isArray(value)) return { type: type ?? typeOf(value), dims, values: [value] }
  if (dims) return { type: type ?? typeOf(value[0]), dims, values: value }
  const nesting: number[] = []
  let flat: readonly WritableValue[] = value
  // A named type may have arrays of its own: then only the outer list is a dimension.
  for (;;) {
    if (nesting.length === 0) nesting.push(flat.length)
    const [first] = flat
    if (type || !Array.isArray(first)) break
    const { length } = first
    if (!flat.every(row => Array.isArray(row) && row.length === length))
      throw new HyperslabError('value-count-mismatch', 'the value is ragged: its lists differ in length')
    nesting.push(length)
    flat = flat.flat(1) as WritableValue[]
  }
  return { type: type ?? typeOf(flat[0]), dims: nesting, values: flat }
}

function typeOf(value: WritableValue | undefined): Datatype {
  switch (typeof value) {
    case 'number':
      return TYPES.float64
    case 'bigint':
      return TYPES.int64
    case 'boolean':
      return BOOLEAN
    case 'string':
      return TYPES.string
    default:
      throw new HyperslabError('type-mismatch', 'the values need a type: only numbers and strings have one')
  }
}

/** Throws unless there are as many values as the shape has elements. */
export function encodeValues(type: Datatype, count: number, values: FlatValues['values']): Elements {
  if (values.length !== count) {
    const rule = `the shape has ${count} elements, and there are ${values.length} values`
    throw new HyperslabError('value-count-mismatch', rule)
  }
  const size = elementSize(type)
  if (isNumberArray(values) && isAlike(type, typeOfArray(values))) {
    const data = new Uint8Array(values.buffer, values.byteOffset, values.byteLength).slice()
    return { count, data, heap: EMPTY_HEAP }
  }
  const data = new Uint8Array(count * size)
  const heap = new GrowingBytes(0)
  const write = writerOf(type, heap)
  for (let index = 0; index < count; index++) write(values[index], data, index * size)
  return { count, data, heap: heap.bytes.slice(0, heap.length) }
}

/** Whether the numbers of a typed array are stored as they are. */
function isAlike(type: Datatype, other: Datatype | undefined): boolean {
  if (type.class === 'H5T_ENUM') return isAlike(type.base, other)
  if (other?.class !== type.class) return false
  if (type.class === 'H5T_FLOAT') return elementSize(other) === type.size && type.order === 'LE'
  if (type.class !== 'H5T_INTEGER' || other.class !== 'H5T_INTEGER') return false
  return other.size === type.size && other.signed === type.signed && (type.order === 'LE' || type.size === 1)
}

type WriteValue = (value: WritableValue, target: Uint8Array, offset: number) => void

function writerOf(type: Datatype, heap: GrowingBytes): WriteValue {
  switch (type.class) {
    case 'H5T_INTEGER':
      return integerWriter(type)
    case 'H5T_BITFIELD':
      return integerWriter({ ...type, class: 'H5T_INTEGER', signed: false })
    case 'H5T_ENUM': {
      const write = integerWriter(type.base)
      const numbers = new Map(type.members.map(({ name, value }) => [name, value]))
      return (value, target, offset) =>
        write(typeof value === 'string' ? (numbers.get(value) ?? value) : value, target, offset)
    }
    case 'H5T_FLOAT':
      return floatWriter(type)
    case 'H5T_STRING':
      return stringWriter(type, heap)
    case 'H5T_OPAQUE':
      return (value, target, offset) => {
        if (!isNumberArray(value) || value.byteLength !== type.size) throw mismatch(type, value)
        target.set(new Uint8Array(value.buffer, value.byteOffset, value.byteLength), offset)
      }
    case 'H5T_COMPOUND':
      return compoundWriter(type, heap)
    case 'H5T_ARRAY': {
      const { base, dims } = elementsOfType(type)
      return listWriter(type, base, product(dims), heap)
    }
    case 'H5T_VLEN':
      return sequenceWriter(type, heap)
    case 'H5T_REFERENCE':
      return (value, target, offset) => {
        const isReference = typeof value === 'object' && value !== null && 'kind' in value && 'id' in value
        if (type.base !== 'H5T_STD_REF_OBJ' || !(isReference || value === null)) throw mismatch(type, value)
        // Only objects of a new file have both.
        writeObjectReference((value as ObjectReference | null) ?? undefined, target, offset)
      }
  }
}

function integerWriter({ size, signed, order }: IntegerType): WriteValue {
  const bits = 8 * size
  const [low, high] = signed ? [-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1)] : [0n, 2n ** BigInt(bits)]
  return (value, target, offset) => {
    const isWhole = typeof value === 'number' && Number.isInteger(value)
    if (!isWhole && typeof value !== 'bigint' && typeof value !== 'boolean')
      throw new HyperslabError('type-mismatch', `${String(value)} is not an integer`)
    const number = BigInt(value)
    if (number < low || number >= high)
      throw new HyperslabError(
        'type-mismatch',
        `${number} does not fit ${signed ? '' : 'unsigned '}${bits} bits`,
      )
    let rest = BigInt.asUintN(bits, number)
    for (let i = 0; i < size; i++) {
      target[offset + (order === 'LE' ? i : size - 1 - i)] = Number(rest & 255n)
      rest >>= 8n
    }
  }
}

function floatWriter(type: Extract<Datatype, { class: 'H5T_FLOAT' }>): WriteValue {
  if (type.size === 2) throw new HyperslabError('type-unsupported', 'floats of 16 bits cannot be written')
  return (value, target, offset) => {
    if (typeof value !== 'number') throw mismatch(type, value)
    const view = new DataView(target.buffer, target.byteOffset + offset)
    if (type.size === 4) view.setFloat32(0, value, type.order === 'LE')
    else view.setFloat64(0, value, type.order === 'LE')
  }
}

function stringWriter(type: Extract<Datatype, { class: 'H5T_STRING' }>, heap: GrowingBytes): WriteValue {
  const { length, strPad } = type
  return (value, target, offset) => {
    if (typeof value !== 'string') throw mismatch(type, value)
    const bytes = encodeText(value)
    if (length === 'H5T_VARIABLE') {
      const start = put(heap, bytes)
      writeSlot(target, offset, start, bytes.length)
      return
    }
    if (bytes.length > length)
      throw new HyperslabError(
        'type-mismatch',
        `a string of ${bytes.length} bytes does not fit ${length} bytes`,
      )
    target.fill(strPad === 'H5T_STR_SPACEPAD' ? 32 : 0, offset, offset + length)
    target.set(bytes, offset)
  }
}

function compoundWriter(type: Extract<Datatype, { class: 'H5T_COMPOUND' }>, heap: GrowingBytes): WriteValue {
  const offsets = fieldOffsets(type)
  const writers = type.fields.map(field => writerOf(field.type, heap))
  return (value, target, offset) => {
    if (typeof value !== 'object' || value === null) throw mismatch(type, value)
    // A value for each field by its name.
    const fields = value as { readonly [field: string]: WritableValue }
    for (const [i, { name }] of type.fields.entries()) writers[i](fields[name], target, offset + offsets[i])
  }
}

function listWriter(type: Datatype, base: Datatype, count: number, heap: GrowingBytes): WriteValue {
  const size = elementSize(base)
  const write = writerOf(base, heap)
  return (value, target, offset) => {
    const items = Array.isArray(value) ? (value.flat(Number.POSITIVE_INFINITY) as WritableValue[]) : value
    if (!(Array.isArray(items) || isNumberArray(items)) || items.length !== count) throw mismatch(type, value)
    for (let i = 0; i < count; i++) write(items[i], target, offset + i * size)
  }
}

function sequenceWriter(type: Extract<Datatype, { class: 'H5T_VLEN' }>, heap: GrowingBytes): WriteValue {
  const size = elementSize(type.base)
  const write = writerOf(type.base, heap)
  return (value, target, offset) => {
    if (!Array.isArray(value) && !isNumberArray(value)) throw mismatch(type, value)
    const bytes = new Uint8Array(value.length * size)
    for (let i = 0; i < value.length; i++) write(value[i], bytes, i * size)
    const start = put(heap, bytes)
    writeSequenceSlot(target, offset, start, bytes.length)
  }
}

function put(heap: GrowingBytes, bytes: Uint8Array): number {
  const start = heap.reserve(bytes.length)
  heap.bytes.set(bytes, start)
  return start
}

function mismatch(type: Datatype, value: WritableValue | undefined): HyperslabError {
  return new HyperslabError('type-mismatch', `a value of type ${typeof value} does not fit ${type.class}`)
}
