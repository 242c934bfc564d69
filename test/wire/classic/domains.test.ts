// The domain resource and domain names in the classic dialect (classic 5 and 11.1).

import { describe, expect, onTestFinished, test } from 'vitest'
import { BASE_DOMAIN, send, USER1, uniqueName } from '../client.ts'
import {
  expectJson,
  expectRefusal,
  hrefsOf,
  hrefTable,
  newDomain,
  newHost,
  relsOf,
  removeDomain,
  withHost,
} from './domain.ts'

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

describe('classic 5.1: GET /', () => {
  test('classic 3.6a, 5.1a: root, created, lastModified, state and hrefs self, database, groupbase, typebase, root, in this order', async () => {
    const domain = await newDomain()
    const body = await domain.want(200, 'GET', '/')
    expect(Object.keys(body).sort()).toEqual(['created', 'hrefs', 'lastModified', 'root', 'state'])
    expect(body.state).toMatch(/^[0-9a-f]{32}$/)
    expect(body.root).toMatch(UUID)
    expect(body.created).toMatch(TIMESTAMP)
    expect(body.lastModified).toMatch(TIMESTAMP)
    expect(relsOf(body)).toEqual(['self', 'database', 'groupbase', 'typebase', 'root'])
  })

  test('lastModified follows changes of other objects than the root group', async () => {
    const domain = await newDomain()
    const dataset = await domain.dataset({ type: 'H5T_STD_I8LE', shape: [1] })
    const timeOf = async (path: string) =>
      (await domain.want<{ lastModified: string }>(200, 'GET', path)).lastModified
    const rootTime = await timeOf(`/groups/${domain.root}`)
    // Times are whole seconds.
    const change = async () => {
      await domain.want(200, 'PUT', `/datasets/${dataset}/value`, { value: [1] })
      return timeOf('/')
    }
    await expect.poll(change).not.toBe(rootTime)
    expect(await timeOf(`/groups/${domain.root}`)).toBe(rootTime)
    expect(await timeOf('/')).toBe(await timeOf(`/datasets/${dataset}`))
  })

  test('the options of a listing have no effect, even malformed ones', async () => {
    const domain = await newDomain()
    expect((await domain.want(200, 'GET', '/?pattern=**&query=(&Limit=x&verbose=1')).root).toBe(domain.root)
  })

  test('classic 5.1d: an unknown domain is 404', async () => {
    expectRefusal(await send('GET', '/', undefined, withHost(newHost())), 404)
  })

  test('classic 5.1e, 13.2e: without read permission 401 or 403', async () => {
    const domain = await newDomain()
    await domain.want(201, 'PUT', '/acls/default', { updateACL: true })
    await domain.refuse(401, 'GET', '/')
    await domain.refuse(403, 'GET', '/', undefined, { user: USER1 })
  })
})

describe('classic 5.2: PUT /', () => {
  test('classic 5.2b: 201 with the fields and hrefs of GET / but its state', async () => {
    const host = newHost()
    onTestFinished(() => removeDomain(host))
    const reply = await send('PUT', '/', undefined, withHost(host))
    expect(reply.status, reply.story).toBe(201)
    expectJson(reply)
    const created = reply.json()
    expect(hrefsOf(created)[0]).toEqual({ href: `http://${host}/`, rel: 'self' })
    const { state: _, ...shown } = (await send('GET', '/', undefined, withHost(host))).json()
    expect(created).toEqual(shown)
  })

  test('the root group of a new domain has no links, no attributes, no ACL items', async () => {
    const domain = await newDomain()
    expect(await domain.want(200, 'GET', `/groups/${domain.root}`)).toMatchObject({
      id: domain.root,
      linkCount: 0,
      attributeCount: 0,
    })
    expect((await domain.want(200, 'GET', '/acls')).acls).toEqual([])
  })

  test('a body is ignored', async () => {
    for (const body of ['{"a": 1}', '{"a": ', 'text']) {
      const host = newHost()
      onTestFinished(() => removeDomain(host))
      expect((await send('PUT', '/', body, withHost(host))).status).toBe(201)
    }
  })

  test('classic 5.2a: missing parent folders are created', async () => {
    const folder = uniqueName()
    await newDomain(`newfile.sub.${folder}.test.${BASE_DOMAIN}`)
    await newDomain(`other.sub.${folder}.test.${BASE_DOMAIN}`)
  })

  test('classic 5.2d: a domain that exists is 409 and stays as it is', async () => {
    const domain = await newDomain()
    await domain.group('g')
    await domain.refuse(409, 'PUT', '/')
    expect((await domain.want(200, 'GET', '/')).root).toBe(domain.root)
    expect((await domain.want(200, 'GET', '/groups')).groups).toHaveLength(1)
  })
})

describe('classic 5.3: DELETE /', () => {
  test('classic 3.10c, 5.3a: 200 with hrefs; the domain and all in it is 404, not 410', async () => {
    const domain = await newDomain()
    const group = await domain.group('g')
    await domain.want(200, 'DELETE', '/')
    await domain.refuse(404, 'GET', '/')
    await domain.refuse(404, 'GET', `/groups/${group}`)
    await domain.refuse(404, 'DELETE', '/')
  })

  test('a domain made again under the same name is a new one and empty', async () => {
    const first = await newDomain()
    const group = await first.group('g')
    await first.want(201, 'PUT', `/groups/${first.root}/attributes/a`, { type: 'H5T_STD_I8LE', value: 1 })
    await first.want(200, 'DELETE', `/groups/${first.root}/links/g`)
    await first.want(200, 'DELETE', '/')
    const second = await newDomain(first.host)
    expect(second.root).not.toBe(first.root)
    await second.refuse(404, 'GET', `/groups/${group}`)
    await second.refuse(404, 'GET', `/groups/${second.root}/links/g`)
    await second.refuse(404, 'GET', `/groups/${second.root}/attributes/a`)
    expect((await second.want(200, 'GET', '/groups')).groups).toEqual([])
  })

  test('classic 5.3c: an unknown domain is 404', async () => {
    expectRefusal(await send('DELETE', '/', undefined, withHost(newHost())), 404)
  })

  test('classic 5.3f: without delete permission on the root group 401 or 403', async () => {
    const domain = await newDomain()
    await domain.want(201, 'PUT', '/acls/default', { read: true, updateACL: true })
    await domain.refuse(401, 'DELETE', '/')
    await domain.refuse(403, 'DELETE', '/', undefined, { user: USER1 })
    await domain.want(200, 'GET', '/')
  })
})

describe('classic 11.1: names', () => {
  const name = uniqueName()
  test.each([
    ['classic 5.1d, 11.1a: a foreign top-level domain', `${name}.test.example.com`, 403],
    ['classic 11.1a: shorter than the base domain', 'a.org', 403],
    ['classic 5.1d, 11.1b: no dot before the base domain', `missingdot${BASE_DOMAIN}`, 400],
    ['classic 11.1c: an empty first label', `.${BASE_DOMAIN}`, 400],
    ['classic 11.1c: a leading dot', `.a.b.${BASE_DOMAIN}`, 400],
    ['classic 11.1c: an empty label', `a..b.${BASE_DOMAIN}`, 400],
    ['empty labels in the middle', `two.dots..are.bad.${BASE_DOMAIN}`, 400],
    ['.. in disguise', `%2E%2E.test.${BASE_DOMAIN}`, 400],
    ['an encoded slash', `a%2Fb.test.${BASE_DOMAIN}`, 400],
    ['an encoded backslash', `a%5Cb.test.${BASE_DOMAIN}`, 400],
    ['an encoded NUL', `a%00b.test.${BASE_DOMAIN}`, 400],
    ['classic 11.1e: an unknown name', `${name}.test.${BASE_DOMAIN}`, 404],
    ['an unknown folder', `${name}.${name}.${BASE_DOMAIN}`, 404],
  ])('%s (%s) is %i', async (_title, host, status) => {
    expectRefusal(await send('GET', '/', undefined, withHost(host)), status)
    if (status !== 404) expectRefusal(await send('PUT', '/', undefined, withHost(host)), status)
  })

  test('classic 11.1e: a folder alone is 404', async () => {
    const folder = uniqueName()
    await newDomain(`a.${folder}.test.${BASE_DOMAIN}`)
    expectRefusal(await send('GET', '/', undefined, withHost(`${folder}.test.${BASE_DOMAIN}`)), 404)
  })

  test.each([
    ['classic 11.1f: a space', `a ${name}`],
    ['classic 11.1d: %2E for a dot', `a%2Eb%2E${name}`],
    ['upper case', `A-${name}`],
    ['a plus, as itself', `a+${name}`],
    ['percent-encoded UTF-8', `%C3%BC${name}`],
  ])('a label may hold %s', async (_title, label) => {
    const domain = await newDomain(`${label}.test.${BASE_DOMAIN}`)
    expect((await domain.want(200, 'GET', '/')).root).toBe(domain.root)
  })

  test('labels are case-sensitive, the base domain is not', async () => {
    const label = uniqueName()
    const domain = await newDomain(`Ab${label}.test.${BASE_DOMAIN}`)
    const rootAt = (host: string) => send('GET', '/', undefined, withHost(host))
    expect((await rootAt(`Ab${label}.test.${BASE_DOMAIN.toUpperCase()}`)).json().root).toBe(domain.root)
    expectRefusal(await rootAt(`ab${label}.test.${BASE_DOMAIN}`), 404)
  })

  test('classic 11.1d, 11.1g: an encoded dot and a dot are two names', async () => {
    const label = uniqueName()
    await newDomain(`a%2E${label}.test.${BASE_DOMAIN}`)
    expectRefusal(await send('GET', '/', undefined, withHost(`a.${label}.test.${BASE_DOMAIN}`)), 404)
  })

  test('classic 11.1h: by ?host= a dot is tried as part of the name when no such domain exists', async () => {
    const label = uniqueName()
    const domain = await newDomain(`a%2E${label}.test.${BASE_DOMAIN}`)
    const reply = await send('GET', `/?host=a%2E${label}.test.${BASE_DOMAIN}`)
    expect(reply.status, reply.story).toBe(200)
    expect(reply.json().root).toBe(domain.root)
  })

  test('hrefs carry the name as received', async () => {
    const label = uniqueName()
    const domain = await newDomain(`a b%2E${label}.test.${BASE_DOMAIN}`)
    const body = await domain.want(200, 'GET', '/')
    expect(hrefTable(body).self).toBe(`http://a b%2E${label}.test.${BASE_DOMAIN}/`)
  })
})
