// Attributes of HDF5 as those of Zarr: JSON, of which readers of netCDF expect some forms.

import { type DateUnit, NOT_A_TIME } from '@hyperslab/meaning/meaning'
import { type Dataspace, extentsOf, product } from '@hyperslab/model/dataset'
import type { Datatype, EnumType } from '@hyperslab/model/datatype'
import { datesOf, elementSize, elementsOfType, includesType, isBoolean } from '@hyperslab/model/datatype'
import { elementsToJson, isList, type JsonOutput, type JsonValue, parseJson } from '@hyperslab/model/json'
import type { Elements } from '@hyperslab/model/values'
import { integerOf, PREFIXED_REFERENCES, type ValueStyle } from '@hyperslab/model/values'
import type { ZarrFormat } from './names.ts'

export interface ShownAttribute {
  readonly name: string
  readonly type: Datatype
  readonly space: Dataspace
  /** Absent: never written, or too long to be shown. */
  readonly value?: Elements
}

/** Bytes of an attribute in the Zarr view; longer ones are not shown. @limit memory, bytes */
export const MAX_ATTRIBUTE = 65_536

export const DIMENSION_LIST = 'DIMENSION_LIST'
/** Names of the dimensions of a dataset (H5DSset_label). */
export const DIMENSION_LABELS = 'DIMENSION_LABELS'
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
  DIMENSION_LABELS,
  DIMENSION_NUMBER,
  COORDINATES,
  '_NCProperties',
  '_nc3_strict',
])

export function isReservedAttribute(name: string): boolean {
  return NOT_SHOWN.has(name)
}

/** Attributes of OME-Zarr and of bioformats2raw, which are JSON. */
export const JSON_TEXTS: ReadonlySet<string> = new Set([
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

/** The doubles that readers compare with the values. */
const WIDENED: ValueStyle = { ...STYLE, float32: 'widened' }

const FILL_VALUE = '_FillValue'
const MISSING_VALUE = 'missing_value'

export type Attributes = Map<string, JsonOutput>

/**
 * `type` is that of the elements of the array; absent: the attributes are those of a group. JSON has no NaN and no
 * infinity: attributes with them are left out, and named in another one.
 */
export function showAttributes(
  attributes: readonly ShownAttribute[],
  format: ZarrFormat,
  type?: Datatype,
): Attributes {
  const shown: Attributes = new Map()
  const marks: Attributes = new Map()
  const leftOut: string[] = []
  for (const attribute of attributes) {
    const { name } = attribute
    const json = NOT_SHOWN.has(name) ? undefined : attributeJson(attribute)
    if (json === undefined) continue
    if (type && (name === FILL_VALUE || name === MISSING_VALUE)) marks.set(name, json)
    else if (isFiniteJson(json)) shown.set(name, json)
    else leftOut.push(name)
  }
  if (type) {
    showMarks(shown, marks, type, format)
    const others = format === 3 ? [...flagsOf(type), ...datesAttributes(type)] : flagsOf(type)
    for (const [name, value] of others) if (!shown.has(name)) shown.set(name, value)
  }
  if (leftOut.length > 0) shown.set('_left_out_attributes', leftOut)
  return shown
}

function isFiniteJson(json: JsonOutput): boolean {
  if (typeof json === 'number') return Number.isFinite(json)
  return !isList(json) || json.every(isFiniteJson)
}

/**
 * Adds the attributes that declare values as missing. xarray reads them alike, but some values only as `missing_value`:
 * lists, and fractions for integers. Values that are no numbers are missing in any case, or equal none.
 */
function showMarks(shown: Attributes, marks: Attributes, type: Datatype, format: ZarrFormat): void {
  const fill = marks.get(FILL_VALUE)
  const isTurned = shown.get('_Unsigned') === (isSigned(type) ? 'true' : 'false')
  const said = fill === undefined ? undefined : fillAttribute(fill, type, format, isTurned)
  if (said !== undefined) shown.set(FILL_VALUE, said)
  const others = said === undefined && isNumeric(type) ? listOf(fill).filter(isNumber) : []
  const all = [...others, ...listOf(marks.get(MISSING_VALUE))].filter(isFiniteJson)
  if (all.length > 0) shown.set(MISSING_VALUE, singleItem(all))
}

function listOf(json: JsonOutput | undefined): readonly JsonOutput[] {
  if (json === undefined) return []
  return isList(json) ? json : [json]
}

/** The JSON of an attribute; undefined: it is not shown. */
export function attributeJson({ name, type, space, value }: ShownAttribute): JsonOutput | undefined {
  if (space.class === 'H5S_NULL' || !value || includesType(type, isReference)) return undefined
  const dims = extentsOf(space)
  if (product(dims) * elementSize(type) > MAX_ATTRIBUTE || value.heap.length > MAX_ATTRIBUTE) return undefined
  const style = name === FILL_VALUE || name === MISSING_VALUE ? WIDENED : STYLE
  const json = singleItem(elementsToJson(type, dims, value, style))
  return JSON_TEXTS.has(name) && typeof json === 'string' ? jsonText(json) : json
}

/** The strings of an attribute; empty: it has others, or none. */
export function attributeText({ type, space, value }: ShownAttribute): readonly string[] {
  if (!value || type.class !== 'H5T_STRING') return []
  const json = elementsToJson(type, extentsOf(space), value, STYLE)
  return isList(json) ? json.map(item => (typeof item === 'string' ? item : '')) : []
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
 * `_FillValue` as xarray reads it; undefined: it has no such form. In Zarr 3 xarray takes floats as Base64 of a
 * little-endian double. The number is that of the attribute, of whatever type: readers compare it with the values as
 * they would those of the file. `isTurned`: `_Unsigned` declares another sign than the type has; then xarray takes a
 * signed number.
 */
export function fillAttribute(
  json: JsonOutput,
  type: Datatype,
  format: ZarrFormat,
  isTurned = false,
): JsonOutput | undefined {
  if (type.class === 'H5T_FLOAT') {
    if (!isNumber(json)) return undefined
    if (format === 2) return Number(json)
    const bytes = Buffer.alloc(8)
    bytes.writeDoubleLE(Number(json))
    return bytes.toString('base64')
  }
  if (isBoolean(type))
    return json === 0 || json === 1 || typeof json === 'boolean' ? Boolean(json) : undefined
  if (!isWholeType(type)) return type.class === 'H5T_STRING' && typeof json === 'string' ? json : undefined
  if (!isNumber(json) || (typeof json === 'number' && !Number.isInteger(json))) return undefined
  return isTurned ? Number(BigInt.asIntN(8 * integerOf(type).size, BigInt(json))) : json
}

function isNumber(json: JsonOutput): json is number | bigint {
  return typeof json === 'number' || typeof json === 'bigint'
}

function isWholeType(type: Datatype): type is Parameters<typeof integerOf>[0] {
  return type.class === 'H5T_INTEGER' || type.class === 'H5T_ENUM' || type.class === 'H5T_BITFIELD'
}

function isNumeric(type: Datatype): boolean {
  return type.class === 'H5T_FLOAT' || isWholeType(type)
}

function isSigned(type: Datatype): boolean {
  return isWholeType(type) && integerOf(type).signed
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

/** Names of units in CF, those that xarray knows: it counts neither weeks nor months nor picoseconds. */
const UNITS: Readonly<Partial<Record<DateUnit, string>>> = {
  W: 'days',
  D: 'days',
  h: 'hours',
  m: 'minutes',
  s: 'seconds',
  ms: 'milliseconds',
  us: 'microseconds',
  ns: 'nanoseconds',
}

/** Dates and durations as the conventions of CF have them; in all units their dtype of NumPy. */
function datesAttributes(type: Datatype): readonly (readonly [string, JsonOutput])[] {
  const dates = datesOf(elementsOfType(type).base)
  if (!dates) return []
  const { kind, dtype } = dates
  const count = dates.unit === 'W' ? 7 * dates.count : dates.count
  const unit = UNITS[dates.unit]
  const named = ['numpy_dtype', dtype] as const
  // xarray loses NaT of packed parts of a second.
  if (unit === undefined || (count !== 1 && /^.s$/.test(dates.unit))) return [named]
  return [
    named,
    ['units', kind === 'date' ? `${unit} since 1970-01-01` : unit],
    ...(kind === 'date' ? [['calendar', 'proleptic_gregorian'] as const] : []),
    ...(count === 1 ? [] : [['scale_factor', count] as const]),
    [FILL_VALUE, NOT_A_TIME],
  ]
}
