// The requests that have all permissions until the first account is made, in both dialects, and those that have not.

import { HyperslabError } from '@hyperslab/base/errors'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { listening, openMemoryStore, serverOf } from '../../../../test/fixtures/server.ts'
import { NO_ACCOUNTS } from '../../../../test/fixtures/service.ts'
import { basic, type Method, type Reply, sendTo } from '../../../../test/wire/client.ts'
import { Origins } from '../exchange/cors.ts'
import type { Server } from '../server.ts'
import { isOfThisMachine } from './open-service.ts'

const ORIGINS = new Origins({ corsOrigins: ['http://lab.example:3000'], baseDomain: 'example.org' })
type Socket = Parameters<typeof isOfThisMachine>[0]['socket']

describe('a request is of this machine', () => {
  const isOfIt = (
    headers: Record<string, string>,
    remoteAddress = '127.0.0.1',
    { method, httpVersion }: { method?: string; httpVersion?: string } = {},
  ) => {
    const sent = { method: method ?? 'PUT', httpVersion: httpVersion ?? '1.1' }
    return isOfThisMachine({ headers, socket: { remoteAddress } as Socket, ...sent }, ORIGINS, 'example.org')
  }

  it.each([
    ['with an address of the machine', { host: '127.0.0.1:5101' }],
    ['with another one', { host: '127.8.0.1' }],
    ['with its name', { host: 'localhost:5101' }],
    ['with its address of IPv6', { host: '[::1]:5101' }],
    ['with the name of a domain, of a program', { host: 'run7.example.org' }],
    [
      'of the page of the service',
      { host: 'localhost:1', origin: 'http://localhost:1', 'sec-fetch-site': 'same-origin' },
    ],
    ['of that page in an old browser', { host: 'localhost:1', origin: 'http://localhost:1' }],
    ['of a person that opens an address', { host: 'localhost:1', 'sec-fetch-site': 'none' }],
    ['of a page in cors_origins', { host: 'localhost:1', origin: 'http://lab.example:3000' }],
  ] as const)('%s', (_, headers) => {
    expect(isOfIt(headers)).toBe(true)
    expect(isOfIt(headers, '::ffff:127.0.0.1')).toBe(true)
    expect(isOfIt(headers, '192.168.1.7')).toBe(false)
  })

  it.each([
    ['without a host', {}],
    ['with another name', { host: 'evil.example' }],
    ['with another address', { host: '192.168.1.7:5101' }],
    ['with a name that begins like it', { host: 'localhost.evil.example' }],
    ['with a name that begins like its address', { host: '127.0.0.1.evil.example' }],
    ['with the address for all networks', { host: '0.0.0.0:5101' }],
    ['of a page of another site', { host: 'localhost:1', origin: 'https://evil.example' }],
    ['of a page without an origin', { host: 'localhost:1', origin: 'null' }],
    ['of a page at another port', { host: 'localhost:1', origin: 'http://localhost:3000' }],
    ['of a picture in a page of another site', { host: 'localhost:1', 'sec-fetch-site': 'cross-site' }],
    ['of one in a page at another port', { host: 'localhost:1', 'sec-fetch-site': 'same-site' }],
    [
      'of a page that calls itself a domain (DNS rebinding)',
      { host: 'a.example.org', origin: 'http://a.example.org', 'sec-fetch-site': 'same-origin' },
    ],
    ...[
      'forwarded',
      'via',
      'x-forwarded-for',
      'x-forwarded-proto',
      'x-forwarded-host',
      'x-forwarded-server',
      'x-real-ip',
      'x-envoy-external-address',
      'cf-connecting-ip',
      'true-client-ip',
      'x-azure-clientip',
      'cdn-loop',
    ].map(name => [`of a proxy (${name})`, { host: '127.0.0.1', [name]: 'x' }] as const),
  ] as readonly (readonly [string, Record<string, string>])[])('not %s', (_, headers) => {
    expect(isOfIt(headers)).toBe(false)
  })

  // A page that calls itself a domain reads like this: its browser tells nothing more.
  it.each(['GET', 'HEAD'])('not %s with the name of a domain', method => {
    expect(isOfIt({ host: 'run7.example.org' }, '127.0.0.1', { method })).toBe(false)
    expect(isOfIt({ host: 'localhost' }, '127.0.0.1', { method })).toBe(true)
  })

  it('not of nginx, which adds no header but speaks HTTP/1.0', () => {
    expect(isOfIt({ host: '127.0.0.1:5101' }, '127.0.0.1', { httpVersion: '1.0' })).toBe(false)
  })
})

describe('a service', () => {
  const store = openMemoryStore()
  const accounts = { unused: true as boolean | 'unreadable' }
  let server: Server
  let address: string
  let domains = 0

  beforeAll(async () => {
    const areUnused = () => {
      if (accounts.unused === 'unreadable') throw new HyperslabError('accounts-unavailable', 'not now')
      return accounts.unused
    }
    server = serverOf(store, {
      accounts: { ...NO_ACCOUNTS, exist: () => accounts.unused !== true, areUnused },
      http: { openUntilAccounts: true },
    })
    address = await listening(server)
  })

  beforeEach(() => {
    accounts.unused = true
  })

  afterAll(async () => {
    await server.close()
    await store.close()
  })

  const send = (method: Method, target: string, headers: Record<string, string> = {}): Promise<Reply> =>
    sendTo(address, method, target, undefined, { headers })
  const create = (headers: Record<string, string> = {}) =>
    send('PUT', `/?domain=/d${domains++}.h5`, headers).then(({ status }) => status)

  test.each([
    ['none', {}],
    ['any name', { authorization: basic('ann', 'anything') }],
    ['a name without a password', { authorization: basic('ann', '') }],
    ['a header of another form', { authorization: 'Basic' }],
    ['a token of elsewhere', { authorization: 'Bearer abc' }],
    ['the cookie of a session that has ended', { cookie: 'hyperslab=abc' }],
  ])('that has had no account takes writes with credentials: %s', async (_, headers) => {
    expect(await create(headers)).toBe(201)
    const host = { ...headers, host: `d${domains++}.example.org` }
    const classic = await send('PUT', '/', host)
    expect(classic.status, classic.story).toBe(201)
    expect((await send('GET', '/about', headers)).json()).toMatchObject({
      username: 'anonymous',
      isadmin: true,
    })
    const login = { username: 'anonymous', isadmin: true, login: 'none', accounts: false }
    expect((await send('GET', '/login', headers)).json()).toEqual(login)
  })

  test('gives nothing to pages of others and to other names, and to proxies', async () => {
    expect(await create({ origin: 'https://evil.example' })).toBe(403)
    expect(await create({ host: 'evil.example' })).toBe(401)
    expect(await create({ 'x-forwarded-for': '10.0.0.1' })).toBe(401)
    const reply = await send('GET', '/login', { origin: 'https://evil.example' })
    expect(reply.json()).toMatchObject({ isadmin: false })
  })

  test('that has had an account, or cannot read its accounts, gives nothing more', async () => {
    expect(await create()).toBe(201)
    for (const unused of [false, 'unreadable'] as const) {
      accounts.unused = unused
      expect(await create()).toBe(401)
    }
    expect((await send('GET', '/about')).json()).toMatchObject({ isadmin: false })
  })

  test('has domains without an owner, which the setting default_acl decides about afterwards', async () => {
    const made = await send('PUT', '/?domain=/open.h5', { authorization: basic('ann', 'x') })
    expect(made.json()).toMatchObject({ owner: '', acls: {} })
    accounts.unused = false
    expect((await send('GET', '/?domain=/open.h5')).status).toBe(200)
    expect((await send('DELETE', '/?domain=/open.h5')).status).toBe(401)
  })
})
