// The ends of a range as people type and drag them, and what a change of one makes of the range.

import { formatComputed } from '@hyperslab/meaning/meaning'
import { chosenDomain, safeDomain } from '../../drawing/bounds.ts'
import { bendOf, type Domain } from '../../drawing/scales.ts'
import type { ValueScale, View } from '../../view-address.ts'

export type Range = NonNullable<View['range']>

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
export function shownRange(range: Range | undefined, data: Domain, scale: ValueScale) {
  const wanted = chosenDomain(range ?? [null, null], data)
  const [safe, errors] = safeDomain(wanted, data, scale)
  const reason = errors.minGreater
    ? 'The least number is above the greatest: the range is that of the data.'
    : errors.minError || errors.maxError
      ? 'The scale has no place for an end: that of the data is used.'
      : undefined
  return { wanted, safe, reason }
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
export function trackOf(data: Domain, shown: Domain, scale: ValueScale): Track | undefined {
  const { to: bend, from: unbend, least } = bendOf(scale)
  const inside = [...data, ...shown].filter(end => end >= least).map(bend)
  const [low, high] = [Math.min(...inside), Math.max(...inside)]
  const room = (high - low) * ROOM
  const from = Math.max(low - room, bend(least))
  const step = (high + room - from) / STEPS
  if (!(step > 0 && Number.isFinite(step))) return undefined
  const valueAt = (place: number) => unbend(from + place * step)
  return {
    placeOf: end => Math.min(STEPS, Math.max(0, (bend(end) - from) / step)),
    endAt: place => roundedTo(valueAt(place), valueAt(place + 0.5) - valueAt(place - 0.5)),
  }
}

/** A number with no more digits than tell such distances apart. */
function roundedTo(value: number, distance: number): number {
  const power = Math.floor(Math.log10(Math.abs(distance)))
  if (!Number.isFinite(power)) return value
  return Number((Math.round(value / 10 ** power) * 10 ** power).toPrecision(15))
}
