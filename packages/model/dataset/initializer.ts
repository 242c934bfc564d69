// The values that a new dataset has without a write (hsds-values 18). `arange`: the elements of chunks that were never
// written are computed instead of stored, element i of one dimension is `start + i * step`. `chunklocator`: rows with
// the locations of the chunks of a dataset of a mounted file.

import type { Datatype, FloatType, IntegerType } from '../datatype/datatype.ts'
import { excerpt, isJsonList, type JsonObject, type JsonValue } from '../json/json.ts'
import { type Elements, EMPTY_HEAP } from '../values/elements.ts'
import { writeFloat } from '../values/numbers.ts'
import { malformedCreationProperties } from './creation-properties-error.ts'
import type { Dataspace } from './dataspace.ts'

export interface Arange {
  readonly start: number
  readonly step: number
}

/** A dataset of a mounted file. */
export interface ChunkLocator {
  /** The file, as a reference layout names it. */
  readonly fileUri: string
  readonly h5path: string
}

const LOCATOR = 'chunklocator'

/** `["arange", "--start=S", "--step=T"]`. Undefined: there is no initializer, or it is `chunklocator`. */
export function parseArange(given: JsonObject, type: Datatype, space: Dataspace): Arange | undefined {
  const { name, options } = initializerIn(given)
  if (name === undefined || name === LOCATOR) return undefined
  if (name !== 'arange') {
    throw malformedCreationProperties(
      `the initializer ${excerpt(name)} is not available: there are "arange" and "${LOCATOR}"`,
    )
  }
  if (space.class !== 'H5S_SIMPLE' || space.dims.length !== 1) {
    throw malformedCreationProperties('the initializer "arange" needs a dataset of one dimension')
  }
  if (type.class !== 'H5T_INTEGER' && type.class !== 'H5T_FLOAT') {
    throw malformedCreationProperties(`the initializer "arange" makes integers and floats, not ${type.class}`)
  }
  const numbers = { start: 0, step: 1 }
  for (const option of options) {
    const [, name, text] = /^--(start|step)=(\S+)$/.exec(typeof option === 'string' ? option : '') ?? []
    const number = Number(text)
    const fits = type.class === 'H5T_INTEGER' ? Number.isSafeInteger(number) : Number.isFinite(number)
    if ((name !== 'start' && name !== 'step') || !fits) {
      throw malformedCreationProperties(
        `the options of "arange" must be --start=S and --step=T, numbers of the type, not ${excerpt(option)}`,
      )
    }
    numbers[name] = number
  }
  return numbers
}

/**
 * `["chunklocator", "--h5path=P", "--filepath=F", "--bucket=B"]`. Undefined: there is no initializer, or it is another
 * one.
 */
export function parseChunkLocator(given: JsonObject): ChunkLocator | undefined {
  const { name, options } = initializerIn(given)
  if (name !== LOCATOR) return undefined
  const values = new Map<string, string>()
  for (const option of options) {
    const [, name, text] =
      /^--(h5path|filepath|bucket)=(.+)$/s.exec(typeof option === 'string' ? option : '') ?? []
    if (name === undefined || text === undefined) {
      throw malformedCreationProperties(
        `the options of "${LOCATOR}" must be --h5path=P, --filepath=F and --bucket=B, not ${excerpt(option)}`,
      )
    }
    values.set(name, text)
  }
  const [h5path, filepath, bucket] = [values.get('h5path'), values.get('filepath'), values.get('bucket')]
  if (h5path === undefined || filepath === undefined) {
    throw malformedCreationProperties(`the initializer "${LOCATOR}" needs --h5path=P and --filepath=F`)
  }
  return { h5path, fileUri: bucket === undefined ? filepath : uriIn(bucket, filepath) }
}

/** Clients send the key with a slash before it, or the whole address. */
function uriIn(bucket: string, filepath: string): string {
  if (/^(s3|file):\/\//.test(filepath)) return filepath
  return `${bucket.replace(/\/+$/, '')}/${filepath.replace(/^\/+/, '')}`
}

/** `count` elements from the one at `first` on. Integers beyond their range begin anew at its other end. */
export function arange(
  type: IntegerType | FloatType,
  { start, step }: Arange,
  first: number,
  count: number,
): Elements {
  const { size } = type
  const data = new Uint8Array(count * size)
  const view = new DataView(data.buffer)
  const little = type.order === 'LE'
  for (let i = 0; i < count; i++) {
    const offset = i * size
    const value = start + (first + i) * step
    if (type.class === 'H5T_FLOAT') writeFloat(type, view, offset, value)
    else if (size === 1) view.setUint8(offset, value)
    else if (size === 2) view.setUint16(offset, value, little)
    else if (size === 4) view.setUint32(offset, value, little)
    else {
      view.setUint32(little ? offset : offset + 4, value, little)
      view.setUint32(little ? offset + 4 : offset, Math.floor(value / 2 ** 32), little)
    }
  }
  return { count, data, heap: EMPTY_HEAP }
}

/** The list `initializer`, or the name alone with the options in `initializer_opts`. An empty list names `null`. */
function initializerIn(properties: JsonObject): {
  readonly name?: JsonValue
  readonly options: readonly JsonValue[]
} {
  const json = properties.get('initializer')
  if (json === undefined || json === null) return { options: [] }
  const [name = null, ...options] = [...asList(json), ...asList(properties.get('initializer_opts') ?? [])]
  return { name, options }
}

function asList(json: JsonValue): readonly JsonValue[] {
  return isJsonList(json) ? json : [json]
}
