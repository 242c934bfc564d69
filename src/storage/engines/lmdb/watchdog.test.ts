import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { watch } from './watchdog.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const never = new Promise<string>(() => undefined)

it('work that does not end is reported once, after the deadline and a second look', async () => {
  const onStuck = vi.fn()
  void watch(() => never, { milliseconds: 30_000, onStuck })
  await vi.advanceTimersByTimeAsync(30_999)
  expect(onStuck).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(onStuck).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('has made no progress for 30 s'))
  await vi.advanceTimersByTimeAsync(100_000)
  expect(onStuck).toHaveBeenCalledOnce()
})

it.each<[string, number]>([
  ['at once', 0],
  ['before the deadline', 29_999],
  ['between the deadline and the second look', 30_500],
])('work that ends %s is not reported, and no timer stays', async (_when, milliseconds) => {
  const onStuck = vi.fn()
  const work = new Promise<string>(resolve => setTimeout(resolve, milliseconds, 'result'))
  const watched = watch(() => work, { milliseconds: 30_000, onStuck })
  await vi.advanceTimersByTimeAsync(milliseconds)
  expect(await watched).toBe('result')
  expect(vi.getTimerCount()).toBe(0)
  expect(onStuck).not.toHaveBeenCalled()
})

it('work that rejects is passed on', async () => {
  const onStuck = vi.fn()
  await expect(watch(() => Promise.reject(new Error('disk')), { milliseconds: 10, onStuck })).rejects.toThrow(
    'disk',
  )
  expect(vi.getTimerCount()).toBe(0)
})

it('work that makes progress may take as long as it wants, and is reported when it makes none', async () => {
  const onStuck = vi.fn()
  let progress = (): void => undefined
  const work = (told: () => void) => {
    progress = told
    return never
  }
  void watch(work, { milliseconds: 30_000, onStuck })
  for (let round = 0; round < 10; round++) {
    // In the time of the second look, too.
    await vi.advanceTimersByTimeAsync(round % 2 ? 30_500 : 20_000)
    progress()
  }
  expect(onStuck).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(31_000)
  expect(onStuck).toHaveBeenCalledOnce()
})
