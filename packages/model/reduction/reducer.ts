// Reduces the elements of an array as they arrive, in row-major order. Only blocks that are not complete are kept.

import { product } from '../dataset/dataspace.ts'
import { elementSize } from '../datatype/layout.ts'
import { rowMajorStrides } from '../selection/selection.ts'
import { type Elements, EMPTY_HEAP, type Piece } from '../values/elements.ts'
import { type Accumulator, type AddEqual, newAccumulator } from './accumulators.ts'
import { firstReduced, keptBlocks, type Reduction } from './reduction.ts'

/** Elements between two steps. */
const STEP = 2 ** 15
/** Parts of rows that wait for equal ones below them. @limit memory, parts */
const MAX_WAITING = 1024
/** Shorter parts, in blocks, are added at once. */
const LEAST_BLOCKS = 8

/** Equal elements of a row, from a column on, and of rows below it whose blocks are the same. */
interface WaitingRows {
  /** The first block of the row. */
  readonly block: number
  readonly start: number
  readonly length: number
  /** Whether the first of the rows is the first one of its blocks. */
  readonly isFirst: boolean
  rows: number
}

export class Reducer {
  readonly #size: number
  readonly #accumulator: Accumulator
  /** The array's extents: those of the dimensions before the last one, and that of the last. */
  readonly #outer: readonly number[]
  readonly #rowLength: number
  readonly #outerFactors: readonly number[]
  readonly #rowFactor: number
  /** The first dimension that is reduced: for each index of those before it, blocks are complete by themselves. */
  readonly #first: number
  /** The strides of the blocks that are kept: the distance of neighbours in each dimension before the last one. */
  readonly #strides: readonly number[]
  /** Blocks that are kept; of a row that is reduced alone, a window. */
  readonly #blocks: number
  /** The next element. */
  readonly #at: number[]
  #column = 0
  /** The first block of the window. */
  #windowStart = 0
  /** Elements of the result for each block. */
  readonly #perBlock: number
  /** The latest element that was repeated. */
  #repeated: { readonly data: Uint8Array; readonly add: AddEqual } | undefined
  readonly #waiting = new Map<string, WaitingRows>()

  constructor(reduction: Reduction) {
    const { type, name, result } = reduction
    const isScalar = reduction.shape.length === 0
    const shape = isScalar ? [1] : reduction.shape
    const factors = isScalar ? [1] : reduction.factors
    this.#size = elementSize(type)
    this.#perBlock = name === 'minmax' ? 2 : 1
    const last = shape.length - 1
    this.#outer = shape.slice(0, last)
    this.#rowLength = shape[last]
    this.#outerFactors = factors.slice(0, last)
    this.#rowFactor = factors[last]
    this.#first = firstReduced(factors)
    const blockCounts = keptBlocks(shape, factors)
    const isRowAlone = this.#first === last
    this.#blocks = isRowAlone
      ? Math.min(STEP, Math.ceil(this.#rowLength / this.#rowFactor))
      : product(blockCounts)
    this.#strides = rowMajorStrides(blockCounts).slice(0, last)
    this.#at = this.#outer.map(() => 0)
    this.#accumulator = newAccumulator(type, name, result.type, this.#blocks)
  }

  /** Takes the next elements, and yields parts of the result. Between two steps, other work may run. */
  push(piece: Piece): Generator<Elements | undefined> {
    return 'element' in piece ? this.#pushEqual(piece.count, piece.element) : this.#pushElements(piece)
  }

  *#pushElements({ count, data }: Elements): Generator<Elements | undefined> {
    const isRowAlone = this.#first === this.#outer.length
    let sinceStep = 0
    for (let done = 0; done < count; ) {
      const rowEnd = isRowAlone
        ? Math.min(this.#rowLength, (this.#windowStart + this.#blocks) * this.#rowFactor)
        : this.#rowLength
      const run = Math.min(count - done, rowEnd - this.#column, STEP)
      const isFirstRow = this.#outerFactors.every((factor, d) => this.#at[d] % factor === 0)
      const column = this.#column - this.#windowStart * this.#rowFactor
      this.#accumulator.add(data, done * this.#size, run, {
        block: this.#rowBlock() + Math.floor(column / this.#rowFactor),
        inBlock: column % this.#rowFactor,
        factor: this.#rowFactor,
        isFirstRow,
      })
      done += run
      this.#column += run
      sinceStep += run
      if (sinceStep >= STEP) {
        yield undefined
        sinceStep = 0
      }
      if (isRowAlone) yield* this.#endWindow()
      if (this.#column === this.#rowLength && this.#nextRow() && !isRowAlone) yield* this.#endRows()
    }
  }

  /** Equal elements are boxes, as large as can be, of which each block has a number. */
  *#pushEqual(count: number, { data }: Elements): Generator<Elements | undefined> {
    const add = yield* this.#adderOf(data)
    const last = this.#outer.length
    const isRowAlone = this.#first === last
    for (let left = count; left > 0; ) {
      const { dimension, inner } = this.#largestBox(left)
      const start = this.#coordinate(dimension)
      let length = Math.min(Math.floor(left / inner), this.#extent(dimension) - start)
      // Blocks that are complete are taken before others begin.
      if (dimension === this.#first) {
        const end = isRowAlone
          ? (this.#windowStart + this.#blocks) * this.#rowFactor
          : this.#nextBorder(dimension, start)
        length = Math.min(length, end - start)
      }
      if (dimension === last && !isRowAlone && length > LEAST_BLOCKS * this.#rowFactor)
        yield* this.#addRow(start, length)
      else yield* this.#addBox(dimension, start, length, add)
      left -= length * inner
      yield* this.#advance(dimension, start + length)
    }
  }

  /**
   * The largest box among the next `count` elements: all dimensions after `dimension`, `inner` elements, and some
   * indexes of it.
   */
  #largestBox(count: number): { readonly dimension: number; readonly inner: number } {
    let dimension = this.#outer.length
    let inner = 1
    while (dimension > this.#first && this.#coordinate(dimension) === 0) {
      const larger = inner * this.#extent(dimension)
      if (larger > count) break
      inner = larger
      dimension--
    }
    return { dimension, inner }
  }

  *#adderOf(data: Uint8Array): Generator<undefined, AddEqual> {
    const { data: former } = this.#repeated ?? {}
    if (this.#repeated === undefined || former?.some((byte, i) => byte !== data[i])) {
      yield* this.#endWaiting()
      this.#repeated = { data: data.slice(0, this.#size), add: this.#accumulator.adderOf(data) }
    }
    return this.#repeated.add
  }

  /** Beside chunks that are stored, others repeat in each row: their blocks get a number once for all of their rows. */
  *#addRow(start: number, length: number): Generator<undefined> {
    const block = this.#rowBlock()
    const key = `${block} ${start} ${length}`
    const above = this.#waiting.get(key)
    if (above) {
      above.rows++
      return
    }
    if (this.#waiting.size >= MAX_WAITING) yield* this.#endWaiting()
    const isFirst = this.#outerFactors.every((factor, d) => this.#at[d] % factor === 0)
    this.#waiting.set(key, { block, start, length, isFirst, rows: 1 })
  }

  *#endWaiting(): Generator<undefined> {
    const { add } = this.#repeated ?? {}
    if (add === undefined) return
    const factor = this.#rowFactor
    let sinceStep = 0
    for (const { block, start, length, isFirst, rows } of this.#waiting.values()) {
      for (let offset = start; offset < start + length; ) {
        const index = Math.floor(offset / factor)
        const next = Math.min(start + length, (index + 1) * factor)
        add(block + index, (next - offset) * rows, isFirst && offset === index * factor)
        offset = next
        if (++sinceStep % STEP === 0) yield undefined
      }
    }
    this.#waiting.clear()
  }

  *#addBox(dimension: number, start: number, length: number, add: AddEqual): Generator<undefined> {
    const last = this.#outer.length
    const isRowAlone = this.#first === last
    // Spans in the dimensions whose blocks are kept side by side: the blocks that the box touches, and how much of
    // each.
    const spans: Span[] = []
    let [times, isFirst] = [1, true]
    for (let d = 0; d <= last; d++) {
      const from = d < dimension ? this.#coordinate(d) : d === dimension ? start : 0
      const count = d < dimension ? 1 : d === dimension ? length : this.#extent(d)
      const factor = this.#factor(d)
      if (d > this.#first || (isRowAlone && d === last)) {
        const base = isRowAlone ? this.#windowStart : 0
        spans.push({ from, end: from + count, factor, base, stride: d === last ? 1 : this.#strides[d] })
      } else {
        times *= count
        isFirst &&= from % factor === 0
      }
    }
    // The blocks of one row are a plain loop: a generator takes several times as long for each of them.
    const row = spans[spans.length - 1]
    let sinceStep = 0
    for (const { block, count, isAtStart } of blocksOf(spans.slice(0, -1), 0)) {
      const isFirstOfRow = isAtStart && isFirst
      for (let offset = row.from; offset < row.end; ) {
        const index = Math.floor(offset / row.factor)
        const next = Math.min(row.end, (index + 1) * row.factor)
        const isAtBorder = offset === index * row.factor
        add(block + index - row.base, (next - offset) * count * times, isFirstOfRow && isAtBorder)
        offset = next
        if (++sinceStep % STEP === 0) yield undefined
      }
    }
    yield undefined
  }

  /** Moves to the element at an index of the dimension, with 0 in those after it. */
  *#advance(dimension: number, index: number): Generator<Elements | undefined> {
    const last = this.#outer.length
    const isRowAlone = this.#first === last
    if (dimension === last) this.#column = index
    else {
      // The row before it is the last one that was added.
      this.#at[dimension] = index - 1
      for (let d = dimension + 1; d < last; d++) this.#at[d] = this.#outer[d] - 1
      this.#column = this.#rowLength
    }
    if (isRowAlone) yield* this.#endWindow()
    if (this.#column === this.#rowLength && this.#nextRow() && !isRowAlone) yield* this.#endRows()
  }

  /** Gives the blocks that are kept when they are complete. */
  *#endRows(): Generator<Elements | undefined> {
    yield* this.#endWaiting()
    yield this.#flush(this.#blocks)
  }

  /** Gives the window of a row that is reduced alone when it is complete. */
  *#endWindow(): Generator<Elements> {
    const end = Math.min(this.#rowLength, (this.#windowStart + this.#blocks) * this.#rowFactor)
    if (this.#column !== end) return
    yield this.#flush(Math.ceil(end / this.#rowFactor) - this.#windowStart)
    this.#windowStart = end === this.#rowLength ? 0 : this.#windowStart + this.#blocks
  }

  #coordinate(dimension: number): number {
    return dimension === this.#outer.length ? this.#column : this.#at[dimension]
  }

  #extent(dimension: number): number {
    return dimension === this.#outer.length ? this.#rowLength : this.#outer[dimension]
  }

  #factor(dimension: number): number {
    return dimension === this.#outer.length ? this.#rowFactor : this.#outerFactors[dimension]
  }

  #nextBorder(dimension: number, index: number): number {
    const factor = this.#factor(dimension)
    return (Math.floor(index / factor) + 1) * factor
  }

  #flush(count: number): Elements {
    return { count: count * this.#perBlock, data: this.#accumulator.take(count), heap: EMPTY_HEAP }
  }

  /** The first block of the current row among those that are kept. */
  #rowBlock(): number {
    let block = 0
    for (let d = this.#first + 1; d < this.#outer.length; d++)
      block += Math.floor(this.#at[d] / this.#outerFactors[d]) * this.#strides[d]
    return block
  }

  /** Returns whether the row was the last one of all blocks that are kept. */
  #nextRow(): boolean {
    this.#column = 0
    let isComplete = false
    for (let d = this.#outer.length - 1; d >= 0; d--) {
      this.#at[d]++
      if (d <= this.#first) isComplete ||= d < this.#first || this.#at[d] % this.#outerFactors[d] === 0
      if (this.#at[d] < this.#outer[d]) return isComplete
      this.#at[d] = 0
      if (d === this.#first) isComplete = true
    }
    return true
  }
}

/** Indexes along a dimension, and its blocks: the beginning of the first one that is kept, and their distance. */
interface Span {
  readonly from: number
  readonly end: number
  readonly factor: number
  readonly base: number
  readonly stride: number
}

interface TouchedBlock {
  readonly block: number
  /** The elements of the box in it. */
  readonly count: number
  /** Whether the elements begin at the beginning of their block. */
  readonly isAtStart: boolean
}

/** The blocks that a box touches, given by its spans from `dimension` on. */
function* blocksOf(spans: readonly Span[], dimension: number): Generator<TouchedBlock> {
  if (dimension === spans.length) {
    yield { block: 0, count: 1, isAtStart: true }
    return
  }
  const { from, end, factor, base, stride } = spans[dimension]
  for (let offset = from; offset < end; ) {
    const index = Math.floor(offset / factor)
    const next = Math.min(end, (index + 1) * factor)
    for (const { block, count, isAtStart } of blocksOf(spans, dimension + 1)) {
      yield {
        block: (index - base) * stride + block,
        count: (next - offset) * count,
        isAtStart: isAtStart && offset === index * factor,
      }
    }
    offset = next
  }
}
