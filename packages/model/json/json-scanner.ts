// Values from JSON text, streamed: the bytes of one JSON value go in as they arrive, pieces of elements come out. It
// accepts the same JSON as elementsFromJson (json-tree.ts). Only the text of the current element, and one piece of
// elements, are in memory.

import { HyperslabError } from '@hyperslab/base/errors'
import type { Datatype } from '../datatype/datatype.ts'
import { elementSize } from '../datatype/layout.ts'
import { type Elements, MAX_ELEMENT_BYTES, type Piece } from '../values/elements.ts'
import { GrowingBytes } from '../values/growing-bytes.ts'
import { BROADCAST, dimensionBrackets, EXACT, Nesting, type NestingRules } from '../values/nesting.ts'
import type { ReferenceSyntax } from '../values/references.ts'
import { excerpt } from './json.ts'
import { JsonCursor, OUT_OF_BYTES, tooLarge } from './json-cursor.ts'
import { elementReader, type ReadElement } from './json-element.ts'
import { MAX_NUMBER_TEXT, numbersTaker, type TakeNumbers } from './json-numbers.ts'
import { CLOSE, COMMA, MAX_DEPTH, OPEN } from './json-syntax.ts'

/** A piece of elements is returned when its data or its heap has this many bytes. */
const PIECE_LENGTH = 1024 * 1024

/**
 * The elements of `bytes`, the text of one JSON value, for a selection of shape `dims`. The bytes of a piece are valid
 * until the next one is requested; those of the text are not needed for longer either. Too many elements are an error
 * as soon as they are seen, too few or a wrong shape at the end. A single element for all of them, where `rules` allow
 * that, is the only piece. Positions in messages count bytes of the text.
 */
export async function* scanElements(
  type: Datatype,
  dims: readonly number[],
  bytes: AsyncIterable<Uint8Array>,
  references: ReferenceSyntax,
  rules: NestingRules = BROADCAST,
): AsyncGenerator<Piece> {
  const scanner = new JsonValueScanner(type, dims, references, rules)
  for await (const piece of bytes) yield* scanner.push(piece)
  yield* scanner.finish()
}

/** The same without repetition: an array of shape `dims` needs all of its elements. */
export async function* scanEachElement(
  type: Datatype,
  dims: readonly number[],
  bytes: AsyncIterable<Uint8Array>,
  references: ReferenceSyntax,
): AsyncGenerator<Elements> {
  for await (const piece of scanElements(type, dims, bytes, references, EXACT)) {
    if ('element' in piece) throw new Error('a single element may not repeat here')
    yield piece
  }
}

/** The token to come: `item-or-end` after the bracket that opens an array, `separator` after an item. */
type ExpectedToken = 'start' | 'item' | 'item-or-end' | 'separator' | 'end'

/** Scans a value: call `push` for each piece of the text, then `finish`. */
export class JsonValueScanner {
  readonly #type: Datatype
  readonly #dims: readonly number[]
  readonly #rules: NestingRules
  readonly #size: number
  readonly #needed: number
  readonly #cursor = new JsonCursor()
  readonly #readElement: ReadElement
  readonly #takePlain: TakeNumbers | undefined

  /** The piece that is being filled. */
  readonly #capacity: number
  readonly #data: GrowingBytes
  readonly #heap = new GrowingBytes(0)
  #count = 0

  #expected: ExpectedToken = 'start'
  /**
   * The number of arrays around elements; it is known, like the checks of their nesting, once the first element is
   * reached.
   */
  #depth = 0
  #nesting: Nesting
  /** Items so far of each open array, the outermost first. */
  readonly #items: number[] = []
  /** Elements so far. */
  #found = 0
  /** The position in the text of the element that has begun. */
  #begun: number | undefined

  constructor(type: Datatype, dims: readonly number[], references: ReferenceSyntax, rules: NestingRules) {
    this.#type = type
    this.#dims = dims
    this.#rules = rules
    this.#size = elementSize(type)
    this.#needed = dims.reduce((product, extent) => product * extent, 1)
    this.#readElement = elementReader(type, this.#cursor, this.#heap, references)
    this.#takePlain = numbersTaker(type)
    this.#capacity = Math.max(1, Math.min(this.#needed, Math.floor(PIECE_LENGTH / this.#size)))
    this.#data = new GrowingBytes(this.#capacity * this.#size)
    this.#nesting = new Nesting(dims, 0, rules)
  }

  *push(text: Uint8Array): Iterable<Elements> {
    if (!this.#cursor.append(text)) return
    yield* this.#scan()
    this.#cursor.keepRest()
  }

  *finish(): Iterable<Piece> {
    this.#cursor.complete()
    yield* this.#scan()
    if (this.#nesting.finish(this.#found)) yield { count: this.#needed, element: this.#takePiece() }
    else if (this.#count > 0) yield this.#takePiece()
  }

  /** Reads until the text that has arrived is used up. */
  *#scan(): Iterable<Elements> {
    for (;;) {
      // A full piece is kept until another element follows, since a single one may be repeated for all.
      if (this.#isElementDue() && this.#found < this.#needed && this.#isFull()) yield this.#takePiece()
      try {
        if (!this.#step()) return
      } catch (error) {
        if (error !== OUT_OF_BYTES) throw this.#located(error)
        this.#requireShort()
        return
      }
    }
  }

  #isElementDue(): boolean {
    return this.#expected === 'item' && this.#items.length === this.#depth && this.#begun === undefined
  }

  #requireShort(): void {
    if (this.#begun === undefined || this.#cursor.position - this.#begun <= MAX_ELEMENT_BYTES) return
    throw tooLarge(`one element is more than ${MAX_ELEMENT_BYTES} bytes of JSON`)
  }

  /** Adds the index of the element to its error; errors of syntax have a position of their own. */
  #located(error: unknown): unknown {
    const isElement = this.#expected === 'item' && this.#items.length === this.#depth && this.#depth > 0
    if (!isElement || !(error instanceof HyperslabError) || error.code === 'malformed-json') return error
    return error.within(`element [${this.#items}]`)
  }

  /** Reads a sign of structure, an element or a row of numbers. False at the end of the value. */
  #step(): boolean {
    const cursor = this.#cursor
    switch (this.#expected) {
      case 'start':
        this.#findDepth()
        this.#expected = 'item'
        return true
      case 'item':
        if (this.#items.length < this.#depth) this.#open()
        else if (this.#begun !== undefined || !this.#takeNumbers()) this.#takeElement()
        return true
      case 'item-or-end':
        if (cursor.take(CLOSE)) this.#close()
        else this.#expected = 'item'
        return true
      case 'separator':
        if (cursor.take(CLOSE)) this.#close()
        else if (cursor.take(COMMA)) this.#expected = 'item'
        else throw cursor.unexpected('"," or "]"')
        return true
      case 'end':
        if (!cursor.isAtEnd()) throw cursor.unexpected('the end')
        return false
    }
  }

  /** Looks ahead to the first element, and consumes nothing. */
  #findDepth(): void {
    const cursor = this.#cursor
    const before = cursor.index
    try {
      let brackets = 0
      while (cursor.take(OPEN)) {
        if (++brackets > MAX_DEPTH) throw cursor.malformed(`more than ${MAX_DEPTH} levels of nesting`)
      }
      const code = cursor.next()
      const first = code === CLOSE ? 'empty' : code === 0x6e ? 'null' : 'value'
      this.#depth = dimensionBrackets(this.#type, this.#dims, brackets, first, this.#rules)
      this.#nesting = new Nesting(this.#dims, this.#depth, this.#rules)
    } finally {
      cursor.index = before
    }
  }

  #open(): void {
    const cursor = this.#cursor
    if (!cursor.take(OPEN)) {
      if (cursor.next() === CLOSE) throw cursor.unexpected('a value')
      const found = excerpt(cursor.json())
      throw new HyperslabError('value-count-mismatch', `the value is ragged: ${found} is not an array`)
    }
    this.#items.push(0)
    this.#expected = 'item-or-end'
  }

  #close(): void {
    const length = this.#items.pop() ?? 0
    this.#nesting.close(this.#items.length, length)
    this.#endItems(1)
  }

  /** The number of items of the innermost open array that have ended. */
  #endItems(count: number): void {
    const level = this.#items.length - 1
    if (level >= 0) this.#items[level] += count
    this.#expected = level >= 0 ? 'separator' : 'end'
  }

  /** Takes all plain numbers that follow. False: none follows, or the room is used up. */
  #takeNumbers(): boolean {
    const take = this.#takePlain
    if (!take || this.#depth === 0) return false
    const room = Math.min(this.#capacity - this.#count, this.#needed - this.#found)
    if (room === 0) return false
    const taken = take(this.#cursor, this.#data.view, this.#data.length, room)
    if (taken === 0) {
      // The last few bytes of a piece are read with the next piece, in the fast way.
      if (this.#cursor.isShort(MAX_NUMBER_TEXT)) throw OUT_OF_BYTES
      return false
    }
    this.#data.reserve(taken * this.#size)
    this.#count += taken
    this.#found += taken
    this.#endItems(taken)
    return true
  }

  #takeElement(): void {
    if (this.#begun === undefined) {
      if (this.#cursor.next() === CLOSE) throw this.#cursor.unexpected('a value')
      if (this.#nesting.isBeyond(this.#found + 1)) {
        this.#cursor.json()
        this.#endItems(1)
        return
      }
      this.#begun = this.#cursor.position
    }
    this.#readElement(this.#data, this.#data.ensure(this.#size))
    this.#begun = undefined
    this.#data.length += this.#size
    this.#count++
    this.#found++
    this.#endItems(1)
  }

  #isFull(): boolean {
    return this.#count === this.#capacity || this.#heap.length >= PIECE_LENGTH
  }

  /** The bytes are reused when the consumer requests the next piece. */
  #takePiece(): Elements {
    const piece = { count: this.#count, data: this.#data.used(), heap: this.#heap.used() }
    this.#count = 0
    this.#data.length = 0
    this.#heap.length = 0
    return piece
  }
}
