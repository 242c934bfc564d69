// The JSON of one value without parts: numbers, text, references, opaque bytes (classic 15.4; opaque as Base64,
// hsds-values 13.1). The conversions are those of json-tree.ts, json-writer.ts and json-scanner.ts.

import { HyperslabError } from '@hyperslab/base/errors'
import type {
  ArrayType,
  CompoundType,
  Datatype,
  FloatType,
  IntegerType,
  OpaqueType,
  ReferenceType,
  StringType,
  VlenType,
} from '../datatype/datatype.ts'
import { isBoolean } from '../datatype/layout.ts'
import { decodeBase64, encodeBase64 } from '../values/base64.ts'
import type { GrowingBytes } from '../values/growing-bytes.ts'
import {
  integerOf,
  readFloat,
  readInteger,
  shortestFloat,
  writeFloat,
  writeInteger,
} from '../values/numbers.ts'
import {
  decodeRegionReference,
  encodeRegionReference,
  formatRegionReference,
  parseObjectReference,
  parseRegionReference,
  type ReferenceSyntax,
  readObjectReference,
  type ValueStyle,
  writeObjectReference,
} from '../values/references.ts'
import { slotLength, slotStart, writeSlot } from '../values/slots.ts'
import { decodeText, encodeText, endOfFixedText, isFixedString, writeFixedText } from '../values/text.ts'
import { excerpt, isJsonObject, type JsonOutput, type JsonValue } from './json.ts'

export type LeafType = Exclude<Datatype, CompoundType | ArrayType | VlenType>

/** Bytes that are read, with a view of the same memory. */
export interface Source {
  readonly bytes: Uint8Array
  readonly view: DataView
}

export function sourceOf(bytes: Uint8Array): Source {
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength) }
}

/** The value at `offset` of `source`; slots point into `heap`. */
export function leafToJson(
  type: LeafType,
  source: Source,
  offset: number,
  heap: Uint8Array,
  style: ValueStyle,
): JsonOutput {
  switch (type.class) {
    case 'H5T_INTEGER':
    case 'H5T_BITFIELD':
      return readInteger(integerOf(type), source.view, offset)
    case 'H5T_ENUM': {
      const value = readInteger(type.base, source.view, offset)
      return isBoolean(type) ? value !== 0 : value
    }
    case 'H5T_FLOAT': {
      const value = readFloat(type, source.view, offset)
      return style.float32 === 'shortest' ? shortestFloat(value, type.size) : value
    }
    case 'H5T_STRING': {
      if (isFixedString(type))
        return decodeText(source.bytes, offset, endOfFixedText(type, source.bytes, offset))
      const start = slotStart(source.bytes, offset)
      return decodeText(heap, start, start + slotLength(source.bytes, offset))
    }
    case 'H5T_OPAQUE':
      return encodeBase64(source.bytes, offset, offset + type.size)
    case 'H5T_REFERENCE':
      return referenceToJson(type, source.bytes, offset, heap, style.references)
  }
}

function referenceToJson(
  type: ReferenceType,
  bytes: Uint8Array,
  offset: number,
  heap: Uint8Array,
  syntax: ReferenceSyntax,
): JsonOutput {
  if (type.base === 'H5T_STD_REF_OBJ') {
    const reference = readObjectReference(bytes, offset)
    return reference ? syntax.format(reference) : syntax.nullText
  }
  const start = slotStart(bytes, offset)
  const length = slotLength(bytes, offset)
  if (length === 0) return null
  return formatRegionReference(decodeRegionReference(heap.subarray(start, start + length)), syntax)
}

/** Stores the value at `offset` of `target`, which may be the heap itself; every byte of the element is written. */
export function leafFromJson(
  type: LeafType,
  json: JsonValue,
  target: GrowingBytes,
  offset: number,
  heap: GrowingBytes,
  syntax: ReferenceSyntax,
): void {
  switch (type.class) {
    case 'H5T_INTEGER':
    case 'H5T_BITFIELD': {
      const integer = integerOf(type)
      writeInteger(integer, target.view, offset, toInteger(json, integer, syntax))
      break
    }
    case 'H5T_ENUM':
      writeInteger(type.base, target.view, offset, toEnumValue(json, type.base, isBoolean(type), syntax))
      break
    case 'H5T_FLOAT':
      writeFloat(type, target.view, offset, toFloat(json, type, syntax))
      break
    case 'H5T_STRING':
      writeString(type, json, target, offset, heap, syntax)
      break
    case 'H5T_OPAQUE':
      target.bytes.set(toOpaque(json, type), offset)
      break
    case 'H5T_REFERENCE':
      writeReference(type, json, target, offset, heap, syntax)
      break
  }
}

function writeString(
  type: StringType,
  json: JsonValue,
  target: GrowingBytes,
  offset: number,
  heap: GrowingBytes,
  syntax: ReferenceSyntax,
): void {
  if (isFixedString(type)) {
    const isNumber = typeof json === 'number' || typeof json === 'bigint'
    const text = encodeText(syntax.convertsText && isNumber ? String(json) : toText(json))
    writeFixedText(type, text, 0, text.length, target.bytes, offset)
  } else {
    // null is the never-written value (hsds-objects 16.2).
    storeInHeap(encodeText(json === null ? '' : toText(json)), target, offset, heap)
  }
}

function writeReference(
  type: ReferenceType,
  json: JsonValue,
  target: GrowingBytes,
  offset: number,
  heap: GrowingBytes,
  syntax: ReferenceSyntax,
): void {
  if (type.base === 'H5T_STD_REF_OBJ') {
    writeObjectReference(parseObjectReference(json, syntax), target.bytes, offset)
  } else {
    const region = parseRegionReference(json, syntax)
    storeInHeap(region ? encodeRegionReference(region) : new Uint8Array(0), target, offset, heap)
  }
}

function storeInHeap(bytes: Uint8Array, target: GrowingBytes, offset: number, heap: GrowingBytes): void {
  const start = heap.append(bytes)
  writeSlot(target.bytes, offset, start, bytes.length)
}

/** A longer text is out of range for any integer. */
const WHOLE_TEXT = /^\s*[+-]?\d{1,40}\s*$/
const DECIMAL_TEXT = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i

/** Fractions are cut off; booleans are 1 and 0. */
function toInteger(json: JsonValue, type: IntegerType, syntax: ReferenceSyntax): number | bigint {
  if (typeof json === 'bigint') return json
  if (typeof json === 'boolean') return json ? 1 : 0
  if (syntax.convertsText && typeof json === 'string' && WHOLE_TEXT.test(json)) return BigInt(json.trim())
  if (typeof json !== 'number') throw typeMismatch(json, `an integer of ${type.size} bytes`)
  if (!Number.isFinite(json)) {
    throw new HyperslabError('value-out-of-range', `${json} is out of range for an integer`)
  }
  return Math.trunc(json)
}

function toEnumValue(
  json: JsonValue,
  base: IntegerType,
  boolean: boolean,
  syntax: ReferenceSyntax,
): number | bigint {
  if (typeof json === 'string') throw typeMismatch(json, 'an enum, whose values are written as integers')
  const value = toInteger(json, base, syntax)
  if (boolean && value !== 0 && value !== 1) {
    throw new HyperslabError(
      'value-out-of-range',
      `${value} is out of range for a boolean: send true, false, 1 or 0`,
    )
  }
  return value
}

/** common 5, and the spellings of hsds-values 7.7. */
const NON_FINITE_TEXT = /^\s*([+-]?)(?:(nan)|inf|infinity)\s*$/i

/** NaN and the infinities as words, in upper or lower case; null is NaN. */
function toFloat(json: JsonValue, type: FloatType, syntax: ReferenceSyntax): number {
  if (typeof json === 'number') return json
  if (typeof json === 'bigint') return Number(json)
  if (typeof json === 'boolean') return json ? 1 : 0
  if (json === null) return Number.NaN
  if (syntax.convertsText && typeof json === 'string' && DECIMAL_TEXT.test(json)) return finite(json)
  const words = typeof json === 'string' ? NON_FINITE_TEXT.exec(json) : null
  if (!words) throw typeMismatch(json, `a float of ${type.size} bytes`)
  if (words[2]) return Number.NaN
  return words[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
}

function finite(text: string): number {
  const number = Number(text)
  if (Number.isFinite(number)) return number
  throw new HyperslabError(
    'value-out-of-range',
    `${excerpt(text)} is beyond what a double can hold; infinity is written Infinity`,
  )
}

function toText(json: JsonValue): string {
  if (typeof json !== 'string') throw typeMismatch(json, 'a string')
  return json
}

function toOpaque(json: JsonValue, type: OpaqueType): Uint8Array {
  if (typeof json !== 'string')
    throw typeMismatch(json, `opaque data of ${type.size} bytes, written in Base64`)
  const bytes = decodeBase64(json)
  requireSize(type, bytes.length)
  return bytes
}

export function requireSize({ size }: OpaqueType, length: number): void {
  if (length === size) return
  throw new HyperslabError('malformed-value', `opaque data of ${size} bytes cannot take ${length} bytes`)
}

export function typeMismatch(json: JsonValue, expected: string): HyperslabError {
  const hint = isJsonObject(json)
    ? ' (only region references are written as objects: a compound is an array of its members in their order)'
    : ''
  return new HyperslabError('type-mismatch', `${excerpt(json)} cannot be stored as ${expected}${hint}`)
}
