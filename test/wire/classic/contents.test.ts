// Tables of contents, homes, and names that a folder and a domain share (classic 12). Other tests make and delete
// domains meanwhile: each test here looks at a folder of its own.

import { describe, expect, onTestFinished, test } from 'vitest'
import {
  ADMIN,
  BASE_DOMAIN,
  type Fields,
  type Method,
  type Options,
  type Reply,
  send,
  USER1,
  USER2,
  uniqueName,
} from '../client.ts'
import { expectRefusal, hrefTable, relsOf, removeDomain, withHost } from './domain.ts'

const TABLE = BASE_DOMAIN
const UNKNOWN_ID = '11111111-2222-3333-4444-555555555555'

interface Link extends Fields {
  readonly title: string
  readonly class: string
  readonly id?: string
  readonly h5domain?: string
  readonly target: string
}

async function want<T = Fields>(host: string, path: string): Promise<T> {
  const reply = await send('GET', path, undefined, withHost(host))
  expect(reply.status, reply.story).toBe(200)
  return reply.json<T>()
}

/** A user needs credentials in a folder that has a list, as homes may have. */
async function make(host: string, options: Options = {}): Promise<Reply> {
  const reply = await send('PUT', '/', undefined, withHost(host, options))
  expect(reply.status, reply.story).toBe(201)
  onTestFinished(() => removeDomain(host))
  return reply
}

async function statusOf(method: Method, host: string, path: string, body?: unknown): Promise<number> {
  const reply = await send(method, path, body, withHost(host))
  if (reply.status >= 400) expectRefusal(reply, reply.status)
  return reply.status
}

async function linksOf(group: string, query = '', host = TABLE): Promise<readonly Link[]> {
  return (await want<{ links: readonly Link[] }>(host, `/groups/${group}/links${query}`)).links
}

/** The group that the names lead to, from the root group of the table. */
async function groupAt(names: readonly string[], host = TABLE): Promise<string> {
  let { root: group } = await want<{ root: string }>(host, '/')
  for (const name of names) {
    const { link } = await want<{ link: Link }>(host, `/groups/${group}/links/${encodeURIComponent(name)}`)
    expect(link).toMatchObject({ title: name, class: 'H5L_TYPE_HARD', collection: 'groups' })
    group = link.id ?? ''
  }
  return group
}

/** A folder that no other test has, with a domain in it: its name, and the end of the host names below it. */
async function newFolder(): Promise<{ name: string; below: string; group(): Promise<string> }> {
  const name = uniqueName()
  const below = `${name}.test.${BASE_DOMAIN}`
  await make(`first.${below}`)
  return { name, below, group: () => groupAt(['test', name]) }
}

describe('the table of contents', () => {
  test.each([
    ['its name', BASE_DOMAIN, '/'],
    ['an address', '127.0.0.1:5101', '/'],
    ['a single label', 'localhost', '/'],
    ['?host=', 'localhost', `/?host=${BASE_DOMAIN}`],
  ])('classic 12.1a: %s: root, created, lastModified, domains and the five hrefs', async (_, host, path) => {
    const body = await want(host, path)
    expect(Object.keys(body).sort()).toEqual(['created', 'domains', 'hrefs', 'lastModified', 'root'])
    expect(relsOf(body)).toEqual(['self', 'database', 'groupbase', 'typebase', 'root'])
    expect(body.root).toBe((await want(TABLE, '/')).root)
  })

  test('classic 12.1b: it answers like any domain', async () => {
    const { group } = await newFolder()
    const id = await group()
    const { groups } = await want<{ groups: string[] }>(TABLE, '/groups')
    expect(groups.filter(listed => listed === id)).toEqual([id])
    expect(groups).not.toContain((await want(TABLE, '/')).root)
    expect(await want(TABLE, '/datasets')).toMatchObject({ datasets: [] })
    expect(await want(TABLE, '/datatypes')).toMatchObject({ datatypes: [] })
    const shown = await want(TABLE, `/groups/${id}?include_links=1`)
    expect(shown).toMatchObject({ id, linkCount: 1, attributeCount: 0, links: [{ title: 'first' }] })
    expect(await want(TABLE, `/groups/${id}/attributes`)).toMatchObject({ attributes: [] })
    expect(await want(TABLE, `/groups/${id}/acls`)).toMatchObject({ acls: [] })
    const { acl } = await want<{ acl: Fields }>(TABLE, `/groups/${id}/acls/default`)
    expect(acl).toMatchObject({ userName: 'default', read: true })
    expect(await statusOf('GET', TABLE, `/groups/${UNKNOWN_ID}`)).toBe(404)
  })

  test('classic 12.1c: a folder that was emptied stays, with the same id', async () => {
    const { name, below, group } = await newFolder()
    const id = await group()
    await make(`deep.inner.${below}`)
    expect((await linksOf(id)).map(({ title }) => title)).toEqual(['first', 'inner'])
    await removeDomain(`deep.inner.${below}`)
    await removeDomain(`first.${below}`)
    expect((await linksOf(id)).map(({ title }) => title)).toEqual(['inner'])
    expect(await groupAt(['test', name])).toBe(id)
    expect(await linksOf(await groupAt(['test', name, 'inner']))).toEqual([])
  })

  test('classic 12.1d: a domain is an external link, and its target leads to it', async () => {
    const { below, group } = await newFolder()
    const names: readonly (readonly [string, string, string])[] = [
      ['a%2Eb', 'a.b', 'a%2Eb'],
      ['my file', 'my file', 'my+file'],
      ['50%25', '50%', '50%25'],
      ['%D1%8F.x%2Ey', 'я', '%D1%8F.x%2Ey'],
    ]
    for (const [label] of names) await make(`${label}.${below}`)
    const id = await group()
    const inner = await groupAt(['test', below.split('.')[0] ?? '', 'x.y'])
    for (const [label, title, spelled] of names) {
      const root = (await want(`${label}.${below}`, '/')).root
      const link = [...(await linksOf(id)), ...(await linksOf(inner))].find(link => link.title === title)
      expect(link).toMatchObject({
        class: 'H5L_TYPE_EXTERNAL',
        h5path: '/',
        h5domain: `${spelled}.${below}`,
        target: `http://${TABLE}/?host=${spelled}.${below}`,
      })
      expect(await want(TABLE, `/?host=${link?.h5domain}`)).toMatchObject({ root })
    }
  })

  test('classic 12.1e: each of a folder, x and x.h5 has a title of its own, which stays', async () => {
    const { below, group } = await newFolder()
    await make(`x%2Eh5.${below}`)
    await make(`in.x.${below}`)
    await make(`y.y%2Eh5.${below}`)
    await make(`y.${below}`)
    const id = await group()
    const titles = async () => (await linksOf(id)).map(({ title, h5domain = '' }) => `${title} ${h5domain}`)
    const all = [`first first.${below}`, 'x.folder ', `x x.${below}`, `y y.${below}`, 'y.h5 ']
    expect(await titles()).toEqual(all)
    await removeDomain(`x%2Eh5.${below}`)
    expect(await titles()).toEqual(all.filter(title => !title.startsWith('x x')))
    // PUT makes x.h5 again, since x is a folder.
    await make(`x.${below}`)
    expect(await titles()).toEqual(all)
    for (const { title } of await linksOf(id)) {
      expect(await statusOf('GET', TABLE, `/groups/${id}/links/${title}`)).toBe(200)
    }
  })

  test('classic 12.1f: the folder of homes and hidden names are not shown', async () => {
    const { below, group } = await newFolder()
    await make(`${uniqueName()}.${USER1}.home.${BASE_DOMAIN}`, { user: USER1 })
    await make(`%2Ehidden.${below}`)
    await make(`shown.%2Efolder.${below}`)
    expect((await linksOf(await group())).map(({ title }) => title)).toEqual(['first'])
    const { root } = await want<{ root: string }>(TABLE, '/')
    expect((await linksOf(root)).map(({ title }) => title)).not.toContain('home')
    expect(await statusOf('GET', TABLE, `/groups/${root}/links/home`)).toBe(404)
  })

  test('classic 12.1g: a caller that may not read a folder does not see into its group', async () => {
    const folder = `/test/${uniqueName()}`
    const admin = { user: ADMIN }
    await send(
      'PUT',
      `/?domain=${folder}`,
      { folder: true, acl: { [USER1]: { read: true, create: true } } },
      admin,
    )
    const name = folder.slice('/test/'.length)
    const host = `private.${name}.test.${BASE_DOMAIN}`
    const made = await send('PUT', '/', undefined, withHost(host, admin))
    expect(made.status, made.story).toBe(201)
    await send('PUT', `/acls/default?domain=${folder}`, { read: false }, admin)
    const id = await groupAt(['test', name])
    for (const path of [`/groups/${id}`, `/groups/${id}/links`, `/groups/${id}/links/private`]) {
      expect(await statusOf('GET', TABLE, path)).toBe(401)
      const reply = await send('GET', path, undefined, withHost(TABLE, admin))
      expect(reply.status, reply.story).toBe(200)
    }
    expect((await send('DELETE', '/', undefined, withHost(host, admin))).status).toBe(200)
  })

  test('classic 12.1h: a new link is there at once, that of a deleted domain is 410, and of others 404', async () => {
    const { below, group } = await newFolder()
    const id = await group()
    const status = () => statusOf('GET', TABLE, `/groups/${id}/links/run`)
    expect(await status()).toBe(404)
    await make(`run.${below}`)
    expect(await status()).toBe(200)
    await removeDomain(`run.${below}`)
    expect(await status()).toBe(410)
    // A domain that is made in the other dialect, and that others are below.
    const path = `/test/${below.split('.')[0]}/run`
    expect((await send('PUT', `/?domain=${path}`, undefined, { user: USER1 })).status).toBe(201)
    expect(await status()).toBe(200)
    await make(`below.run.${below}`)
    expect((await send('DELETE', `/?domain=${path}`, undefined, { user: USER1 })).status).toBe(200)
    expect(await status()).toBe(410)
  })

  test('classic 12.1i: every write is 403, a malformed body 400', async () => {
    const { group } = await newFolder()
    const { root } = await want<{ root: string }>(TABLE, '/')
    const id = await group()
    const scalar = { type: 'H5T_STD_I8LE', value: 1 }
    const writes: readonly [Method, string, unknown?][] = [
      ['DELETE', '/'],
      ['PUT', '/'],
      ['POST', '/groups'],
      ['POST', '/datasets', { type: 'H5T_STD_I8LE' }],
      ['POST', '/datatypes', { type: 'H5T_STD_I8LE' }],
      ['PUT', '/acls/default', { read: true }],
      ...[root, id, UNKNOWN_ID].flatMap((group): [Method, string, unknown?][] => [
        ['DELETE', `/groups/${group}`],
        ['PUT', `/groups/${group}/links/new`, { h5path: '/x' }],
        ['DELETE', `/groups/${group}/links/first`],
        ['PUT', `/groups/${group}/attributes/a`, scalar],
        ['DELETE', `/groups/${group}/attributes/a`],
        ['PUT', `/groups/${group}/acls/default`, { read: true }],
      ]),
      ['PUT', `/datasets/${UNKNOWN_ID}/value`, { value: 1 }],
      ['DELETE', `/datasets/${UNKNOWN_ID}`],
      ['DELETE', `/datatypes/${UNKNOWN_ID}`],
    ]
    for (const [method, path, body] of writes) {
      expect([method, path, await statusOf(method, TABLE, path, body)]).toEqual([method, path, 403])
    }
    expect(await statusOf('PUT', TABLE, `/groups/${UNKNOWN_ID}/links/new`, { h5path: 1 })).toBe(400)
    expect(await statusOf('POST', TABLE, '/datasets', { type: 'no type' })).toBe(400)
  })

  test('a page goes on behind its marker, also behind one that was deleted', async () => {
    const { below, group } = await newFolder()
    const labels = ['a', 'b', 'c', 'd', 'e']
    for (const label of labels) await make(`${label}.${below}`)
    const id = await group()
    const page = async (query: string) => (await linksOf(id, query)).map(({ title }) => title)
    expect(await page('?Limit=2')).toEqual(['a', 'b'])
    await removeDomain(`b.${below}`)
    expect(await page('?Limit=2&Marker=b')).toEqual(['c', 'd'])
    expect(await page('?Limit=2&Marker=d')).toEqual(['e', 'first'])
    expect(await page('?Marker=none')).toEqual([])
    const { groups } = await want<{ groups: string[] }>(TABLE, '/groups')
    expect((await want(TABLE, `/groups?Limit=1&Marker=${groups[0]}`)).groups).toEqual(groups.slice(1, 2))
  })
})

describe('homes', () => {
  const HOME = `${USER1}.home.${BASE_DOMAIN}`

  test('classic 12.2a, 12.2d: the home of an account is there, read without credentials, and fixed', async () => {
    const { root } = await want<{ root: string }>(HOME, '/')
    expect(root).not.toBe((await want(TABLE, '/')).root)
    for (const method of ['PUT', 'DELETE'] as const) expect(await statusOf(method, HOME, '/')).toBe(403)
    const label = uniqueName()
    await make(`${label}.${HOME}`, { user: USER1 })
    const link = (await linksOf(root, '', HOME)).find(({ title }) => title === label)
    expect(link).toMatchObject({
      h5domain: `${label}.${HOME}`,
      target: `http://${HOME}/?host=${label}.${HOME}`,
    })
    // Other tests may have made /home with a list. Where no folder has one, the settings let everybody create.
    const other = `${label}.${USER2}.home.${BASE_DOMAIN}`
    const folder = await send('GET', '/?domain=/home', undefined, { user: ADMIN })
    const hasList = folder.status === 200 && folder.json<{ owner: string }>().owner !== ''
    expect((await send('PUT', '/', undefined, withHost(other))).status).toBe(hasList ? 401 : 201)
    await removeDomain(other)
    await removeDomain(`${label}.${HOME}`)
    expect(await statusOf('GET', HOME, `/groups/${root}/links/${label}`)).toBe(410)
    expect(hrefTable(await want(HOME, '/')).root).toBe(`http://${HOME}/groups/${root}`)
  })

  test('classic 12.2b: it has a link to the public folder, while there is one', async () => {
    await make(`${uniqueName()}.public.${BASE_DOMAIN}`)
    const { root } = await want<{ root: string }>(HOME, '/')
    const { link } = await want<{ link: Link }>(HOME, `/groups/${root}/links/public`)
    expect(link).toEqual({
      title: 'public',
      class: 'H5L_TYPE_EXTERNAL',
      h5path: '/public',
      h5domain: BASE_DOMAIN,
    })
    const last = (await linksOf(root, '', HOME)).at(-1)
    expect(last).toMatchObject({
      title: 'public',
      target: `http://${HOME}/?host=${BASE_DOMAIN}#h5path(/public)`,
    })
  })

  test('classic 12.2c: below a user without an account everything is 404', async () => {
    for (const below of ['nobody', 'x.nobody', 'y.x.nobody']) {
      for (const method of ['GET', 'PUT', 'DELETE'] as const) {
        expect(await statusOf(method, `${below}.home.${BASE_DOMAIN}`, '/')).toBe(404)
      }
      expect(await statusOf('GET', `${below}.home.${BASE_DOMAIN}`, '/groups')).toBe(404)
    }
  })

  test('the folder of all homes is neither made nor deleted', async () => {
    for (const method of ['PUT', 'DELETE'] as const) {
      expect(await statusOf(method, `home.${BASE_DOMAIN}`, '/')).toBe(403)
    }
    expect(await statusOf('GET', `home.${BASE_DOMAIN}`, '/')).toBe(404)
  })
})

describe('a name of a folder and of a domain', () => {
  test('classic 12.3a: a folder is no domain, and DELETE leaves it', async () => {
    const { name, below } = await newFolder()
    await removeDomain(`first.${below}`)
    expect(await statusOf('GET', below, '/')).toBe(404)
    expect(await statusOf('DELETE', below, '/')).toBe(404)
    const folder = await send('GET', `/?domain=/test/${name}`)
    expect(folder.json()).toMatchObject({ class: 'folder' })
  })

  test('classic 12.3b: PUT makes a domain where a folder has the name', async () => {
    const { name, below } = await newFolder()
    const { root } = (await make(below)).json<{ root: string }>()
    expect(await want(below, '/')).toMatchObject({ root })
    expect(await statusOf('PUT', below, '/')).toBe(409)
    expect(await statusOf('GET', `first.${below}`, '/')).toBe(200)
    const other = await send('GET', `/?domain=/test/${name}.h5`)
    expect(other.status, other.story).toBe(200)
    await removeDomain(below)
    expect(await statusOf('GET', `first.${below}`, '/')).toBe(200)
  })

  test('classic 12.3c: PUT makes a domain below a domain, which stays when that is deleted', async () => {
    const { name, below } = await newFolder()
    await make(`inner.first.${below}`)
    expect(await statusOf('GET', `first.${below}`, '/')).toBe(200)
    const path = `/test/${name}/first`
    const listed = await send('GET', `/domains?domain=${path}/`)
    expect(listed.json()).toMatchObject({ domains: [{ name: `${path}/inner` }] })
    expect((await send('PUT', `/?domain=${path}/other`, undefined, { user: USER1 })).status).toBe(400)
    await removeDomain(`first.${below}`)
    expect(await statusOf('GET', `first.${below}`, '/')).toBe(404)
    expect(await statusOf('GET', `inner.first.${below}`, '/')).toBe(200)
    expect((await send('GET', `/?domain=${path}`)).json()).toMatchObject({ class: 'folder' })
  })
})
