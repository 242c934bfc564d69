// One element from JSON text that lies at a cursor: parts are stored as they are met, without a tree. What is accepted
// is what json-tree.ts accepts of an element.

import { product } from '../dataspace.ts'
import type { ArrayType, Datatype } from '../datatype/datatype.ts'
import { elementSize, wholeArray } from '../datatype/layout.ts'
import { GrowingBytes } from './growing-bytes.ts'
import { CLOSE, COMMA, type JsonCursor, OPEN, QUOTE } from './json-cursor.ts'
import { type LeafType, leafFromJson, mismatch } from './json-leaf.ts'
import { numbersTaker, type TakeNumbers } from './json-numbers.ts'
import { canBeFlat, wrongLength } from './json-tree.ts'
import type { ReferenceSyntax } from './references.ts'
import { writeSequenceSlot, writeSlot } from './slots.ts'
import { isFixedString, writeFixedText } from './text.ts'

/**
 * Stores the value at the cursor at `at` of `target`, every byte of it. When it throws, what it has put into the heap
 * stays there.
 */
export type ReadElement = (target: GrowingBytes, at: number) => void

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
      const what = 'a compound'
      return listReader(parts.cursor, what, fields.length, (index, target, at) => {
        fields[index](target, at)
        return sizes[index]
      })
    }
    case 'H5T_ARRAY':
      return arrayReader(type, parts)
    case 'H5T_VLEN':
      return sequenceReader(type.base, parts)
    default:
      return leafReader(type, parts)
  }
}

/** Reads item `index` to `at` and tells its size. */
type ReadItem = (index: number, target: GrowingBytes, at: number) => number

/** An array of so many items, which lie one after another. Those that are plain numbers are taken many at a time. */
function listReader(
  cursor: JsonCursor,
  what: string,
  length: number,
  readItem: ReadItem,
  numbers?: Numbers,
): ReadElement {
  return (target, at) => {
    if (!cursor.take(OPEN)) throw mismatch(cursor.json(), `${what}, which is written as an array`)
    let offset = at
    for (let index = 0; index < length; index++) {
      if (cursor.next() === CLOSE) throw wrongLength(what, length, index)
      if (index > 0) takeComma(cursor)
      const taken = numbers?.take(cursor, target.view, offset, length - index) ?? 0
      if (numbers !== undefined && taken > 0) {
        offset += taken * numbers.size
        index += taken - 1
      } else offset += readItem(index, target, offset)
    }
    if (cursor.take(CLOSE)) return
    takeComma(cursor)
    throw wrongLength(what, length, length + 1)
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

/** Nested as the dimensions tell or, where that cannot be mistaken, flat (hsds-values 13.1). */
function arrayReader(type: ArrayType, parts: Parts): ReadElement {
  const { dims, base } = wholeArray(type)
  const nested = nestedReader(dims, base, parts)
  if (!canBeFlat(dims, base)) return nested
  const flat = nestedReader([product(dims)], base, parts)
  const { cursor } = parts
  return (target, at) => {
    const before = cursor.at
    const isFlat = cursor.take(OPEN) && cursor.next() !== OPEN
    cursor.at = before
    if (isFlat) flat(target, at)
    else nested(target, at)
  }
}

function nestedReader([extent, ...inner]: readonly number[], base: Datatype, parts: Parts): ReadElement {
  const read = inner.length === 0 ? readerOf(base, parts) : nestedReader(inner, base, parts)
  const size = inner.reduce((product, length) => product * length, elementSize(base))
  const readItem: ReadItem = (_, target, at) => {
    read(target, at)
    return size
  }
  const numbers = inner.length === 0 ? numbersOf(base) : undefined
  return listReader(parts.cursor, `an array of ${extent}`, extent, readItem, numbers)
}

/** Numbers of a sequence that are taken at a time. */
const NUMBERS_TAKEN = 512

/** Items are gathered aside, since what they put into the heap themselves comes between. */
function sequenceReader(base: Datatype, parts: Parts): ReadElement {
  const { cursor, heap } = parts
  const read = readerOf(base, parts)
  const size = elementSize(base)
  const numbers = numbersOf(base)
  const gathered = new GrowingBytes(0)
  const readSome = (): void => {
    if (numbers !== undefined) {
      const start = gathered.ensure(NUMBERS_TAKEN * size)
      const taken = numbers.take(cursor, gathered.view, start, NUMBERS_TAKEN)
      if (taken > 0) {
        gathered.reserve(taken * size)
        return
      }
    }
    read(gathered, gathered.reserve(size))
  }
  return (target, at) => {
    gathered.length = 0
    if (!cursor.take(OPEN)) {
      const json = cursor.json()
      if (json !== null) throw mismatch(json, 'a sequence, which is written as an array')
    } else if (!cursor.take(CLOSE)) {
      do readSome()
      while (cursor.take(COMMA))
      if (!cursor.take(CLOSE)) throw cursor.unexpected('"," or "]"')
    }
    const start = heap.append(gathered.bytes, 0, gathered.length)
    writeSequenceSlot(target.bytes, at, start, gathered.length)
  }
}

function leafReader(type: LeafType, { cursor, heap, references }: Parts): ReadElement {
  const takeNumbers = numbersTaker(type)
  return (target, at) => {
    const code = cursor.next()
    if (takeNumbers?.(cursor, target.view, at, 1) === 1) return
    if (type.class !== 'H5T_STRING' || code !== QUOTE) {
      leafFromJson(type, cursor.json(), target, at, heap, references)
      return
    }
    const { bytes, from, to } = cursor.text()
    if (isFixedString(type)) {
      writeFixedText(type, bytes, from, to, target.bytes, at)
    } else {
      const start = heap.append(bytes, from, to - from)
      writeSlot(target.bytes, at, start, to - from)
    }
  }
}
