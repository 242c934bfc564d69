// Groups in the classic dialect, and what deletion leaves (classic 3.7, 3.8, 3.10, 6.1 to 6.4).

import { describe, expect, test } from 'vitest'
import { hrefTable, newDomain, relsOf } from './domain.ts'

const UNKNOWN_ID = '0c1d4a5e-aaaa-11e4-8000-0242ac110002'
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

describe('classic 6.1: GET /groups', () => {
  test('classic 6.1a: lists every group but the root group, linked and anonymous, each once', async () => {
    const domain = await newDomain()
    const linked = await domain.group('g')
    const anonymous = await domain.group()
    await domain.want(201, 'PUT', `/groups/${domain.root}/links/again`, { id: linked })
    const body = await domain.want(200, 'GET', '/groups')
    expect(body.groups).toEqual([linked, anonymous].sort())
    expect(hrefTable(body)).toEqual({
      self: `${domain.base}/groups`,
      root: `${domain.base}/groups/${domain.root}`,
      home: `${domain.base}/`,
    })
  })

  test('empty domain: empty list', async () => {
    const domain = await newDomain()
    expect((await domain.want(200, 'GET', '/groups')).groups).toEqual([])
  })
})

describe('classic 6.2: POST /groups', () => {
  test.each([
    ['no body', undefined],
    ['an empty body', ''],
    ['{}', {}],
    ['unknown keys', { a: 1 }],
  ])('classic 6.2b: %s makes an anonymous group', async (_title, body) => {
    const domain = await newDomain()
    const made = await domain.want<{ id: string }>(201, 'POST', '/groups', body, { undeclared: true })
    expect(made).toMatchObject({ attributeCount: 0, linkCount: 0 })
    expect(made.id).toMatch(UUID)
    await domain.want(200, 'GET', `/groups/${made.id}`)
    expect((await domain.want(200, 'GET', '/groups')).groups).toEqual([made.id])
    expect((await domain.want(200, 'GET', `/groups/${domain.root}/links`)).links).toEqual([])
  })

  test('a body null is 400', async () => {
    const domain = await newDomain()
    await domain.refuse(400, 'POST', '/groups', 'null')
    expect((await domain.want(200, 'GET', '/groups')).groups).toEqual([])
  })

  test('classic 6.2a: fields and hrefs of the answer', async () => {
    const domain = await newDomain()
    const body = await domain.want(201, 'POST', '/groups')
    expect(Object.keys(body).sort()).toEqual([
      'attributeCount',
      'created',
      'hrefs',
      'id',
      'lastModified',
      'linkCount',
    ])
    const self = `${domain.base}/groups/${body.id}`
    expect(relsOf(body)).toEqual(['self', 'links', 'root', 'home', 'attributes'])
    expect(hrefTable(body)).toEqual({
      self,
      links: `${self}/links`,
      root: `${domain.base}/groups/${domain.root}`,
      home: `${domain.base}/`,
      attributes: `${self}/attributes`,
    })
  })

  test.each([
    ['link without name', (root: string) => ({ id: root }), 400],
    ['link without id', () => ({ name: 'g' }), 400],
    ['link that is no object', () => 'x', 400],
    ['link group unknown', () => ({ id: UNKNOWN_ID, name: 'g' }), 404],
    ['empty name', (root: string) => ({ id: root, name: '' }), 400],
    ['name with a slash', (root: string) => ({ id: root, name: 'a/b' }), 400],
    ['name that is no text', (root: string) => ({ id: root, name: 5 }), 400],
    ['classic 6.2c: name that exists', (root: string) => ({ id: root, name: 'taken' }), 409],
  ])('%s: refused and nothing is created', async (_title, link, status) => {
    const domain = await newDomain()
    await domain.want(201, 'PUT', `/groups/${domain.root}/links/taken`, { h5path: '/x' })
    await domain.refuse(status, 'POST', '/groups', { link: link(domain.root) })
    expect((await domain.want(200, 'GET', '/groups')).groups).toEqual([])
    expect((await domain.want(200, 'GET', `/groups/${domain.root}`)).linkCount).toBe(1)
  })

  test('malformed JSON is 400', async () => {
    const domain = await newDomain()
    await domain.refuse(400, 'POST', '/groups', '{"link": ')
    await domain.refuse(400, 'POST', '/groups', '[1]')
    await domain.refuse(400, 'POST', '/groups', '"text"')
  })
})

describe('classic 6.3: GET /groups/<id>', () => {
  test('classic 6.3b: id, times, counts and hrefs; no links, no alias', async () => {
    const domain = await newDomain()
    const id = await domain.group('g')
    await domain.group('inner', id)
    await domain.want(201, 'PUT', `/groups/${id}/attributes/a`, { type: 'H5T_STD_I8LE', value: 1 })
    const body = await domain.want(200, 'GET', `/groups/${id}`)
    expect(Object.keys(body).sort()).toEqual([
      'attributeCount',
      'created',
      'hrefs',
      'id',
      'lastModified',
      'linkCount',
    ])
    expect(body).toMatchObject({ id, attributeCount: 1, linkCount: 1 })
    expect(relsOf(body)).toEqual(['self', 'links', 'root', 'home', 'attributes'])
  })

  test.each(['1', 'True', '0'])(
    'classic 6.3a: include_links=%s adds the elements of GET links',
    async flag => {
      const domain = await newDomain()
      await domain.group('b')
      await domain.group('a')
      const { links } = await domain.want(200, 'GET', `/groups/${domain.root}?include_links=${flag}`)
      expect(links).toEqual((await domain.want(200, 'GET', `/groups/${domain.root}/links`)).links)
    },
  )

  test('classic 6.3c: links is absent without include_links, with an empty one, and without links', async () => {
    const domain = await newDomain()
    const empty = await domain.group('a')
    for (const path of [
      `/groups/${domain.root}`,
      `/groups/${domain.root}?include_links=`,
      `/groups/${empty}?include_links=1`,
    ]) {
      expect(await domain.want(200, 'GET', path)).not.toHaveProperty('links')
    }
  })
})

describe('classic 6.4: DELETE /groups/<id>', () => {
  test('classic 6.4a: hrefs are self /groups, root and home', async () => {
    const domain = await newDomain()
    const body = await domain.want(200, 'DELETE', `/groups/${await domain.group('g')}`)
    expect(hrefTable(body)).toEqual({
      self: `${domain.base}/groups`,
      root: `${domain.base}/groups/${domain.root}`,
      home: `${domain.base}/`,
    })
  })

  test('classic 6.4b, 6.4c: every hard link to it goes, soft and external links stay, its children become anonymous', async () => {
    const domain = await newDomain()
    const victim = await domain.group('victim')
    const other = await domain.group('other')
    const child = await domain.group('child', victim)
    const dataset = await domain.dataset({ type: 'H5T_STD_I8LE', link: { id: victim, name: 'd' } })
    await domain.want(201, 'PUT', `/groups/${other}/links/hard`, { id: victim })
    await domain.want(201, 'PUT', `/groups/${victim}/links/self`, { id: victim })
    await domain.want(201, 'PUT', `/groups/${other}/links/soft`, { h5path: '/victim' })
    await domain.want(200, 'DELETE', `/groups/${victim}`)
    const titles = async (group: string) => {
      const { links } = await domain.want<{ links: { title: string }[] }>(
        200,
        'GET',
        `/groups/${group}/links`,
      )
      return links.map(link => link.title)
    }
    expect(await titles(domain.root)).toEqual(['other'])
    expect(await titles(other)).toEqual(['soft'])
    expect((await domain.want(200, 'GET', `/groups/${domain.root}`)).linkCount).toBe(1)
    await domain.want(200, 'GET', `/groups/${child}`)
    await domain.want(200, 'GET', `/datasets/${dataset}`)
    expect((await domain.want(200, 'GET', '/groups')).groups).toEqual([other, child].sort())
  })

  test('classic 6.4d, 6.4e: the root group is 403, unknown and already deleted ones are 404', async () => {
    const domain = await newDomain()
    const id = await domain.group('g')
    await domain.refuse(403, 'DELETE', `/groups/${domain.root}`)
    await domain.refuse(404, 'DELETE', `/groups/${UNKNOWN_ID}`)
    await domain.want(200, 'DELETE', `/groups/${id}`)
    await domain.refuse(404, 'DELETE', `/groups/${id}`)
    await domain.want(200, 'GET', `/groups/${domain.root}`)
  })
})

describe('classic 3.7: ids', () => {
  test('classic 3.7a: 36 characters, unique across the collections', async () => {
    const domain = await newDomain()
    const ids = [domain.root]
    for (let i = 0; i < 5; i++) {
      ids.push(await domain.group(), await domain.dataset({ type: 'H5T_STD_I8LE' }))
      ids.push(await domain.datatype({ type: 'H5T_STD_I8LE' }))
    }
    for (const id of ids) expect(id).toMatch(UUID)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('classic 3.10d: an id of another collection, of another domain, unknown or malformed is 404', async () => {
    const domain = await newDomain()
    const other = await newDomain()
    const elsewhere = await other.group()
    const group = await domain.group()
    const dataset = await domain.dataset({ type: 'H5T_STD_I8LE' })
    const datatype = await domain.datatype({ type: 'H5T_STD_I8LE' })
    for (const path of [
      `/groups/${dataset}`,
      `/groups/${datatype}`,
      `/datasets/${group}`,
      `/datatypes/${dataset}`,
      `/groups/${elsewhere}`,
      `/groups/${other.root}`,
      `/groups/${UNKNOWN_ID}`,
      '/groups/nonsense',
      '/datasets/1',
      `/groups/${group}0`,
      `/groups/${dataset}/links`,
      `/groups/${dataset}/attributes`,
      `/datasets/${group}/value`,
    ]) {
      await domain.refuse(404, 'GET', path)
    }
    await domain.refuse(404, 'DELETE', `/groups/${elsewhere}`)
    await domain.refuse(404, 'DELETE', '/datasets/nonsense')
  })
})

describe('classic 3.8: Limit and Marker', () => {
  const paths = ['/groups', '/datasets', '/datatypes', '/groups/ROOT/links', '/groups/ROOT/attributes']

  test.each(paths)(
    'classic 3.8a, 6.5f: %s: Limit that is not an integer is 400, 0 and negative mean no limit',
    async path => {
      const domain = await newDomain()
      const at = (query: string) => path.replace('ROOT', domain.root) + query
      await domain.group('a')
      await domain.group('b')
      for (const limit of ['abc', '1.5', '1e1', '0x2', ' ', '1a']) {
        await domain.refuse(400, 'GET', at(`?Limit=${encodeURIComponent(limit)}`))
      }
      const all = await domain.want(200, 'GET', at(''))
      for (const limit of ['0', '-1', '-100', '9007199254740993', '99999999999999999999999']) {
        const { hrefs: _, ...page } = await domain.want(200, 'GET', at(`?Limit=${limit}`))
        expect(page).toEqual(Object.fromEntries(Object.entries(all).filter(([key]) => key !== 'hrefs')))
      }
    },
  )

  test('Marker that is not in the listing: empty list', async () => {
    const domain = await newDomain()
    await domain.group('a')
    await domain.group('c')
    expect((await domain.want(200, 'GET', `/groups/${domain.root}/links?Marker=b`)).links).toEqual([])
    expect((await domain.want(200, 'GET', `/groups?Marker=${UNKNOWN_ID}`)).groups).toEqual([])
    expect((await domain.want(200, 'GET', '/groups?Marker=no-id')).groups).toEqual([])
  })

  test('names are case-sensitive and ordered by byte value', async () => {
    const domain = await newDomain()
    const titles = ['10', '9', 'B', 'Z', '_', 'a', 'b', '~', 'ü', '\uFF5E', '\u{1F600}']
    for (const title of [...titles].reverse()) await domain.group(title)
    const { links } = await domain.want<{ links: { title: string }[] }>(
      200,
      'GET',
      `/groups/${domain.root}/links`,
    )
    expect(links.map(link => link.title)).toEqual(titles)
  })

  test('parameter names are case-sensitive', async () => {
    const domain = await newDomain()
    await domain.group('a')
    await domain.group('b')
    const page = await domain.want(200, 'GET', '/groups?limit=1&marker=x', undefined, { undeclared: true })
    expect(page.groups).toHaveLength(2)
  })

  test('classic 3.8d: 1000 links in 20 pages of 50, none missing or repeated', async () => {
    const domain = await newDomain()
    const names = Array.from({ length: 1000 }, (_, i) => `g${String(i).padStart(4, '0')}`)
    const waiting = [...names]
    const worker = async () => {
      for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
        await domain.want(201, 'PUT', `/groups/${domain.root}/links/${name}`, { h5path: '/x' })
      }
    }
    await Promise.all(Array.from({ length: 16 }, worker))
    const seen: string[] = []
    for (let page = 0; page < 20; page++) {
      const marker = page === 0 ? '' : `&Marker=${seen.at(-1)}`
      const { links } = await domain.want<{ links: { title: string }[] }>(
        200,
        'GET',
        `/groups/${domain.root}/links?Limit=50${marker}`,
      )
      expect(links).toHaveLength(50)
      seen.push(...links.map(link => link.title))
    }
    expect(seen).toEqual(names)
  })
})

describe('classic 3.10: gone', () => {
  test('classic 3.10a, 6.3d, 7.3b, 7.4c, 8.3b: what was deleted through the API is 410 to GET and 404 to DELETE and PUT, what never was is 404', async () => {
    const domain = await newDomain()
    const group = await domain.group('g')
    const dataset = await domain.dataset({ type: 'H5T_STD_I8LE', shape: [2], maxdims: [0] })
    const datatype = await domain.datatype({ type: 'H5T_STD_I8LE' })
    for (const object of [`/groups/${group}`, `/datasets/${dataset}`, `/datatypes/${datatype}`]) {
      await domain.want(200, 'DELETE', object)
      await domain.refuse(410, 'GET', object)
      await domain.refuse(404, 'DELETE', object)
      await domain.refuse(404, 'PUT', `${object}/attributes/a`, { type: 'H5T_STD_I8LE', value: 1 })
    }
    await domain.refuse(404, 'PUT', `/groups/${group}/links/l`, { h5path: '/x' })
    await domain.refuse(404, 'PUT', `/groups/${domain.root}/links/l`, { id: group })
    await domain.refuse(404, 'POST', '/groups', { link: { id: group, name: 'l' } })
    await domain.refuse(404, 'POST', '/datasets', { type: datatype, shape: [1] })
    await domain.refuse(404, 'POST', '/datatypes', { type: 'H5T_STD_I8LE', link: { id: group, name: 'l' } })
    await domain.refuse(404, 'PUT', `/groups/${domain.root}/attributes/a`, { type: datatype, value: 1 })
    for (const part of ['value', 'shape', 'type'])
      await domain.refuse(410, 'GET', `/datasets/${dataset}/${part}`)
    await domain.refuse(410, 'PUT', `/datasets/${dataset}/value`, { value: [1, 2] })
    await domain.refuse(410, 'POST', `/datasets/${dataset}/value`, { points: [0] })
    await domain.refuse(410, 'PUT', `/datasets/${dataset}/shape`, { shape: [3] })
  })

  test('classic 3.10b, 6.6e, 6.8c: a link is 410 when it was deleted, or its target was, and 200 again when it is made again', async () => {
    const domain = await newDomain()
    const links = `/groups/${domain.root}/links`
    await domain.want(201, 'PUT', `${links}/l`, { h5path: '/x' })
    await domain.want(200, 'DELETE', `${links}/l`)
    await domain.refuse(410, 'GET', `${links}/l`)
    await domain.refuse(404, 'DELETE', `${links}/l`)
    await domain.want(201, 'PUT', `${links}/l`, { h5path: '/y' })
    await domain.want(200, 'GET', `${links}/l`)
    await domain.want(200, 'DELETE', `/groups/${await domain.group('target')}`)
    await domain.refuse(410, 'GET', `${links}/target`)
    await domain.refuse(404, 'GET', `${links}/nosuch`)
  })

  test('an attribute is 410 when it was deleted, and 200 again when it is made again', async () => {
    const domain = await newDomain()
    const path = `/groups/${domain.root}/attributes/a`
    await domain.want(201, 'PUT', path, { type: 'H5T_STD_I8LE', value: 1 })
    await domain.want(200, 'DELETE', path)
    await domain.refuse(410, 'GET', path)
    await domain.refuse(404, 'DELETE', path)
    await domain.want(201, 'PUT', path, { type: 'H5T_STD_I8LE', value: 2 })
    expect((await domain.want(200, 'GET', path)).value).toBe(2)
  })
})
