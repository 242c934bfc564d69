// Values from the bytes of an answer (hsds-values 12 and 14).

import {
  type Datatype,
  type Field,
  fixedSize,
  isBoolean,
  type NumberForm,
  numberForm,
  productOf,
} from './datatype.ts'

/** Numbers of one type. Half floats become floats of 32 bits. */
export type Numbers =
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

/**
 * Elements one after another: numbers as a typed array; booleans; strings and object references as strings; region
 * references as objects; opaque elements as bytes; compounds as lists of their members; arrays and sequences as the
 * elements that they have, in one list.
 */
export type Elements = Numbers | readonly unknown[]

/**
 * Decodes `count` elements, of which `bytes` has at least as many. Numbers share the memory of the bytes if its form
 * allows.
 */
export function decodeElements(type: Datatype, count: number, bytes: Uint8Array<ArrayBuffer>): Elements {
  const cursor = { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), at: 0 }
  return readElements(type, count, cursor)
}

interface Cursor {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly view: DataView
  at: number
}

const texts = new TextDecoder()

function readElements(type: Datatype, count: number, cursor: Cursor): Elements {
  if (isBoolean(type)) return Array.from(take(cursor, count), byte => byte !== 0)
  const form = numberForm(type)
  if (form) return decodeNumbers(form, take(cursor, count * form.size))
  const read = reader(type)
  return Array.from({ length: count }, () => read(cursor))
}

/** Reads one element. */
function reader(type: Datatype): (cursor: Cursor) => unknown {
  const form = numberForm(type)
  if (form) {
    const isBool = isBoolean(type)
    return cursor => {
      const [number] = decodeNumbers(form, take(cursor, form.size))
      return isBool ? number !== 0 : number
    }
  }
  switch (type.class) {
    case 'H5T_STRING': {
      const { length } = type
      if (length === 'H5T_VARIABLE') return cursor => texts.decode(takeVariable(cursor))
      return cursor => withoutNuls(texts.decode(take(cursor, length)))
    }
    case 'H5T_OPAQUE':
      return cursor => take(cursor, type.size).slice()
    case 'H5T_REFERENCE': {
      const size = fixedSize(type)
      if (size !== undefined) return cursor => withoutNuls(texts.decode(take(cursor, size)))
      return cursor => {
        const text = texts.decode(takeVariable(cursor))
        return text === '' ? null : JSON.parse(text)
      }
    }
    case 'H5T_COMPOUND': {
      const members = type.fields.map((field: Field) => reader(field.type))
      return cursor => members.map(read => read(cursor))
    }
    case 'H5T_ARRAY': {
      const count = productOf(type.dims)
      return cursor => readElements(type.base, count, cursor)
    }
    case 'H5T_VLEN': {
      const size = fixedSize(type.base)
      return cursor => {
        const bytes = takeVariable(cursor)
        return decodeElements(type.base, size ? bytes.length / size : 0, bytes)
      }
    }
    default:
      throw new Error(`elements of ${type.class} cannot be read`)
  }
}

function take(cursor: Cursor, length: number): Uint8Array<ArrayBuffer> {
  const end = cursor.at + length
  if (end > cursor.bytes.length) throw new Error(`the answer ends after ${cursor.bytes.length} bytes`)
  const bytes = cursor.bytes.subarray(cursor.at, end)
  cursor.at = end
  return bytes
}

/** Takes bytes that follow their number. */
function takeVariable(cursor: Cursor): Uint8Array<ArrayBuffer> {
  const at = cursor.at
  take(cursor, 4)
  return take(cursor, cursor.view.getInt32(at, true))
}

function withoutNuls(text: string): string {
  return text.replace(/\0+$/, '')
}

const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1

const ARRAYS = {
  signed: { 1: Int8Array, 2: Int16Array, 4: Int32Array, 8: BigInt64Array },
  unsigned: { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: BigUint64Array },
} as const

export function decodeNumbers(
  { kind, size, isLittleEndian }: NumberForm,
  bytes: Uint8Array<ArrayBuffer>,
): Numbers {
  const isNative = isLittleEndian === IS_LITTLE_ENDIAN || size === 1
  // A typed array begins at a multiple of the size of its numbers.
  const isAligned = bytes.byteOffset % size === 0
  const own = isNative && isAligned ? bytes : bytes.slice()
  if (!isNative) swap(own, size)
  const { buffer, byteOffset } = own
  const count = bytes.length / size
  if (kind === 'float') {
    if (size === 8) return new Float64Array(buffer, byteOffset, count)
    if (size === 4) return new Float32Array(buffer, byteOffset, count)
    return Float32Array.from(new Uint16Array(buffer, byteOffset, count), halfToNumber)
  }
  return new ARRAYS[kind][size](buffer, byteOffset, count)
}

/** Numbers of the same form as those of bytes; 64-bit integers must be whole. */
export function numbersOf({ kind, size }: NumberForm, values: readonly number[]): Numbers {
  if (kind === 'float') return size === 8 ? Float64Array.from(values) : Float32Array.from(values)
  if (size === 8) {
    const whole = values.map(value => BigInt(Math.trunc(value)))
    return kind === 'signed' ? BigInt64Array.from(whole) : BigUint64Array.from(whole)
  }
  return ARRAYS[kind][size].from(values)
}

function swap({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>, size: number): void {
  const view = new DataView(buffer, byteOffset, length)
  for (let at = 0; at < length; at += size) {
    if (size === 2) view.setUint16(at, view.getUint16(at), true)
    else if (size === 4) view.setUint32(at, view.getUint32(at), true)
    else view.setBigUint64(at, view.getBigUint64(at), true)
  }
}

/** IEEE 754 binary16. */
function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 0x1f
  const fraction = bits & 0x3ff
  if (exponent === 0x1f) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25)
}
