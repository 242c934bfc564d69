// Dataset creation properties: those of a request, kept unchanged, and their consequences for storage (classic 16;
// hsds-values 3.4, 15 to 18). Members that no rule here names are kept and have no effect.

import { HyperslabError } from '@hyperslab/base/errors'
import type { Datatype } from '../datatype/datatype.ts'
import { isVariableSize } from '../datatype/layout.ts'
import { excerpt, isJsonObject, type JsonObject, type JsonValue } from '../json/json.ts'
import { type Elements, requireHeldElements } from '../values/elements.ts'
import { PREFIXED_REFERENCES, type ReferenceSyntax } from '../values/references.ts'
import { malformedCreationProperties } from './creation-properties-error.ts'
import {
  automaticLayout,
  type DatasetLayout,
  type Layout,
  type LayoutRules,
  parseLayout,
} from './dataset-layout.ts'
import { type Dataspace, isExtensible } from './dataspace.ts'
import { parseAnyFillValue, parseFillValue } from './fill-value.ts'
import { type Filter, parseAnyFilters, parseFilters } from './filter-list.ts'
import { type Arange, parseArange } from './initializer.ts'

export interface CreationProperties {
  /**
   * The object to report: that of the request with the additions of classic 16.2, or the properties in effect if the
   * request had none.
   */
  readonly json: JsonObject
  /** True when the object given was not empty. */
  readonly given: boolean
  readonly layout: Layout
  /**
   * The chunk shape that values are stored in, whatever the class of the layout; empty for a scalar, absent for a null
   * dataspace.
   */
  readonly chunkDims?: readonly number[]
  readonly filters: readonly Filter[]
  /** One element in storage form; absent: all bytes zero. */
  readonly fillValue?: Elements
  /** The elements of a chunk that was never written; absent: the fill value. */
  readonly initializer?: Arange
}

/** The rules in which the two APIs differ. */
export interface CreationRules extends LayoutRules {
  /** The spelling of object references in a fill value. */
  readonly references: ReferenceSyntax
  /** Filters in any spelling that must be known (hsds-values 18), or those of HDF5/JSON. */
  readonly filterSpelling: 'any' | 'hdf5-json'
  /** Fill values in several forms (hsds-values 15), or in that of HDF5/JSON. */
  readonly fillValueForms: 'several' | 'hdf5-json'
  /** An initializer may give the first values; or it has no effect. */
  readonly initializers: boolean
  /** A contiguous dataset may have filters: it is stored in chunks all the same. */
  readonly contiguousFilters: boolean
  /** A compact dataset, or one whose values are in another file, may have filters, too. */
  readonly compactFilters: boolean
}

/** The rules of HDF5/JSON (classic 16). */
export const HDF5_JSON: CreationRules = {
  references: PREFIXED_REFERENCES,
  filterSpelling: 'hdf5-json',
  fillValueForms: 'hdf5-json',
  initializers: false,
  contiguousFilters: true,
  compactFilters: true,
  adjustsChunks: false,
  limitsContiguous: false,
  referenceLayouts: false,
}

/** Parses the creation properties of a new dataset with this type and dataspace. */
export function parseCreationProperties(
  json: JsonValue | undefined,
  type: Datatype,
  space: Dataspace,
  rules: CreationRules = HDF5_JSON,
): CreationProperties {
  if (json !== undefined && !isJsonObject(json)) {
    throw malformedCreationProperties(`creationProperties must be an object, not ${excerpt(json)}`)
  }
  const properties: JsonObject = json ?? new Map()
  const filters =
    rules.filterSpelling === 'any'
      ? parseAnyFilters(properties.get('filters'), space)
      : parseFilters(properties.get('filters'), space)
  const initializer = rules.initializers ? parseArange(properties, type, space) : undefined
  const chosen = parseLayout(properties.get('layout'), type, space, rules, initializer !== undefined)
  if (chosen && filters.length > 0) requireFilterable(chosen.class, rules)
  const isChunked = filters.length > 0 || isExtensible(space)
  const layout = chosen ?? automaticLayout(isChunked ? 'H5D_CHUNKED' : 'H5D_CONTIGUOUS', type, space)
  if ((properties.get('fillValue') ?? null) !== null) requireHeldElements(type)
  const fillValue =
    rules.fillValueForms === 'several'
      ? parseAnyFillValue(properties, type, rules.references)
      : parseFillValue(properties.get('fillValue'), type, rules.references)
  return {
    json: properties.size > 0 ? reportGiven(properties, filters, layout) : reportEffective(type, layout),
    given: properties.size > 0,
    layout: layout.class,
    ...(layout.chunkDims && { chunkDims: layout.chunkDims }),
    filters,
    ...(fillValue && { fillValue }),
    ...(initializer && { initializer }),
  }
}

/** hsds-values 17 and 3.4. */
function requireFilterable(layout: Layout, { compactFilters, contiguousFilters }: CreationRules): void {
  const isRefused =
    layout === 'H5D_CONTIGUOUS'
      ? !contiguousFilters
      : !compactFilters && (layout === 'H5D_COMPACT' || layout === 'H5D_CONTIGUOUS_REF')
  if (isRefused)
    throw malformedCreationProperties(
      `a dataset with the layout ${layout} cannot have filters: use the layout H5D_CHUNKED`,
    )
}

/**
 * The properties of a file, reported as a client gave them to h5serv, with the additions of classic 16.2. Values are
 * stored as the file says; filters and a fill value that no request can give are reported as the file has them.
 */
export function withGivenProperties(
  ofFile: CreationProperties,
  given: JsonObject,
  type: Datatype,
  space: Dataspace,
): CreationProperties {
  const json = new Map(given)
  const keepIfValid = (name: string, parse: (json: JsonValue) => JsonValue) => {
    const value = json.get(name)
    if (value === undefined) return
    const reported = unlessRefused(() => parse(value)) ?? ofFile.json.get(name)
    if (reported === undefined) json.delete(name)
    else json.set(name, reported)
  }
  keepIfValid('filters', filters => parseFilters(filters, space).map(filter => filter.json))
  keepIfValid('fillValue', fillValue => {
    parseFillValue(fillValue, type, PREFIXED_REFERENCES)
    return fillValue
  })
  const { layout, chunkDims } = ofFile
  if (layout === 'H5D_CHUNKED' && !json.has('layout'))
    json.set('layout', layoutJson({ class: layout, ...(chunkDims && { chunkDims }) }))
  return { ...ofFile, json, given: true }
}

/** Undefined: the creation properties break a rule. */
function unlessRefused<T>(parse: () => T): T | undefined {
  try {
    return parse()
  } catch (error) {
    if (error instanceof HyperslabError) return undefined
    throw error
  }
}

/** The properties of the request, with the class of each filter and the layout that filters or growing extents need. */
function reportGiven(properties: JsonObject, filters: readonly Filter[], layout: DatasetLayout): JsonObject {
  const isComplete = properties.has('layout') || layout.class !== 'H5D_CHUNKED'
  if (isComplete && !properties.has('filters')) return properties
  const json = new Map(properties)
  if (properties.has('filters'))
    json.set(
      'filters',
      filters.map(filter => filter.json),
    )
  if (!isComplete) json.set('layout', layoutJson(layout))
  return json
}

/** The defaults of HDF5. */
function reportEffective(type: Datatype, layout: DatasetLayout): JsonObject {
  const isChunked = layout.class === 'H5D_CHUNKED'
  const isFilledAtOnce = isChunked || isVariableSize(type)
  return new Map<string, JsonValue>([
    ['allocTime', isChunked ? 'H5D_ALLOC_TIME_INCR' : 'H5D_ALLOC_TIME_LATE'],
    ['fillTime', isFilledAtOnce ? 'H5D_FILL_TIME_ALLOC' : 'H5D_FILL_TIME_IFSET'],
    ['layout', isChunked ? layoutJson(layout) : new Map([['class', layout.class]])],
  ])
}

function layoutJson({ class: name, chunkDims }: DatasetLayout): JsonObject {
  return new Map<string, JsonValue>([['class', name], ...(chunkDims ? [['dims', chunkDims] as const] : [])])
}
