// Reduces the elements of an array while they come, in row-major order. What is kept are the blocks that elements are still to come for.

import { product } from '../dataspace.ts'
import { elementSize } from '../datatype/layout.ts'
import { rowMajorStrides } from '../selection/selection.ts'
import { type Elements, EMPTY_HEAP } from '../values/elements.ts'
import { type Accumulator, newAccumulator } from './accumulators.ts'
import { firstReduced, keptBlocks, type Reduction } from './reduction.ts'

/** Elements between two steps. */
const STEP = 2 ** 15

export class Reducer {
  readonly #size: number
  readonly #accumulator: Accumulator
  /** Of the array: the extents of the dimensions before the last one, and of that one. */
  readonly #outer: readonly number[]
  readonly #rowLength: number
  readonly #outerFactors: readonly number[]
  readonly #rowFactor: number
  /** The first dimension that is reduced: for each index of those before it, blocks are complete by themselves. */
  readonly #first: number
  /** Of the blocks that are kept: how far apart are those of neighbours in each dimension before the last one. */
  readonly #strides: readonly number[]
  /** Blocks that are kept; of a row that is reduced alone, a window. */
  readonly #blocks: number
  /** The next element. */
  readonly #at: number[]
  #column = 0
  /** The first block of the window. */
  #windowStart = 0

  constructor(reduction: Reduction) {
    const { type, name, result } = reduction
    const isScalar = reduction.shape.length === 0
    const shape = isScalar ? [1] : reduction.shape
    const factors = isScalar ? [1] : reduction.factors
    this.#size = elementSize(type)
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

  /** Takes the next elements. Between two steps, other work may run; what is given is the next part of the result. */
  *push({ count, data }: Elements): Generator<Elements | undefined> {
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
      if (isRowAlone && this.#column === rowEnd) {
        yield this.#flush(Math.ceil(rowEnd / this.#rowFactor) - this.#windowStart)
        this.#windowStart = rowEnd === this.#rowLength ? 0 : this.#windowStart + this.#blocks
      }
      if (this.#column === this.#rowLength && this.#nextRow() && !isRowAlone) yield this.#flush(this.#blocks)
    }
  }

  #flush(count: number): Elements {
    return { count, data: this.#accumulator.take(count), heap: EMPTY_HEAP }
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
