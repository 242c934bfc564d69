// The pages for people (common 6 and 17): /ui, the API and the list of errors below /docs, their files, the clients
// that get a page at /, and the link to an entry of the list that every error answer has.

import { readFileSync } from 'node:fs'
import { expect, inject, test } from 'vitest'
import { type Options, type Reply, send } from './client.ts'
import { RawConnection } from './raw-connection.ts'

const PAGES = ['/ui', '/docs', '/docs/classic', '/docs/errors', '/docs/guide', '/docs/limits', '/docs/routes']
const CODES = [
  ...readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8').matchAll(/^### (\S+)$/gm),
].map(([, code = '']) => code)

const CHROMIUM = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'

/** The addresses in the tags of a page, as paths of the service. */
function addressesIn(html: string, page: string): string[] {
  const found = [...html.matchAll(/<[^>]*\s(?:href|src|data-description)="([^"]*)"/g)]
  return found
    .map(([, address = '']) => address)
    .filter(address => !address.startsWith('#'))
    .map(address => new URL(address, new URL(page, inject('address'))))
    .map(({ origin, pathname, search }) => {
      expect(origin).toBe(new URL(inject('address')).origin)
      return pathname + search
    })
}

function expectSafe({ headers, story }: Reply, page: string): void {
  const isData = page.startsWith('/ui')
  const policy = String(headers['content-security-policy']).split('; ')
  expect(policy, story).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    isData ? "img-src 'self' data: blob:" : "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ])
  expect(headers, story).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
  })
}

test.each([...PAGES, '/ui?domain=/run7.h5', '/ui/embed'])(
  '%s refers to what the service has, and to nothing else',
  async page => {
    const reply = await send('GET', page)
    expect(reply.status).toBe(200)
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(reply.headers['cache-control']).toBe('no-cache')
    expectSafe(reply, page)
    // The policy allows no script or style in the page itself.
    expect(reply.text).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|\sstyle=/)
    const addresses = addressesIn(reply.text, page)
    if (!page.startsWith('/ui')) expect(addresses).toEqual(expect.arrayContaining(PAGES.slice(0, 5)))
    for (const address of addresses) {
      const file = await send('GET', address)
      expect(file.status, address).toBe(200)
      if (!/\.(css|js)$/.test(address)) continue
      expectSafe(file, page)
      const type = address.endsWith('.css') ? 'text/css' : 'text/javascript'
      expect(file.headers['content-type']).toBe(`${type}; charset=utf-8`)
      // The name has a hash of the contents.
      expect(address).toMatch(/\.[0-9a-f]{16}\.\w+$/)
      expect(file.headers['cache-control']).toBe('public, max-age=31536000, immutable')
      const { status, headers, bytes } = await send('HEAD', address)
      expect([status, headers['content-length'], bytes.length]).toEqual([200, String(file.bytes.length), 0])
      expect(file.text.slice(-500)).not.toContain('sourceMappingURL')
      if (type === 'text/css') expect(file.text).not.toMatch(/@import|url\(["']?(?!["']?data:)/)
    }
  },
)

test('every page of the guide is there, and what it refers to, but for other hosts', async () => {
  const checked = new Set<string>()
  const open = async (page: string): Promise<void> => {
    const reply = await send('GET', page)
    expect([page, reply.status]).toEqual([page, 200])
    if (!page.startsWith('/docs/guide')) return
    if (page.endsWith('.png')) {
      expect(reply.headers['content-type']).toBe('image/png')
      return
    }
    const found = [...reply.text.matchAll(/<[^>]*\s(?:href|src)="([^"]*)"/g)].map(
      ([, address = '']) => address,
    )
    for (const address of found) {
      if (/^(https?:|#)/.test(address)) continue
      const { pathname, hash } = new URL(address, new URL(page, inject('address')))
      if (hash !== '' && pathname.startsWith('/docs/guide'))
        expect((await send('GET', pathname)).text, `${page}: ${address}`).toContain(` id="${hash.slice(1)}"`)
      if (checked.has(pathname)) continue
      checked.add(pathname)
      await open(pathname)
    }
  }
  await open('/docs/guide')
  for (const page of ['/docs/guide/tutorial', '/docs/guide/access', '/docs/guide/pictures/heat-map.png'])
    expect(checked).toContain(page)
})

test('the search of the guide has the sections of every page', async () => {
  const { text } = await send('GET', '/docs/guide/tutorial')
  const [, file = ''] = / data-index="([^"]*)"/.exec(text) ?? []
  const reply = await send('GET', new URL(file, new URL('/docs/guide/tutorial', inject('address'))).pathname)
  expect([reply.status, reply.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8'])
  expect(reply.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(reply.headers.etag).toMatch(/^"/)
  expectSafe(reply, '/docs')
  const pages: { address: string; sections: { anchor: string }[] }[] = JSON.parse(
    /^export const pages = (.*)$/m.exec(reply.text)?.[1] ?? '',
  )
  for (const { address, sections } of pages) {
    const page = await send('GET', `/docs/${address}`)
    expect([address, page.status]).toEqual([address, 200])
    for (const { anchor } of sections)
      if (anchor !== '') expect(page.text, address).toContain(` id="${anchor}"`)
  }
})

test('an unknown page of the guide is named', async () => {
  const reply = await send('GET', '/docs/guide/no-page')
  expect(reply.status).toBe(404)
  expect(reply.json()).toMatchObject({
    code: 'file-not-found',
    message: expect.stringContaining('/docs/guide/no-page'),
  })
})

test('browsers find an icon', async () => {
  const { status, headers } = await send('GET', '/favicon.ico')
  expect([status, headers['content-type']]).toEqual([200, 'image/svg+xml'])
})

test.each(['/nothing/here', '/run7.h5', '/ui/x', '/docs/guide/x', '/<script>'])(
  'a person at %s gets a page, and a program JSON',
  async target => {
    const page = await send('GET', target, undefined, { headers: { accept: CHROMIUM } })
    expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(page.text).toContain('href="/ui"')
    expect(page.text).not.toContain('<script')
    expect(page.headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'")
    for (const accept of ['application/json', '*/*', undefined]) {
      const reply = await send('GET', target, undefined, { headers: { ...(accept && { accept }) } })
      expect(reply.status).toBeGreaterThanOrEqual(400)
      expect(reply.json()).toMatchObject({ status: reply.status })
    }
  },
)

test('the API is shown in both dialects', async () => {
  const described = async (page: string) => addressesIn((await send('GET', page)).text, page)
  expect(await described('/docs')).toContain('/openapi.json?dialect=hsds')
  expect(await described('/docs/classic')).toContain('/openapi.json?dialect=classic')
})

test.each(PAGES)('%s is not sent again to a browser that has it', async page => {
  const { headers } = await send('GET', page)
  const options: Options = { headers: { 'if-none-match': headers.etag ?? '' } }
  const again = await send('GET', page, undefined, options)
  expect([again.status, again.bytes.length]).toEqual([304, 0])
  expectSafe(again, page)
})

test.each(['/ui', '/docs', '/docs/errors'])(
  '%s needs no credentials, and wrong ones do no harm',
  async page => {
    const headers = { authorization: 'Basic !' }
    expect((await send('GET', page, undefined, { headers })).status).toBe(200)
    expect((await send('GET', `${page}?host=no.such.domain`, undefined, { undeclared: true })).status).toBe(
      200,
    )
  },
)

test.each(['/docs', '/ui'])('%s/ leads to %s', async page => {
  const { status, headers } = await send('GET', `${page}/`)
  expect(status).toBe(308)
  expect(new URL(headers.location ?? '', new URL(`${page}/`, inject('address'))).pathname).toBe(page)
})

test.each<[string, string | undefined, boolean]>([
  ['/', CHROMIUM, true],
  ['/', 'text/html', true],
  ['/', 'application/json;q=0.5, text/html', true],
  ['/', 'application/json, text/html;q=0.9', false],
  ['/', 'text/html;q=0, */*', false],
  ['/', 'application/json', false],
  ['/', '*/*', false],
  ['/', undefined, false],
  ['/?domain=/', CHROMIUM, false],
  ['/?', CHROMIUM, false],
])('GET %s with Accept %s', async (target, accept, isPage) => {
  const { headers } = await send('GET', target, undefined, { headers: { ...(accept && { accept }) } })
  expect(String(headers['content-type']).startsWith('text/html')).toBe(isPage)
  if (isPage) expect(headers.vary).toContain('Accept')
})

test.each([
  '/docs/nothing.js',
  '/docs/index.html',
  '/docs/../main.js',
  '/docs/../../../package.json',
  '/docs/%2e%2e/main.js',
  '/docs/..%2fmain.js',
  '/docs/%2fetc%2fpasswd',
  '/docs//etc/passwd',
  '/docs/errors/',
  '/ui/nothing.js',
  '/ui/index.html',
  '/ui/domain',
  '/ui/../main.js',
])('%s is 404', async target => {
  const reply = await send('GET', target)
  expect(reply.status).toBe(404)
  expect(reply.json()).toMatchObject({ code: 'file-not-found' })
})

test('the pages cannot be written', async () => {
  for (const target of ['/docs', '/docs/errors']) {
    const { status, headers } = await send('PUT', target, {})
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
  }
})

test('the list of errors has an anchor for every code', async () => {
  const { text } = await send('GET', '/docs/errors')
  const anchors = [...text.matchAll(/<h3 id="([^"]*)"/g)].map(([, id]) => id)
  expect(CODES.length).toBeGreaterThan(80)
  expect([...anchors].sort()).toEqual([...CODES].sort())
  expect(text).toContain('<code>GET /groups/&lt;id&gt;/links</code>')
})

test.each<[string, () => Promise<Reply>]>([
  ['of the classic dialect', () => send('GET', '/groups/x?host=no.such.domain')],
  ['of the hsds dialect', () => send('GET', '/?domain=/no/such/domain')],
  ['about a path', () => send('GET', '/nothing/here')],
  ['about a method', () => send('DELETE', '/docs')],
  ['about a target', () => send('GET', '/datasets/%ff')],
  ['about credentials', () => send('GET', '/about', undefined, { headers: { authorization: 'Basic !' } })],
])('an error %s links its entry in the list', async (_, ask) => {
  const reply = await ask()
  const { code } = reply.json<{ code: string }>()
  expect(CODES).toContain(code)
  expect(reply.headers.link).toBe(`</docs/errors#${code}>; rel="help"`)
})

test('so does one on a connection that has no request', async () => {
  const connection = new RawConnection(inject('address'))
  connection.send('no request\r\n\r\n')
  const [answer] = await connection.answers()
  expect(answer?.head).toContain('\r\nLink: </docs/errors#malformed-request>; rel="help"\r\n')
  await connection.leave()
})

test('pages of other origins may read the link', async () => {
  const { headers } = await send('GET', '/nothing', undefined, { headers: { origin: 'http://a.example' } })
  expect(headers['access-control-expose-headers']).toContain('Link')
})
