import { type Api, type Hyperslab, RequestError } from '@hyperslab/client'
import { describe, expect, test } from 'vitest'
import { type AccessChange, accessRows, changeAccess, doubtAbout, knownNames, listAccess } from './access.ts'
import { beginShare, beginToken, changePassword, SESSIONS, SHARES, TOKENS } from './own-lists.ts'

const { signal } = new AbortController()

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

const TIME = '2026-01-01T00:00:00Z'
const AT = { time: Date.parse(TIME) / 1000 }

describe('what a user has is listed and ended', () => {
  const item = {} as never
  test.each([
    ['sessions', SESSIONS, { sessions: [item] }, 'DELETE /sessions/{id}', { id: 'x' }],
    ['tokens', TOKENS, { tokens: [item] }, 'DELETE /tokens/{id}', { id: 'x' }],
    ['shares', SHARES, { shares: [item] }, 'DELETE /shares/{id}', { id: 'x' }],
  ])('%s', async (name, kind, answer, ending, parameters) => {
    const { client, requests } = newService({ [`GET /${name}`]: answer })
    expect(await kind.list(client, signal)).toEqual([item])
    await kind.end(client, 'x')
    expect(requests).toEqual([
      [`GET /${name}`, {}],
      [ending, parameters],
    ])
  })

  test('a session has its program, its times, and an end unless it is this one', () => {
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
    const session = { id: 's', client: agent, current: true, created: TIME, used: TIME, end: TIME }
    expect(SESSIONS.row(session, 'ann')).toEqual({
      id: 's',
      title: 'Firefox on Linux',
      hint: agent,
      badges: [{ text: 'this session', isGood: true }],
      sentence: ['begun ', AT, ', used ', AT, ', ends ', AT],
      ending: undefined,
    })
    // At once: a session is begun again by a login.
    expect(SESSIONS.row({ ...session, current: false }, 'ann').ending).toEqual({ text: 'End', label: 'End' })
  })

  test('a token says what it may, and that its program loses it', () => {
    const token = { id: 't', name: 'plots', writes: false, created: TIME, end: TIME, uses: 0 }
    expect(TOKENS.row(token, 'ann')).toEqual({
      id: 't',
      title: 'plots',
      badges: [{ text: 'reads only' }],
      sentence: ['made ', AT, ', ends ', AT, ', ', 'never used'],
      ending: {
        text: 'Revoke',
        label: 'Revoke plots',
        consequence: 'The program that has it can no longer log in.',
      },
    })
    expect(TOKENS.row({ ...token, writes: true, within: '/home/ann' }, 'ann').badges).toEqual([
      { text: 'reads and writes' },
      { text: '/home/ann' },
    ])
    expect(TOKENS.row({ ...token, uses: 2, used: TIME }, 'ann').sentence).toContain('2 requests, the last ')
    expect(TOKENS.none).toBe('You have no tokens yet.')
  })

  test('a share has its note, its uses, and says that it ends for all', () => {
    const share = { id: 'h', domain: '/a.h5', note: '', created: TIME, end: TIME, uses: 0 }
    const row = (parts: object) => SHARES.row({ ...share, ...parts } as never, 'ann')
    expect(row({})).toMatchObject({
      title: '/a.h5',
      badges: [],
      sentence: ['made ', AT, ', ends ', AT, ', ', 'never used'],
      ending: { label: 'Stop sharing /a.h5', consequence: expect.stringContaining('have it open') },
    })
    expect(row({ note: 'for the group', uses: 1, used: TIME })).toMatchObject({
      badges: [{ text: 'for the group' }],
      sentence: ['made ', AT, ', ends ', AT, ', ', '1 request, the last ', AT],
    })
    expect(row({ uses: 5, used: TIME }).sentence).toContain('5 requests, the last ')
  })
})

describe('what a form begins', () => {
  test('is a token, for a folder only if it names one', async () => {
    const { client, requests } = newService()
    await beginToken(client, fields({ name: 'plots', end: '2027-01-01', within: ' ' }))
    await beginToken(client, fields({ name: 'p', end: '2027-01-01', within: ' /home/ann ', writes: 'on' }))
    expect(requests).toEqual([
      ['POST /tokens', {}, { name: 'plots', end: '2027-01-01', writes: false }],
      ['POST /tokens', {}, { name: 'p', end: '2027-01-01', writes: true, within: '/home/ann' }],
    ])
  })

  test('is a share of a place, and of its view if there is one', async () => {
    const { client, requests } = newService()
    await beginShare(client, { path: '/a.h5', view: '' }, fields({ end: '2027-01-01', note: ' n ' }))
    await beginShare(client, { path: '/a.h5', view: 'tab=image' }, fields({ end: '2027-01-01', note: '' }))
    const body = { domain: '/a.h5', end: '2027-01-01' }
    expect(requests).toEqual([
      ['POST /shares', {}, { ...body, note: 'n' }],
      ['POST /shares', {}, { ...body, note: '', view: 'tab=image' }],
    ])
  })

  test('is a new password, if it is the same twice', async () => {
    const change = (ended: number) => {
      const { client, requests } = newService({ 'PUT /password': { ended } })
      const form = fields({ password: 'old', new: 'next', again: 'next' })
      return changePassword(client, form).then(outcome => [outcome, requests])
    }
    expect(await change(0)).toEqual([
      'Your password is changed. You had no other session.',
      [['PUT /password', {}, { password: 'old', new: 'next' }]],
    ])
    expect((await change(1))[0]).toBe('Your password is changed. 1 other session has ended.')
    expect((await change(3))[0]).toBe('Your password is changed. 3 other sessions have ended.')
    const { client, requests } = newService()
    const form = fields({ password: 'old', new: 'next', again: 'other' })
    await expect(changePassword(client, form)).rejects.toThrow('The two new passwords differ.')
    expect(requests).toEqual([])
  })
})

describe('the access to a place', () => {
  const nothing = {
    read: false,
    create: false,
    update: false,
    delete: false,
    readACL: false,
    updateACL: false,
  }
  const item = (userName: string, parts: object = {}) => ({ userName, ...nothing, ...parts }) as Api.AclItem

  test('has a row of everybody first, also where the list has none', () => {
    const titles = (items: readonly Api.AclItem[]) =>
      accessRows(items, 'ann').map(({ title, isRemovable }) => [title, isRemovable])
    const rows = [
      ['Everybody, without login', false],
      ['ann (you)', true],
      ['bob', true],
    ]
    expect(titles([item('ann'), item('bob')])).toEqual(rows)
    expect(titles([item('ann'), item('default', { read: true }), item('bob')])).toEqual(rows)
    expect(accessRows([item('default', { read: true })], 'ann')[0]).toMatchObject({
      name: 'default',
      subject: 'everybody',
      permissions: { read: true, update: false },
    })
  })

  const ann = { name: 'ann', isAdmin: false }
  const GIVE_UP = { act: 'set', name: 'ann', permissions: { update: false } } as const
  test.each<[string, AccessChange, string | undefined, boolean]>([
    ['a permission of another', { ...GIVE_UP, name: 'bob' }, undefined, false],
    ['an own permission that comes', { ...GIVE_UP, permissions: { update: true } }, undefined, false],
    ['an own permission that goes', GIVE_UP, 'your own permission (Update)', false],
    ['that of an administrator', GIVE_UP, undefined, true],
    ['the row of another', { act: 'remove', name: 'bob' }, undefined, false],
    ['the own row', { act: 'remove', name: 'ann' }, 'your own row', false],
    ['that of an administrator', { act: 'remove', name: 'ann' }, undefined, true],
    ['a known user', { act: 'add', name: 'bob' }, undefined, false],
    ['a known group', { act: 'add', name: 'g:lab' }, undefined, false],
    ['a name of the list', { act: 'add', name: 'eve' }, undefined, false],
    ['an unknown name', { act: 'add', name: 'x' }, 'There is no user or group x', false],
  ])('is asked about before it changes: %s', (_, change, question, isAdmin) => {
    const names = new Set(['ann', 'bob', 'g:lab'])
    const doubt = doubtAbout(change, { user: { ...ann, isAdmin }, items: [item('eve')], names })
    expect(doubt?.question).toEqual(question === undefined ? undefined : expect.stringContaining(question))
  })

  test('takes any name where the service does not tell them', () => {
    const change = { act: 'add', name: 'x' } as const
    expect(doubtAbout(change, { user: ann, items: [], names: undefined })).toBeUndefined()
  })

  test('is changed row by row, and read again', async () => {
    const { client, requests } = newService({ 'GET /acls': { acls: [item('bob')] } })
    expect(await listAccess(client, '/a.h5', signal)).toEqual([item('bob')])
    for (const change of [
      { act: 'add', name: 'g:lab' },
      { act: 'set', name: 'bob', permissions: { update: true } },
      { act: 'remove', name: 'bob' },
    ] as const)
      expect(await changeAccess(client, '/a.h5', change)).toEqual([item('bob')])
    const list = ['GET /acls', { domain: '/a.h5' }]
    expect(requests).toEqual([
      list,
      ['PUT /acls/{user}', { user: 'g:lab', domain: '/a.h5' }, { read: true }],
      list,
      ['PUT /acls/{user}', { user: 'bob', domain: '/a.h5' }, { update: true }],
      list,
      ['DELETE /acls/{user}', { user: 'bob', domain: '/a.h5' }],
      list,
    ])
  })

  test('offers the names of users and groups, where the service tells them', async () => {
    const users = [
      { name: 'ann', groups: ['lab'] },
      { name: 'bob', groups: ['lab', 'uni'] },
    ]
    const known = newService({ 'GET /users': { users } })
    expect([...((await knownNames(known.client, signal)) ?? [])]).toEqual(['ann', 'bob', 'g:lab', 'g:uni'])
    const untold = newService({ 'GET /users': new RequestError('no', 403, 'x') })
    expect(await knownNames(untold.client, signal)).toBeUndefined()
    const broken = newService({ 'GET /users': new Error('a defect') })
    await expect(knownNames(broken.client, signal)).rejects.toThrow('a defect')
  })
})
