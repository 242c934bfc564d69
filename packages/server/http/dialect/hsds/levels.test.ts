// The points in which level 0.9 differs (hsds-objects 18), over HTTP: other suites speak to a server of level 1.0.

import { hash } from '@node-rs/argon2'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listening, openMemoryStore, serverOf } from '../../../../../test/fixtures/server.ts'

const store = openMemoryStore()
const stored = await hash('ann', { memoryCost: 8, timeCost: 1, parallelism: 1 })
const server = serverOf(store, {
  accounts: {
    find: () => ({ password: { hash: stored }, admin: true, groups: [] }),
    list: () => [],
    nameOfIdentity: () => undefined,
    refresh: () => undefined,
    isKnownUser: () => true,
    exist: () => true,
    areUnused: () => false,
    areAvailable: async () => true,
  },
  service: { isKnownUser: () => true },
  http: { hsdsLevel: '0.9' },
})
let base = ''

beforeAll(async () => {
  base = await listening(server)
})

afterAll(async () => {
  await server.close()
  await store.close()
})

async function send(method: string, target: string, body?: unknown, accept?: string): Promise<Response> {
  const url = `${base}${target}${target.includes('?') ? '&' : '?'}domain=/levels.h5`
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Basic ${btoa('ann:ann')}`,
      'content-type': 'application/json',
      ...(accept && { accept }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${target}: ${response.status} ${await response.text()}`)
  return response
}

async function json(method: string, target: string, body?: unknown): Promise<Record<string, unknown>> {
  return (await (await send(method, target, body)).json()) as Record<string, unknown>
}

async function bytes(method: string, target: string, body?: unknown): Promise<string> {
  const response = await send(method, target, body, 'application/octet-stream')
  expect(response.headers.get('content-type')).toBe('application/octet-stream')
  return Buffer.from(await response.arrayBuffer()).toString('hex')
}

describe('queries at level 0.9', () => {
  const symbol = { class: 'H5T_STRING', charSet: 'H5T_CSET_ASCII', strPad: 'H5T_STR_NULLPAD', length: 4 }
  const fields = [
    { name: 'symbol', type: symbol },
    { name: 'open', type: 'H5T_STD_I32LE' },
  ]
  const rows = [
    ['EBAY', 1],
    ['AAPL', 2],
    ['AMZN', 3],
    ['EBAY', 4],
    ['AAPL', 3182],
  ]
  const query = `query=${encodeURIComponent("symbol == b'AAPL'")}`
  let id = ''

  beforeAll(async () => {
    await json('PUT', '/')
    const created = await json('POST', '/datasets', { type: { class: 'H5T_COMPOUND', fields }, shape: [5] })
    id = String(created.id)
    await json('PUT', `/datasets/${id}/value`, { value: rows })
  })

  it('rows begin with their index, in JSON and binary, and under a step', async () => {
    const found = await json('GET', `/datasets/${id}/value?${query}`)
    expect(found.value).toEqual([
      [1, 'AAPL', 2],
      [4, 'AAPL', 3182],
    ])
    expect(found.index).toBeUndefined()
    const stepped = await json('GET', `/datasets/${id}/value?${query}&select=[0:5:2]&fields=open`)
    expect(stepped.value).toEqual([[4, 3182]])
    expect(await bytes('GET', `/datasets/${id}/value?${query}&select=[2:5]`)).toBe(
      '04000000000000004141504c6e0c0000',
    )
    expect((await json('GET', `/datasets/${id}/value?query=open==0`)).value).toEqual([])
  })

  it('an update answers with the rows as they are then', async () => {
    const target = `/datasets/${id}/value?${query}&Limit=1`
    const updated = await json('PUT', target, { open: 999 })
    expect(updated.value).toEqual([[1, 'AAPL', 999]])
    expect(updated.indices).toEqual([[1]])
    expect(updated.index).toEqual([1])
    expect(await bytes('PUT', target, { open: 5 })).toBe('01000000000000004141504c05000000')
    const none = await json('PUT', `/datasets/${id}/value?query=open==0`, { open: 1 })
    expect(none.value).toEqual([])
  })

  it('elements of other types and ranks follow their coordinates', async () => {
    const created = await json('POST', '/datasets', { type: 'H5T_STD_I8LE', shape: [2, 3] })
    const target = `/datasets/${created.id}/value`
    await json('PUT', target, { value: [1, 2, 3, 1, 2, 3] })
    const found = await json('GET', `${target}?query=_==3`)
    expect(found.value).toEqual([
      [0, 2, 3],
      [1, 2, 3],
    ])
  })
})

it('a batch of attributes may be empty', async () => {
  const { id } = await json('POST', '/groups')
  for (const body of [{}, { attributes: {} }, { obj_ids: { [`${id}`]: {} } }]) {
    const response = await send('PUT', `/groups/${id}/attributes`, body)
    expect([response.status, await response.json()]).toEqual([200, {}])
  }
  for (const body of [{ type: 'H5T_STD_I8LE' }, { obj_ids: [id] }, { obj_ids: {} }, null]) {
    await expect(send('PUT', `/groups/${id}/attributes`, body)).rejects.toThrow(': 400')
  }
})

it('all objects of a domain come without their attributes, unless these are asked for', async () => {
  const { root } = await json('GET', '/')
  const first = async (target: string) => {
    const { domain_objs } = await json('GET', target)
    return (domain_objs as Record<string, object>)[`${root}`]
  }
  expect(await first('/?getobjs=1')).not.toHaveProperty('attributes')
  expect(await first('/?getobjs=1&include_attrs=T')).toHaveProperty('attributes', {})
})
