// Datatypes, dataspaces and creation properties as the hsds dialect shows them (hsds-objects 14 and 15; hsds-values 3.5
// and 4).

import { completed, type Dataspace, UNLIMITED } from '@hyperslab/model/dataset'
import { type CompoundField, type Datatype, formatDatatype } from '@hyperslab/model/datatype'
import {
  isJsonList,
  isJsonObject,
  type JsonObject,
  type JsonOutput,
  type JsonValue,
  type NonFinite,
} from '@hyperslab/model/json'
import { formatPrefixed, type ObjectId } from '@hyperslab/model/names'
import { integerOf } from '@hyperslab/model/values'
import type { Dataset } from '@hyperslab/store/store'
import type { Body } from '../dialect.ts'

/**
 * The full type object: every inner type is an object, an enum has its members twice (hsds-values 12.2), a
 * bitfield is an unsigned integer for clients.
 */
function presentType(type: Datatype): Body {
  switch (type.class) {
    case 'H5T_COMPOUND':
      return {
        class: type.class,
        fields: type.fields.map(field => ({ name: field.name, type: presentType(field.type) })),
      }
    case 'H5T_ARRAY':
      return { class: type.class, dims: type.dims, base: presentType(type.base) }
    case 'H5T_VLEN':
      return { class: type.class, base: presentType(type.base), size: 'H5T_VARIABLE' }
    case 'H5T_ENUM':
      return {
        ...formatDatatype(type),
        members: type.members.map(({ name, value }) => ({ name, value })),
      }
    case 'H5T_BITFIELD':
      return formatDatatype(integerOf(type))
    default:
      return formatDatatype(type)
  }
}

/** The type of a dataset, an attribute or a committed datatype. */
interface TypeHolder {
  readonly type: Datatype
  readonly givenType?: JsonObject
  readonly committedType?: ObjectId
}

/** The type object; `id` after its content names the committed datatype that it was taken from (clients 4.6). */
export function presentTypeUse({ type, givenType, committedType }: TypeHolder): JsonOutput {
  const id = committedType && formatPrefixed({ kind: 'datatype', id: committedType })
  if (givenType === undefined) return { ...presentType(type), id }
  const members = presentGiven(givenType, type)
  return id === undefined ? members : new Map(members).set('id', id)
}

/**
 * The type as the request had it, predefined names as names, but with `class` first (clients 4.6) and the members of an
 * enum twice (hsds-values 12.2).
 */
function presentGiven(json: JsonObject, type: Datatype): Map<string, JsonOutput> {
  const members = new Map<string, JsonOutput>([['class', type.class], ...json])
  if (type.class === 'H5T_COMPOUND') {
    const fields = json.get('fields')
    if (isJsonList(fields))
      members.set(
        'fields',
        fields.map((field, i) => presentField(field, type.fields[i])),
      )
  } else if (type.class === 'H5T_ARRAY' || type.class === 'H5T_VLEN') {
    members.set('base', presentPart(json.get('base'), type.base))
  } else if (type.class === 'H5T_ENUM') {
    const { mapping, members: list } = presentType(type)
    members.delete('members')
    members.set('mapping', mapping ?? null).set('members', list ?? null)
  }
  return members
}

function presentField(given: JsonValue, { type }: CompoundField): JsonOutput {
  if (!isJsonObject(given)) return given
  return new Map<string, JsonOutput>(given).set('type', presentPart(given.get('type'), type))
}

function presentPart(given: JsonValue | undefined, type: Datatype): JsonOutput {
  return isJsonObject(given) ? presentGiven(given, type) : (given ?? null)
}

/** `maxdims` whenever the request had them, an unlimited one as 0 (hsds-values 3.3). */
export function presentShape(space: Dataspace): Body {
  if (space.class !== 'H5S_SIMPLE') return { class: space.class }
  const { dims, maxdims } = space
  return {
    class: space.class,
    dims,
    ...(maxdims && { maxdims: maxdims.map(max => (max === UNLIMITED ? 0 : max)) }),
  }
}

/** The layout in effect, with the chunks that values are in; none for a null dataspace (hsds-values 3.5). */
export function effectiveLayout({ creationProperties, space }: Dataset): Body | undefined {
  if (space.class === 'H5S_NULL') return undefined
  if (creationProperties.layout === 'H5D_COMPACT') return { class: 'H5D_COMPACT' }
  const dims = space.class === 'H5S_SCALAR' ? [1] : creationProperties.chunkDims
  return { class: 'H5D_CHUNKED', dims }
}

/**
 * The properties of the request, and in any case a layout: the one in effect if the request had none (hsds-values 3.5).
 */
export function presentCreationProperties(
  dataset: Dataset,
  nonFinite: NonFinite,
): ReadonlyMap<string, JsonOutput> {
  const { json, given, filters } = dataset.creationProperties
  const members = new Map<string, JsonOutput>(given ? json : [])
  const layout = effectiveLayout(dataset)
  // A file of h5serv may have a layout that is not an object: h5serv kept what clients sent.
  if (layout !== undefined && !(members.get('layout') instanceof Map)) members.set('layout', layout)
  // The request that created the dataset may have named its filters by their ids alone.
  if (members.has('filters')) members.set('filters', filters.map(completed))
  // The fill value is not null even with `ignore_nan`: null would mean no fill value (common 5).
  if (nonFinite === 'null' && members.has('fillValue')) {
    members.set('fillValue', withoutNaN(members.get('fillValue') ?? null))
  }
  return members
}

function withoutNaN(json: JsonOutput): JsonOutput {
  if (Array.isArray(json)) return json.map(withoutNaN)
  return Number.isNaN(json) ? 'nan' : json
}
