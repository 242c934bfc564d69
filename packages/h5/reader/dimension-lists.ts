// The attributes by which datasets know their dimension scales (H5DSattach_scale, H5DSset_label; netCDF-4), and new
// ones in their place.

import { type Dataspace, extentsOf } from '@hyperslab/model/dataset'
import type { Datatype } from '@hyperslab/model/datatype'
import { elementsFromJson, elementsToJson, isJsonList, type JsonValue } from '@hyperslab/model/json'
import { PREFIXED_REFERENCES } from '@hyperslab/model/values'
import type { FileAddress, FileAttribute, ReferenceResolver } from '../file-reader.ts'

export const REFERENCE_LIST = 'REFERENCE_LIST'
export const LIST = 'DIMENSION_LIST'
export const LABELS = 'DIMENSION_LABELS'
/** The number of a dimension, and those of all dimensions of a dataset (netCDF-4). */
export const NUMBER = '_Netcdf4Dimid'
export const NUMBERS = '_Netcdf4Coordinates'

export const INTEGER: Datatype = { class: 'H5T_INTEGER', size: 4, signed: true, order: 'LE' }
const REFERENCE: Datatype = { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' }
export const SCALES: Datatype = { class: 'H5T_VLEN', base: REFERENCE }
export const USE: Datatype = {
  class: 'H5T_COMPOUND',
  fields: [
    { name: 'dataset', type: REFERENCE },
    { name: 'dimension', type: INTEGER },
  ],
}
export const TEXT: Datatype = {
  class: 'H5T_STRING',
  length: 'H5T_VARIABLE',
  charSet: 'H5T_CSET_UTF8',
  strPad: 'H5T_STR_NULLTERM',
}
export const SCALAR: Dataspace = { class: 'H5S_SCALAR' }
const STYLE = { references: PREFIXED_REFERENCES, nonFinite: 'bare', float32: 'widened' } as const

export function referenceTo(address: FileAddress, resolve: ReferenceResolver): string {
  const reference = resolve(address)
  return reference ? PREFIXED_REFERENCES.format(reference) : PREFIXED_REFERENCES.nullText
}

/** The items of a list of this type, whatever the sizes of numbers and strings in it. Undefined: it is another one. */
export function itemsOf(
  { type, space, value }: FileAttribute,
  expected: Datatype,
): readonly JsonValue[] | undefined {
  if (!value || !isLike(type, expected)) return undefined
  // elementsToJson gives plain JSON here: lists, numbers and strings.
  const json = elementsToJson(type, extentsOf(space), value, STYLE) as JsonValue
  return isJsonList(json) && extentsOf(space).length === 1 ? json : undefined
}

/** The numbers of an attribute of integers that are not too large. */
export function integersIn({ type, space, value }: FileAttribute): readonly number[] {
  if (!value) return []
  const json = elementsToJson(type, extentsOf(space), value, STYLE)
  return [json].flat().filter(item => typeof item === 'number')
}

function isLike(type: Datatype, expected: Datatype): boolean {
  if (type.class === 'H5T_VLEN' && expected.class === 'H5T_VLEN') return isLike(type.base, expected.base)
  if (type.class === 'H5T_COMPOUND' && expected.class === 'H5T_COMPOUND') {
    const [one, other] = [type.fields, expected.fields]
    return one.length === other.length && one.every((field, i) => isLike(field.type, other[i].type))
  }
  if (type.class === 'H5T_REFERENCE' && expected.class === 'H5T_REFERENCE') return type.base === expected.base
  return type.class === expected.class
}

export function newList(name: string, type: Datatype, items: readonly JsonValue[]): FileAttribute {
  return newAttribute(name, type, { class: 'H5S_SIMPLE', dims: [items.length] }, items)
}

export function newAttribute(name: string, type: Datatype, space: Dataspace, json: JsonValue): FileAttribute {
  return { name, type, space, value: elementsFromJson(type, extentsOf(space), json, PREFIXED_REFERENCES) }
}
