import { afterEach, describe, expect, it, vi } from 'vitest'
import { seededRandom, testClock } from '../../test/engines/clock.ts'
import { systemClock, systemRandom } from './clock.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

describe('the system clock', () => {
  it('gives the time in microseconds', () => {
    const clock = systemClock()
    const before = Date.now()
    expect(clock.now() / 1000).toBeGreaterThanOrEqual(before - 3)
    expect(clock.now() / 1000).toBeLessThanOrEqual(Date.now() + 3)
    expect(Number.isSafeInteger(clock.now())).toBe(true)
  })

  it('is strictly increasing, however fast it is asked', () => {
    const clock = systemClock()
    const times = Array.from({ length: 10_000 }, () => clock.now())
    expect(times.every((time, index) => index === 0 || time > Number(times[index - 1]))).toBe(true)
  })

  it('goes on increasing when the machine is set back, and follows it forward', () => {
    const clock = systemClock()
    const first = clock.now()
    const realNow = Date.now()
    const machine = vi.spyOn(Date, 'now').mockReturnValue(realNow - 3_600_000)
    const second = clock.now()
    expect(second).toBeGreaterThan(first)
    expect(second - first).toBeLessThan(1_000_000)
    machine.mockReturnValue(realNow + 3_600_000)
    expect(clock.now() / 1000).toBeGreaterThanOrEqual(realNow + 3_600_000 - 3)
  })
})

it('warns when the newest time is ahead by a second, once a minute', () => {
  const warnings: string[] = []
  const clock = systemClock(message => warnings.push(message))
  clock.now(clock.now() + 900_000)
  expect(warnings).toEqual([])
  const elapsed = vi.spyOn(performance, 'now')
  const ahead = clock.now() + 3600e6
  for (let turn = 0; turn < 3; turn++) clock.now(ahead)
  expect(warnings).toEqual([expect.stringMatching(/is 36\d\d s behind the newest time in the store/)])
  elapsed.mockReturnValue(performance.now() + 61_000)
  clock.now(ahead)
  expect(warnings).toHaveLength(2)
})

it('warns when the machine is set back', () => {
  const warnings: string[] = []
  const clock = systemClock(message => warnings.push(message))
  clock.now()
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 7_200_000)
  clock.now()
  expect(warnings).toEqual([expect.stringMatching(/is 7\d\d\d s behind/)])
})

it('a time is later than the one that is named, also one that is ahead of the machine', () => {
  const clock = systemClock()
  const ahead = clock.now() + 3600e6
  expect(clock.now(ahead)).toBe(ahead + 1)
  expect(clock.now()).toBe(ahead + 2)
  expect(clock.now(1)).toBe(ahead + 3)
})

describe('clocks and randomness of tests', () => {
  it('the test clock goes on by its step and when a test sets it', () => {
    const clock = testClock(1000, 10)
    expect([clock.now(), clock.now()]).toEqual([1000, 1010])
    clock.advance(500)
    expect(clock.now()).toBe(1520)
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
