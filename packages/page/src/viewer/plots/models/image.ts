// A slice as an image of coloured points: what is requested for a view, what is shown of it, and its tools.

import { isComplex, numberForm, productOf } from '@hyperslab/client/elements'
import { imageDimensions } from '@hyperslab/meaning/meaning'
import { numbersOf, type PlotAxis } from '../../data/axis.ts'
import type { Image, ImageRequest, Picture } from '../../data/image.ts'
import type { Curve, Plot } from '../../data/plot.ts'
import type { Sight, Zoom } from '../../data/sight.ts'
import { slicedBy } from '../../data/slice.ts'
import { progressText } from '../../data/tiles.ts'
import type { Bounds } from '../../drawing/bounds.ts'
import { CHOICES, type Reduction, type View } from '../../view-address.ts'
import { badPixelsNote } from '../special/bad-pixels.ts'
import { type Tool, type ToolName, type ToolState, toolsOf } from '../tools/tools.ts'
import { channelOf } from './channels.ts'
import { type ColourRange, isOfElements, type RangeSubject } from './colour-range.ts'
import { colourSettings, type Domains } from './domains.ts'
import { type ImageGeometry, isNarrow, isTopDown, lastOf, positionsIn } from './geometry.ts'
import { type Convert, canReduce, formatValue, numberOptions, partFor, partLabel } from './numbers.ts'
import { PALETTE } from './palette.ts'

const TOOLS: readonly ToolName[] = [
  'signal',
  'part',
  'range',
  'span',
  'colours',
  'colourScale',
  'gamma',
  'profile',
  'box',
  '…',
  'reduction',
  'ratio',
  'flipX',
  'flipY',
  'grid',
]

/** Indices of a palette have no range and no mean. */
const TOOLS_OF_PALETTE: readonly ToolName[] = [
  'signal',
  'colours',
  'profile',
  'box',
  '…',
  'ratio',
  'flipX',
  'flipY',
  'grid',
]

export type ImageSubject = ReturnType<typeof imageOf>

/** What is drawn of a plot: one of its signals, and two of its dimensions. */
export function imageOf(whole: Plot, view: View) {
  const curves: readonly Curve[] = [whole, ...whole.auxiliaries]
  const curve = curves.find(({ signal }) => signal.name === view.signal) ?? whole
  const plot: Plot = curve === whole ? whole : { ...whole, ...curve, title: curve.label }
  const { dataset, path } = plot.signal
  if (dataset?.shape === undefined) throw new Error(`${path} has no elements`)
  const uses = slicedBy(plot, view, { axes: ['y', 'x'], usual: imageDimensions(plot.axes) })
  const part = partFor('image', view)
  const isOfComplex = isComplex(dataset.type)
  const ofFile = curve === whole ? whole.palette : undefined
  const usualColours = ofFile && PALETTE
  const palette =
    colourSettings(view, plot.scale, usualColours).colours.value === PALETTE ? ofFile : undefined
  const isReducible = canReduce(plot, part) && palette === undefined
  const usualReduction: Reduction = ofFile ? 'first' : isOfCounts(plot) ? 'max' : 'mean'
  const [yUnits, xUnits] = ['y', 'x'].map(axis => plot.axes[uses.indexOf(axis as 'y')]?.meaning?.units)
  const isFree = isNarrow(dataset.shape, uses) || yUnits !== xUnits || view.last !== undefined
  return {
    whole,
    curves,
    plot,
    dataset,
    uses,
    yAxis: plot.axes[uses.indexOf('y')],
    xAxis: plot.axes[uses.indexOf('x')],
    part,
    isOfComplex,
    /** Phases have the amplitude as brightness. */
    hasBrightness: isOfComplex && part === 'phase-amplitude',
    usualColours,
    /** The colours of indices; undefined: the image has another colour map. */
    palette,
    isReducible,
    usualReduction,
    reduction: isReducible ? (view.reduction ?? usualReduction) : ('first' as const),
    ratio: view.ratio ?? (isFree ? ('auto' as const) : ('equal' as const)),
    hasElements: productOf(dataset.shape) > 0,
    label: isOfComplex ? partLabel(plot, part) : plot.label,
    exports: isOfComplex ? (['json', 'npy'] as const) : (['csv', 'json', 'npy', 'tiff'] as const),
  }
}

/** Whether the numbers are counts or labels: a mean would hide the few that are great, or name what there is not. */
function isOfCounts({ signal: { dataset }, meaning }: Plot): boolean {
  const form = dataset && numberForm(dataset.type)
  return form?.kind === 'unsigned' && form.size > 1 && !meaning.isPacked
}

/** The part in sight: the end of what grows, or that of the address. */
export function imageZoom(
  { uses }: Pick<ImageSubject, 'uses'>,
  view: View,
  geometry: ImageGeometry | undefined,
) {
  return (geometry && view.isFollowed ? lastOf(geometry, uses[0], view.last) : undefined) ?? view.zoom
}

export interface ImageSight {
  /** Undefined: the axes are not known yet. */
  readonly geometry: ImageGeometry | undefined
  readonly zoom: Zoom | undefined
  readonly sight: Sight | undefined
}

export function imageRequest(
  { dataset, uses, plot, part, reduction, ratio, hasBrightness, hasElements }: ImageSubject,
  { geometry, zoom, sight }: ImageSight,
  convert: Convert = numbersOf,
): ImageRequest {
  return {
    dataset: { ...dataset, numbers: numberOptions(plot, part) },
    uses,
    reduction,
    isSquare: ratio === 'equal',
    convert,
    channels: hasBrightness ? 2 : 1,
    sight: geometry && zoom && sight ? positionsIn(sight, geometry) : undefined,
    size: hasElements ? geometry && sight : undefined,
  }
}

/** The pictures that the colours are taken from. */
export function rangeSubject(
  { plot, part, uses, palette }: ImageSubject,
  view: View,
  image: Image,
): RangeSubject {
  const [picture, overview] = [image.picture, image.overview].map(one => one && channelOf(one, 0))
  return { plot, part, uses, span: palette ? 'seen' : view.span, overview, picture }
}

/** The pictures that are drawn: below that of a part there is that of all, to show something while it moves. */
export function drawnPictures(
  { picture, overview }: Pick<Image, 'picture' | 'overview'>,
  isPart: boolean,
): readonly Picture[] {
  const all = isPart && overview !== picture ? [overview, picture] : [picture]
  return all.filter(one => one !== undefined)
}

/** What the view and the data say of the drawing. Without a value in the address it is as the data needs it. */
export function imageSettings(subject: ImageSubject, view: View, y: PlotAxis | undefined) {
  const { curves, plot, whole, part, isOfComplex, isReducible, reduction, usualReduction, ratio } = subject
  const signal = curves.find(({ signal }) => signal === plot.signal)?.signal ?? whole.signal
  // Images with a palette begin at the top.
  const isDown = subject.usualColours !== undefined || (y && isTopDown(y))
  return {
    ...colourSettings(view, plot.scale, subject.usualColours),
    signal: { value: signal.name, usual: whole.signal.name },
    part: isOfComplex ? { value: part, usual: 'amplitude' as const } : undefined,
    span: { value: view.span ?? 'auto', usual: 'auto' },
    reduction: isReducible ? { value: reduction, usual: usualReduction } : undefined,
    ratio: { value: ratio, usual: undefined },
    flip: { value: view.flip ?? (isDown ? 'y' : 'none'), usual: undefined },
    hasGrid: { value: view.hasGrid ?? false, usual: false },
  } as const
}

export type ImageSettings = ReturnType<typeof imageSettings>

const ROOTED: ReadonlySet<string> = new Set(['log', 'sqrt'])

export function imageTools(
  { curves, palette }: ImageSubject,
  settings: ImageSettings,
  view: View,
  { histogram }: Pick<ColourRange, 'histogram'>,
  { dataDomain }: Domains,
  marks?: ToolState['marks'],
  tools = TOOLS,
): readonly Tool[] {
  // A scale of roots has no place for a bin that begins below 0.
  const hasPlace = histogram?.bins.every(edge => edge > 0) || !ROOTED.has(settings.scale.value)
  return toolsOf(palette ? TOOLS_OF_PALETTE : tools, {
    settings,
    range: view.range,
    dataDomain,
    histogram: hasPlace ? histogram : undefined,
    signals: curves.map(({ signal: { name }, label }) => [name, label] as const),
    ...(marks && { marks }),
  })
}

/** Whether numbers lie outside of the colours: an end that the user chose is not that of the data. */
export function isCutBy({ isCut }: ColourRange, { range }: View): ColourRange['isCut'] {
  const [low = null, high = null] = range ?? []
  return { low: isCut.low && low === null, high: isCut.high && high === null }
}

/** What the colours span, in a sentence: the ends of the user, or what the data need. */
export function rangeText({ text }: ColourRange, { range }: View, { domain }: Domains): string {
  return range ? `The colours span ${domain.map(formatValue).join(' to ')}.` : text
}

/** The next of the ranges of colours that a key goes through. */
export function nextSpan({ span, colours }: ImageSettings): Pick<View, 'span' | 'range'> {
  if (colours.value === PALETTE) return {}
  const next = { auto: 'all', all: 'symmetric', symmetric: undefined, seen: undefined } as const
  return { span: next[span.value], range: undefined }
}

/** What is drawn, in sentences. */
export function imageNote(
  image: Image,
  { bounds, text }: Pick<ColourRange, 'bounds' | 'text'>,
  { reduction, palette }: Pick<ImageSubject, 'reduction' | 'palette'>,
  brightest: number | undefined,
): string | undefined {
  const { picture } = image
  if (picture === undefined) return undefined
  const { x, y, progress } = picture
  if (bounds === undefined && progress === undefined) return 'No element is a finite number.'
  const block = `${y.block.toLocaleString('en')} × ${x.block.toLocaleString('en')} elements`
  const points = isOfElements(picture)
    ? 'Each point is an element.'
    : `Each point is the ${CHOICES.reduction[reduction].toLowerCase()} of ${block}${progressText(progress)}.`
  const bad = badPixelsNote(image)
  const light =
    brightest === undefined ? '' : ` The brightness is the amplitude, up to ${formatValue(brightest)}.`
  const colours = palette ? 'The colours are those of the palette.' : text
  return `${points} ${colours}${bad ? ` ${bad}` : ''}${light}`
}

/** What the numbers are, for people who do not see them. */
export function imageText(bounds: Bounds | undefined, label: string): string {
  return bounds ? `Colours: ${label} from ${formatValue(bounds.min)} to ${formatValue(bounds.max)}.` : ''
}

export interface ImageTip {
  /** `lat = 30, lon = 20`. */
  readonly place: string
  readonly value: string
}

/** The coordinates and the numbers of an element, from the first picture that has it. */
export function imageTip(
  [x, y]: readonly [x: number, y: number],
  axes: { readonly x: PlotAxis; readonly y: PlotAxis },
  { picture, overview }: Image,
  between = ', amplitude ',
): ImageTip {
  const found = [picture, overview].map(one => one && valuesAt(one, y, x)).find(value => value !== undefined)
  const place = (axis: PlotAxis, index: number) => {
    const coordinate = axis.toCoordinate(index + (axis.isIndex ? 0 : 0.5))
    return `${axis.label ?? axis.name} = ${axis.format?.(coordinate) ?? formatValue(coordinate)}`
  }
  const isBad = picture?.isCleaned && found?.every(Number.isNaN)
  return {
    place: `${place(axes.x, x)}, ${place(axes.y, y)}`,
    value: isBad ? 'masked or saturated' : (found?.map(formatValue).join(between) ?? formatValue(undefined)),
  }
}

/** The numbers of a point. */
export function valuesAt(
  { x, y, columns, rows, depth, data }: Picture,
  row: number,
  column: number,
): readonly number[] | undefined {
  const i = Math.floor((row - y.start) / y.block)
  const j = Math.floor((column - x.start) / x.block)
  if (i < 0 || i >= rows || j < 0 || j >= columns) return undefined
  const at = (i * columns + j) * depth
  return Array.from(data.subarray(at, at + depth))
}
