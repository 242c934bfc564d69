// The filters of a dataset's creation properties: the ways to name one, and the one form in which answers have it. The
// code that applies them to bytes is in packages/h5/filters.

import type { HyperslabError } from '@hyperslab/base/errors'
import { excerpt, isJsonList, isJsonObject, isWhole, type JsonObject, type JsonValue } from '../json/json.ts'
import { malformedCreationProperties } from './creation-properties-error.ts'
import type { Dataspace } from './dataspace.ts'

/** A filter of the pipeline, as the model knows it; `json` keeps every member of the request. */
export interface Filter {
  readonly id: number
  readonly json: JsonObject
  /** The name that a client of the hsds dialect gave; absent: they look it up by the name in the table below. */
  readonly name?: string
}

interface KnownFilter {
  readonly id: number
  readonly class: string
  readonly name: string
}

/** Filters that have a class of their own in HDF5/JSON (classic 16.1). */
const HDF5_FILTERS: readonly KnownFilter[] = [
  { id: 1, class: 'H5Z_FILTER_DEFLATE', name: 'gzip' },
  { id: 2, class: 'H5Z_FILTER_SHUFFLE', name: 'shuffle' },
  { id: 3, class: 'H5Z_FILTER_FLETCHER32', name: 'fletcher32' },
  { id: 4, class: 'H5Z_FILTER_SZIP', name: 'szip' },
  { id: 5, class: 'H5Z_FILTER_NBIT', name: 'nbit' },
  { id: 6, class: 'H5Z_FILTER_SCALEOFFSET', name: 'scaleoffset' },
  { id: 32000, class: 'H5Z_FILTER_LZF', name: 'lzf' },
]

/** All filters, also those of the longer table only (hsds-values 17.1). */
const FILTERS: readonly KnownFilter[] = [
  ...HDF5_FILTERS,
  { id: 32001, class: 'H5Z_FILTER_BLOSC', name: 'blosclz' },
  { id: 32003, class: 'H5Z_FILTER_SNAPPY', name: 'snappy' },
  { id: 32004, class: 'H5Z_FILTER_LZ4', name: 'lz4' },
  { id: 32005, class: 'H5Z_FILTER_LZ4HC', name: 'lz4hc' },
  { id: 32008, class: 'H5Z_FILTER_BITSHUFFLE', name: 'bitshuffle' },
  { id: 32015, class: 'H5Z_FILTER_ZSTD', name: 'zstd' },
]

/** Known, but not available by name: there is no encoder for szip, and the table leaves out lzf (hsds-values 17.1). */
const UNAVAILABLE: readonly number[] = [4, 32000]

const AVAILABLE_NAMES = FILTERS.filter(({ id }) => !UNAVAILABLE.includes(id))
  .map(({ name }) => name)
  .join(', ')

const USER = 'H5Z_FILTER_USER'
const SZIP_CODINGS: readonly JsonValue[] = ['H5_SZIP_EC_OPTION_MASK', 'H5_SZIP_NN_OPTION_MASK']

/** The list in the form that names filters by id; unknown filters are kept (classic 16.1). */
export function parseFilters(json: JsonValue | undefined, space: Dataspace): readonly Filter[] {
  const items = requireList(json)
  if (items.length > 0 && space.class !== 'H5S_SIMPLE') throw noFilters(space)
  return items.map((item, index) => {
    const path = `filters[${index}]`
    const id = isJsonObject(item) ? item.get('id') : undefined
    if (!isJsonObject(item) || !isWhole(id)) {
      throw malformedCreationProperties(
        `${path} must be an object with an integer "id", not ${excerpt(item)}`,
      )
    }
    checkLevel(id, item, path)
    const coding = item.get('coding')
    if (id === 4 && coding !== undefined && !SZIP_CODINGS.includes(coding)) {
      throw malformedCreationProperties(
        `${path}.coding must be one of ${SZIP_CODINGS.join(', ')}, not ${excerpt(coding)}`,
      )
    }
    const scaleOffset = item.get('scaleOffset')
    if (id === 6 && !isWhole(scaleOffset)) {
      throw malformedCreationProperties(`${path} needs a "scaleOffset", a whole number`)
    }
    const name = HDF5_FILTERS.find(filter => filter.id === id)?.class ?? USER
    return { id, json: item.has('class') ? item : new Map([...item, ['class', name]]) }
  })
}

/**
 * The list in any spelling: numbers, names, classes, objects with one of them; each comes back with its class, id and
 * name, and must be one that the service applies (hsds-values 17.2 and 3.4).
 */
export function parseAnyFilters(json: JsonValue | undefined, space: Dataspace): readonly Filter[] {
  const items = requireList(json)
  if (items.length > 0 && space.class === 'H5S_NULL') throw noFilters(space)
  return items.map((item, index) => {
    const path = `filters[${index}]`
    const members: JsonObject = isJsonObject(item) ? item : new Map()
    const { id } = isJsonObject(item) ? findByMembers(item, path) : findKnown(item, path)
    checkLevel(id, members, path)
    const name = members.get('name')
    const named = { ...(typeof name === 'string' && { name }) }
    return { id, json: completed({ id, json: members, ...named }), ...named }
  })
}

/**
 * The filter with its class, id and name, also where the request left some out. The name is the one that clients of the
 * hsds dialect know; files and the other dialect call gzip "deflate" (hsds-values 17.2).
 */
export function completed({ id, json, name }: Filter): JsonObject {
  const entry = FILTERS.find(filter => filter.id === id)
  const report = new Map<string, JsonValue>(json)
  if (!report.has('class')) report.set('class', entry?.class ?? USER)
  report.set('id', id)
  const shown = name ?? entry?.name
  if (shown !== undefined) report.set('name', shown)
  return report
}

/**
 * Finds the filter by its class, unless the class only means that the filter is the user's own; then, and without a
 * class, by its id or name.
 */
function findByMembers(item: JsonObject, path: string): KnownFilter {
  const [name, id] = [item.get('class'), item.get('id')]
  if (name !== undefined && typeof name !== 'string') {
    throw malformedCreationProperties(`${path}.class must be a string, not ${excerpt(name)}`)
  }
  const key = name === undefined || name === USER ? (id ?? item.get('name')) : name
  if (key === undefined) throw malformedCreationProperties(`${path} needs a "class", an "id" or a "name"`)
  const entry = findKnown(key, path)
  if (id !== undefined && id !== entry.id) {
    throw malformedCreationProperties(
      `${path}.id is ${excerpt(id)}, but the class ${entry.class} has the id ${entry.id}`,
    )
  }
  return entry
}

/** Finds the filter by id, name or class. */
function findKnown(key: JsonValue, path: string): KnownFilter {
  const entry = FILTERS.find(({ id, name, class: className }) => {
    return key === id || key === className || key === name || (key === 'deflate' && name === 'gzip')
  })
  if (entry && !UNAVAILABLE.includes(entry.id)) return entry
  throw malformedCreationProperties(
    entry
      ? `${path}: the filter ${entry.name} is not available`
      : `${path} must be the number, the name or the class of one of ${AVAILABLE_NAMES}, not ${excerpt(key)}`,
  )
}

/** Deflate's own levels. */
function checkLevel(id: number, filter: JsonObject, path: string): void {
  const level = filter.get('level')
  if (id === 1 && level !== undefined && !(isWhole(level) && level <= 9)) {
    throw malformedCreationProperties(`${path}.level must be an integer from 0 to 9, not ${excerpt(level)}`)
  }
}

function requireList(json: JsonValue | undefined): readonly JsonValue[] {
  if (json === undefined) return []
  if (isJsonList(json)) return json
  throw malformedCreationProperties(`filters must be a list, not ${excerpt(json)}`)
}

function noFilters(space: Dataspace): HyperslabError {
  return malformedCreationProperties(`a dataset with a dataspace of class ${space.class} cannot have filters`)
}
