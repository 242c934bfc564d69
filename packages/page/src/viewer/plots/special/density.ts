// Many points as a picture of their density: how many are in each small square of the screen. Where points lie above
// each other, colours tell more than the points.

import type { Sight } from '../../data/sight.ts'
import { boundsOfNumbers } from '../../drawing/bounds.ts'
import { type ColourScale, coloursOfNumbers } from '../../drawing/colours.ts'
import { type Domain, scaleOf } from '../../drawing/scales.ts'
import type { PictureLayer } from '../../drawing/scene.ts'
import type { AxisScale } from '../../view-address.ts'
import { remembered } from '../models/remembered.ts'

/** Pixels of the side of a square. */
const SIDE = 2
/** What is counted around the part in sight, for a drag: this part of it on each side. */
const AROUND = 0.25

export interface Density extends Omit<PictureLayer, 'kind' | 'colours'> {
  /** Row by row; NaN where there are none, which has no colour. */
  readonly counts: Float64Array
}

export interface Cloud {
  readonly x: Float64Array
  readonly y: Float64Array
}

export interface AxisScales {
  readonly x: AxisScale
  readonly y: AxisScale
}

const LINEAR: AxisScales = { x: 'linear', y: 'linear' }

export function densityOf({ x, y }: Cloud, sight: Sight, scales = LINEAR): Density {
  const across = squaresOf(scales.x, sight.x, sight.width)
  const up = squaresOf(scales.y, sight.y, sight.height)
  const [columns, rows] = [across.count, up.count]
  const counts = new Float64Array(columns * rows)
  for (let i = 0; i < x.length; i++) {
    const column = across.at(x[i] ?? Number.NaN)
    const row = up.at(y[i] ?? Number.NaN)
    // NaN is in no square.
    if (column >= 0 && column < columns && row >= 0 && row < rows) counts[row * columns + column]++
  }
  for (let i = 0; i < counts.length; i++) if (counts[i] === 0) counts[i] = Number.NaN
  return { columns, rows, x: across.ends, y: up.ends, counts }
}

function squaresOf(scale: AxisScale, [from, to]: readonly [number, number], pixels: number) {
  const { toPlace, toValue } = scaleOf(scale, [from, to])
  const count = Math.max(1, Math.ceil((pixels * (1 + 2 * AROUND)) / SIDE))
  const ends: Domain = [toValue(-AROUND), toValue(1 + AROUND)]
  const part = count / (1 + 2 * AROUND)
  return { count, ends, at: (value: number) => Math.floor((toPlace(value) + AROUND) * part) }
}

export const boundsOfDensity = remembered(({ counts }: Density) => boundsOfNumbers(counts))

export function densityLayer(density: Density, colours: ColourScale): PictureLayer {
  const { counts, columns, rows, x, y } = density
  return { kind: 'picture', columns, rows, x, y, colours: coloursOfNumbers(counts, colours) }
}
