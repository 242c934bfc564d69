// Pages of other origins: requests as browsers send them for such pages, over HTTP, and what they have changed.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listening, openMemoryStore, serverOf } from '../../../../test/fixtures/server.ts'
import { NO_ACCOUNTS } from '../../../../test/fixtures/service.ts'
import { type Method, type Reply, sendTo } from '../../../../test/wire/client.ts'
import type { Server } from '../server.ts'

const LISTED = 'https://plots.example.com'
const PUBLIC = 'https://data.example.net'
const store = openMemoryStore()
let hasAccounts: boolean
let server: Server
let address: string
/** The address as a browser's `Host` has it. */
let own: string
let root: unknown

beforeAll(async () => {
  server = serverOf(store, {
    accounts: { ...NO_ACCOUNTS, exist: () => hasAccounts },
    http: { corsOrigins: [LISTED], publicUrl: PUBLIC, baseDomain: 'example.org' },
  })
  address = await listening(server)
  own = new URL(address).host
  const made = await sendTo(address, 'PUT', '/?host=here.example.org')
  root = made.json().root
})

afterAll(async () => {
  await server.close()
  await store.close()
})

type Headers = Record<string, string>

const send = (method: Method, target: string, headers: Headers, body?: unknown): Promise<Reply> =>
  sendTo(address, method, target, body, { headers })

/** Sends it three requests that write; tells the code that all were refused with, or that all took effect. */
async function write(headers: Headers): Promise<string> {
  const outcomes = new Set<string>()
  const before = await groups()
  const link = { id: root, name: `group ${before}` }
  const post = await send('POST', '/groups?host=here.example.org', headers, { link })
  outcomes.add((await groups()) > before ? 'done' : String(post.json().code))
  const target = '/?host=made.example.org'
  const put = await send('PUT', target, headers)
  const there = await send('GET', target, {})
  outcomes.add(there.status === 200 ? 'done' : String(put.json().code))
  await send('PUT', target, {})
  const remove = await send('DELETE', target, headers)
  const left = await send('GET', target, {})
  outcomes.add(left.json().code === 'domain-deleted' ? 'done' : String(remove.json().code))
  await send('DELETE', target, {})
  return [...outcomes].join()
}

async function groups(): Promise<number> {
  const list = (await send('GET', '/groups?host=here.example.org', {})).json<{ groups: unknown[] }>()
  return list.groups.length
}

describe.each([[true], [false]])('a write, with accounts: %s', has => {
  beforeAll(() => {
    hasAccounts = has
  })

  it.each<[string, () => Headers]>([
    ['no browser', () => ({})],
    ['no browser that names a domain', () => ({ host: 'x.example.org' })],
    ['no browser that calls it by any name', () => ({ host: 'labserver' })],
    ['a listed page', () => ({ origin: LISTED })],
    ['a listed page, with fetch metadata', () => ({ origin: LISTED, 'sec-fetch-site': 'cross-site' })],
    ['a page of public_url, behind a proxy', () => ({ origin: PUBLIC })],
    ['an own page', () => ({ origin: `http://${own}` })],
    ['an own page, by Sec-Fetch-Site', () => ({ origin: `http://${own}`, 'sec-fetch-site': 'same-origin' })],
    ['an own page without Origin', () => ({ 'sec-fetch-site': 'same-origin' })],
    ['an own page that hides itself', () => ({ origin: 'null', 'sec-fetch-site': 'same-origin' })],
    ['an own page of a domain', () => ({ host: 'x.example.org:81', origin: 'http://x.example.org:81' })],
    ['localhost', () => ({ host: 'localhost:5101', origin: 'http://localhost:5101' })],
    ['an IPv6 address', () => ({ host: '[::1]:5101', origin: 'http://[::1]:5101' })],
    ['its user', () => ({ 'sec-fetch-site': 'none' })],
  ])('of %s is carried out', async (_, headers) => {
    expect(await write(headers())).toBe('done')
  })

  it.each<[string, () => Headers]>([
    ['another page', () => ({ origin: 'https://evil.example' })],
    [
      'another page, by Sec-Fetch-Site',
      () => ({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }),
    ],
    ['another page without Origin', () => ({ 'sec-fetch-site': 'cross-site' })],
    ['a page in a sandbox or a file', () => ({ origin: 'null' })],
    ['a page in a sandbox, with fetch metadata', () => ({ origin: 'null', 'sec-fetch-site': 'cross-site' })],
    ['another port', () => ({ origin: 'http://127.0.0.1:1' })],
    [
      'another port, by Sec-Fetch-Site',
      () => ({ origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' }),
    ],
    ['a subdomain of a listed one', () => ({ origin: 'https://a.plots.example.com' })],
    ['a listed one with more behind', () => ({ origin: `${LISTED}.evil.example` })],
    ['a listed one with a dot behind', () => ({ origin: `${LISTED}.` })],
    ['a listed one with another scheme', () => ({ origin: LISTED.replace('https', 'http') })],
    ['a listed one with another port', () => ({ origin: `${LISTED}:8443` })],
    ['two origins', () => ({ origin: `${LISTED}, https://evil.example` })],
    ['an own one with more behind', () => ({ origin: `http://${own}.evil.example` })],
    ['an own one before', () => ({ origin: `http://${own}@evil.example` })],
    [
      'the own one, but the browser says no',
      () => ({ origin: `http://${own}`, 'sec-fetch-site': 'cross-site' }),
    ],
    [
      'one that forwards its own name',
      () => ({ origin: 'http://evil.example', 'x-forwarded-host': 'evil.example' }),
    ],
    ['another domain', () => ({ host: 'a.example.org', origin: 'http://b.example.org' })],
  ])('of %s is refused', async (_, headers) => {
    expect(await write(headers())).toBe('origin-not-allowed')
  })

  const rebound = [
    'evil.example:5101',
    'example.org.evil.example',
    'evilexample.org',
    'here.example.org.',
    '127.0.0.1.evil.example',
    '127.0.0.1:80.evil.example',
    'localhost.evil.example',
    'labserver',
    'LOCALHOST.:5101',
  ]
  it.each(rebound)('of a page whose name %s leads here is refused', async host => {
    const origin = `http://${host.toLowerCase()}`
    for (const site of [{}, { 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }]) {
      expect(await write({ host, origin, ...site })).toBe('host-not-allowed')
    }
    // Behind a proxy that puts another Host.
    expect(await write({ origin, 'sec-fetch-site': 'same-origin' })).toBe('origin-not-allowed')
  })
})

describe('a read', () => {
  const target = '/?host=here.example.org'

  it.each([[true], [false]])('of any page is answered, without credentials; with accounts: %s', async has => {
    hasAccounts = has
    for (const origin of ['https://evil.example', 'null', `${LISTED}.evil.example`, undefined]) {
      const reply = await send('GET', target, { ...(origin && { origin }), 'sec-fetch-site': 'cross-site' })
      expect(reply.status, reply.story).toBe(200)
      expect(reply.headers).toMatchObject({
        vary: expect.stringMatching(/^Origin, .*Accept/),
        'access-control-allow-origin': '*',
      })
      expect(reply.headers).not.toHaveProperty('access-control-allow-credentials')
    }
    for (const origin of [LISTED, PUBLIC]) {
      const { headers } = await send('GET', target, { origin })
      expect(headers).toMatchObject({
        vary: expect.stringMatching(/^Origin, .*Accept/),
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
      })
    }
  })

  it('that is a POST is answered for any page', async () => {
    const made = await send(
      'POST',
      '/datasets?host=here.example.org',
      {},
      { type: 'H5T_STD_I8LE', shape: [2] },
    )
    const value = `/datasets/${made.json().id}/value?host=here.example.org`
    const reply = await send('POST', value, { origin: 'https://evil.example' }, { points: [1] })
    expect(reply.status, reply.story).toBe(200)
  })

  it('of a page whose name leads here is refused where there are no accounts', async () => {
    const headers = { host: 'evil.example:5101', 'sec-fetch-site': 'same-origin' }
    hasAccounts = false
    expect((await send('GET', target, headers)).json()).toMatchObject({
      status: 403,
      code: 'host-not-allowed',
    })
    // Files of the service itself have nothing to hide: the page must be able to say what is wrong.
    expect((await send('GET', '/openapi.json', headers)).status).toBe(200)
    expect((await send('GET', target, { host: 'evil.example:5101' })).status).toBe(200)
    expect((await send('GET', target, { host: new URL(PUBLIC).host, origin: LISTED })).status).toBe(200)
    hasAccounts = true
    expect((await send('GET', target, headers)).status).toBe(200)
  })
})

it('errors have the headers too, or the page cannot read the status', async () => {
  hasAccounts = true
  for (const [target, status] of [
    ['/?host=nothing.example.org', 404],
    ['/%zz', 400],
  ] as const) {
    const reply = await send('GET', target, { origin: 'https://evil.example' })
    expect(reply.status).toBe(status)
    expect(reply.headers['access-control-allow-origin']).toBe('*')
  }
})

describe('a preflight', () => {
  const preflight = async (origin: string, method: string, more = {}) => {
    const { headers, status } = await send('OPTIONS', '/groups?host=here.example.org', {
      ...more,
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'content-type,Authorization, x-hdf-domain',
    })
    expect(status).toBe(200)
    return headers
  }

  it('of a listed page allows what it asks for', async () => {
    expect(await preflight(LISTED, 'DELETE')).toMatchObject({
      'access-control-allow-origin': LISTED,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'DELETE',
      'access-control-allow-headers': 'content-type,Authorization, x-hdf-domain',
    })
  })

  it('from the internet to a private network is allowed to listed pages', async () => {
    const isPrivate = { 'access-control-request-private-network': 'true' }
    const allowed = 'access-control-allow-private-network'
    expect(await preflight(LISTED, 'GET', isPrivate)).toMatchObject({ [allowed]: 'true' })
    expect(await preflight(LISTED, 'GET')).not.toHaveProperty(allowed)
    expect(await preflight('https://evil.example', 'GET', isPrivate)).not.toHaveProperty(allowed)
  })

  it.each([
    ['GET', 'GET'],
    ['POST', 'POST'],
    ['PUT', 'GET, HEAD, POST'],
    ['DELETE', 'GET, HEAD, POST'],
  ])('of another page for %s allows reading, without a login: %s', async (method, allowed) => {
    const headers = await preflight('https://evil.example', method)
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': allowed,
      'access-control-allow-headers': 'content-type, x-hdf-domain',
    })
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
  })
})
