// The type of a joined dataset: the smallest one that holds the elements of all files without loss.

import {
  type Datatype,
  type EnumMember,
  type EnumType,
  isSameType,
  type StringType,
} from '@hyperslab/model/datatype'

/** Bits of integers that floats of a size in bytes hold exactly: those of the significand (IEEE 754). */
const SIGNIFICANDS = { 2: 11, 4: 24, 8: 53 } as const

/** The smallest of both types, or a larger one, that holds all elements of both. Undefined: there is none. */
export function commonType(a: Datatype, b: Datatype): Datatype | undefined {
  if (isSameType(a, b)) return a
  if (a.class === 'H5T_STRING' && b.class === 'H5T_STRING') return longerString(a, b)
  if (a.class === 'H5T_ENUM' && b.class === 'H5T_ENUM') return largerEnum(a, b)
  if (a.class === 'H5T_FLOAT' && b.class === 'H5T_FLOAT')
    return a.size >= b.size ? a : { ...b, order: a.order }
  if (a.class === 'H5T_INTEGER' && b.class === 'H5T_INTEGER') {
    if (isPartial(a) || isPartial(b)) return undefined
    if (a.signed === b.signed) return a.size >= b.size ? a : { ...b, order: a.order }
    const [signed, unsigned] = a.signed ? [a.size, b.size] : [b.size, a.size]
    const size = Math.max(signed, 2 * unsigned)
    return isIntegerSize(size) ? { class: 'H5T_INTEGER', size, signed: true, order: a.order } : undefined
  }
  const [integer, float] = a.class === 'H5T_INTEGER' ? [a, b] : [b, a]
  if (integer.class !== 'H5T_INTEGER' || float.class !== 'H5T_FLOAT' || isPartial(integer)) return undefined
  const bits = 8 * integer.size - (integer.signed ? 1 : 0)
  const size = ([2, 4, 8] as const).find(size => size >= float.size && bits <= SIGNIFICANDS[size])
  return size && { class: 'H5T_FLOAT', size, order: float.order }
}

/** Whether an integer does not use all bits of its bytes. */
function isPartial({ precision, offset }: Extract<Datatype, { class: 'H5T_INTEGER' }>): boolean {
  return precision !== undefined || offset !== undefined
}

function isIntegerSize(size: number): size is 1 | 2 | 4 | 8 {
  return [1, 2, 4, 8].includes(size)
}

/** The longer one of two strings of fixed lengths. */
function longerString(a: StringType, b: StringType): StringType | undefined {
  if (a.length === 'H5T_VARIABLE' || b.length === 'H5T_VARIABLE') return undefined
  if (a.charSet !== b.charSet || a.strPad !== b.strPad) return undefined
  return a.length > b.length ? a : b
}

/** The members of both, if no name has two values and no value two names. */
function largerEnum(a: EnumType, b: EnumType): EnumType | undefined {
  if (!isSameType(a.base, b.base)) return undefined
  const isIn = (one: EnumMember) =>
    a.members.some(({ name, value }) => name === one.name && value === one.value)
  const members = [...a.members, ...b.members.filter(one => !isIn(one))]
  const isOneToOne = (['name', 'value'] as const).every(
    key => new Set(members.map(member => member[key])).size === members.length,
  )
  return isOneToOne ? { ...a, members } : undefined
}

/**
 * The type of times of which some are integers of 64 bits and others floats, as xarray writes them: floats of 64 bits
 * hold all milliseconds of 285,000 years. Undefined: these are not numbers.
 */
export function timeType(a: Datatype, b: Datatype): Datatype | undefined {
  const areNumbers = [a, b].every(({ class: name }) => name === 'H5T_INTEGER' || name === 'H5T_FLOAT')
  const order = a.class === 'H5T_INTEGER' || a.class === 'H5T_FLOAT' ? a.order : 'LE'
  return areNumbers ? { class: 'H5T_FLOAT', size: 8, order } : undefined
}

/** The type in messages. */
export function nameOfType(type: Datatype): string {
  if (type.class === 'H5T_FLOAT') return `float${8 * type.size}`
  return type.class === 'H5T_INTEGER' ? `${type.signed ? 'int' : 'uint'}${8 * type.size}` : type.class
}
