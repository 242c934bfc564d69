// The state that reductions keep of each block, and how numbers are added to it. Numbers come as stored bytes; runs of
// them are made doubles at once, which is exact but for integers of 64 bits. Of these, the smallest and the largest are
// found by their halves.

import type { FloatType } from '../datatype/datatype.ts'
import { elementSize } from '../datatype/layout.ts'
import { integerOf, writeFloat, writeInteger } from '../values/numbers.ts'
import { type Load, loaderOf, RUN } from './doubles.ts'
import type { NumericType, ReductionName } from './reduction.ts'

/**
 * The position of the first element of a run: its block, its position in a row of the block, and the length of such a
 * row.
 */
export interface RunStart {
  readonly block: number
  readonly inBlock: number
  readonly factor: number
  /** Whether the row is the first one of its blocks. */
  readonly isFirstRow: boolean
}

export interface Accumulator {
  /** Adds `count` elements of `data` from byte `offset` on, which follow each other in a row. */
  add(data: Uint8Array, offset: number, count: number, start: RunStart): void
  /** A function that adds `element`, one element, to a block. */
  adderOf(element: Uint8Array): AddEqual
  /** The elements of the result for the first `count` blocks; then all blocks are empty. */
  take(count: number): Uint8Array
}

/** Adds `count` equal elements to a block. `isFirst`: the first of them is the first element of the block. */
export type AddEqual = (block: number, count: number, isFirst: boolean) => void

/** `blocks` is their number. */
export function newAccumulator(
  type: NumericType,
  name: ReductionName,
  resultType: NumericType,
  blocks: number,
): Accumulator {
  const isWide = type.class !== 'H5T_FLOAT' && elementSize(type) === 8
  switch (name) {
    case 'first':
      return new FirstElements(type, blocks)
    case 'min':
    case 'max':
      return isWide ? new WideExtremes(type, name, blocks) : new Extremes(type, name, blocks)
    case 'minmax':
      return isWide ? new WidePairs(type, blocks) : new Extremes(type, name, blocks)
    default:
      return new Sums(type, name, resultType, blocks)
  }
}

class FirstElements implements Accumulator {
  readonly #size: number
  readonly #bytes: Uint8Array

  constructor(type: NumericType, blocks: number) {
    this.#size = elementSize(type)
    this.#bytes = new Uint8Array(blocks * this.#size)
  }

  add(
    data: Uint8Array,
    offset: number,
    count: number,
    { block, inBlock, factor, isFirstRow }: RunStart,
  ): void {
    if (!isFirstRow) return
    const size = this.#size
    let target = (inBlock === 0 ? block : block + 1) * size
    for (let i = inBlock === 0 ? 0 : factor - inBlock; i < count; i += factor) {
      const from = offset + i * size
      for (let byte = 0; byte < size; byte++) this.#bytes[target++] = data[from + byte]
    }
  }

  adderOf(element: Uint8Array): AddEqual {
    const first = element.subarray(0, this.#size)
    return (block, _count, isFirst) => {
      if (isFirst) this.#bytes.set(first, block * this.#size)
    }
  }

  take(count: number): Uint8Array {
    return this.#bytes.slice(0, count * this.#size)
  }
}

/** A part of a sum beyond this is kept separately, so that sums of integers are exact. */
const CARRY = 2 ** 32

class Sums implements Accumulator {
  readonly #name: 'sum' | 'mean' | 'count'
  readonly #resultType: NumericType
  readonly #load: Load
  readonly #run = new Float64Array(RUN)
  /** For each block its sum, and its count of numbers. */
  readonly #values: Float64Array
  readonly #counts: Float64Array
  /** The upper parts of sums of integers, in multiples of 2^32. */
  readonly #carried: Float64Array | undefined

  constructor(type: NumericType, name: 'sum' | 'mean' | 'count', resultType: NumericType, blocks: number) {
    this.#name = name
    this.#resultType = resultType
    this.#load = loaderOf(type)
    this.#values = new Float64Array(blocks)
    this.#counts = new Float64Array(blocks)
    const isExactSum = name === 'sum' && resultType.class === 'H5T_INTEGER'
    this.#carried = isExactSum ? new Float64Array(blocks) : undefined
  }

  add(data: Uint8Array, offset: number, count: number, start: RunStart): void {
    const [values, counts, run] = [this.#values, this.#counts, this.#run]
    for (let done = 0; done < count; done += RUN) {
      const length = Math.min(RUN, count - done)
      this.#load(data, offset, done, length, run)
      const { first, left } = placeOf(start, done)
      addSums(run, length, first, left, start.factor, values, counts)
      if (this.#carried)
        carry(values, this.#carried, first, first + Math.ceil((length - left) / start.factor))
    }
  }

  adderOf(element: Uint8Array): AddEqual {
    this.#load(element, 0, 0, 1, this.#run)
    const [value] = this.#run
    const [values, counts, carried] = [this.#values, this.#counts, this.#carried]
    if (Number.isNaN(value)) return () => {}
    return (block, count) => {
      counts[block] += count
      if (!carried || Math.abs(value) * count < 2 ** 52) values[block] += value * count
      else {
        const product = BigInt(value) * BigInt(count)
        const whole = product / BigInt(CARRY)
        carried[block] += Number(whole)
        values[block] += Number(product - whole * BigInt(CARRY))
      }
      if (carried) carry(values, carried, block, block)
    }
  }

  take(count: number): Uint8Array {
    const bytes = new Uint8Array(count * 8)
    if (this.#name === 'mean') {
      const means = new Float64Array(bytes.buffer)
      for (let i = 0; i < count; i++) means[i] = this.#values[i] / this.#counts[i]
    } else {
      const view = new DataView(bytes.buffer)
      for (let i = 0; i < count; i++) writeNumber(this.#resultType, view, i * 8, this.#result(i))
    }
    this.#values.fill(0)
    this.#counts.fill(0)
    this.#carried?.fill(0)
    return bytes
  }

  #result(block: number): number | bigint {
    const [count, value] = [this.#counts[block], this.#values[block]]
    if (this.#name === 'count') return count
    const carried = this.#carried?.[block] ?? 0
    const sum = carried * CARRY + value
    // Two parts are exact beyond 2^53 too.
    if (!this.#carried || Number.isSafeInteger(sum)) return sum
    return BigInt(carried) * BigInt(CARRY) + BigInt(value)
  }
}

/** The block of the element after `done` others of a run, and the elements that its row of the block still has. */
function placeOf({ block, inBlock, factor }: RunStart, done: number): { first: number; left: number } {
  const column = inBlock + done
  return { first: block + Math.floor(column / factor), left: factor - (column % factor) }
}

/** The smallest number of each block, the largest, or one after the other. */
class Extremes implements Accumulator {
  readonly #type: NumericType
  readonly #load: Load
  readonly #run = new Float64Array(RUN)
  readonly #minima: Float64Array
  readonly #maxima: Float64Array
  /** The numbers that are taken of each block. */
  readonly #taken: readonly Float64Array[]

  constructor(type: NumericType, name: 'min' | 'max' | 'minmax', blocks: number) {
    this.#type = type
    this.#load = loaderOf(type)
    this.#minima = new Float64Array(blocks)
    this.#maxima = new Float64Array(blocks)
    this.#taken = { min: [this.#minima], max: [this.#maxima], minmax: [this.#minima, this.#maxima] }[name]
    this.#clear()
  }

  add(data: Uint8Array, offset: number, count: number, start: RunStart): void {
    for (let done = 0; done < count; done += RUN) {
      const length = Math.min(RUN, count - done)
      this.#load(data, offset, done, length, this.#run)
      const { first, left } = placeOf(start, done)
      addExtremes(this.#run, length, first, left, start.factor, this.#minima, this.#maxima)
    }
  }

  adderOf(element: Uint8Array): AddEqual {
    this.#load(element, 0, 0, 1, this.#run)
    const [value] = this.#run
    const [minima, maxima] = [this.#minima, this.#maxima]
    return block => {
      if (value < minima[block]) minima[block] = value
      if (value > maxima[block]) maxima[block] = value
    }
  }

  take(count: number): Uint8Array {
    const size = elementSize(this.#type)
    const bytes = new Uint8Array(count * this.#taken.length * size)
    const view = new DataView(bytes.buffer)
    let offset = 0
    for (let i = 0; i < count; i++) {
      const isEmpty = this.#minima[i] > this.#maxima[i]
      for (const values of this.#taken) {
        writeNumber(this.#type, view, offset, isEmpty ? Number.NaN : values[i])
        offset += size
      }
    }
    this.#clear()
    return bytes
  }

  #clear(): void {
    this.#minima.fill(Number.POSITIVE_INFINITY)
    this.#maxima.fill(Number.NEGATIVE_INFINITY)
  }
}

/** The smallest and the largest integer of 64 bits of each block, one after the other. */
class WidePairs implements Accumulator {
  readonly #least: Accumulator
  readonly #greatest: Accumulator

  constructor(type: Exclude<NumericType, FloatType>, blocks: number) {
    this.#least = new WideExtremes(type, 'min', blocks)
    this.#greatest = new WideExtremes(type, 'max', blocks)
  }

  add(data: Uint8Array, offset: number, count: number, start: RunStart): void {
    this.#least.add(data, offset, count, start)
    this.#greatest.add(data, offset, count, start)
  }

  adderOf(element: Uint8Array): AddEqual {
    const [addLeast, addGreatest] = [this.#least.adderOf(element), this.#greatest.adderOf(element)]
    return (block, count, isFirst) => {
      addLeast(block, count, isFirst)
      addGreatest(block, count, isFirst)
    }
  }

  take(count: number): Uint8Array {
    const [least, greatest] = [this.#least, this.#greatest].map(
      one => new Uint32Array(one.take(count).buffer),
    )
    const words = new Uint32Array(4 * count)
    for (let i = 0; i < count; i++) {
      for (let word = 0; word < 2; word++) {
        words[4 * i + word] = least[2 * i + word]
        words[4 * i + 2 + word] = greatest[2 * i + word]
      }
    }
    return new Uint8Array(words.buffer)
  }
}

/** The smallest or largest integers of 64 bits: doubles first, and the halves where these are equal. */
class WideExtremes implements Accumulator {
  readonly #sign: 1 | -1
  readonly #signed: boolean
  readonly #little: boolean
  readonly #doubles: Float64Array
  readonly #highs: Float64Array
  readonly #lows: Float64Array

  constructor(type: Exclude<NumericType, FloatType>, name: 'min' | 'max', blocks: number) {
    const { signed, order } = integerOf(type)
    this.#sign = name === 'min' ? 1 : -1
    this.#signed = signed
    this.#little = order === 'LE'
    this.#doubles = new Float64Array(blocks).fill(Number.POSITIVE_INFINITY)
    this.#highs = new Float64Array(blocks)
    this.#lows = new Float64Array(blocks)
  }

  add(data: Uint8Array, offset: number, count: number, { block: first, inBlock, factor }: RunStart): void {
    const [doubles, highs, lows, sign, little] = [
      this.#doubles,
      this.#highs,
      this.#lows,
      this.#sign,
      this.#little,
    ]
    const view = new DataView(data.buffer, data.byteOffset + offset, count * 8)
    const [highAt, lowAt] = little ? [4, 0] : [0, 4]
    let block = first
    let left = factor - inBlock
    for (let from = 0; from < count * 8; from += 8) {
      const word = this.#signed ? view.getInt32(from + highAt, little) : view.getUint32(from + highAt, little)
      // For the largest number, the smallest negative is kept.
      const high = sign * word
      const low = sign * view.getUint32(from + lowAt, little)
      const double = high * CARRY + low
      const isSmaller = high < highs[block] || (high === highs[block] && low < lows[block])
      if (double < doubles[block] || (double === doubles[block] && isSmaller)) {
        doubles[block] = double
        highs[block] = high
        lows[block] = low
      }
      if (--left > 0) continue
      block++
      left = factor
    }
  }

  adderOf(element: Uint8Array): AddEqual {
    return block => this.add(element, 0, 1, { block, inBlock: 0, factor: 1, isFirstRow: true })
  }

  take(count: number): Uint8Array {
    const bytes = new Uint8Array(count * 8)
    const view = new DataView(bytes.buffer)
    const [highAt, lowAt] = this.#little ? [4, 0] : [0, 4]
    for (let i = 0; i < count; i++) {
      view.setInt32(8 * i + highAt, this.#sign * this.#highs[i], this.#little)
      view.setUint32(8 * i + lowAt, this.#sign * this.#lows[i], this.#little)
    }
    this.#doubles.fill(Number.POSITIVE_INFINITY)
    return bytes
  }
}

function addSums(
  run: Float64Array,
  length: number,
  firstBlock: number,
  left: number,
  factor: number,
  sums: Float64Array,
  counts: Float64Array,
): void {
  let block = firstBlock
  for (let i = 0, end = Math.min(left, length); i < length; end = Math.min(end + factor, length)) {
    let sum = 0
    let count = 0
    for (; i < end; i++) {
      const value = run[i]
      if (!Number.isNaN(value)) {
        sum += value
        count++
      }
    }
    sums[block] += sum
    counts[block++] += count
  }
}

/** NaN is neither smaller nor larger than a number. */
function addExtremes(
  run: Float64Array,
  length: number,
  firstBlock: number,
  left: number,
  factor: number,
  minima: Float64Array,
  maxima: Float64Array,
): void {
  let block = firstBlock
  for (let i = 0, end = Math.min(left, length); i < length; end = Math.min(end + factor, length)) {
    let min = minima[block]
    let max = maxima[block]
    for (; i < end; i++) {
      const value = run[i]
      if (value < min) min = value
      if (value > max) max = value
    }
    minima[block] = min
    maxima[block++] = max
  }
}

/** Keeps sums exact: a run of 4,096 integers below 2^32 adds less than 2^44. */
function carry(values: Float64Array, carried: Float64Array, from: number, to: number): void {
  for (let block = from; block <= to; block++) {
    const value = values[block]
    if (Math.abs(value) < 2 ** 52) continue
    const whole = Math.trunc(value / CARRY)
    carried[block] += whole
    values[block] = value - whole * CARRY
  }
}

function writeNumber(type: NumericType, view: DataView, offset: number, value: number | bigint): void {
  if (type.class === 'H5T_FLOAT') writeFloat(type, view, offset, Number(value))
  else writeInteger(integerOf(type), view, offset, value)
}
