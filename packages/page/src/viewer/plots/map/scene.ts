// A map as a drawing: the pixels of its cells, coasts and meridians above them, and the degrees on its axes.

import { formatNumber } from '@hyperslab/meaning/meaning'
import type { Rgba } from '../../drawing/colours.ts'
import type { CurveLayer, Layer, PictureLayer, SceneAxis } from '../../drawing/scene.ts'
import type { ToolName } from '../tools/tools.ts'
import type { Raster } from './cells.ts'
import type { Lines } from './coasts.ts'
import type { Projection } from './projection.ts'
import type { MapWindow } from './window.ts'

/** A map has the ratio of its degrees, and north is up. */
export const MAP_TOOLS: readonly ToolName[] = [
  'signal',
  'part',
  'projection',
  'range',
  'span',
  'colours',
  'colourScale',
  'gamma',
  'profile',
  '…',
  'reduction',
]

/** Pixels of a raster along each side, at most: those of a large screen. @limit memory, pixels */
const MAX_SIDE = 2048

/** The pixels of a part of a map on a canvas of this size, as long as steps of both axes have the same length. */
export function rasterOf(
  { x, y }: MapWindow,
  canvas: { readonly width: number; readonly height: number },
): Raster {
  const [across, up] = [x[1] - x[0], y[1] - y[0]]
  const step = Math.max(across / canvas.width, up / canvas.height)
  const count = (length: number) => Math.min(MAX_SIDE, Math.max(1, Math.round(length / step)))
  return { x, y, width: count(across), height: count(up) }
}

/** The pixels with the colours of their cells; those without one are transparent. */
export function cellLayer(colours: Rgba, cells: Int32Array, { x, y, width, height }: Raster): PictureLayer {
  const points = new Uint32Array(colours.buffer)
  const pixels = Uint32Array.from(cells, cell => (cell < 0 ? 0 : (points[cell] ?? 0)))
  return {
    kind: 'picture',
    x,
    y,
    columns: width,
    rows: height,
    colours: new Uint8ClampedArray(pixels.buffer),
  }
}

/** White lines on a dark seam: they are seen on all colours. */
const LINE_LOOKS = [
  { colour: 'rgb(0 0 0 / 55%)', width: 2.5 },
  { colour: 'rgb(255 255 255 / 90%)', width: 1 },
] as const
const FINE_LOOKS = [{ colour: 'rgb(128 128 128 / 60%)', width: 1 }] as const

/** The coasts, and fine lines of degrees, within a window. */
export function lineLayers(
  coasts: Lines | undefined,
  graticule: Lines | undefined,
  projection: Projection,
  window: MapWindow,
): readonly Layer[] {
  const layersOf = (lines: Lines | undefined, looks: typeof LINE_LOOKS | typeof FINE_LOOKS) => {
    if (lines === undefined) return []
    const [x, y] = linesIn(lines, projection, window)
    return looks.map(
      (look): CurveLayer => ({ kind: 'curve', x, y, ...look, hasLine: true, hasPoints: false }),
    )
  }
  return [...layersOf(graticule, FINE_LOOKS), ...layersOf(coasts, LINE_LOOKS)]
}

/** The lines that are in the window, where the map begins again, too; of one turn of the earth around its middle. */
function linesIn({ xs, ys }: Lines, { period }: Projection, { x, y }: MapWindow) {
  const [foundX, foundY]: [number[], number[]] = [[], []]
  const turn = period === undefined ? undefined : turnAround(x, period)
  for (const [from, to] of linesBetweenGaps(xs)) {
    const [left, right] = endsOf(xs, from, to)
    const [low, high] = endsOf(ys, from, to)
    if (high < y[0] || low > y[1]) continue
    const turns = period === undefined ? [0] : turnsIn(left, right, x, period)
    for (const count of turns) {
      const shift = period === undefined ? 0 : count * period
      if (right + shift < x[0] || left + shift > x[1]) continue
      for (let i = from; i < to; i++) {
        const at = (xs[i] ?? 0) + shift
        foundX.push(turn && (at < turn[0] || at > turn[1]) ? Number.NaN : at)
        foundY.push(ys[i] ?? 0)
      }
      foundX.push(Number.NaN)
      foundY.push(Number.NaN)
    }
  }
  return [Float64Array.from(foundX), Float64Array.from(foundY)] as const
}

function* linesBetweenGaps(xs: Float64Array): Generator<readonly [from: number, to: number]> {
  let from = 0
  for (let i = 0; i <= xs.length; i++) {
    if (i < xs.length && !Number.isNaN(xs[i])) continue
    if (i > from) yield [from, i]
    from = i + 1
  }
}

function endsOf(values: Float64Array, from: number, to: number): readonly [least: number, most: number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let i = from; i < to; i++) {
    least = Math.min(least, values[i] ?? least)
    most = Math.max(most, values[i] ?? most)
  }
  return [least, most]
}

function turnAround([from, to]: MapWindow['x'], period: number): MapWindow['x'] {
  const [middle, half] = [(from + to) / 2, Math.max(period, to - from) / 2]
  return [middle - half, middle + half]
}

function turnsIn(left: number, right: number, [from, to]: readonly [number, number], period: number) {
  const first = Math.ceil((from - right) / period)
  const last = Math.floor((to - left) / period)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i)
}

/** Degrees between two lines of a map that is so many degrees wide. */
export function graticuleStep({ x, y }: MapWindow): number {
  const most = Math.max(x[1] - x[0], y[1] - y[0])
  return [30, 10, 5, 2].find(step => most / step >= 4) ?? 1
}

/** The axes: degrees where they are straight; elsewhere they say nothing, and lines of degrees are a layer. */
export function mapAxes(
  { x, y }: MapWindow,
  { period }: Projection,
): { readonly x: SceneAxis; readonly y: SceneAxis } {
  const none = () => ''
  const axis = (domain: MapWindow['x'], format: (degrees: number) => string): SceneAxis => ({
    domain: [...domain],
    // Lines of a grid are where ticks have a text, and an axis with a grid has no line of its own.
    hasGrid: true,
    // A narrow map has much of the earth around it.
    goesOn: true,
    format: period === undefined ? none : format,
  })
  return {
    x: axis(x, longitudeText),
    y: axis(y, degrees => (Math.abs(degrees) > 90 ? '' : latitudeText(degrees))),
  }
}

/** `13.5°E`. */
export function longitudeText(degrees: number): string {
  const turned = degrees - 360 * Math.round(degrees / 360)
  return degreesText(
    Math.abs(turned) === 180 ? 180 : turned,
    turned === 180 || turned === -180 ? '' : turned < 0 ? 'W' : 'E',
  )
}

/** `52.5°N`. */
export function latitudeText(degrees: number): string {
  return degreesText(degrees, degrees < 0 ? 'S' : 'N')
}

function degreesText(degrees: number, side: string): string {
  const text = formatNumber(Number(Math.abs(degrees).toFixed(4)))
  return `${text}°${text === '0' ? '' : side}`
}
