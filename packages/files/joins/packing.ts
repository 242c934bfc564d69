// Packed numbers as the values that they stand for (CF 2.5.1, 8.1).

import { signChange } from '@hyperslab/meaning/meaning'
import type { Datatype, FloatType, IntegerType } from '@hyperslab/model/datatype'
import { dataViewOf, type Elements, EMPTY_HEAP, writeFloat, writeInteger } from '@hyperslab/model/values'
import { commonType } from './common-type.ts'
import {
  type ConvertNumber,
  isNumber,
  type Meaning,
  type MeantType,
  missingNumbers,
  numbersOf,
  textOf,
} from './meaning.ts'
import { PACKING_ATTRIBUTES } from './outlines/outline.ts'

/** Attributes that speak of stored numbers: unpacked ones are without them. */
export const HIDDEN_ATTRIBUTES: readonly string[] = [
  ...PACKING_ATTRIBUTES,
  'valid_min',
  'valid_max',
  'valid_range',
]

/**
 * The values that packed numbers stand for: NaN for missing ones (CF 8.1). A string: the reason why they cannot be
 * unpacked.
 */
export function unpacker({ type, meaning }: MeantType): ConvertNumber | string {
  if (!isNumber(type)) return 'its elements are not numbers'
  for (const name of ['scale_factor', 'add_offset'])
    if (
      meaning.has(name) &&
      !(numbersOf(meaning, name).length === 1 && Number.isFinite(numberOf(meaning, name, 0)))
    )
      return `its ${name} is not one finite number`
  const [factor, offset] = [numberOf(meaning, 'scale_factor', 1), numberOf(meaning, 'add_offset', 0)]
  const isScaled = meaning.has('scale_factor') || meaning.has('add_offset')
  const toSigned = signOf(type, meaning)
  const missing = new Set(missingNumbers(meaning).map(toSigned))
  return stored => {
    const value = toSigned(stored)
    if (missing.has(value)) return Number.NaN
    return isScaled ? Number(value) * factor + offset : value
  }
}

/** The sign that `_Unsigned` gives to integers. */
function signOf(type: Datatype, meaning: Meaning): ConvertNumber {
  const form =
    type.class === 'H5T_INTEGER'
      ? ({ kind: type.signed ? 'signed' : 'unsigned', size: type.size } as const)
      : ({ kind: 'float', size: 8 } as const)
  const data = [textOf(meaning, '_Unsigned')]
  return signChange(form, new Map([['_Unsigned', { data }]])) ?? (stored => stored)
}

/** The type of unpacked numbers: floats of 64 bits, or smaller ones that hold all stored numbers, if none is scaled. */
export function typeOfValues(type: Datatype, datasets: readonly MeantType[]): FloatType {
  const areScaled = datasets.some(({ meaning }) => meaning.has('scale_factor') || meaning.has('add_offset'))
  const float = { class: 'H5T_FLOAT', size: 4, order: isNumber(type) ? type.order : 'LE' } as const
  const common = areScaled ? undefined : commonType(type, float)
  return common?.class === 'H5T_FLOAT' ? common : { ...float, size: 8 }
}

/** An element that is NaN. */
export function notANumber(type: FloatType): Elements {
  const data = new Uint8Array(type.size)
  writeFloat(type, dataViewOf(data), 0, Number.NaN)
  return { count: 1, data, heap: EMPTY_HEAP }
}

/** The element that `_FillValue` is, whatever the fill value of HDF5; undefined: it is none of the type. */
export function namedFill(type: IntegerType | FloatType, meaning: Meaning): Elements | undefined {
  const [value, ...others] = numbersOf(meaning, '_FillValue')
  if (value === undefined || others.length > 0) return undefined
  const data = new Uint8Array(type.size)
  const view = dataViewOf(data)
  if (type.class === 'H5T_FLOAT') {
    writeFloat(type, view, 0, Number(value))
  } else {
    if (typeof value === 'number' && !Number.isInteger(value)) return undefined
    const held = (type.signed ? BigInt.asIntN : BigInt.asUintN)(8 * type.size, BigInt(value))
    if (held !== BigInt(value)) return undefined
    writeInteger(type, view, 0, value)
  }
  return { count: 1, data, heap: EMPTY_HEAP }
}

function numberOf(meaning: Meaning, name: string, absent: number): number {
  return Number(numbersOf(meaning, name)[0] ?? absent)
}
