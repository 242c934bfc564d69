// Elements of a source as elements of the dataset that has them: numbers, longer strings, enums with more names.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { type Datatype, type EnumType, isSameType, type StringType } from '@hyperslab/model/datatype'
import type { Elements } from '@hyperslab/model/values'
import type { ConvertNumber } from '../../file-reader.ts'
import { convertNumbers, isNumberType } from './number-conversion.ts'

type ConvertElements = (elements: Elements) => Elements | Promise<Elements>

/** The conversion from one type to another, of numbers after `convert` if it is given. Undefined: there is none. */
export function elementConversion(
  from: Datatype,
  to: Datatype,
  convert?: ConvertNumber,
): ConvertElements | undefined {
  if (isNumberType(from) && isNumberType(to)) return elements => convertNumbers(from, to, elements, convert)
  if (isSameType(from, to)) return elements => elements
  if (from.class === 'H5T_STRING' && to.class === 'H5T_STRING') return stringConversion(from, to)
  if (from.class === 'H5T_ENUM' && to.class === 'H5T_ENUM' && hasMembersOf(to, from))
    return elements => elements
  return undefined
}

/** Strings of a fixed length as longer ones. */
function stringConversion(from: StringType, to: StringType): ConvertElements | undefined {
  const { length, charSet, strPad } = from
  if (length === 'H5T_VARIABLE' || to.length === 'H5T_VARIABLE' || length > to.length) return undefined
  if (charSet !== to.charSet || strPad !== to.strPad) return undefined
  const size = to.length
  return async ({ count, data, heap }) => {
    const padded = new Uint8Array(count * size)
    if (strPad === 'H5T_STR_SPACEPAD') padded.fill(' '.charCodeAt(0))
    for (let index = 0; index < count; index++) {
      if (isTurnOver()) await nextTurn()
      padded.set(data.subarray(index * length, (index + 1) * length), index * size)
    }
    return { count, data: padded, heap }
  }
}

/** Whether elements of the other enum are the same numbers here, and have their names. */
function hasMembersOf({ base, members }: EnumType, other: EnumType): boolean {
  const values = new Map(members.map(({ name, value }) => [name, value]))
  return isSameType(base, other.base) && other.members.every(({ name, value }) => values.get(name) === value)
}
