import { expect, it } from 'vitest'
import { compareUtf8 } from './utf8.ts'

it('compares strings as their bytes in UTF-8', () => {
  const texts = [
    '',
    '0',
    '10',
    '9',
    'a',
    'a/',
    'aa',
    'é',
    '\ud7ff',
    '\ue000',
    '\uffff',
    '\u{10000}',
    '\u{1f600}',
  ]
  texts.push(...texts.map(text => `x${text}`), ...texts.map(text => `${text}\u{10000}`))
  for (const a of texts) {
    for (const b of texts) {
      const expected = Buffer.compare(Buffer.from(a), Buffer.from(b))
      expect(Math.sign(compareUtf8(a, b)), JSON.stringify([a, b])).toBe(expected)
    }
  }
})
