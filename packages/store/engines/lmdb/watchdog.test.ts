import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { watch } from './watchdog.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const never = new Promise<string>(() => undefined)

type Work = (progress: () => void) => Promise<string>

/** Watches the work, which waits for the write lock for 10 s and makes no progress for 30 s at most. */
function watched(work: Work) {
  const onStuck = vi.fn()
  const onLocked = vi.fn()
  const lock = { isHeld: true, asked: 0 }
  const isHeld = () => {
    lock.asked++
    return lock.isHeld
  }
  const result = watch(work, { milliseconds: 30_000, onStuck }, { milliseconds: 10_000, onLocked, isHeld })
  return { result, onStuck, onLocked, lock }
}

/** Work that has begun and does nothing more. */
const begun: Work = progress => {
  progress()
  return never
}

it('work that has begun and does not end is reported once, after the deadline and a second look', async () => {
  const { onStuck, onLocked, lock } = watched(begun)
  await vi.advanceTimersByTimeAsync(30_999)
  expect(onStuck).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(onStuck).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('has made no progress for 30 s'))
  await vi.advanceTimersByTimeAsync(100_000)
  expect(onStuck).toHaveBeenCalledOnce()
  expect(onLocked).not.toHaveBeenCalled()
  expect(lock.asked).toBe(0)
})

it.each<[string, number, number]>([
  ['at once', 0, 0],
  ['before the wait for the lock is over', 10_999, 0],
  ['before the deadline', 29_999, 1],
  ['between the deadline and the second look', 30_500, 1],
  ['after it was found that another process holds the lock', 40_000, 1],
])('work that ends %s is not reported, and no timer stays', async (_when, milliseconds, locked) => {
  const work = new Promise<string>(resolve => setTimeout(resolve, milliseconds, 'result'))
  const { result, onStuck, onLocked } = watched(() => work)
  await vi.advanceTimersByTimeAsync(milliseconds)
  expect(await result).toBe('result')
  expect(vi.getTimerCount()).toBe(0)
  expect(onStuck).not.toHaveBeenCalled()
  expect(onLocked).toHaveBeenCalledTimes(locked)
})

it('work that rejects is passed on', async () => {
  const { result } = watched(() => Promise.reject(new Error('disk')))
  await expect(result).rejects.toThrow('disk')
  expect(vi.getTimerCount()).toBe(0)
})

it('work that makes progress may take as long as it wants, and is reported when it makes none', async () => {
  let progress = (): void => undefined
  const { onStuck } = watched(told => {
    progress = told
    return never
  })
  for (let round = 0; round < 10; round++) {
    progress()
    // In the time of the second look, too.
    await vi.advanceTimersByTimeAsync(round % 2 ? 30_500 : 20_000)
  }
  expect(onStuck).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(31_000)
  expect(onStuck).toHaveBeenCalledOnce()
})

it('work that waits for the lock is reported as waiting once, and not reported while the lock is held', async () => {
  const { onStuck, onLocked, lock } = watched(() => never)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(onLocked).toHaveBeenCalledOnce()
  expect(lock.asked).toBeGreaterThan(10)
  expect(onStuck).not.toHaveBeenCalled()
})

it('work that does not begin although the lock is free is reported', async () => {
  const { onStuck, lock } = watched(() => never)
  await vi.advanceTimersByTimeAsync(60_000)
  lock.isHeld = false
  await vi.advanceTimersByTimeAsync(60_000)
  expect(onStuck).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('has not begun for 30 s'))
})

it('work that begins when the lock has just become free is not reported', async () => {
  let progress = (): void => undefined
  const { onStuck, lock } = watched(told => {
    progress = told
    return never
  })
  lock.isHeld = false
  await vi.advanceTimersByTimeAsync(31_500)
  expect(lock.asked).toBe(1)
  progress()
  await vi.advanceTimersByTimeAsync(29_000)
  expect(onStuck).not.toHaveBeenCalled()
})
