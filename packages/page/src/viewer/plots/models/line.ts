// A row of a dataset as a line, with its errors and other signals: what is requested for a view, what is shown of it,
// and its tools.

import { isComplex, productOf } from '@hyperslab/client/elements'
import { numbersOf, type PlotAxis } from '../../data/axis.ts'
import type { CurvePoints, CurveRequest, LoadedCurve } from '../../data/curves.ts'
import type { Plot } from '../../data/plot.ts'
import type { Sight, Zoom } from '../../data/sight.ts'
import { slicedBy } from '../../data/slice.ts'
import { type Bounds, boundsOfNumbers } from '../../drawing/bounds.ts'
import type { AxisScale, View } from '../../view-address.ts'
import { type Tool, type ToolName, type ToolState, toolsOf } from '../tools/tools.ts'
import { curvesOf, type DrawnCurve, type DrawnQuantity } from './curves.ts'
import { joinedBounds } from './domains.ts'
import { atEnd, positionsIn } from './line-axis.ts'
import { lineNote, unitsNote } from './notes.ts'
import {
  type Convert,
  canReduce,
  formatValue,
  numberOptions,
  partFor,
  partLabel,
  unwrapped,
} from './numbers.ts'
import { remembered } from './remembered.ts'

const TOOLS: readonly ToolName[] = [
  'part',
  'range',
  'span',
  'yScale',
  'curves',
  'interval',
  '…',
  'xScale',
  'curve',
  'errors',
  'grid',
]

/** Colours of curves that both a light and a dark page show. */
const COLOURS = ['#2f6fb3', '#d9660a', '#2f9440', '#cf3434', '#9a5fc4', '#8a7a1a'] as const

export function colourOf(curve: number): string {
  return COLOURS[curve % COLOURS.length] ?? COLOURS[0]
}

export type LineSubject = ReturnType<typeof lineOf>

const curvesOfPlot = remembered(curvesOf)

/** What is drawn of a plot: its curves along one of its dimensions, and those that are compared with them. */
export function lineOf(plot: Plot, view: View, compared: readonly DrawnCurve[] = []) {
  const { dataset, path } = plot.signal
  if (dataset?.shape === undefined) throw new Error(`${path} has no elements`)
  const uses = slicedBy(plot, view, { axes: ['x'] })
  const curves = [...curvesOfPlot(plot), ...compared]
  const part = partFor('line', view)
  const isOfComplex = isComplex(dataset.type)
  const label = isOfComplex ? partLabel(plot, part) : plot.label
  return {
    plot,
    dataset,
    uses,
    axis: plot.axes[uses.indexOf('x')],
    curves,
    errors: curves.flatMap(curve => (curve.errors ? [curve.errors] : [])),
    part,
    isOfComplex,
    hasElements: productOf(dataset.shape) > 0,
    /** The name of the other axis; undefined: the title says it. */
    label: label !== plot.title || curves.length > 1 ? label : undefined,
    exports: isOfComplex ? (['json', 'npy'] as const) : (['csv', 'json', 'npy'] as const),
  }
}

/** The part in sight: the end of what grows, or that of the address. */
export function lineZoom({ uses }: LineSubject, view: View, x: PlotAxis | undefined): View['zoom'] {
  return x && view.isFollowed && uses[0] === 'x' ? atEnd(view, x) : view.zoom
}

export interface LineSight {
  /** Undefined: the axis is not known yet. */
  readonly x: PlotAxis | undefined
  readonly zoom: Zoom | undefined
  readonly sight: Sight | undefined
}

/** The requests of quantities that make their numbers with these functions. */
export function lineRequests(
  { uses, hasElements, part }: LineSubject,
  quantities: readonly (DrawnQuantity & Pick<DrawnCurve, 'own'>)[],
  { x, zoom, sight }: LineSight,
  converters: readonly Convert[],
): readonly CurveRequest[] {
  return quantities.map((quantity, i) => {
    const axis = quantity.own?.axis ?? x
    return {
      dataset: { ...quantity.dataset, numbers: numberOptions(quantity, part) },
      uses: quantity.uses(uses),
      convert: converters[i] ?? numbersOf,
      hasExtremes: canReduce(quantity, part),
      sight: axis && zoom && sight ? positionsIn(sight.x, axis) : undefined,
      width: x && hasElements ? sight?.width : undefined,
      tiles: quantity.own?.tiles,
    }
  })
}

/** The curves as they are drawn: phases may go on where they would jump by a whole turn. */
export function shownCurves(
  { curves, part }: LineSubject,
  loaded: readonly LoadedCurve[],
): readonly LoadedCurve[] {
  return loaded.map((curve, i) => {
    const type = curves[i]?.dataset.type
    if (part !== 'unwrapped' || type === undefined || !isComplex(type)) return curve
    const { points, overview } = curve
    return { ...curve, points: points && withoutJumps(points), overview: overview && withoutJumps(overview) }
  })
}

const withoutJumps = remembered((points: CurvePoints) => ({ ...points, values: unwrapped(points.values) }))

/** Errors are read where each element is drawn. */
export function areErrorsDrawn({ hasErrors }: LineSettings, [main]: readonly LoadedCurve[]): boolean {
  return hasErrors?.value === true && main?.points?.extent.block === 1
}

/** The errors of a curve among those that were read. */
export function errorsOf(
  { errors }: LineSubject,
  curve: DrawnCurve | undefined,
  loaded: readonly LoadedCurve[],
): LoadedCurve | undefined {
  return curve?.errors && loaded[errors.indexOf(curve.errors)]
}

export type LineSettings = ReturnType<typeof lineSettings>

/** `usualCurve`: how the line is drawn where the address does not say it. */
export function lineSettings(
  { plot, part, isOfComplex, errors }: LineSubject,
  view: View,
  usualCurve: 'line' | 'density' = 'line',
) {
  // The scales of the file are the usual ones.
  const xScale = plot.axisScales.at(-1) ?? 'linear'
  const scale = scaleIn(plot.scale) ?? 'linear'
  return {
    part: isOfComplex ? { value: part, usual: 'amplitude' as const } : undefined,
    span: { value: view.span === 'seen' ? 'seen' : 'all', usual: 'all' },
    xScale: { value: view.xScale ?? xScale, usual: xScale },
    scale: { value: scaleIn(view.scale) ?? scale, usual: scale },
    hasErrors: errors.length > 0 ? { value: view.hasErrors ?? true, usual: true } : undefined,
    hidden: { value: view.hidden ?? [], usual: undefined },
    curve: { value: view.curve ?? usualCurve, usual: usualCurve },
    hasGrid: { value: view.hasGrid ?? true, usual: true },
  } as const
}

/** The scale, if an axis can have it. */
function scaleIn(scale: View['scale']): AxisScale | undefined {
  return scale === 'linear' || scale === 'log' || scale === 'symlog' ? scale : undefined
}

export function lineTools(
  { curves }: LineSubject,
  settings: LineSettings,
  { range }: View,
  dataDomain: [number, number],
  marks?: ToolState['marks'],
): readonly Tool[] {
  const names = curves.map(({ label }, i) => ({ label, colour: colourOf(i) }))
  return toolsOf(TOOLS, { settings, range, dataDomain, curves: names, isLine: true, ...(marks && { marks }) })
}

const boundsOfPoints = remembered(({ values }: CurvePoints) => boundsOfNumbers(values))

/** The extremes of the curves that are not hidden, and of the first one in any case. */
export function lineBounds(
  { curves }: LineSubject,
  { span, hidden }: LineSettings,
  shown: readonly LoadedCurve[],
): Bounds | undefined {
  const spanned = shown.filter((_, i) => i === 0 || !hidden.value.includes(curves[i]?.label ?? ''))
  return joinedBounds(
    spanned.map(({ points, overview }) => {
      const drawn = span.value === 'seen' ? points : (overview ?? points)
      return drawn && boundsOfPoints(drawn)
    }),
  )
}

/** The function that writes the numbers of the other axis; undefined: as numbers. */
export function lineFormat({ plot: { meaning } }: LineSubject) {
  return meaning.kind === 'time' ? meaning.formatUnpacked : undefined
}

/** What the numbers are, for people who do not see them. */
export function lineText(subject: LineSubject, bounds: Bounds | undefined): string {
  if (bounds === undefined) return ''
  const { curves } = subject
  const format = lineFormat(subject) ?? formatValue
  const names = curves.length > 1 ? ` of ${curves.map(({ label }) => label).join(', ')}` : ''
  return `Numbers${names} from ${format(bounds.min)} to ${format(bounds.max)}.`
}

/** What is drawn, in sentences; undefined: nothing yet. `problems`: what is not. */
export function noteOfLine(
  { plot, isOfComplex, part, curves, axis }: LineSubject,
  { span }: LineSettings,
  [main]: readonly LoadedCurve[],
  problems: readonly string[] = [],
): string | undefined {
  if (main?.points === undefined) return undefined
  const note = lineNote(main.points, {
    hasExtremes: canReduce(plot, part),
    isUnwrapped: isOfComplex && part === 'unwrapped',
    isOfSight: span.value === 'seen',
    isDrawn: main.points.values.some(Number.isFinite),
  })
  const units = { y: plot.meaning.units, x: axis?.meaning?.units }
  return [note, ...unitsNote(units, curves), ...problems].join(' ')
}
