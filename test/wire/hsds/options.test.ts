// Flush and the options of `/`, growing a dataset, and the headers of every answer (hsds-objects 8.3, 8.4 and 1.7;
// hsds-values 5).

import { beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, send, USER1, USER2 } from '../client.ts'
import { VIEWER } from '../server.ts'
import { expectRefusal, HOME, makeHome, newDomain, newPath } from './domain.ts'

beforeAll(makeHome)

describe('hsds-objects 8.3: flush', () => {
  test.each<[string, string, unknown]>([
    ['in the query', '/?flush=1', undefined],
    ['in the body', '/', { flush: true }],
    ['with rescan', '/?flush=1&rescan=1', undefined],
    ['rescan alone', '/?rescan=1', 'null'],
  ])('%s: 204 without a body', async (_, target, body) => {
    const domain = await newDomain()
    const reply = await domain.send('PUT', target, body)
    expect(reply.status, reply.story).toBe(204)
    expect(reply.bytes).toHaveLength(0)
  })

  test('with getdnids: 200, and the same ids as of the domain', async () => {
    const domain = await newDomain()
    const { dn_ids } = await domain.want(200, 'GET', '/?getdnids=1')
    expect(dn_ids).toEqual([expect.any(String)])
    expect(await domain.want(200, 'GET', '/?getdnids=0')).not.toHaveProperty('dn_ids')
    for (const [target, body] of [
      ['/', { flush: 1, getdnids: 1 }],
      ['/?flush=1&getdnids=1', undefined],
      ['/?getdnids=1', { rescan: true }],
      ['/?rescan=1&flush=1', { getdnids: true }],
    ] as const) {
      expect(await domain.want(200, 'PUT', target, body)).toEqual({ dn_ids })
    }
    const created = await send('PUT', `/?domain=${newPath()}&getdnids=1`, undefined, { user: USER1 })
    expect(created.json()).toMatchObject({ dn_ids })
  })

  test('of a folder is 204, of nothing 404, of what was deleted 410, without update 403', async () => {
    expect((await send('PUT', `/?domain=${HOME}&flush=1`, undefined, { user: USER1 })).status).toBe(204)
    for (const option of ['flush', 'rescan']) {
      expectRefusal(await send('PUT', `/?domain=${newPath()}&${option}=1`, undefined, { user: USER1 }), 404)
      const domain = await newDomain()
      await domain.refuse(403, 'PUT', `/?${option}=1`, undefined, { user: USER2 })
      await domain.want(200, 'DELETE', '/')
      await domain.refuse(410, 'PUT', `/?${option}=1`)
    }
  })

  test.each(['rescan=1', 'flush=1&rescan=1'])('a folder cannot be scanned: %s is 400', async options => {
    expectRefusal(await send('PUT', `/?domain=${HOME}&${options}`, undefined, { user: USER1 }), 400)
  })
})

describe('what would do harm if it were passed over is refused', () => {
  test('a request that names no domain changes none', async () => {
    const headers = { 'x-hdf-bucket': 'hyperslab' }
    expectRefusal(await send('PUT', '/', undefined, { user: ADMIN, headers }), 400)
    expectRefusal(await send('DELETE', '/', undefined, { user: ADMIN, headers }), 400)
  })
})

describe('hsds-values 5: PUT shape', () => {
  test.each<[string, unknown, unknown, unknown]>([
    ['one dimension grows', { shape: [15, 4] }, [15, 4], { selection: '[10:15,:]' }],
    ['the other grows', { shape: [10, 9] }, [10, 9], { selection: '[:,4:9]' }],
    ['both grow', { shape: [11, 5] }, [11, 5], {}],
    ['it shrinks', { shape: [2, 0] }, [2, 0], {}],
    ['nothing changes', { shape: [10, 4] }, [10, 4], {}],
    ['by so much', { extend: 5 }, [15, 4], { selection: '[10:15,:]' }],
    ['by so much along a dimension', { extend: '5', extend_dim: 1 }, [10, 9], { selection: '[:,4:9]' }],
  ])('%s: 201', async (_, body, dims, answer) => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: 'H5T_STD_I8LE', shape: [10, 4], maxdims: [0, 9] })
    expect(await domain.want(201, 'PUT', `/datasets/${id}/shape`, body)).toEqual(answer)
    const { shape } = await domain.want(200, 'GET', `/datasets/${id}/shape`)
    expect(shape).toEqual({ class: 'H5S_SIMPLE', dims, maxdims: [0, 9] })
  })

  test.each<[number, unknown]>([
    [409, { shape: [10, 10] }],
    [409, { extend: 6, extend_dim: 1 }],
    [400, { shape: [10] }],
    [400, { shape: [10, -1] }],
    [400, { shape: [10, 1.5] }],
    [400, { shape: null }],
    [400, { shape: [11, 4], extend: 1 }],
    [400, { extend: 0 }],
    [400, { extend: -1 }],
    [400, { extend: 1.5 }],
    [400, { extend: 9007199254740991 }],
    [400, { extend: 1, extend_dim: 2 }],
    [400, { extend: 1, extend_dim: -1 }],
    [400, {}],
    [400, undefined],
  ])('%i for %j, and nothing changes', async (status, body) => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: 'H5T_STD_I8LE', shape: [10, 4], maxdims: [0, 9] })
    await domain.refuse(status, 'PUT', `/datasets/${id}/shape`, body)
    expect((await domain.want(200, 'GET', `/datasets/${id}/shape`)).shape).toMatchObject({ dims: [10, 4] })
  })
})

describe('hsds-objects 1.7 and 6: headers, /about and /info', () => {
  test('every answer has them, errors too', async () => {
    for (const target of ['/about', `/?domain=${newPath()}`]) {
      const { headers } = await send('GET', target, undefined, { user: USER1 })
      expect(headers['x-xss-protection']).toBe('1; mode=block')
      expect(headers.server).toMatch(/^(?!.*python).+/i)
    }
  })

  test('a preflight is answered for a known path, with a method of pages', async () => {
    const preflight = (target: string, headers: Record<string, string>) =>
      send('OPTIONS', target, undefined, { headers })
    const asked = {
      origin: VIEWER,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'authorization, x-hdf-domain',
    }
    const path = newPath()
    const reply = await preflight(`/groups?domain=${path}`, asked)
    expect(reply.status).toBe(200)
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': asked.origin,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'PUT',
      'access-control-allow-headers': asked['access-control-request-headers'],
    })
    const { origin, ...unasked } = asked
    for (const target of ['/about', `/groups?domain=${path}`]) {
      const read = { origin: 'https://other.example', 'access-control-request-method': 'GET' }
      expect((await preflight(target, read)).headers['access-control-allow-methods']).toBe('GET')
    }
    expectRefusal(await preflight('/about', unasked), 403)
    expectRefusal(await preflight('/about', { origin }), 403)
    expectRefusal(await preflight('/about', { ...asked, 'access-control-request-method': 'PATCH' }), 403)
    expectRefusal(await preflight(`/nowhere?domain=${path}`, asked), 404)
  })

  test('messages spell ids as the dialect does (common 6)', async () => {
    const domain = await newDomain()
    const id = 'g-00000000-00000000-0000-000000-000001'
    const reply = await domain.send('GET', `/groups/${id}`)
    expectRefusal(reply, 404)
    expect(reply.json().message).toContain(id)
    expect(reply.reason).toContain(id)
  })

  test('/about has the version and the caller', async () => {
    const about = (user?: string) => send('GET', '/about', undefined, { user })
    expect((await about()).json()).toMatchObject({ state: 'READY', username: 'anonymous', isadmin: false })
    expect((await about(ADMIN)).json()).toMatchObject({ username: ADMIN, isadmin: true })
    expect((await about()).json().hsds_version).toMatch(/^(1\.|0\.9)/)
    const authorization = `Basic ${Buffer.from('nobody:x').toString('base64')}`
    expect((await send('GET', '/about', undefined, { headers: { authorization } })).status).toBe(401)
    expect((await send('GET', '/info', undefined, { headers: { authorization } })).status).toBe(200)
  })

  test('HEAD is known wherever GET is (common 9)', async () => {
    for (const path of ['/about', '/info']) {
      const reply = await send('HEAD', path)
      expect({ status: reply.status, body: reply.text }).toEqual({ status: 200, body: '' })
      expect(Number(reply.headers['content-length'])).toBeGreaterThan(0)
    }
    const domain = await newDomain()
    expect((await domain.send('HEAD', `/groups/${domain.root}`)).status).toBe(200)
    const reply = await domain.send('PUT', `/groups/${domain.root}`, {})
    expect(reply.status).toBe(405)
    expect(reply.headers.allow?.split(', ').sort()).toEqual(['DELETE', 'GET', 'HEAD', 'OPTIONS'])
  })

  test('/info tells the node', async () => {
    const { node } = (await send('GET', '/info')).json<{ node: object }>()
    expect(node).toMatchObject({ id: expect.stringMatching(/^sn-/), type: 'sn', state: 'READY' })
  })
})
