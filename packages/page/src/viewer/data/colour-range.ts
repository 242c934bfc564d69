// The range of colours of an image that is drawn from the means of blocks: that of the elements, which the means
// understate.

import type { Api } from '@hyperslab/client'
import type { ValueMeaning } from '@hyperslab/meaning/meaning'
import type { Bounds } from '../drawing/bounds.ts'

/** The extremes of the finite elements, and how many are in each part between. */
export interface ElementRange {
  readonly min: number
  readonly max: number
  readonly counts: readonly number[]
  /** The beginnings of the parts, and the end of the last one. */
  readonly edges: readonly number[]
}

/** Of the values that the stored numbers stand for. Undefined: no element is a finite number. */
export function elementRange(
  { min, max, histogram }: Api.ValueStatistics,
  { unpackPresent }: Pick<ValueMeaning, 'unpackPresent'>,
): ElementRange | undefined {
  if (!histogram) return undefined
  const { min: first, max: last, counts } = histogram
  const width = (last - first) / counts.length
  const edges = Array.from({ length: counts.length + 1 }, (_, i) =>
    i < counts.length ? first + i * width : last,
  )
  // The histogram of elements that are all the same has a width; their range has none.
  const isOne = typeof min === 'number' && min === max
  const values = unpackPresent(Float64Array.of(isOne ? min : first, isOne ? min : last, ...edges))
  const [from = Number.NaN, to = Number.NaN, ...places] = Array.from(values, Number)
  // A negative factor turns them round.
  return from <= to
    ? { min: from, max: to, counts, edges: places }
    : { min: to, max: from, counts: counts.toReversed(), edges: places.toReversed() }
}

/**
 * The bounds of the elements; while they are not known, those of the means. Which element is the least above 0 is known
 * only where all are: otherwise it is the least mean above 0, for scales that have no place for less.
 */
export function boundsOf(means: Bounds | undefined, elements: ElementRange | undefined): Bounds | undefined {
  if (!elements) return means
  const { min, max } = elements
  return {
    min,
    max,
    positiveMin: min >= 0 ? min : (means?.positiveMin ?? Number.POSITIVE_INFINITY),
    strictPositiveMin: min > 0 ? min : (means?.strictPositiveMin ?? Number.POSITIVE_INFINITY),
  }
}
