// The numbers at ticks, as people write them: an exponent comes where most digits would be zeros.

import type { Span } from '../view-address.ts'

/** The function that writes numbers between two ends, so that ticks differ. */
export function tickFormat([from, to]: Span): (value: number) => string {
  const greatest = Math.max(Math.abs(from), Math.abs(to))
  const length = Math.abs(to - from)
  // Digits that tell a hundredth of the length apart.
  const digits = Math.log10(greatest / length) + 2
  const hasExponent = greatest < 1e-3 || greatest >= 1e15 || (greatest >= 1e7 && digits < 5)
  return value => (Math.abs(value) < length / 1e6 ? '0' : tickText(value, hasExponent))
}

/** That of an axis. One of logarithms names the powers of ten only, if it has several. */
export function axisFormat([from, to]: Span, scale: string = 'linear'): (value: number) => string {
  if (scale !== 'log') return tickFormat([from, to])
  const isWide = Math.max(from, to) > 25 * Math.min(from, to)
  return value => {
    const power = Math.log10(value)
    const isPower = Math.abs(power - Math.round(power)) < 1e-9
    return isWide && !isPower ? '' : tickText(value, value < 1e-3 || value >= 1e7)
  }
}

/** The number without the last digits, which come from arithmetic. */
function tickText(value: number, hasExponent: boolean): string {
  const number = Number(value.toPrecision(12))
  return hasExponent && number !== 0 ? number.toExponential().replace('e+', 'e') : String(number)
}

/** An end of the range: with the digits that a thousandth of the range has, or three if the other is much larger. */
export function formatEnd(value: number, [from, to]: Span): string {
  const length = Math.abs(to - from)
  if (!(length > 0)) return tickFormat([value, value + (value || 1)])(value)
  const step = 10 ** (Math.floor(Math.log10(length)) - 2)
  const isSmall = Math.abs(value) < 100 * step
  return tickFormat([from, to])(isSmall ? Number(value.toPrecision(3)) : Math.round(value / step) * step)
}
