// Dataset creation properties: what was given, kept word for word, and what follows from it for storage
// (contract 10, section 16). Members that no rule here names are kept and have no effect.

import { HyperslabError } from '../errors.ts'
import { chunkItemSize, storedChunkDims } from './chunk-shape.ts'
import type { Dataspace, SimpleDataspace } from './dataspace.ts'
import { isExtensible, UNLIMITED } from './dataspace.ts'
import type { Datatype } from './datatype/datatype.ts'
import { isVariableSize } from './datatype/layout.ts'
import type { JsonObject, JsonValue } from './json.ts'
import { excerpt, isJsonList, isJsonObject } from './json.ts'
import type { Elements } from './values/elements.ts'
import { elementsFromJson } from './values/json-tree.ts'
import type { ReferenceSyntax } from './values/references.ts'
import { PREFIXED_REFERENCES } from './values/references.ts'

/** A filter of the pipeline, as the model knows it; `json` keeps every member that was given. */
export interface Filter {
  readonly id: number
  readonly json: JsonObject
}

type Layout = (typeof LAYOUTS)[number]

export interface CreationProperties {
  /** The object to report: as given, with the additions of contract 10, 16.2, or what is in effect if nothing was given. */
  readonly json: JsonObject
  /** True when the object given was not empty. */
  readonly given: boolean
  readonly layout: Layout
  /** The chunk shape that values are stored in, whatever the layout says; empty for a scalar, absent for a null dataspace. */
  readonly chunkDims?: readonly number[]
  readonly filters: readonly Filter[]
  /** One element in storage form; absent: all bytes zero. */
  readonly fillValue?: Elements
}

const LAYOUTS = ['H5D_CHUNKED', 'H5D_CONTIGUOUS', 'H5D_COMPACT'] as const

/** Most bytes of a chunk: it is read and written as a whole (contract 35, 7.2). */
const MAX_CHUNK_BYTES = 128 * 2 ** 20

const FILTER_CLASSES: ReadonlyMap<number, string> = new Map([
  [1, 'H5Z_FILTER_DEFLATE'],
  [2, 'H5Z_FILTER_SHUFFLE'],
  [3, 'H5Z_FILTER_FLETCHER32'],
  [4, 'H5Z_FILTER_SZIP'],
  [5, 'H5Z_FILTER_NBIT'],
  [6, 'H5Z_FILTER_SCALEOFFSET'],
  [32000, 'H5Z_FILTER_LZF'],
])
const SZIP_CODINGS: readonly JsonValue[] = ['H5_SZIP_EC_OPTION_MASK', 'H5_SZIP_NN_OPTION_MASK']

/** Of the dataset to be, with its type and dataspace; `references` tells how a fill value spells object references. */
export function parseCreationProperties(
  json: JsonValue | undefined,
  type: Datatype,
  space: Dataspace,
  references: ReferenceSyntax = PREFIXED_REFERENCES,
): CreationProperties {
  if (json !== undefined && !isJsonObject(json)) {
    throw malformed(`creationProperties must be an object, not ${excerpt(json)}`)
  }
  const given: JsonObject = json ?? new Map()
  const filters = parseFilters(given.get('filters'), space)
  const asked = parseLayout(given.get('layout'), type, space)
  const layout =
    asked?.class ?? (filters.length > 0 || isExtensible(space) ? 'H5D_CHUNKED' : 'H5D_CONTIGUOUS')
  const chunkDims = asked?.dims ?? automaticChunkDims(type, space)
  const fillValue = parseFillValue(given.get('fillValue'), type, references)
  return {
    json:
      given.size > 0
        ? reportGiven(given, filters, layout, chunkDims)
        : reportEffective(type, layout, chunkDims),
    given: given.size > 0,
    layout,
    ...(chunkDims && { chunkDims }),
    filters,
    ...(fillValue && { fillValue }),
  }
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

function parseLayout(
  json: JsonValue | undefined,
  type: Datatype,
  space: Dataspace,
): { readonly class: Layout; readonly dims?: readonly number[] } | undefined {
  if (json === undefined) return undefined
  if (!isJsonObject(json)) throw malformed(`layout must be an object with a "class", not ${excerpt(json)}`)
  const layout = LAYOUTS.find(name => name === json.get('class'))
  if (layout === undefined) {
    throw malformed(
      `layout.class must be one of ${LAYOUTS.join(', ')}, not ${excerpt(json.get('class') ?? null)}`,
    )
  }
  const dims = json.get('dims')
  if (layout === 'H5D_CHUNKED') {
    if (space.class !== 'H5S_SIMPLE') throw malformed(`a dataspace of class ${space.class} has no chunks`)
    return { class: layout, dims: parseChunkDims(dims, type, space) }
  }
  if (dims !== undefined) throw malformed(`a layout of class ${layout} has no dims`)
  if (isExtensible(space)) throw malformed(`a dataset that can grow cannot have the layout ${layout}`)
  return { class: layout }
}

/** A chunk fits into what its dataset can become (HDF5: H5Pset_chunk, H5Dcreate). */
function parseChunkDims(
  json: JsonValue | undefined,
  type: Datatype,
  space: SimpleDataspace,
): readonly number[] {
  const { dims, maxdims } = space
  if (!isJsonList(json) || json.length !== dims.length || !json.every(isPositive)) {
    throw malformed(`layout.dims must be ${dims.length} positive integers, not ${excerpt(json ?? null)}`)
  }
  for (const [d, extent] of json.entries()) {
    const maximum = maxdims?.[d] ?? dims[d]
    if (maximum !== UNLIMITED && extent > maximum) {
      throw malformed(
        `layout.dims[${d}] is ${extent}, more than the ${maximum} that the dataset can have there`,
      )
    }
  }
  const bytes = json.reduce((size, extent) => size * extent, chunkItemSize(type))
  if (bytes > MAX_CHUNK_BYTES) {
    throw malformed(`chunks of shape ${excerpt(json)} take ${bytes} bytes, more than ${MAX_CHUNK_BYTES}`)
  }
  return json
}

function parseFilters(json: JsonValue | undefined, space: Dataspace): readonly Filter[] {
  if (json === undefined) return []
  if (!isJsonList(json)) throw malformed(`filters must be a list, not ${excerpt(json)}`)
  if (json.length > 0 && space.class !== 'H5S_SIMPLE') {
    throw malformed(`a dataset with a dataspace of class ${space.class} has no filters`)
  }
  return json.map(parseFilter)
}

function parseFilter(json: JsonValue, index: number): Filter {
  const path = `filters[${index}]`
  const id = isJsonObject(json) ? json.get('id') : undefined
  if (!isJsonObject(json) || !isWhole(id)) {
    throw malformed(`${path} must be an object with an integer "id", not ${excerpt(json)}`)
  }
  checkOptions(id, json, path)
  const name = FILTER_CLASSES.get(id) ?? 'H5Z_FILTER_USER'
  return { id, json: json.has('class') ? json : new Map([...json, ['class', name]]) }
}

function checkOptions(id: number, filter: JsonObject, path: string): void {
  const level = filter.get('level')
  if (id === 1 && level !== undefined && !(isWhole(level) && level <= 9)) {
    throw malformed(`${path}.level must be an integer from 0 to 9, not ${excerpt(level)}`)
  }
  const coding = filter.get('coding')
  if (id === 4 && coding !== undefined && !SZIP_CODINGS.includes(coding)) {
    throw malformed(`${path}.coding must be one of ${SZIP_CODINGS.join(', ')}, not ${excerpt(coding)}`)
  }
  if (id === 6 && filter.get('scaleOffset') === undefined) throw malformed(`${path} needs a "scaleOffset"`)
}

/** `null` is the default: all bytes zero. */
function parseFillValue(
  json: JsonValue | undefined,
  type: Datatype,
  references: ReferenceSyntax,
): Elements | undefined {
  if (json === undefined || json === null) return undefined
  try {
    return elementsFromJson(type, [], json, references)
  } catch (error) {
    if (!(error instanceof HyperslabError)) throw error
    throw malformed(`fillValue: ${error.message}`, error)
  }
}

/** As given, with the class of each filter and the layout that filters or growing extents ask for. */
function reportGiven(
  given: JsonObject,
  filters: readonly Filter[],
  layout: Layout,
  chunkDims: readonly number[] | undefined,
): JsonObject {
  const json = new Map(given)
  if (given.has('filters'))
    json.set(
      'filters',
      filters.map(filter => filter.json),
    )
  if (!given.has('layout') && layout === 'H5D_CHUNKED') json.set('layout', layoutJson(layout, chunkDims))
  return json
}

/** What HDF5 does when it is told nothing. */
function reportEffective(
  type: Datatype,
  layout: Layout,
  chunkDims: readonly number[] | undefined,
): JsonObject {
  const isChunked = layout === 'H5D_CHUNKED'
  const isFilledAtOnce = isChunked || isVariableSize(type)
  return new Map<string, JsonValue>([
    ['allocTime', isChunked ? 'H5D_ALLOC_TIME_INCR' : 'H5D_ALLOC_TIME_LATE'],
    ['fillTime', isFilledAtOnce ? 'H5D_FILL_TIME_ALLOC' : 'H5D_FILL_TIME_IFSET'],
    ['layout', layoutJson(layout, isChunked ? chunkDims : undefined)],
  ])
}

function layoutJson(layout: Layout, dims: readonly number[] | undefined): JsonObject {
  const json = new Map<string, JsonValue>([['class', layout]])
  return dims === undefined ? json : json.set('dims', dims)
}

function isWhole(json: JsonValue | undefined): json is number {
  return Number.isSafeInteger(json) && Number(json) >= 0
}

function isPositive(json: JsonValue): json is number {
  return isWhole(json) && json > 0
}

function malformed(message: string, cause?: unknown): HyperslabError {
  return new HyperslabError('malformed-creation-properties', message, { cause })
}
