import { expect, test } from 'vitest'
import { formatAge, formatDuration, formatMadeOf, formatSize } from './format.ts'

test('sizes have two digits or more, and a unit', () => {
  expect([0, 1, 1023, 1024, 10 * 1024, 1.5 * 2 ** 20, 2 ** 60].map(formatSize)).toEqual([
    '0 B',
    '1 B',
    '1023 B',
    '1.0 KiB',
    '10 KiB',
    '1.5 MiB',
    '1024 PiB',
  ])
})

test('times of the last week are said as an age, others as a date', () => {
  const now = Date.UTC(2026, 10, 27, 12) / 1000
  const before = (seconds: number) => formatAge(now - seconds, now)
  expect([-30, 0, 59, 60, 3599, 3600, 86_399, 86_400, 2 * 86_400, 7 * 86_400 - 1].map(before)).toEqual([
    'just now',
    'just now',
    'just now',
    '1 min ago',
    '59 min ago',
    '1 h ago',
    '23 h ago',
    '1 day ago',
    '2 days ago',
    '6 days ago',
  ])
  // A date in the form of the reader, also of a clock that is wrong by a day.
  expect([before(8 * 86_400), before(-86_400)].every(text => /2026/.test(text))).toBe(true)
})

test('durations are said in minutes and hours', () => {
  expect([0, 59, 60, 150, 3599, 3600, 5400, 7199].map(formatDuration)).toEqual([
    'less than 1 min',
    'less than 1 min',
    '1 min',
    '3 min',
    '1 h 0 min',
    '1 h 0 min',
    '1 h 30 min',
    '2 h 0 min',
  ])
})

test('the files of a joined domain are counted, and those that it has by now', () => {
  expect([formatMadeOf(1), formatMadeOf(4400), formatMadeOf(100_000, 5000)]).toEqual([
    'made of 1 file',
    'made of 4,400 files',
    'made of 5,000 of 100,000 files so far',
  ])
})
