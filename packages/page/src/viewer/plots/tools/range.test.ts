import { expect, test } from 'vitest'
import { endText, parseEnd, type Range, rangeOf, STEPS, shownRange, trackOf } from './range.ts'

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

test.each([
  ['linear', [0, 100], [0, 100], [-10, 50, 110]],
  ['linear', [0, 100], [50, 300], [-30, 150, 330]],
  ['log', [1, 1e6], [1, 1e6], [0.25, 1000, 4e6]],
  // There is nothing below 0 on a scale of square roots.
  ['sqrt', [0, 100], [0, 100], [0, 30.3, 121]],
  ['symlog', [-100, 100], [-100, 100], [-250, 0, 250]],
] as const)(
  'on a scale %s with data of %j the range %j has a track with room outside',
  (scale, data, shown, ends) => {
    const track = trackOf([...data], [...shown], scale)
    expect([0, STEPS / 2, STEPS].map(place => track?.endAt(place))).toEqual(ends)
    for (const end of data) expect(track?.endAt(track.placeOf(end))).toBeCloseTo(end, 6)
  },
)

test.each([
  ['one number', 5, 5],
  ['numbers that are not finite', Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
])('there is no track for %s', (_, from, to) => {
  expect(trackOf([from, to], [from, to], 'linear')).toBeUndefined()
})
