// The order of rows by the values of one column: stable, in time that grows with the number of rows (radix sort) for
// numbers. NaN and what is missing are last in both directions.

import type { Elements } from '@hyperslab/client'

/** The positions of the values in their order. */
export function orderOf(values: Elements, isDescending: boolean): Uint32Array {
  if (values instanceof BigInt64Array || values instanceof BigUint64Array)
    return radixOrder(keysOfIntegers(values), isDescending)
  if (!Array.isArray(values)) return radixOrder(keysOfNumbers(values as ArrayLike<number>), isDescending)
  const isNumeric = values.every(
    value => value === undefined || typeof value === 'number' || typeof value === 'boolean',
  )
  if (isNumeric) return radixOrder(keysOfNumbers(values.map(Number)), isDescending)
  return textOrder(values, isDescending)
}

function textOrder(values: readonly unknown[], isDescending: boolean): Uint32Array {
  const keys = values.map(value =>
    value === undefined || typeof value === 'bigint' || typeof value === 'string'
      ? value
      : String(value ?? ''),
  )
  const sign = isDescending ? -1 : 1
  return Uint32Array.from(keys.keys()).sort((a, b) => {
    const [x, y] = [keys[a], keys[b]]
    if (x === undefined || y === undefined) return Number(x === undefined) - Number(y === undefined) || a - b
    return x < y ? -sign : x > y ? sign : a - b
  })
}

/** Unsigned integers of 64 bits in the order of the values: each as its lower and its upper half. */
interface Keys {
  readonly halves: Uint32Array
  /** The key of values that are last in both directions. */
  readonly hasLast: boolean
}

const LOW_FIRST = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1
const [LOW, HIGH] = LOW_FIRST ? [0, 1] : [1, 0]
const GREATEST = 0xffffffff

function keysOfNumbers(numbers: ArrayLike<number>): Keys {
  const floats = new Float64Array(numbers.length)
  // 0 and -0 are equal.
  for (let i = 0; i < floats.length; i++) floats[i] = (numbers[i] ?? 0) + 0
  const halves = new Uint32Array(floats.buffer)
  for (let i = 0; i < floats.length; i++) {
    const [low, high] = [2 * i + LOW, 2 * i + HIGH]
    const [lowBits = 0, highBits = 0] = [halves[low], halves[high]]
    const isMissing = Number.isNaN(floats[i])
    // The bits of negative numbers are in the opposite order.
    const isNegative = highBits >>> 31 === 1
    halves[low] = isMissing ? GREATEST : isNegative ? ~lowBits : lowBits
    halves[high] = isMissing ? GREATEST : isNegative ? ~highBits : highBits ^ 0x80000000
  }
  return { halves, hasLast: true }
}

function keysOfIntegers(numbers: BigInt64Array | BigUint64Array): Keys {
  const { buffer } = numbers.slice()
  const halves = new Uint32Array(buffer)
  if (numbers instanceof BigInt64Array)
    for (let i = HIGH; i < halves.length; i += 2) halves[i] = (halves[i] ?? 0) ^ 0x80000000
  return { halves, hasLast: false }
}

/** A digit has 16 bits. */
const DIGITS = 1 << 16

function radixOrder({ halves, hasLast }: Keys, isDescending: boolean): Uint32Array {
  const count = halves.length / 2
  const order = new Uint32Array(count)
  let first = 0
  let last = count
  for (let i = 0; i < count; i++) {
    if (!hasLast || halves[2 * i] !== GREATEST || halves[2 * i + 1] !== GREATEST) order[first++] = i
  }
  for (let i = count - 1; last > first; i--) {
    if (halves[2 * i] === GREATEST && halves[2 * i + 1] === GREATEST) order[--last] = i
  }
  const digits = new Uint16Array(halves.buffer)
  const flip = isDescending ? DIGITS - 1 : 0
  let from = order.slice(0, first)
  let to = new Uint32Array(first)
  for (let digit = 0; digit < 4; digit++) {
    const place = LOW_FIRST ? digit : 3 - digit
    const starts = new Uint32Array(DIGITS + 1)
    for (let i = 0; i < first; i++) starts[((digits[4 * (from[i] ?? 0) + place] ?? 0) ^ flip) + 1] += 1
    for (let i = 1; i <= DIGITS; i++) starts[i] += starts[i - 1] ?? 0
    for (let i = 0; i < first; i++) {
      const row = from[i] ?? 0
      const value = (digits[4 * row + place] ?? 0) ^ flip
      const position = starts[value] ?? 0
      to[position] = row
      starts[value] = position + 1
    }
    ;[from, to] = [to, from]
  }
  order.set(from)
  return order
}
