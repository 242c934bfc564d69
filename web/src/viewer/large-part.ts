// The parts of a dataset that the page draws itself, because h5web would load and draw each of their elements, and
// their reduction.

import { numberForm, productOf } from '../../../client/datatype.ts'
import type { DatasetShape, Selection } from '../../../client/index.ts'
import { selectedShape } from '../../../client/selection.ts'
import type { Graphics } from './graphics.ts'

/** Bytes. h5web draws some 100 MB of an image a second. */
const LARGE_BYTES = 2 ** 27

/** Elements of an image along each dimension, and of a line. */
const IMAGE_EXTENT = 1000
const LINE_EXTENT = 2000

/** A last dimension of so few elements is one of colours. */
const MAX_COLOURS = 4

/** The part of a dataset that is too large: the dimensions that are drawn have no index in `select`. */
export interface LargePart {
  readonly dataset: DatasetShape
  /** An entry for each dimension. */
  readonly select: Selection
  /** Undefined: the service cannot bring it down, because it is not of numbers. */
  readonly shape: 'line' | 'image' | undefined
}

/** The way in which the viewer draws a part, and its limits. */
export interface DrawingLimits extends Graphics {
  /** A table draws only the visible part. */
  readonly isTable: boolean
  /** The user wants all elements, however many there are. */
  readonly loadsWhole: boolean
}

/** Undefined: h5web may load and draw the selection. */
export function largePartOf(
  dataset: DatasetShape,
  select: Selection | undefined,
  { isTable, loadsWhole, maxSide, maxPoints }: DrawingLimits,
): LargePart | undefined {
  const { shape: extents = [], type } = dataset
  const drawn = extents.flatMap((_, d) => (typeof select?.[d] === 'number' ? [] : [d]))
  if (drawn.length === 0) return undefined
  const count = productOf(selectedShape(extents, select))
  const size = numberForm(type)?.size
  const isHeavy = !loadsWhole && count * (size ?? 0) > LARGE_BYTES
  const isLong =
    drawn.length === 1 ? !loadsWhole && count > maxPoints : drawn.some(d => (extents[d] ?? 0) > maxSide)
  if (!isHeavy && (isTable || !isLong)) return undefined
  if (size === undefined && type.class !== 'H5T_COMPOUND') return undefined
  const kept = drawn.length > 2 ? sidesOf(extents, drawn) : drawn
  return {
    dataset,
    select: extents.map((_, d) => (kept.includes(d) ? undefined : ((select?.[d] ?? 0) as number))),
    shape: size === undefined ? undefined : kept.length === 1 ? 'line' : 'image',
  }
}

/** Rows and columns: before the colours, if there are some. */
function sidesOf(extents: readonly number[], drawn: readonly number[]): readonly number[] {
  const last = drawn.at(-1) ?? 0
  return (extents[last] ?? 0) <= MAX_COLOURS ? drawn.slice(-3, -1) : drawn.slice(-2)
}

/** The dimensions that are drawn. */
export function drawnDimensions({ select }: LargePart): readonly number[] {
  return select.flatMap((part, d) => (part === undefined ? [d] : []))
}

/** The number of elements along each dimension that become one. */
export function blockSizes({ dataset: { shape = [] }, select, shape: form }: LargePart): readonly number[] {
  const most = form === 'line' ? LINE_EXTENT : IMAGE_EXTENT
  return shape.map((extent, d) => (select[d] === undefined ? Math.ceil(extent / most) : 1))
}

export function bytesOf({ dataset: { type, shape = [] }, select }: LargePart): number {
  return productOf(selectedShape(shape, select)) * (numberForm(type)?.size ?? 0)
}
