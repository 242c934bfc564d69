import { describe, expect, test } from 'vitest'
import { textsWithRoom, tickCount, ticksOf } from './ticks.ts'

describe('the ticks of an axis', () => {
  test('are more where there is more room', () => {
    expect([100, 300, 600, 900, 2000].map(tickCount)).toEqual([3, 3, 7, 10, 10])
  })

  test.each([
    [[0, 1], 'linear', 5, [0, 0.2, 0.4, 0.6, 0.8, 1]],
    [[305, 250], 'linear', 5, [250, 260, 270, 280, 290, 300]],
    [[-1e-7, 3e-7], 'linear', 4, [-1e-7, 0, 1e-7, 2e-7, 3e-7]],
    [[29_999_990, 30_000_010], 'linear', 4, [29_999_990, 29_999_995, 30_000_000, 30_000_005, 30_000_010]],
    [[1, 1e9], 'log', 4, [1, 1000, 1e6, 1e9]],
    [[0.5, 30], 'log', 8, [0.5, 0.6, 0.7, 0.8, 0.9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 30]],
    [[10, 12], 'log', 4, [10, 10.5, 11, 11.5, 12]],
    [[-20, 200], 'symlog', 5, [-10, -1, 0, 1, 10, 100]],
    [[0, 4], 'symlog', 4, [0, 1, 2, 3, 4]],
    [[3, 3], 'linear', 5, []],
    [[0, Number.NaN], 'linear', 5, []],
  ] as const)('between %j on a scale %s, about %d, are %j', ([from, to], scale, count, ticks) => {
    expect(ticksOf([from, to], scale, count).map(tick => Number(tick.toPrecision(12)))).toEqual(ticks)
  })

  test('of indexes are whole numbers', () => {
    expect(ticksOf([0.2, 3.1], 'linear', 10, true)).toEqual([1, 2, 3])
    expect(ticksOf([0.2, 0.8], 'linear', 10, true)).toEqual([])
  })
})

describe('texts', () => {
  const every50 = (lengths: readonly number[]) => lengths.map((length, i) => ({ place: 50 * i, length }))

  test('are all there where they have room', () => {
    expect([...textsWithRoom(every50([20, 40, 20]))]).toEqual([0, 1, 2])
  })

  test('are each second or third one, the shortest, where they have none', () => {
    expect([...textsWithRoom(every50([60, 40, 60, 40]))]).toEqual([1, 3])
    expect([...textsWithRoom(every50([90, 120, 120, 90, 120, 120]))]).toEqual([0, 3])
  })

  test('leave none out for a tick without one', () => {
    expect([...textsWithRoom(every50([0, 80, 0, 80]))]).toEqual([1, 3])
    expect([...textsWithRoom(every50([0, 0]))]).toEqual([])
  })
})
