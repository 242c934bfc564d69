// The ends of a range as people type and drag them, and what a change of one makes of the range.

import { formatComputed } from '@hyperslab/meaning/meaning'
import type { ValueScale, View } from '../../view-address.ts'

export type Range = NonNullable<View['range']>
export type Ends = [from: number, to: number]

/** How many numbers are in each part of a range. */
export interface Histogram {
  readonly values: readonly number[]
  /** The beginnings of the parts, and the end of the last one. */
  readonly bins: readonly number[]
}

/** As many digits as people compare. */
export function endText(end: number): string {
  return formatComputed(end, 4)
}

/** Undefined: it is no number. */
export function parseEnd(text: string): number | undefined {
  const number = text.trim() === '' ? Number.NaN : Number(text.replace('−', '-'))
  return Number.isFinite(number) ? number : undefined
}

/** Undefined: both ends are those of the data. */
export function rangeOf(min: Range[0], max: Range[1]): Range | undefined {
  return min === null && max === null ? undefined : [min, max]
}

/** The range that is wanted, the one that the scale has a place for, and why they differ. */
export function shownRange(range: Range | undefined, data: Ends, scale: ValueScale) {
  const [min, max] = range ?? [null, null]
  const wanted: Ends = [min ?? data[0], max ?? data[1]]
  const [from, to] = wanted
  if (from > to) {
    const reason = 'The least number is above the greatest: the range is that of the data.'
    return { wanted, safe: data, reason }
  }
  const hasPlace = (end: number) => end >= leastOf(scale)
  const last = hasPlace(to) ? to : data[1]
  const safe: Ends = [Math.min(hasPlace(from) ? from : data[0], last), last]
  const isSafe = safe[0] === from && last === to
  const reason = isSafe ? undefined : 'The scale has no place for an end: that of the data is used.'
  return { wanted, safe, reason }
}

/** The scale has no place for less. */
function leastOf(scale: ValueScale): number {
  return scale === 'log' ? Number.MIN_VALUE : scale === 'sqrt' ? 0 : Number.NEGATIVE_INFINITY
}

/** A track on which ends are dragged: the data and both ends are on it, with room outside. */
export interface Track {
  /** The steps of the track, from 0 on. */
  readonly placeOf: (end: number) => number
  /** The end at a place, as a round number. */
  readonly endAt: (place: number) => number
}

export const STEPS = 200
/** The room outside, as a part of what is inside. */
const ROOM = 0.1

/** Undefined: there is nothing to drag along. */
export function trackOf(data: Ends, shown: Ends, scale: ValueScale): Track | undefined {
  const [bend, unbend] = BENDS[scale] ?? [same, same]
  const inside = [...data, ...shown].filter(end => end >= leastOf(scale)).map(bend)
  const [low, high] = [Math.min(...inside), Math.max(...inside)]
  const room = (high - low) * ROOM
  const from = Math.max(low - room, bend(leastOf(scale)))
  const step = (high + room - from) / STEPS
  if (!(step > 0 && Number.isFinite(step))) return undefined
  const valueAt = (place: number) => unbend(from + place * step)
  return {
    placeOf: end => Math.min(STEPS, Math.max(0, (bend(end) - from) / step)),
    endAt: place => roundedTo(valueAt(place), valueAt(place + 0.5) - valueAt(place - 0.5)),
  }
}

const same = (value: number) => value

/** The ways to the numbers that a scale shows at equal distances, and back. */
const BENDS: { readonly [Scale in ValueScale]?: readonly [typeof same, typeof same] } = {
  log: [Math.log, Math.exp],
  sqrt: [Math.sqrt, value => value * value],
  symlog: [
    value => Math.sign(value) * Math.log1p(Math.abs(value)),
    value => Math.sign(value) * Math.expm1(Math.abs(value)),
  ],
}

/** A number with no more digits than tell such distances apart. */
function roundedTo(value: number, distance: number): number {
  const power = Math.floor(Math.log10(Math.abs(distance)))
  if (!Number.isFinite(power)) return value
  return Number((Math.round(value / 10 ** power) * 10 ** power).toPrecision(15))
}
