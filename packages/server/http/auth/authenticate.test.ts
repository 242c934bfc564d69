import { createHash } from 'node:crypto'
import { HyperslabError } from '@hyperslab/base/errors'
import { hash } from '@node-rs/argon2'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Accounts, StoredPassword } from '../../service/accounts.ts'
import type { Logins } from '../../service/logins.ts'
import { classic } from '../dialect/classic/index.ts'
import { hsdsAt } from '../dialect/hsds/index.ts'
import type { Rules } from '../dialect/rules.ts'
import { createAuthenticate } from './authenticate.ts'
import { TOKEN_PREFIX } from './authorization.ts'
import { PasswordChecks } from './password-checks.ts'
import type { VerifyToken } from './tokens.ts'

const HSDS = hsdsAt('1.0').rules
const CLASSIC = classic.rules
const sha224 = (text: string) => createHash('sha224').update(text).digest('hex')

const basic = (name: string, password: string) =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`

let hashOfSecret: string
let hashOfSha224: string
let passwords: Map<string, StoredPassword>
let asked: number

const accounts: Accounts = {
  find(name, tokenGroups = []) {
    asked++
    const password = passwords.get(name)
    return { ...(password && { password }), admin: name === 'root', groups: ['all', ...tokenGroups] }
  },
  list: () => [],
  nameOfIdentity: () => undefined,
  refresh: () => undefined,
  isKnownUser: () => false,
  exist: () => true,
  areUnused: () => false,
  areAvailable: async () => true,
}

const TOKEN = TOKEN_PREFIX + 'a'.repeat(43)

/** ann has a session and a token, both for reading below /lab, and others that have ended. */
const logins: Pick<Logins, 'find' | 'countUse'> = {
  countUse: () => {},
  async find(kind, secret) {
    const login = { kind, id: 'id', secret, name: 'ann', end: 1e15 }
    if (kind !== 'share' && secret === 'b'.repeat(43))
      throw new HyperslabError(`${kind}-ended`, 'it was revoked')
    if (secret !== 'a'.repeat(43)) return undefined
    return kind === 'token' ? { ...login, scope: { writes: false } } : login
  },
}

const LOGIN = { id: 'id', renew: expect.any(Function) }

const verifyToken: VerifyToken = async token => ({ name: token, groups: ['of-token'] })

function authenticate(options: { allowAnonymous?: boolean; verifyToken?: VerifyToken } = {}) {
  const passwords = new PasswordChecks({ now: () => 0, report: () => {} })
  const check = createAuthenticate({ accounts, logins, passwords, allowAnonymous: true, ...options })
  return async (authorization: string | undefined, rules: Rules, session?: string) =>
    (await check({ authorization, session, address: '192.0.2.1' }, rules)).caller
}

beforeAll(async () => {
  const cheap = { memoryCost: 8, timeCost: 1, parallelism: 1 }
  hashOfSecret = await hash('secret', cheap)
  hashOfSha224 = await hash(sha224('of h5serv'), cheap)
})

beforeEach(() => {
  passwords = new Map<string, StoredPassword>([
    ['ann', { hash: hashOfSecret }],
    ['bob', { plain: 'plain text' }],
    ['eve', { sha224: sha224('of h5serv') }],
    ['fay', { hash: hashOfSha224, of: 'sha224' }],
    ['odd', { hash: '$argon2id$odd' }],
    ['root', { plain: 'root' }],
  ])
  asked = 0
})

describe('a password', () => {
  it.each([
    ['ann', 'secret'],
    ['bob', 'plain text'],
    ['eve', 'of h5serv'],
    ['fay', 'of h5serv'],
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
    ['eve', 'of h5'],
    ['eve', sha224('of h5serv')],
    ['fay', sha224('of h5serv')],
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

describe('a token of the service', () => {
  const ann = { name: 'ann', admin: false, groups: ['all'], scope: { writes: false }, login: LOGIN }

  it('is accepted as a bearer and as a password, also in the classic dialect', async () => {
    for (const rules of [HSDS, CLASSIC]) {
      expect(await authenticate()(`Bearer ${TOKEN}`, rules)).toEqual(ann)
      expect(await authenticate({ verifyToken })(`Bearer ${TOKEN}`, rules)).toEqual(ann)
      expect(await authenticate()(basic('ann', TOKEN), rules)).toEqual(ann)
    }
  })

  it('is refused with another name, and when it has ended or is unknown', async () => {
    const check = authenticate()
    await expect(check(basic('bob', TOKEN), HSDS)).rejects.toMatchObject({ code: 'wrong-credentials' })
    const ended = `Bearer ${TOKEN_PREFIX}${'b'.repeat(43)}`
    await expect(check(ended, HSDS)).rejects.toMatchObject({ code: 'token-ended' })
    await expect(check(`${ended}c`, HSDS)).rejects.toMatchObject({ code: 'wrong-credentials' })
  })

  it('counts as a failed login when it is not accepted, once for each token', async () => {
    const check = authenticate()
    const outcome = (n: number) =>
      check(`Bearer ${TOKEN_PREFIX}${n}`, HSDS).catch((error: { code?: string }) => error.code)
    for (let n = 0; n < 20; n++) expect(await outcome(0)).toBe('wrong-credentials')
    for (let n = 1; n < 5; n++) expect(await outcome(n)).toBe('wrong-credentials')
    expect(await outcome(5)).toBe('too-many-logins')
    expect(await outcome(0)).toBe('wrong-credentials')
    expect(await check(`Bearer ${TOKEN}`, HSDS)).toEqual(ann)
  })
})

describe('a session', () => {
  it('says the user, unless there is an Authorization header', async () => {
    const check = authenticate()
    const secret = 'a'.repeat(43)
    expect(await check(undefined, HSDS, secret)).toEqual({
      name: 'ann',
      admin: false,
      groups: ['all'],
      login: LOGIN,
    })
    expect(await check(basic('bob', 'plain text'), HSDS, secret)).toMatchObject({ name: 'bob' })
  })

  it('that has ended or is unknown is refused, and not taken for a caller without credentials', async () => {
    for (const letter of ['b', 'c']) {
      await expect(authenticate()(undefined, HSDS, letter.repeat(43))).rejects.toMatchObject({
        code: 'session-ended',
      })
    }
  })
})

it('without credentials the caller is anonymous, if that is allowed', async () => {
  expect(await authenticate()(undefined, HSDS)).toEqual({ groups: [], admin: false })
  await expect(authenticate({ allowAnonymous: false })(undefined, HSDS)).rejects.toMatchObject({
    code: 'credentials-required',
  })
})
