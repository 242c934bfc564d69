// Times of one file in the units of another: they count from another moment, or in another unit (CF 4.4).

import { HyperslabError } from '@hyperslab/base/errors'
import { type TimeConversion, timeConversion } from '@hyperslab/meaning/meaning'
import type { Datatype, FloatType, IntegerType } from '@hyperslab/model/datatype'
import { areEqual, type ConvertNumber, isNumber, type MeantType, timeUnitsOf } from './meaning.ts'
import { TIME_ATTRIBUTES } from './outlines/outline.ts'

/** How times of a file become those of the first one. Undefined: the attributes are equal, or these are no times. */
export function timesInFirst(other: MeantType, first: MeantType): TimeConversion | undefined {
  if (areEqual(TIME_ATTRIBUTES, other, first)) return undefined
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
export function typeOfTimes(type: Datatype, conversions: readonly TimeConversion[]): IntegerType | FloatType {
  const order = isNumber(type) ? type.order : 'LE'
  const areWhole = type.class === 'H5T_INTEGER' && conversions.every(({ divisor }) => divisor === 1n)
  return areWhole
    ? { class: 'H5T_INTEGER', size: 8, signed: true, order }
    : { class: 'H5T_FLOAT', size: 8, order }
}

/** Converts times, and leaves numbers that stand for missing values as they are. */
export function timeConverter(
  conversion: TimeConversion,
  type: Datatype,
  missing: ReadonlySet<number | bigint>,
): ConvertNumber {
  const isFloat = type.class === 'H5T_FLOAT'
  const convert = isFloat ? floatTimes(conversion) : integerTimes(conversion)
  return stored => {
    // Clients compare it with the attribute as floats, too.
    if (missing.has(stored)) return isFloat ? Number(stored) : stored
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
