import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { LoopDelay } from './loop-delay.ts'

/** A clock with one timer, which a test drives. */
function clockOfTest() {
  const state = { now: 0, tick: undefined as (() => void) | undefined }
  const clock = {
    elapsed: () => state.now,
    every(_: number, work: () => void) {
      state.tick = work
      return () => {
        state.tick = undefined
      }
    },
  }
  const advance = (milliseconds: number) => {
    state.now += milliseconds
    state.tick?.()
  }
  return { clock, advance, isArmed: () => state.tick !== undefined }
}

async function maximum(registry: Registry): Promise<string | undefined> {
  const text = await registry.metrics()
  return /^nodejs_eventloop_lag_max_seconds (.*)$/m.exec(text)?.[1]
}

it('delays are measured while there are requests, and no timer is armed without them', async () => {
  const registry = new Registry()
  const { clock, advance, isArmed } = clockOfTest()
  const delay = new LoopDelay(registry, clock)
  expect(isArmed()).toBe(false)
  expect(await maximum(registry)).toBe('0')
  delay.noteRequest()
  advance(10)
  advance(300)
  expect(Number(await maximum(registry))).toBeCloseTo(0.3, 2)
  delay.noteRequest()
  advance(999)
  expect(isArmed()).toBe(true)
  advance(1)
  expect(isArmed()).toBe(false)
  // The time without requests is no delay.
  await maximum(registry)
  advance(60_000)
  delay.noteRequest()
  advance(10)
  expect(Number(await maximum(registry))).toBeCloseTo(0.01, 3)
})

it('a clock that jumps breaks nothing', async () => {
  const registry = new Registry()
  const { clock, advance, isArmed } = clockOfTest()
  const delay = new LoopDelay(registry, clock)
  delay.noteRequest()
  advance(2e12)
  expect(isArmed()).toBe(false)
  delay.noteRequest()
  advance(-2e12)
  advance(10)
  expect(Number(await maximum(registry))).toBeGreaterThan(1e6)
})
