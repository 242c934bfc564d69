// The layout of a dataset's creation properties: the layouts that a request can choose, and the chunks that follow from
// it. A reference layout means that the values are in files elsewhere.

import type { Datatype } from '../datatype/datatype.ts'
import { elementSize, isVariableSize } from '../datatype/layout.ts'
import type { JsonObject, JsonValue } from '../json/json.ts'
import { excerpt, isJsonList, isJsonObject, isPositive, isWhole } from '../json/json.ts'
import { chunkBytes, chunkItemSize, referenceChunkDims, storedChunkDims } from './chunk-shape.ts'
import { malformedCreationProperties } from './creation-properties-error.ts'
import type { Dataspace, SimpleDataspace } from './dataspace.ts'
import { elementCount, isExtensible, UNLIMITED } from './dataspace.ts'

const LAYOUTS = ['H5D_CHUNKED', 'H5D_CONTIGUOUS', 'H5D_COMPACT'] as const
const REFERENCE_LAYOUTS = ['H5D_CONTIGUOUS_REF', 'H5D_CHUNKED_REF', 'H5D_CHUNKED_REF_INDIRECT'] as const

export type ReferenceLayout = (typeof REFERENCE_LAYOUTS)[number]
export type Layout = (typeof LAYOUTS)[number] | ReferenceLayout

/** The most bytes of a chunk, which is read and written as a whole (hsds-values 3.4). @limit memory, bytes */
const MAX_CHUNK_BYTES = 128 * 2 ** 20
/** The most bytes of contiguous values, if they are limited (hsds-values 3.4). @limit memory, bytes */
const MAX_CONTIGUOUS_BYTES = 128 * 2 ** 20
/**
 * Bytes of compact values: they are in the header of the dataset, whose messages are no larger (HDF5: H5Pset_layout).
 * @limit format, bytes
 */
const MAX_COMPACT_BYTES = 64 * 2 ** 10

export interface LayoutRules {
  /** The chunk shape given is brought between 1 and 4 MiB (hsds-values 16) unless it is `exact`, or stays. */
  readonly adjustsChunks: boolean
  /** Contiguous values of more than 128 MiB are refused. */
  readonly limitsContiguous: boolean
  /** The values may be in files elsewhere. */
  readonly referenceLayouts: boolean
}

export interface DatasetLayout {
  readonly class: Layout
  /**
   * The chunk dimensions of the stored values, whatever the class says; empty for a scalar, absent for a null
   * dataspace.
   */
  readonly chunkDims?: readonly number[]
}

/** Bytes of all elements that the dataspace has, stored or not; of elements of variable size only their slots. */
export function logicalBytes({
  type,
  space,
}: {
  readonly type: Datatype
  readonly space: Dataspace
}): number {
  return Math.min(elementCount(space) * elementSize(type), Number.MAX_SAFE_INTEGER)
}

export function isReferenceLayout(layout: Layout): layout is ReferenceLayout {
  return REFERENCE_LAYOUTS.some(name => name === layout)
}

/**
 * The layout of a request; undefined: it has none. With `isComputed`, chunks that were never written are not stored, so
 * they may be of any size.
 */
export function parseLayout(
  json: JsonValue | undefined,
  type: Datatype,
  space: Dataspace,
  rules: LayoutRules,
  isComputed: boolean,
): DatasetLayout | undefined {
  if (json === undefined) return undefined
  if (!isJsonObject(json))
    throw malformedCreationProperties(`layout must be an object with a "class", not ${excerpt(json)}`)
  const layouts = rules.referenceLayouts ? [...LAYOUTS, ...REFERENCE_LAYOUTS] : LAYOUTS
  const layout = layouts.find(name => name === json.get('class'))
  if (layout === undefined) {
    throw malformedCreationProperties(
      `layout.class must be one of ${layouts.join(', ')}, not ${excerpt(json.get('class') ?? null)}`,
    )
  }
  if (layout === 'H5D_CHUNKED') {
    const dims = parseChunkDims(json.get('dims'), space)
    if (!isComputed) checkBytes('a chunk', chunkBytes(dims, chunkItemSize(type)), MAX_CHUNK_BYTES)
    const isAdjusted = rules.adjustsChunks && !isExact(json.get('exact'))
    const chunkDims = isAdjusted ? storedChunkDims(simple(space), chunkItemSize(type), dims) : dims
    return { class: layout, chunkDims }
  }
  if (isReferenceLayout(layout))
    return { class: layout, chunkDims: parseReference(layout, json, type, space) }
  refuseDims(layout, json)
  if (isExtensible(space))
    throw malformedCreationProperties(`a dataset that can grow cannot have the layout ${layout}`)
  const bytes = elementCount(space) * elementSize(type)
  if (layout === 'H5D_COMPACT') checkBytes('a compact dataset', bytes, MAX_COMPACT_BYTES)
  else if (rules.limitsContiguous) checkBytes('a contiguous dataset', bytes, MAX_CONTIGUOUS_BYTES)
  return withChunks(layout, automaticChunkDims(type, space))
}

/** The chunks of a dataset whose creation properties have no layout. */
export function automaticLayout(layout: Layout, type: Datatype, space: Dataspace): DatasetLayout {
  return withChunks(layout, automaticChunkDims(type, space))
}

function withChunks(layout: Layout, chunkDims: readonly number[] | undefined): DatasetLayout {
  return { class: layout, ...(chunkDims && { chunkDims }) }
}

function automaticChunkDims(type: Datatype, space: Dataspace): readonly number[] | undefined {
  switch (space.class) {
    case 'H5S_NULL':
      return undefined
    case 'H5S_SCALAR':
      return []
    case 'H5S_SIMPLE':
      return storedChunkDims(space, chunkItemSize(type))
  }
}

/** The member `exact`: true keeps the chunk shape as it is given (hsds-values 16). */
function isExact(json: JsonValue = false): boolean {
  if (typeof json === 'boolean') return json
  throw malformedCreationProperties(`layout.exact must be true or false, not ${excerpt(json)}`)
}

/** The chunk shape, which must fit into the maximum extents of its dataset (HDF5: H5Pset_chunk, H5Dcreate). */
function parseChunkDims(json: JsonValue | undefined, space: Dataspace): readonly number[] {
  const { dims, maxdims } = simple(space)
  if (!isJsonList(json) || json.length !== dims.length || !json.every(isPositive)) {
    throw malformedCreationProperties(
      `layout.dims must be ${dims.length} positive integers, not ${excerpt(json ?? null)}`,
    )
  }
  for (const [d, extent] of json.entries()) {
    const maximum = maxdims?.[d] ?? dims[d]
    if (maximum !== UNLIMITED && extent > maximum) {
      throw malformedCreationProperties(
        `layout.dims[${d}] is ${extent}, which must be at most the maximum extent ${maximum}`,
      )
    }
  }
  return json
}

/**
 * Checks the members of a reference layout; returns the chunks with which it is shown (hsds-values 3.4, 3.5 and 18).
 */
function parseReference(
  layout: ReferenceLayout,
  json: JsonObject,
  type: Datatype,
  space: Dataspace,
): readonly number[] {
  if (isVariableSize(type))
    throw malformedCreationProperties(`a type of variable size cannot have the layout ${layout}`)
  const extents = simple(space)
  switch (layout) {
    case 'H5D_CONTIGUOUS_REF':
      refuseDims(layout, json)
      requireText(json, 'file_uri')
      for (const name of ['offset', 'size']) {
        const value = json.get(name)
        if (!isWhole(value))
          throw malformedCreationProperties(
            `layout.${name} must be a whole number, not ${excerpt(value ?? null)}`,
          )
      }
      return referenceChunkDims(extents.dims, elementSize(type))
    case 'H5D_CHUNKED_REF':
      requireText(json, 'file_uri')
      checkChunkMap(json.get('chunks'), extents.dims.length)
      return parseChunkDims(json.get('dims'), space)
    case 'H5D_CHUNKED_REF_INDIRECT': {
      requireText(json, 'chunk_table')
      if (json.has('file_uri')) requireText(json, 'file_uri')
      const dims = parseChunkDims(json.get('dims'), space)
      checkHyperDims(json.get('hyper_dims'), dims)
      return dims
    }
  }
}

/** `{"0_1": [offset, size], ...}`: where each chunk is. */
function checkChunkMap(json: JsonValue | undefined, rank: number): void {
  if (!isJsonObject(json))
    throw malformedCreationProperties(`layout.chunks must be an object, not ${excerpt(json ?? null)}`)
  for (const [name, location] of json) {
    const isKey = /^\d+(_\d+)*$/.test(name) && name.split('_').length === rank
    if (!isKey || !isJsonList(location) || location.length !== 2 || !location.every(isWhole)) {
      throw malformedCreationProperties(
        `layout.chunks maps ${rank} numbers joined by "_" to [offset, size], not ${excerpt(name)} to ` +
          `${excerpt(location)}`,
      )
    }
  }
}

/** The chunks of the file, of which a chunk here holds a whole number. */
function checkHyperDims(json: JsonValue | undefined, dims: readonly number[]): void {
  if (json === undefined) return
  const divides =
    isJsonList(json) &&
    json.length === dims.length &&
    json.every((extent, d) => isPositive(extent) && dims[d] % extent === 0)
  if (!divides)
    throw malformedCreationProperties(`layout.hyper_dims must divide layout.dims, not ${excerpt(json)}`)
}

function requireText(json: JsonObject, name: string): void {
  const value = json.get(name)
  if (typeof value !== 'string' || value === '') {
    throw malformedCreationProperties(
      `layout.${name} must be a string that is not empty, not ${excerpt(value ?? null)}`,
    )
  }
}

function refuseDims(layout: Layout, json: JsonObject): void {
  if (json.has('dims'))
    throw malformedCreationProperties(`a layout of class ${layout} has no chunks: leave out "dims"`)
}

function simple(space: Dataspace): SimpleDataspace {
  if (space.class === 'H5S_SIMPLE') return space
  throw malformedCreationProperties(`a dataspace of class ${space.class} has no chunks`)
}

function checkBytes(subject: string, bytes: number, most: number): void {
  if (bytes > most)
    throw malformedCreationProperties(`${subject} must have at most ${most} bytes, it has ${bytes}`)
}
