// Regions of datasets that references name: which elements they have, in words and as outlines on an image.

import type { Elements } from '@hyperslab/client'
import { imageDimensions } from '@hyperslab/meaning/meaning'
import type { PlotAxis } from '../../data/axis.ts'
import type { Plot } from '../../data/plot.ts'
import { slicedBy } from '../../data/slice.ts'
import type { Domain } from '../../drawing/scales.ts'
import type { CurveLayer } from '../../drawing/scene.ts'
import type { DimensionUse, View } from '../../view-address.ts'
import { markLayers } from '../measure/marks.ts'
import type { ImageGeometry } from '../models/geometry.ts'

/** A block of elements, or one element: for each dimension the first one, and the one after the last. */
export interface Box {
  readonly start: readonly number[]
  readonly stop: readonly number[]
}

export interface Region {
  /** The id of the dataset. */
  readonly id: string
  /** None: the region has no elements, or all. */
  readonly boxes: readonly Box[]
  readonly isAll: boolean
}

/** References of a dataset that are listed. @limit memory, elements */
export const MAX_REGIONS = 1000
/** Outlines that are drawn of one region: more of them are a grey area. @limit safety, outlines */
const MAX_OUTLINES = 2000
/** Parts of a line. @limit safety, parts */
const MAX_INTERVALS = 100

/** Region references as the service writes them; undefined: one that refers to nothing. */
export function regionsIn(elements: Elements): readonly (Region | undefined)[] {
  return Array.from(elements as readonly unknown[], regionIn)
}

function regionIn(element: unknown): Region | undefined {
  if (typeof element !== 'object' || element === null) return undefined
  const { id, select_type: type, selection } = element as Record<string, unknown>
  const found = typeof id === 'string' ? /[\w-]+$/.exec(id)?.[0] : undefined
  if (found === undefined) return undefined
  const parts = Array.isArray(selection) ? selection : []
  const boxes = parts.map(part => {
    const [first, last] = type === 'H5S_SEL_POINTS' ? [part, part] : part
    return { start: first as number[], stop: (last as number[]).map(index => index + 1) }
  })
  return { id: found.startsWith('d-') ? found : `d-${found}`, boxes, isAll: type === 'H5S_SEL_ALL' }
}

/** `50:100, 60:160` */
export function regionText({ boxes: [first, ...others], isAll }: Region): string {
  if (first === undefined) return isAll ? 'all elements' : 'no elements'
  const text = first.start.map((start, d) => {
    const stop = first.stop[d] ?? start
    return stop === start + 1 ? String(start) : `${start}:${stop}`
  })
  const rest = others.length > 0 ? ` and ${others.length.toLocaleString('en')} more` : ''
  return `${text.join(', ')}${rest}`
}

/** The slice of the image that shows the region, if the address names none. */
export function sliceAt(plot: Plot, view: View, { boxes: [first] }: Region): readonly DimensionUse[] {
  const usual = { axes: ['y', 'x'] as const, usual: imageDimensions(plot.axes) }
  const uses = slicedBy(plot, view, usual)
  if (view.slice?.join() === uses.join()) return uses
  return uses.map((use, d) => (typeof use === 'number' ? (first?.start[d] ?? use) : use))
}

export interface Outlines {
  readonly regions: readonly Region[]
  readonly chosen: Region
}

/** The outlines of the regions in the slice, the chosen one above the others. */
export function outlineLayers(
  { regions, chosen }: Outlines,
  uses: readonly DimensionUse[],
  geometry: ImageGeometry,
): readonly CurveLayer[] {
  const others = regions.filter(region => region !== chosen)
  return [
    ...layersOf(others, uses, geometry, ['#ffffff', '#455a64'], 1),
    ...layersOf([chosen], uses, geometry, ['#ffffff', '#d81b60'], 1.5),
  ]
}

/** The ends of the chosen region of a line. */
export function intervalLayers(
  { chosen }: Outlines,
  { toCoordinate }: Pick<PlotAxis, 'toCoordinate'>,
  y: Domain,
): readonly CurveLayer[] {
  return chosen.boxes
    .slice(0, MAX_INTERVALS)
    .flatMap(({ start: [from = 0], stop: [to = 1] }) =>
      markLayers({ kind: 'interval', ends: [toCoordinate(from), toCoordinate(to - 1)] }, y),
    )
}

function layersOf(
  regions: readonly Region[],
  uses: readonly DimensionUse[],
  { x: xAxis, y: yAxis }: ImageGeometry,
  [border, colour]: readonly [string, string],
  width: number,
): readonly CurveLayer[] {
  const [yDimension, xDimension] = [uses.indexOf('y'), uses.indexOf('x')]
  const isSeen = ({ start, stop }: Box) =>
    uses.every((use, d) => typeof use !== 'number' || (use >= (start[d] ?? 0) && use < (stop[d] ?? 0)))
  const [x, y]: [number[], number[]] = [[], []]
  for (const { start, stop } of regions.flatMap(({ boxes }) => boxes.filter(isSeen).slice(0, MAX_OUTLINES))) {
    const [left, right] = [start, stop].map(at => xAxis.toCoordinate(at[xDimension] ?? 0))
    const [bottom, top] = [start, stop].map(at => yAxis.toCoordinate(at[yDimension] ?? 0))
    const [none, l = none, r = none, b = none, t = none] = [Number.NaN, left, right, bottom, top]
    x.push(l, r, r, l, l, none)
    y.push(b, b, t, t, b, none)
  }
  if (x.length === 0) return []
  const line = { kind: 'curve', x: Float64Array.from(x), y: Float64Array.from(y) } as const
  const drawn = { hasLine: true, hasPoints: false }
  return [
    { ...line, ...drawn, colour: border, width: width + 2 },
    { ...line, ...drawn, colour, width },
  ]
}
