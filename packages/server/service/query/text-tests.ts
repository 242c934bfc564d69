// Tests of text: strings, object references as their stored text, opaque data. Bytes are compared, without the padding
// of fixed lengths.

import { type Datatype, elementSize } from '@hyperslab/model/datatype'
import { slotLength, slotStart } from '@hyperslab/model/values'
import type { Block, Field, Outcomes, Test } from './block.ts'

const SPACE = 0x20

/** The significant bytes of an element's text, for a field of fixed or of variable length. */
interface TextColumn {
  readonly offset: number
  readonly stride: number
  /** Undefined: the text is in the heap. */
  readonly length: number | undefined
  /** The byte that pads the text besides NUL. */
  readonly padding: number
}

function columnOf({ type, offset, stride }: Field): TextColumn {
  const isVariable = type.class === 'H5T_STRING' && type.length === 'H5T_VARIABLE'
  const isSpacePadded = type.class === 'H5T_STRING' && type.strPad === 'H5T_STR_SPACEPAD'
  return {
    offset,
    stride,
    length: isVariable ? undefined : elementSize(type),
    padding: isSpacePadded ? SPACE : 0,
  }
}

export function isText(type: Datatype): boolean {
  if (type.class === 'H5T_REFERENCE') return type.base === 'H5T_STD_REF_OBJ'
  return type.class === 'H5T_STRING' || type.class === 'H5T_OPAQUE'
}

export function compareText(field: Field, literal: Uint8Array, outcomes: Outcomes): Test {
  const column = columnOf(field)
  const isEquality = outcomes.less === outcomes.greater
  return isEquality && column.length !== undefined && column.padding === 0
    ? equalsText(column, column.length, literal, outcomes)
    : ordersText(column, unpadded(column, literal), outcomes)
}

/** NUL-padded strings are equal if all their bytes are; most differ in the first. */
function equalsText(
  { offset, stride }: TextColumn,
  length: number,
  literal: Uint8Array,
  { equal, less: different }: Outcomes,
): Test {
  const isLonger = literal.subarray(length).some(byte => byte !== 0)
  const padded = new Uint8Array(length)
  padded.set(literal.subarray(0, length))
  return ({ data: { bytes }, first, positions, count }, mask) => {
    if (isLonger) return void mask.fill(different, 0, count)
    for (let i = 0; i < count; i++) {
      const position = (first + positions[i]) * stride + offset
      let same = 0
      while (same < length && bytes[position + same] === padded[same]) same++
      mask[i] = same === length ? equal : different
    }
  }
}

function ordersText(column: TextColumn, wanted: Uint8Array, { less, equal, greater }: Outcomes): Test {
  return (block, mask) => {
    eachText(column, block, (i, bytes, from, to) => {
      const order = compareBytes(bytes, from, to, wanted)
      mask[i] = order < 0 ? less : order > 0 ? greater : equal
    })
  }
}

export function textIn(field: Field, literals: readonly Uint8Array[]): Test {
  const column = columnOf(field)
  const sorted = literals
    .map(literal => unpadded(column, literal))
    .sort((a, b) => compareBytes(a, 0, a.length, b))
  return (block, mask) => {
    eachText(column, block, (i, bytes, start, end) => {
      let from = 0
      let to = sorted.length
      while (from < to) {
        const middle = (from + to) >>> 1
        if (compareBytes(bytes, start, end, sorted[middle]) > 0) from = middle + 1
        else to = middle
      }
      mask[i] = from < sorted.length && compareBytes(bytes, start, end, sorted[from]) === 0 ? 1 : 0
    })
  }
}

function eachText(
  { offset, stride, length, padding }: TextColumn,
  { data, heap, first, positions, count }: Block,
  visit: (index: number, bytes: Uint8Array, from: number, to: number) => void,
): void {
  for (let i = 0; i < count; i++) {
    const position = (first + positions[i]) * stride + offset
    if (length === undefined) {
      const start = slotStart(data.bytes, position)
      visit(i, heap, start, start + slotLength(data.bytes, position))
    } else {
      visit(i, data.bytes, position, endOfText(data.bytes, position, position + length, padding))
    }
  }
}

function unpadded({ length, padding }: TextColumn, literal: Uint8Array): Uint8Array {
  return length === undefined ? literal : literal.subarray(0, endOfText(literal, 0, literal.length, padding))
}

function endOfText(bytes: Uint8Array, from: number, to: number, padding: number): number {
  let end = to
  while (end > from && (bytes[end - 1] === 0 || bytes[end - 1] === padding)) end--
  return end
}

/** Negative, 0 or positive: by the first byte that differs, the shorter one first. */
function compareBytes(bytes: Uint8Array, from: number, to: number, other: Uint8Array): number {
  const common = Math.min(to - from, other.length)
  for (let i = 0; i < common; i++) {
    if (bytes[from + i] !== other[i]) return bytes[from + i] - other[i]
  }
  return to - from - other.length
}
