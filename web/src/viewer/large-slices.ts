// Which slices are too large for the viewer to load whole, and how they are brought down.

import { numberForm, productOf } from '../../../client/datatype.ts'
import type { DatasetShape, Selection } from '../../../client/index.ts'
import { selectedShape } from '../../../client/selection.ts'

/** Bytes. h5web draws some 100 MB a second. */
const LARGE_SLICE = 2 ** 27

/** Elements of an image along each dimension. */
const IMAGE_EXTENT = 1000

/** Of the last two dimensions: what the viewer draws at a time. */
export function sliceBytes({ type, shape = [] }: DatasetShape): number {
  const [rows = 1, columns = 1] = shape.slice(-2)
  return rows * columns * (numberForm(type)?.size ?? 0)
}

/** Whether the slices of a dataset are images of numbers, and large. */
export function hasLargeSlices(dataset: DatasetShape): boolean {
  return (dataset.shape?.length ?? 0) >= 2 && sliceBytes(dataset) > LARGE_SLICE
}

/** Whether a selection of such a dataset is too large itself; lines through it are not. */
export function isLarge(dataset: DatasetShape, select: Selection | undefined): boolean {
  const { shape = [], type } = dataset
  const count = productOf(selectedShape(shape, select))
  return hasLargeSlices(dataset) && count * (numberForm(type)?.size ?? 0) > LARGE_SLICE
}

/** How many elements along each dimension become one. */
export function blockSizes(extents: readonly number[]): readonly number[] {
  return extents.map((extent, i) => (i < extents.length - 2 ? 1 : Math.ceil(extent / IMAGE_EXTENT)))
}
