// Rules common to all endpoints of the classic dialect: routing, bodies, the choice of the domain, the order of
// checks, headers, entity tags (common 5; classic 2, 3.1 to 3.3 and 4).

import { describe, expect, test } from 'vitest'
import { BASE_DOMAIN, type Method, send, USER1 } from '../client.ts'
import { expectRefusal, hrefsOf, newDomain, newHost, withHost } from './domain.ts'

const UNKNOWN_ID = '0c1d4a5e-aaaa-11e4-8000-0242ac110002'

describe('classic 2: routing failures', () => {
  test.each<[Method, string, number]>([
    ['GET', '/foo', 400],
    ['PUT', '/foo/bar', 400],
    ['GET', '//', 400],
    ['PUT', '/groups', 405],
    ['DELETE', '/groups', 405],
    ['POST', '/', 405],
    ['DELETE', '/acls', 405],
    ['DELETE', '/groups/ID/acls', 405],
    ['DELETE', '/acls/', 400],
    ['POST', '/acls/default', 405],
    ['POST', '/groups/ID/links/x', 405],
    ['PATCH', '/groups/ID', 405],
    ['PATCH', '/', 405],
    ['GET', '/datatypes/', 400],
    ['GET', '/groups/', 400],
    ['GET', '/datasets/', 400],
    ['GET', '/groups//links', 400],
    ['GET', '/datasets//value', 400],
    ['GET', '/acls/', 400],
    ['PUT', '/acls/', 400],
  ])('%s %s is %i', async (method, path, status) => {
    const domain = await newDomain()
    const group = await domain.group()
    await domain.refuse(status, method, path.replace('ID', group))
  })

  test('classic 2a: POST of an object is 405', async () => {
    const domain = await newDomain()
    await domain.refuse(405, 'POST', `/groups/${await domain.group()}`)
    await domain.refuse(405, 'POST', `/datasets/${await domain.dataset({ type: 'H5T_STD_I8LE' })}`)
    await domain.refuse(405, 'POST', `/datatypes/${await domain.datatype({ type: 'H5T_STD_I8LE' })}`)
  })

  test.each(['/groups/', '/datasets//value', '/datatypes//attributes'])(
    '%s is 400 also where the domain is unknown',
    async path => {
      expectRefusal(await send('GET', path, undefined, withHost(newHost())), 400)
    },
  )

  test('HEAD is a method wherever GET is', async () => {
    const domain = await newDomain()
    expect((await domain.send('HEAD', '/groups')).status).toBe(200)
  })

  test.each([
    ['PATCH', '/', 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ['DELETE', '/groups', 'GET, HEAD, POST, OPTIONS'],
    ['POST', '/groups/ID/links/x', 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ['POST', '/groups/ID/acls', 'GET, HEAD, PUT, OPTIONS'],
    ['PUT', '/info', 'GET, HEAD, OPTIONS'],
  ] as const)('405 to %s %s lists the methods that there are', async (method, path, allowed) => {
    const domain = await newDomain()
    const reply = await domain.send(method, path.replace('ID', await domain.group()))
    expectRefusal(reply, 405)
    expect(sorted(reply.headers.allow)).toEqual(sorted(allowed))
  })

  test('classic 2b: GET with an unknown suffix behaves as GET of the object', async () => {
    const domain = await newDomain()
    const group = await domain.group()
    const dataset = await domain.dataset({ type: 'H5T_STD_I8LE' })
    expect((await domain.want(200, 'GET', `/groups/${group}/nosuch`)).id).toBe(group)
    expect((await domain.want(200, 'GET', `/datasets/${dataset}/nosuch`)).id).toBe(dataset)
  })

  test('OPTIONS is answered on any path (classic 2)', async () => {
    const domain = await newDomain()
    for (const path of ['/', '/groups', '/nowhere']) {
      const reply = await domain.send('OPTIONS', path)
      expect({ status: reply.status, text: reply.text }).toEqual({ status: 200, text: '' })
      expect(reply.headers['access-control-allow-headers']).toBe('Content-type,')
    }
  })

  test('unknown query parameters are ignored', async () => {
    const domain = await newDomain()
    await domain.want(200, 'GET', '/groups?_=1795210397&nosuch=1', undefined, { undeclared: true })
  })
})

describe('common 5: bodies', () => {
  const type = 'application/x-www-form-urlencoded'
  test.each([
    ['no content type', {}],
    ['application/json', { 'content-type': 'application/json' }],
    ['application/json with a charset', { 'content-type': 'application/json; charset=utf-8' }],
    ['a form type', { 'content-type': type }],
    ['text/plain', { 'content-type': 'text/plain' }],
    ['nonsense', { 'content-type': 'nonsense' }],
  ])('classic 3.3c: a JSON body is read with %s', async (_title, headers) => {
    const domain = await newDomain()
    const body = { link: { id: domain.root, name: 'g' } }
    await domain.want(201, 'POST', '/groups', body, { headers })
    await domain.want(200, 'GET', `/groups/${domain.root}/links/g`)
  })

  test('classic 3.3d: GET may carry a JSON body, which is ignored', async () => {
    const domain = await newDomain()
    for (const body of ['{"a": 1}', '{"a": ', '[]']) {
      const headers = { 'content-type': 'application/json' }
      await domain.want(200, 'GET', `/groups/${domain.root}`, body, { headers })
      await domain.want(200, 'GET', `/groups/${domain.root}`, body)
    }
  })

  test('classic 3.3e: PUT / and POST /groups may arrive with Content-Length: 0', async () => {
    const host = newHost()
    const options = withHost(host, { headers: { 'content-length': 0, 'content-type': 'application/json' } })
    const created = await send('PUT', '/', undefined, options)
    expect(created.status, created.story).toBe(201)
    expect((await send('POST', '/groups', undefined, options)).status).toBe(201)
    expect((await send('DELETE', '/', undefined, options)).status).toBe(200)
  })

  test('DELETE may carry a content type without a body, and a body', async () => {
    const domain = await newDomain()
    const headers = { 'content-type': 'application/json' }
    await domain.want(200, 'DELETE', `/groups/${await domain.group()}`, undefined, { headers })
    await domain.want(200, 'DELETE', `/groups/${await domain.group()}`, '{}', { headers })
  })

  test('unknown members of a body are ignored', async () => {
    const domain = await newDomain()
    const ignored = { undeclared: true }
    await domain.want(201, 'POST', '/groups', { nosuch: 1, value: [2] }, ignored)
    await domain.want(201, 'POST', '/datasets', { type: 'H5T_STD_I8LE', nosuch: 1, value: 5 }, ignored)
  })
})

describe('classic 3.1: the domain of a request', () => {
  test('classic 3.1a, 5.1b: ?host= wins over ?domain=, X-Forwarded-Host and Host', async () => {
    const domain = await newDomain()
    const other = await newDomain()
    const rootBy = async (query: string, headers: Record<string, string>) => {
      const reply = await send('GET', `/${query}`, undefined, { headers })
      expect(reply.status, reply.story).toBe(200)
      return reply.json().root
    }
    const host = domain.host
    const forwarded = { host: other.host, 'x-forwarded-host': host }
    expect(await rootBy('', { host })).toBe(domain.root)
    expect(await rootBy('', forwarded)).toBe(domain.root)
    expect(await rootBy(`?domain=${host}`, { host: other.host })).toBe(domain.root)
    expect(await rootBy(`?host=${host}`, { host: other.host })).toBe(domain.root)
    expect(await rootBy(`?host=${host}&domain=${other.host}`, { host: other.host })).toBe(domain.root)
    expect(await rootBy(`?host=${other.host}`, forwarded)).toBe(other.root)
  })

  test('an empty ?host= counts as absent', async () => {
    const domain = await newDomain()
    expect((await domain.want(200, 'GET', '/?host=')).root).toBe(domain.root)
  })

  test('the port of the Host header does not belong to the name', async () => {
    const domain = await newDomain()
    const reply = await send('GET', '/', undefined, { headers: { host: `${domain.host}:5101` } })
    expect(reply.json().root).toBe(domain.root)
  })
})

describe('classic 3.2: the first rule broken is the one reported', () => {
  test('credentials before the domain (classic 3.2)', async () => {
    const nowhere = withHost(newHost(), { headers: { authorization: 'Basic xxx123' } })
    expectRefusal(await send('GET', '/', undefined, nowhere), 400)
    const wrong = withHost(newHost(), { headers: { authorization: 'Basic dGVzdF91c2VyMTp3cm9uZw==' } })
    expectRefusal(await send('GET', '/', undefined, wrong), 401)
  })

  test('the route before the credentials', async () => {
    const headers = { authorization: 'Basic xxx123' }
    expectRefusal(await send('GET', '/foo', undefined, withHost(newHost(), { headers })), 400)
    const method = await send('PUT', '/groups', undefined, withHost(newHost(), { headers }))
    expectRefusal(method, 405)
  })

  test('the domain before names, parameters and bodies', async () => {
    const nowhere = withHost(newHost())
    expectRefusal(await send('GET', `/groups/${UNKNOWN_ID}/links?Limit=x`, undefined, nowhere), 404)
    expectRefusal(await send('PUT', `/groups/${UNKNOWN_ID}/links/x`, '{', nowhere), 404)
  })

  test('bodies before permissions, permissions before existence', async () => {
    const domain = await newDomain()
    await domain.want(201, 'PUT', '/acls/default', { read: false, updateACL: true })
    await domain.refuse(400, 'POST', '/datasets', '{"type":')
    await domain.refuse(401, 'POST', '/datasets', { type: 'H5T_STD_I8LE' })
    await domain.refuse(400, 'GET', '/groups?Limit=x')
    await domain.refuse(401, 'GET', `/groups/${UNKNOWN_ID}`)
    await domain.refuse(403, 'GET', `/groups/${UNKNOWN_ID}`, undefined, { user: USER1 })
  })

  test('existence before conflicts and before what needs the state of the object', async () => {
    const domain = await newDomain()
    await domain.refuse(404, 'PUT', `/groups/${UNKNOWN_ID}/links/x`, { h5path: '/a' })
    await domain.refuse(404, 'GET', `/datasets/${UNKNOWN_ID}/value?select=[0:99]`)
  })
})

describe('classic 3.3: headers', () => {
  test('classic 3.3a: Content-Type of every JSON response is exactly application/json', async () => {
    const domain = await newDomain()
    const group = await domain.group('g')
    for (const path of ['/', '/groups', `/groups/${group}`, '/acls', '/nosuch', `/groups/${UNKNOWN_ID}`]) {
      expect((await domain.send('GET', path)).headers['content-type']).toBe('application/json')
    }
    expect((await send('GET', '/info')).headers['content-type']).toBe('application/json')
  })

  test('Etag is a quoted string that changes when the body changes, and only then', async () => {
    const domain = await newDomain()
    const group = await domain.group('g')
    const paths = [
      '/',
      '/groups',
      `/groups/${group}`,
      `/groups/${group}/links`,
      `/groups/${group}/attributes`,
    ]
    const tags = async () => {
      const found: Record<string, string | undefined> = {}
      for (const path of paths) found[path] = (await domain.send('GET', path)).headers.etag
      return found
    }
    const before = await tags()
    for (const path of paths) expect(before[path], path).toMatch(/^"[^"]+"$/)
    expect(await tags()).toEqual(before)
    await domain.want(201, 'PUT', `/groups/${group}/attributes/a`, { type: 'H5T_STD_I8LE', value: 1 })
    await domain.group('inner', group)
    const after = await tags()
    for (const path of paths.slice(1)) expect(after[path], path).not.toBe(before[path])
  })

  test('Etag of values changes with every write, also of the same length', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: 'H5T_STD_I8LE', shape: [2] })
    const seen = new Set<string | undefined>()
    for (const value of [
      [1, 2],
      [3, 4],
    ]) {
      await domain.want(200, 'PUT', `/datasets/${id}/value`, { value })
      seen.add((await domain.send('GET', `/datasets/${id}/value`)).headers.etag)
    }
    expect(seen.size).toBe(2)
  })

  test('If-None-Match with the current Etag is 304 with an empty body and the Etag repeated', async () => {
    const domain = await newDomain()
    const group = await domain.group('g')
    const id = await domain.dataset({ type: 'H5T_STD_I8LE', shape: [2] })
    for (const path of [
      '/',
      '/groups',
      `/groups/${domain.root}/links/g`,
      `/groups/${group}`,
      `/datasets/${id}`,
      `/datasets/${id}/value`,
    ]) {
      const etag = (await domain.send('GET', path)).headers.etag ?? 'no etag'
      const matching = await domain.send('GET', path, undefined, { headers: { 'if-none-match': etag } })
      expect(matching.status, matching.story).toBe(304)
      expect(matching.bytes).toHaveLength(0)
      expect(matching.headers.etag).toBe(etag)
      const other = await domain.send('GET', path, undefined, { headers: { 'if-none-match': '"other"' } })
      expect(other.status, other.story).toBe(200)
      const list = await domain.send('GET', path, undefined, {
        headers: { 'if-none-match': `"other", ${etag}` },
      })
      expect(list.status, list.story).toBe(304)
    }
  })

  test('WWW-Authenticate on all 401', async () => {
    const domain = await newDomain()
    const group = await domain.group()
    await domain.want(201, 'PUT', '/acls/default', { read: false })
    for (const path of ['/', '/groups', `/groups/${group}`]) {
      const reply = await domain.send('GET', path)
      expect(reply.status).toBe(401)
      expect(reply.headers['www-authenticate']).toMatch(/^basic realm="[^"]+"$/i)
    }
  })

  test('Location and Content-Location of POST /groups name the new group', async () => {
    const domain = await newDomain()
    const reply = await domain.send('POST', '/groups')
    const address = `${domain.base}/groups/${reply.json().id}`
    expect(reply.headers.location).toBe(address)
    expect(reply.headers['content-location']).toBe(address)
  })

  test('X-Forwarded-Proto and X-Forwarded-Host replace scheme and host in hrefs', async () => {
    const domain = await newDomain()
    const headers = { host: '127.0.0.1:1', 'x-forwarded-host': domain.host, 'x-forwarded-proto': 'https' }
    const reply = await send('GET', '/', undefined, { headers })
    for (const { href } of hrefsOf(reply.json())) expect(href).toMatch(`https://${domain.host}/`)
  })

  test('an identity encoding is sent to clients that ask for compression, or a labelled one', async () => {
    const domain = await newDomain()
    const reply = await domain.send('GET', '/', undefined, {
      headers: { 'accept-encoding': 'gzip, deflate' },
    })
    if (reply.headers['content-encoding'] === undefined) expect(reply.json().root).toBe(domain.root)
  })
})

describe('classic 4: GET /info', () => {
  test('classic 4a, 4b: 200 application/json, without domain and with credentials ignored', async () => {
    for (const headers of [{}, { host: `nosuch.${BASE_DOMAIN}` }, { authorization: 'Basic xxx123' }]) {
      const reply = await send('GET', '/info', undefined, { headers })
      expect(reply.status, reply.story).toBe(200)
      expect(reply.json().h5serv_version).toMatch(/^\d+\.\d+/)
      // The documentation is that of this API, not of HDF5 in general.
      expect(reply.json().documentation).toMatch(/\bhdf-rest-api\b/)
    }
  })

  test('has the versions that programs for h5serv print', async () => {
    const body = (await send('GET', '/info')).json()
    for (const name of ['h5py_version', 'hdf5_version', 'hdf5-json-version']) expect(body[name]).toMatch(/./)
  })

  test('is a page where Accept prefers text/html, and JSON otherwise', async () => {
    const typeFor = async (accept: string) =>
      (await send('GET', '/info', undefined, { headers: { accept } })).headers['content-type']
    expect(await typeFor('text/html,application/xhtml+xml,*/*;q=0.8')).toBe('text/html; charset=utf-8')
    expect(await typeFor('text/html;q=0.5, application/json')).toMatch(/^application\/json/)
    expect(await typeFor('*/*')).toMatch(/^application\/json/)
    const page = (await send('GET', '/info', undefined, { headers: { accept: 'text/html' } })).text
    expect(page).toMatch(/<th scope="row">h5serv_version<td>0\.2\n/)
  })
})

function sorted(list = ''): string[] {
  return list.split(', ').sort()
}
