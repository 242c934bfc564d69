import { describe, expect, test } from 'vitest'
import {
  formatTime,
  isTimeUnits,
  momentOf,
  parseMoment,
  parseTimeUnits,
  type TimeUnits,
  timeConversion,
} from './times.ts'

function unitsOf(text: string, calendar?: string): TimeUnits {
  const units = parseTimeUnits(text, calendar)
  if (typeof units === 'string') throw new Error(units)
  return units
}

describe('times as dates', () => {
  // Computed by Python's cftime 1.6.6.
  test.each([
    ['days since 1970-01-01', 'standard', 0, '1970-01-01'],
    ['days since 1970-01-01', 'standard', -141_427, '1582-10-15'],
    ['days since 1970-01-01', 'standard', -141_428, '1582-10-04'],
    ['days since 1970-01-01', 'standard', -1_003_809, '-0780-09-08'],
    ['days since 0001-01-01', 'standard', -1, '-0001-12-31'],
    ['days since 0001-01-01', 'proleptic_gregorian', -1, '0000-12-31'],
    ['days since 1850-01-01 12:00', 'gregorian', 54_786, '2000-01-01 12:00'],
    ['hours since 1900-1-1 00:00:0.0', 'standard', 876_576, '2000-01-01'],
    ['hours since 2000-02-28 00:00:00', 'julian', 5_005_300, '2571-02-24 04:00'],
    ['days since 1970-01-01', 'proleptic_gregorian', -149_436, '1560-11-10'],
    ['days since 2000-02-28', 'noleap', 1, '2000-03-01'],
    ['days since 2000-02-28', '365_day', 365, '2001-02-28'],
    ['days since 2001-02-28', 'all_leap', 1, '2001-02-29'],
    ['days since 2000-02-30', '360_day', 1, '2000-03-01'],
    ['months since 2000-01-16', '360_day', 14, '2001-03-16'],
    ['days since 0-1-1', 'noleap', 730_000, '2000-01-01'],
    ['days since 1970-01-01', 'standard', 4_000_000, '12921-08-18'],
    ['minutes since 2000-02-28 00:00:00', 'standard', 7, '2000-02-28 00:07'],
    ['seconds since 1992-10-08 15:15:42.5 -06:00', 'standard', 0, '1992-10-08 21:15:42.5'],
    // The form of the CF document, which cftime does not read.
    ['seconds since 1992-10-8 15:15:42.5 -6:00', 'standard', 60, '1992-10-08 21:16:42.5'],
    ['days since 2000-01-01T06:00:00Z', 'standard', 0.25, '2000-01-01 12:00'],
    ['Days Since 2000-01', 'STANDARD', 1, '2000-01-02'],
  ])('%s in the calendar %s: %d is %s', (units, calendar, value, date) => {
    expect(formatTime(value, unitsOf(units, calendar))).toBe(date)
  })

  test('whole numbers of 64 bits are exact', () => {
    const units = unitsOf('ns since 1970-01-01')
    expect(formatTime(1_700_000_000_123_456_789n, units)).toBe('2023-11-14 22:13:20.123456789')
    expect(formatTime(-1n, units)).toBe('1969-12-31 23:59:59.999999999')
    expect(formatTime(9_223_372_036_854_775_807n, units)).toBe('2262-04-11 23:47:16.854775807')
    expect(formatTime(9_223_372_036_854_775_807n, unitsOf('days since 1970-01-01'))).toBeUndefined()
  })

  test('floats are rounded to the time that they distinguish', () => {
    const days = unitsOf('days since 1900-01-01')
    for (let hour = 0; hour < 24; hour++) {
      const clock = hour === 0 ? '' : ` ${String(hour).padStart(2, '0')}:00`
      expect(formatTime(44_000 + hour / 24, days)).toBe(`2020-06-20${clock}`)
      expect(formatTime(Math.fround(44_000 + hour / 24), days, 24)).toBe(`2020-06-20${clock}`)
    }
    expect(formatTime(0.001, unitsOf('seconds since 2000-01-01'))).toBe('2000-01-01 00:00:00.001')
    expect(formatTime(-0.5, days)).toBe('1899-12-31 12:00')
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY, 1e300, -9.96921e36])('%s is no date', value => {
    expect(formatTime(value, unitsOf('days since 1970-01-01'))).toBeUndefined()
  })

  test.each([
    ['days since 2001-02-29', 'standard'],
    ['days since 2000-13-01', 'standard'],
    ['days since 1582-10-10', 'standard'],
    ['days since 2000-02-29', 'noleap'],
    ['days since yesterday', 'standard'],
    ['months since 2000-01-01', 'standard'],
    ['fortnights since 2000-01-01', 'standard'],
    ['days since 2000-01-01', 'none'],
    ['days since 2000-01-01', 'toString'],
    [`days since ${'9'.repeat(100_000)}`, 'standard'],
  ])('%s in the calendar %s has a reason for no dates', (units, calendar) => {
    expect(parseTimeUnits(units, calendar)).toEqual(expect.any(String))
  })

  test('units and moments', () => {
    expect(isTimeUnits('days since 1850')).toBe(true)
    expect(isTimeUnits('days')).toBe(false)
    expect(isTimeUnits('K')).toBe(false)
    expect(parseMoment('2020-09-13T12:26:40.5+02:00')).toBe(1_599_992_800_500_000_000n)
    expect(parseMoment('2020-09-13_12:26:40')).toBe(parseMoment('2020-09-13T12:26:40Z'))
    expect(parseMoment('13 September 2020')).toBeUndefined()
  })
})

describe('times in other units', () => {
  test.each([
    ['hours since 2026-01-02', 'hours since 2026-01-01', undefined, 1n, 24n, 1n],
    ['hours since 2026-01-01', 'hours since 2026-01-01 00:00:00', undefined, 1n, 0n, 1n],
    ['days since 2026-01-01', 'hours since 2026-01-01 12:00', undefined, 24n, -12n, 1n],
    ['hours since 2026-01-01 06:00', 'days since 2026-01-01', undefined, 1n, 6n, 24n],
    ['ms since 2026-01-01', 's since 2026-01-01 00:00:00.5', undefined, 1n, -500n, 1000n],
    ['days since 2001-03-01', 'days since 2000-02-01', 'noleap', 1n, 393n, 1n],
    ['days since 2000-03-01', 'days since 2000-02-01', '360_day', 1n, 30n, 1n],
    ['days since 2000-03-01', 'days since 2000-02-01', 'all_leap', 1n, 29n, 1n],
    ['days since 1582-10-15', 'days since 1582-10-04', 'standard', 1n, 1n, 1n],
  ])('of %s are those of %s in the calendar %s', (from, to, calendar, factor, offset, divisor) => {
    const conversion = timeConversion(unitsOf(from, calendar), unitsOf(to, calendar))
    expect(conversion).toMatchObject({ factor, offset, divisor })
  })

  test('need the same calendar, by any of its names', () => {
    const [from, to] = ['days since 2026-01-02', 'days since 2026-01-01']
    expect(timeConversion(unitsOf(from, 'gregorian'), unitsOf(to))).toMatchObject({ offset: 1n })
    expect(timeConversion(unitsOf(from, 'noleap'), unitsOf(to, '365_day'))).toMatchObject({ offset: 1n })
    expect(timeConversion(unitsOf(from, 'noleap'), unitsOf(to))).toBeUndefined()
  })

  test('have the same moment', () => {
    expect(momentOf(1.5, unitsOf('days since 2026-01-01'))).toBe(
      momentOf(12n, unitsOf('hours since 2026-01-02')),
    )
    expect(momentOf(-0.5, unitsOf('days since 2026-01-01'))).toBe(
      momentOf(-12, unitsOf('h since 2026-01-01')),
    )
  })
})
