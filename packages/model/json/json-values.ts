// The JSON of values from their stored bytes, appended to growing bytes; no object is made for a value. The text is
// that of stringifyJson of elementsToJson (json-tree.ts). Long values are appended in steps, so that other work can run
// between them.

import type {
  BitfieldType,
  Datatype,
  EnumType,
  FloatType,
  IntegerType,
  StringType,
} from '../datatype/datatype.ts'
import {
  elementSize,
  fieldOffsets,
  includesType,
  isBoolean,
  isVariableSize,
  slotOffsets,
} from '../datatype/layout.ts'
import { appendBase64 } from '../values/base64.ts'
import type { GrowingBytes } from '../values/growing-bytes.ts'
import {
  MAX_NUMBER_LENGTH,
  writeAscii,
  writeDouble,
  writeDoubles,
  writeShortDouble,
  writeShortest,
  writeWhole,
  writeWhole64,
} from '../values/number-text.ts'
import { integerOf, readFloat } from '../values/numbers.ts'
import type { ValueStyle } from '../values/references.ts'
import { isUnwritten, slotLength, slotStart } from '../values/slots.ts'
import { endOfFixedText, isFixedString } from '../values/text.ts'
import { stringifyJson } from './json.ts'
import { type LeafType, leafToJson, type Source } from './json-leaf.ts'
import { CLOSE, COMMA, OPEN, QUOTE, ZERO } from './json-syntax.ts'
import { appendJsonText, appendJsonTextInSteps } from './json-text.ts'

/** Numbers that are appended at once: room is made for this many. */
export const NUMBER_BATCH = 512
/** A value of more bytes, those in the heap counted, is appended in steps. */
export const LONG_VALUE = 32 * 1024

/** Appends `count` values that follow one another from `offset`, with commas between them. */
export type AppendLeaves = (source: Source, offset: number, count: number, heap: Source) => void

export function leafAppender(type: Datatype, style: ValueStyle, out: GrowingBytes): AppendLeaves {
  switch (type.class) {
    case 'H5T_INTEGER':
    case 'H5T_BITFIELD':
      return integerAppender(type, out)
    case 'H5T_ENUM':
      return isBoolean(type) ? eachValue(type, out, booleanAppender(out)) : integerAppender(type, out)
    case 'H5T_FLOAT':
      return floatAppender(type, style, out)
    default:
      return eachValue(type, out, valueAppender(type, style, out))
  }
}

export function isNumber(type: Datatype): boolean {
  return ['H5T_INTEGER', 'H5T_BITFIELD', 'H5T_FLOAT', 'H5T_ENUM'].includes(type.class)
}

function integerAppender(type: IntegerType | BitfieldType | EnumType, out: GrowingBytes): AppendLeaves {
  const integer = integerOf(type)
  return integer.size === 8 ? wideIntegerAppender(integer, out) : narrowIntegerAppender(integer, out)
}

/** The kind of read is decided inside the loop: a branch that is always the same costs less than a call. */
function narrowIntegerAppender({ size, signed, order }: IntegerType, out: GrowingBytes): AppendLeaves {
  const little = order === 'LE'
  return ({ view }, from, count) => {
    let end = out.ensure(count * (MAX_NUMBER_LENGTH + 1))
    const text = out.view
    for (let offset = from, stop = from + count * size; offset < stop; offset += size) {
      if (offset > from) text.setUint8(end++, COMMA)
      let value: number
      if (size === 1) value = signed ? view.getInt8(offset) : view.getUint8(offset)
      else if (size === 2) value = signed ? view.getInt16(offset, little) : view.getUint16(offset, little)
      else value = signed ? view.getInt32(offset, little) : view.getUint32(offset, little)
      end = writeWhole(text, end, value)
    }
    out.length = end
  }
}

function wideIntegerAppender({ signed, order }: IntegerType, out: GrowingBytes): AppendLeaves {
  const little = order === 'LE'
  const highAt = little ? 4 : 0
  return ({ view }, from, count) => {
    let end = out.ensure(count * (MAX_NUMBER_LENGTH + 1))
    const text = out.view
    for (let offset = from, stop = from + count * 8; offset < stop; offset += 8) {
      if (offset > from) text.setUint8(end++, COMMA)
      const high = signed ? view.getInt32(offset + highAt, little) : view.getUint32(offset + highAt, little)
      end = writeWhole64(text, end, high, view.getUint32(offset + 4 - highAt, little))
    }
    out.length = end
  }
}

function floatAppender(type: FloatType, style: ValueStyle, out: GrowingBytes): AppendLeaves {
  const { size } = type
  const shortest = style.float32 === 'shortest'
  return (source, offset, count) => {
    let end = out.ensure(count * (MAX_NUMBER_LENGTH + 1))
    const text = out.view
    for (let i = 0; i < count; i++) {
      if (i > 0) text.setUint8(end++, COMMA)
      const value = readFloat(type, source.view, offset + i * size)
      if (!Number.isFinite(value)) {
        end = writeAscii(text, end, stringifyJson(value, style.nonFinite))
      } else if (shortest) {
        end = writeShortest(text, end, value, size)
      } else {
        const start = end
        end = writeShortDouble(text, start, value)
        if (end > start) continue
        const long = longFrom(type, source, offset, i, count)
        end = long.length < FEW ? writeDouble(text, start, value) : writeDoubles(out.bytes, start, long)
        if (long.length >= FEW) i += long.length - 1
      }
    }
    out.length = end
  }
}

/** Fewer doubles with many digits are written one by one. */
const FEW = 8

/** The doubles from the one at `first` on, up to one that JSON.stringify writes otherwise. */
function longFrom(type: FloatType, source: Source, offset: number, first: number, count: number): number[] {
  const values: number[] = []
  if (count - first < FEW) return values
  for (let i = first; i < count; i++) {
    const value = readFloat(type, source.view, offset + i * type.size)
    if (!Number.isFinite(value) || Object.is(value, -0)) break
    values.push(value)
  }
  return values
}

type AppendValue = (source: Source, offset: number, heap: Source) => void

function eachValue(type: Datatype, out: GrowingBytes, append: AppendValue): AppendLeaves {
  const size = elementSize(type)
  return (source, offset, count, heap) => {
    for (let i = 0; i < count; i++) {
      if (i > 0) out.appendByte(COMMA)
      append(source, offset + i * size, heap)
    }
  }
}

function valueAppender(type: Datatype, style: ValueStyle, out: GrowingBytes): AppendValue {
  switch (type.class) {
    case 'H5T_COMPOUND': {
      const offsets = fieldOffsets(type)
      const fields = type.fields.map((field, i) => ({
        at: offsets[i],
        append: leafAppender(field.type, style, out),
      }))
      return (source, offset, heap) => {
        for (let i = 0; i < fields.length; i++) {
          out.appendByte(i === 0 ? OPEN : COMMA)
          fields[i].append(source, offset + fields[i].at, 1, heap)
        }
        out.appendByte(CLOSE)
      }
    }
    case 'H5T_ARRAY':
      return arrayAppender(type.dims, type.base, style, out)
    case 'H5T_VLEN': {
      const size = elementSize(type.base)
      const append = inBatches(type.base, leafAppender(type.base, style, out), out)
      return (source, offset, heap) => {
        if (style.unwrittenSequence === 'zero' && isUnwritten(source.bytes, offset))
          return out.appendByte(ZERO)
        append(heap, slotStart(source.bytes, offset), slotLength(source.bytes, offset) / size, heap)
      }
    }
    case 'H5T_STRING':
      return (source, offset, heap) => {
        const { bytes, from, to } = textAt(type, source, offset, heap)
        appendJsonText(out, bytes, from, to)
      }
    case 'H5T_OPAQUE':
      return (source, offset) => {
        out.appendByte(QUOTE)
        appendBase64(out, source.bytes, offset, offset + type.size)
        out.appendByte(QUOTE)
      }
    default:
      return treeAppender(type, style, out)
  }
}

/** The array of any number of values, with little room made ahead. */
function inBatches(type: Datatype, append: AppendLeaves, out: GrowingBytes): AppendLeaves {
  const size = elementSize(type)
  return (source, offset, count, heap) => {
    out.appendByte(OPEN)
    for (let done = 0; done < count; done += NUMBER_BATCH) {
      if (done > 0) out.appendByte(COMMA)
      append(source, offset + done * size, Math.min(NUMBER_BATCH, count - done), heap)
    }
    out.appendByte(CLOSE)
  }
}

/** Along the outermost dimension, a row at a time. */
function arrayAppender(
  [extent, ...inner]: readonly number[],
  base: Datatype,
  style: ValueStyle,
  out: GrowingBytes,
): AppendValue {
  if (inner.length === 0) {
    const append = inBatches(base, leafAppender(base, style, out), out)
    return (source, offset, heap) => append(source, offset, extent, heap)
  }
  const size = inner.reduce((product, length) => product * length, elementSize(base))
  const append = arrayAppender(inner, base, style, out)
  return (source, offset, heap) => {
    for (let i = 0; i < extent; i++) {
      out.appendByte(i === 0 ? OPEN : COMMA)
      append(source, offset + i * size, heap)
    }
    out.appendByte(CLOSE)
  }
}

function booleanAppender(out: GrowingBytes): AppendValue {
  return (source, offset) => writeText(out, source.bytes[offset] === 0 ? 'false' : 'true')
}

/** Appends references, which are rare, through a tree. */
function treeAppender(type: LeafType, style: ValueStyle, out: GrowingBytes): AppendValue {
  return (source, offset, heap) =>
    writeText(out, stringifyJson(leafToJson(type, source, offset, heap.bytes, style)))
}

/** The bytes of the string at `offset`. */
export function textAt(
  type: StringType,
  source: Source,
  offset: number,
  heap: Source,
): { readonly bytes: Uint8Array; readonly from: number; readonly to: number } {
  if (isFixedString(type)) {
    return { bytes: source.bytes, from: offset, to: endOfFixedText(type, source.bytes, offset) }
  }
  const from = slotStart(source.bytes, offset)
  return { bytes: heap.bytes, from, to: from + slotLength(source.bytes, offset) }
}

export type IsLong = (source: Source, offset: number) => boolean

/** Whether a value is long. Of sequences whose items have parts in the heap themselves any may be. */
export function longTest(type: Datatype): IsLong {
  if (elementSize(type) > LONG_VALUE || includesType(type, isSequenceOfVariableSize)) return () => true
  const slots = slotOffsets(type)
  return ({ bytes }, position) => {
    let length = 0
    for (const offset of slots) length += slotLength(bytes, position + offset)
    return length > LONG_VALUE
  }
}

function isSequenceOfVariableSize(type: Datatype): boolean {
  return type.class === 'H5T_VLEN' && isVariableSize(type.base)
}

/**
 * Appends the value at `offset` in steps, each of some thousand bytes at most; between two of them the appended bytes
 * can be taken.
 */
export type AppendInSteps = (source: Source, offset: number, heap: Source) => Generator<void>

/** Values that are written in one step where they are short. */
const STEP_VALUES = 64

/** A part of a long value, which may be short itself. */
export interface Part {
  readonly isLong: IsLong
  readonly append: AppendLeaves
  readonly appendInSteps: AppendInSteps
}

export function appendersOf(type: Datatype, style: ValueStyle, out: GrowingBytes): Part {
  return {
    isLong: longTest(type),
    append: leafAppender(type, style, out),
    appendInSteps: stepAppender(type, style, out),
  }
}

export function stepAppender(type: Datatype, style: ValueStyle, out: GrowingBytes): AppendInSteps {
  switch (type.class) {
    case 'H5T_COMPOUND': {
      const offsets = fieldOffsets(type)
      const fields = type.fields.map((field, i) => ({
        at: offsets[i],
        part: appendersOf(field.type, style, out),
      }))
      return function* (source, position, heap) {
        for (let i = 0; i < fields.length; i++) {
          out.appendByte(i === 0 ? OPEN : COMMA)
          const { at: offset, part } = fields[i]
          if (part.isLong(source, position + offset))
            yield* part.appendInSteps(source, position + offset, heap)
          else part.append(source, position + offset, 1, heap)
          if (i % STEP_VALUES === 0) yield
        }
        out.appendByte(CLOSE)
      }
    }
    case 'H5T_ARRAY':
      return arrayStepAppender(type.dims, type.base, style, out)
    case 'H5T_VLEN': {
      const size = elementSize(type.base)
      const append = itemsStepAppender(type.base, style, out)
      return function* (source, offset, heap) {
        if (style.unwrittenSequence === 'zero' && isUnwritten(source.bytes, offset))
          return out.appendByte(ZERO)
        yield* append(heap, slotStart(source.bytes, offset), slotLength(source.bytes, offset) / size, heap)
      }
    }
    case 'H5T_STRING':
      return function* (source, offset, heap) {
        const { bytes, from, to } = textAt(type, source, offset, heap)
        yield* appendJsonTextInSteps(out, bytes, from, to)
      }
    case 'H5T_OPAQUE':
      return function* (source, offset) {
        out.appendByte(QUOTE)
        for (let from = 0; from < type.size; from += BASE64_STEP) {
          appendBase64(out, source.bytes, offset + from, offset + Math.min(type.size, from + BASE64_STEP))
          yield
        }
        out.appendByte(QUOTE)
      }
    default: {
      const append = leafAppender(type, style, out)
      return function* (source, offset, heap) {
        append(source, offset, 1, heap)
        yield
      }
    }
  }
}

/** Three bytes become four characters. */
const BASE64_STEP = 3 * 4096

function itemsStepAppender(
  type: Datatype,
  style: ValueStyle,
  out: GrowingBytes,
): (source: Source, offset: number, count: number, heap: Source) => Generator<void> {
  const size = elementSize(type)
  const batch = isNumber(type) ? NUMBER_BATCH : 1
  const part = appendersOf(type, style, out)
  return function* (source, offset, count, heap) {
    out.appendByte(OPEN)
    for (let done = 0; done < count; done += batch) {
      if (done > 0) out.appendByte(COMMA)
      const from = offset + done * size
      if (part.isLong(source, from)) yield* part.appendInSteps(source, from, heap)
      else part.append(source, from, Math.min(batch, count - done), heap)
      if (batch > 1 || done % STEP_VALUES === 0) yield
    }
    out.appendByte(CLOSE)
  }
}

function arrayStepAppender(
  [extent, ...inner]: readonly number[],
  base: Datatype,
  style: ValueStyle,
  out: GrowingBytes,
): AppendInSteps {
  if (inner.length === 0) {
    const append = itemsStepAppender(base, style, out)
    return (source, offset, heap) => append(source, offset, extent, heap)
  }
  const size = inner.reduce((product, length) => product * length, elementSize(base))
  const append = arrayStepAppender(inner, base, style, out)
  return function* (source, offset, heap) {
    for (let i = 0; i < extent; i++) {
      out.appendByte(i === 0 ? OPEN : COMMA)
      yield* append(source, offset + i * size, heap)
    }
    out.appendByte(CLOSE)
  }
}

export function writeText(out: GrowingBytes, text: string): void {
  out.append(new TextEncoder().encode(text))
}
