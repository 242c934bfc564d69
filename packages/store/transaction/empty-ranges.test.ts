// Ranges without committed entries, against a list that is searched.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keyTextOf, rangeOf } from '../key-range.ts'
import { EmptyRanges } from './empty-ranges.ts'

const key = (...bytes: readonly number[]) => Uint8Array.from(bytes)

describe('empty ranges', () => {
  it('have the keys and ranges that one of them has', () => {
    const prefix = fc.uint8Array({ minLength: 2, maxLength: 2 })
    const run = fc.record({ prefixes: fc.uniqueArray(prefix, { selector: String }), probe: prefix })
    fc.assert(
      fc.property(run, ({ prefixes, probe }) => {
        const ranges = new EmptyRanges()
        for (const each of prefixes) if (each[1] < 255) ranges.add(rangeOf(each))
        const isIn = prefixes.some(each => each[1] < 255 && Buffer.compare(each, probe) === 0)
        const below = key(...probe, 7)
        expect(ranges.hasKey(keyTextOf(probe))).toBe(isIn)
        expect(ranges.hasKey(keyTextOf(below))).toBe(isIn)
        expect(ranges.hasRange(rangeOf(below))).toBe(isIn)
        expect(ranges.hasRange({ start: key(probe[0]), end: key(probe[0], probe[1], 9) })).toBe(false)
      }),
    )
  })

  it('do not have a range that goes beyond', () => {
    const ranges = new EmptyRanges()
    ranges.add(rangeOf(key(1, 1)))
    ranges.add(rangeOf(key(1, 2)))
    expect(ranges.hasRange({ start: key(1, 1), end: key(1, 2) })).toBe(true)
    expect(ranges.hasRange({ start: key(1, 1, 5), end: key(1, 2, 5) })).toBe(false)
    expect(ranges.hasKey(keyTextOf(key(1)))).toBe(false)
  })
})
