// Dataspaces: null, scalar, simple. Extents are whole numbers up to 2^53 - 1.

import { HyperslabError } from '../errors.ts'

export const UNLIMITED = 'H5S_UNLIMITED'
export type MaximumExtent = number | typeof UNLIMITED

export interface SimpleDataspace {
  readonly class: 'H5S_SIMPLE'
  readonly dims: readonly number[]
  /** Present only when given at creation: the dataset can be resized. Same rank as `dims`. */
  readonly maxdims?: readonly MaximumExtent[]
}

export type Dataspace = { readonly class: 'H5S_NULL' } | { readonly class: 'H5S_SCALAR' } | SimpleDataspace

/** HDF5's own limit (H5S_MAX_RANK). */
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
  let result = 1
  for (const number of numbers) result *= number
  if (result > Number.MAX_SAFE_INTEGER) {
    throw new HyperslabError(
      'malformed-shape',
      `the shape [${numbers.join(', ')}] has more than 2^53 elements`,
    )
  }
  return result
}
