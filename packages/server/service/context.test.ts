import { describe, expect, it } from 'vitest'
import { CreationTimes } from './context.ts'

const NOW = 1_600_000_000_000_000

/** The times that a request gives, as differences from now. */
function times(...given: readonly (number | undefined)[]): number[] {
  const times = new CreationTimes(NOW)
  return given.map(time => times.next(time === undefined ? undefined : NOW + time) - NOW)
}

describe('times of what one request makes', () => {
  it.each<[string, (number | undefined)[], number[]]>([
    ['now, one after another', [undefined, undefined, undefined], [0, 1, 2]],
    ['as given', [5, -3, 4], [5, -3, 4]],
    ['what is equal, one after another', [7, 7, 8, 7], [7, 8, 9, 10]],
    ['given ones that are now', [0, undefined, 1], [0, 1, 2]],
    ['300 s away and not more', [300e6, -300e6, 300e6 + 1, -300e6 - 1], [300e6, -300e6, 0, 1]],
  ])('%s', (_, given, expected) => expect(times(...given)).toEqual(expected))

  it('are found fast, in whatever order the same ones are asked for', () => {
    const count = 50_000
    const given = Array.from({ length: 4 * count }, (_, i) =>
      i < count || i >= 3 * count ? 2 * (i % count) : 0,
    )
    // A time that grew with the square of their number would be minutes, more than a test may take.
    expect(new Set(times(...given)).size).toBe(given.length)
  })
})
