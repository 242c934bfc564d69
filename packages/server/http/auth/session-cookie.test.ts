import { expect, it } from 'vitest'
import { cookiesIn, sessionIn } from './session-cookie.ts'

it.each([
  ['', []],
  ['a', []],
  ['=a', []],
  ['a=', [['a', '']]],
  ['a=1', [['a', '1']]],
  [
    ' a=1 ;b=2;; c=x=y ',
    [
      ['a', '1'],
      ['b', '2'],
      ['c', 'x=y'],
    ],
  ],
  ['a=1; a=2', [['a', '1']]],
  ['__proto__=1', [['__proto__', '1']]],
])('finds the cookies of %j', (cookie, expected) => {
  expect([...cookiesIn({ cookie })]).toEqual(expected)
})

it('finds those of a long header at once', () => {
  // A pattern that looks for the end of spaces again and again would take hours.
  const cookie = `a=${' '.repeat(200_000)}x; hyperslab-5101=secret`
  expect(sessionIn({ cookie, host: 'localhost:5101' }, undefined)).toBe('secret')
})

it('finds none without a header', () => {
  expect([...cookiesIn({})]).toEqual([])
  expect(sessionIn({ host: 'localhost:5101' }, undefined)).toBeUndefined()
})
