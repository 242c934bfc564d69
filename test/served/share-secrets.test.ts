// The secret of a share stays out of all that a service writes, its uses are stored when the service ends, and a copy
// of the store knows its address.

import { makeCopy } from '@hyperslab/store/engines'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ServedHere, serveHere, sharedMemory, storedText } from '../fixtures/served.ts'
import { basic, type Method, type Reply, sendTo } from '../wire/client.ts'

const USERS = { ann: { password: 'ann-secret' }, boss: { password: 'boss-secret', admin: true } }

const open = sharedMemory()
let server: ServedHere

beforeAll(async () => {
  server = await serveHere({ logLevel: 'debug' }, { engine: open(), users: USERS })
})

afterAll(() => server.end())

function send(method: Method, target: string, name?: string, body?: unknown): Promise<Reply> {
  const headers = name === undefined ? {} : { authorization: basic(name, `${name}-secret`) }
  return sendTo(server.address, method, target, body, { headers, undeclared: true })
}

interface ShareList {
  readonly shares: readonly { readonly uses: number; readonly used?: string }[]
}

test('a secret is in no log, message or record, whatever the request; the id of the share is logged', async () => {
  for (const path of ['/home', '/home/ann'])
    await send('PUT', `/?domain=${path}`, 'boss', { folder: true, owner: 'ann' })
  const made = await send('PUT', '/?domain=/home/ann/run.h5', 'ann')
  expect(made.status, made.story).toBe(201)
  const share = await send('POST', '/shares', 'ann', { domain: '/home/ann/run.h5', end: '2999-01-01' })
  const { address, id } = share.json<{ address: string; id: string }>()
  const { pathname } = new URL(address)
  const secret = pathname.split('/')[2] ?? ''
  expect(secret).toHaveLength(43)
  const targets = [
    `${pathname}?domain=/home/ann/run.h5`,
    `${pathname}h5/home/ann/run.h5`,
    `${pathname}nothing/here`,
    `${pathname}s/${secret}/ui`,
    `${pathname}%zz`,
    `${pathname}?domain=/elsewhere`,
    `/${pathname}ui`,
    `/h5/s/${secret}`,
    `/zarr/v3/s/${secret}/x`,
    `/S/${secret}/`,
    `/%73/${secret}/`,
    `/s%2F${secret}/`,
    `/s/${secret}`,
    `/s/${secret}x/`,
  ]
  for (const target of targets) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const) {
      const { status, headers, text } = await send(method, target)
      expect(status, target).toBeLessThan(500)
      if (status >= 400)
        expect(text + JSON.stringify(headers.link ?? ''), `${method} ${target}`).not.toContain(`${secret}x`)
    }
  }
  const misplaced: readonly (readonly [string, Record<string, string>?])[] = [
    [`/?domain=/s/${secret}/x`],
    [`/?domain=s/${secret}/x`],
    [`/?domain=%2Fs%2F${secret}`],
    [`/?domain=/x&bucket=${secret}`],
    [`/domains?domain=/s/${secret}/`],
    [`/groups/${secret}?domain=/home/ann/run.h5`],
    [`/datasets/s/${secret}/value`],
    [`/?h5path=/s/${secret}&domain=/home/ann/run.h5`],
    [`/h5/s/${secret}/home/ann/run.h5`],
    [`/zarr/refs/s/${secret}/x`],
    [`/h5grove/meta/?file=/s/${secret}/x&path=/`],
    [`/thumbnail?domain=/s/${secret}`],
    [`/tokens/${secret}`],
    [`/login/${secret}`],
    [`/?host=x.${secret}.s.hdfgroup.org`],
    ['/', { host: secret }],
    ['/', { host: `127.0.0.1/s/${secret}` }],
    ['/', { host: `${secret}.s.hdfgroup.org` }],
    ['/about', { host: `s/${secret}`, origin: `http://x/s/${secret}` }],
    ['/?domain=/x', { 'x-hdf-domain': `/s/${secret}/x` }],
    ['/about', { authorization: `Bearer ${secret}` }],
    ['/about', { authorization: `Basic ${btoa(`${secret}:${secret}`)}` }],
    ['/?domain=/x', { 'x-forwarded-for': `/s/${secret}` }],
  ]
  for (const [target, headers = {}] of misplaced) {
    const options = { headers: { authorization: basic('ann', 'ann-secret'), ...headers }, undeclared: true }
    const { status, text, story } = await sendTo(server.address, 'GET', target, undefined, options)
    expect(status, story).toBeLessThan(500)
    if (status >= 400) expect(text, `${target} ${JSON.stringify(headers)}`).not.toContain(secret)
  }
  const { shares } = (await send('GET', '/shares', 'ann')).json<ShareList>()
  const uses = shares[0]?.uses ?? 0
  expect(uses).toBeGreaterThan(20)
  await send('GET', `${pathname}?domain=/home/ann/run.h5`)
  await server.end()
  expect(server.log()).toContain(`"share":"${id}"`)
  expect(server.log()).toContain('"path":"/s/.../ui"')
  expect(server.log()).not.toContain(secret)
  const stored = await storedText(open())
  expect(stored).toContain('/home/ann/run.h5')
  expect(stored).not.toContain(secret)
  server = await serveHere({ logLevel: 'debug' }, { engine: open() })
  const after = (await send('GET', '/shares', 'ann')).json<ShareList>()
  expect(after.shares[0]?.uses).toBe(uses + 1)
})

test('copy takes shares along: the copy knows the address, and has no secret', async () => {
  const share = await send('POST', '/shares', 'ann', { domain: '/home/ann/run.h5', end: '2999-01-01' })
  const { pathname } = new URL(share.json<{ address: string }>().address)
  const openCopy = sharedMemory()
  await makeCopy(open(), openCopy(), {})
  expect(await storedText(openCopy())).not.toContain(pathname.split('/')[2])
  await server.end()
  server = await serveHere({}, { engine: openCopy() })
  expect((await send('GET', `${pathname}?domain=/home/ann/run.h5`)).status).toBe(200)
})
