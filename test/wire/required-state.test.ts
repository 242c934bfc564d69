// A state that requests require of their domain, in both dialects (common 9).

import { beforeAll, describe, expect, test } from 'vitest'
import { newDomain as newClassicDomain } from './classic/domain.ts'
import {
  BASE_DOMAIN,
  type Method,
  type Options,
  type Reply,
  send as sendAny,
  USER1,
  USER2,
} from './client.ts'
import { makeHome, newDomain as newHsdsDomain } from './hsds/domain.ts'

const OLD = '0'.repeat(32)

beforeAll(makeHome)

type Send = (method: Method, target: string, body?: unknown, options?: Options) => Promise<Reply>

const requiring = (state: string): Options => ({ headers: { 'if-state': state } })

async function stateOf(send: Send): Promise<string> {
  const reply = await send('GET', '/')
  expect(reply.status, reply.story).toBe(200)
  return reply.json<{ state: string }>().state
}

describe.each([
  ['classic', newClassicDomain],
  ['hsds', newHsdsDomain],
] as const)('a required state in the %s dialect', (_, newDomain) => {
  async function newTestDomain() {
    const domain = await newDomain()
    const dataset = await domain.dataset({ type: 'H5T_STD_I8LE', shape: [2] })
    return { send: domain.send as Send, root: domain.root, dataset }
  }

  test('is the present one: every request is answered as without it', async () => {
    const { send, root, dataset } = await newTestDomain()
    const state = await stateOf(send)
    for (const target of [
      '/',
      `/groups/${root}`,
      `/groups/${root}/links`,
      `/datasets/${dataset}/value`,
      '/acls',
    ]) {
      expect((await send('GET', target, undefined, requiring(state))).status).toBe(200)
      expect((await send('GET', `${target}?state=${state}`)).status).toBe(200)
    }
    const put = await send('PUT', `/datasets/${dataset}/value`, { value: [1, 2] }, requiring(state))
    expect(put.status, put.story).toBe(200)
    expect(await stateOf(send)).not.toBe(state)
  })

  test('is an older one: 412 with the present one, and nothing is changed', async () => {
    const { send, root, dataset } = await newTestDomain()
    const old = await stateOf(send)
    await send('PUT', `/datasets/${dataset}/value`, { value: [1, 2] })
    const state = await stateOf(send)
    const requests: readonly [Method, string, unknown?][] = [
      ['GET', '/'],
      ['GET', `/datasets/${dataset}/value`],
      ['GET', `/groups/${root}/links/none`],
      ['PUT', `/datasets/${dataset}/value`, { value: [3, 4] }],
      ['PUT', `/groups/${root}/links/new`, { h5path: '/x' }],
      ['PUT', '/acls/default', { read: true }],
      ['DELETE', `/datasets/${dataset}`],
      ['DELETE', '/'],
    ]
    for (const [method, target, body] of requests) {
      const reply = await send(method, target, body, requiring(old))
      expect(reply.status, reply.story).toBe(412)
      expect(reply.json()).toMatchObject({ code: 'state-changed', message: expect.stringContaining(state) })
    }
    expect(await stateOf(send)).toBe(state)
    expect((await send('GET', `/datasets/${dataset}/value`)).json()).toMatchObject({ value: [1, 2] })
  })

  test('of several writers that require the same, one writes', async () => {
    const { send, dataset } = await newTestDomain()
    const state = await stateOf(send)
    const writes = Array.from({ length: 8 }, (_, value) =>
      send('PUT', `/datasets/${dataset}/value`, { value: [value, value] }, requiring(state)),
    )
    const statuses = (await Promise.all(writes)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, ...new Array(7).fill(412)])
  })

  test('that is malformed is 400', async () => {
    const { send } = await newTestDomain()
    for (const state of ['1', 'A'.repeat(32), '*']) {
      const reply = await send('GET', '/', undefined, requiring(state))
      expect([reply.status, reply.json<{ code: string }>().code]).toEqual([400, 'malformed-precondition'])
    }
  })
})

test('of anything but a domain it is 400', async () => {
  const requests: readonly [string, Options][] = [
    [`/groups?host=${BASE_DOMAIN}`, {}],
    ['/?domain=/test', { user: USER1 }],
    ['/domains?domain=/test', { user: USER1 }],
  ]
  for (const [target, options] of requests) {
    const reply = await sendAny('GET', target, undefined, { ...options, ...requiring(OLD) })
    expect([target, reply.status]).toEqual([target, 400])
  }
})

test('needs the permission to read, and holds for files and the Zarr view', async () => {
  const { send, path: name } = await newHsdsDomain()
  const state = await stateOf(send)
  for (const path of [`/h5${name}`, `/zarr/v3${name}/zarr.json`, `/zarr/refs${name}`]) {
    const get = (required: string) =>
      sendAny('GET', path, undefined, { user: USER1, undeclared: true, ...requiring(required) })
    expect([path, (await get(state)).status]).toEqual([path, 200])
    expect([path, (await get(OLD)).status]).toEqual([path, 412])
  }
  await send('PUT', `/acls/${USER2}`, { update: true })
  const reply = await send('PUT', '/acls/default', { read: false, readACL: true })
  expect(reply.status, reply.story).toBe(201)
  const other = await sendAny('GET', `/acls?domain=${name}`, undefined, { user: USER2, ...requiring(OLD) })
  expect(other.status, other.story).toBe(403)
})
