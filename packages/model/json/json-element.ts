// One element from JSON text that is at a cursor: parts are stored as they are read, without a tree. It accepts the
// same elements as json-tree.ts. A reader stops at the end of the text and continues when more has arrived, so that a
// long element is never read at once, and no part of it twice.

import { HyperslabError } from '@hyperslab/base/errors'
import { product } from '../dataset/dataspace.ts'
import type { ArrayType, Datatype, OpaqueType, StringType } from '../datatype/datatype.ts'
import { elementSize, isVariableSize, wholeArray } from '../datatype/layout.ts'
import { Base64Decoder } from '../values/base64.ts'
import { MAX_ELEMENT_BYTES } from '../values/elements.ts'
import { GrowingBytes } from '../values/growing-bytes.ts'
import type { ReferenceSyntax } from '../values/references.ts'
import { writeSequenceSlot, writeSlot } from '../values/slots.ts'
import { isFixedString, writeFixedText } from '../values/text.ts'
import type { JsonCursor } from './json-cursor.ts'
import { type LeafType, leafFromJson, requireSize, typeMismatch } from './json-leaf.ts'
import { numbersTaker, type TakeNumbers } from './json-numbers.ts'
import { CLOSE, COMMA, OPEN, QUOTE } from './json-syntax.ts'
import { canBeFlat, wrongLength } from './json-tree.ts'

/**
 * Stores the value at the cursor at `offset` of `target`, every byte of it. If the text ends within it, it throws
 * OUT_OF_BYTES and remembers its position: the next call, with the same `offset`, continues from there.
 */
export type ReadElement = (target: GrowingBytes, offset: number) => void

interface Parts {
  readonly cursor: JsonCursor
  readonly heap: GrowingBytes
  readonly references: ReferenceSyntax
}

export function elementReader(
  type: Datatype,
  cursor: JsonCursor,
  heap: GrowingBytes,
  references: ReferenceSyntax,
): ReadElement {
  return readerOf(type, { cursor, heap, references })
}

function readerOf(type: Datatype, parts: Parts): ReadElement {
  switch (type.class) {
    case 'H5T_COMPOUND': {
      const fields = type.fields.map(field => readerOf(field.type, parts))
      const sizes = type.fields.map(field => elementSize(field.type))
      const subject = 'a compound'
      return listReader(parts.cursor, subject, fields.length, (index, target, offset) => {
        fields[index](target, offset)
        return sizes[index]
      })
    }
    case 'H5T_ARRAY':
      return arrayReader(type, parts)
    case 'H5T_VLEN':
      return sequenceReader(type.base, parts)
    case 'H5T_STRING':
      return stringReader(type, parts)
    case 'H5T_OPAQUE':
      return opaqueReader(type, parts)
    default:
      return leafReader(type, parts)
  }
}

/** Reads item `index` to `offset` and returns its size. */
type ReadItem = (index: number, target: GrowingBytes, offset: number) => number

/** An array of items, which are stored one after another. Plain numbers are read many at a time. */
function listReader(
  cursor: JsonCursor,
  subject: string,
  length: number,
  readItem: ReadItem,
  numbers?: Numbers,
): ReadElement {
  // The state of the list that has begun: its next item, the offset where it is stored, and whether only the item
  // itself must still be read.
  let next: number | undefined
  let offset = 0
  let isDue = false
  return (target, position) => {
    if (next === undefined) {
      if (!cursor.take(OPEN)) throw typeMismatch(cursor.json(), `${subject}, which is written as an array`)
      next = 0
      offset = position
    }
    while (next < length) {
      if (!isDue) {
        if (cursor.next() === CLOSE) throw wrongLength(subject, length, next)
        if (next > 0) takeComma(cursor)
        isDue = true
      }
      const taken = numbers?.take(cursor, target.view, offset, length - next) ?? 0
      if (numbers !== undefined && taken > 0) {
        offset += taken * numbers.size
        next += taken
      } else {
        offset += readItem(next, target, offset)
        next++
      }
      isDue = false
    }
    if (!cursor.take(CLOSE)) {
      takeComma(cursor)
      throw wrongLength(subject, length, length + 1)
    }
    next = undefined
  }
}

/** Items of a type of numbers. */
interface Numbers {
  readonly take: TakeNumbers
  readonly size: number
}

function numbersOf(type: Datatype): Numbers | undefined {
  const take = numbersTaker(type)
  return take && { take, size: elementSize(type) }
}

function takeComma(cursor: JsonCursor): void {
  if (!cursor.take(COMMA)) throw cursor.unexpected('"," or "]"')
}

/** Nested like the dimensions or, where that cannot be mistaken, flat (hsds-values 13.1). */
function arrayReader(type: ArrayType, parts: Parts): ReadElement {
  const { dims, base } = wholeArray(type)
  const nested = nestedReader(dims, base, parts)
  if (!canBeFlat(dims, base)) return nested
  const flat = nestedReader([product(dims)], base, parts)
  let chosen: ReadElement | undefined
  return (target, offset) => {
    chosen ??= isFlat(parts.cursor) ? flat : nested
    chosen(target, offset)
    chosen = undefined
  }
}

/** Whether the array at the cursor begins with no other array. Takes nothing. */
function isFlat(cursor: JsonCursor): boolean {
  const before = cursor.index
  try {
    return cursor.take(OPEN) && cursor.next() !== OPEN
  } finally {
    cursor.index = before
  }
}

function nestedReader([extent, ...inner]: readonly number[], base: Datatype, parts: Parts): ReadElement {
  const read = inner.length === 0 ? readerOf(base, parts) : nestedReader(inner, base, parts)
  const size = inner.reduce((product, length) => product * length, elementSize(base))
  const readItem: ReadItem = (_, target, offset) => {
    read(target, offset)
    return size
  }
  const numbers = inner.length === 0 ? numbersOf(base) : undefined
  return listReader(parts.cursor, `an array of ${extent}`, extent, readItem, numbers)
}

/** Numbers of a sequence that are taken at a time. */
const NUMBERS_TAKEN = 512

/** The token that a sequence waits for: `item-or-end` after the bracket that opens it, `separator` after an item. */
type ExpectedToken = 'start' | 'item-or-end' | 'item' | 'separator'

function sequenceReader(base: Datatype, parts: Parts): ReadElement {
  const { cursor, heap } = parts
  const read = readerOf(base, parts)
  const size = elementSize(base)
  const numbers = numbersOf(base)
  // Items that use the heap themselves are collected separately.
  const aside = isVariableSize(base) ? new GrowingBytes(0) : undefined
  const items = aside ?? heap
  let expected: ExpectedToken = 'start'
  let start = 0
  /** The offset at which the item that has begun is stored. */
  let itemAt: number | undefined
  const readSome = (): void => {
    if (itemAt === undefined && numbers !== undefined) {
      const end = items.ensure(NUMBERS_TAKEN * size)
      const taken = numbers.take(cursor, items.view, end, NUMBERS_TAKEN)
      items.length += taken * size
      if (taken > 0) return
    }
    itemAt ??= items.reserve(size)
    read(items, itemAt)
    itemAt = undefined
  }
  return (target, offset) => {
    if (expected === 'start') {
      if (!cursor.take(OPEN)) {
        const json = cursor.json()
        if (json !== null) throw typeMismatch(json, 'a sequence, which is written as an array')
        writeSequenceSlot(target.bytes, offset, 0, 0)
        return
      }
      if (aside !== undefined) aside.length = 0
      start = items.length
      expected = 'item-or-end'
    }
    while (expected !== 'item-or-end' || !cursor.take(CLOSE)) {
      if (expected !== 'separator') {
        expected = 'item'
        readSome()
        requireShort(items.length - start, aside === undefined ? MAX_ELEMENT_BYTES : MAX_ASIDE)
        expected = 'separator'
      }
      if (cursor.take(COMMA)) expected = 'item'
      else if (cursor.take(CLOSE)) break
      else throw cursor.unexpected('"," or "]"')
    }
    expected = 'start'
    const length = items.length - start
    writeSequenceSlot(
      target.bytes,
      offset,
      aside === undefined ? start : heap.append(aside.bytes, 0, length),
      length,
    )
  }
}

/**
 * Bytes of items that each have parts in the heap: wherever such a sequence is copied, every part is copied by itself.
 * @limit memory, bytes
 */
const MAX_ASIDE = 4 << 20

function requireShort(length: number, most: number): void {
  if (length <= most) return
  throw new HyperslabError(
    'body-too-large',
    `a sequence takes more than ${most} bytes, what its items point to apart: store it as several elements`,
  )
}

function stringReader(type: StringType, { cursor, heap, references }: Parts): ReadElement {
  const text = isFixedString(type) ? new GrowingBytes(0) : heap
  /** The beginning of the string that has begun. */
  let start: number | undefined
  return (target, offset) => {
    if (start === undefined) {
      if (cursor.next() !== QUOTE) {
        leafFromJson(type, cursor.json(), target, offset, heap, references)
        return
      }
      start = text.length
    }
    cursor.takeText(text)
    if (isFixedString(type)) {
      writeFixedText(type, text.bytes, 0, text.length, target.bytes, offset)
      text.length = 0
    } else {
      writeSlot(target.bytes, offset, start, text.length - start)
    }
    start = undefined
  }
}

/** Reads an opaque value; Base64 is decoded as it arrives. */
function opaqueReader(type: OpaqueType, { cursor, heap, references }: Parts): ReadElement {
  const text = new GrowingBytes(0)
  let decoder: Base64Decoder | undefined
  let length = 0
  const store = (bytes: Uint8Array, target: GrowingBytes, offset: number): void => {
    if (length + bytes.length <= type.size) target.bytes.set(bytes, offset + length)
    length += bytes.length
  }
  return (target, offset) => {
    if (decoder === undefined) {
      if (cursor.next() !== QUOTE) {
        leafFromJson(type, cursor.json(), target, offset, heap, references)
        return
      }
      decoder = new Base64Decoder()
      length = 0
    }
    try {
      cursor.takeText(text)
    } finally {
      store(decoder.decode(text.used()), target, offset)
      text.length = 0
    }
    store(decoder.finish(), target, offset)
    requireSize(type, length)
    decoder = undefined
  }
}

/** Reads numbers and references, which are short, so one that is cut is read again as a whole. */
function leafReader(type: LeafType, { cursor, heap, references }: Parts): ReadElement {
  const takeNumbers = numbersTaker(type)
  return (target, offset) => {
    cursor.next()
    if (takeNumbers?.(cursor, target.view, offset, 1) === 1) return
    leafFromJson(type, cursor.json(), target, offset, heap, references)
  }
}
