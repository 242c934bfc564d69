import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import type { StoredPassword } from '../../service/accounts.ts'
import { type FailedLogin, PasswordChecks } from './password-checks.ts'

const HOME = '192.0.2.1'
const ELSEWHERE = '198.51.100.7'
const ANN: StoredPassword = { hash: 'hash of right' }

let clock: number
let reports: FailedLogin[]
let checks: PasswordChecks
/** Checks that have begun, each with what ends it. */
let begun: { readonly password: string; end(): void }[]
let holds: boolean

beforeEach(() => {
  clock = 0
  reports = []
  begun = []
  holds = false
  checks = new PasswordChecks({
    now: () => clock,
    report: failure => reports.push(failure),
    verify: (stored, password) =>
      new Promise(resolve => {
        const end = () => resolve(stored === `hash of ${password}`)
        begun.push({ password, end })
        if (!holds) end()
      }),
  })
})

/** Tells how it ends: an error by its code and the seconds to wait. */
function login(
  password: string,
  { name = 'ann', stored = ANN as StoredPassword | 'none', from = HOME } = {},
): Promise<boolean | string> {
  return checks
    .isRight({ name, password }, stored === 'none' ? undefined : stored, from)
    .catch((error: { code?: string; retryAfter?: number }) => `${error.code} ${error.retryAfter}`)
}

/** A number of wrong passwords, one after another. */
async function fail(times: number, options = {}): Promise<(boolean | string)[]> {
  const outcomes = []
  for (let time = 0; time < times; time++) outcomes.push(await login(`wrong ${time} ${clock}`, options))
  return outcomes
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await nextTurn()
}

describe('a password that was right', () => {
  it('is verified once for a burst of requests, and not again until an hour without use', async () => {
    expect(await Promise.all(Array.from({ length: 50 }, () => login('right')))).toEqual(Array(50).fill(true))
    for (let hour = 0; hour < 5; hour++) {
      clock += 3_500_000
      expect(await login('right')).toBe(true)
    }
    expect(begun).toHaveLength(1)
    clock += 3_700_000
    expect(await login('right')).toBe(true)
    expect(begun).toHaveLength(2)
  })

  it('counts no more when the account changes', async () => {
    expect(await login('right')).toBe(true)
    expect(await login('right', { stored: { hash: 'hash of other' } })).toBe(false)
    expect(await login('right', { stored: { plain: 'other' } })).toBe(false)
    expect(await login('right', { stored: 'none' })).toBe(false)
    expect(await login('right')).toBe(true)
  })

  it('never waits, neither for checks nor after failures, but elsewhere it is checked like any', async () => {
    await login('right')
    await fail(6)
    expect(await login('right')).toBe(true)
    holds = true
    const others = Array.from({ length: 40 }, (_, other) => login('wrong', { name: `name ${other}` }))
    await settle()
    expect(await login('right')).toBe(true)
    const elsewhere = login('right', { from: ELSEWHERE })
    await settle()
    expect(begun.at(-1)?.password).toBe('right')
    holds = false
    for (let turn = 0; turn < 60; turn++) {
      for (const { end } of begun) end()
      await settle()
    }
    expect(await elsewhere).toBe(true)
    await Promise.all(others)
  })

  it('is good in plain text, too, and wrong ones cost a check', async () => {
    const stored = { plain: 'plain text' }
    expect(await login('plain text', { stored })).toBe(true)
    expect(begun).toHaveLength(0)
    for (const wrong of ['plain', 'plain text2']) expect(await login(wrong, { stored })).toBe(false)
    expect(begun).toHaveLength(2)
  })
})

describe('failures', () => {
  it('with the same wrong password are one, which is rejected again without a check for ten minutes', async () => {
    for (let time = 0; time < 50; time++) expect(await login('old')).toBe(false)
    expect(begun).toHaveLength(1)
    expect(checks.failed).toBe(1)
    expect(await login('right')).toBe(true)
    expect(await login('old', { stored: { hash: 'hash of old' } })).toBe(true)
    clock += 600_000
    expect(await login('old')).toBe(false)
    expect(checks.failed).toBe(2)
  })

  it('delay the next check of that account from that address, longer each time, also the right one', async () => {
    const isFree = await fail(5)
    expect(isFree).toEqual([false, false, false, false, false])
    for (const seconds of [1, 2, 4, 8, 16, 30, 30]) {
      expect(await login('right')).toBe(`too-many-logins ${seconds}`)
      clock += seconds * 1000
      expect(await fail(1)).toEqual([false])
    }
  })

  it('do not touch the account elsewhere, nor other accounts there', async () => {
    await fail(6)
    expect(await login('right', { from: ELSEWHERE })).toBe(true)
    expect(await login('right', { name: 'bob' })).toBe(true)
  })

  it('are the same for unknown names', async () => {
    const nobody = await fail(7, { name: 'nobody', stored: 'none' })
    expect(nobody).toEqual(await fail(7))
    expect(nobody.at(-1)).toBe('too-many-logins 1')
  })

  it.each([
    ['a right password', async () => (clock += 1000) && login('right', { from: HOME })],
    ['ten minutes', async () => (clock += 601_000)],
  ])('are forgotten after %s', async (_, pass) => {
    await fail(5)
    await pass()
    expect(await fail(5)).toEqual([false, false, false, false, false])
  })

  it('are counted and reported with account and address, and the log cannot be flooded', async () => {
    await login('wrong')
    expect(reports).toEqual([{ account: 'ann', address: HOME, failures: 1 }])
    for (let other = 1; other < 500; other++) await login('wrong', { name: `${other}${'x'.repeat(9999)}` })
    expect(checks.failed).toBe(500)
    expect(reports).toHaveLength(60)
    expect(JSON.stringify(reports).length).toBeLessThan(60 * 300)
    clock += 60_000
    await login('wrong', { name: 'last' })
    expect(reports.at(-1)).toEqual({ account: 'last', address: HOME, failures: 1, unlogged: 440 })
  })
})

describe('the line of checks', () => {
  it('has two places, one for each address, and is served in turn', async () => {
    holds = true
    const waiting = [1, 2, 3].map(n => login(`wrong ${n}`, { name: `name ${n}` }))
    await settle()
    expect(begun.map(({ password }) => password)).toEqual(['wrong 1'])
    const elsewhere = login('right', { from: ELSEWHERE })
    await settle()
    expect(begun.map(({ password }) => password)).toEqual(['wrong 1', 'right'])
    begun[1].end()
    expect(await elsewhere).toBe(true)
    for (let check = 0; check < 4; check++) {
      await settle()
      for (const { end } of begun) end()
    }
    expect(await Promise.all(waiting)).toEqual([false, false, false])
    expect(checks.waiting).toBe(0)
  })

  it('has four places for one account at one address, however many come', async () => {
    holds = true
    const all = Array.from({ length: 200 }, (_, n) => login(`wrong ${n}`))
    await settle()
    expect(checks.waiting).toBe(3)
    const other = login('right', { name: 'bob' })
    for (let check = 0; check < 6; check++) {
      await settle()
      for (const { end } of begun) end()
    }
    expect(await other).toBe(true)
    const outcomes = await Promise.all(all)
    expect(outcomes.filter(outcome => outcome === false)).toHaveLength(4)
    expect(outcomes.filter(outcome => outcome === 'too-many-logins 1')).toHaveLength(196)
  })

  it('refuses when it is full, and is kept in part for other addresses', async () => {
    holds = true
    const all = Array.from({ length: 100 }, (_, n) => login('wrong', { name: `name ${n}` }))
    await settle()
    expect(checks.waiting).toBe(24)
    const elsewhere = login('right', { from: ELSEWHERE })
    holds = false
    for (let check = 0; check < 30; check++) {
      await settle()
      for (const { end } of begun) end()
    }
    expect(await elsewhere).toBe(true)
    const outcomes = await Promise.all(all)
    expect(outcomes.filter(outcome => outcome === false)).toHaveLength(25)
    expect(outcomes.filter(outcome => /^too-busy \d+$/.test(String(outcome)))).toHaveLength(75)
  })
})
