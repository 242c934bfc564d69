// The specification line by line, part 2: links, hypermedia, the other paths and iteration (sections 2.2, 2.4,
// 4.2, 4.3, 4.4, 7) over HTTP. User-defined links come only from files: see imported.test.ts.

import { describe, expect, test } from 'vitest'
import type { Fields } from '../client.ts'
import { type Domain, hrefOf, hrefTable, newDomain, relsOf } from './domain.ts'

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

interface LinkReply extends Fields {
  readonly link: Fields
}

async function linked(domain: Domain, target: Fields): Promise<LinkReply> {
  await domain.want(201, 'PUT', `/groups/${domain.root}/links/l`, target)
  return await domain.want<LinkReply>(200, 'GET', `/groups/${domain.root}/links/l`)
}

describe('specification 2.2 and 4.2, GET /groups/<id>/links/<name>', () => {
  test('classic 6.6b: always: title, class, created, lastModified, hrefs; Content-Type and a quoted Etag', async () => {
    const domain = await newDomain()
    await domain.group('g')
    const reply = await domain.send('GET', `/groups/${domain.root}/links/g`)
    expect(reply.status).toBe(200)
    expect(reply.headers['content-type']).toBe('application/json')
    expect(reply.headers.etag).toMatch(/^"[^"]+"$/)
    const body = reply.json<LinkReply>()
    expect(Object.keys(body).sort()).toEqual(['created', 'hrefs', 'lastModified', 'link'])
    expect(body.created).toMatch(TIMESTAMP)
    expect(body.lastModified).toMatch(TIMESTAMP)
  })

  test.each([
    ['groups', async (domain: Domain) => await domain.group()],
    ['datasets', async (domain: Domain) => await domain.dataset({ type: 'H5T_STD_I8LE' })],
    ['datatypes', async (domain: Domain) => await domain.datatype({ type: 'H5T_STD_I8LE' })],
  ])(
    'classic 6.6a: rule 1: a hard link to one of %s has title, collection, class and id',
    async (collection, make) => {
      const domain = await newDomain()
      const id = await make(domain)
      const { link } = await linked(domain, { id })
      expect(link).toEqual({ title: 'l', class: 'H5L_TYPE_HARD', collection, id })
    },
  )

  test('classic 6.6a: rule 2: a soft link has title, class and h5path, and no collection or id', async () => {
    const domain = await newDomain()
    const { link } = await linked(domain, { h5path: '/no/such/object' })
    expect(link).toEqual({ title: 'l', class: 'H5L_TYPE_SOFT', h5path: '/no/such/object' })
  })

  test('classic 6.6a: rule 3: an external link has title, class, h5path and h5domain', async () => {
    const domain = await newDomain()
    const { link } = await linked(domain, { h5path: '/a', h5domain: 'other.test.hdfgroup.org' })
    expect(link).toEqual({
      title: 'l',
      class: 'H5L_TYPE_EXTERNAL',
      h5path: '/a',
      h5domain: 'other.test.hdfgroup.org',
    })
  })

  test('specification 2.4: hrefs are self, root, home, owner and target', async () => {
    const domain = await newDomain()
    const group = await domain.group('g')
    const body = await domain.want(200, 'GET', `/groups/${domain.root}/links/g`)
    const owner = `${domain.base}/groups/${domain.root}`
    expect(relsOf(body)).toEqual(['self', 'root', 'home', 'owner', 'target'])
    expect(hrefTable(body)).toEqual({
      self: `${owner}/links/g`,
      root: owner,
      home: `${domain.base}/`,
      owner,
      target: `${domain.base}/groups/${group}`,
    })
  })

  test('specification 2.4: target of a soft link is {base_url}/#h5path(<h5path>)', async () => {
    const domain = await newDomain()
    expect(hrefOf(await linked(domain, { h5path: 'somevalue' }), 'target')).toBe(
      `${domain.base}/#h5path(somevalue)`,
    )
  })

  test('specification 2.4: target of an external link is the external domain address and #h5path(<h5path>)', async () => {
    const domain = await newDomain()
    const body = await linked(domain, { h5path: 'somepath', h5domain: 'other.test.hdfgroup.org' })
    expect(hrefOf(body, 'target')).toBe('http://other.test.hdfgroup.org/#h5path(somepath)')
  })

  test('<name> is URL-encoded', async () => {
    const domain = await newDomain()
    await domain.group('größe, 数 & 50%')
    const name = encodeURIComponent('größe, 数 & 50%')
    const { link } = await domain.want<LinkReply>(200, 'GET', `/groups/${domain.root}/links/${name}`)
    expect(link.title).toBe('größe, 数 & 50%')
  })
})

describe('specification 4.3, other paths', () => {
  test('GET /datasets/<id> is a JSON representation with hrefs', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: 'H5T_STD_I32LE', shape: [2] })
    const body = await domain.want(200, 'GET', `/datasets/${id}`)
    expect(body).toMatchObject({ id, attributeCount: 0, shape: { class: 'H5S_SIMPLE', dims: [2] } })
    expect(relsOf(body).sort()).toEqual(['attributes', 'data', 'home', 'root', 'self'])
  })

  test('POST /datasets/<id>/value reads', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: 'H5T_STD_I32LE', shape: [4] })
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { value: [3, 5, 7, 9] })
    expect((await domain.want(200, 'POST', `/datasets/${id}/value`, { points: [2, 0] })).value).toEqual([
      7, 3,
    ])
  })

  test('PUT /datasets/<id>/shape changes the shape; success is 200 (classic 7.6)', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: 'H5T_STD_I32LE', shape: [4], maxdims: [10] })
    await domain.want(200, 'PUT', `/datasets/${id}/shape`, { shape: [7] })
    expect((await domain.want(200, 'GET', `/datasets/${id}/shape`)).shape).toEqual({
      class: 'H5S_SIMPLE',
      dims: [7],
      maxdims: [10],
    })
  })

  test('PUT /datasets/<id>/attributes/<name>: success is 201', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: 'H5T_STD_I32LE' })
    await domain.want(201, 'PUT', `/datasets/${id}/attributes/a`, { type: 'H5T_STD_I8LE', value: 7 })
    expect((await domain.want(200, 'GET', `/datasets/${id}/attributes/a`)).value).toBe(7)
    expect((await domain.want(200, 'GET', `/datasets/${id}`)).attributeCount).toBe(1)
  })

  test('DELETE /datasets/<id> deletes the dataset', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: 'H5T_STD_I32LE' })
    await domain.want(200, 'DELETE', `/datasets/${id}`)
    await domain.refuse(410, 'GET', `/datasets/${id}`)
  })

  test('classic 10a: GET and PUT /groups/<root_id>/acls and /acls are the list of the root group', async () => {
    const domain = await newDomain()
    await domain.want(200, 'PUT', '/acls', { acls: [{ userName: 'test_user1', read: true }] })
    await domain.want(200, 'PUT', `/groups/${domain.root}/acls`, {
      acls: [{ userName: 'test_user2', update: true }],
    })
    const none = {
      create: false,
      read: false,
      update: false,
      delete: false,
      readACL: false,
      updateACL: false,
    }
    const acls = [
      { ...none, userName: 'test_user1', read: true },
      { ...none, userName: 'test_user2', update: true },
    ]
    expect((await domain.want(200, 'GET', '/acls')).acls).toEqual(acls)
    expect((await domain.want(200, 'GET', `/groups/${domain.root}/acls`)).acls).toEqual(acls)
  })

  test('GET / is the domain resource', async () => {
    const domain = await newDomain()
    const body = await domain.want(200, 'GET', '/')
    expect(body.root).toBe(domain.root)
    expect(hrefTable(body)).toEqual({
      self: `${domain.base}/`,
      database: `${domain.base}/datasets`,
      groupbase: `${domain.base}/groups`,
      typebase: `${domain.base}/datatypes`,
      root: `${domain.base}/groups/${domain.root}`,
    })
  })
})

/** The five listings of rule 4, each with five items, and how an item is named by Marker. */
const LISTINGS: [string, (domain: Domain, index: number) => Promise<unknown>, string, string, string][] = [
  [
    'attributes of a group',
    (domain, i) =>
      domain.want(201, 'PUT', `/groups/${domain.root}/attributes/n${i}`, { type: 'H5T_STD_I8LE', value: i }),
    '/groups/ROOT/attributes',
    'attributes',
    'name',
  ],
  ['links of a group', (domain, i) => domain.group(`n${i}`), '/groups/ROOT/links', 'links', 'title'],
  ['groups', domain => domain.group(), '/groups', 'groups', ''],
  ['datasets', domain => domain.dataset({ type: 'H5T_STD_I8LE' }), '/datasets', 'datasets', ''],
  ['datatypes', domain => domain.datatype({ type: 'H5T_STD_I8LE' }), '/datatypes', 'datatypes', ''],
]

describe('specification 4.4, iteration', () => {
  describe.each(LISTINGS)('%s', (_title, make, path, member, key) => {
    async function filled() {
      const domain = await newDomain()
      for (const i of [3, 1, 5, 2, 4]) await make(domain, i)
      const list = async (query: string) => {
        const items = (await domain.want(200, 'GET', path.replace('ROOT', domain.root) + query))[member]
        return (items as (string | Fields)[]).map(item => (typeof item === 'string' ? item : `${item[key]}`))
      }
      return { domain, list, all: await list('') }
    }

    test('rule 1: Limit=N gives the first N items in order of name', async () => {
      const { list, all } = await filled()
      expect(all).toEqual([...all].sort())
      expect(all).toHaveLength(5)
      expect(await list('?Limit=2')).toEqual(all.slice(0, 2))
      expect(await list('?Limit=5')).toEqual(all)
      expect(await list('?Limit=500')).toEqual(all)
    })

    test('classic 3.8b: rule 2: Limit=N&Marker=<name> gives the next N items after <name>', async () => {
      const { list, all } = await filled()
      expect(await list(`?Limit=2&Marker=${all[1]}`)).toEqual(all.slice(2, 4))
      expect(await list(`?Marker=${all[1]}`)).toEqual(all.slice(2))
    })

    test('classic 3.8c: rule 3: a response with fewer than Limit items means the iteration is complete', async () => {
      const { list, all } = await filled()
      const seen: string[] = []
      for (let marker = '', page = ['-']; page.length > 0; marker = `&Marker=${seen.at(-1)}`) {
        page = await list(`?Limit=2${marker}`)
        seen.push(...page)
      }
      expect(seen).toEqual(all)
      expect(await list(`?Limit=2&Marker=${all[4]}`)).toEqual([])
    })

    test('classic 3.8: a listing goes on after a Marker that was deleted meanwhile', async () => {
      const { domain, list, all } = await filled()
      for (const marker of [all[1], all[4]]) {
        await domain.want(200, 'DELETE', `${path.replace('ROOT', domain.root)}/${marker}`)
      }
      expect(await list(`?Limit=1&Marker=${all[1]}`)).toEqual([all[2]])
      expect(await list(`?Marker=${all[1]}`)).toEqual(all.slice(2, 4))
      expect(await list(`?Marker=${all[4]}`)).toEqual([])
      expect(await list(`?Marker=${key ? 'n11' : '0c1d4a5e-aaaa-11e4-8000-0242ac110002'}`)).toEqual([])
    })
  })

  test('Marker is a URL-encoded name', async () => {
    const domain = await newDomain()
    for (const name of ['a b', 'a&b', 'ü', '数']) await domain.group(name)
    const titlesAfter = async (name: string) => {
      const path = `/groups/${domain.root}/links?Marker=${encodeURIComponent(name)}`
      const { links } = await domain.want<{ links: { title: string }[] }>(200, 'GET', path)
      return links.map(link => link.title)
    }
    expect(await titlesAfter('a b')).toEqual(['a&b', 'ü', '数'])
    expect(await titlesAfter('a&b')).toEqual(['ü', '数'])
    expect(await titlesAfter('ü')).toEqual(['数'])
  })
})
