// The elements of chunks that were never written, computed instead of stored (hsds-values 18): element i of one dimension
// is `start + i * step`.

import { malformedCreationProperties } from './creation-properties-error.ts'
import type { Dataspace } from './dataspace.ts'
import type { Datatype, FloatType, IntegerType } from './datatype/datatype.ts'
import type { JsonObject, JsonValue } from './json.ts'
import { excerpt, isJsonList } from './json.ts'
import { type Elements, EMPTY_HEAP } from './values/elements.ts'
import { writeFloat } from './values/numbers.ts'

export interface Arange {
  readonly start: number
  readonly step: number
}

/** `["arange", "--start=S", "--step=T"]`, or the name alone with the options in `initializer_opts`. */
export function parseInitializer(given: JsonObject, type: Datatype, space: Dataspace): Arange | undefined {
  const json = given.get('initializer')
  if (json === undefined || json === null) return undefined
  const [name, ...options] = [...asList(json), ...asList(given.get('initializer_opts') ?? [])]
  if (name !== 'arange') {
    throw malformedCreationProperties(
      `the initializer ${excerpt(name ?? null)} is not available: the only one is "arange"`,
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
    const [, which, text] = /^--(start|step)=(\S+)$/.exec(typeof option === 'string' ? option : '') ?? []
    const number = Number(text)
    const fits = type.class === 'H5T_INTEGER' ? Number.isSafeInteger(number) : Number.isFinite(number)
    if ((which !== 'start' && which !== 'step') || !fits) {
      throw malformedCreationProperties(
        `the options of "arange" must be --start=S and --step=T, numbers of the type, not ${excerpt(option)}`,
      )
    }
    numbers[which] = number
  }
  return numbers
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
    const at = i * size
    const value = start + (first + i) * step
    if (type.class === 'H5T_FLOAT') writeFloat(type, view, at, value)
    else if (size === 1) view.setUint8(at, value)
    else if (size === 2) view.setUint16(at, value, little)
    else if (size === 4) view.setUint32(at, value, little)
    else {
      view.setUint32(little ? at : at + 4, value, little)
      view.setUint32(little ? at + 4 : at, Math.floor(value / 2 ** 32), little)
    }
  }
  return { count, data, heap: EMPTY_HEAP }
}

function asList(json: JsonValue): readonly JsonValue[] {
  return isJsonList(json) ? json : [json]
}
