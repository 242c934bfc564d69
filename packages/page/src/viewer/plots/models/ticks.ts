// Ticks of axes and colour bars: which numbers have one, and how they are written. Numbers are as people write them; an
// exponent comes where most digits would be zeros.

import type { Span } from '../../view-address.ts'

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

/** Pixels of a character, and those between two ticks at least. */
const CHARACTER_WIDTH = 6
const TICK_DISTANCE = 45

/**
 * The function that writes long texts, such as dates, at as many ticks as they have room: each second or third one,
 * those with the shortest texts, which are the roundest. The axis passes the index of a tick and all of them.
 */
export function spacedFormat(
  format: (value: number) => string,
): (value: number, index?: number, ticks?: readonly { readonly value: number }[]) => string {
  return (value, index = 0, ticks = []) => {
    const texts = ticks.map(({ value }) => format(value))
    for (let step = 1; step < ticks.length; step++) {
      const sets = Array.from({ length: step }, (_, first) => texts.filter((_, i) => i % step === first))
      const lengths = sets.map(set => set.join('').length || Number.POSITIVE_INFINITY)
      const best = lengths.indexOf(Math.min(...lengths))
      const longest = Math.max(...(sets[best] ?? []).map(({ length }) => length))
      if ((longest + 1) * CHARACTER_WIDTH <= step * TICK_DISTANCE)
        return index % step === best ? format(value) : ''
    }
    return format(value)
  }
}

/** An end of the range: with the digits that a thousandth of the range has, or three if the other is much larger. */
export function formatEnd(value: number, [from, to]: Span): string {
  const length = Math.abs(to - from)
  if (!(length > 0)) return tickFormat([value, value + (value || 1)])(value)
  const step = 10 ** (Math.floor(Math.log10(length)) - 2)
  const isSmall = Math.abs(value) < 100 * step
  return tickFormat([from, to])(isSmall ? Number(value.toPrecision(3)) : Math.round(value / step) * step)
}

/** The places of numbers between 0 and 1 on a scale; undefined: the scale has none for the number. */
export function placeOnScale(
  [from, to]: Span,
  scale: string,
  gamma: number,
): (value: number) => number | undefined {
  const bend = BENDS[scale] ?? (value => value)
  const [first, last] = [bend(from), bend(to)]
  return value => {
    const place = (bend(value) - first) / (last - first)
    if (!Number.isFinite(place)) return undefined
    return scale === 'gamma' ? place ** gamma : place
  }
}

const BENDS: Readonly<Record<string, (value: number) => number>> = {
  log: Math.log,
  sqrt: value => Math.sign(value) * Math.sqrt(Math.abs(value)),
  symlog: value => Math.sign(value) * Math.log1p(Math.abs(value)),
}

/** Numbers between two ends that deserve a tick, from the least: about as many as `count`. */
export function ticksBetween([from, to]: Span, scale: string, count: number): readonly number[] {
  const [least, most] = [Math.min(from, to), Math.max(from, to)]
  if (!(most > least)) return []
  if (scale === 'log' || scale === 'symlog') {
    const powers = Array.from({ length: 61 }, (_, i) => 10 ** (i - 30)).filter(
      power => scale === 'log' || power >= 1,
    )
    const ticks = scale === 'log' ? powers : [...powers.map(power => -power).reverse(), 0, ...powers]
    const inside = ticks.filter(tick => tick >= least && tick <= most)
    if (inside.length > 2) return inside
  }
  const rough = (most - least) / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5].find(factor => factor * power >= rough) ?? 10) * power
  const first = Math.ceil(least / step)
  return Array.from({ length: Math.floor(most / step) - first + 1 }, (_, i) => (first + i) * step)
}
