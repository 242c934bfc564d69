// Addresses in the classic dialect, both ways: hrefs in answers, and names in the paths of requests (classic 3.4 and
// 3.5).

import { describe, expect, test } from 'vitest'
import { ownHost, send } from '../client.ts'
import { hrefTable, newDomain } from './domain.ts'

describe('classic 3.4: hrefs', () => {
  test('classic 3.4d: the base address is the host as received, with the port only if the client gave it', async () => {
    const domain = await newDomain()
    const bare = await domain.want(200, 'GET', '/groups')
    expect(hrefTable(bare).self).toBe(`${domain.base}/groups`)
    const reply = await send('GET', '/groups', undefined, { headers: { host: `${domain.host}:5000` } })
    expect(hrefTable(reply.json()).self).toBe(`${domain.base}:5000/groups`)
  })

  test('a request with ?host= gets ?host= appended to every href, before other query items', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: 'H5T_STD_I8LE', shape: [200] })
    const host = ownHost()
    const body = (
      await send('GET', `/datasets/${id}?host=${domain.host}`, undefined, { headers: { host } })
    ).json()
    expect(hrefTable(body)).toMatchObject({
      self: `http://${host}/datasets/${id}?host=${domain.host}`,
      preview: `http://${host}/datasets/${id}/value?host=${domain.host}&select=[0:100]`,
      root: `http://${host}/groups/${domain.root}?host=${domain.host}`,
    })
  })

  test('classic 3.4e: names in hrefs are form-encoded UTF-8', async () => {
    const domain = await newDomain()
    for (const [name, encoded] of [
      ['name with space', 'name+with+space'],
      ['a.b-c_d~e', 'a.b-c_d~e'],
      ['ü', '%C3%BC'],
      ['50%', '50%25'],
      ['a+b&c', 'a%2Bb%26c'],
      ['(x)', '%28x%29'],
    ] as const) {
      await domain.group(name)
      const body = await domain.want(200, 'GET', `/groups/${domain.root}/links/${encodeURIComponent(name)}`)
      expect(hrefTable(body).self).toBe(`${domain.base}/groups/${domain.root}/links/${encoded}`)
    }
  })

  test('classic 3.4a, 3.4b, 3.4c: following any href with the same Host gives 200 and JSON, recursively', async () => {
    const domain = await newDomain()
    const group = await domain.group('a group')
    const datatype = await domain.datatype({ type: 'H5T_STD_I8LE', link: { id: group, name: 'tüpe' } })
    const link = { id: group, name: 'd%+ #?' }
    const small = await domain.dataset({ type: datatype, shape: [3], link })
    await domain.dataset({ type: 'H5T_STD_I8LE', shape: [30, 40], link: { id: group, name: 'big' } })
    await domain.dataset({ type: 'H5T_STD_I8LE', shape: 'H5S_NULL' })
    for (const object of [`/groups/${group}`, `/datasets/${small}`, `/datatypes/${datatype}`]) {
      await domain.want(201, 'PUT', `${object}/attributes/a%20b`, { type: 'H5T_STD_I8LE', value: 1 })
    }
    await domain.want(201, 'PUT', `/groups/${group}/links/soft`, { h5path: '/a group/big' })
    const seen = new Set<string>()
    const waiting = [`${domain.base}/`, `${domain.base}/acls`]
    for (let href = waiting.pop(); href !== undefined; href = waiting.pop()) {
      const path = href.slice(domain.base.length).replace(/#.*$/, '')
      if (!href.startsWith(`${domain.base}/`) || seen.has(path)) continue
      seen.add(path)
      const body = await domain.want<Record<string, unknown>>(200, 'GET', path)
      const rels = hrefTable(body)
      expect(rels.self, `GET ${path} has no self`).toBeDefined()
      expect(rels.root, `GET ${path} has no root`).toBe(`${domain.base}/groups/${domain.root}`)
      waiting.push(...addressesIn(body))
    }
    expect(seen.size).toBeGreaterThan(25)
  })

  /** Every `href` and `target` anywhere in a body, those of listed items included. */
  function addressesIn(value: unknown): string[] {
    if (Array.isArray(value)) return value.flatMap(addressesIn)
    if (typeof value !== 'object' || value === null) return []
    return Object.entries(value).flatMap(([key, inner]) =>
      (key === 'href' || key === 'target') && typeof inner === 'string' ? [inner] : addressesIn(inner),
    )
  }
})

describe('classic 3.5: names in the path', () => {
  test('classic 3.5a: %20 and + are a space, %2B is a plus', async () => {
    const domain = await newDomain()
    const path = `/groups/${domain.root}/links`
    await domain.want(201, 'PUT', `${path}/a%20b`, { h5path: '/1' })
    await domain.want(201, 'PUT', `${path}/a%2Bb`, { h5path: '/2' })
    for (const [spelling, h5path] of [
      ['a%20b', '/1'],
      ['a+b', '/1'],
      ['a%2Bb', '/2'],
    ] as const) {
      expect((await domain.want(200, 'GET', `${path}/${spelling}`)).link).toMatchObject({ h5path })
    }
    const attributes = `/groups/${domain.root}/attributes`
    await domain.want(201, 'PUT', `${attributes}/a+b`, { type: 'H5T_STD_I8LE', value: 1 })
    expect((await domain.want(200, 'GET', `${attributes}/a%20b`)).name).toBe('a b')
  })

  test.each([
    '/ /',
    '数据',
    'ελληνικά',
    'עברית',
    '😀',
    'a\u0301',
    '\u{10FFFF}',
    '.',
    '..',
    '__proto__',
    'a\\b',
    '[0:1]',
    '"',
    '10',
    'x'.repeat(500),
  ])('an attribute may be called %j, and a link too unless it has a slash', async name => {
    const domain = await newDomain()
    const encoded = encodeURIComponent(name).replace(/^\.+$/, dots => '%2E'.repeat(dots.length))
    const attribute = `/groups/${domain.root}/attributes/${encoded}`
    await domain.want(201, 'PUT', attribute, { type: 'H5T_STD_I8LE', value: 1 })
    expect((await domain.want(200, 'GET', attribute)).name).toBe(name)
    const link = `/groups/${domain.root}/links/${encoded}`
    if (name.includes('/')) return await domain.refuse(400, 'PUT', link, { h5path: '/a' })
    await domain.want(201, 'PUT', link, { h5path: '/a' })
    expect((await domain.want(200, 'GET', link)).link).toMatchObject({ title: name })
    const listed = await domain.want<{ links: { title: string }[] }>(
      200,
      'GET',
      `/groups/${domain.root}/links`,
    )
    expect(listed.links.map(item => item.title)).toEqual([name])
    await domain.want(200, 'DELETE', link)
    await domain.refuse(410, 'GET', link)
  })

  test('classic 3.5b, 6.6f, 6.7g: a slash in the name part of a link path is 400, raw or encoded', async () => {
    const domain = await newDomain()
    for (const name of ['a/b', 'a%2Fb', '/a', 'a/']) {
      for (const method of ['GET', 'PUT', 'DELETE'] as const) {
        const body = method === 'PUT' ? { h5path: '/a' } : undefined
        await domain.refuse(400, method, `/groups/${domain.root}/links/${name}`, body)
      }
    }
  })

  test('the name of an attribute is everything after /attributes/, slashes included', async () => {
    const domain = await newDomain()
    const path = `/groups/${domain.root}/attributes`
    await domain.want(201, 'PUT', `${path}/a/b//c`, { type: 'H5T_STD_I8LE', value: 1 })
    expect((await domain.want(200, 'GET', `${path}/a%2Fb%2F%2Fc`)).name).toBe('a/b//c')
    await domain.want(200, 'DELETE', `${path}/a/b//c`)
  })

  test('classic 3.5c, 6.6f, 6.7g: an empty link name is 400 for every method; /attributes/ lists', async () => {
    const domain = await newDomain()
    await domain.refuse(400, 'GET', `/groups/${domain.root}/links/`)
    await domain.refuse(400, 'PUT', `/groups/${domain.root}/links/`, { h5path: '/a' })
    await domain.refuse(400, 'DELETE', `/groups/${domain.root}/links/`)
    expect((await domain.want(200, 'GET', `/groups/${domain.root}/attributes/`)).attributes).toEqual([])
    await domain.refuse(400, 'PUT', `/groups/${domain.root}/attributes/`, { type: 'H5T_STD_I8LE', value: 1 })
    await domain.refuse(400, 'DELETE', `/groups/${domain.root}/attributes/`)
  })

  test.each(['%', '%zz', '%ff', '%C3'])(
    '%j is no name: malformed percent-encoding or UTF-8 is 400',
    async name => {
      const domain = await newDomain()
      await domain.refuse(400, 'GET', `/groups/${domain.root}/links/${name}`)
      await domain.refuse(400, 'PUT', `/groups/${domain.root}/attributes/${name}`, {
        type: 'H5T_STD_I8LE',
        value: 1,
      })
    },
  )
})
