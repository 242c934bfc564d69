// The range of colours that shows most numbers: a few that lie far from all others, such as the spots of a detector,
// do not leave one colour for the rest.

import { remembered } from './remembered.ts'

/** Numbers that are sorted at most: their percentiles are near enough to those of all. @limit speed, numbers */
const SAMPLE = 2 ** 14
/** An end is that of all numbers, unless it is so many times farther out than the percentiles are from each other. */
const FAR = 3

export interface Ends {
  readonly min: number
  readonly max: number
}

export interface RobustRange extends Ends {
  /** Whether numbers lie below or above it. */
  readonly isCut: { readonly low: boolean; readonly high: boolean }
}

/**
 * From the least number to the greatest of `all`, or to the percentile 1 or 99 of the points if that end is far out.
 * Where most points are the same number, the percentiles are those of the others, if the sample has any.
 */
export function robustRange(points: Float64Array, all: Ends): RobustRange {
  const [low, high] = percentiles(points)
  // Without a spread, nothing says what is far.
  const most = high > low ? FAR * (high - low) : Number.POSITIVE_INFINITY
  const isCut = { low: low - all.min > most, high: all.max - high > most }
  return { min: isCut.low ? low : all.min, max: isCut.high ? high : all.max, isCut }
}

/** The same distance on both sides of 0. */
export function symmetricRange({ min, max, isCut }: RobustRange): RobustRange {
  const end = Math.max(Math.abs(min), Math.abs(max))
  const isCutThere = { low: min === -end ? isCut.low : false, high: max === end ? isCut.high : false }
  return { min: -end, max: end, isCut: isCutThere }
}

/** NaN if no point is a finite number. */
const percentiles = remembered((points: Float64Array): readonly [low: number, high: number] => {
  const sample = sampleOf(points)
  const [low, high] = [quantile(sample, 0.01), quantile(sample, 0.99)]
  if (low !== high) return [low, high]
  const others = sample.filter(number => number !== low)
  if (others.length === 0) return [low, high]
  return [Math.min(low, quantile(others, 0.01)), Math.max(high, quantile(others, 0.99))]
})

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
