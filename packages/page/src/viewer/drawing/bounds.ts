// The extremes of numbers, and the ranges of axes and colours that follow from them.

import type { ValueScale } from '../view-address.ts'
import { bendOf, type Domain, scaleOf } from './scales.ts'

export interface Bounds {
  readonly min: number
  readonly max: number
  /** The least number from 0 on, and above 0; Infinity: there is none. */
  readonly positiveMin: number
  readonly strictPositiveMin: number
}

/** Undefined: no number is finite. */
export function boundsOfNumbers(numbers: ArrayLike<number>): Bounds | undefined {
  const none = Number.POSITIVE_INFINITY
  let [min, max, positiveMin, strictPositiveMin] = [none, -none, none, none]
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i] ?? Number.NaN
    if (!Number.isFinite(number)) continue
    if (number < min) min = number
    if (number > max) max = number
    if (number >= 0 && number < positiveMin) positiveMin = number
    if (number > 0 && number < strictPositiveMin) strictPositiveMin = number
  }
  return min === none ? undefined : { min, max, positiveMin, strictPositiveMin }
}

/** The extremes of the numbers that have a place on a scale; undefined: none has. */
export function domainOnScale(bounds: Bounds | undefined, scale: ValueScale): Domain | undefined {
  if (bounds === undefined) return undefined
  const { min, max, positiveMin, strictPositiveMin } = bounds
  const least = scale === 'log' ? strictPositiveMin : scale === 'sqrt' ? positiveMin : min
  return Number.isFinite(least) ? [least, max] : undefined
}

/** Room on both sides, a part of the distance of the ends. The scale has a place for both. */
export function extendDomain([from, to]: Domain, factor: number, scale: ValueScale = 'linear'): Domain {
  const { toValue } = scaleOf(scale, [from, to])
  const wider = isOneNumber(from, to)
    ? aroundNumber(from, factor, scale)
    : [toValue(-factor), toValue(1 + factor)]
  const [start = from, end = to] = wider
  return [Math.max(bendOf(scale).least, start), end]
}

/** Whether both differ by the rounding of computations only, or not at all. */
function isOneNumber(from: number, to: number): boolean {
  return to - from <= 1e-13 * Math.max(Math.abs(from), Math.abs(to))
}

function aroundNumber(number: number, factor: number, scale: ValueScale): Domain {
  if (scale === 'log') return [number * 10 ** -factor, number * 10 ** factor]
  const room = Math.abs(number) * factor || 1
  return [number - room, number + room]
}

/** The ends of an axis, in the direction of its coordinates; undefined: none has a place on the scale. */
export function axisDomain(
  coordinates: ArrayLike<number>,
  scale: ValueScale,
  factor: number,
): Domain | undefined {
  const domain = domainOnScale(boundsOfNumbers(coordinates), scale)
  if (domain === undefined) return undefined
  const [from, to] = extendDomain(domain, factor, scale)
  const isFalling = (coordinates[coordinates.length - 1] ?? 0) < (coordinates[0] ?? 0)
  return isFalling ? [to, from] : [from, to]
}

/** Null: the end is that of the data. */
export function chosenDomain(
  [min, max]: readonly [min: number | null, max: number | null],
  data: Domain,
): Domain {
  return [min ?? data[0], max ?? data[1]]
}

export interface DomainErrors {
  readonly minGreater?: boolean
  /** The scale has no place for the end. */
  readonly minError?: boolean
  readonly maxError?: boolean
}

/** The ends that are drawn of those that are wanted, and what is wrong with these. */
export function safeDomain(wanted: Domain, data: Domain, scale: ValueScale): [Domain, DomainErrors] {
  if (wanted[0] > wanted[1]) return [data, { minGreater: true }]
  const { least } = bendOf(scale)
  const [hasMin, hasMax] = [wanted[0] >= least, wanted[1] >= least]
  const [from, to] = [hasMin ? wanted[0] : data[0], hasMax ? wanted[1] : data[1]]
  return [[Math.min(from, to), to], { minError: !hasMin || from > to, maxError: !hasMax }]
}
