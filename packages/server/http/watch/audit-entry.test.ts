import { HyperslabError } from '@hyperslab/base/errors'
import { describe, expect, it } from 'vitest'
import { ANONYMOUS } from '../../service/context.ts'
import type { Identity } from '../auth/authenticate.ts'
import { classic } from '../dialect/classic/index.ts'
import { hsdsAt } from '../dialect/hsds/index.ts'
import type { Reply } from '../message/message.ts'
import { parseTarget } from '../message/target.ts'
import { attributeRoutes } from '../routes/attributes.ts'
import { linkRoutes } from '../routes/links.ts'
import { auditEntry } from './audit-entry.ts'

const hsds = hsdsAt('1.0')
const NAMING = {
  baseDomain: 'hdfgroup.org',
  homeFolder: 'home',
  buckets: { defaultName: 'main', otherNames: [] },
}
const ANN = { name: 'ann', groups: [], admin: false }
const USED = { id: 'i', secret: 'a secret', name: 'ann', end: 0 }
const DONE: Reply = { status: 200 }

function routeNamed(name: string) {
  const route = [...attributeRoutes, ...linkRoutes].find(candidate => candidate.name === name)
  if (route === undefined) throw new Error(`no route ${name}`)
  return route
}

interface Sent {
  readonly url?: string
  readonly parameters?: Readonly<Record<string, string>>
  readonly dialect?: typeof hsds
  readonly identity?: Identity
  readonly authorization?: string
}

function entryOf(name: string, result: Reply | HyperslabError, sent: Sent = {}) {
  const { url = '/groups/g-1/links/a?domain=/x', parameters = { id: 'g-1', '*': 'a' } } = sent
  const { dialect = hsds, identity, authorization } = sent
  const incoming = { method: 'DELETE', headers: { authorization } }
  const request = {
    id: 'r',
    incoming: incoming as never, // the parts that the entry reads
    target: parseTarget(url),
    parameters,
    dialect,
    route: routeNamed(name),
    identity,
    address: '192.0.2.1',
    received: 7,
  }
  return auditEntry(request, result, NAMING)
}

describe('a line of the audit', () => {
  it('is of changes, and of those that are refused for a lack of rights', () => {
    const refusal = (code: 'permission-denied' | 'credentials-required' | 'domain-not-found' | 'too-busy') =>
      new HyperslabError(code, 'no')
    expect(entryOf('delete-link', DONE)).toMatchObject({ outcome: 'done', status: 200 })
    expect(entryOf('delete-link', refusal('permission-denied'))).toMatchObject({
      outcome: 'refused',
      status: 403,
      code: 'permission-denied',
    })
    expect(entryOf('delete-link', refusal('credentials-required'))).toMatchObject({ status: 401 })
    expect(entryOf('delete-link', refusal('domain-not-found'))).toBeUndefined()
    expect(entryOf('delete-link', refusal('too-busy'))).toBeUndefined()
    expect(entryOf('get-link', DONE)).toBeUndefined()
    expect(entryOf('get-link', refusal('permission-denied'))).toBeUndefined()
  })

  it('is of wrong credentials, whatever was requested, with the name that was tried', () => {
    const authorization = `Basic ${Buffer.from('ann:wrong').toString('base64')}`
    const entry = entryOf('get-link', new HyperslabError('wrong-credentials', 'no'), { authorization })
    expect(entry).toMatchObject({ outcome: 'refused', status: 401, tried: 'ann' })
    expect(JSON.stringify(entry)).not.toContain('wrong"')
  })

  it.each<[string, Identity, object]>([
    ['a password', { caller: ANN }, { user: 'ann', login: 'password' }],
    ['a provider', { caller: ANN, providerGroups: [] }, { user: 'ann', login: 'provider' }],
    [
      'a token',
      { caller: ANN, login: { ...USED, kind: 'token', label: 'beam' } },
      { user: 'ann', login: 'token', loginId: 'i', token: 'beam' },
    ],
    [
      'a session',
      { caller: ANN, login: { ...USED, kind: 'session' }, providerGroups: [] },
      { user: 'ann', login: 'session', loginId: 'i' },
    ],
    [
      'a share',
      { caller: ANONYMOUS, login: { ...USED, kind: 'share' } },
      { login: 'share', loginId: 'i', sharedBy: 'ann' },
    ],
    ['nothing', { caller: ANONYMOUS }, { login: 'none' }],
    ['an open service', { caller: { ...ANONYMOUS, admin: true } }, { login: 'open' }],
  ])('has the user that is known by %s, and no secret', (_, identity, expected) => {
    const entry = entryOf('delete-link', DONE, { identity })
    expect(entry).toMatchObject(expected)
    expect(JSON.stringify(entry)).not.toContain('a secret')
  })

  it.each([
    [hsds, 'a%20b+c', 'a b+c'],
    [classic, 'a%20b+c', 'a b c'],
    [hsds, '%ff', '%ff'],
  ])('%#: has names of the path, decoded as the dialect does', (dialect, raw, title) => {
    const entry = entryOf('delete-link', DONE, { dialect, parameters: { id: 'g-1', '*': raw } })
    expect(entry).toMatchObject({ what: { collection: 'groups', id: 'g-1', title } })
  })

  it('has declared parameters of the query, and what the reply adds, but no other parameters', () => {
    const url = '/groups/g-1/attributes?domain=/x&attr_names=a%2Fb&separator=,&api_key=hidden'
    const names = ['a/b']
    const reply = { ...DONE, changed: () => ({ attr_names: names }) }
    const entry = entryOf('delete-attributes', reply, { url, parameters: { id: 'g-1' } })
    expect(entry).toMatchObject({
      operation: 'delete-attributes',
      method: 'DELETE',
      bucket: 'main',
      domain: '/x',
      what: { collection: 'groups', id: 'g-1', attr_names: names, separator: ',' },
      received: 7,
    })
    expect(JSON.stringify(entry)).not.toContain('hidden')
  })

  it('is short, however many names there are', () => {
    const names = Array.from({ length: 1000 }, (_, i) => `${i}`.padEnd(1000, 'x'))
    const entry = entryOf('delete-link', { ...DONE, changed: () => ({ names }) })
    expect(JSON.stringify(entry).length).toBeLessThan(70_000)
    expect(JSON.stringify(entry)).toContain('... and 934 more')
  })
})
