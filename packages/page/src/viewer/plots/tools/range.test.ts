import { expect, test } from 'vitest'
import { endText, parseEnd, type Range, rangeOf, shownRange } from './range.ts'

test.each([
  ['251.2', 251.2],
  [' -1e3 ', -1000],
  ['−5', -5],
  ['', undefined],
  ['two', undefined],
  ['1e999', undefined],
])('the end %j is %s', (text, end) => {
  expect(parseEnd(text)).toBe(end)
})

test.each([
  [251.2, '251.2'],
  [Math.fround(303.1), '303.1'],
  [0.1 + 0.2, '0.3'],
])('%s is written %s', (end, text) => {
  expect(endText(end)).toBe(text)
})

test('a range of which both ends are those of the data is none', () => {
  expect([rangeOf(null, null), rangeOf(260.5, null), rangeOf(null, 0)]).toEqual([
    undefined,
    [260.5, null],
    [null, 0],
  ])
})

test.each<[Range | undefined, 'linear' | 'log', [number, number], [number, number], string | undefined]>([
  [undefined, 'linear', [251.2, 303.1], [251.2, 303.1], undefined],
  [[260.5, null], 'linear', [260.5, 303.1], [260.5, 303.1], undefined],
  [
    [400, 300],
    'linear',
    [400, 300],
    [251.2, 303.1],
    'The least number is above the greatest: the range is that of the data.',
  ],
  [
    [-1, null],
    'log',
    [-1, 303.1],
    [251.2, 303.1],
    'The scale has no place for an end: that of the data is used.',
  ],
])('of %j on a scale %s', (range, scale, wanted, safe, reason) => {
  expect(shownRange(range, [251.2, 303.1], scale as never)).toMatchObject({ wanted, safe, reason })
})
