import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { seededRandom, testClock } from '../../test/engines/clock.ts'
import { storeClock, systemRandom } from './clock.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

describe('the clock of a store', () => {
  it('gives the time in microseconds', () => {
    const clock = storeClock()
    const before = Date.now()
    expect(clock.stamp() / 1000).toBeGreaterThanOrEqual(before - 3)
    expect(clock.stamp() / 1000).toBeLessThanOrEqual(Date.now() + 3)
    expect(Number.isSafeInteger(clock.stamp())).toBe(true)
  })

  it('is strictly increasing, however fast it is asked', () => {
    const clock = storeClock()
    const times = Array.from({ length: 10_000 }, () => clock.stamp())
    expect(times.every((time, index) => index === 0 || time > Number(times[index - 1]))).toBe(true)
  })

  it('goes on increasing when the machine is set back, and follows it forward', () => {
    const clock = storeClock()
    const first = clock.stamp()
    const realNow = Date.now()
    const machine = vi.spyOn(Date, 'now').mockReturnValue(realNow - 3_600_000)
    const second = clock.stamp()
    expect(second).toBeGreaterThan(first)
    expect(second - first).toBeLessThan(60_000_000)
    machine.mockReturnValue(realNow + 3_600_000)
    expect(clock.stamp() / 1000).toBeGreaterThanOrEqual(realNow + 3_600_000 - 3)
  })
})

it('warns when the newest time is ahead by a second, once a minute', () => {
  const warnings: string[] = []
  const clock = storeClock(SYSTEM_CLOCK, message => warnings.push(message))
  clock.stamp(clock.stamp() + 900_000)
  expect(warnings).toEqual([])
  const elapsed = vi.spyOn(performance, 'now')
  const ahead = clock.stamp() + 3600e6
  for (let turn = 0; turn < 3; turn++) clock.stamp(ahead)
  expect(warnings).toEqual([expect.stringMatching(/is 36\d\d s behind the newest time in the store/)])
  elapsed.mockReturnValue(performance.now() + 61_000)
  clock.stamp(ahead)
  expect(warnings).toHaveLength(2)
})

it('warns when the machine is set back', () => {
  const warnings: string[] = []
  const clock = storeClock(SYSTEM_CLOCK, message => warnings.push(message))
  clock.stamp()
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 7_200_000)
  clock.stamp()
  expect(warnings).toEqual([expect.stringMatching(/is 7\d\d\d s behind/)])
})

it('a time is later than the one that is named, also one that is ahead of the machine', () => {
  const clock = storeClock()
  const ahead = clock.stamp() + 3600e6
  expect(clock.stamp(ahead)).toBe(ahead + 1)
  expect(clock.stamp()).toBe(ahead + 2)
  expect(clock.stamp(1)).toBe(ahead + 3)
})

describe('clocks and randomness of tests', () => {
  it('the test clock goes on by its step and when a test sets it', () => {
    const clock = testClock(1000, 10)
    expect([clock.stamp(), clock.stamp()]).toEqual([1000, 1010])
    clock.advance(500)
    expect(clock.stamp()).toBe(1520)
  })

  it('random bytes follow from the seed', () => {
    const draw = (seed: number) => {
      const random = seededRandom(seed)
      return [random(4), random(0), random(8)]
    }
    expect(draw(7)).toEqual(draw(7))
    expect(draw(7)).not.toEqual(draw(8))
    expect(draw(7).map(({ length }) => length)).toEqual([4, 0, 8])
    const many = seededRandom(1)(10_000)
    expect(new Set(many).size).toBe(256)
  })

  it('system randomness has the length asked for and differs', () => {
    expect(systemRandom(16)).toHaveLength(16)
    expect(systemRandom(16)).not.toEqual(systemRandom(16))
  })
})
