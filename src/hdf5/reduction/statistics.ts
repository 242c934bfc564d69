// What a selection of numbers looks like: its extremes, mean, standard deviation and histogram, found while it is read.
// NaN counts as absent.

import { elementSize } from '../datatype/layout.ts'
import type { Elements, Piece } from '../values/elements.ts'
import { integerOf, readFloat, readInteger } from '../values/numbers.ts'
import { type Accumulator, loaderOf, newAccumulator, RUN } from './accumulators.ts'
import type { NumericType } from './reduction.ts'

export interface Summary {
  /** The number of elements that are not NaN. */
  readonly count: number
  readonly nanCount: number
  /** Exact; absent if there are no elements but NaN, as are those that follow. */
  readonly min?: number | bigint
  readonly max?: number | bigint
  readonly mean?: number
  /** The standard deviation of the population: the root of the mean square of the distances from the mean. */
  readonly standardDeviation?: number
}

/** All elements are one block. */
const ALL = { block: 0, inBlock: 0, factor: Number.MAX_SAFE_INTEGER, isFirstRow: true } as const
/** Elements between two steps. */
const STEP = 2 ** 14

export class Summarizer {
  readonly #type: NumericType
  readonly #load: ReturnType<typeof loaderOf>
  readonly #run = new Float64Array(RUN)
  readonly #min: Accumulator
  readonly #max: Accumulator
  #total = 0
  #count = 0
  #mean = 0
  /** The sum of the squares of the distances from the mean. */
  #squares = 0
  #sum = 0
  #finiteMin = Number.POSITIVE_INFINITY
  #finiteMax = Number.NEGATIVE_INFINITY

  constructor(type: NumericType) {
    this.#type = type
    this.#load = loaderOf(type)
    this.#min = newAccumulator(type, 'min', type, 1)
    this.#max = newAccumulator(type, 'max', type, 1)
  }

  /** Takes more elements. Between two steps, other work may run. */
  *push(piece: Piece): Generator<void> {
    if ('element' in piece) {
      this.#addEqual(piece.count, piece.element)
      return
    }
    const { count, data } = piece
    const size = elementSize(this.#type)
    for (let done = 0; done < count; done += STEP) {
      const length = Math.min(STEP, count - done)
      this.#min.add(data, done * size, length, ALL)
      this.#max.add(data, done * size, length, ALL)
      for (let first = done; first < done + length; first += RUN) {
        const run = Math.min(RUN, done + length - first)
        this.#load(data, 0, first, run, this.#run)
        this.#add(run)
      }
      yield
    }
  }

  result(): Summary {
    const count = this.#count
    const nanCount = this.#total - count
    if (count === 0) return { count, nanCount }
    return {
      count,
      nanCount,
      min: this.#number(this.#min.take(1)),
      max: this.#number(this.#max.take(1)),
      // Infinite numbers have distances that are NaN.
      mean: Number.isFinite(this.#mean) ? this.#mean : this.#sum / count,
      standardDeviation: Math.sqrt(this.#squares / count),
    }
  }

  /** The extremes of the finite numbers, as doubles; undefined if there are none. */
  get range(): { readonly min: number; readonly max: number } | undefined {
    const [min, max] = [this.#finiteMin, this.#finiteMax]
    return min <= max ? { min, max } : undefined
  }

  /**
   * The mean and the squares of a run, joined with those of all before (Chan, Golub and LeVeque, 1979): small distances
   * from a large mean stay exact.
   */
  #add(length: number): void {
    const run = this.#run
    this.#total += length
    let sum = 0
    let count = 0
    for (let i = 0; i < length; i++) {
      const value = run[i]
      if (Number.isNaN(value)) continue
      sum += value
      count++
      if (!Number.isFinite(value)) continue
      if (value < this.#finiteMin) this.#finiteMin = value
      if (value > this.#finiteMax) this.#finiteMax = value
    }
    if (count === 0) return
    this.#sum += sum
    const mean = sum / count
    let squares = 0
    for (let i = 0; i < length; i++) if (!Number.isNaN(run[i])) squares += (run[i] - mean) ** 2
    this.#join(count, mean, squares)
  }

  #addEqual(count: number, { data }: Elements): void {
    this.#min.add(data, 0, 1, ALL)
    this.#max.add(data, 0, 1, ALL)
    this.#load(data, 0, 0, 1, this.#run)
    const [value] = this.#run
    this.#total += count
    if (Number.isNaN(value)) return
    if (Number.isFinite(value)) {
      this.#finiteMin = Math.min(this.#finiteMin, value)
      this.#finiteMax = Math.max(this.#finiteMax, value)
    }
    this.#sum += value * count
    // Infinite numbers have distances that are NaN.
    this.#join(count, value, (value - value) ** 2)
  }

  #join(count: number, mean: number, squares: number): void {
    if (this.#count === 0) {
      this.#count = count
      this.#mean = mean
      this.#squares = squares
      return
    }
    const all = this.#count + count
    const distance = mean - this.#mean
    this.#squares += squares + distance * distance * ((this.#count * count) / all)
    this.#mean += distance * (count / all)
    this.#count = all
  }

  #number(bytes: Uint8Array): number | bigint {
    const view = new DataView(bytes.buffer, bytes.byteOffset)
    const type = this.#type
    return type.class === 'H5T_FLOAT' ? readFloat(type, view, 0) : readInteger(integerOf(type), view, 0)
  }
}

/**
 * Counts finite numbers in bins of equal width between two numbers. The last bin has its end too, as those of NumPy.
 */
export class Histogram {
  readonly min: number
  readonly max: number
  readonly counts: Float64Array
  readonly #load: ReturnType<typeof loaderOf>
  readonly #run = new Float64Array(RUN)

  /** If all numbers are the same, it is in the middle of a width of 1. */
  constructor(type: NumericType, min: number, max: number, bins: number) {
    this.#load = loaderOf(type)
    this.min = min === max ? min - 0.5 : min
    this.max = min === max ? max + 0.5 : max
    this.counts = new Float64Array(bins)
  }

  *push(piece: Piece): Generator<void> {
    if ('element' in piece) {
      this.#load(piece.element.data, 0, 0, 1, this.#run)
      this.#count(1, piece.count)
      return
    }
    const { count, data } = piece
    for (let first = 0; first < count; first += RUN) {
      const length = Math.min(RUN, count - first)
      this.#load(data, 0, first, length, this.#run)
      this.#count(length, 1)
      yield
    }
  }

  /** Each of the first numbers of the run, a number of times. */
  #count(length: number, times: number): void {
    // Halves do not overflow.
    const [low, high] = [this.min / 2, this.max / 2]
    const bins = this.counts.length
    for (let i = 0; i < length; i++) {
      const value = this.#run[i]
      if (!(value >= this.min && value <= this.max)) continue
      const bin = Math.floor(((value / 2 - low) / (high - low)) * bins)
      this.counts[bin >= bins ? bins - 1 : bin || 0] += times
    }
  }
}
