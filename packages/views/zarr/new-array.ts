// The documents of arrays that writers of Zarr send, as the datasets of HDF5 that they become. What a dataset cannot be
// is refused by name.

import { HyperslabError } from '@hyperslab/base/errors'
import { MAX_RANK, product } from '@hyperslab/model/dataset'
import { type Datatype, datesOf, elementSize, parseDatatype } from '@hyperslab/model/datatype'
import {
  excerpt,
  isJsonList,
  isJsonObject,
  isWhole,
  type JsonObject,
  type JsonValue,
} from '@hyperslab/model/json'
import { type ChunkCodec, parseBytesCodec, parseCompressor } from './codecs.ts'
import type { ZarrFormat } from './names.ts'
import { BOOLEAN, TEXT } from './new-types.ts'

export interface NewArray {
  readonly type: Datatype
  readonly dims: readonly number[]
  readonly chunkDims: readonly number[]
  /** JSON of one element; absent: zeros, or empty text. */
  readonly fillValue?: JsonValue
  readonly codec?: ChunkCodec
  /** Absent: the document names no dimensions. */
  readonly dimensionNames?: readonly (string | undefined)[]
  /** Absent in Zarr 2, where they are in a document of their own. */
  readonly attributes?: JsonObject
}

/** Bytes of a chunk that a writer of Zarr sends, decoded: it is held in memory. @limit memory, bytes */
export const MAX_WRITTEN_CHUNK = 128 * 2 ** 20

/**
 * Parses `zarr.json` or `.zarray` of an array. Throws `malformed-body`, and `type-unsupported` for a type without a
 * form in HDF5.
 */
export function parseArray(document: JsonObject, format: ZarrFormat): NewArray {
  const array = format === 3 ? parseArray3(document) : parseArray2(document)
  const { dims, chunkDims, type } = array
  if (dims.length > MAX_RANK)
    throw malformed(`shape has ${dims.length} dimensions: a dataset has ${MAX_RANK} at most`)
  if (chunkDims.length !== dims.length) {
    throw malformed(
      `a chunk of [${chunkDims.join(', ')}] must have as many dimensions as the shape [${dims.join(', ')}]`,
    )
  }
  const bytes = product(chunkDims) * elementSize(type)
  if (bytes > MAX_WRITTEN_CHUNK) {
    throw malformed(`a chunk of ${bytes} bytes is too large: it has at most ${MAX_WRITTEN_CHUNK}`)
  }
  return array
}

function parseArray3(document: JsonObject): NewArray {
  const grid = named(document.get('chunk_grid'), 'chunk_grid')
  if (grid.name !== 'regular')
    throw malformed(`chunk_grid must be regular, not ${excerpt(grid.name ?? null)}`)
  const keys = named(document.get('chunk_key_encoding'), 'chunk_key_encoding')
  const separator = keys.configuration.get('separator') ?? '/'
  if (keys.name !== 'default' || separator !== '/') {
    throw malformed('chunk_key_encoding must be default, with the separator "/"')
  }
  for (const name of ['storage_transformers', 'extensions']) {
    const list = document.get(name)
    if (isJsonList(list) && list.length > 0) throw malformed(`${name} must be empty`)
  }
  const type = document.get('data_type')
  const { isBigEndian, isText, codec } = codecsIn(document.get('codecs'))
  if ((type === 'string') !== isText) {
    throw malformed('codecs must begin with vlen-utf8 for strings, and with bytes for other types')
  }
  const dims = extentsIn(document, 'shape', 0)
  const names = document.get('dimension_names')
  const attributes = document.get('attributes')
  const fill = fillOf3(document.get('fill_value') ?? null, type)
  return {
    type: typeOf3(type, isBigEndian),
    dims,
    chunkDims: extentsIn(grid.configuration, 'chunk_shape', 1),
    ...(fill !== undefined && { fillValue: fill }),
    ...(codec && { codec }),
    ...(isJsonList(names) && { dimensionNames: namesIn(names, dims.length) }),
    attributes: isJsonObject(attributes) ? attributes : new Map(),
  }
}

function parseArray2(document: JsonObject): NewArray {
  if ((document.get('order') ?? 'C') !== 'C') throw malformed('order must be "C": HDF5 has no other')
  const separator = document.get('dimension_separator') ?? '.'
  if (separator !== '.') throw malformed(`dimension_separator must be ".", not ${excerpt(separator)}`)
  const dtype = document.get('dtype')
  const filters = document.get('filters') ?? null
  const ids = isJsonList(filters) ? filters.map(filter => isJsonObject(filter) && filter.get('id')) : []
  // zarr-python 3 declares such strings with the dtype of fixed ones.
  const isText = typeof dtype === 'string' && /^(\|O|[<>]U\d+)$/.test(dtype) && ids.join() === 'vlen-utf8'
  if (!isText && (ids.length > 0 || dtype === '|O')) {
    throw malformed('filters must be null, or vlen-utf8 alone for strings')
  }
  const type = isText ? parseDatatype(TEXT) : typeOf2(dtype ?? null)
  const codec = parseCompressor(document.get('compressor'))
  const fill = document.get('fill_value') ?? null
  const isShown = fill !== null && type.class !== 'H5T_OPAQUE' && type.class !== 'H5T_STRING'
  return {
    type,
    dims: extentsIn(document, 'shape', 0),
    chunkDims: extentsIn(document, 'chunks', 1),
    ...(isShown && !isNoCompound(type, fill) && { fillValue: fill }),
    ...(codec && { codec }),
  }
}

/** A fill value of NumPy's records, in Base64, is not taken over: elements that are not stored are zeros. */
function isNoCompound(type: Datatype, fill: JsonValue): boolean {
  return type.class === 'H5T_COMPOUND' && !isJsonList(fill)
}

interface NamedItem {
  readonly name: JsonValue | undefined
  readonly configuration: JsonObject
}

/** An extension point of Zarr 3: a name, or an object with a name and a configuration. */
function named(json: JsonValue | undefined, member: string): NamedItem {
  if (typeof json === 'string') return { name: json, configuration: new Map() }
  if (!isJsonObject(json))
    throw malformed(`${member} must be an object with a name, not ${excerpt(json ?? null)}`)
  const configuration = json.get('configuration')
  return { name: json.get('name'), configuration: isJsonObject(configuration) ? configuration : new Map() }
}

function codecsIn(json: JsonValue | undefined) {
  if (!isJsonList(json) || json.length === 0)
    throw malformed('codecs must be a list that begins with bytes or vlen-utf8')
  const [first, ...others] = json.map(item => named(item, 'codecs'))
  if (first.name === 'sharding_indexed') {
    throw malformed('codecs: sharding_indexed is not supported: create the array without shards')
  }
  if (first.name !== 'bytes' && first.name !== 'vlen-utf8') {
    throw malformed(
      `codecs: ${excerpt(first.name ?? null)} is not a codec of this service for elements: bytes, vlen-utf8`,
    )
  }
  if (others.length > 1) {
    const names = others.map(({ name }) => `${name}`).join(', ')
    throw malformed(`codecs has ${names} behind ${first.name}: one codec behind it can be stored`)
  }
  const [other] = others
  return {
    isBigEndian: first.configuration.get('endian') === 'big',
    isText: first.name === 'vlen-utf8',
    codec: other && parseBytesCodec(other.name, other.configuration),
  }
}

function extentsIn(members: JsonObject, name: string, least: number): readonly number[] {
  const list = members.get(name)
  if (isJsonList(list) && list.every(extent => isWhole(extent) && extent >= least))
    return list as readonly number[]
  throw malformed(`${name} must be a list of integers of at least ${least}, not ${excerpt(list ?? null)}`)
}

function namesIn(list: readonly JsonValue[], rank: number): readonly (string | undefined)[] {
  if (list.length !== rank) throw malformed(`dimension_names must have ${rank} names, not ${list.length}`)
  return list.map(name => {
    if (name === null || typeof name === 'string') return name ?? undefined
    throw malformed(`dimension_names must be names or null, not ${excerpt(name)}`)
  })
}

const NUMBER = /^(int|uint|float|complex)(8|16|32|64|128)$/

function typeOf3(name: JsonValue | undefined, isBigEndian: boolean): Datatype {
  const order = isBigEndian ? '>' : '<'
  if (name === 'string') return parseDatatype(TEXT)
  if (name === 'bool') return parseDatatype(BOOLEAN)
  const [, kind, bits] = (typeof name === 'string' && NUMBER.exec(name)) || []
  const json = kind && numberType(`${order}${LETTERS[kind]}${Number(bits) / 8}`)
  if (json) return parseDatatype(json)
  throw unsupported(`data_type ${excerpt(name ?? null)}`)
}

const LETTERS: Readonly<Record<string, string>> = { int: 'i', uint: 'u', float: 'f', complex: 'c' }

/** The type of a `dtype` of NumPy. */
function typeOf2(dtype: JsonValue): Datatype {
  return parseDatatype(fixedType(dtype))
}

function fixedType(dtype: JsonValue): JsonValue {
  if (isJsonList(dtype)) return compoundOf(dtype)
  if (typeof dtype !== 'string') throw unsupported(`dtype ${excerpt(dtype)}`)
  if (dtype === '|b1') return BOOLEAN
  const number = numberType(dtype)
  if (number !== undefined) return number
  const [, kind, length] = /^\|([SV])([1-9]\d{0,6})$/.exec(dtype) ?? []
  if (kind === 'S') {
    return new Map<string, JsonValue>([
      ['class', 'H5T_STRING'],
      ['charSet', 'H5T_CSET_ASCII'],
      ['strPad', 'H5T_STR_NULLPAD'],
      ['length', Number(length)],
    ])
  }
  const dates = `NUMPY:${dtype}`
  const tag = datesOf({ class: 'H5T_OPAQUE', size: 8, tag: dates }) && dates
  if (kind !== 'V' && !tag) throw unsupported(`dtype ${excerpt(dtype)}`)
  return new Map<string, JsonValue>([
    ['class', 'H5T_OPAQUE'],
    ['size', tag ? 8 : Number(length)],
    ...(tag ? [['tag', tag] as const] : []),
  ])
}

function compoundOf(fields: readonly JsonValue[]): JsonValue {
  const parsed = fields.map(field => {
    const [name = null, dtype = null, dims] = isJsonList(field) ? field : []
    if (typeof name !== 'string') throw unsupported(`the field ${excerpt(field)} of a dtype`)
    const base = fixedType(dtype)
    const type =
      dims === undefined
        ? base
        : new Map<string, JsonValue>([
            ['class', 'H5T_ARRAY'],
            ['base', base],
            ['dims', dims],
          ])
    return new Map<string, JsonValue>([
      ['name', name],
      ['type', type],
    ])
  })
  return new Map<string, JsonValue>([
    ['class', 'H5T_COMPOUND'],
    ['fields', parsed],
  ])
}

/** The type of a number such as `<i4` or `>c16`; undefined: it is none. */
function numberType(dtype: string): JsonValue | undefined {
  const [, mark, kind, text] = /^([<>|])([iufc])(1|2|4|8|16)$/.exec(dtype) ?? []
  if (mark === undefined) return undefined
  const order = mark === '>' ? 'BE' : 'LE'
  const size = Number(text)
  if (kind === 'c') {
    if (size !== 8 && size !== 16) return undefined
    const part = `H5T_IEEE_F${4 * size}${order}`
    const field = (name: string): JsonValue =>
      new Map([
        ['name', name],
        ['type', part],
      ])
    return new Map<string, JsonValue>([
      ['class', 'H5T_COMPOUND'],
      ['fields', [field('r'), field('i')]],
    ])
  }
  if (kind === 'f') return size >= 2 && size <= 8 ? `H5T_IEEE_F${8 * size}${order}` : undefined
  return size <= 8 ? `H5T_STD_${kind.toUpperCase()}${8 * size}${order}` : undefined
}

/** `fill_value` of Zarr 3, as JSON of an element; undefined: zeros. A string "0x..." has the bits of a float. */
function fillOf3(json: JsonValue, type: JsonValue | undefined): JsonValue | undefined {
  if (type === 'string') return json === '' || json === null ? undefined : json
  if (type === 'bool') return json === true ? 1 : undefined
  if (json === null) return undefined
  return isJsonList(json) ? json.map(floatOf) : floatOf(json)
}

function floatOf(json: JsonValue): JsonValue {
  const [, digits] = (typeof json === 'string' && /^0x((?:[0-9a-f]{8}){1,2})$/i.exec(json)) || []
  if (digits === undefined) return json
  const bytes = Buffer.from(digits, 'hex')
  return bytes.length === 4 ? bytes.readFloatBE() : bytes.readDoubleBE()
}

function unsupported(what: string): HyperslabError {
  return new HyperslabError('type-unsupported', `${what} has no type of HDF5 in this service`)
}

function malformed(rule: string): HyperslabError {
  return new HyperslabError('malformed-body', rule)
}
