// Random strings of all characters. In this folder because the wire tests import no other.

import fc from 'fast-check'

const SURROGATES = { first: 0xd800, count: 0x800 }

/** Every code point but surrogates, those of ASCII being the simplest. */
const character: fc.Arbitrary<string> = fc.nat(0x10ffff - SURROGATES.count).map(
  index => String.fromCodePoint(index < SURROGATES.first ? index : index + SURROGATES.count),
  text => {
    const point = typeof text === 'string' ? text.codePointAt(0) : undefined
    if (point === undefined || String.fromCodePoint(point) !== text) throw new Error('not one code point')
    if (point < SURROGATES.first) return point
    if (point < SURROGATES.first + SURROGATES.count) throw new Error('a surrogate')
    return point - SURROGATES.count
  },
)

/**
 * The strings of `fc.string({ unit: 'binary' })`, in the same order for the same seed. That one makes a table of all
 * 1.1 million characters: a second of work, and 85 MB that each garbage collection of the thread goes through.
 */
export function unicodeString(constraints: { minLength?: number; maxLength?: number } = {}) {
  return fc.string({ ...constraints, unit: character })
}
