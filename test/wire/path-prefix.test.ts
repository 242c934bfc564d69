// A prefix that a proxy names in a header (docs/decisions/109): all addresses in answers have it, in both dialects, and
// no answer has that of another request. test/served/path-prefix.test.ts has proxies.

import { beforeAll, describe, expect, inject, test } from 'vitest'
import { BASE_DOMAIN, basic, type Reply, send, USER1, uniqueName } from './client.ts'
import { HOME, makeHome, newDomain } from './hsds/domain.ts'

beforeAll(makeHome)

const PREFIX = '/user/ann@lab.example/proxy/5101'
const NAMED = { 'X-Forwarded-Prefix': PREFIX }

/** A domain with an object of each kind, an attribute, and a dataset in chunks; and the part of its name below home. */
async function newContents() {
  const name = uniqueName()
  const domain = await newDomain(`${HOME}/${name}`)
  const group = await domain.group('entry')
  const layout = { class: 'H5D_CHUNKED', dims: [5] }
  const dataset = await domain.dataset({
    type: 'H5T_STD_I32LE',
    shape: [10],
    creationProperties: { layout },
    link: { id: group, name: 'counts' },
  })
  await domain.datatype({ type: 'H5T_STD_I32LE', link: { id: group, name: 'type' } })
  await domain.want(201, 'PUT', `/datasets/${dataset}/attributes/unit`, { type: 'H5T_STD_I8LE', value: 1 })
  return { domain, name, dataset }
}

/** The addresses in an answer, as the paths that a stripping proxy makes of them. */
function addressesIn({ text, headers, story }: Reply, prefix = PREFIX): string[] {
  const hrefs = [...text.matchAll(/"(?:href|target)": ?"([^"]*)"/g)].map(([, href = '']) => href)
  const location = headers.location === undefined ? [] : [headers.location]
  return [...hrefs, ...location].map(address => {
    const start = inject('address') + prefix
    expect(address.startsWith(`${start}/`), `${address}\n${story}`).toBe(true)
    return address.slice(start.length)
  })
}

describe.each(['hsds', 'classic'])('in the dialect %s', dialect => {
  test('every address in answers has the prefix, and leads on', async () => {
    const { name, domain } = await newContents()
    const start =
      dialect === 'hsds'
        ? `/?domain=${domain.path}`
        : `/?host=${name}.${HOME.split('/').reverse().slice(0, -1).join('.')}.${BASE_DOMAIN}`
    const seen = new Set([start])
    for (const target of seen) {
      const reply = await send('GET', target, undefined, { user: USER1, headers: NAMED })
      expect(reply.status, reply.story).toBe(200)
      // Other domains are those of other tests, which end.
      for (const found of addressesIn(reply)) if (found.includes(name)) seen.add(found)
    }
    const kinds = ['/groups/', '/datasets/', '/datatypes/', '/attributes', '/links', '/value']
    for (const kind of kinds) expect([...seen].filter(target => target.includes(kind))).not.toEqual([])
  })
})

test('a new object, an error and its page, a share and the Zarr view have it in their headers and bodies', async () => {
  const { domain } = await newContents()
  const options = { user: USER1, headers: NAMED }
  const classic = {
    ...options,
    headers: { ...NAMED, Host: `${uniqueName()}.test_user1.home.${BASE_DOMAIN}` },
  }
  const { root } = (await send('PUT', '/', undefined, classic)).json<{ root: string }>()
  const other = `other.test_user1.home.${BASE_DOMAIN}`
  const target = { h5domain: other, h5path: '/x' }
  const linked = await send('PUT', `/groups/${root}/links/there`, target, classic)
  expect(linked.status, linked.story).toBe(201)
  const links = await send('GET', `/groups/${root}/links`, undefined, classic)
  expect(links.text).toContain(`"http://${other}${PREFIX}/#h5path(/x)"`)
  const created = await send('POST', '/groups', {}, classic)
  expect(created.status, created.story).toBe(201)
  expect(created.headers.location).toContain(`${PREFIX}/groups/`)
  expect((await send('DELETE', '/', undefined, classic)).status).toBe(200)

  const wrong = await send('GET', `/groups/none?domain=${domain.path}`, undefined, options)
  expect(wrong.headers.link).toMatch(new RegExp(`^<${PREFIX}/docs/errors#[a-z-]+>; rel="help"$`))
  const page = await send('GET', '/login/none', undefined, {
    headers: { ...NAMED, Accept: 'text/html' },
    undeclared: true,
  })
  expect(page.text).toContain(`<a href="${PREFIX}/ui">`)
  const notDecoded = await send('GET', '/%ff', undefined, { headers: NAMED, undeclared: true })
  expect(notDecoded.headers.link).toBe(`<${PREFIX}/docs/errors#malformed-url>; rel="help"`)

  const body = { domain: domain.path, end: '2999-01-01' }
  const share = (await send('POST', '/shares', body, options)).json<{ address: string }>()
  const [at = ''] = addressesIn({ ...wrong, text: `"href":"${share.address}"`, headers: {} })
  const shared = await send('GET', `${at}?domain=${domain.path}`, undefined, { headers: NAMED })
  expect(shared.status, shared.story).toBe(200)
  expect(addressesIn(shared, PREFIX + at.replace(/\/$/, ''))).not.toEqual([])

  const document = await send('GET', `/zarr/v3${domain.path}/zarr.json`, undefined, options)
  const pinned = String(document.headers['content-location'])
  expect(pinned.startsWith(`${PREFIX}/zarr/v3/~`)).toBe(true)
  const same = await send('GET', pinned.slice(PREFIX.length), undefined, options)
  expect(same.bytes.equals(document.bytes)).toBe(true)
  const references = await send('GET', `/zarr/refs${domain.path}`, undefined, options)
  expect(references.status, references.story).toBe(200)
  expect(references.text).not.toContain(`${inject('address')}/zarr`)
})

test('a person that opens the bare address is sent to the page', async () => {
  const person = { headers: { ...NAMED, Accept: 'text/html,*/*;q=0.8' } }
  const visit = await send('GET', '/', undefined, { ...person, undeclared: true })
  expect([visit.status, visit.headers.location]).toEqual([307, `${inject('address')}${PREFIX}/ui`])
  expect((await send('GET', '/ui', undefined, person)).status).toBe(200)
})

test('no remembered answer has the prefix of another request', async () => {
  const { domain, dataset } = await newContents()
  for (const target of [
    '/',
    `/groups/${domain.root}`,
    `/datasets/${dataset}`,
    `/datasets/${dataset}/value`,
  ]) {
    const tags = new Map<string, string>()
    for (let round = 0; round < 3; round++) {
      for (const prefix of ['/a', '', '/b']) {
        const headers = prefix === '' ? {} : { 'X-Forwarded-Prefix': prefix }
        const ask = (more = {}) =>
          send('GET', `${target}?domain=${domain.path}`, undefined, {
            user: USER1,
            headers: { ...headers, ...more },
          })
        const reply = await ask()
        expect(addressesIn(reply, prefix)).not.toEqual([])
        expect(addressesIn(reply, prefix).filter(path => /^\/[ab]\//.test(path))).toEqual([])
        expect(reply.headers.vary).toContain('X-Forwarded-Prefix')
        for (const [other, tag] of tags) {
          const { status } = await ask({ 'If-None-Match': tag })
          expect([prefix, other, status]).toEqual([prefix, other, prefix === other ? 304 : 200])
        }
        tags.set(prefix, String(reply.headers.etag))
      }
    }
  }
})

test('a session is that of its prefix only', async () => {
  const page = { 'x-requested-with': 'test' }
  const headers = { ...NAMED, ...page, authorization: basic(USER1), 'X-Forwarded-Proto': 'https' }
  const begun = await send('POST', '/login', undefined, { headers })
  const [cookie = ''] = begun.headers['set-cookie'] ?? []
  expect(cookie).toMatch(/^__Secure-hyperslab-/)
  expect(cookie).toContain(`; Path=${PREFIX}; `)
  const [sent = ''] = cookie.split(';')
  const callerBelow = async (prefix: string) => {
    const as = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Prefix': prefix, cookie: sent, ...page }
    return (await send('GET', '/login', undefined, { headers: as })).json().username
  }
  expect(await callerBelow(PREFIX)).toBe(USER1)
  expect(await callerBelow(`${PREFIX}/x`)).toBe('anonymous')
  expect(await callerBelow('/')).toBe('anonymous')
})

test.each(['//evil.example', '/a/../b', '/a"b', 'https://evil.example', `/${'x'.repeat(1024)}`])(
  'the header %j is refused',
  async prefix => {
    for (const name of ['X-Forwarded-Prefix', 'X-Forwarded-Context']) {
      const headers = { [name]: prefix, Accept: 'text/html' }
      const reply = await send('GET', '/', undefined, { headers, undeclared: true })
      expect([reply.status, reply.json().code]).toEqual([400, 'malformed-request'])
      expect(reply.headers.link).toBe('</docs/errors#malformed-request>; rel="help"')
    }
  },
)
