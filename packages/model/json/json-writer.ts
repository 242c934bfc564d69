// Values as JSON text, streamed: elements go in piece by piece, bytes of the nested arrays come out.

import type { Datatype } from '../datatype/datatype.ts'
import { elementSize, elementsOfType } from '../datatype/layout.ts'
import { repeatedBytes } from '../values/bytes.ts'
import type { Elements, Piece, RepeatedElement } from '../values/elements.ts'
import { repeatElement } from '../values/elements-builder.ts'
import { GrowingBytes } from '../values/growing-bytes.ts'
import type { ValueStyle } from '../values/references.ts'
import { stringifyJson } from './json.ts'
import { type Source, sourceOf } from './json-leaf.ts'
import { CLOSE, COMMA, OPEN } from './json-syntax.ts'
import { nest } from './json-tree.ts'
import {
  type AppendInSteps,
  type AppendLeaves,
  type IsLong,
  isNumber,
  LONG_VALUE,
  leafAppender,
  longTest,
  NUMBER_BATCH,
  stepAppender,
  writeText,
} from './json-values.ts'

/** A piece of text is returned when it has about this length. */
const PIECE_LENGTH = 128 * 1024
/** Values other than numbers that are written between two checks of the length. */
const VALUE_BATCH = 16

/**
 * Bytes of elements that are read between two pieces of an answer, however little text they make.
 * @limit safety, bytes
 */
export const MAX_READ = 1 << 20
const NOTHING = new Uint8Array(0)

/** Writes one value: call `write` with each piece of elements, then `finish`. */
export class JsonValueWriter {
  readonly #out: GrowingBytes
  /** The shape of the result and, for an array type, that of its elements: nested arrays of leaves. */
  readonly #shape: readonly number[]
  readonly #type: Datatype
  readonly #leavesPerElement: number
  readonly #leafSize: number
  readonly #appendLeaves: AppendLeaves
  readonly #appendInSteps: () => AppendInSteps
  readonly #isLong: IsLong
  readonly #batch: number
  /** Leaves that the whole value has, and those written. */
  readonly #total: number
  #written = 0
  /** Leaves of the innermost dimension, those written of the current row, finished items of the outer dimensions. */
  readonly #rowLength: number
  #inRow = 0
  readonly #finished: number[]
  /** Arrays that begin with the next row. */
  #toOpen: number

  constructor(type: Datatype, shape: readonly number[], style: ValueStyle) {
    const { dims: inner, base: leaf } = elementsOfType(type)
    this.#type = type
    this.#shape = [...shape, ...inner]
    this.#leavesPerElement = inner.reduce((product, extent) => product * extent, 1)
    this.#leafSize = elementSize(leaf)
    this.#total = this.#shape.reduce((product, extent) => product * extent, 1)
    this.#out = new GrowingBytes(Math.min(this.#total * 32, PIECE_LENGTH + 16 * 1024))
    this.#appendLeaves = leafAppender(leaf, style, this.#out)
    let inSteps: AppendInSteps | undefined
    this.#appendInSteps = () => {
      inSteps ??= stepAppender(leaf, style, this.#out)
      return inSteps
    }
    this.#isLong = longTest(leaf)
    this.#batch = isNumber(leaf) ? NUMBER_BATCH : VALUE_BATCH
    this.#rowLength = this.#shape.at(-1) ?? 1
    this.#finished = this.#shape.slice(0, -1).fill(0)
    this.#toOpen = this.#shape.length
    if (this.#total === 0) writeText(this.#out, stringifyJson(nest(this.#shape, () => null)))
  }

  /**
   * The text that is ready after these elements, in pieces of about 128 KiB, each made when it is requested; a shorter
   * rest is kept. A piece may be empty: one is returned after each MiB of elements, so that the caller can let other
   * work run. Each piece belongs to the receiver. The elements' bytes are needed until the last piece was taken.
   */
  write(piece: Piece): Iterable<Uint8Array> {
    return 'element' in piece ? this.#writeEqual(piece) : this.#writeElements(piece)
  }

  /** The text of equal elements is made once. */
  *#writeEqual({ count, element }: RepeatedElement): Iterable<Uint8Array> {
    const elements = repeatElement(this.#type, element, Math.min(count, NUMBER_BATCH))
    const text = this.#textOf(element)
    if (text === undefined) {
      for (let left = count; left > 0; left -= elements.count) {
        yield* this.#writeElements({ ...elements, count: Math.min(left, elements.count) })
      }
      return
    }
    if (this.#written + count > this.#total) throw new Error('more elements were written than the shape has')
    this.#written += count
    const atOnce = Math.min(count, Math.max(1, Math.floor(PIECE_LENGTH / text.length)))
    const block = repeatedBytes(text, atOnce)
    for (let left = count; left > 0; ) {
      const length = Math.min(left, this.#rowLength - this.#inRow, atOnce)
      // The first of a row comes without its comma.
      const from = this.#inRow === 0 ? 1 : 0
      if (this.#inRow === 0) this.#openRow()
      this.#out.append(block, from, length * text.length - from)
      left -= length
      this.#inRow += length
      if (this.#inRow === this.#rowLength) this.#closeRow()
      if (this.#out.length >= PIECE_LENGTH) yield this.#out.take()
    }
  }

  /** A comma and the text of an element; undefined if it is long, or an array. */
  #textOf({ data, heap }: Elements): Uint8Array | undefined {
    const isLong = this.#leafSize > LONG_VALUE || heap.length > LONG_VALUE
    if (isLong || this.#leavesPerElement !== 1) return undefined
    const [source, itsHeap] = [sourceOf(data), sourceOf(heap)]
    const start = this.#out.length
    this.#out.appendByte(COMMA)
    this.#appendLeaves(source, 0, 1, itsHeap)
    const text = this.#out.bytes.slice(start, this.#out.length)
    this.#out.length = start
    return text
  }

  *#writeElements(elements: Elements): Iterable<Uint8Array> {
    const data = sourceOf(elements.data)
    const heap = sourceOf(elements.heap)
    const leaves = elements.count * this.#leavesPerElement
    if (this.#written + leaves > this.#total) throw new Error('more elements were written than the shape has')
    this.#written += leaves
    const mayBeLong = this.#leafSize > LONG_VALUE || elements.heap.length > LONG_VALUE
    let read = 0
    for (let done = 0; done < leaves; ) {
      const offset = done * this.#leafSize
      const most = Math.min(leaves - done, this.#rowLength - this.#inRow, this.#batch)
      const short = mayBeLong ? this.#countShort(data, offset, most) : most
      const count = Math.max(1, short)
      if (this.#inRow === 0) this.#openRow()
      else this.#out.appendByte(COMMA)
      if (short > 0) this.#appendLeaves(data, offset, short, heap)
      else {
        for (const _ of this.#appendInSteps()(data, offset, heap)) {
          if (this.#out.length >= PIECE_LENGTH) yield this.#out.take()
        }
      }
      done += count
      this.#inRow += count
      if (this.#inRow === this.#rowLength) this.#closeRow()
      read += count * this.#leafSize
      if (this.#out.length >= PIECE_LENGTH) yield this.#out.take()
      else if (read >= MAX_READ) yield NOTHING
      else continue
      read = 0
    }
  }

  /** Counts the values before the first long one, from `offset` on, at most `most`. */
  #countShort(data: Source, offset: number, most: number): number {
    let count = 0
    while (count < most && !this.#isLong(data, offset + count * this.#leafSize)) count++
    return count
  }

  /** The rest of the text. All elements must have been written. */
  finish(): Uint8Array {
    if (this.#written !== this.#total) throw new Error('fewer elements were written than the shape has')
    return this.#out.take()
  }

  #openRow(): void {
    if (this.#toOpen < this.#shape.length) this.#out.appendByte(COMMA)
    for (let i = 0; i < this.#toOpen; i++) this.#out.appendByte(OPEN)
  }

  #closeRow(): void {
    this.#inRow = 0
    if (this.#shape.length === 0) return
    let dimension = this.#finished.length - 1
    while (dimension >= 0 && ++this.#finished[dimension] === this.#shape[dimension]) {
      this.#finished[dimension--] = 0
    }
    this.#toOpen = this.#finished.length - dimension
    for (let i = 0; i < this.#toOpen; i++) this.#out.appendByte(CLOSE)
  }
}
