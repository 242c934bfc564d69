// Numbers of one type as the same numbers of another: of another size, byte order or kind. A number that the new type
// does not hold exactly is an error: the result of libhdf5 would depend on the byte orders of both types.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import type { Datatype, FloatType, IntegerType } from '@hyperslab/model/datatype'
import {
  dataViewOf,
  type Elements,
  EMPTY_HEAP,
  readFloat,
  readInteger,
  roundToSize,
  writeFloat,
  writeInteger,
} from '@hyperslab/model/values'
import type { ConvertNumber } from '../../file-reader.ts'

export type NumberType = IntegerType | FloatType

export function isNumberType(type: Datatype): type is NumberType {
  return type.class === 'H5T_INTEGER' || type.class === 'H5T_FLOAT'
}

/** Numbers between two checks of the clock. */
const STEP = 4096

/** The elements in another type, after `convert` if it is given. */
export async function convertNumbers(
  from: NumberType,
  to: NumberType,
  { count, data }: Elements,
  convert?: ConvertNumber,
): Promise<Elements> {
  const converted = new Uint8Array(count * to.size)
  const [source, target] = [dataViewOf(data), dataViewOf(converted)]
  const read =
    from.class === 'H5T_INTEGER' ? readInteger.bind(undefined, from) : readFloat.bind(undefined, from)
  const write = to.class === 'H5T_INTEGER' ? integerWriter(to) : floatWriter(to)
  for (let first = 0; first < count; first += STEP) {
    if (isTurnOver()) await nextTurn()
    const end = Math.min(count, first + STEP)
    for (let index = first; index < end; index++) {
      const stored = read(source, index * from.size)
      write(target, index * to.size, convert ? convert(stored) : stored)
    }
  }
  return { count, data: converted, heap: EMPTY_HEAP }
}

type NumberWriter = (view: DataView, offset: number, value: number | bigint) => void

function integerWriter(type: IntegerType): NumberWriter {
  const bits = type.size * 8
  const least = type.signed ? -(2 ** (bits - 1)) : 0
  const end = type.signed ? 2 ** (bits - 1) : 2 ** bits
  return (view, at, value) => {
    const isHeld = value >= least && value < end && (typeof value === 'bigint' || Number.isInteger(value))
    if (!isHeld) throw notHeld(value, `${type.signed ? 'signed' : 'unsigned'} integers of ${bits} bits`)
    writeInteger(type, view, at, value)
  }
}

function floatWriter(type: FloatType): NumberWriter {
  return (view, offset, value) => {
    const float = roundToSize(Number(value), type.size)
    // Not `===`: one may be a bigint.
    const isHeld = (float >= value && float <= value) || Number.isNaN(value)
    if (!isHeld) throw notHeld(value, `floats of ${type.size * 8} bits`)
    writeFloat(type, view, offset, float)
  }
}

function notHeld(value: number | bigint, numbers: string): HyperslabError {
  return new HyperslabError(
    'type-unsupported',
    `a source of the virtual dataset holds ${value}, which ${numbers} cannot hold: only numbers that stay the ` +
      'same are converted',
  )
}
