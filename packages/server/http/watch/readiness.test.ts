import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import { openStore } from '@hyperslab/store/engines'
import { describe, expect, test, vi } from 'vitest'
import { seededRandom, testClock } from '../../../../test/engines/clock.ts'
import { openMemoryEngine } from '../../../../test/engines/memory.ts'
import { withFaults } from '../../../../test/engines/with-faults.ts'
import { Readiness } from './readiness.ts'

/** A store of which one operation of the engine can be made to fail. */
function brittle() {
  const state = { failing: '', time: 0, probes: 0, hasAccounts: true }
  const reported: unknown[] = []
  const engine = withFaults(openMemoryEngine(), operation =>
    operation === state.failing ? 'before' : undefined,
  )
  const store = openStore(engine, { clock: testClock(), random: seededRandom(1), sweeps: false })
  const readiness = new Readiness({
    probe(half) {
      state.probes++
      return store.probe(half)
    },
    hasAccounts: async () => state.hasAccounts,
    report: error => reported.push(error),
    clock: { ...SYSTEM_CLOCK, elapsed: () => state.time },
  })
  return { state, store, readiness, reported }
}

describe('readiness', () => {
  test('is gone at once when the records cannot be read and a commit waits for them', async () => {
    const memory = openMemoryEngine()
    const failure = new HyperslabError('storage-failed', 'the database is away')
    const keyValue = Object.assign(Object.create(memory.keyValue), {
      commit: () => new Promise<never>(() => undefined),
      snapshot: () => {
        throw failure
      },
    })
    const store = openStore(
      { ...memory, keyValue },
      { clock: testClock(), random: seededRandom(1), sweeps: false },
    )
    const readiness = new Readiness({
      probe: half => store.probe(half),
      hasAccounts: async () => true,
      report: () => undefined,
      clock: { ...SYSTEM_CLOCK, elapsed: () => 0 },
    })
    await expect(readiness.check()).rejects.toThrow('the records of the storage cannot be written or read')
  })

  test.each([
    ['commit', 'records'],
    ['get', 'records'],
    ['put', 'values'],
    ['read', 'values'],
    ['delete', 'values'],
  ])('is gone while %s fails, says that it is the %s, and comes back', async (operation, half) => {
    const { state, readiness, reported } = brittle()
    await readiness.check()
    state.failing = operation
    // A result holds for 5 seconds.
    await readiness.check()
    state.time = 5000
    const message = expect.stringContaining(`the ${half} of the storage`)
    await expect(readiness.check()).rejects.toMatchObject({ code: 'not-ready', retryAfter: 1, message })
    state.time = 10_000
    await expect(readiness.check()).rejects.toMatchObject({ code: 'not-ready' })
    expect(reported).toHaveLength(1)
    state.failing = ''
    // A failure is checked again after a second.
    await expect(readiness.check()).rejects.toMatchObject({ code: 'not-ready' })
    state.time = 11_000
    await readiness.check()
  })

  test('says when another process holds the write lock', async () => {
    const locked = new HyperslabError('storage-locked', 'another process holds the write lock')
    const probe = () => Promise.reject(locked)
    const readiness = new Readiness({
      probe,
      hasAccounts: async () => true,
      report: () => {},
      clock: { ...SYSTEM_CLOCK, elapsed: () => 0 },
    })
    const refused = { code: 'not-ready', message: locked.message }
    await expect(readiness.check()).rejects.toMatchObject(refused)
  })

  test('the storage is tried once, however many ask', async () => {
    const { state, readiness } = brittle()
    await Promise.all(Array.from({ length: 100 }, () => readiness.check()))
    expect(state.probes).toBe(2)
  })

  test('an engine that was closed is not ready', async () => {
    const { store, readiness } = brittle()
    await store.close()
    await expect(readiness.check()).rejects.toMatchObject({ code: 'not-ready' })
  })

  test('is gone while the accounts cannot be read, and back at once', async () => {
    const { state, readiness } = brittle()
    await readiness.check()
    state.hasAccounts = false
    await expect(readiness.check()).rejects.toMatchObject({ code: 'not-ready' })
    state.hasAccounts = true
    await readiness.check()
  })

  test('ends at once when the service is about to end', async () => {
    const { readiness } = brittle()
    await readiness.check()
    readiness.isStopping = true
    await expect(readiness.check()).rejects.toThrow('about to end')
  })

  test('a disk that hangs is an error after 5 seconds, and only one probe waits for it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      let answer = () => {}
      let probes = 0
      const probe = () => {
        probes++
        if (probes > 1) return Promise.resolve()
        return new Promise<void>(resolve => {
          answer = resolve
        })
      }
      const readiness = new Readiness({
        probe,
        hasAccounts: async () => true,
        report: () => {},
        clock: { ...SYSTEM_CLOCK, elapsed: () => 0 },
      })
      const ends = expect(Promise.all([readiness.check(), readiness.check()])).rejects.toThrow(
        'does not answer',
      )
      vi.advanceTimersByTime(5000)
      await ends
      expect(probes).toBe(1)
      answer()
      await readiness.check()
    } finally {
      vi.useRealTimers()
    }
  })

  test('probing leaves nothing but one record, and conflicts with no write', async () => {
    const { store } = brittle()
    await Promise.all(Array.from({ length: 10 }, () => store.probe('records')))
    expect(store.figures).toMatchObject({ commits: 0, retries: 0, conflicts: 0, open: 0 })
  })
})
