// The points of a scatter plot: three datasets of one dimension that have the two coordinates and the value of each, or
// the columns of one dataset.
// What is requested for a view, what is shown of it, and its tools.

import type { Domain } from '@hyperslab/client'
import type { Numbers } from '@hyperslab/client/elements'
import { numbersOf } from '../../data/axis.ts'
import {
  type Curve,
  columnLabel,
  type LabelledQuantity,
  type Places,
  type Plot,
  type Quantity,
} from '../../data/plot.ts'
import type { Sight } from '../../data/sight.ts'
import { type Bounds, boundsOfNumbers, domainOnScale, extendDomain } from '../../drawing/bounds.ts'
import { type ColourScale, coloursOfNumbers } from '../../drawing/colours.ts'
import type { Domain as Ends } from '../../drawing/scales.ts'
import type { PointsLayer } from '../../drawing/scene.ts'
import type { View } from '../../view-address.ts'
import { type Tool, type ToolName, toolsOf } from '../tools/tools.ts'
import { colourSettings } from './domains.ts'
import { formatValue } from './numbers.ts'
import { remembered } from './remembered.ts'

const TOOLS: readonly ToolName[] = [
  'points',
  'signal',
  'range',
  'colours',
  'colourScale',
  '…',
  'ratio',
  'grid',
]

export type ScatterSubject = ReturnType<typeof scatterOf>

/** What is drawn of a plot: one of its signals at the places of all. */
export function scatterOf(plot: Plot, places: Places, view: View) {
  const curves: readonly Curve[] = [plot, ...plot.auxiliaries.filter(other => hasLengthOf(other, plot))]
  const curve = curves.find(({ signal }) => signal.name === view.signal) ?? plot
  const { dataset, path } = curve.signal
  if (dataset === undefined) throw new Error(`${path} has no elements`)
  const [count = 0] = dataset.shape ?? []
  const { columns } = places
  // A number of each point says more than how many there are.
  const usualCurve = count > (columns === 2 ? MANY_PLACES : MAX_POINTS) ? 'density' : 'points'
  const drawnAs = view.curve === 'points' || view.curve === 'density' ? view.curve : usualCurve
  const isDensity = drawnAs === 'density'
  const step = stepOf(count, isDensity)
  const quantities = [places.x, places.y, curve] as const
  /** Another text if other points are wanted. */
  const wanted = JSON.stringify([
    step,
    ...quantities.map(({ signal: { dataset }, meaningKey }) => [meaningKey, dataset?.stamp]),
  ])
  const valueLabel = columns === undefined ? curve.label : columns > 2 ? columnLabel(2, curve.meaning) : 'Row'
  const label = isDensity ? 'Points' : valueLabel
  const known = { plot, curves, curve, dataset, count, quantities, columns, label, wanted }
  return { ...known, drawnAs, usualCurve, isDensity, step } as const
}

function hasLengthOf({ signal }: Curve, plot: Plot): boolean {
  const { shape = [] } = signal.dataset ?? {}
  return shape.length === 1 && shape[0] === plot.signal.dataset?.shape?.[0]
}

export type ScatterSettings = ReturnType<typeof scatterSettings>

export function scatterSettings(subject: ScatterSubject, view: View) {
  const { plot, curve, drawnAs, usualCurve, isDensity } = subject
  const scale = view.scale === 'gamma' ? 'linear' : view.scale
  return {
    // Some squares have a thousand times as many points as others.
    ...colourSettings({ ...view, scale }, isDensity ? 'log' : plot.scale),
    gamma: undefined,
    curve: { value: drawnAs, usual: usualCurve },
    signal: { value: curve.signal.name, usual: plot.signal.name },
    ratio: { value: view.ratio ?? 'auto', usual: 'auto' },
    hasGrid: { value: view.hasGrid ?? true, usual: true },
  } as const
}

export function scatterTools(
  { curves }: ScatterSubject,
  settings: ScatterSettings,
  { range }: View,
  dataDomain: Ends,
): readonly Tool[] {
  const signals = curves.map(({ signal: { name }, label }) => [name, label] as const)
  return toolsOf(TOOLS, { settings, range, dataDomain, signals })
}

export const boundsOfPoints = remembered(({ values }: Points) => boundsOfNumbers(values))

/** The parts of the axes that have all points; undefined: there are none. */
export const placesOfPoints = remembered(({ x, y }: Points) => {
  const [across, up] = [x, y].map(coordinates => {
    const domain = domainOnScale(boundsOfNumbers(coordinates), 'linear')
    return domain && extendDomain(domain, 0.03)
  })
  return across && up && { x: across, y: up }
})

/** An axis on the canvas: its name, and the function that writes its ticks; numbers need none. */
export function scatterAxis({ label, meaning }: LabelledQuantity) {
  return { label, format: meaning.kind === 'number' ? undefined : meaning.formatUnpacked }
}

/** The points as a layer, in the colours of their numbers. */
export function pointsLayer(points: Points, colours: ColourScale): PointsLayer {
  const { x, y, values } = points
  const ofPoints = new Uint32Array(coloursOfNumbers(values, colours).buffer)
  return { kind: 'points', x, y, colours: ofPoints, size: pointSize(points) }
}

/** What the numbers are, for people who do not see them. */
export function pointsText(points: Points, label: string, bounds: Bounds | undefined): string {
  const count = `${points.x.length.toLocaleString('en')} points.`
  return bounds
    ? `${count} Colours: ${label} from ${formatValue(bounds.min)} to ${formatValue(bounds.max)}.`
    : count
}

/** Points are smaller where there are more. */
function pointSize({ x }: Points): number {
  return x.length > MANY ? 4 : 8
}
const MANY = 10_000

/** Pixels between the pointer and a point that it means. */
const REACH = 10

export interface ScatterTip {
  /** `sx = 3, sy = 40`. */
  readonly place: string
  readonly value: string
}

/** The name of an axis; without a meaning it has numbers. */
type TipAxis = Pick<LabelledQuantity, 'label'> & Partial<Pick<LabelledQuantity, 'meaning'>>

/** The numbers of the point that the pointer means. */
export function scatterTip(
  points: Points,
  at: readonly [x: number, y: number],
  { x, y, width, height }: Sight,
  places: { readonly x: TipAxis; readonly y: TipAxis },
): ScatterTip | undefined {
  const pixels = [width / Math.abs(x[1] - x[0]), height / Math.abs(y[1] - y[0])] as const
  const index = nearestPoint(points, at, pixels, REACH)
  if (index === undefined) return undefined
  const text = ({ label, meaning }: TipAxis, value = 0) =>
    `${label} = ${(meaning === undefined || meaning.kind === 'number' ? formatValue : meaning.formatUnpacked)(value)}`
  return {
    place: `${text(places.x, points.x[index])}, ${text(places.y, points.y[index])}`,
    value: formatValue(points.values[index]),
  }
}

export interface Points {
  readonly x: Float64Array
  readonly y: Float64Array
  readonly values: Float64Array
}

/** Places without a number of their own that are drawn one by one: of more the density says more. */
const MANY_PLACES = 100_000
/** Points of a scatter plot that are drawn: a browser needs a second for this many. @limit safety, points */
const MAX_POINTS = 1_000_000
/** Points that are drawn of more: one of each few. @limit safety, points */
const SAMPLED_POINTS = 2 ** 17
/** Points that are counted for a density: a browser takes 0.1 s for them. @limit memory, points */
const COUNTED_POINTS = 2 ** 22

export function stepOf(count: number, isDensity = false): number {
  const [most, sampled] = isDensity ? [COUNTED_POINTS, COUNTED_POINTS] : [MAX_POINTS, SAMPLED_POINTS]
  return count <= most ? 1 : Math.ceil(count / sampled)
}

/** One of each `step` points, without those of which a number is missing. */
export async function readPoints(
  domain: Domain,
  { quantities, columns, step }: Pick<ScatterSubject, 'quantities' | 'columns' | 'step'>,
  signal: AbortSignal,
): Promise<Points> {
  const read = async ({ signal: { dataset, path }, meaning }: Quantity) => {
    const [stop] = dataset?.shape ?? []
    if (dataset === undefined || stop === undefined) throw new Error(`${path} has no elements`)
    const rows = { start: 0, stop, ...(step > 1 && { step }) }
    const select = columns === undefined ? [rows] : [rows, undefined]
    const { data } = await domain.read(dataset, { select, ...meaning.absent, signal })
    return numbersOf(Array.isArray(data) ? data : meaning.unpackPresent(data as Numbers))
  }
  const [x, y, value] = quantities
  if (columns !== undefined) return finitePoints(pointsOfRows(await read(value), columns, step))
  const [xs, ys, values] = await Promise.all([read(x), read(y), read(value)])
  return finitePoints({ x: xs, y: ys, values })
}

/** Without a third column the colour is the number of the row. */
function pointsOfRows(numbers: Float64Array, columns: number, step: number): Points {
  const column = (d: number) =>
    Float64Array.from({ length: numbers.length / columns }, (_, row) => {
      return d < columns ? (numbers[row * columns + d] ?? Number.NaN) : row * step
    })
  return { x: column(0), y: column(1), values: column(2) }
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
export function pointsNote(
  { count, step, isDensity }: Pick<ScatterSubject, 'count' | 'step' | 'isDensity'>,
  drawn: number,
): string {
  const verb = isDensity ? 'counted' : 'drawn'
  const left = Math.ceil(count / step) - drawn
  const points =
    step > 1 ? `One of each ${step.toLocaleString('en')} points is ${verb}` : `All points are ${verb}`
  const rest = left > 0 ? ` but ${left.toLocaleString('en')}, of which a number is missing` : ''
  const colours = isDensity
    ? 'The colours say how many are in each square of 2 × 2 pixels.'
    : 'The colours span the drawn points.'
  return `${points}${rest}. ${colours}`
}
