// Objects by their paths, `GET /?h5path=` and `POST /` with `h5paths`: what is found, through which links, and what is
// described of them (hsds-objects 8.10, 8.2 and 8.7; clients 5.4 and 4.3).

import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ADMIN, BASE_DOMAIN, type Fields, send, USER1, USER2, uniqueName } from '../client.ts'
import {
  classicId,
  type Domain,
  expectRefusal,
  HOME,
  makeHome,
  newDomain,
  newPath,
  relsOf,
  removeDomain,
} from './domain.ts'

const I32 = 'H5T_STD_I32LE'
const INTEGER = { class: 'H5T_INTEGER', base: I32 }
const FOLLOW = 'follow_soft_links=1&follow_external_links=1'

beforeAll(makeHome)

function find(domain: Domain, path: string, query = ''): Promise<Fields> {
  return domain.want(200, 'GET', `/?h5path=${encodeURIComponent(path)}&${query}`)
}

async function findAll(domain: Domain, h5paths: readonly string[], query = ''): Promise<Fields> {
  return (await domain.want<{ h5paths: Fields }>(200, 'POST', `/?${query}`, { h5paths })).h5paths
}

function put(domain: Domain, group: string, title: string, link: Fields): Promise<Fields> {
  return domain.want(201, 'PUT', `/groups/${group}/links/${encodeURIComponent(title)}`, link)
}

/** A second domain beside the first, which user 2 may not read. */
async function neighbour(): Promise<{ domain: Domain; name: string; inner: string }> {
  const name = `${uniqueName()}.h5`
  const domain = await newDomain(`${HOME}/${name}`)
  const inner = await domain.group('inner')
  return { domain, name, inner }
}

describe('the description of an object', () => {
  test('a group: what it is and where, eight hrefs, nothing that is not asked for', async () => {
    const domain = await newDomain()
    const id = await domain.group('g')
    const body = await find(domain, '/g')
    expect(body).toEqual({
      id,
      root: domain.root,
      class: 'group',
      domain: domain.path,
      bucket: expect.any(String),
      created: expect.any(Number),
      lastModified: expect.any(Number),
      linkCount: 0,
      attributeCount: 0,
      hrefs: expect.any(Array),
    })
    expect(relsOf(body)).toEqual([
      'self',
      'database',
      'groupbase',
      'typebase',
      'root',
      'home',
      'acls',
      'parent',
    ])
  })

  test('a dataset and a committed datatype', async () => {
    const domain = await newDomain()
    const root = { id: domain.root }
    const dataset = await domain.dataset({ type: I32, shape: [3], link: { ...root, name: 'd' } })
    const datatype = await domain.datatype({ type: I32, link: { ...root, name: 't' } })
    const creationProperties = { layout: { class: 'H5D_CHUNKED', dims: [3] } }
    expect(await find(domain, 'd')).toMatchObject({
      id: dataset,
      class: 'dataset',
      shape: { class: 'H5S_SIMPLE', dims: [3] },
      type: INTEGER,
      creationProperties,
      layout: creationProperties.layout,
    })
    expect(await find(domain, 't')).toMatchObject({ id: datatype, class: 'datatype', type: INTEGER })
  })

  test('links and attributes are maps with the names inside too, by name or by creation', async () => {
    const domain = await newDomain()
    const titles = ['z', '10', '9', '__proto__', 'constructor', 'a']
    for (const title of titles) await put(domain, domain.root, title, { h5path: '/x' })
    await put(domain, domain.root, 'ext', { h5path: '/x', file: 'y.h5' })
    for (const name of titles) {
      await domain.want(201, 'PUT', `/groups/${domain.root}/attributes/${name}`, { type: I32, value: 1 })
    }
    // The order is compared in the text: objects of JavaScript put names that look like numbers first.
    const textOf = async (query: string) => {
      const reply = await domain.send('GET', `/?h5path=/&include_links=1&include_attrs=true${query}`)
      expect(reply.status, reply.story).toBe(200)
      return reply
    }
    const order = ({ text }: { text: string }, member: string, key: string) =>
      Array.from(
        text.slice(text.indexOf(`"${member}":`)).matchAll(new RegExp(`"([^"]+)":\\{"${key}":"\\1"`, 'g')),
        ([, name]) => name,
      )
    const byName = await textOf('')
    expect(order(byName, 'links', 'title')).toEqual(['10', '9', '__proto__', 'a', 'constructor', 'ext', 'z'])
    expect(order(byName, 'attributes', 'name')).toEqual(['10', '9', '__proto__', 'a', 'constructor', 'z'])
    const byCreation = await textOf('&CreateOrder=1')
    expect(order(byCreation, 'links', 'title')).toEqual([...titles, 'ext'])
    expect(order(byCreation, 'attributes', 'name')).toEqual(titles)
    expect(byName.json<{ links: Fields }>().links.ext).toEqual({
      title: 'ext',
      class: 'H5L_TYPE_EXTERNAL',
      h5path: '/x',
      h5domain: 'y.h5',
      file: 'y.h5',
      created: expect.any(Number),
    })
    expect(byName.json<{ attributes: Fields }>().attributes.a).toEqual({
      name: 'a',
      shape: { class: 'H5S_SCALAR' },
      type: INTEGER,
      value: 1,
      created: expect.any(Number),
    })
  })

  test('thousands of links come whole, by each request that tells them', async () => {
    const domain = await newDomain()
    const id = await domain.group('many')
    const titles = Array.from({ length: 3000 }, (_, i) => `${(i * 7919) % 3000}`)
    const links = Object.fromEntries(titles.map(title => [title, { h5path: title }]))
    await domain.want(201, 'PUT', `/groups/${id}/links`, { links })
    for (const [method, target, body] of [
      ['GET', `/groups/${id}?include_links=1`, undefined],
      ['GET', '/?h5path=many&include_links=1', undefined],
      ['POST', '/?include_links=1', { h5paths: ['/', 'many'] }],
    ] as const) {
      const reply = await domain.send(method, target, body)
      expect(reply.status, reply.story).toBe(200)
      const told = Array.from(reply.text.matchAll(/"(\d+)":\{"title":"\1"/g), ([, title]) => title)
      expect(told).toEqual(titles.toSorted())
    }
  })

  test('values of attributes come as Base64 where these have no more bytes than the request allows', async () => {
    const domain = await newDomain()
    const at = `/groups/${domain.root}/attributes`
    await domain.want(201, 'PUT', `${at}/pair`, { type: I32, shape: [2], value: [1, 2] })
    await domain.want(201, 'PUT', `${at}/four`, { type: I32, shape: [4], value: [1, 2, 3, 4] })
    const query = 'include_attrs=1&encoding=base64&max_data_size=8'
    const found = await find(domain, '/', query)
    expect(found.attributes).toMatchObject({ pair: { encoding: 'base64', value: 'AQAAAAIAAAA=' } })
    expect(found).not.toHaveProperty('attributes.four.value')
    const several = await domain.want(200, 'POST', `/?${query}`, { h5paths: ['/'] })
    expect(several).toHaveProperty('h5paths./.attributes', found.attributes)
    await domain.want(400, 'POST', '/?include_attrs=1&encoding=hex', { h5paths: ['/'] })
    await domain.want(400, 'GET', '/?h5path=/&include_attrs=1&max_data_size=much')
  })

  test.each(['include_attrs=0', 'include_attrs=false', 'include_attrs=', 'include_links=0'])(
    '%s tells nothing more',
    async query => {
      const domain = await newDomain()
      const body = await find(domain, '/', query)
      expect(body).not.toHaveProperty('attributes')
      expect(body).not.toHaveProperty('links')
    },
  )

  test('verbose, getobjs and getdnids say nothing beside h5path; ignore_nan turns a fill value into a string', async () => {
    const domain = await newDomain()
    const link = { id: domain.root, name: 'd' }
    const type = 'H5T_IEEE_F32LE'
    const json = JSON.stringify({ type, shape: [1], link, creationProperties: { fillValue: 0 } })
    const created = await domain.send('POST', '/datasets', json.replace('"fillValue":0', '"fillValue":NaN'))
    expect(created.status, created.story).toBe(201)
    const found = await find(domain, '/d', 'verbose=1&getobjs=1&getdnids=1&ignore_nan=1')
    expect(found.creationProperties).toMatchObject({ fillValue: 'nan' })
    for (const member of ['dn_ids', 'domain_objs', 'num_objects']) expect(found).not.toHaveProperty(member)
  })
})

describe('where paths lead', () => {
  test('slashes that say nothing, a dot, names of all sorts; relative ones from parent_id', async () => {
    const domain = await newDomain()
    const outer = await domain.group('a b')
    const inner = await domain.group('..', outer)
    const deep = await domain.group('%2F?&=+é', inner)
    const paths = ['/a b/../%2F?&=+é', 'a b/../%2F?&=+é', './a b//../%2F?&=+é/']
    for (const path of paths) expect((await find(domain, path)).id).toBe(deep)
    for (const path of ['/', '.', './']) expect((await find(domain, path)).id).toBe(domain.root)
    const from = `parent_id=${outer}`
    for (const path of ['.', './']) expect((await find(domain, path, from)).id).toBe(outer)
    for (const path of ['..', '../']) expect((await find(domain, path, from)).id).toBe(inner)
    // An absolute path starts at the root whatever the group is.
    expect((await find(domain, '/a b', from)).id).toBe(outer)
    expect(Object.keys(await findAll(domain, [...paths, paths[0]]))).toEqual(paths)
  })

  test('soft links: relative ones from their group, absolute ones from the root, the last one too', async () => {
    const domain = await newDomain()
    const outer = await domain.group('outer')
    const inner = await domain.group('inner', outer)
    await put(domain, outer, 'near', { h5path: 'inner' })
    await put(domain, outer, 'dot', { h5path: '.' })
    await put(domain, outer, 'far', { h5path: '/outer/near' })
    await put(domain, domain.root, 'chain', { h5path: 'outer/dot/far' })
    for (const path of ['/outer/near', '/outer/dot/inner', '/outer/far', 'chain', '/outer/dot/dot/near']) {
      expect((await find(domain, path, 'follow_soft_links=1')).id).toBe(inner)
      await domain.refuse(400, 'GET', `/?h5path=${path}`)
      await domain.refuse(400, 'GET', `/?h5path=${path}&follow_soft_links=0&follow_external_links=1`)
      await domain.refuse(400, 'POST', '/', { h5paths: [path] })
    }
    expect((await find(domain, 'far', `follow_soft_links=true&parent_id=${outer}`)).id).toBe(inner)
  })

  test('external links: by path, by address, relative to the folder; domain and root are those of the other', async () => {
    const domain = await newDomain()
    const other = await neighbour()
    const files = [
      other.domain.path,
      `hdf5:/${other.domain.path}`,
      other.name,
      `./${other.name}`,
      `../test_user1/${other.name}`,
    ]
    for (const [index, h5domain] of files.entries()) {
      for (const [at, h5path] of ['/inner', 'inner', 'inner/'].entries()) {
        const title = `link ${index} ${at}`
        await put(domain, domain.root, title, { h5domain, h5path })
        const body = await find(domain, title, 'follow_external_links=1')
        expect(body).toMatchObject({
          id: other.inner,
          root: other.domain.root,
          domain: other.domain.path,
          class: 'group',
        })
        await domain.refuse(400, 'GET', `/?h5path=${encodeURIComponent(title)}&follow_soft_links=1`)
      }
    }
    // The hrefs lead to the other domain.
    const { hrefs } = await find(domain, 'link 0 0', 'follow_external_links=1')
    for (const { rel, href } of hrefs as { rel: string; href: string }[]) {
      const { pathname, search } = new URL(href)
      const reply = await send('GET', pathname + search, undefined, { user: USER1 })
      expect(reply.status, `${rel}: ${reply.story}`).toBe(200)
      if (rel === 'self') expect(reply.json().root).toBe(other.domain.root)
    }
  })

  test('soft links of another domain start there, and the next path starts afresh', async () => {
    const domain = await newDomain()
    const other = await neighbour()
    const here = await domain.group('inner')
    await put(other.domain, other.domain.root, 'soft', { h5path: '/inner' })
    await put(domain, domain.root, 'ext', { h5domain: other.name, h5path: '/soft' })
    await put(domain, domain.root, 'back', { h5domain: other.name, h5path: '/' })
    const found = await findAll(domain, ['ext', 'inner', 'back/soft'], FOLLOW)
    expect(found).toMatchObject({
      ext: { id: other.inner, domain: other.domain.path },
      inner: { id: here, domain: domain.path },
      'back/soft': { id: other.inner, root: other.domain.root },
    })
    await domain.refuse(400, 'GET', '/?h5path=ext&follow_external_links=1')
  })

  test.each<[string, string, number]>([
    ['a missing link', 'missing', 404],
    ['a link behind a missing one', 'missing/x', 404],
    ['a link that was deleted', 'deleted', 410],
    ['a link to what was deleted', 'dangling', 410],
    ['a dataset on the way', 'dataset/x', 404],
    ['a soft link to nothing', 'soft to nothing', 404],
    ['a soft link to what was deleted', 'soft to dangling', 404],
    ['a soft link to itself', 'circle', 404],
    ['soft links in a circle', 'circle a', 404],
    ['a circle that grows', 'growing', 404],
    ['an external link to no domain', 'no domain', 404],
    ['an external link to a folder', 'folder', 404],
    ['an external link to what is no path', 'malformed', 404],
    ['an external link to a bucket elsewhere', 'elsewhere', 404],
    ['an external link to nothing in a domain', 'nothing there', 404],
    ['an external link above the top', 'above', 404],
    ['a group by external links in a circle', 'mirror', 404],
  ])('%s, everything followed: %s is %i', async (_, path, status) => {
    const domain = await newDomain()
    const { root } = domain
    await domain.dataset({ type: I32, link: { id: root, name: 'dataset' } })
    await put(domain, root, 'deleted', { h5path: '/' })
    await domain.want(200, 'DELETE', `/groups/${root}/links/deleted`)
    const gone = await domain.group('dangling')
    await domain.want(200, 'DELETE', `/groups/${gone}`)
    const soft = { 'soft to nothing': '/nothing', 'soft to dangling': 'dangling', circle: '/circle' }
    for (const [title, h5path] of Object.entries({
      ...soft,
      'circle a': 'circle b',
      'circle b': './circle a',
      growing: 'growing/growing',
    })) {
      await put(domain, root, title, { h5path })
    }
    const external = {
      'no domain': newPath(),
      folder: HOME,
      malformed: '/a//b',
      elsewhere: 's3://bucket/x.h5',
      'nothing there': domain.path,
      above: '../../../../../x.h5',
    }
    for (const [title, h5domain] of Object.entries(external)) {
      await put(domain, root, title, { h5domain, h5path: '/nothing' })
    }
    await put(domain, root, 'mirror', { h5domain: domain.path, h5path: '/mirror' })
    const target = `/?h5path=${encodeURIComponent(path)}&${FOLLOW}`
    await domain.refuse(status, 'GET', target)
    await domain.refuse(status, 'POST', `/?${FOLLOW}`, { h5paths: ['dataset', path] })
  })

  test('a hundred symbolic links are followed, one more is not', async () => {
    const domain = await newDomain()
    const links = Object.fromEntries(
      Array.from({ length: 102 }, (_, i) => [`s${i}`, { h5path: i === 0 ? '/' : `s${i - 1}` }]),
    )
    for (const [title, link] of Object.entries(links)) await put(domain, domain.root, title, link)
    expect((await find(domain, 's99', FOLLOW)).id).toBe(domain.root)
    await domain.refuse(404, 'GET', `/?h5path=s100&${FOLLOW}`)
  })
})

describe('include_errors: an answer for each path', () => {
  test('has objects and errors in the order of the paths, each error as the path alone is answered', async () => {
    const domain = await newDomain()
    const other = await neighbour()
    const here = await domain.group('g 10')
    await domain.dataset({ type: I32, link: { id: domain.root, name: 'dataset' } })
    await put(domain, domain.root, 'ext', { h5domain: other.name, h5path: '/inner' })
    await put(domain, domain.root, 'lost', { h5domain: newPath(), h5path: '/x' })
    await put(domain, domain.root, 'circle', { h5path: '/circle' })
    await put(domain, domain.root, 'deleted', { h5path: '/' })
    await domain.want(200, 'DELETE', `/groups/${domain.root}/links/deleted`)
    const good = { ext: other.inner, 'g 10': here, '/': domain.root }
    const bad = {
      lost: 404,
      none: 404,
      __proto__x: 404,
      circle: 404,
      deleted: 410,
      'dataset/x': 404,
      'a\0b': 400,
    }
    const paths = [...new Set(['lost', ...Object.keys(good), ...Object.keys(bad)])]
    const target = `/?${FOLLOW}&include_errors=1`
    const reply = await domain.send('POST', target, { h5paths: [...paths, paths[0]] })
    expect(reply.status, reply.story).toBe(200)
    const found = reply.json<{ h5paths: Record<string, Fields> }>().h5paths
    expect(Object.keys(found)).toEqual(paths)
    for (const [path, id] of Object.entries(good)) expect(found[path]).toMatchObject({ id })
    expect(found.ext.domain).toBe(other.domain.path)
    for (const [path, status] of Object.entries(bad)) {
      const alone = await domain.send('GET', `/?h5path=${encodeURIComponent(path)}&${FOLLOW}`)
      expect(alone.status, alone.story).toBe(status)
      expect(found[path]).toEqual(alone.json())
    }
    // Without it, the first one decides.
    await domain.refuse(404, 'POST', `/?${FOLLOW}`, { h5paths: paths })
    await domain.refuse(404, 'POST', `/?${FOLLOW}&include_errors=0`, { h5paths: paths })
  })

  test('does not hide what the whole request does wrong', async () => {
    const domain = await newDomain()
    const dataset = await domain.dataset({ type: I32 })
    const errors = 'include_errors=1'
    await domain.refuse(404, 'POST', `/?${errors}&parent_id=${dataset}`, { h5paths: ['x'] })
    await domain.refuse(400, 'POST', `/?${errors}`, { h5paths: [1] })
    await domain.refuse(413, 'POST', `/?${errors}`, { h5paths: Array(10_001).fill('/') })
    await domain.refuse(403, 'POST', `/?${errors}`, { h5paths: ['x'] }, { user: USER2 })
    expect(await findAll(domain, [], errors)).toEqual({})
  })

  test('tells nothing of what may not be read, and goes on to what may', async () => {
    const domain = await newDomain()
    const other = await neighbour()
    await put(domain, domain.root, 'ext', { h5domain: other.name, h5path: '/inner' })
    await domain.want(201, 'PUT', '/acls/default', { read: true })
    const reply = await domain.send(
      'POST',
      `/?${FOLLOW}&include_errors=1`,
      { h5paths: ['ext', '/'] },
      { user: USER2 },
    )
    expect(reply.status, reply.story).toBe(200)
    const { ext, ...rest } = reply.json<{ h5paths: Record<string, Fields> }>().h5paths
    expect(ext).toMatchObject({ status: 404, code: 'object-not-found' })
    expect(JSON.stringify(ext)).not.toContain(other.inner)
    expect(rest).toMatchObject({ '/': { id: domain.root } })
  })

  test('thousands of links that lead nowhere, in one request', async () => {
    const domain = await newDomain()
    const titles = Array.from({ length: 3000 }, (_, i) => `n${i}`)
    const links = Object.fromEntries(titles.map(title => [title, { h5domain: `${title}.h5`, h5path: '/d' }]))
    await domain.want(201, 'PUT', `/groups/${domain.root}/links`, { links })
    const found = await findAll(domain, titles, `${FOLLOW}&include_errors=1`)
    expect(Object.keys(found)).toEqual(titles)
    expect(new Set(Object.values(found as Record<string, Fields>).map(({ status }) => status))).toEqual(
      new Set([404]),
    )
  })
})

describe('permissions: read in every domain and on every object', () => {
  test('of the first domain: 403, anonymous callers too; a link into what may not be read is one to nothing', async () => {
    const other = await neighbour()
    const path = newPath()
    const own = await send('PUT', `/?domain=${path}`, undefined, { user: USER1 })
    const { root } = own.json<{ root: string }>()
    onTestFinished(() => removeDomain(path))
    const ask = (method: 'GET' | 'PUT' | 'POST', target: string, body?: unknown, user?: string) =>
      send(method, `${target}&domain=${path}`, body, { user })
    expect(
      (await ask('PUT', `/groups/${root}/links/ext?`, { h5domain: other.name, h5path: '/inner' }, USER1))
        .status,
    ).toBe(201)
    for (const user of [USER2, undefined]) {
      expectRefusal(await ask('GET', '/?h5path=/', undefined, user), 403)
      expectRefusal(await ask('POST', '/?', { h5paths: [] }, user), 403)
    }
    const readable = await ask('PUT', '/acls/default?', { read: true }, USER1)
    expect(readable.status, readable.story).toBe(201)
    for (const user of [USER2, undefined]) {
      expect((await ask('GET', '/?h5path=/', undefined, user)).status).toBe(200)
      expect((await ask('POST', '/?', { h5paths: ['/'] }, user)).status).toBe(200)
      const refused = await ask('GET', `/?h5path=ext&${FOLLOW}`, undefined, user)
      expectRefusal(refused, 404)
      expect(refused.text).not.toContain(other.inner)
      expectRefusal(await ask('POST', `/?${FOLLOW}`, { h5paths: ['/', 'ext'] }, user), 404)
    }
    for (const user of [USER1, ADMIN]) {
      expect((await ask('GET', `/?h5path=ext&${FOLLOW}`, undefined, user)).status).toBe(200)
    }
    await other.domain.want(201, 'PUT', '/acls/default', { read: true })
    expect((await ask('GET', `/?h5path=ext&${FOLLOW}`)).status).toBe(200)
  })

  test('of an object with a list of its own, on the way and at the end', async () => {
    const domain = await newDomain()
    const secret = await domain.group('secret')
    await domain.group('inner', secret)
    await put(domain, domain.root, 'soft', { h5path: 'secret' })
    await domain.want(201, 'PUT', '/acls/default', { read: true })
    const headers = { host: classicHost(domain.path) }
    const denied = { read: false, create: false }
    const list = await send('PUT', `/groups/${classicId(secret)}/acls/default`, denied, {
      user: USER1,
      headers,
    })
    expect([200, 201], list.story).toContain(list.status)
    const as2 = { user: USER2 }
    expect((await domain.send('GET', '/?h5path=/', undefined, as2)).status).toBe(200)
    for (const path of ['secret', 'secret/inner']) {
      await domain.refuse(403, 'GET', `/?h5path=${path}`, undefined, as2)
      await domain.refuse(403, 'POST', '/', { h5paths: ['/', path] }, as2)
      await domain.refuse(403, 'GET', `/groups/?h5path=/${path}`, undefined, as2)
      expect((await domain.send('GET', `/?h5path=${path}`)).status).toBe(200)
    }
    await domain.refuse(404, 'GET', `/?h5path=soft&${FOLLOW}`, undefined, as2)
    expect((await domain.send('GET', `/?h5path=soft&${FOLLOW}`)).status).toBe(200)
    await domain.refuse(403, 'POST', `/?parent_id=${secret}`, { h5paths: [] }, as2)

    // Nor is it, or what is behind it, among all objects of the domain.
    type All = { domain_objs: Fields }
    const all = await domain.want<All>(200, 'GET', '/?getobjs=1', undefined, as2)
    expect(Object.keys(all.domain_objs)).toEqual([domain.root])
    expect(Object.keys((await domain.want<All>(200, 'GET', '/?getobjs=1')).domain_objs)).toHaveLength(3)
    // A group that may be read tells what it links to, one that may not does not.
    expect((await domain.want(200, 'GET', '/groups', undefined, as2)).groups).toEqual([secret])
    expect((await domain.want(200, 'GET', '/groups')).groups).toHaveLength(2)
  })
})

function classicHost(path: string): string {
  const labels = path.slice(1).split('/').reverse()
  return [...labels.map(label => encodeURIComponent(label).replaceAll('.', '%2E')), BASE_DOMAIN].join('.')
}

describe('requests', () => {
  test('POST / takes JSON of any content type, and an empty list', async () => {
    const domain = await newDomain()
    const id = await domain.group('g')
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json', undefined]) {
      const headers = type === undefined ? {} : { 'content-type': type }
      const ask = (h5paths: readonly string[]) =>
        domain.want(200, 'POST', `/?parent_id=${domain.root}&include_attrs=true`, { h5paths }, { headers })
      expect(await ask([])).toEqual({ h5paths: {} })
      const body = await ask(['g'])
      expect(body).toEqual({ h5paths: { g: expect.objectContaining({ id, attributes: {} }) } })
      expect(body).not.toHaveProperty('h5paths.g.hrefs')
    }
  })

  test('keys are the paths as they were sent, in their order, whatever they look like', async () => {
    const domain = await newDomain()
    for (const title of ['10', '9', '__proto__', 'constructor']) await domain.group(title)
    const paths = ['__proto__', '10', '/10', 'constructor', '9', '10/']
    const { text } = await domain.send('POST', '/', { h5paths: paths })
    expect(Array.from(text.matchAll(/"([^"]+)":\{"class"/g), ([, key]) => key)).toEqual(paths)
  })

  test('query strings with empty parts, as some clients send them', async () => {
    const domain = await newDomain()
    const reply = await send(
      'POST',
      `/?&domain=${domain.path}&&include_attrs=1`,
      { h5paths: ['/'] },
      { user: USER1 },
    )
    expect(reply.status, reply.story).toBe(200)
    expect(reply.json()).toMatchObject({ h5paths: { '/': { attributes: {} } } })
  })

  test.each<[number, unknown]>([
    [400, undefined],
    [400, 'null'],
    [400, '{'],
    [400, []],
    [400, {}],
    [400, { h5paths: null }],
    [400, { h5paths: '/' }],
    [400, { h5paths: { a: 1 } }],
    [400, { h5paths: ['/', 1] }],
    [400, { h5paths: [null] }],
    [400, { h5paths: ['a\0b'] }],
    [413, { h5paths: Array(10_001).fill('/') }],
  ])('%i for a body that is no list of paths', async (status, body) => {
    await (await newDomain()).refuse(status, 'POST', '/', body)
  })

  test('as many paths as may be asked for', async () => {
    const domain = await newDomain()
    const paths = Array.from({ length: 10_000 }, (_, i) => `.${'/'.repeat(i % 100)}`)
    expect(Object.keys(await findAll(domain, paths))).toHaveLength(100)
  })

  test.each<[number, string]>([
    [400, 'parent_id=foobar'],
    [400, 'parent_id=g-1'],
    [404, 'parent_id=g-00000000-00000000-0000-000000-000000'],
    [404, 'parent_id=DATASET'],
    [410, 'parent_id=DELETED'],
    [400, 'parent_id=FOREIGN'],
  ])('%i for %s', async (status, query) => {
    const domain = await newDomain()
    const ids = {
      DATASET: await domain.dataset({ type: I32 }),
      DELETED: await domain.group(),
      FOREIGN: (await neighbour()).inner,
    }
    await domain.want(200, 'DELETE', `/groups/${ids.DELETED}`)
    const asked = query.replace(/[A-Z]+$/, name => ids[name as keyof typeof ids] ?? name)
    await domain.refuse(status, 'GET', `/?h5path=x&${asked}`)
    await domain.refuse(status, 'GET', `/?h5path=/&${asked}`)
    await domain.refuse(status, 'POST', `/?${asked}`, { h5paths: [] })
  })

  test('a folder is 400, no domain 404, no domain named 400', async () => {
    const as1 = { user: USER1 }
    expectRefusal(await send('GET', `/?domain=${HOME}&h5path=/`, undefined, as1), 400)
    expectRefusal(await send('POST', `/?domain=${HOME}`, { h5paths: [] }, as1), 400)
    expectRefusal(await send('GET', `/?domain=${newPath()}&h5path=/`, undefined, as1), 404)
    expectRefusal(await send('POST', `/?domain=${newPath()}`, { h5paths: [] }, as1), 404)
    const headers = { 'x-hdf-bucket': 'hyperslab' }
    expectRefusal(await send('GET', '/?h5path=/', undefined, { ...as1, headers }), 400)
    expectRefusal(await send('POST', '/', { h5paths: [] }, { ...as1, headers }), 400)
  })

  test('the domain in the header, as the REST VOL sends it', async () => {
    const domain = await newDomain()
    const id = await domain.group('g')
    const headers = { 'x-hdf-domain': domain.path, accept: 'application/json' }
    const target = `/?follow_soft_links=1&follow_external_links=1&parent_id=${domain.root}`
    const reply = await send('POST', target, { h5paths: ['g/'] }, { user: USER1, headers })
    expect(reply.status, reply.story).toBe(200)
    expect(reply.headers['content-length']).toBe(String(reply.bytes.length))
    expect(reply.json()).toMatchObject({ h5paths: { 'g/': { id, root: domain.root, domain: domain.path } } })
  })
})

describe('one level of a tree in two requests (clients 5.4)', () => {
  test('and one more for each symbolic link', async () => {
    const domain = await newDomain()
    const other = await neighbour()
    const parent = await domain.group('parent')
    for (let i = 0; i < 20; i++) await domain.group(`group ${i}`, parent)
    const attributes = { unit: { type: I32, value: 1 } }
    const value = [1, 2]
    await domain.dataset({ type: I32, shape: [2], attributes, value, link: { id: parent, name: 'data' } })
    await put(domain, parent, 'soft', { h5path: 'data' })
    await put(domain, parent, 'lost', { h5path: '/nowhere' })
    await put(domain, parent, 'ext', { h5domain: other.name, h5path: '/inner' })
    let requests = 0
    const ask = (method: 'GET' | 'POST', target: string, body?: unknown) => {
      requests++
      return domain.send(method, target, body, { headers: { 'content-type': 'text/plain' } })
    }
    type Link = { class: string }
    const follow = 'follow_external_links=true&follow_soft_links=true'
    const first = await ask('GET', `/?h5path=/parent&include_links=true&include_attrs=true&${follow}`)
    const level = first.json<{ id: string; class: string; links: Record<string, Link> }>()
    const hard = Object.keys(level.links).filter(title => level.links[title].class === 'H5L_TYPE_HARD')
    const second = await ask('POST', `/?parent_id=${level.id}&include_attrs=true`, { h5paths: hard })
    const children = second.json<{ h5paths: Record<string, Fields> }>().h5paths
    expect(Object.keys(children).sort()).toEqual(hard.sort())
    expect(hard).toHaveLength(21)
    expect(children.data).toMatchObject({
      class: 'dataset',
      shape: { dims: [2] },
      type: INTEGER,
      attributes: { unit: { type: INTEGER, shape: { class: 'H5S_SCALAR' } } },
    })
    expect(requests).toBe(2)
    const statuses: number[] = []
    for (const title of Object.keys(level.links).filter(name => !hard.includes(name))) {
      statuses.push((await ask('GET', `/?h5path=/parent/${title}&include_attrs=true&${follow}`)).status)
    }
    expect(statuses).toEqual([200, 404, 200])
  })
})
