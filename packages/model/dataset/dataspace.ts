// Dataspaces: null, scalar, simple. Extents are whole numbers up to 2^53 - 1.

import { HyperslabError } from '@hyperslab/base/errors'

export const UNLIMITED = 'H5S_UNLIMITED'
export type MaximumExtent = number | typeof UNLIMITED

export interface SimpleDataspace {
  readonly class: 'H5S_SIMPLE'
  readonly dims: readonly number[]
  /**
   * The maximum extents, of the same rank as `dims`; present only if the creation request had them: then the dataset
   * can be resized.
   */
  readonly maxdims?: readonly MaximumExtent[]
}

export type Dataspace = { readonly class: 'H5S_NULL' } | { readonly class: 'H5S_SCALAR' } | SimpleDataspace

/** HDF5's own limit (H5S_MAX_RANK). @limit format, dimensions */
export const MAX_RANK = 32

/** The extents: none for a scalar. A null dataspace has no elements and no extents. */
export function extentsOf(space: Dataspace): readonly number[] {
  return space.class === 'H5S_SIMPLE' ? space.dims : []
}

/** Elements in the dataspace: 0 for null, 1 for scalar. Throws when the product is beyond 2^53. */
export function elementCount(space: Dataspace): number {
  return space.class === 'H5S_NULL' ? 0 : product(extentsOf(space))
}

/** The product of whole numbers, exact or an error: 1 for none. */
export function product(numbers: readonly number[]): number {
  if (numbers.includes(0)) return 0
  let result = 1
  for (const number of numbers) result *= number
  if (result > Number.MAX_SAFE_INTEGER) {
    throw malformedShape(`the shape [${numbers.join(', ')}] has more than 2^53 elements`)
  }
  return result
}

/** The coordinates of all elements of these extents, the last dimension first. */
export function* coordinatesWithin(dims: readonly number[]): Generator<readonly number[]> {
  if (dims.includes(0)) return
  const coordinates = dims.map(() => 0)
  for (;;) {
    yield [...coordinates]
    let d = dims.length - 1
    for (; d >= 0 && ++coordinates[d] === dims[d]; d--) coordinates[d] = 0
    if (d < 0) return
  }
}

/** True when some extent can grow. */
export function isExtensible(space: Dataspace): boolean {
  if (space.class !== 'H5S_SIMPLE') return false
  const { dims, maxdims } = space
  return maxdims?.some((maximum, dimension) => canGrow(dims[dimension], maximum)) ?? false
}

/** True when an extent may become larger under its maximum. */
function canGrow(extent: number, maximum: MaximumExtent | undefined): boolean {
  return maximum !== undefined && (maximum === UNLIMITED || maximum > extent)
}

export function malformedShape(message: string): HyperslabError {
  return new HyperslabError('malformed-shape', message)
}
