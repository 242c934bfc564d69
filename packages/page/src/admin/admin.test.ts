import { type Hyperslab, RequestError } from '@hyperslab/client'
import { describe, expect, test } from 'vitest'
import { rowOf as changeRow } from './changes.ts'
import { loadHealth } from './health.ts'
import { type Login, loginOf, rowOf as loginRow } from './logins.ts'
import { placeOf } from './parts.ts'
import { type RunningRequest, rowOf as requestRow } from './requests.ts'
import { limitsOf, removeQuota, setQuota, subjectOf } from './use.ts'
import { actionsOn, badgesOf, beginUser, type User } from './users.ts'

const TIME = '2026-01-01T00:00:00Z'
const AT = { time: Date.parse(TIME) / 1000 }

/** A service that answers requests by name, and notes what was sent. */
function newService(answers: Readonly<Record<string, unknown>> = {}) {
  const requests: unknown[] = []
  const client = {
    request: async (name: string, parameters: object, { body }: { body?: unknown } = {}) => {
      requests.push(body === undefined ? [name, parameters] : [name, parameters, body])
      const answer = answers[name]
      if (answer instanceof Error) throw answer
      return answer ?? {}
    },
  } as unknown as Hyperslab
  return { client, requests }
}

function fields(values: Readonly<Record<string, string>>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(values)) form.set(name, value)
  return form
}

test('the place of a part has the fields that are not empty', () => {
  expect(placeOf('logins', fields({ user: 'ann', kind: '' }))).toEqual({
    kind: 'admin',
    part: 'logins',
    view: 'user=ann',
  })
  expect(placeOf('use', [])).toEqual({ kind: 'admin', part: 'use' })
})

describe('users', () => {
  const USER: User = { name: 'bob', admin: false, groups: [], disabled: false, stored: true }
  const texts = (parts: Partial<User>, own = 'root') =>
    actionsOn({ ...USER, ...parts }, own).map(({ text }) => text)

  test('may be given a password and rights, disabled and removed, but not by themselves', () => {
    expect(texts({})).toEqual(['Set a password', 'Make an administrator', 'Disable', 'Remove'])
    expect(texts({ admin: true })).toContain('Make an ordinary user')
    expect(texts({ disabled: true })).toEqual(['Set a password', 'Make an administrator', 'Enable', 'Remove'])
    expect(texts({ stored: false })).toEqual(['Disable'])
    expect(texts({ issuer: 'https://id.example' })).not.toContain('Set a password')
    expect(texts({}, 'bob')).toEqual([])
  })

  test('have badges', () => {
    const badges = (parts: Partial<User>, own = 'root') =>
      badgesOf({ ...USER, ...parts }, own).map(({ text }) => text)
    expect(badges({})).toEqual([])
    expect(badges({ admin: true, disabled: true }, 'bob')).toEqual(['you', 'administrator', 'disabled'])
    expect(badges({ stored: false })).toEqual(['of the password file'])
  })

  test('are changed by one request', async () => {
    const { client, requests } = newService()
    const all = [...actionsOn(USER, 'root'), ...actionsOn({ ...USER, admin: true, disabled: true }, 'root')]
    for (const { act } of all) await act(client, 'next')
    const name = 'bob'
    const password = ['POST /users/{name}', { name }, { password: 'next' }]
    expect(requests).toEqual([
      password,
      ['POST /users/{name}', { name }, { admin: true }],
      ['DELETE /users/{name}', { name }],
      ['DELETE /users/{name}', { name, remove: 1 }],
      password,
      ['POST /users/{name}', { name }, { admin: false }],
      ['POST /users/{name}', { name }, { disabled: false }],
      ['DELETE /users/{name}', { name, remove: 1 }],
    ])
  })

  test('begin with a password as it was typed', async () => {
    const { client, requests } = newService()
    await beginUser(client, fields({ name: 'bob', password: ' p ' }))
    expect(requests).toEqual([['PUT /users/{name}', { name: 'bob' }, { password: ' p ', admin: false }]])
  })
})

describe('logins', () => {
  const login = { id: 'i', user: 'ann', kind: 'session', created: TIME, end: TIME } as const

  test.each<[Login, string, string[], unknown[]]>([
    [
      { ...login, title: 'curl/8', used: TIME },
      'curl/8',
      ['ann', 'session'],
      ['made ', AT, ', ends ', AT, ', used ', AT],
    ],
    [
      { ...login, kind: 'token', title: 'beam', writes: true, within: '/lab' },
      'beam',
      ['ann', 'token', 'reads and writes', '/lab'],
      ['made ', AT, ', ends ', AT],
    ],
    [
      { ...login, kind: 'share', within: '/a.h5', uses: 1, used: TIME },
      '/a.h5',
      ['ann', 'share'],
      ['made ', AT, ', ends ', AT, ', 1 request', ', used ', AT],
    ],
  ])('%j', (given, title, badges, sentence) => {
    const row = loginRow(given)
    expect(row).toMatchObject({ title, sentence })
    expect(row.badges.map(({ text }) => text)).toEqual(badges)
    expect(row.ending?.consequence).toBeTruthy()
    expect(loginOf(row.id)).toEqual({ kind: given.kind, id: 'i', user: 'ann' })
  })
})

test('a running request says what it does, for how long, whose it is, and what has gone over the network', () => {
  const request: RunningRequest = {
    id: 'r',
    since: 0,
    seconds: 61.2,
    state: 'streaming',
    method: 'GET',
    operation: 'get-value',
    dialect: 'hsds',
    callers: 'users',
    user: 'ann',
    address: '192.0.2.1',
    domain: '/a.h5',
    path: '/datasets/d/value',
    received: 0,
    sent: 2048,
  }
  expect(requestRow(request)).toMatchObject({
    title: 'get-value of /a.h5',
    badges: [{ text: 'sends its answer' }, { text: '1 min' }],
    sentence: ['by ann from 192.0.2.1 · 2.0 KiB sent'],
    ending: { label: 'End get-value of ann' },
  })
  const { operation: _, user: _user, domain: _domain, ...bare } = request
  expect(requestRow({ ...bare, seconds: 2.4 })).toMatchObject({
    title: 'GET /datasets/d/value',
    badges: [{}, { text: '2 s' }],
    sentence: ['by a caller without a login from 192.0.2.1 · 2.0 KiB sent'],
  })
})

describe('quotas', () => {
  const used = { bytes: 512, objects: 3 }

  test('have a subject and the used part of each limit', () => {
    expect(subjectOf({ folder: '/lab' })).toBe('/lab')
    expect(subjectOf({ owner: 'ann' })).toBe('user ann')
    expect(limitsOf({ folder: '/lab', bytes: 1024, objects: 0, used, enforced: true })).toEqual([
      { text: '512 B of 1.0 KiB', part: 0.5 },
      { text: '3 of 0 objects', part: 1 },
    ])
    expect(limitsOf({ owner: 'ann', objects: 6, used, enforced: true })).toEqual([
      { text: '3 of 6 objects', part: 0.5 },
    ])
  })

  test.each([
    [
      { scope: 'folder', name: ' /lab ', size: '1.5', unit: 'GiB', objects: '' },
      { folder: '/lab', bytes: 1_610_612_736 },
    ],
    [
      { scope: 'owner', name: 'ann', size: '0', unit: 'MiB', objects: '7' },
      { owner: 'ann', bytes: 0, objects: 7 },
    ],
  ])('%j is set', async (form, body) => {
    const { client, requests } = newService()
    await setQuota(client, fields(form))
    expect(requests).toEqual([['PUT /quotas', {}, body]])
  })

  test('need a limit, and are removed', async () => {
    const { client, requests } = newService()
    expect(() => setQuota(client, fields({ scope: 'folder', name: '/a', size: '', objects: '' }))).toThrow(
      'size',
    )
    await removeQuota(client, { folder: '/lab', used, enforced: true })
    await removeQuota(client, { owner: 'ann', used, enforced: true })
    expect(requests).toEqual([
      ['DELETE /quotas', { folder: '/lab' }],
      ['DELETE /quotas', { owner: 'ann' }],
    ])
  })
})

describe('health', () => {
  const { signal } = new AbortController()
  const info = { hyperslab_version: '1' }
  const mounts = [{ path: '/files', since: 1, overdue: 1, reason: 'no answer' }]
  const load = (ready: unknown) =>
    loadHealth(newService({ 'GET /ready': ready, 'GET /info': info }).client, signal)

  test('has the mounts that do not answer, and the reason why the service is not ready', async () => {
    expect(await load({ status: 'ready' })).toEqual({ problem: undefined, mounts: [], info })
    expect(await load({ status: 'ready', unwell_mounts: mounts })).toMatchObject({ mounts })
    expect(await load(new RequestError('the storage is full', 503, 'storage-full'))).toMatchObject({
      problem: 'the storage is full',
    })
    await expect(load(new TypeError('away'))).rejects.toThrow('away')
  })
})

test.each([
  [
    {
      operation: 'create-user',
      user: 'root',
      outcome: 'done',
      address: '::1',
      what: { name: 'bob', admin: false },
    },
    'Create user',
    [],
    ' by root from ::1 · name bob, admin false',
  ],
  [
    { operation: 'put-link', sharedBy: 'ann', outcome: 'done', domain: '/a', what: {} },
    'Put link: /a',
    [],
    ' by a share of ann',
  ],
  [
    { operation: 'get-domain', tried: 'eve', outcome: 'refused', code: 'wrong-credentials' },
    'Get domain',
    ['refused, wrong-credentials'],
    ' by eve (not logged in)',
  ],
  [
    { operation: 'user add', login: 'command', systemUser: 'op', outcome: 'done' },
    'User add',
    [],
    ' by a command of op',
  ],
  [{ outcome: 'done', login: 'open' }, 'A request', [], ' by a program of this machine'],
])('the line %j of the audit', (entry, title, badges, sentence) => {
  const row = changeRow({ time: TIME, ...entry }, 3)
  expect(row).toMatchObject({ id: '3', title })
  expect(row.badges.map(({ text }) => text)).toEqual(badges)
  expect(row.sentence[0]).toEqual(AT)
  expect(row.sentence.slice(1).join('')).toBe(sentence)
})
