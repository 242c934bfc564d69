// The meaning of the numbers of a file by their attributes, and the conversion of the numbers of one file to those that
// mean the same in the joined dataset: times that count from another moment or in another unit (CF 4.4).

import { HyperslabError } from '@hyperslab/base/errors'
import type { JoinedDataset } from '@hyperslab/h5/reader'
import {
  parseTimeUnits,
  type TimeConversion,
  type TimeUnits,
  timeConversion,
} from '@hyperslab/meaning/meaning'
import type { Datatype } from '@hyperslab/model/datatype'
import { type OutlinedDataset, TIME_ATTRIBUTES } from './outline.ts'

type ConvertNumber = NonNullable<JoinedDataset['parts'][number]['convert']>
type Meaning = OutlinedDataset['meaning']
type MeantType = Pick<OutlinedDataset, 'type' | 'meaning'>

/** Attributes by which stored numbers stand for other ones. */
const PACKING = ['scale_factor', 'add_offset', '_Unsigned'] as const

/** The units of a dataset whose numbers are times; undefined: they are none, or they are packed. */
export function timeUnitsOf({ type, meaning }: MeantType): TimeUnits | undefined {
  if (type.class !== 'H5T_INTEGER' && type.class !== 'H5T_FLOAT') return undefined
  const units = textOf(meaning, 'units')
  if (units === undefined || PACKING.some(name => meaning.has(name))) return undefined
  const parsed = parseTimeUnits(units, textOf(meaning, 'calendar'))
  return typeof parsed === 'string' ? undefined : parsed
}

/** How times of a file become those of the first one. Undefined: the attributes are equal, or these are no times. */
export function timesInFirst(other: MeantType, first: MeantType): TimeConversion | undefined {
  if (TIME_ATTRIBUTES.every(name => other.meaning.get(name) === first.meaning.get(name))) return undefined
  const [from, to] = [timeUnitsOf(other), timeUnitsOf(first)]
  return from && to && timeConversion(from, to)
}

/** Whether times stay the same numbers. */
export function isSame({ factor, offset, divisor }: TimeConversion): boolean {
  return factor === divisor && offset === 0n
}

/**
 * The type of times of which some are converted: all integers of 64 bits have room for other moments, and floats of 64
 * bits for parts of a unit.
 */
export function typeOfTimes(type: Datatype, conversions: readonly TimeConversion[]): Datatype {
  const order = type.class === 'H5T_INTEGER' || type.class === 'H5T_FLOAT' ? type.order : 'LE'
  const areWhole = type.class === 'H5T_INTEGER' && conversions.every(({ divisor }) => divisor === 1n)
  return areWhole
    ? { class: 'H5T_INTEGER', size: 8, signed: true, order }
    : { class: 'H5T_FLOAT', size: 8, order }
}

/** Converts times, and leaves numbers that stand for missing values as they are. */
export function timeConverter(conversion: TimeConversion, type: Datatype, meaning: Meaning): ConvertNumber {
  const missing = new Set(['_FillValue', 'missing_value'].flatMap(name => numbersOf(meaning, name)))
  const convert = type.class === 'H5T_INTEGER' ? integerTimes(conversion) : floatTimes(conversion)
  return stored => {
    if (missing.has(stored)) return stored
    const converted = convert(stored)
    if (!missing.has(converted)) return converted
    const reason = `the time ${stored} is ${converted} in the units of the first file, where that is a missing value`
    throw new HyperslabError('file-unreadable', reason)
  }
}

function integerTimes({ factor, offset }: TimeConversion): ConvertNumber {
  const [times, plus] = [Number(factor), Number(offset)]
  const areSafe = Number.isSafeInteger(times) && Number.isSafeInteger(plus)
  return stored => {
    const product = typeof stored === 'number' && areSafe ? stored * times : Number.NaN
    const isExact = Number.isSafeInteger(product) && Number.isSafeInteger(product + plus)
    return isExact ? product + plus : BigInt(stored) * factor + offset
  }
}

/**
 * Clients multiply a float by the nanoseconds of its unit and cut off the rest (xarray). Of the floats next to a time
 * the one is taken that so becomes the same nanosecond as the time of the file.
 */
function floatTimes({ from, to, factor, offset, divisor }: TimeConversion): ConvertNumber {
  const [times, plus, by] = [factor, offset, divisor].map(Number)
  const [unit, otherUnit, shift] = [from.unit, to.unit, from.start - to.start].map(Number)
  return stored => {
    if (typeof stored === 'bigint') return Number(stored * factor + offset) / by
    const nearest = (stored * times + plus) / by
    if (Number.isInteger(nearest) || !Number.isFinite(nearest)) return nearest
    const moment = Math.trunc(stored * unit) + shift
    const step = Math.abs(nearest) * Number.EPSILON
    const floats = [nearest, nearest + step, nearest - step]
    return floats.find(float => Math.trunc(float * otherUnit) === moment) ?? nearest
  }
}

/** The string of an attribute that is one string. */
function textOf(meaning: Meaning, name: string): string | undefined {
  const [, json] = /^\[?("(?:[^"\\]|\\.)*")\]?$/.exec(meaning.get(name) ?? '') ?? []
  return json === undefined ? undefined : String(JSON.parse(json))
}

/** The numbers of an attribute; none if it has other elements. */
function numbersOf(meaning: Meaning, name: string): readonly (number | bigint)[] {
  const text = meaning.get(name)?.replace(/[[\]\s]/g, '') ?? ''
  if (text === '' || text.includes('"')) return []
  return text.split(',').map(one => {
    const number = Number(one)
    return /^-?\d+$/.test(one) && !Number.isSafeInteger(number) ? BigInt(one) : number
  })
}
