// Attributes of Zarr, JSON, as the attributes of HDF5 that they become.

import { HyperslabError } from '@hyperslab/base/errors'
import { type Datatype, elementsOfType, isBoolean, parseDatatype } from '@hyperslab/model/datatype'
import { excerpt, isJsonList, isJsonObject, type JsonValue, stringifyJson } from '@hyperslab/model/json'
import { isReservedAttribute, JSON_TEXTS } from './attributes.ts'
import type { ZarrFormat } from './names.ts'
import { BOOLEAN, TEXT } from './new-types.ts'

export interface NewZarrAttribute {
  readonly type: Datatype
  /** Empty: a scalar. */
  readonly shape: readonly number[]
  /** JSON of all elements. */
  readonly value: JsonValue
}

/** Attributes of the view that say something of it, and that no object has. */
export const OF_VIEW: ReadonlySet<string> = new Set(['_left_out', '_left_out_attributes'])

/** Marks of missing values, which have the type of the array. */
const MARKS: ReadonlySet<string> = new Set(['_FillValue', 'missing_value'])

/** Throws `malformed-body`, with the name, for JSON that no attribute of HDF5 can be. */
export function attributeFrom(
  name: string,
  json: JsonValue,
  format: ZarrFormat,
  arrayType?: Datatype,
): NewZarrAttribute {
  if (isReservedAttribute(name)) throw refused(name, 'has a name that HDF5 and netCDF use for dimensions')
  if (JSON_TEXTS.has(name) && typeof json !== 'string') {
    return { type: parseDatatype(TEXT), shape: [], value: stringifyJson(json, 'text') }
  }
  const base = arrayType && elementsOfType(arrayType).base
  if (base && MARKS.has(name) && !isBoolean(base)) {
    const value =
      name === '_FillValue' && format === 3 && base.class === 'H5T_FLOAT' ? doubleIn(name, json) : json
    return { type: base, shape: shapeOf(name, value), value }
  }
  const shape = shapeOf(name, json)
  const leaves = leavesOf(json)
  return { type: typeOf(name, leaves), shape, value: leaves.some(isBooleanJson) ? toNumbers(json) : json }
}

/** A float as xarray writes it in Zarr 3: Base64 of the 8 bytes of a little-endian double. */
function doubleIn(name: string, json: JsonValue): JsonValue {
  if (typeof json !== 'string') return json
  const bytes = Buffer.from(json, 'base64')
  if (bytes.length !== 8) throw refused(name, `must be Base64 of a double, not ${excerpt(json)}`)
  return bytes.readDoubleLE()
}

const I64 = parseDatatype('H5T_STD_I64LE')
const U64 = parseDatatype('H5T_STD_U64LE')
const F64 = parseDatatype('H5T_IEEE_F64LE')

function typeOf(name: string, leaves: readonly JsonValue[]): Datatype {
  if (leaves.some(leaf => leaf === null || isJsonObject(leaf))) {
    throw refused(
      name,
      'must have strings, numbers or booleans, or lists of them: HDF5 has no objects and no null',
    )
  }
  if (leaves.length === 0) return F64
  if (leaves.every(leaf => typeof leaf === 'string')) return parseDatatype(TEXT)
  if (leaves.every(isBooleanJson)) return parseDatatype(BOOLEAN)
  if (!leaves.every(leaf => typeof leaf === 'number' || typeof leaf === 'bigint')) {
    throw refused(name, 'must have items of one kind')
  }
  const isWhole = leaves.every(leaf => typeof leaf === 'bigint' || Number.isSafeInteger(leaf))
  if (!isWhole) return F64
  const [least, most] = [-(2n ** 63n), 2n ** 64n - 1n]
  const whole = leaves.map(leaf => BigInt(leaf as number | bigint))
  if (whole.some(leaf => leaf < least || leaf > most)) throw refused(name, 'must have integers of 64 bits')
  return whole.some(leaf => leaf > 2n ** 63n - 1n) ? U64 : I64
}

function isBooleanJson(json: JsonValue): json is boolean {
  return typeof json === 'boolean'
}

function toNumbers(json: JsonValue): JsonValue {
  return isJsonList(json) ? json.map(toNumbers) : Number(json)
}

function leavesOf(json: JsonValue): readonly JsonValue[] {
  return isJsonList(json) ? json.flatMap(leavesOf) : [json]
}

/** The shape of nested lists. */
function shapeOf(name: string, json: JsonValue): readonly number[] {
  if (!isJsonList(json)) return []
  const [first, ...others] = json.map(item => shapeOf(name, item))
  if (first === undefined) return [0]
  if (others.some(other => other.join() !== first.join())) throw refused(name, 'must have rows of one length')
  return [json.length, ...first]
}

function refused(name: string, rule: string): HyperslabError {
  return new HyperslabError('malformed-body', `the attribute ${excerpt(name)} ${rule}`)
}
