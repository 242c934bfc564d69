// An image one of whose dimensions is that of its colours: what is requested for a view, what is shown, and its tools.

import type { Datatype } from '@hyperslab/client'
import { numberForm, productOf } from '@hyperslab/client/elements'
import { brightestOf } from '@hyperslab/meaning/meaning'
import { numbersOf } from '../../data/axis.ts'
import type { Image, ImageRequest, Picture } from '../../data/image.ts'
import type { Plot } from '../../data/plot.ts'
import type { Sight } from '../../data/sight.ts'
import { slicedBy } from '../../data/slice.ts'
import type { Rgba } from '../../drawing/colours.ts'
import type { View } from '../../view-address.ts'
import { type Tool, type ToolName, type ToolState, toolsOf } from '../tools/tools.ts'
import { type ImageGeometry, isNarrow, positionsIn } from './geometry.ts'

const TOOLS: readonly ToolName[] = ['order', 'profile', 'box', '…', 'ratio', 'flipX', 'flipY', 'grid']

export type RgbSubject = ReturnType<typeof rgbOf>

/** What is drawn of a plot: two of its dimensions, and the colours. */
export function rgbOf(plot: Plot, view: View) {
  const { dataset, path } = plot.signal
  if (dataset?.shape === undefined) throw new Error(`${path} has no elements`)
  const uses = slicedBy(plot, view, { axes: ['y', 'x'], colours: plot.colours })
  return {
    plot,
    dataset,
    uses,
    part: 'amplitude' as const,
    label: plot.label,
    order: view.order ?? 'rgb',
    yAxis: plot.axes[uses.indexOf('y')],
    xAxis: plot.axes[uses.indexOf('x')],
    hasElements: productOf(dataset.shape) > 0,
    ratio: view.ratio ?? (isNarrow(dataset.shape, uses) ? ('auto' as const) : ('equal' as const)),
  }
}

export function rgbRequest(
  { dataset, uses, hasElements, ratio }: RgbSubject,
  geometry: ImageGeometry | undefined,
  sight: Sight | undefined,
  { zoom }: View,
): ImageRequest {
  return {
    dataset,
    uses,
    reduction: 'mean',
    isSquare: ratio === 'equal',
    convert: numbersOf,
    sight: geometry && zoom && sight ? positionsIn(sight, geometry) : undefined,
    size: hasElements ? geometry && sight : undefined,
  }
}

export type RgbSettings = ReturnType<typeof rgbSettings>

export function rgbSettings({ ratio, order }: RgbSubject, view: View) {
  return {
    order: { value: order, usual: 'rgb' },
    ratio: { value: ratio, usual: undefined },
    // Pictures begin at the top.
    flip: { value: view.flip ?? 'y', usual: 'y' },
    hasGrid: { value: view.hasGrid ?? false, usual: false },
  } as const
}

export function rgbTools(settings: RgbSettings, marks: ToolState['marks'] = {}): readonly Tool[] {
  return toolsOf(TOOLS, { settings, marks })
}

/** What is drawn, in a sentence; undefined: nothing yet. */
export function rgbNote({ picture }: Image): string | undefined {
  if (picture === undefined) return undefined
  const { y, x } = picture
  if (y.block * x.block === 1) return 'Each point is an element.'
  return `Each point is the mean of ${y.block} × ${x.block} elements.`
}

/** Four bytes of each point. The greatest number is that of 8, 10, 12 ... bits that holds all. */
export function coloursOf({ data, rows, columns, depth }: Picture, type: Datatype, isBgr: boolean): Rgba {
  const colours = new Uint8ClampedArray(rows * columns * 4)
  const factor = 255 / greatest(type, data)
  const [red, blue] = isBgr ? [2, 0] : [0, 2]
  const byte = (value: number | undefined) => Math.min(255, Math.max(0, Math.round((value ?? 0) * factor)))
  for (let i = 0; i < rows * columns; i++) {
    const at = i * depth
    colours[4 * i] = byte(data[at + red])
    colours[4 * i + 1] = byte(data[at + 1])
    colours[4 * i + 2] = byte(data[at + blue])
    colours[4 * i + 3] = depth > 3 ? byte(data[at + 3]) : 255
  }
  return colours
}

/** The number of the brightest colour. */
function greatest(type: Datatype, data: Float64Array): number {
  const form = numberForm(type)
  const most = greatestOf(data)
  if (form?.kind === 'float') return most <= 1 ? 1 : Math.max(most, 255)
  return brightestOf(most)
}

/** NaN is none of them. */
function greatestOf(data: Float64Array): number {
  let most = 0
  for (const value of data) if (value > most) most = value
  return most
}
