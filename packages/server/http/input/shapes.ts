// Shapes of datasets and attributes in requests.

import {
  type Dataspace,
  MAX_RANK,
  type MaximumExtent,
  malformedShape,
  product,
  UNLIMITED,
} from '@hyperslab/model/dataset'
import {
  excerpt,
  isJsonList,
  isJsonObject,
  isWhole,
  type JsonObject,
  type JsonValue,
} from '@hyperslab/model/json'

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
