// The meaning of the numbers of a dataset by its attributes, as outlines have them.

import type { JoinedDataset } from '@hyperslab/h5/reader'
import { parseTimeUnits, type TimeUnits } from '@hyperslab/meaning/meaning'
import type { Datatype, FloatType, IntegerType } from '@hyperslab/model/datatype'
import type { OutlinedDataset } from './outlines/outline.ts'

export type ConvertNumber = NonNullable<JoinedDataset['parts'][number]['convert']>
export type MeantType = Pick<OutlinedDataset, 'type' | 'meaning'>
export type Meaning = OutlinedDataset['meaning']

/** Whether two datasets have the same values of these attributes. */
export function areEqual(names: readonly string[], one: MeantType, other: MeantType): boolean {
  return names.every(name => one.meaning.get(name) === other.meaning.get(name))
}

export function isNumber(type: Datatype): type is IntegerType | FloatType {
  return type.class === 'H5T_INTEGER' || type.class === 'H5T_FLOAT'
}

/** The units of a dataset whose numbers are times; undefined: they are none. */
export function timeUnitsOf({ type, meaning }: MeantType): TimeUnits | undefined {
  const units = isNumber(type) ? textOf(meaning, 'units') : undefined
  const parsed = units === undefined ? '' : parseTimeUnits(units, textOf(meaning, 'calendar'))
  return typeof parsed === 'string' ? undefined : parsed
}

/** Whether stored numbers stand for other ones. */
export function isPacked({ meaning }: MeantType): boolean {
  return ['scale_factor', 'add_offset', '_Unsigned'].some(name => meaning.has(name))
}

/** The numbers that stand for missing values. */
export function missingNumbers(meaning: Meaning): readonly (number | bigint)[] {
  return ['_FillValue', 'missing_value'].flatMap(name => numbersOf(meaning, name))
}

/** The string of an attribute that is one string. */
export function textOf(meaning: Meaning, name: string): string | undefined {
  const [, json] = /^\[?("(?:[^"\\]|\\.)*")\]?$/.exec(meaning.get(name) ?? '') ?? []
  return json === undefined ? undefined : String(JSON.parse(json))
}

/** The numbers of an attribute; none if it has other elements. */
export function numbersOf(meaning: Meaning, name: string): readonly (number | bigint)[] {
  const text = meaning.get(name)?.replace(/[[\]\s]/g, '') ?? ''
  if (text === '' || text.includes('"')) return []
  return text.split(',').map(one => {
    const number = Number(one)
    return /^-?\d+$/.test(one) && !Number.isSafeInteger(number) ? BigInt(one) : number
  })
}
