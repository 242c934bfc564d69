import { hash } from '@node-rs/argon2'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Accounts, StoredPassword } from '../../service/accounts.ts'
import { classic } from '../dialect/classic/index.ts'
import { hsdsAt } from '../dialect/hsds/index.ts'
import type { Rules } from '../dialect/rules.ts'
import { createAuthenticate } from './authenticate.ts'
import { PasswordChecks } from './password-checks.ts'
import type { VerifyToken } from './tokens.ts'

const HSDS = hsdsAt('1.0').rules
const CLASSIC = classic.rules
const basic = (name: string, password: string) =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`

let hashOfSecret: string
let passwords: Map<string, StoredPassword>
let asked: number

const accounts: Accounts = {
  find(name, tokenGroups = []) {
    asked++
    const password = passwords.get(name)
    return { ...(password && { password }), admin: name === 'root', groups: ['all', ...tokenGroups] }
  },
  refresh: () => undefined,
  isKnownUser: () => false,
  exist: () => true,
  areAvailable: async () => true,
}

const verifyToken: VerifyToken = async token => ({ name: token, groups: ['of-token'] })

function authenticate(options: { allowAnonymous?: boolean; verifyToken?: VerifyToken } = {}) {
  const passwords = new PasswordChecks({ now: () => 0, report: () => {} })
  const check = createAuthenticate({ accounts, passwords, allowAnonymous: true, ...options })
  return (header: string | undefined, rules: Rules) => check(header, rules, '192.0.2.1')
}

beforeAll(async () => {
  hashOfSecret = await hash('secret', { memoryCost: 8, timeCost: 1, parallelism: 1 })
})

beforeEach(() => {
  passwords = new Map<string, StoredPassword>([
    ['ann', { hash: hashOfSecret }],
    ['bob', { plain: 'plain text' }],
    ['odd', { hash: '$argon2id$odd' }],
    ['root', { plain: 'root' }],
  ])
  asked = 0
})

describe('a password', () => {
  it.each([
    ['ann', 'secret'],
    ['bob', 'plain text'],
  ])('of %s is accepted when it is right, in both dialects', async (name, password) => {
    const check = authenticate()
    for (const rules of [HSDS, CLASSIC, HSDS]) {
      expect(await check(basic(name, password), rules)).toEqual({ name, admin: false, groups: ['all'] })
    }
  })

  it.each([
    ['ann', 'Secret'],
    ['ann', 'secret '],
    ['ann', '$argon2id'],
    ['bob', 'plain'],
    ['bob', 'plain text2'],
    ['odd', '$argon2id$odd'],
    ['nobody', 'secret'],
    ['default', 'secret'],
  ])('of %s is refused: %s', async (name, password) => {
    for (const rules of [HSDS, CLASSIC]) {
      await expect(authenticate()(basic(name, password), rules)).rejects.toMatchObject({
        code: 'wrong-credentials',
        message: 'unknown user or wrong password',
      })
    }
  })

  it('that was verified counts no more when the account changes', async () => {
    const check = authenticate()
    await check(basic('ann', 'secret'), HSDS)
    passwords.set('ann', { plain: 'another' })
    await expect(check(basic('ann', 'secret'), HSDS)).rejects.toMatchObject({ code: 'wrong-credentials' })
    passwords.delete('ann')
    await expect(check(basic('ann', 'secret'), HSDS)).rejects.toMatchObject({ code: 'wrong-credentials' })
    expect(asked).toBe(3)
  })
})

describe('a token', () => {
  it('tells the user, with the groups of both', async () => {
    for (const rules of [HSDS, CLASSIC]) {
      expect(await authenticate({ verifyToken })('Bearer root', rules)).toEqual({
        name: 'root',
        admin: true,
        groups: ['all', 'of-token'],
      })
    }
  })

  it('is refused where none is accepted, but for the classic dialect it is a scheme like others', async () => {
    await expect(authenticate()('Bearer root', HSDS)).rejects.toMatchObject({ code: 'wrong-credentials' })
    expect(await authenticate()('Bearer root', CLASSIC)).toEqual({ groups: [], admin: false })
    const closed = authenticate({ allowAnonymous: false })
    await expect(closed('Bearer root', CLASSIC)).rejects.toMatchObject({ code: 'credentials-required' })
  })
})

it('without credentials the caller is anonymous, if that is allowed', async () => {
  expect(await authenticate()(undefined, HSDS)).toEqual({ groups: [], admin: false })
  await expect(authenticate({ allowAnonymous: false })(undefined, HSDS)).rejects.toMatchObject({
    code: 'credentials-required',
  })
})
