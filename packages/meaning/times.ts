// Times as dates: a number and its units, such as `days since 1850-01-01`, in the calendars of CF (4.4.1). Whole
// numbers are exact, also 64-bit nanoseconds; floats are rounded to the time that their last digits still distinguish.
//
// Calendars without a year 0 (standard, julian) count -1, 1, as Python's cftime does; the others have one.

export type CalendarName = keyof typeof CALENDARS

/** The units of time values, and the moment from which they count. */
export interface TimeUnits {
  readonly calendar: CalendarName
  /** Nanoseconds of one unit. */
  readonly unit: bigint
  /** Nanoseconds from day 0 of the calendar to the moment 0. */
  readonly start: bigint
}

interface Calendar {
  /** Days since 1970-01-01, or since another day that is fixed for the calendar. Years have a 0. */
  readonly toDay: (year: number, month: number, day: number) => number
  readonly fromDay: (day: number) => Civil
  /** Whether the year before 1 is written -1. */
  readonly skipsZero: boolean
}

type Civil = readonly [year: number, month: number, day: number]

const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** The first day that the standard calendar counts as Gregorian: 1582-10-15. */
const SWITCH = -141_427
/** The day of the Julian calendar that would be 1970-01-01 there, counted from the Gregorian one. */
const JULIAN_OFFSET = 13

/** A calendar of March years: their leap day is the last day. */
function leapCalendar(toDays: (year: number) => number, offset: number): Omit<Calendar, 'skipsZero'> {
  const start = toDays(1969) + 306 - offset
  const toDay = (year: number, month: number, day: number) => {
    const marchYear = month > 2 ? year : year - 1
    const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1
    return toDays(marchYear) + dayOfYear - start
  }
  const fromDay = (day: number): Civil => {
    const days = day + start
    let year = Math.floor(days / 365.2425)
    while (toDays(year) > days) year--
    while (toDays(year + 1) <= days) year++
    const dayOfYear = days - toDays(year)
    const month = Math.floor((5 * dayOfYear + 2) / 153)
    return [
      month < 10 ? year : year + 1,
      ((month + 2) % 12) + 1,
      dayOfYear - Math.floor((153 * month + 2) / 5) + 1,
    ]
  }
  return { toDay, fromDay }
}

/** A calendar whose years are all the same. */
function equalCalendar(lengths: readonly number[]): Calendar {
  const starts = lengths.map((_, month) => sum(lengths.slice(0, month)))
  const yearLength = sum(lengths)
  return {
    skipsZero: false,
    toDay: (year, month, day) => (year - 1970) * yearLength + (starts[month - 1] ?? 0) + day - 1,
    fromDay: day => {
      const year = Math.floor(day / yearLength)
      const dayOfYear = day - year * yearLength
      const month = starts.findLastIndex(start => start <= dayOfYear)
      return [year + 1970, month + 1, dayOfYear - (starts[month] ?? 0) + 1]
    },
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

const GREGORIAN = leapCalendar(
  year => 365 * year + Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400),
  0,
)
const JULIAN = leapCalendar(year => 365 * year + Math.floor(year / 4), JULIAN_OFFSET)

const STANDARD: Calendar = {
  skipsZero: true,
  toDay: (year, month, day) => {
    const gregorian = GREGORIAN.toDay(year, month, day)
    return gregorian >= SWITCH ? gregorian : JULIAN.toDay(year, month, day)
  },
  fromDay: day => (day >= SWITCH ? GREGORIAN : JULIAN).fromDay(day),
}

const NO_LEAP = equalCalendar(LENGTHS)
const ALL_LEAP = equalCalendar(LENGTHS.with(1, 29))
const CALENDARS = {
  standard: STANDARD,
  gregorian: STANDARD,
  proleptic_gregorian: { ...GREGORIAN, skipsZero: false },
  julian: { ...JULIAN, skipsZero: true },
  noleap: NO_LEAP,
  '365_day': NO_LEAP,
  all_leap: ALL_LEAP,
  '366_day': ALL_LEAP,
  '360_day': equalCalendar(Array(12).fill(30)),
} as const satisfies Record<string, Calendar>

const SECOND = 1_000_000_000n
const MINUTE = 60n * SECOND
const HOUR = 60n * MINUTE
const DAY = 24n * HOUR

const UNITS: ReadonlyMap<string, bigint> = new Map(
  (
    [
      ['ns nsec nsecs nanosec nanosecs nanosecond nanoseconds', 1n],
      ['us µs μs usec usecs microsec microsecs microsecond microseconds', 1000n],
      ['ms msec msecs millisec millisecs millisecond milliseconds', 1_000_000n],
      ['s sec secs second seconds', SECOND],
      ['min mins minute minutes', MINUTE],
      ['h hr hrs hour hours', HOUR],
      ['d day days', DAY],
      ['week weeks', 7n * DAY],
    ] as const
  ).flatMap(([names, length]) => names.split(' ').map(name => [name, length] as const)),
)

/** The nanoseconds of a unit of time; undefined: it is none, or of no fixed length. */
export function unitOfTime(name: string): bigint | undefined {
  return UNITS.get(name.trim().toLowerCase())
}

/** Months have the same length in this calendar only. */
const UNITS_OF_360_DAYS: ReadonlyMap<string, bigint> = new Map([
  ['month', 30n * DAY],
  ['months', 30n * DAY],
  ['year', 360n * DAY],
  ['years', 360n * DAY],
])

/** Whether the units are those of a time: `days since 1850-01-01`. */
export function isTimeUnits(units: string): boolean {
  return SINCE.test(units)
}

const SINCE = /^\s*([a-zµμ]+)\s+(?:since|after|from)\s+(\S.*)$/i

/** The units of a time in a calendar; a string: why they have no dates. */
export function parseTimeUnits(units: string, calendarName = 'standard'): TimeUnits | string {
  const name = calendarName.trim().toLowerCase()
  if (!isCalendarName(name)) return `the calendar ${JSON.stringify(calendarName)} has no dates`
  const [, unitName = '', startText = ''] = SINCE.exec(units) ?? []
  const unit =
    unitOfTime(unitName) ?? (name === '360_day' ? UNITS_OF_360_DAYS.get(unitName.toLowerCase()) : undefined)
  if (unit === undefined) return `${JSON.stringify(unitName)} is no unit of time of a fixed length`
  const start = parseMoment(startText, name)
  if (start === undefined) return `${JSON.stringify(startText)} is no date of the calendar ${name}`
  return { calendar: name, unit, start }
}

function isCalendarName(name: string): name is CalendarName {
  return Object.hasOwn(CALENDARS, name)
}

const MOMENT =
  /^([+-]?\d{1,7})(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?:[T_\s]+(\d{1,2})(?::(\d{1,2})(?::(\d{1,2})(?:[.,](\d*))?)?)?)?\s*(?:Z|UTC|GMT|([+-])(\d{1,2}):?(\d{2})?)?$/i

/** The nanoseconds from day 0 of the calendar to a moment such as `1850-01-01 12:00 +1:00`; undefined: it is none. */
export function parseMoment(
  text: string,
  calendarName: CalendarName = 'proleptic_gregorian',
): bigint | undefined {
  const match = MOMENT.exec(text.trim())
  if (!match) return undefined
  const [, yearText, monthText = '1', dayText = '1', hours = '0', minutes = '0', seconds = '0', part = ''] =
    match
  const [, , , , , , , , sign, zoneHours = '0', zoneMinutes = '0'] = match
  const calendar: Calendar = CALENDARS[calendarName]
  const written = Number(yearText)
  const year = calendar.skipsZero && written < 0 ? written + 1 : written
  const [month, day] = [Number(monthText), Number(dayText)]
  if (month < 1 || month > 12 || Number(hours) > 24 || Number(minutes) > 59 || Number(seconds) > 60)
    return undefined
  const days = calendar.toDay(year, month, day)
  // A day such as February 30 is another one.
  if (String(calendar.fromDay(days)) !== String([year, month, day])) return undefined
  const zone = (sign === '-' ? -1n : 1n) * (BigInt(zoneHours) * HOUR + BigInt(zoneMinutes) * MINUTE)
  const time = BigInt(hours) * HOUR + BigInt(minutes) * MINUTE + BigInt(seconds) * SECOND
  return BigInt(days) * DAY + time + BigInt(part.padEnd(9, '0').slice(0, 9)) - zone
}

/** The steps to which times are rounded, in nanoseconds. */
const STEPS = [
  1n,
  10n,
  100n,
  1000n,
  10_000n,
  100_000n,
  1_000_000n,
  10_000_000n,
  100_000_000n,
  SECOND,
  MINUTE,
  HOUR,
  DAY,
]

/** Years beyond are numbers. */
const LAST_DAY = 3.65e9

/** The date of a value: `2000-01-16`, or with the time of day, if it is not midnight; undefined: it has none. */
export function formatTime(
  value: number | bigint,
  { calendar, unit, start }: TimeUnits,
  /** The bits of the numbers, if the value is a float: 24 of float32. */
  bits: 11 | 24 | 53 = 53,
): string | undefined {
  if (typeof value === 'bigint') return formatMoment(start + value * unit, calendar)
  if (!Number.isFinite(value) || Math.abs(value) * Number(unit) > LAST_DAY * Number(DAY)) return undefined
  const moment = momentOf(value, { unit, start })
  const last = 2 ** (Math.floor(Math.log2(Math.abs(value) || 1)) - bits + 1)
  // Integers are exact.
  const isWhole = (moment - start) % unit === 0n
  const step = isWhole ? 1n : (STEPS.find(step => Number(step) >= 2 * last * Number(unit)) ?? DAY)
  return formatMoment(roundedDown(moment + step / 2n, step) * step, calendar)
}

/** The nanoseconds from day 0 of the calendar to a time, which is finite. */
export function momentOf(value: number | bigint, { unit, start }: Pick<TimeUnits, 'unit' | 'start'>): bigint {
  if (typeof value === 'bigint') return start + value * unit
  const whole = Math.floor(value)
  return start + BigInt(whole) * unit + BigInt(Math.round((value - whole) * Number(unit)))
}

/** The number of a time in other units: its number times the factor, plus the offset, divided by the divisor. */
export interface TimeConversion {
  readonly from: TimeUnits
  readonly to: TimeUnits
  readonly factor: bigint
  readonly offset: bigint
  readonly divisor: bigint
}

/** Undefined: the calendars differ. */
export function timeConversion(from: TimeUnits, to: TimeUnits): TimeConversion | undefined {
  const calendars: readonly Calendar[] = [CALENDARS[from.calendar], CALENDARS[to.calendar]]
  if (calendars[0] !== calendars[1]) return undefined
  const parts = [from.unit, from.start - to.start, to.unit] as const
  const divisor = parts.reduce(greatestDivisor)
  const [factor, offset, rest] = parts.map(part => part / divisor) as [bigint, bigint, bigint]
  return { from, to, factor, offset, divisor: rest }
}

function greatestDivisor(a: bigint, b: bigint): bigint {
  if (b === 0n) return a < 0n ? -a : a
  return greatestDivisor(b, a % b)
}

function roundedDown(value: bigint, step: bigint): bigint {
  const quotient = value / step
  return value % step < 0n ? quotient - 1n : quotient
}

function formatMoment(moment: bigint, calendarName: CalendarName): string | undefined {
  const days = Number(roundedDown(moment, DAY))
  if (Math.abs(days) > LAST_DAY) return undefined
  const time = moment - BigInt(days) * DAY
  const calendar: Calendar = CALENDARS[calendarName]
  const [year, month, day] = calendar.fromDay(days)
  const written = calendar.skipsZero && year < 1 ? year - 1 : year
  const date = `${written < 0 ? '-' : ''}${two(Math.abs(written), 4)}-${two(month)}-${two(day)}`
  if (time === 0n) return date
  const seconds = time % MINUTE
  const clock = `${two(time / HOUR)}:${two((time % HOUR) / MINUTE)}`
  if (seconds === 0n) return `${date} ${clock}`
  const part = two(seconds % SECOND, 9).replace(/0+$/, '')
  return `${date} ${clock}:${two(seconds / SECOND)}${part && `.${part}`}`
}

function two(number: number | bigint, digits = 2): string {
  return String(number).padStart(digits, '0')
}
