// The difference of two images, of the points that are drawn of both.

import type { Image, Picture } from '../../data/image.ts'
import { boundsOfNumbers } from '../../drawing/bounds.ts'
import { type ColourRange, NOT_CUT } from '../models/colour-range.ts'

/** The first image minus the other one. Undefined: their points do not have the same places. */
export function differenceOf(one: Picture | undefined, other: Picture | undefined): Picture | undefined {
  if (one === undefined || other === undefined) return undefined
  const placeOf = ({ x, y, depth }: Picture) => JSON.stringify([x, y, depth])
  if (placeOf(one) !== placeOf(other)) return undefined
  const data = one.data.map((value, i) => value - (other.data[i] ?? Number.NaN))
  return { ...one, data, progress: one.progress ?? other.progress }
}

/** The image of the differences: as much as is read of both. */
export function differenceImage(one: Image, other: Image): Image {
  return {
    picture: differenceOf(one.picture, other.picture),
    overview: differenceOf(one.overview, other.overview),
    isComplete: one.isComplete && other.isComplete,
    error: one.error ?? other.error,
  }
}

/** The colours of differences go as far below 0 as above it. */
export function differenceRange({ picture, overview }: Image): ColourRange {
  const drawn = overview ?? picture
  const found = drawn && boundsOfNumbers(drawn.data)
  const most = found && (Math.max(Math.abs(found.min), Math.abs(found.max)) || 1)
  const bounds =
    most === undefined ? undefined : { min: -most, max: most, positiveMin: most, strictPositiveMin: most }
  const text = 'The colours span the differences of the points, as far below 0 as above.'
  return { bounds, histogram: undefined, text, isCut: NOT_CUT }
}
