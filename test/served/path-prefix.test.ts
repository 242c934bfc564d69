// The service below a prefix, behind proxies of several kinds (docs/decisions/109): all addresses of answers lead
// through the proxy to the same answers, and names in paths are found, however the proxy spells them.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { type ServedHere, serveHere } from '../fixtures/served.ts'
import { isMissing } from '../h5py/h5py.ts'
import { freePort } from '../servers/free-port.mjs'
import { startIdentityProvider } from '../servers/identity-provider.ts'
import { hasNginx, startNginx } from '../servers/nginx.mjs'
import { type PrefixProxy, type ProxyKind, startPrefixProxy } from '../servers/prefix-proxy.ts'
import { Visitor } from '../servers/visitor.ts'
import { basic, type Method, sendTo } from '../wire/client.ts'

const PREFIX = '/user/ann/proxy/5101'
const FOLDER = '/home/ann'
/** Names that proxies spell in several ways. A `?` in a name ends the path there behind jupyter-server-proxy. */
const NAMES = [
  'plain',
  'a b',
  'a+b',
  'a%2Fb',
  '100%',
  'ö',
  'a;b',
  'a&b=c',
  '[0:1]',
  'a@b',
  "it's",
  'a|b',
  '~x',
  '{}',
]

const users = { ann: { password: 'ann-secret', admin: true } }

/** The proxy and the service behind it; with a public address, as far as the proxy does not tell its prefix. */
async function behind(kind: ProxyKind): Promise<{ proxy: PrefixProxy; server: ServedHere }> {
  let address = ''
  const proxy = await startPrefixProxy(kind, PREFIX, () => address)
  const isTold = kind === 'strip' || kind === 'jupyter'
  const server = await serveHere(isTold ? {} : { publicUrl: proxy.address }, { users })
  address = server.address
  return { proxy, server }
}

describe.each<ProxyKind>(['strip', 'jupyter', 'keep', 'absolute'])('behind a proxy of the kind %s', kind => {
  let proxy: PrefixProxy
  let server: ServedHere

  beforeAll(async () => {
    ;({ proxy, server } = await behind(kind))
    for (const path of ['/home', FOLDER]) await want(201, 'PUT', `/?domain=${path}`, { folder: true })
  })

  afterAll(async () => {
    await proxy.close()
    await server.end()
  })

  /** `target`: a path of the service, or an address that it gave. */
  function ask(method: Method, target: string, body?: unknown, more: Record<string, string> = {}) {
    const { origin } = new URL(proxy.address)
    const address = target.startsWith('/') ? proxy.address + target : target
    expect(address.startsWith(`${proxy.address}/`)).toBe(true)
    const headers = { authorization: basic('ann', 'ann-secret'), ...more }
    return sendTo(origin, method, address.slice(origin.length), body, { headers, undeclared: true })
  }

  async function want(status: number, method: Method, target: string, body?: unknown) {
    const reply = await ask(method, target, body)
    expect(reply.status, reply.story).toBe(status)
    return reply
  }

  it.each(NAMES)('finds a domain and a dataset %s by its paths', async name => {
    const path = `${FOLDER}/${name}`
    const query = `?domain=${encodeURIComponent(path)}`
    await want(201, 'PUT', `/${query}`)
    await want(201, 'POST', `/datasets${query}`, { type: 'H5T_STD_U8LE', shape: [2], h5path: `/${name}` })
    const encoded = `${FOLDER}/${encodeURIComponent(name)}`
    const file = await want(200, 'GET', `/h5${encoded}`)
    expect(file.bytes.subarray(1, 4).toString()).toBe('HDF')
    await want(200, 'GET', `/zarr/v3${encoded}/${encodeURIComponent(name)}/zarr.json`)
    await want(200, 'GET', `/zarr/refs${encoded}`)
    const share = await want(201, 'POST', '/shares', { domain: path, end: '2999-01-01' })
    const { address } = share.json<{ address: string }>()
    await want(200, 'GET', `${address}h5${encoded}`)
    const person = { accept: 'text/html' }
    const first = await ask('GET', address.slice(0, -1), undefined, person)
    expect(new URL(String(first.headers.location), address).href).toBe(address)
    const visit = await ask('GET', address, undefined, person)
    const page = new URL(String(visit.headers.location), address)
    expect(page.searchParams.get('domain')).toBe(path)
    await want(200, 'GET', page.href)
  })

  test('gives addresses that lead back through it', async () => {
    const domain = `${FOLDER}/links`
    await want(201, 'PUT', `/?domain=${domain}`)
    const seen = new Set([`${proxy.address}/?domain=${domain}`])
    for (const address of seen) {
      const { text } = await want(200, 'GET', address)
      // Addresses of other domains are followed from there.
      for (const [, href = ''] of text.matchAll(/"href": ?"([^"]*)"/g))
        if (href.includes('links')) seen.add(href)
    }
    expect(seen.size).toBeGreaterThan(3)
  })

  test('logs in, sends a visitor to the page, and links errors', async () => {
    const begun = await want(201, 'POST', '/login')
    expect(begun.headers['set-cookie']?.[0]).toContain(`; Path=${PREFIX}; `)
    const visit = await ask('GET', '/', undefined, { accept: 'text/html' })
    expect(visit.status).toBe(307)
    await want(200, 'GET', new URL(String(visit.headers.location), proxy.address).href)
    const slash = await ask('GET', '/ui/')
    const [first, last] = [slash.headers.location, `${proxy.address}/ui`]
    expect(new URL(String(first), `${proxy.address}/ui/`).href).toBe(last)
    const { headers } = await want(400, 'GET', '/none')
    const [, link = ''] = /^<(.*)>/.exec(String(headers.link)) ?? []
    expect(new URL(link, proxy.address).href).toBe(`${proxy.address}/docs/errors#route-not-found`)
  })
})

test.each<ProxyKind>(['strip', 'keep'])(
  'a login at an identity provider begins and ends below the path, behind a proxy of the kind %s',
  async kind => {
    const directory = mkdtempSync(join(tmpdir(), 'hyperslab-prefix-'))
    const lab = await startIdentityProvider()
    let service = ''
    const proxy = await startPrefixProxy(kind, PREFIX, () => service)
    const { origin } = new URL(proxy.address)
    lab.setService(proxy.address)
    lab.people.set('ann', { subject: '1', claims: { preferred_username: 'ann' } })
    const { id: client_id, secret: client_secret } = lab.client
    const loginProviders = join(directory, 'providers.json')
    const providers = [{ name: 'lab', issuer: lab.issuer, client_id, client_secret }]
    writeFileSync(loginProviders, JSON.stringify(providers))
    const server = await serveHere({ publicUrl: proxy.address, loginProviders }, { users })
    service = server.address
    try {
      const visitor = new Visitor()
      const list = await visitor.get(`${proxy.address}/providers`, { accept: 'application/json' })
      const [{ login = '' } = {}] = JSON.parse(list.text).providers
      expect(login).toBe(`${proxy.address}/login/lab`)
      const next = encodeURIComponent(`${PREFIX}/ui?folder=/home`)
      const form = await visitor.visit(`${login}?next=${next}`)
      const answer = await visitor.visit(`${form.url}?name=ann`, origin)
      expect(answer.url.startsWith(`${proxy.address}/login/lab/callback?`)).toBe(true)
      const end = await visitor.get(answer.url)
      expect(end.headers.get('location')).toBe(`${proxy.address}/ui?folder=/home`)
      for (const cookie of end.headers.getSetCookie()) expect(cookie).toContain(`; Path=${PREFIX}; `)
      const user = await visitor.get(`${proxy.address}/login`, { accept: 'application/json' })
      expect(JSON.parse(user.text)).toMatchObject({ username: 'ann@lab', login: 'session' })
      // Other services of the host are no pages to return to.
      for (const other of ['/ui', '/user/bob/', `${PREFIX}/../x`]) {
        const refused = await visitor.get(`${login}?next=${encodeURIComponent(other)}`)
        expect([other, refused.status]).toEqual([other, 400])
      }
    } finally {
      await proxy.close()
      await Promise.all([server.end(), lab.close()])
      rmSync(directory, { recursive: true, force: true })
    }
  },
)

test.skipIf(isMissing('nginx', hasNginx()))('behind nginx that takes the prefix off', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'hyperslab-prefix-'))
  const server = await serveHere({}, { users })
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const below = 'map $request_uri $below { "~^/hyperslab(?<rest>/.*)$" "$rest"; }'
  const proxy = 'proxy_set_header Host $http_host; proxy_set_header X-Forwarded-Prefix /hyperslab;'
  const location = `location /hyperslab/ { ${proxy} proxy_pass ${server.address}$below; }`
  const nginx = await startNginx(directory, port, `${below} server { listen 127.0.0.1:${port}; ${location} }`)
  try {
    const ask = (target: string, headers: Record<string, string> = {}) =>
      sendTo(origin, 'GET', target, undefined, {
        headers: { authorization: basic('ann', 'ann-secret'), ...headers },
        undeclared: true,
      })
    const folder = await ask('/hyperslab/?domain=/')
    expect(folder.status, folder.story).toBe(200)
    const hrefs = folder.json<{ hrefs: { href: string }[] }>().hrefs.map(({ href }) => href)
    for (const href of hrefs) {
      expect(href.startsWith(`${origin}/hyperslab/`)).toBe(true)
      const reply = await ask(href.slice(origin.length))
      expect(reply.status, reply.story).toBe(200)
    }
    expect(hrefs).not.toEqual([])
    // Names stay as they were encoded.
    expect((await ask('/hyperslab/none%2Fx')).json().message).toContain(' /none%2Fx')
    // nginx leaves the address as it is.
    const { status, headers } = await ask('/hyperslab/', { accept: 'text/html' })
    expect([status, headers.location]).toEqual([307, `${origin}/hyperslab/ui`])
    // A client cannot send another one.
    const other = await ask('/hyperslab/?domain=/', { 'X-Forwarded-Prefix': '/evil' })
    expect(other.text).not.toContain('evil')
  } finally {
    await nginx.end()
    await server.end()
    rmSync(directory, { recursive: true, force: true })
  }
})
