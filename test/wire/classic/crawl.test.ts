// Every address that the classic dialect gives leads to 200 and JSON (classic 3.4): each href, `href`, `target` and
// listed id, from the domains, from the table of contents and from a home on, by the Host header and by ?host=.
// Exceptions are what the contract answers otherwise: values of opaque datasets, and domains that external links name
// and that are not there.
//
// The files are fixtures/varied.h5 and those of the folder HYPERSLAB_SAMPLES, imported over HTTP, so that this runs
// against any address. Other tests make and delete domains meanwhile; only those of this test are followed.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BASE_DOMAIN, type Options, ownHost, send, USER1, uniqueName } from '../client.ts'
import { removeDomain, withHost } from './domain.ts'

const VARIED = fileURLToPath(new URL('../fixtures/varied.h5', import.meta.url))
const SAMPLES = process.env.HYPERSLAB_SAMPLES
const HDF5_SIGNATURE = Buffer.from('\x89HDF\r\n\x1a\n', 'latin1')
const AT_ONCE = 16

/** A request: the Host header, and path and query. */
interface Address {
  readonly host: string
  readonly target: string
}

/** Members of any answer. */
interface Page {
  readonly hrefs: readonly { readonly href: string; readonly rel: string }[]
  readonly type?: { readonly class?: string }
  readonly links?: readonly { readonly title: string; readonly id?: string; readonly h5domain?: string }[]
  readonly groups?: readonly string[]
  /** Domains as the hsds dialect lists them, in a table of contents. */
  readonly domains?: readonly unknown[]
}

const HOME = `${USER1}.home.${BASE_DOMAIN}`

/** The host names of the domains of this test, as the Host header has them. */
const hosts: string[] = []

async function put(label: string, folder: string, file?: Uint8Array, options: Options = {}): Promise<string> {
  const host = `${label}.${folder}.${BASE_DOMAIN}`
  const reply = await send(
    'PUT',
    '/',
    file,
    withHost(host, { ...options, ...(file && { headers: { 'content-type': 'application/x-hdf5' } }) }),
  )
  expect(reply.status, `${host}: ${reply.story}`).toBe(201)
  hosts.push(host)
  return host
}

/** A domain in a home, which may have a list, that everybody may read. */
async function putIntoHome(label: string, file: Uint8Array): Promise<void> {
  const user = { user: USER1 }
  const host = await put(label, `${USER1}.home`, file, user)
  const reply = await send('PUT', '/acls/default', { read: true, readACL: true }, withHost(host, user))
  expect(reply.status, reply.story).toBe(201)
}

beforeAll(async () => {
  const folder = `${uniqueName()}.test`
  const varied = await readFile(VARIED)
  for (const label of [
    'varied',
    'varied.subdir',
    'varied.subdir.subdir',
    'a%2Eb%2Ec',
    'two words',
    inHeader('наборы 数'),
    '50%25',
  ]) {
    await put(label, folder, varied)
  }
  await putIntoHome(uniqueName(), varied)
  await put(uniqueName(), 'public', varied)
  for (const name of SAMPLES === undefined ? [] : await readdir(SAMPLES)) {
    const file = await readFile(join(SAMPLES ?? '', name))
    if (file.subarray(0, 8).equals(HDF5_SIGNATURE)) await put(labelOf(name), `samples.${folder}`, file)
  }
  const links = await put('links', folder)
  const { root } = (await send('GET', '/', undefined, withHost(links))).json<{ root: string }>()
  const whole = `varied.${folder}.${BASE_DOMAIN}`
  const names = ['varied.h5', 'varied', whole, 'varied.subdir', 'subdir/varied.h5', 'nosuch', 'a.example.com']
  for (const [i, h5domain] of names.entries()) {
    const link = { h5path: '/a group', h5domain }
    const reply = await send('PUT', `/groups/${root}/links/external${i}`, link, withHost(links))
    expect(reply.status, reply.story).toBe(201)
  }
})

afterAll(async () => {
  await Promise.all(hosts.map(removeDomain))
})

function labelOf(file: string): string {
  return file.replace(/\.h5$/, '').replaceAll('.', '%2E')
}

test('classic 3.4a, 3.4b, 3.4c: every address of a domain leads on by the Host header', async () => {
  expect(await crawl(hosts.map(host => ({ host, target: '/' })))).toBeGreaterThan(100 * hosts.length)
})

test('classic 3.4a, 3.4b, 3.4c: every address of a domain leads on by ?host=', async () => {
  const start = hosts.map(host => `/?host=${encodeURIComponent(fromHeader(host))}`)
  const count = await crawl(start.map(target => ({ host: ownHost(), target })))
  expect(count).toBeGreaterThan(100 * hosts.length)
})

test.each<[string, () => Address]>([
  ['the name of the service', () => ({ host: ownHost(), target: '/' })],
  ['the base domain', () => ({ host: BASE_DOMAIN, target: '/' })],
  ['?host=', () => ({ host: ownHost(), target: `/?host=${BASE_DOMAIN}` })],
])(
  'classic 3.4c, 12.1b, 12.1d: every domain is reached from the table of contents by %s',
  async (_title, start) => {
    await crawl(
      [start()],
      hosts.filter(host => !host.endsWith(HOME)),
    )
    const { root } = (await get(start())).json<{ root: string }>()
    const at = (path: string): Address => ({ ...start(), target: start().target.replace('/', path) })
    const { links = [] } = (await get(at(`/groups/${root}/links`))).json<Page>()
    const { groups } = (await get(at('/groups'))).json<Page>()
    for (const { title, id } of links) if (title === 'test') expect(groups).toContain(id)
  },
)

test.each<[string, () => Address]>([
  ['the Host header', () => ({ host: HOME, target: '/' })],
  ['?host=', () => ({ host: ownHost(), target: `/?host=${HOME}` })],
])('classic 3.4c, 12.2a, 12.2b: every domain is reached from a home by %s', async (_title, start) => {
  await crawl([start()])
})

/** The bytes of a header are UTF-8, and Latin-1 to Node. */
function fromHeader(host: string): string {
  return Buffer.from(host, 'latin1').toString('utf8')
}

function inHeader(host: string): string {
  return Buffer.from(host, 'utf8').toString('latin1')
}

/** Two hosts with the same name are the same domain (classic 11.1). */
function nameOf(host: string): string {
  return host.replaceAll(/(?:%[0-9A-F]{2})+/gi, decodeURIComponent)
}

/** The datasets of all crawls whose values are opaque. */
const opaque = new Set<string>()
/** The addresses in answers of this test's domains, which nothing changes: all crawls ask for each once. */
const ledOn = new Map<string, readonly Address[]>()

function ownNames(): ReadonlySet<string> {
  return new Set(hosts.map(host => nameOf(fromHeader(host))))
}

/**
 * Follows all addresses from these on, and fails with all that did not lead to 200 and JSON, and with domains that were
 * to be reached and were not. Gives the number of addresses.
 */
async function crawl(start: readonly Address[], toReach: readonly string[] = hosts): Promise<number> {
  const own = ownNames()
  const reached = new Set<string>()
  const seen = new Set<string>()
  const waiting: Address[] = []
  const wrong: string[] = []
  const add = (address: Address) => {
    const key = `${address.host} ${address.target}`
    if (!seen.has(key)) waiting.push(address)
    seen.add(key)
  }
  const follow = async (address: Address): Promise<void> => {
    const key = `${address.host} ${address.target}`
    const led = ledOn.get(key) ?? (await leadOn(address, wrong))
    if (led === undefined) return
    const { domain } = partsOf(address)
    if (own.has(domain)) ledOn.set(key, led)
    reached.add(domain)
    led.forEach(add)
  }
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await follow(next)
  }
  start.forEach(add)
  while (waiting.length > 0) await Promise.all(Array.from({ length: AT_ONCE }, work))
  expect(wrong).toEqual([])
  expect(toReach.filter(host => !reached.has(nameOf(fromHeader(host))))).toEqual([])
  return seen.size
}

/**
 * The addresses in the answer at an address; undefined: it leads nowhere, as the contract says, or it is wrong, and
 * added to the list.
 */
async function leadOn(address: Address, wrong: string[]): Promise<readonly Address[] | undefined> {
  const own = ownNames()
  const contents = new Set([ownHost(), BASE_DOMAIN, HOME])
  const { host, target } = address
  const { path, domain } = partsOf(address)
  const { status, story, ...reply } = await get(address)
  if (path === '/' && !own.has(domain) && !contents.has(domain) && [403, 404].includes(status)) return
  if (status === 501 && opaque.has(path)) return
  if (status !== 200 || reply.headers['content-type'] !== 'application/json') {
    wrong.push(`Host: ${host}: ${story}`)
    return
  }
  const page = reply.json<Page>()
  const body = contents.has(domain) ? ownPart(page, own) : page
  if (body.type?.class === 'H5T_OPAQUE') opaque.add(`${path}/value`)
  const rels = body.hrefs.map(href => href.rel)
  if (new Set(rels).size < rels.length) wrong.push(`${target}: a relation occurs twice: ${rels}`)
  if (!rels.includes('self') || !rels.includes('root')) wrong.push(`${target}: no self or root: ${rels}`)
  const next: Address[] = []
  for (const found of addressesIn(body)) {
    const parsed = parsedAddress(found)
    if (parsed === undefined) wrong.push(`${target}: ${found} is no address`)
    else next.push(parsed)
  }
  for (const id of idsIn(body)) next.push({ host, target: target.replace(/^[^?]*/, `/${id}`) })
  return next
}

/**
 * The part of a page of a table of contents that is about this test: others make and delete folders and domains
 * meanwhile. Folders are reached by their links.
 */
function ownPart(
  { domains: _domains, groups: _groups, links, ...page }: Page,
  own: ReadonlySet<string>,
): Page {
  const folders = new Set([...own].flatMap(name => name.split('.').slice(1)))
  const isOwn = ({ title, h5domain }: { title: string; h5domain?: string }) => {
    if (h5domain === undefined) return folders.has(title)
    const name = nameOf(h5domain.replaceAll('+', ' '))
    return own.has(name) || name === BASE_DOMAIN
  }
  return { ...page, ...(links && { links: links.filter(isOwn) }) }
}

/** Strict JSON (common 5). */
function get({ host, target }: Address) {
  return send('GET', target, undefined, { headers: { host, accept: 'application/json' } })
}

/** The path, and the name of the domain. */
function partsOf({ host, target }: Address) {
  const [path = '', query = ''] = target.split(/\?(.*)/s)
  return { path, domain: nameOf(new URLSearchParams(query).get('host') ?? fromHeader(host)) }
}

/** An address as it stands in an answer, without parsing that would change it. */
function parsedAddress(text: string): Address | undefined {
  const [, host, target] = /^http:\/\/([^/]+)(\/[^#]*)(?:#.*)?$/s.exec(text) ?? []
  return host === undefined || target === undefined ? undefined : { host: inHeader(host), target }
}

/** Every `href` and `target` anywhere in a body. */
function addressesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(addressesIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    (key === 'href' || key === 'target') && typeof inner === 'string' ? [inner] : addressesIn(inner),
  )
}

/** The paths of the objects that a body lists, or refers to by collection and id. */
function idsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(idsIn)
  if (typeof value !== 'object' || value === null) return []
  const listed = Object.entries(value).flatMap(([key, inner]) => {
    const isListing = ['groups', 'datasets', 'datatypes'].includes(key) && Array.isArray(inner)
    return isListing ? inner.map(id => `${key}/${id}`) : idsIn(inner)
  })
  if (!('collection' in value) || !('id' in value)) return listed
  return [...listed, `${value.collection}/${value.id}`]
}
