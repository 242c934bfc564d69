// Dates and durations of NumPy, which h5py stores as opaque bytes: the tag is `NUMPY:` and their dtype. The page and
// the formats of the service both ask here.

export type DateUnit = 'Y' | 'M' | 'W' | 'D' | 'h' | 'm' | 's' | 'ms' | 'us' | 'ns' | 'ps' | 'fs' | 'as'

/** Numbers of `count` units; dates count from 1970. */
export interface NumpyDates {
  readonly kind: 'date' | 'duration'
  readonly unit: DateUnit
  readonly count: number
  readonly isLittleEndian: boolean
  /** The string of the dtype: `<M8[ns]`. */
  readonly dtype: string
}

const TAG = /^NUMPY:([<>])([Mm])8\[([1-9]\d{0,8})?(Y|M|W|D|h|m|s|ms|us|ns|ps|fs|as)\]$/

/** Undefined: the tag of an opaque type of that many bytes says something else. A unit is needed. */
export function numpyDates(tag: string | undefined, size: number): NumpyDates | undefined {
  const [all, order, letter, count, unit] = TAG.exec(tag ?? '') ?? []
  if (all === undefined || size !== 8) return undefined
  return {
    kind: letter === 'M' ? 'date' : 'duration',
    // The pattern has these units only.
    unit: unit as DateUnit,
    count: Number(count ?? 1),
    isLittleEndian: order === '<',
    dtype: all.slice('NUMPY:'.length),
  }
}

/** The number that stands for no date and no duration. */
export const NOT_A_TIME = -(2n ** 63n)

/** Units in a second, and digits after its point; for longer units the seconds in one. */
const FRACTIONS: Readonly<Record<string, number>> = { s: 0, ms: 3, us: 6, ns: 9, ps: 12, fs: 15, as: 18 }
const SECONDS: Readonly<Record<string, bigint>> = { W: 604_800n, D: 86_400n, h: 3600n, m: 60n, s: 1n }

/** A date as ISO 8601 has it, to its unit, and a duration as well: `2020-01-31T10:30:00.000`, `PT1.5S`; or `NaT`. */
export function dateText({ kind, unit, count }: NumpyDates, stored: bigint): string {
  if (stored === NOT_A_TIME) return 'NaT'
  const value = stored * BigInt(count)
  return kind === 'date' ? textOfDate(unit, value) : textOfDuration(unit, value)
}

/** Whole seconds since 1970, or of a duration; undefined: the unit is shorter, or a duration of months. */
export function wholeSeconds({ kind, unit, count }: NumpyDates, stored: bigint): bigint | undefined {
  const value = stored * BigInt(count)
  const seconds = SECONDS[unit]
  if (seconds !== undefined) return value * seconds
  if (kind === 'duration' || (unit !== 'Y' && unit !== 'M')) return undefined
  return daysUntil(unit === 'Y' ? value * 12n : value) * 86_400n
}

function textOfDate(unit: DateUnit, value: bigint): string {
  if (unit === 'Y') return yearText(value + 1970n)
  if (unit === 'M') return monthText(value)
  const digits = FRACTIONS[unit] ?? 0
  const perSecond = 10n ** BigInt(digits)
  const seconds = (SECONDS[unit] ?? 1n) * (digits === 0 ? value : floorDivide(value, perSecond))
  const days = floorDivide(seconds, 86_400n)
  const date = dayText(days)
  if (unit === 'W' || unit === 'D') return date
  const inDay = seconds - days * 86_400n
  const [hours, minutes] = [inDay / 3600n, (inDay / 60n) % 60n]
  const time = `${date}T${padded(hours, 2)}:${padded(minutes, 2)}`
  if (unit === 'h' || unit === 'm') return time
  const fraction = value - floorDivide(value, perSecond) * perSecond
  return `${time}:${padded(inDay % 60n, 2)}${digits === 0 ? '' : `.${padded(fraction, digits)}`}`
}

const LETTERS: Readonly<Record<string, string>> = { Y: 'Y', M: 'M', W: 'W', D: 'D', h: 'H', m: 'M' }

function textOfDuration(unit: DateUnit, value: bigint): string {
  const sign = value < 0n ? '-' : ''
  const magnitude = value < 0n ? -value : value
  const letter = LETTERS[unit]
  if (letter !== undefined) return `${sign}P${unit === 'h' || unit === 'm' ? 'T' : ''}${magnitude}${letter}`
  const digits = FRACTIONS[unit] ?? 0
  const perSecond = 10n ** BigInt(digits)
  const fraction = padded(magnitude % perSecond, digits).replace(/0+$/, '')
  return `${sign}PT${magnitude / perSecond}${digits === 0 || fraction === '' ? '' : `.${fraction}`}S`
}

function floorDivide(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor
  return value % divisor < 0n ? quotient - 1n : quotient
}

function padded(value: bigint, digits: number): string {
  return String(value).padStart(digits, '0')
}

function yearText(year: bigint): string {
  return year < 0n ? `-${padded(-year, 4)}` : padded(year, 4)
}

/** Months since January 1970. */
function monthText(months: bigint): string {
  const years = floorDivide(months, 12n)
  return `${yearText(years + 1970n)}-${padded(months - years * 12n + 1n, 2)}`
}

/** Days of a cycle of 400 years in the Gregorian calendar. */
const CYCLE = 146_097n

/** Days from 1970 until the first of a month, given as months since January 1970. */
function daysUntil(months: bigint): bigint {
  const years = floorDivide(months, 12n)
  const cycles = floorDivide(years, 400n)
  const year = Number(years - cycles * 400n) + 1970
  const month = Number(months - years * 12n)
  return cycles * CYCLE + BigInt(Date.UTC(year, month, 1) / 86_400_000)
}

/** Days since 1970. */
function dayText(days: bigint): string {
  const cycles = floorDivide(days, CYCLE)
  const date = new Date(Number(days - cycles * CYCLE) * 86_400_000)
  const months = BigInt((date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()) + cycles * 4800n
  return `${monthText(months)}-${padded(BigInt(date.getUTCDate()), 2)}`
}
