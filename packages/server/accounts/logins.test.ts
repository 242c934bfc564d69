import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { parseDomainPath } from '@hyperslab/model/names'
import { changeAccounts, digestOf, LoginStore, withSnapshot } from '@hyperslab/store/records'
import { beforeEach, describe, expect, it } from 'vitest'
import { seededRandom } from '../../../test/engines/clock.ts'
import { openMemoryEngine } from '../../../test/engines/memory.ts'
import { withCounters } from '../../../test/engines/with-counters.ts'
import { EVERYTHING } from '../../store/key-range.ts'
import type { Account } from '../service/accounts.ts'
import { StoredLogins } from './logins.ts'

const DAY = 86_400_000
const SETTINGS = { sessionIdle: 86_400, sessionEnd: 10 * 86_400 }
const ANN = { name: 'ann' }
const PHYSICS = parseDomainPath('/physics')

let engine: ReturnType<typeof withCounters>
let accounts: Map<string, Account>
let time: number
let now: number
let reports: unknown[]
let seed = 0

beforeEach(() => {
  engine = withCounters(openMemoryEngine())
  accounts = new Map([
    ['ann', { password: { hash: 'hash of ann' }, groups: [], admin: false }],
    ['bob', { password: { plain: 'plain of bob' }, groups: [], admin: false }],
  ])
  time = Date.parse('2027-01-01')
  now = 0
  reports = []
})

/** The logins as one process knows them. */
function open(): StoredLogins {
  return new StoredLogins({
    keyValue: engine.keyValue,
    random: seededRandom(++seed),
    accounts: { find: name => accounts.get(name) ?? { groups: [], admin: false } },
    settings: SETTINGS,
    clock: {
      ...SYSTEM_CLOCK,
      now: () => time,
      elapsed: () => now,
      sleep: async milliseconds => pass(milliseconds),
    },
    report: error => reports.push(error),
  })
}

/** The time that passes, also for what is remembered. */
function pass(milliseconds: number): void {
  time += milliseconds
  now += milliseconds
}

const share = (note = '') => ({ note, end: time + DAY, within: PHYSICS, view: 'folder=/physics' })

const token = (name: string) => ({ name, end: time + DAY, writes: false })

/** All bytes that are stored. */
async function stored(): Promise<string> {
  return withSnapshot(engine.keyValue, async snapshot => {
    let text = ''
    for await (const { key, value } of snapshot.range(EVERYTHING))
      text += Buffer.concat([key, value]).toString('latin1')
    return text
  })
}

describe('a session', () => {
  it('is known to every process by its secret, of which the store has the hash only', async () => {
    const { secret, id } = await open().beginSession(ANN, 'Browser')
    expect(secret).toMatch(/^[\w-]{43}$/)
    expect(await open().find('session', secret)).toMatchObject({ name: 'ann', id, end: time + 10 * DAY })
    expect(await open().find('token', secret)).toBeUndefined()
    expect(await open().find('session', secret.replace(/.$/, 'x'))).toBeUndefined()
    expect(await open().find('session', '')).toBeUndefined()
    const bytes = await stored()
    expect(bytes).not.toContain(secret)
    expect(bytes).not.toContain(Buffer.from(secret, 'base64url').toString('latin1'))
    const other = await open().beginSession({ name: 'bob' }, '')
    expect(await stored()).not.toContain('plain of bob')
    expect(await open().listSessions('ann')).toMatchObject([{ id, client: 'Browser' }])
    expect(await open().listSessions('bob')).toMatchObject([{ id: other.id }])
  })

  it('ends when it is not used, a use now and then keeps it, and in any case in the end', async () => {
    const logins = open()
    const { secret } = await logins.beginSession(ANN, '')
    for (let half = 0; half < 19; half++) {
      pass(DAY / 2)
      expect(await logins.find('session', secret)).toBeDefined()
    }
    pass(DAY / 2)
    await expect(logins.find('session', secret)).rejects.toThrow(/expired at 2027-01-11/)
    const unused = await logins.beginSession(ANN, '')
    pass(DAY)
    await expect(open().find('session', unused.secret)).rejects.toMatchObject({
      code: 'session-ended',
      message: 'the session has ended: it was not used for 86400 s; log in again',
    })
    expect(await logins.listSessions('ann')).toEqual([])
    expect(reports).toEqual([])
  })

  it('costs one look into the store in 250 ms, and no write in most', async () => {
    const logins = open()
    const { secret } = await logins.beginSession(ANN, '')
    const cost = await engine.count(async () => {
      for (let n = 0; n < 100; n++) {
        pass(1)
        await logins.find('session', secret)
      }
    })
    expect(cost).toMatchObject({ snapshots: 1, keys: 1, commits: 0 })
  })

  it('that one process ends is not accepted by another when the end is acknowledged', async () => {
    const [one, other] = [open(), open()]
    const { secret, id } = await one.beginSession(ANN, '')
    expect(await other.find('session', secret)).toBeDefined()
    expect(await one.end('ann', 'session', id)).toBe(true)
    await expect(other.find('session', secret)).rejects.toThrow('the user has ended it')
    await expect(one.find('session', secret)).rejects.toThrow('the user has ended it')
    expect(await one.end('ann', 'session', id)).toBe(false)
    expect(await one.end('bob', 'session', id)).toBe(false)
  })

  it('ends with another password, however that was changed, with the account, and while it is disabled', async () => {
    const logins = open()
    const { secret } = await logins.beginSession(ANN, '')
    const account: Account = { groups: [], admin: false }
    accounts.set('ann', { ...account, password: { hash: 'another' } })
    await expect(logins.find('session', secret)).rejects.toThrow('the password of ann has changed')
    accounts.delete('ann')
    await expect(logins.find('session', secret)).rejects.toThrow('no account ann')
    accounts.set('ann', { ...account, disabled: true })
    await expect(logins.find('session', secret)).rejects.toThrow('the account ann is disabled')
    accounts.set('ann', { ...account, password: { hash: 'hash of ann' }, admin: true })
    expect(await logins.find('session', secret)).toBeDefined()
  })

  it('can go on with the next password, also before it counts', async () => {
    const logins = open()
    const { secret } = await logins.beginSession(ANN, '')
    const used = await logins.find('session', secret)
    if (!used) throw new Error('no session')
    await logins.keepSession(used, { hash: 'next' })
    pass(1000)
    expect(await logins.find('session', secret)).toBeDefined()
    accounts.set('ann', { password: { hash: 'next' }, groups: [], admin: false })
    expect(await logins.find('session', secret)).toBeDefined()
  })

  it('of a user that an identity provider has named needs no account, and keeps the groups', async () => {
    const logins = open()
    const { secret } = await logins.beginSession({ name: 'zoe', providerGroups: ['lab'] }, '')
    expect(await logins.find('session', secret)).toMatchObject({ name: 'zoe', providerGroups: ['lab'] })
    accounts.set('zoe', { groups: [], admin: false, disabled: true })
    await expect(logins.find('session', secret)).rejects.toThrow('disabled')
  })

  it('ends when its user begins too many, the one that was not used for longest first', async () => {
    const logins = open()
    const secrets: string[] = []
    for (let n = 0; n < 22; n++) {
      pass(1)
      secrets.push((await logins.beginSession(ANN, String(n))).secret)
    }
    const [first, second, third] = secrets
    for (const secret of [first, second])
      await expect(logins.find('session', secret)).rejects.toThrow('more than 20')
    expect(await logins.find('session', third)).toBeDefined()
    expect(await logins.listSessions('ann')).toHaveLength(20)
  })

  it('of which others end leaves the one that is kept', async () => {
    const logins = open()
    const sessions = await Promise.all(['a', 'b', 'c'].map(client => logins.beginSession(ANN, client)))
    const [kept] = sessions
    expect(await logins.endOtherSessions('ann', kept?.id, 'enough')).toBe(2)
    expect(await logins.listSessions('ann')).toMatchObject([{ id: kept?.id }])
    expect(await logins.endOtherSessions('ann', undefined, 'enough')).toBe(1)
    expect(await logins.listSessions('ann')).toEqual([])
  })
})

describe('the groups that an identity provider names', () => {
  const zoe = (...providerGroups: string[]) => ({ name: 'zoe', providerGroups })
  const END = { ...token('program'), end: Date.parse('2030-01-01') }

  async function made(logins: StoredLogins) {
    const session = await logins.beginSession(zoe('lab', 'staff'), '')
    const user = { name: 'zoe', ...(await logins.find('session', session.secret)) }
    const { secret } = await logins.createToken(user, END)
    const shared = await logins.createShare(user, { ...share(), end: END.end })
    return { session: session.secret, token: secret, share: shared.secret }
  }

  it('at the last login are those of all that were made before, in every process', async () => {
    const [logins, other] = [open(), open()]
    const secrets = await made(logins)
    const groups = async (from: StoredLogins) => [
      (await from.find('session', secrets.session))?.providerGroups,
      (await from.find('token', secrets.token))?.providerGroups,
      (await from.find('share', secrets.share))?.providerGroups,
    ]
    expect(await groups(other)).toEqual(Array(3).fill(['lab', 'staff']))
    pass(1000)
    await other.beginSession(zoe('staff'), 'another browser')
    expect(await groups(logins)).toEqual(Array(3).fill(['staff']))
    // A login with a password names no groups of a provider, and takes none away.
    pass(1000)
    await other.beginSession({ name: 'zoe' }, '')
    expect(await groups(logins)).toEqual(Array(3).fill(['staff']))
  })

  it('are none when the last login was longer ago than a session lasts, until the next one', async () => {
    const logins = open()
    const secrets = await made(logins)
    const ofToken = async () => (await logins.find('token', secrets.token))?.providerGroups
    pass(10 * DAY - 1)
    expect(await ofToken()).toEqual(['lab', 'staff'])
    pass(1)
    expect(await ofToken()).toEqual([])
    expect(await logins.find('share', secrets.share)).toMatchObject({ providerGroups: [] })
    await logins.beginSession(zoe('lab'), '')
    pass(1000)
    expect(await ofToken()).toEqual(['lab'])
  })

  it('are as old as the session that makes a token, and not as the token', async () => {
    const logins = open()
    const { secret } = await logins.beginSession(zoe('lab'), '')
    for (let day = 0; day < 9; day++) {
      pass(DAY - 1)
      expect(await logins.find('session', secret)).toBeDefined()
    }
    const user = { name: 'zoe', ...(await logins.find('session', secret)) }
    const late = await logins.createToken(user, END)
    pass(2 * DAY)
    expect(await logins.find('token', late.secret)).toMatchObject({ providerGroups: [] })
  })
})

describe('a token', () => {
  it('has a scope and an end, and survives a new password', async () => {
    const logins = open()
    const { secret, id } = await logins.createToken(ANN, {
      ...token('laptop'),
      writes: true,
      within: PHYSICS,
    })
    accounts.set('ann', { password: { hash: 'another' }, groups: [], admin: false })
    expect(await open().find('token', secret)).toMatchObject({ scope: { writes: true, within: '/physics' } })
    expect(await logins.listTokens('ann')).toEqual([
      { id, name: 'laptop', uses: 0, created: time, end: time + DAY, writes: true, within: '/physics' },
    ])
    pass(DAY)
    await expect(logins.find('token', secret)).rejects.toMatchObject({
      code: 'token-ended',
      message: 'the token has ended: it has expired at 2027-01-02T00:00:00.000Z; use another token',
    })
    expect(await logins.listTokens('ann')).toEqual([])
  })

  it('is revoked', async () => {
    const logins = open()
    const { secret, id } = await logins.createToken(ANN, token('laptop'))
    expect(await logins.end('ann', 'session', id)).toBe(false)
    expect(await logins.end('ann', 'token', id)).toBe(true)
    await expect(logins.find('token', secret)).rejects.toThrow('it was revoked')
  })

  it('is one of at most 50, and at most 50 that have ended are kept', async () => {
    const logins = open()
    for (let n = 0; n < 50; n++) await logins.createToken(ANN, token(String(n)))
    await expect(logins.createToken(ANN, token('more'))).rejects.toMatchObject({ code: 'too-many-tokens' })
    pass(DAY)
    for (let n = 0; n < 50; n++) await logins.createToken(ANN, token(String(n)))
    pass(DAY)
    await logins.createToken(ANN, token('last'))
    const keys = await withSnapshot(engine.keyValue, async snapshot => {
      let count = 0
      for await (const _ of snapshot.range(EVERYTHING)) count++
      return count
    })
    expect(keys).toBe(51)
  })

  it('and a session do not outlive the account: a later user of the name does not get them', async () => {
    const change = (work: (users: Map<string, { hash: string; admin: boolean }>) => void) =>
      changeAccounts(engine.keyValue, seededRandom(1), ({ users }) => work(users))
    await change(users => users.set('ann', { hash: 'hash of ann', admin: false }))
    const logins = open()
    const { secret } = await logins.createToken(ANN, token('laptop'))
    await logins.createToken({ name: 'bob' }, token('of bob'))
    await change(users => users.delete('ann'))
    await change(users => users.set('ann', { hash: 'hash of ann', admin: false }))
    expect(await logins.find('token', secret)).toBeUndefined()
    expect(await logins.listTokens('bob')).toHaveLength(1)
  })
})

it('tokens that many processes make at once are all there', async () => {
  await Promise.all(Array.from({ length: 10 }, (_, n) => open().createToken(ANN, token(String(n)))))
  expect(await open().listTokens('ann')).toHaveLength(10)
})

describe('a share', () => {
  it('is known to every process by its secret, and reads in what it is for', async () => {
    const { secret, id, end } = await open().createShare(ANN, share('for Bob'))
    expect(await open().find('share', secret)).toEqual({
      kind: 'share',
      id,
      secret,
      name: 'ann',
      end,
      scope: { writes: false, within: PHYSICS },
      view: 'folder=/physics',
    })
    expect(await open().find('token', secret)).toBeUndefined()
    expect(await open().find('session', secret)).toBeUndefined()
    expect(await stored()).not.toContain(secret)
    expect(await open().listShares('ann')).toEqual([{ id, created: time, uses: 0, ...share('for Bob') }])
    expect(await open().listShares('bob')).toEqual([])
    expect(await open().listTokens('ann')).toEqual([])
  })

  it('ends without a reason: after its end, with the account of its user, when it is revoked', async () => {
    const [one, other] = [open(), open()]
    const first = await one.createShare(ANN, share())
    const second = await one.createShare(ANN, share())
    expect(await other.find('share', first.secret)).toBeDefined()
    const start = performance.now()
    expect(await one.end('bob', 'share', first.id)).toBe(false)
    expect(await one.end('ann', 'token', first.id)).toBe(false)
    expect(await one.end('ann', 'share', first.id)).toBe(true)
    now += performance.now() - start
    expect(await other.find('share', first.secret)).toBeUndefined()
    const account = accounts.get('ann')
    accounts.set('ann', { groups: [], admin: false, disabled: true })
    expect(await other.find('share', second.secret)).toBeUndefined()
    accounts.delete('ann')
    expect(await other.find('share', second.secret)).toBeUndefined()
    if (account) accounts.set('ann', account)
    expect(await other.find('share', second.secret)).toBeDefined()
    pass(DAY)
    expect(await other.find('share', second.secret)).toBeUndefined()
    expect(await one.listShares('ann')).toEqual([])
  })

  it('keeps its record no longer than it is good for something', async () => {
    const logins = open()
    const { id } = await logins.createShare(ANN, share('revoked share'))
    await logins.createShare(ANN, share('expired share'))
    await logins.end('ann', 'share', id)
    expect(await stored()).not.toContain('revoked share')
    pass(DAY)
    await logins.beginSession(ANN, '')
    expect(await stored()).not.toContain('expired share')
  })

  it('is one of at most 1,000', async () => {
    const logins = open()
    const { secret, created } = await logins.createShare(ANN, share())
    await new LoginStore(engine.keyValue, seededRandom(1)).change('ann', stored => {
      const one = { kind: 'share' as const, user: 'ann', created, uses: 0, ...share() }
      for (let n = 1; n < 1000; n++) stored.set(digestOf(`share ${n}`), one)
    })
    await expect(logins.createShare(ANN, share())).rejects.toMatchObject({ code: 'too-many-shares' })
    expect(await logins.listShares('ann')).toHaveLength(1000)
    expect(await open().find('share', secret)).toBeDefined()
    await logins.createShare({ name: 'bob' }, share())
    await logins.createToken(ANN, token('one'))
  })

  it('counts the uses of all processes, without a commit for each', async () => {
    const [one, other] = [open(), open()]
    const { secret } = await one.createShare(ANN, share())
    const cost = await engine.count(async () => {
      for (let n = 0; n < 100; n++) one.countUse(secret)
    })
    expect(cost).toMatchObject({ snapshots: 0, commits: 0 })
    pass(5)
    for (let n = 0; n < 10; n++) other.countUse(secret)
    const last = time
    pass(5)
    await Promise.all([one.storeUses(), other.storeUses(), one.storeUses()])
    expect(await open().listShares('ann')).toMatchObject([{ uses: 110, used: last }])
    const idle = await engine.count(() => one.storeUses())
    expect(idle).toMatchObject({ snapshots: 0, commits: 0 })
    expect(reports).toEqual([])
  })

  it('counts uses of tokens as well, those of all in one commit', async () => {
    const logins = open()
    const { secret } = await logins.createToken(ANN, token('one'))
    const { secret: other } = await logins.createToken(ANN, token('other'))
    await logins.createToken(ANN, token('unused'))
    for (const used of [secret, secret, other]) logins.countUse(used)
    expect(await engine.count(() => logins.storeUses())).toMatchObject({ commits: 1 })
    const uses = (await open().listTokens('ann')).map(({ name, uses, used }) => ({ name, uses, used }))
    expect(uses).toEqual(
      expect.arrayContaining([
        { name: 'one', uses: 2, used: time },
        { name: 'other', uses: 1, used: time },
        { name: 'unused', uses: 0, used: undefined },
      ]),
    )
  })

  it('tells the groups that providers have named, of logins that have not ended', async () => {
    const logins = open()
    const { id } = await logins.createToken({ name: 'zoe', providerGroups: ['lab', 'left'] }, token('t'))
    await logins.createShare({ name: 'mia', providerGroups: ['lab'] }, { ...share(), end: time + 2 * DAY })
    await logins.createToken(ANN, token('of an account'))
    const groups = () => new LoginStore(engine.keyValue, seededRandom(0)).providerGroups(time)
    expect(await groups()).toEqual(
      new Map([
        ['lab', new Set(['zoe', 'mia'])],
        ['left', new Set(['zoe'])],
      ]),
    )
    await logins.end('zoe', 'token', id)
    expect(await groups()).toEqual(new Map([['lab', new Set(['mia'])]]))
    pass(2 * DAY)
    expect(await groups()).toEqual(new Map())
  })

  it('that was revoked is not brought back by its uses', async () => {
    const [one, other] = [open(), open()]
    const { secret, id } = await one.createShare(ANN, share())
    other.countUse(secret)
    await one.end('ann', 'share', id)
    await other.storeUses()
    expect(await other.listShares('ann')).toEqual([])
    expect(await open().find('share', secret)).toBeUndefined()
    expect(reports).toEqual([])
  })
})
