import { expect, it } from 'vitest'
import { joinRanges } from './join-ranges.ts'

it('joins ranges that are near', () => {
  const ranges = [
    { position: 100, length: 10 },
    { position: 0, length: 10 },
    { position: 15, length: 10 },
    { position: 112, length: 1000 },
  ]
  expect(joinRanges(ranges, 5, 100)).toEqual([
    { position: 0, length: 25, members: [1, 2] },
    { position: 100, length: 10, members: [0] },
    { position: 112, length: 1000, members: [3] },
  ])
})
