// The density of a line that goes up and down within each pixel: the line between the least and the greatest element is
// a band, and says nothing of where most elements are.

import type { Domain } from '@hyperslab/client'
import type { PlotAxis } from '../../data/axis.ts'
import { type Extent, readBlocks } from '../../data/blocks.ts'
import type { CurvePoints, CurveRequest, LoadedCurve } from '../../data/curves.ts'
import type { Cloud } from './density.ts'

/** Elements of a block from which on a band may be drawn as density without a wish of the user. */
const MANY = 256
/** A part of the height of the drawing: a band is higher than this on average. */
const HIGH = 0.2
/** Elements that are read, one of each few. @limit memory, elements */
const SAMPLED_ELEMENTS = 2 ** 20

/** Whether the line is a band, as of noise. */
export function isBand({ points }: LoadedCurve, { dataset, uses, hasExtremes }: CurveRequest): boolean {
  const { filteredChunk = [] } = dataset
  // Elements beside the line are decoded too, each time.
  const isWide = filteredChunk.some((extent, d) => extent > 1 && uses[d] !== 'x')
  if (points === undefined || points.progress || points.extent.block < MANY || !hasExtremes || isWide)
    return false
  return heightOf(points) > HIGH
}

/** The mean distance of both extremes of a block, as a part of that of all. */
function heightOf({ values }: CurvePoints): number {
  let [least, most, sum, count] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0]
  for (let i = 1; i < values.length; i += 2) {
    const [low = Number.NaN, high = Number.NaN] = [values[i - 1], values[i]]
    if (!Number.isFinite(high - low)) continue
    least = Math.min(least, low)
    most = Math.max(most, high)
    sum += high - low
    count++
  }
  return sum / count / (most - least)
}

/** The number of elements of which one is read. An odd one meets all of what repeats. */
export function sampleStep({ start, stop }: Pick<Extent, 'start' | 'stop'>): number {
  const count = stop - start
  return count <= SAMPLED_ELEMENTS ? 1 : Math.ceil(count / SAMPLED_ELEMENTS) | 1
}

/** One of each few elements of a part, at their places on the axis. */
export async function readCloud(
  domain: Domain,
  { dataset, uses, convert }: CurveRequest,
  { start, stop }: Extent,
  axis: Pick<PlotAxis, 'toCoordinate'>,
  signal: AbortSignal,
): Promise<Cloud> {
  const step = sampleStep({ start, stop })
  const select = uses.map(use => (use === 'x' ? { start, stop, block: step } : Number(use)))
  const { data } = await readBlocks(domain, dataset, select, 'first', signal)
  const y = convert(data)
  return { x: Float64Array.from(y, (_, i) => axis.toCoordinate(start + i * step)), y }
}

/** What the colours are, in a sentence. */
export function lineDensityNote(extent: Extent): string {
  const step = sampleStep(extent)
  const counted = step > 1 ? `one of each ${step} elements` : 'all elements'
  return `The colours count ${counted}, by squares of 2 × 2 pixels.`
}
