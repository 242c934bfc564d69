import { HyperslabError } from '@hyperslab/base/errors'
import { describe, expect, it } from 'vitest'
import type { Caller } from '../../service/context.ts'
import { type Budget, CallerBudgets } from './caller-budgets.ts'

const ANONYMOUS: Caller = { groups: [], admin: false }
const ann: Caller = { name: 'ann', groups: [], admin: false }
const bob: Caller = { name: 'bob', groups: ['lab'], admin: false }
const admin: Caller = { name: 'root', groups: ['lab'], admin: true }

/** Budgets with a clock, in seconds, and a processor time that the test moves. */
function makeBudgets(...given: readonly Budget[]) {
  const time = { now: 0, processor: 0 }
  const budgets = new CallerBudgets(given, { elapsed: () => time.now * 1000 }, () => time.processor)
  const begin = (caller = ANONYMOUS, address = '192.0.2.1', isListener = false) =>
    budgets.begin(caller, address, isListener)
  /** The number of requests that are answered at once, and the error of the next one. */
  const spend = (caller = ANONYMOUS, address = '192.0.2.1') => {
    for (let count = 0; ; count++) {
      try {
        begin(caller, address)?.end(0)
      } catch (error) {
        if (error instanceof HyperslabError) return { count, error }
        throw error
      }
      if (count > 1000) return { count, error: undefined }
    }
  }
  return { budgets, time, begin, spend }
}

describe('the budget of a caller', () => {
  it('limits requests a minute, which come back with time', () => {
    const { budgets, time, spend } = makeBudgets({ callers: 'anonymous', most: { requests: 60 } })
    const { count, error } = spend()
    expect(count).toBe(60)
    expect(error).toMatchObject({ code: 'budget-exceeded', kind: 'limited', retryAfter: 1 })
    expect(error?.message).toContain('60 requests a minute')
    time.now += 10
    expect(spend().count).toBe(10)
    time.now += 3600
    expect(spend().count).toBe(60)
    expect(budgets.refused).toBe(3)
  })

  it('is of an account, or else of an address, an IPv6 network being one', () => {
    const { spend } = makeBudgets(
      { callers: 'anonymous', most: { requests: 2 } },
      { callers: 'users', most: { requests: 3 } },
    )
    expect(spend(ann, '192.0.2.1').count).toBe(3)
    expect(spend(ann, '192.0.2.2').count).toBe(0)
    expect(spend(ANONYMOUS, '192.0.2.1').count).toBe(2)
    expect(spend(ANONYMOUS, '192.0.2.2').count).toBe(2)
    expect(spend(ANONYMOUS, '2001:db8::1').count).toBe(2)
    expect(spend(ANONYMOUS, '2001:db8::2').count).toBe(0)
    expect(spend(ANONYMOUS, '2001:db8:0:1::2').count).toBe(2)
  })

  it('is the first one that fits; administrators have none', () => {
    const { begin, spend } = makeBudgets(
      { callers: '@lab', most: { requests: 4 } },
      { callers: 'users', most: { requests: 3 } },
    )
    expect(spend(bob).count).toBe(4)
    expect(spend(ann).count).toBe(3)
    expect(begin(admin)).toBeUndefined()
    expect(begin(ANONYMOUS)).toBeUndefined()
  })

  it('counts bytes when they are known, also beyond the budget', () => {
    const { begin, time, spend } = makeBudgets({ callers: 'anonymous', most: { bytes: 86_400 } })
    begin()?.end(50_000)
    begin()?.end(50_000)
    const { error } = spend()
    expect(error).toMatchObject({ retryAfter: 13_600 })
    expect(error?.message).toContain('86400 bytes a day')
    time.now += 13_600
    expect(() => begin()).toThrow('bytes a day')
    time.now += 1
    begin()?.end(1)
  })

  it('shares processor time among the requests that are worked on', () => {
    const { begin, time, spend } = makeBudgets(
      { callers: 'anonymous', most: { seconds: 10 } },
      { callers: 'users', most: { seconds: 10 } },
    )
    const [one, other] = [begin(ANONYMOUS), begin(ann)]
    one?.work(true)
    time.processor += 2
    other?.work(true)
    time.processor += 8
    one?.work(false)
    time.processor += 7
    one?.end(0)
    // The first request had 2 and 4 seconds, the second one has had 4 and 7.
    expect(spend(ANONYMOUS).count).toBeGreaterThan(1000)
    other?.end(0)
    expect(spend(ann).error).toMatchObject({ retryAfter: 360 })
  })

  it('limits listeners and requests at once apart', () => {
    const { begin } = makeBudgets({ callers: 'users', most: { listeners: 1, running: 2 } })
    const listener = begin(ann, 'x', true)
    expect(() => begin(ann, 'x', true)).toThrow('1 listeners at once')
    const held = [begin(ann), begin(ann)]
    expect(() => begin(ann)).toThrow('2 requests at once')
    begin(bob)?.end(0)
    held[0]?.end(0)
    begin(ann)?.end(0)
    listener?.end(0)
    begin(ann, 'x', true)?.end(0)
  })

  it('of zero closes the service, without a time to come back', () => {
    const { spend } = makeBudgets({ callers: 'anonymous', most: { requests: 0 } })
    const { count, error } = spend()
    expect(count).toBe(0)
    expect(error?.message).toContain('closed to callers without a login')
    expect(error?.retryAfter).toBeUndefined()
  })
})
