// The statistics of a selection of numbers: its extremes, mean, standard deviation and histogram, found while it is
// read. NaN counts as absent.

import { elementSize } from '@hyperslab/model/datatype'
import { type Accumulator, loaderOf, type NumericType, newAccumulator, RUN } from '@hyperslab/model/reduction'
import { type Elements, integerOf, type Piece, readInteger } from '@hyperslab/model/values'

export interface Summary {
  /** The number of elements that are not NaN. */
  readonly count: number
  readonly nanCount: number
  /** The exact minimum; absent, like the members that follow, if there are no elements other than NaN. */
  readonly min?: number | bigint
  readonly max?: number | bigint
  readonly mean?: number
  /** The standard deviation of the population: the root of the mean square of the distances from the mean. */
  readonly standardDeviation?: number
}

/** All elements are one block. */
const ALL = { block: 0, inBlock: 0, factor: Number.MAX_SAFE_INTEGER, isFirstRow: true } as const
/** Elements between two steps. */
const STEP = 8 * RUN

export class Summarizer {
  readonly #type: NumericType
  readonly #load: ReturnType<typeof loaderOf>
  readonly #run = new Float64Array(RUN)
  /** The extremes of integers that no double holds; absent: the doubles are exact. */
  readonly #wide: { readonly min: Accumulator; readonly max: Accumulator } | undefined
  #total = 0
  #count = 0
  #mean = 0
  /** The sum of the squares of the distances from the mean. */
  #squares = 0
  #sum = 0
  #min = Number.POSITIVE_INFINITY
  #max = Number.NEGATIVE_INFINITY
  #finiteMin = Number.POSITIVE_INFINITY
  #finiteMax = Number.NEGATIVE_INFINITY

  constructor(type: NumericType) {
    this.#type = type
    this.#load = loaderOf(type)
    if (type.class === 'H5T_FLOAT' || elementSize(type) < 8) return
    this.#wide = { min: newAccumulator(type, 'min', type, 1), max: newAccumulator(type, 'max', type, 1) }
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
      this.#wide?.min.add(data, done * size, length, ALL)
      this.#wide?.max.add(data, done * size, length, ALL)
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
      min: this.#wide ? this.#integer(this.#wide.min.take(1)) : this.#min,
      max: this.#wide ? this.#integer(this.#wide.max.take(1)) : this.#max,
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
    let min = Number.POSITIVE_INFINITY
    let max = Number.NEGATIVE_INFINITY
    for (let i = 0; i < length; i++) {
      const value = run[i]
      if (Number.isNaN(value)) continue
      sum += value
      count++
      if (value < min) min = value
      if (value > max) max = value
    }
    if (count === 0) return
    this.#widen(min, max)
    // Infinite numbers are rare.
    if (!Number.isFinite(min) || !Number.isFinite(max)) this.#widenByFinite(length)
    this.#sum += sum
    const mean = sum / count
    let squares = 0
    for (let i = 0; i < length; i++) if (!Number.isNaN(run[i])) squares += (run[i] - mean) ** 2
    this.#join(count, mean, squares)
  }

  #addEqual(count: number, { data }: Elements): void {
    this.#wide?.min.add(data, 0, 1, ALL)
    this.#wide?.max.add(data, 0, 1, ALL)
    this.#load(data, 0, 0, 1, this.#run)
    const [value] = this.#run
    this.#total += count
    if (Number.isNaN(value)) return
    this.#widen(value, value)
    this.#sum += value * count
    // Infinite numbers have distances that are NaN.
    this.#join(count, value, (value - value) ** 2)
  }

  #widen(min: number, max: number): void {
    if (min < this.#min) this.#min = min
    if (max > this.#max) this.#max = max
    if (Number.isFinite(min) && min < this.#finiteMin) this.#finiteMin = min
    if (Number.isFinite(max) && max > this.#finiteMax) this.#finiteMax = max
  }

  #widenByFinite(length: number): void {
    for (let i = 0; i < length; i++) {
      const value = this.#run[i]
      if (Number.isFinite(value)) this.#widen(value, value)
    }
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

  #integer(bytes: Uint8Array): number | bigint {
    const type = this.#type
    if (type.class === 'H5T_FLOAT') throw new Error('the extremes of floats are doubles')
    return readInteger(integerOf(type), new DataView(bytes.buffer, bytes.byteOffset), 0)
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

  /** Counts each of the first `length` numbers of the run `times` times. */
  #count(length: number, times: number): void {
    const { min, max, counts } = this
    const run = this.#run
    const bins = counts.length
    // Halves do not overflow.
    const low = min / 2
    const width = max / 2 - low
    for (let i = 0; i < length; i++) {
      const value = run[i]
      if (!(value >= min && value <= max)) continue
      // A number that is not finite becomes 0.
      const bin = (((value / 2 - low) / width) * bins) | 0
      counts[bin >= bins ? bins - 1 : bin] += times
    }
  }
}
