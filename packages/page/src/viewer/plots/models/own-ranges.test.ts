import { expect, test } from 'vitest'
import { kindOf, OwnRanges } from './own-ranges.ts'
import { newPlot } from './test-plots.ts'

test('a range of the user is that of all data of its kind, until the user wants the usual one', () => {
  const ranges = new OwnRanges()
  const range = [0, 400] as const
  ranges.choose('a', { span: 'all' }, { range })
  ranges.choose('a', {}, { colours: 'Magma' })
  ranges.choose('a', {}, { part: 'phase', range: undefined })
  expect(ranges.rangeFor('a', {})).toEqual({ range, span: 'all' })
  expect(ranges.rangeFor('a', { span: 'seen' })).toBeUndefined()
  expect(ranges.rangeFor('a', { range: [1, 2] })).toBeUndefined()
  expect(ranges.rangeFor('b', {})).toBeUndefined()
  ranges.choose('a', { range }, { span: undefined, range: undefined })
  expect(ranges.rangeFor('a', {})).toBeUndefined()
})

test('data are of one kind if they are shown alike, and have one name, units and size of an image', () => {
  const frames = (shape: readonly number[], units = 'K') => newPlot({ shape, attributes: { units } })
  const kind = kindOf('image', frames([5, 20, 30]), {})
  expect(kindOf('image', frames([7, 20, 30]), { colours: 'Magma' })).toBe(kind)
  expect(kindOf('line', frames([7]), {})).toBe(kindOf('line', frames([8]), {}))
  for (const other of [
    kindOf('line', frames([5, 20, 30]), {}),
    kindOf('image', frames([5, 20, 31]), {}),
    kindOf('image', frames([5, 20, 30], 'm'), {}),
    kindOf('image', frames([5, 20, 30]), { part: 'phase' }),
    kindOf('image', undefined, {}),
  ])
    expect(other).not.toBe(kind)
})
