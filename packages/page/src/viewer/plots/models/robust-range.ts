// The range of colours that shows most numbers: a few that lie far from all others, such as the spots of a detector,
// do not leave one colour for the rest, and have a colour that the rest does not have.

import { boundsOfNumbers } from '../../drawing/bounds.ts'
import { remembered } from './remembered.ts'

/** Numbers that are sorted at most: their percentiles are near enough to those of all. @limit speed, numbers */
const SAMPLE = 2 ** 14
/** An end is that of all numbers, unless it is so many times farther out than the percentiles are from each other. */
const FAR = 3
/** What lies outside of a percentile is noise if the half of it is nearer than this part of their distance. */
const NEAR = 0.5
/** The room for such noise outside of a percentile, in their distances. */
const ROOM = 2

export interface Ends {
  readonly min: number
  readonly max: number
}

export interface RobustRange extends Ends {
  /** Whether numbers lie below or above it. */
  readonly isCut: { readonly low: boolean; readonly high: boolean }
}

/**
 * From the least number to the greatest of `all`. An end that is far out is cut: at the percentile 1 or 99 of the
 * points; or farther out if most of the points outside of it are near, as those of noise are, so that only what is no
 * noise has the last colour. Where most points are the same number, the percentiles are those of the others, if the
 * sample has any.
 */
export function robustRange(points: Float64Array, all: Ends): RobustRange {
  const { low, high, outside } = percentiles(points)
  const distance = high - low
  // Without a spread, nothing says what is far.
  const most = distance > 0 ? FAR * distance : Number.POSITIVE_INFINITY
  const isCut = { low: low - all.min > most, high: all.max - high > most }
  const { min, max } = extremesOf(points) ?? all
  const isNoise = { low: low - outside.low < NEAR * distance, high: outside.high - high < NEAR * distance }
  const lowCut = isNoise.low ? Math.max(low - ROOM * distance, min) : low
  const highCut = isNoise.high ? Math.min(high + ROOM * distance, max) : high
  return { min: isCut.low ? lowCut : all.min, max: isCut.high ? highCut : all.max, isCut }
}

/** The same distance on both sides of 0. */
export function symmetricRange({ min, max, isCut }: RobustRange): RobustRange {
  const end = Math.max(Math.abs(min), Math.abs(max))
  const isCutThere = { low: min === -end ? isCut.low : false, high: max === end ? isCut.high : false }
  return { min: -end, max: end, isCut: isCutThere }
}

/** The percentages of the finite points below and above both ends. */
export function percentagesOutside(points: Float64Array, { min, max }: Ends) {
  let [below, above, count] = [0, 0, 0]
  for (const point of points) {
    if (!Number.isFinite(point)) continue
    count++
    if (point < min) below++
    else if (point > max) above++
  }
  return { low: (100 * below) / count, high: (100 * above) / count }
}

const extremesOf = remembered((points: Float64Array) => boundsOfNumbers(points))

interface Percentiles {
  /** 1 and 99. */
  readonly low: number
  readonly high: number
  /** The middles of what lies outside of these: 0.5 and 99.5. */
  readonly outside: { readonly low: number; readonly high: number }
}

/** NaN if no point is a finite number. */
const percentiles = remembered((points: Float64Array): Percentiles => {
  const sample = sampleOf(points)
  const whole = percentilesOf(sample)
  if (whole.low !== whole.high) return whole
  const others = percentilesOf(sample.filter(number => number !== whole.low))
  if (Number.isNaN(others.low)) return whole
  return { ...others, low: Math.min(whole.low, others.low), high: Math.max(whole.high, others.high) }
})

function percentilesOf(sorted: Float64Array): Percentiles {
  return {
    low: quantile(sorted, 0.01),
    high: quantile(sorted, 0.99),
    outside: { low: quantile(sorted, 0.005), high: quantile(sorted, 0.995) },
  }
}

/** The finite ones of points at equal distances, in their order by size. */
function sampleOf(points: Float64Array): Float64Array {
  // An odd step passes through all columns of most images.
  const step = points.length <= SAMPLE ? 1 : 2 * Math.floor(points.length / SAMPLE / 2) + 1
  const sample = new Float64Array(Math.ceil(points.length / step))
  let count = 0
  for (let i = 0; i < points.length; i += step) {
    const point = points[i] ?? Number.NaN
    if (Number.isFinite(point)) sample[count++] = point
  }
  return sample.subarray(0, count).sort()
}

function quantile(sorted: Float64Array, part: number): number {
  return sorted[Math.round(part * (sorted.length - 1))] ?? Number.NaN
}
