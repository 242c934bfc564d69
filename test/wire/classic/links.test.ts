// Links in the classic dialect (classic 6.5 to 6.8, 11.3 and 11.4).

import { describe, expect, test } from 'vitest'
import { BASE_DOMAIN, type Fields, send, uniqueName } from '../client.ts'
import { type Domain, hrefOf, hrefTable, newDomain, relsOf } from './domain.ts'

const UNKNOWN_ID = '0c1d4a5e-aaaa-11e4-8000-0242ac110002'

async function linksOf(domain: Domain, group = domain.root): Promise<readonly Fields[]> {
  return (await domain.want<{ links: Fields[] }>(200, 'GET', `/groups/${group}/links`)).links
}

describe('classic 6.5: GET /groups/<id>/links', () => {
  test('classic 6.5a, 6.5b, 6.5c, 6.5d, 6.5e, 6.5h: elements of each class have exactly their fields', async () => {
    const domain = await newDomain()
    const group = await domain.group('c hard')
    const path = `${domain.base}/groups/${domain.root}/links`
    await domain.want(201, 'PUT', `/groups/${domain.root}/links/b`, { h5path: '/a' })
    await domain.want(201, 'PUT', `/groups/${domain.root}/links/a`, {
      h5path: 'p',
      h5domain: `other.test.${BASE_DOMAIN}`,
    })
    expect(await linksOf(domain)).toEqual([
      {
        title: 'a',
        class: 'H5L_TYPE_EXTERNAL',
        h5path: 'p',
        h5domain: `other.test.${BASE_DOMAIN}`,
        href: `${path}/a`,
        target: `http://other.test.${BASE_DOMAIN}/#h5path(p)`,
      },
      { title: 'b', class: 'H5L_TYPE_SOFT', h5path: '/a', href: `${path}/b` },
      {
        title: 'c hard',
        class: 'H5L_TYPE_HARD',
        collection: 'groups',
        id: group,
        href: `${path}/c+hard`,
        target: `${domain.base}/groups/${group}`,
      },
    ])
  })

  test('hrefs are self, root, home and owner', async () => {
    const domain = await newDomain()
    const group = await domain.group('g')
    const body = await domain.want(200, 'GET', `/groups/${group}/links`)
    expect(body.links).toEqual([])
    expect(relsOf(body)).toEqual(['self', 'root', 'home', 'owner'])
    expect(hrefTable(body)).toEqual({
      self: `${domain.base}/groups/${group}/links`,
      root: `${domain.base}/groups/${domain.root}`,
      home: `${domain.base}/`,
      owner: `${domain.base}/groups/${group}`,
    })
  })

  test('an unknown group is 404', async () => {
    const domain = await newDomain()
    await domain.refuse(404, 'GET', `/groups/${UNKNOWN_ID}/links`)
  })
})

describe('classic 6.6: GET /groups/<id>/links/<name>', () => {
  test('classic 6.6d: group or link unknown is 404', async () => {
    const domain = await newDomain()
    await domain.refuse(404, 'GET', `/groups/${UNKNOWN_ID}/links/x`)
    await domain.refuse(404, 'GET', `/groups/${domain.root}/links/x`)
  })

  test('an external link to the root of a domain has just the address as target', async () => {
    const domain = await newDomain()
    const path = `/groups/${domain.root}/links/l`
    await domain.want(201, 'PUT', path, { h5path: '/', h5domain: `o.test.${BASE_DOMAIN}` })
    expect(hrefOf(await domain.want(200, 'GET', path), 'target')).toBe(`http://o.test.${BASE_DOMAIN}/`)
  })

  test('with ?host= the external address is B/?host=<h5domain>', async () => {
    const domain = await newDomain()
    const path = `/groups/${domain.root}/links/l`
    await domain.want(201, 'PUT', path, { h5path: 'p', h5domain: `o.test.${BASE_DOMAIN}` })
    const headers = { host: '127.0.0.1' }
    const body = (await send('GET', `${path}?host=${domain.host}`, undefined, { headers })).json()
    expect(hrefOf(body, 'target')).toBe(`http://127.0.0.1/?host=o.test.${BASE_DOMAIN}#h5path(p)`)
  })
})

describe('classic 6.7: PUT /groups/<id>/links/<name>', () => {
  test('classic 6.7a: 201 with hrefs self, root, home and owner', async () => {
    const domain = await newDomain()
    const body = await domain.want(201, 'PUT', `/groups/${domain.root}/links/l`, { h5path: '/a' })
    const owner = `${domain.base}/groups/${domain.root}`
    expect(Object.keys(body)).toEqual(['hrefs'])
    expect(hrefTable(body)).toEqual({
      self: `${owner}/links/l`,
      root: owner,
      home: `${domain.base}/`,
      owner,
    })
  })

  test('id wins over h5path: the other keys are ignored', async () => {
    const domain = await newDomain()
    const id = await domain.group()
    await domain.want(201, 'PUT', `/groups/${domain.root}/links/l`, { h5path: '/a', id, h5domain: 'x' })
    expect((await linksOf(domain))[0]).toMatchObject({ class: 'H5L_TYPE_HARD', id })
  })

  test('an object may have many hard links; cycles and links to the root group are allowed', async () => {
    const domain = await newDomain()
    const group = await domain.group('a')
    await domain.want(201, 'PUT', `/groups/${domain.root}/links/b`, { id: group })
    await domain.want(201, 'PUT', `/groups/${group}/links/self`, { id: group })
    await domain.want(201, 'PUT', `/groups/${group}/links/up`, { id: domain.root })
    expect((await domain.want(200, 'GET', `/groups/${group}`)).linkCount).toBe(2)
    expect((await domain.want(200, 'GET', '/groups')).groups).toEqual([group])
  })

  test('h5path is stored as it is and need not resolve', async () => {
    const domain = await newDomain()
    for (const [i, h5path] of ['/a//b/', '../x', ' ', '数/"\\', '/'].entries()) {
      await domain.want(201, 'PUT', `/groups/${domain.root}/links/l${i}`, { h5path })
      expect((await linksOf(domain))[i]).toMatchObject({ class: 'H5L_TYPE_SOFT', h5path })
    }
  })

  test.each<[string, unknown, number]>([
    ['classic 6.7f: h5domain without h5path', { h5domain: 'a.test.hdfgroup.org' }, 400],
    ['no key', {}, 400],
    ['empty h5path', { h5path: '' }, 400],
    ['h5path that is no text', { h5path: 5 }, 400],
    ['h5domain that is no text', { h5path: '/a', h5domain: 5 }, 400],
    ['null id', { id: null }, 400],
    ['empty id', { id: '' }, 400],
    ['id that is no text', { id: 5 }, 400],
    ['classic 6.7e: unknown id', { id: UNKNOWN_ID }, 404],
    ['no body', undefined, 400],
    ['malformed JSON', '{"id"', 400],
    ['a list', [], 400],
    ['null', 'null', 400],
  ])('%s is refused and nothing is linked', async (_title, body, status) => {
    const domain = await newDomain()
    await domain.refuse(status, 'PUT', `/groups/${domain.root}/links/l`, body)
    expect(await linksOf(domain)).toEqual([])
  })

  test('classic 6.7c: a name that exists is 409, whatever the class and target', async () => {
    const domain = await newDomain()
    const id = await domain.group()
    const other = await domain.group()
    const bodies = [{ id }, { h5path: '/a' }, { h5path: '/a', h5domain: 'b' }]
    for (const [i, first] of bodies.entries()) {
      await domain.want(201, 'PUT', `/groups/${domain.root}/links/l${i}`, first)
      const before = await linksOf(domain)
      for (const second of [...bodies, { id: other }]) {
        await domain.refuse(409, 'PUT', `/groups/${domain.root}/links/l${i}`, second)
      }
      expect(await linksOf(domain)).toEqual(before)
    }
  })

  test('an id of another domain is 404', async () => {
    const domain = await newDomain()
    const elsewhere = await (await newDomain()).group()
    await domain.refuse(404, 'PUT', `/groups/${domain.root}/links/l`, { id: elsewhere })
  })

  test('classic 6.7d: an unknown group is 404', async () => {
    const domain = await newDomain()
    await domain.refuse(404, 'PUT', `/groups/${UNKNOWN_ID}/links/l`, { id: domain.root })
  })

  test('two requests for one name at the same time: one 201, the others 409', async () => {
    const domain = await newDomain()
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        domain.send('PUT', `/groups/${domain.root}/links/l`, { h5path: `/${i}` }),
      ),
    )
    expect(replies.map(reply => reply.status).sort()).toEqual([201, ...Array(7).fill(409)])
    const winner = replies.findIndex(reply => reply.status === 201)
    expect((await linksOf(domain))[0]).toMatchObject({ h5path: `/${winner}` })
    expect((await domain.want(200, 'GET', `/groups/${domain.root}`)).linkCount).toBe(1)
  })
})

describe('classic 6.8: DELETE /groups/<id>/links/<name>', () => {
  test('classic 6.8a, 6.8b: 200 with hrefs root, home and owner; the target stays, even without a link', async () => {
    const domain = await newDomain()
    const id = await domain.group('g')
    const body = await domain.want(200, 'DELETE', `/groups/${domain.root}/links/g`)
    expect(relsOf(body)).toEqual(['root', 'home', 'owner'])
    await domain.want(200, 'GET', `/groups/${id}`)
    expect((await domain.want(200, 'GET', '/groups')).groups).toEqual([id])
    expect((await domain.want(200, 'GET', `/groups/${domain.root}`)).linkCount).toBe(0)
  })

  test('link or group unknown is 404', async () => {
    const domain = await newDomain()
    await domain.refuse(404, 'DELETE', `/groups/${domain.root}/links/x`)
    await domain.refuse(404, 'DELETE', `/groups/${UNKNOWN_ID}/links/x`)
  })
})

describe('classic 11.3: h5domain of external links, read from x.test.<base domain>', () => {
  test.each([
    ['tall.h5', `tall.test.${BASE_DOMAIN}`],
    ['tall', `tall.test.${BASE_DOMAIN}`],
    [`tall.test.${BASE_DOMAIN}`, `tall.test.${BASE_DOMAIN}`],
    ['a.example.com', 'a.example.com'],
    ['tall.subdir', `tall.subdir.test.${BASE_DOMAIN}`],
    ['subdir/tall.h5', `tall.subdir.test.${BASE_DOMAIN}`],
    ['a/b/tall.h5', `tall.b.a.test.${BASE_DOMAIN}`],
    ['somefile', `somefile.test.${BASE_DOMAIN}`],
    ['two words', `two+words.test.${BASE_DOMAIN}`],
    ['größe', `gr%C3%B6%C3%9Fe.test.${BASE_DOMAIN}`],
    ['a%2Eb', `a%2Eb.test.${BASE_DOMAIN}`],
    ['/lab/a.b.h5', `a%2Eb.lab.${BASE_DOMAIN}`],
  ])('classic 6.7b, 11.3a, 11.3b: %s is read as %s', async (stored, read) => {
    const domain = await newDomain()
    const path = `/groups/${domain.root}/links/l`
    await domain.want(201, 'PUT', path, { h5path: 'p', h5domain: stored })
    const body = await domain.want<{ link: Fields; hrefs: [] }>(200, 'GET', path)
    expect(body.link.h5domain).toBe(read)
    expect(hrefOf({ ...body }, 'target')).toBe(`http://${read}/#h5path(p)`)
    expect((await linksOf(domain))[0]).toMatchObject({ h5domain: read })
  })

  test('classic 11.3b: the names of folders are encoded too', async () => {
    const label = uniqueName()
    const domain = await newDomain(`x.two words.${label}.${BASE_DOMAIN}`)
    const other = await newDomain(`y.two words.${label}.${BASE_DOMAIN}`)
    await domain.want(201, 'PUT', `/groups/${domain.root}/links/l`, { h5path: '/', h5domain: 'y.h5' })
    const [link] = await linksOf(domain)
    expect(link).toMatchObject({ h5domain: `y.two+words.${label}.${BASE_DOMAIN}` })
    expect((await send('GET', `/?host=${link.h5domain}`)).json().root).toBe(other.root)
  })
})
