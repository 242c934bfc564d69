// The ends of a range as people type them, and what a change of one makes of the range.

import { type ColorScaleType, type Domain, getSafeDomain, getVisDomain } from '@h5web/lib'
import { formatComputed } from '@hyperslab/meaning/meaning'
import type { View } from '../../view-address.ts'

export type Range = NonNullable<View['range']>

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
export function shownRange(range: Range | undefined, data: Domain, scale: ColorScaleType) {
  const [min, max] = range ?? [null, null]
  const wanted = getVisDomain([min, max], data)
  const [safe, errors] = getSafeDomain(wanted, data, scale)
  const reason = errors.minGreater
    ? 'The least number is above the greatest: the range is that of the data.'
    : errors.minError || errors.maxError
      ? 'The scale has no place for an end: that of the data is used.'
      : undefined
  return { wanted, safe, errors, reason }
}
