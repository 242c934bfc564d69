// Numbers as people write them: integers with all their digits, floats with the fewest digits that give them back, and
// computed floats without the noise of their last digits.

import type { NumberForm } from './attributes.ts'

/** The significant digits that a computed float of this size still has. */
const SURE_DIGITS = { 4: 7, 8: 15 } as const

/** An integer or float of the given form; without a form, a float of 64 bits. */
export function formatNumber(value: number | bigint, form?: Pick<NumberForm, 'kind' | 'size'>): string {
  if (typeof value === 'bigint' || Number.isInteger(value)) return wholeText(value)
  if (form?.kind !== 'float' || form.size === 8) return plain(String(value))
  return plain(form.size === 4 ? shortest(value, Math.fround, 9) : shortest(value, roundToHalf, 5))
}

/** A result of arithmetic with floats of `size` bytes. */
export function formatComputed(value: number, size: 4 | 8): string {
  if (!Number.isFinite(value) || value === 0) return formatNumber(value)
  return formatNumber(Number(value.toPrecision(SURE_DIGITS[size])))
}

function wholeText(value: number | bigint): string {
  return Object.is(value, -0) ? '-0' : plain(String(value))
}

/** JavaScript writes 1e+21. */
function plain(text: string): string {
  return text.replace('e+', 'e')
}

/** The fewest digits that `round` makes the value of. */
function shortest(value: number, round: (value: number) => number, most: number): string {
  for (let digits = 1; digits < most; digits++) {
    const candidate = Number(value.toPrecision(digits))
    if (round(candidate) === value) return String(candidate)
  }
  return String(Number(value.toPrecision(most)))
}

/** The nearest float of 16 bits (IEEE 754 binary16). */
function roundToHalf(value: number): number {
  const size = Math.abs(value)
  if (!(size < 65520)) return value < 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  const exponent = Math.max(-14, Math.floor(Math.log2(size)))
  const step = 2 ** (exponent - 10)
  // Adding and subtracting rounds to the nearest multiple of the step, halves to the even one.
  const large = 2 ** 52 * step
  return Math.sign(value) * (size + large - large)
}
