// The range of the colours of an image: that of the elements of the slice, where they are known, or of its points.

import { getBounds } from '@h5web/lib'
import type { Api } from '@hyperslab/client'
import { isComplex, productOf, selectedShape } from '@hyperslab/client/elements'
import { useMemo, useRef } from 'react'
import { messageOf } from '../../common/errors.ts'
import { boundsOf, elementRange } from '../data/colour-range.ts'
import type { Plot } from '../data/plot.ts'
import { selectionOf } from '../data/slice.ts'
import type { Picture } from '../data/use-image.ts'
import type { DimensionUse, View } from '../view-address.ts'
import { useLoaded, useViewer } from '../viewer-context.ts'

/** Statistics of more elements are only asked for when the user wants them. */
const STATISTICS_AT_ONCE = 2 ** 26
const BINS = 100

export interface ColourRange {
  readonly bounds: ReturnType<typeof getBounds>
  readonly histogram: { readonly values: number[]; readonly bins: number[] } | undefined
  /** What the colours span, in a sentence. */
  readonly text: string
  /** The slice has so many elements that their extremes are found on demand only. */
  readonly isLong: boolean
}

/** The extremes of what the colours span: of the elements, where they are known, not of the points. */
export function useColourRange(
  { signal, meaning }: Plot,
  uses: readonly DimensionUse[],
  view: View,
  overview: Picture | undefined,
  picture: Picture | undefined,
): ColourRange {
  const { contents } = useViewer()
  const { dataset } = signal
  const select = selectionOf(uses)
  const count = productOf(selectedShape(dataset?.shape ?? [], select))
  const isLong = count > STATISTICS_AT_ONCE
  const isExact = overview !== undefined && isOfElements(overview)
  const isWanted =
    dataset !== undefined &&
    !isComplex(dataset.type) &&
    meaning.canReduce &&
    overview !== undefined &&
    overview.progress === undefined &&
    !isExact &&
    view.span !== 'seen' &&
    (!isLong || view.span === 'all')
  const slice = JSON.stringify([dataset?.id, uses, dataset?.stamp])
  // Another size of the canvas draws samples again: the statistics stay those of the slice.
  const requested = useRef<string>()
  if (isWanted) requested.current = slice
  const isRequested = requested.current === slice
  const { value, error, isLoading } = useLoaded(
    async (abort): Promise<Api.ValueStatistics | undefined> =>
      dataset && isRequested
        ? contents.domain.statistics(dataset, {
            ...(select && { select }),
            ...meaning.absent,
            bins: BINS,
            signal: abort,
          })
        : undefined,
    [slice, isRequested],
  )
  const points = view.span === 'seen' ? picture : (overview ?? picture)
  const bounds = useMemo(() => points && getBounds(points.data), [points])
  const histogram = useMemo(
    () => (points && bounds ? histogramOf(points.data, bounds) : undefined),
    [points, bounds],
  )
  if (view.span === 'seen') return { bounds, histogram, text: 'The colours span what is in sight.', isLong }
  const elements = value && elementRange(value, meaning)
  if (elements)
    return {
      bounds: boundsOf(bounds, elements),
      histogram: { values: [...elements.counts], bins: [...elements.edges] },
      text: 'The colours span all elements.',
      isLong,
    }
  if (isExact) return { bounds, histogram, text: 'The colours span all elements.', isLong }
  const reason =
    error !== undefined
      ? `, because of an error: ${messageOf(error)}`
      : isWanted && isLoading
        ? ', until all elements are read'
        : ''
  return { bounds, histogram, text: `The colours span the points${reason}.`, isLong }
}

export function isOfElements({ x, y }: Picture): boolean {
  return x.block === 1 && y.block === 1
}

function histogramOf(data: Float64Array, { min, max }: { readonly min: number; readonly max: number }) {
  if (!(max > min)) return undefined
  const values = new Array<number>(BINS).fill(0)
  const width = (max - min) / BINS
  for (const value of data) {
    const bin = Math.min(BINS - 1, Math.floor((value - min) / width))
    if (bin >= 0) values[bin] = (values[bin] ?? 0) + 1
  }
  return { values, bins: Array.from({ length: BINS + 1 }, (_, i) => (i < BINS ? min + i * width : max)) }
}
