// Attributes of HDF5 as those of Zarr: JSON, of which readers of netCDF expect some forms.

import { type Dataspace, extentsOf, product } from '../hdf5/dataspace.ts'
import type { Datatype, EnumType } from '../hdf5/datatype/datatype.ts'
import { elementSize, includesType, isBoolean } from '../hdf5/datatype/layout.ts'
import { isList, type JsonOutput, type JsonValue } from '../hdf5/json.ts'
import { parseJson } from '../hdf5/json-parser.ts'
import type { Elements } from '../hdf5/values/elements.ts'
import { elementsToJson } from '../hdf5/values/json-tree.ts'
import { integerOf, roundToSize } from '../hdf5/values/numbers.ts'
import { PREFIXED_REFERENCES, type ValueStyle } from '../hdf5/values/references.ts'
import type { ZarrFormat } from './array-types.ts'

export interface ShownAttribute {
  readonly name: string
  readonly type: Datatype
  readonly space: Dataspace
  /** Absent: never written, or too long to be shown. */
  readonly value?: Elements
}

/** Longer values are not shown. */
export const MAX_ATTRIBUTE = 65_536

export const DIMENSION_LIST = 'DIMENSION_LIST'
export const REFERENCE_LIST = 'REFERENCE_LIST'
/** The number of a dimension in netCDF. */
export const DIMENSION_NUMBER = '_Netcdf4Dimid'
/** The numbers of the dimensions of a variable. */
export const COORDINATES = '_Netcdf4Coordinates'

/** Attributes of HDF5 and netCDF whose information is elsewhere in the documents of Zarr. */
const NOT_SHOWN: ReadonlySet<string> = new Set([
  'CLASS',
  'NAME',
  DIMENSION_LIST,
  REFERENCE_LIST,
  'DIMENSION_LABELS',
  DIMENSION_NUMBER,
  COORDINATES,
  '_NCProperties',
  '_nc3_strict',
])

/** Attributes of OME-Zarr and of bioformats2raw, which are JSON. */
const JSON_TEXTS: ReadonlySet<string> = new Set([
  'ome',
  'multiscales',
  'omero',
  'plate',
  'well',
  'labels',
  'image-label',
  'bioformats2raw.layout',
])

const STYLE: ValueStyle = {
  references: PREFIXED_REFERENCES,
  nonFinite: 'text',
  float32: 'shortest',
  unwrittenSequence: 'list',
}

const FILL_VALUE = '_FillValue'

export type Attributes = Map<string, JsonOutput>

/**
 * `type` is that of the elements of the array; absent: the attributes are those of a group. `_FillValue` has a form of
 * its own.
 */
export function showAttributes(
  attributes: Iterable<ShownAttribute>,
  format: ZarrFormat,
  type?: Datatype,
): Attributes {
  const shown: Attributes = new Map()
  for (const attribute of attributes) {
    const json = NOT_SHOWN.has(attribute.name) ? undefined : attributeJson(attribute)
    if (json === undefined) continue
    const value = type && attribute.name === FILL_VALUE ? fillAttribute(json, type, format) : json
    if (value !== undefined) shown.set(attribute.name, value)
  }
  if (type) for (const [name, value] of flagsOf(type)) if (!shown.has(name)) shown.set(name, value)
  return shown
}

/** The JSON of an attribute; undefined: it is not shown. */
export function attributeJson({ name, type, space, value }: ShownAttribute): JsonOutput | undefined {
  if (space.class === 'H5S_NULL' || !value || includesType(type, isReference)) return undefined
  const dims = extentsOf(space)
  if (product(dims) * elementSize(type) > MAX_ATTRIBUTE || value.heap.length > MAX_ATTRIBUTE) return undefined
  const json = singleItem(elementsToJson(type, dims, value, STYLE))
  return JSON_TEXTS.has(name) && typeof json === 'string' ? jsonText(json) : json
}

function isReference(type: Datatype): boolean {
  return type.class === 'H5T_REFERENCE'
}

/** NetCDF writes every number as an array of one. */
function singleItem(json: JsonOutput): JsonOutput {
  return isList(json) && json.length === 1 ? singleItem(json[0]) : json
}

function jsonText(text: string): JsonOutput {
  try {
    const json: JsonValue = parseJson(text)
    return json
  } catch {
    // It is not JSON, and is shown as a string.
    return text
  }
}

/**
 * `_FillValue` of the type of its array; undefined: the value does not fit the type. In Zarr 3 xarray takes floats as
 * Base64 of a little-endian double.
 */
export function fillAttribute(json: JsonOutput, type: Datatype, format: ZarrFormat): JsonOutput | undefined {
  if (type.class === 'H5T_FLOAT') {
    const number = numberOf(json)
    if (number === undefined) return undefined
    const value = roundToSize(number, type.size)
    if (format === 2) return value
    const bytes = Buffer.alloc(8)
    bytes.writeDoubleLE(value)
    return bytes.toString('base64')
  }
  if (isBoolean(type))
    return json === 0 || json === 1 || typeof json === 'boolean' ? Boolean(json) : undefined
  if (type.class === 'H5T_INTEGER' || type.class === 'H5T_ENUM' || type.class === 'H5T_BITFIELD') {
    return wholeOf(json, type)
  }
  return type.class === 'H5T_STRING' && typeof json === 'string' ? json : undefined
}

function numberOf(json: JsonOutput): number | undefined {
  return typeof json === 'number' || typeof json === 'bigint' ? Number(json) : undefined
}

function wholeOf(json: JsonOutput, type: Parameters<typeof integerOf>[0]): JsonOutput | undefined {
  const { size, signed } = integerOf(type)
  if (typeof json !== 'bigint' && !Number.isInteger(json)) return undefined
  const value = BigInt(json as number | bigint)
  const isFitting = signed
    ? BigInt.asIntN(8 * size, value) === value
    : BigInt.asUintN(8 * size, value) === value
  return isFitting ? json : undefined
}

/** Members of an enum, as netCDF's conventions (CF) have them. */
function flagsOf(type: Datatype): readonly (readonly [string, JsonOutput])[] {
  if (type.class !== 'H5T_ENUM' || isBoolean(type)) return []
  const { members }: EnumType = type
  return [
    ['flag_values', members.map(({ value }) => value)],
    ['flag_meanings', members.map(({ name }) => name).join(' ')],
  ]
}

const CLASS = 'CLASS'
const NAME = 'NAME'
const NOT_A_VARIABLE = 'This is a netCDF dimension but not a netCDF variable'

/** Whether the dataset is a dimension scale. */
export function isScale(attributes: readonly ShownAttribute[]): boolean {
  return textOf(attributes, CLASS) === 'DIMENSION_SCALE'
}

/** Whether the dataset is only a dimension in netCDF and not a variable: its values have no meaning. */
export function isOnlyDimension(attributes: readonly ShownAttribute[]): boolean {
  return textOf(attributes, NAME)?.startsWith(NOT_A_VARIABLE) ?? false
}

/** The numbers in an attribute; none if it has others than numbers or is absent. */
export function numbersOf(attributes: readonly ShownAttribute[], name: string): readonly number[] {
  const attribute = attributes.find(one => one.name === name)
  const json = attribute && attributeJson(attribute)
  const items = isList(json) ? json : [json]
  return items.every(item => typeof item === 'number') ? items : []
}

function textOf(attributes: readonly ShownAttribute[], name: string): string | undefined {
  const attribute = attributes.find(one => one.name === name)
  const json = attribute && attribute.type.class === 'H5T_STRING' ? attributeJson(attribute) : undefined
  return typeof json === 'string' ? json : undefined
}
