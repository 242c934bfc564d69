// Patterns: what they match, which are refused, and a naive matcher to compare with.

import { HyperslabError } from '@hyperslab/base/errors'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { parseGlob } from './glob.ts'

describe('matches', () => {
  test.each([
    ['dset', 'dset', true],
    ['dset', 'dset1', false],
    ['dset', 'Dset', false],
    ['dset*', 'dset', true],
    ['dset*', 'dset1.2', true],
    ['dset*', 'adset', false],
    ['*1', '1', true],
    ['*1', '11', true],
    ['*1', '12', false],
    ['*', '', true],
    ['*', 'a\nb', true],
    ['a*a', 'a', false],
    ['a*a', 'aa', true],
    ['ab*ba', 'aba', false],
    ['ab*ba', 'abba', true],
    ['', '', true],
    ['', 'a', false],
    ['?', '', false],
    ['?', 'a', true],
    ['?', '😀', true],
    ['??', '😀', false],
    ['?*?', '😀', false],
    ['?*?', '😀😀', true],
    ['*😀', 'a😀', true],
    ['domain_[0-3].h5', 'domain_2.h5', true],
    ['domain_[0-3].h5', 'domain_4.h5', false],
    ['domain_[0-3].h5', 'domain_2xh5', false],
    ['[a]', 'a', true],
    ['[a]', '[a]', false],
    ['[*]', '*', true],
    ['[*]', 'a', false],
    ['[?]', '?', true],
    ['[?]', 'a', false],
    ['[[]', '[', true],
    ['[]]', ']', true],
    ['[-]', '-', true],
    ['[---]', '-', true],
    ['[*]*', '*x', true],
    ['[😀-😂]', '😁', true],
    ['[😀-😂]', '😃', false],
    // In UTF-16 the order is the other way round.
    ['[\ufffd-😀]', '😀', true],
    ['a.b^c$(d)|{e}+\\', 'a.b^c$(d)|{e}+\\', true],
    ['-', '-', true],
  ])('%j %j: %s', (pattern, name, expected) => {
    expect(parseGlob(pattern).matches(name)).toBe(expected)
  })
})

test.each([
  ['dset*', 'dset'],
  ['*1', ''],
  ['a?c', 'a'],
  ['a[b]c[d-e]f', 'abc'],
  ['[a-a]b', 'ab'],
  ['whole', 'whole'],
  ['é😀*', 'é😀'],
])('every name that matches %j begins with %j', (pattern, prefix) => {
  expect(parseGlob(pattern).prefix).toBe(prefix)
})

describe('refused', () => {
  test.each([
    ['**', 1, 'at most one "*"'],
    ['a*b*', 3, 'at most one "*"'],
    ['[', 0, 'begins one character'],
    ['ab[', 2, 'begins one character'],
    ['[]', 0, 'begins one character'],
    ['[a', 0, 'begins one character'],
    ['[a-', 0, 'begins one character'],
    ['[a-]', 0, 'begins one character'],
    ['[a-z', 0, 'begins one character'],
    ['[abc]', 0, 'begins one character'],
    ['[!a]', 0, 'begins one character'],
    ['[a-z0-9]', 0, 'begins one character'],
    ['a]', 1, 'has no "[" before it'],
    [']', 0, 'has no "[" before it'],
    ['[a]]', 3, 'has no "[" before it'],
    ['[b-a]', 0, 'is empty'],
    ['[😀-\ufffd]', 0, 'is empty'],
    ['😀]', 1, 'has no "[" before it'],
  ])('%j', (pattern, at, rule) => {
    expect(() => parseGlob(pattern)).toThrow(
      expect.objectContaining({
        code: 'malformed-pattern',
        message: expect.stringMatching(new RegExp(`^the pattern .*: at character ${at}, .*`)),
      }),
    )
    expect(() => parseGlob(pattern)).toThrow(rule)
  })
})

/** The definition: "*" is tried as every run. */
function naive(pattern: readonly string[], name: readonly string[]): boolean {
  const [sign, ...rest] = pattern
  if (sign === undefined) return name.length === 0
  if (sign === '*') return naive(rest, name) || (name.length > 0 && naive(pattern, name.slice(1)))
  const [character, ...others] = name
  if (character === undefined) return false
  if (sign === '[') {
    const isRange = pattern[2] === '-'
    const from = pattern[1]?.codePointAt(0) ?? 0
    const to = (isRange ? pattern[3]?.codePointAt(0) : from) ?? 0
    const code = character.codePointAt(0) ?? 0
    return code >= from && code <= to && naive(pattern.slice(isRange ? 5 : 3), others)
  }
  return (sign === '?' || sign === character) && naive(rest, others)
}

const character = fc.constantFrom('a', 'b', 'c', '-', '[', ']', '*', '?', 'é', '\ufffd', '😀', '😁')

it('every text is a pattern that does as the definition says, or is refused as one', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(character, fc.constantFrom('*', '?', '[a]', '[*]', '[]]', '[a-c]', '[é-😀]', '[b-a]')),
        {
          maxLength: 8,
        },
      ),
      fc.array(character, { maxLength: 8 }),
      (signs, characters) => {
        const text = signs.join('')
        const name = characters.join('')
        try {
          const glob = parseGlob(text)
          const expected = naive(Array.from(text), characters)
          expect(glob.matches(name)).toBe(expected)
          if (expected) expect(name.startsWith(glob.prefix)).toBe(true)
        } catch (error) {
          if (!(error instanceof HyperslabError)) throw error
          expect(error.code).toBe('malformed-pattern')
        }
      },
    ),
    { numRuns: 3000 },
  )
})

it('takes time that grows with the name, not faster', () => {
  expect(parseGlob('😀'.repeat(300_000)).matches('😀'.repeat(300_000))).toBe(true)
  // A time that grew with the square of the length would be minutes, more than a test may take.
  const glob = parseGlob(`${'a'.repeat(1_000_000)}*${'a'.repeat(1_000_000)}b`)
  expect(glob.matches('a'.repeat(2_500_000))).toBe(false)
  expect(glob.matches(`${'a'.repeat(2_500_000)}b`)).toBe(true)
})
