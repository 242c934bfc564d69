// The range of the colours of an image: that of the elements of the slice, where they are known, or of its points.

import { getBounds, type HistogramParams } from '@h5web/lib'
import type { Api, DatasetShape, Domain, NumberOptions } from '@hyperslab/client'
import { productOf, selectedShape } from '@hyperslab/client/elements'
import { messageOf } from '../../../common/errors.ts'
import { boundsOf, elementRange } from '../../data/colour-range.ts'
import type { Picture } from '../../data/image.ts'
import type { Plot } from '../../data/plot.ts'
import { selectionOf } from '../../data/slice.ts'
import type { DimensionUse, View } from '../../view-address.ts'
import type { Bounds } from './domains.ts'
import { type ComplexPart, canReduce, numberOptions } from './numbers.ts'
import { remembered } from './remembered.ts'

/** Elements of a slice whose extremes are requested without a wish of the user. @limit safety, elements */
const STATISTICS_AT_ONCE = 2 ** 26
const BINS = 100

export interface ColourRange {
  readonly bounds: Bounds
  readonly histogram: HistogramParams | undefined
  /** What the colours span, in a sentence. */
  readonly text: string
  /** The slice has so many elements that their extremes are found on demand only. */
  readonly isLong: boolean
}

export interface RangeSubject {
  readonly plot: Pick<Plot, 'signal' | 'meaning'>
  readonly part: ComplexPart
  readonly uses: readonly DimensionUse[]
  readonly span: View['span']
  readonly overview: Picture | undefined
  /** What is in sight. */
  readonly picture: Picture | undefined
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
    span !== 'seen' &&
    (!isLong || span === 'all')
  return {
    isNeeded,
    isLong,
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

/** The extremes of what the colours span: of the elements, where they are known, not of the points. */
export function colourRangeOf(subject: RangeSubject, loaded: LoadedStatistics): ColourRange {
  const { plot, span, overview, picture } = subject
  const { isNeeded, isLong } = neededStatistics(subject)
  const points = span === 'seen' ? picture : (overview ?? picture)
  const bounds = points && boundsOfPicture(points)
  const histogram = points && histogramOf(points)
  if (span === 'seen') return { bounds, histogram, text: 'The colours span what is in sight.', isLong }
  const elements = loaded.value && elementRange(loaded.value, plot.meaning)
  const text = 'The colours span all elements.'
  if (elements) {
    const { counts, edges } = elements
    const ofElements = { values: [...counts], bins: [...edges] }
    return { bounds: boundsOf(bounds, elements), histogram: ofElements, text, isLong }
  }
  if (overview !== undefined && isOfElements(overview)) return { bounds, histogram, text, isLong }
  const reason =
    loaded.error !== undefined
      ? `, because of an error: ${messageOf(loaded.error)}`
      : isNeeded && loaded.isLoading
        ? ', until all elements are read'
        : ''
  return { bounds, histogram, text: `The colours span the points${reason}.`, isLong }
}

export function isOfElements({ x, y }: Picture): boolean {
  return x.block === 1 && y.block === 1
}

const boundsOfPicture = remembered(({ data }: Picture) => getBounds(data))

const histogramOf = remembered((picture: Picture): HistogramParams | undefined => {
  const bounds = boundsOfPicture(picture)
  if (bounds === undefined || !(bounds.max > bounds.min)) return undefined
  const { min, max } = bounds
  const values = new Array<number>(BINS).fill(0)
  const width = (max - min) / BINS
  for (const value of picture.data) {
    const bin = Math.min(BINS - 1, Math.floor((value - min) / width))
    if (bin >= 0) values[bin] = (values[bin] ?? 0) + 1
  }
  return { values, bins: Array.from({ length: BINS + 1 }, (_, i) => (i < BINS ? min + i * width : max)) }
})
