// Dataspaces: null, scalar, simple. Extents are whole numbers up to 2^53 - 1.

import { HyperslabError } from '@hyperslab/base/errors'
import type { JsonObject, JsonValue } from '../json/json.ts'
import { excerpt, isJsonList, isJsonObject, isWhole } from '../json/json.ts'

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

/**
 * The dataspace of `shape` and `maxdims` of a request (classic 7.2): nothing or an empty list is a scalar,
 * an integer is one dimension.
 */
export function parseShape(shape: JsonValue | undefined, maxdims: JsonValue | undefined): Dataspace {
  if (shape === undefined) return spaceOf([], maxdims)
  if (shape !== 'H5S_NULL') return spaceOf(parseDims(shape), maxdims)
  if (maxdims !== undefined) throw malformedShape('a null dataspace cannot have maxdims')
  return { class: 'H5S_NULL' }
}

/**
 * Parses a dataspace whose shape may also be the string `H5S_SCALAR`, or an object with `class`, `dims` and `maxdims`
 * (hsds-objects 15).
 */
export function parseAnyShape(shape: JsonValue | undefined, maxdims: JsonValue | undefined): Dataspace {
  if (isJsonObject(shape)) return parseShapeObject(shape, maxdims)
  return parseShape(shape === 'H5S_SCALAR' ? undefined : shape, maxdims)
}

function parseShapeObject(shape: JsonObject, outerMaxdims: JsonValue | undefined): Dataspace {
  const name = shape.get('class')
  const dims = shape.get('dims')
  const maxdims = outerMaxdims ?? shape.get('maxdims')
  if (name === 'H5S_SIMPLE') {
    if (!isJsonList(dims))
      throw malformedShape(`a shape of class H5S_SIMPLE needs a list "dims", not ${excerpt(dims ?? null)}`)
    return spaceOf(parseDims(dims), maxdims)
  }
  if (name !== 'H5S_NULL' && name !== 'H5S_SCALAR') {
    throw malformedShape(
      `the class of a shape must be H5S_NULL, H5S_SCALAR or H5S_SIMPLE, not ${excerpt(name ?? null)}`,
    )
  }
  if (dims !== undefined) throw malformedShape(`a shape of class ${name} cannot have "dims"`)
  return parseAnyShape(name, maxdims)
}

function spaceOf(dims: readonly number[], maxdims: JsonValue | undefined): Dataspace {
  const maxima = maxdims === undefined ? undefined : parseMaxdims(maxdims, dims)
  if (dims.length === 0) return { class: 'H5S_SCALAR' }
  return maxima === undefined ? { class: 'H5S_SIMPLE', dims } : { class: 'H5S_SIMPLE', dims, maxdims: maxima }
}

function parseDims(json: JsonValue): readonly number[] {
  const items = isJsonList(json) ? json : [json]
  if (items.length > MAX_RANK)
    throw malformedShape(`a shape must have at most ${MAX_RANK} dimensions, not ${items.length}`)
  const dims = items.map(item => {
    if (!isWhole(item)) {
      throw malformedShape(
        `the shape ${excerpt(json)} is malformed: an extent must be a whole number from 0 to 2^53 - 1, not ` +
          `${excerpt(item)}`,
      )
    }
    // Adding 0 turns -0 into 0.
    return item + 0
  })
  product(dims)
  return dims
}

/** 0 and "H5S_UNLIMITED" are without bound (hsds-values 3.3). */
function parseMaxdims(json: JsonValue, dims: readonly number[]): readonly MaximumExtent[] {
  const items = isJsonList(json) ? json : [json]
  if (items.length !== dims.length) {
    throw malformedShape(
      `maxdims ${excerpt(json)} must have one entry for each of the ${dims.length} dimensions`,
    )
  }
  return items.map((item, dimension) => {
    if (item === UNLIMITED || item === 0) return UNLIMITED
    const extent = dims[dimension]
    if (!isWhole(item) || item < extent) {
      throw malformedShape(
        `entry ${dimension} of maxdims must be 0 (unlimited) or a whole number of at least the extent ` +
          `${extent}, not ${excerpt(item)}`,
      )
    }
    return item
  })
}

function malformedShape(message: string): HyperslabError {
  return new HyperslabError('malformed-shape', message)
}
