// The points of a scatter plot: three datasets of one dimension that have the two coordinates and the value of each.

import type { Domain } from '@hyperslab/client'
import type { Numbers } from '@hyperslab/client/elements'
import { numbersOf } from '../data/axis.ts'
import type { Quantity } from '../data/plot.ts'

export interface Points {
  readonly x: Float64Array
  readonly y: Float64Array
  readonly values: Float64Array
}

/** Points that are drawn: a browser needs a second for so many. More are sampled in equal steps. */
const MAX_POINTS = 100_000

export function stepOf(count: number): number {
  return Math.max(1, Math.ceil(count / MAX_POINTS))
}

/** One of each `step` points, without those of which a number is missing. */
export async function readPoints(
  domain: Domain,
  quantities: readonly [x: Quantity, y: Quantity, value: Quantity],
  step: number,
  signal: AbortSignal,
): Promise<Points> {
  const read = async ({ signal: { dataset, path }, meaning }: Quantity) => {
    const [stop] = dataset?.shape ?? []
    if (dataset === undefined || stop === undefined) throw new Error(`${path} has no elements`)
    const select = [{ start: 0, stop, ...(step > 1 && { step }) }]
    const { data } = await domain.read(dataset, { select, ...meaning.absent, signal })
    return numbersOf(Array.isArray(data) ? data : meaning.unpackPresent(data as Numbers))
  }
  const [x, y, value] = quantities
  const [xs, ys, values] = await Promise.all([read(x), read(y), read(value)])
  return finitePoints({ x: xs, y: ys, values })
}

export function finitePoints({ x, y, values }: Points): Points {
  const isPoint = (_: number, i: number) => [x, y, values].every(numbers => Number.isFinite(numbers[i]))
  if (x.every(isPoint)) return { x, y, values }
  return { x: x.filter(isPoint), y: y.filter(isPoint), values: values.filter(isPoint) }
}

/** The point that is nearest to a place, at most `most` away; `scale` makes distances of differences. */
export function nearestPoint(
  { x, y }: Pick<Points, 'x' | 'y'>,
  place: readonly [x: number, y: number],
  scale: readonly [x: number, y: number],
  most: number,
): number | undefined {
  let [found, least]: [number | undefined, number] = [undefined, most]
  for (let i = 0; i < x.length; i++) {
    const across = ((x[i] ?? 0) - place[0]) * scale[0]
    const up = ((y[i] ?? 0) - place[1]) * scale[1]
    const distance = Math.hypot(across, up)
    if (!(distance <= least)) continue
    found = i
    least = distance
  }
  return found
}

/** How many of the points are drawn, in a sentence. */
export function pointsNote(count: number, drawn: number): string {
  const step = stepOf(count)
  const left = Math.ceil(count / step) - drawn
  const points =
    step > 1 ? `One of each ${step.toLocaleString('en')} points is drawn` : 'All points are drawn'
  const rest = left > 0 ? ` but ${left.toLocaleString('en')}, of which a number is missing` : ''
  return `${points}${rest}. The colours span the drawn points.`
}
