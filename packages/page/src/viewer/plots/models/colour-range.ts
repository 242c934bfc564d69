// The range of the colours of an image: that of the elements of the slice, where they are known, or of its points,
// without outliers.

import type { Api, DatasetShape, Domain, NumberOptions } from '@hyperslab/client'
import { productOf, selectedShape } from '@hyperslab/client/elements'
import { messageOf } from '../../../common/errors.ts'
import { boundsOf, elementRange } from '../../data/colour-range.ts'
import type { Picture } from '../../data/image.ts'
import type { Plot } from '../../data/plot.ts'
import { selectionOf } from '../../data/slice.ts'
import { type Bounds, boundsOfNumbers } from '../../drawing/bounds.ts'
import type { DimensionUse, View } from '../../view-address.ts'
import type { Histogram } from '../tools/range.ts'
import { type ComplexPart, canReduce, formatValue, numberOptions } from './numbers.ts'
import { remembered } from './remembered.ts'
import { percentagesOutside, type RobustRange, robustRange, symmetricRange } from './robust-range.ts'

/** Elements of a slice whose extremes are requested without a wish of the user. @limit safety, elements */
const STATISTICS_AT_ONCE = 2 ** 26
const BINS = 100

export interface ColourRange {
  readonly bounds: Bounds | undefined
  readonly histogram: Histogram | undefined
  /** What the colours span, in a sentence. */
  readonly text: string
  /** Whether numbers lie outside of its ends. */
  readonly isCut: RobustRange['isCut']
}

export interface RangeSubject {
  readonly plot: Pick<Plot, 'signal' | 'meaning'>
  readonly part: ComplexPart
  readonly uses: readonly DimensionUse[]
  readonly span: View['span']
  readonly overview: Picture | undefined
  /** What is in sight. */
  readonly picture: Picture | undefined
  /** That of the dataset; absent: the one that is shown. */
  readonly domain?: Domain | undefined
}

/** The statistics of the elements of the slice: whether they are needed now, and how they are read. */
export function neededStatistics({ plot, part, uses, span, overview }: RangeSubject) {
  const { dataset } = plot.signal
  const select = selectionOf(uses)
  const isLong = productOf(selectedShape(dataset?.shape ?? [], select)) > STATISTICS_AT_ONCE
  const isNeeded =
    dataset !== undefined &&
    canReduce(plot, part) &&
    overview !== undefined &&
    overview.progress === undefined &&
    !isOfElements(overview) &&
    // The service knows no bad pixels.
    !overview.isCleaned &&
    span !== 'seen' &&
    (!isLong || span === 'all')
  return {
    isNeeded,
    /** The slice; another text after a change of it. */
    slice: JSON.stringify([dataset?.id, part, uses, dataset?.stamp]),
    read: (domain: Domain, abort: AbortSignal) =>
      dataset &&
      readStatistics(domain, dataset, { select, numbers: numberOptions(plot, part), signal: abort }),
  }
}

interface StatisticsOptions {
  readonly select: ReturnType<typeof selectionOf>
  readonly numbers: NumberOptions
  readonly signal: AbortSignal
}

function readStatistics(domain: Domain, dataset: DatasetShape, options: StatisticsOptions) {
  const { select, numbers, signal } = options
  return domain.statistics(dataset, { ...(select && { select }), ...numbers, bins: BINS, signal })
}

export interface LoadedStatistics {
  readonly value: Api.ValueStatistics | undefined
  readonly error: unknown
  readonly isLoading: boolean
}

/** What the colours span: the elements, where their extremes are known, not the points, and perhaps not all. */
export function colourRangeOf(subject: RangeSubject, loaded: LoadedStatistics): ColourRange {
  const { span = 'auto', overview, picture } = subject
  const points = span === 'seen' ? picture : (overview ?? picture)
  const all = extremesOf(subject, loaded, points)
  if (span === 'seen') return { ...all, text: 'The colours span what is in sight.', isCut: NOT_CUT }
  const { bounds } = all
  if (span === 'all' || points === undefined || bounds === undefined) return { ...all, isCut: NOT_CUT }
  const robust = robustRange(points.data, bounds)
  const { min, max, isCut } = span === 'symmetric' ? symmetricRange(robust) : robust
  const drawn = { ...bounds, min, max }
  if (!isCut.low && !isCut.high) return { ...all, bounds: drawn, isCut }
  const percent = percentagesOutside(points.data, drawn)
  const from = formatValue(min) + (isCut.low ? percentileText(percent.low) : '')
  const to = formatValue(max) + (isCut.high ? percentileText(100 - percent.high) : '')
  const outside = `the numbers go from ${formatValue(bounds.min)} to ${formatValue(bounds.max)}`
  const histogram = histogramBetween(points.data, min, max)
  return { bounds: drawn, histogram, text: `The colours span ${from} to ${to}; ${outside}.`, isCut }
}

/** The percentile of an end, if points lie outside of it, not only elements. */
function percentileText(percent: number): string {
  if (percent === 0 || percent === 100) return ''
  return ` (percentile ${Math.min(99.9, Math.max(0.1, Number(percent.toFixed(1))))})`
}

export const NOT_CUT = { low: false, high: false }

/** The extremes of the elements, or of the points. */
function extremesOf(
  subject: RangeSubject,
  loaded: LoadedStatistics,
  points: Picture | undefined,
): Pick<ColourRange, 'bounds' | 'histogram' | 'text'> {
  const { plot, span, overview } = subject
  const bounds = points && boundsOfPicture(points)
  const histogram = points && histogramOf(points)
  const elements =
    span === 'seen' || overview?.isCleaned
      ? undefined
      : loaded.value && elementRange(loaded.value, plot.meaning)
  const text = 'The colours span all elements.'
  if (elements) {
    const { counts, edges } = elements
    const ofElements = { values: [...counts], bins: [...edges] }
    return { bounds: boundsOf(bounds, elements), histogram: ofElements, text }
  }
  if (overview !== undefined && isOfElements(overview)) return { bounds, histogram, text }
  const reason =
    loaded.error !== undefined
      ? `, because of an error: ${messageOf(loaded.error)}`
      : neededStatistics(subject).isNeeded && loaded.isLoading
        ? ', until all elements are read'
        : ''
  return { bounds, histogram, text: `The colours span the points${reason}.` }
}

export function isOfElements({ x, y }: Picture): boolean {
  return x.block === 1 && y.block === 1
}

const boundsOfPicture = remembered(({ data }: Picture) => boundsOfNumbers(data))

const histogramOf = remembered((picture: Picture): Histogram | undefined => {
  const bounds = boundsOfPicture(picture)
  return bounds && histogramBetween(picture.data, bounds.min, bounds.max)
})

/** The histogram of the numbers between both ends; undefined: there is nothing between them. */
function histogramBetween(data: Float64Array, min: number, max: number): Histogram | undefined {
  if (!(max > min)) return undefined
  const values = new Array<number>(BINS).fill(0)
  const width = (max - min) / BINS
  for (const value of data) {
    if (!(value >= min && value <= max)) continue
    const bin = Math.min(BINS - 1, Math.floor((value - min) / width))
    values[bin] = (values[bin] ?? 0) + 1
  }
  return { values, bins: Array.from({ length: BINS + 1 }, (_, i) => (i < BINS ? min + i * width : max)) }
}
