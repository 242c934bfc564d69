import { describe, expect, test } from 'vitest'
import { frameAfter, frameDimension, likelyFrame } from './frames.ts'

describe('the frames of a stack', () => {
  test.each([
    [[0, 'y', 'x'], [600, 5, 5], 0],
    [[0, 3, 'y', 'x'], [1, 7, 5, 5], 1],
    [['y', 'x'], [5, 5], undefined],
    [[0, 'y', 'x'], [1, 5, 5], undefined],
  ] as const)('of %j with the shape %j are in dimension %s', (uses, shape, dimension) => {
    expect(frameDimension(uses, shape)).toBe(dimension)
  })

  test('follow each other, the first after the last', () => {
    const shape = [3, 5, 5]
    expect(frameAfter([1, 'y', 'x'], shape, 1)).toEqual([2, 'y', 'x'])
    expect(frameAfter([2, 'y', 'x'], shape, 1)).toEqual([0, 'y', 'x'])
    expect(frameAfter([0, 'y', 'x'], shape, -1)).toEqual([2, 'y', 'x'])
    expect(frameAfter(['y', 'x'], [5, 5], 1)).toBeUndefined()
  })

  test('are read ahead in the direction of the last step', () => {
    const shape = [9, 5, 5]
    expect(likelyFrame([3, 'y', 'x'], [4, 'y', 'x'], shape)).toEqual([5, 'y', 'x'])
    expect(likelyFrame([3, 'y', 'x'], [2, 'y', 'x'], shape)).toEqual([1, 'y', 'x'])
    expect(likelyFrame([3, 'y', 'x'], [7, 'y', 'x'], shape)).toBeUndefined()
    expect(likelyFrame([3, 'y', 'x'], [3, 'y', 'x'], shape)).toBeUndefined()
    expect(likelyFrame([3, 'y', 'x'], ['y', 'x', 3], shape)).toBeUndefined()
  })
})
