// Times as the dialects write them.

import { expect, test } from 'vitest'
import { formatIsoSeconds, toEpochSeconds } from './times.ts'

test.each([
  ['1970-01-01T00:00:00Z', 0],
  ['2015-03-01T08:00:00Z', 1_425_196_800_000_000],
  ['2015-03-01T08:00:00Z', 1_425_196_800_999_999],
  ['2255-06-05T23:47:34Z', Number.MAX_SAFE_INTEGER],
  ['1969-12-31T23:59:59Z', -1],
])('%s: whole seconds, rounded down', (text, time) => {
  expect(formatIsoSeconds(time)).toBe(text)
  expect(formatIsoSeconds(time)).toHaveLength(20)
})

test('seconds since the epoch keep the microseconds', () => {
  expect(toEpochSeconds(1_425_196_800_123_456)).toBe(1_425_196_800.123456)
  expect(toEpochSeconds(1_425_196_800_000_001)).not.toBe(toEpochSeconds(1_425_196_800_000_002))
})
