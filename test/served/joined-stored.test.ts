// Joined domains that are made of domains of the store, in a service without mounts.

import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ready } from 'h5wasm/node'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { day, writeMember } from '../fixtures/join-members.ts'
import { ACCOUNTS, type ServedHere, serveHere } from '../fixtures/served.ts'
import { ADMIN, type Fields, type Reply, sendTo, USER1, USER2 } from '../wire/client.ts'
import { newWorkingDirectory } from '../wire/server.ts'

const SOON = { timeout: 60_000 }

let directory: string
let server: ServedHere

beforeAll(async () => {
  await ready
  directory = await newWorkingDirectory()
  server = await serveHere({}, { users: { ...ACCOUNTS, [USER2]: { password: 'test' } } })
  for (const [folder, owner] of [
    ['/home', ADMIN],
    ['/runs', ADMIN],
    [`/home/${USER1}`, USER1],
    [`/home/${USER2}`, USER2],
  ] as const) {
    const made = await send('PUT', `/?domain=${folder}`, { folder: true, owner })
    expect(made.status, made.story).toBe(201)
  }
})

afterAll(async () => {
  expect(await server.findings()).toEqual([])
  await server.end()
  await rm(directory, { recursive: true, force: true })
})

const send = (
  method: 'GET' | 'PUT' | 'DELETE',
  target: string,
  body?: Fields | Uint8Array,
  user: string = ADMIN,
): Promise<Reply> =>
  sendTo(server.address, method, target, body, {
    user,
    ...(body instanceof Uint8Array && { headers: { 'content-type': 'application/x-hdf5' } }),
  })

async function upload(domain: string, first: number, count: number, user = ADMIN): Promise<void> {
  const path = join(directory, 'made.nc')
  writeMember(path, day(first, count))
  const reply = await send('PUT', `/h5${domain}`, readFileSync(path), user)
  expect(reply.status, reply.story).toBe(201)
}

async function make(domain: string, sources: string | string[], user = ADMIN): Promise<void> {
  const reply = await send('PUT', `/?domain=${domain}`, { join: { sources, along: 'time' } }, user)
  expect(reply.status, reply.story).toBe(201)
}

async function value(domain: string, path: string, user = ADMIN): Promise<unknown> {
  const reply = await send('GET', `/value?domain=${domain}&h5path=${path}`, undefined, user)
  return reply.status === 200 ? reply.json<{ value: unknown }>().value : reply.status
}

describe('a domain that is made of stored ones', () => {
  it('has their elements, those of new ones, and those of changed ones, with an event', async () => {
    await upload('/runs/a.nc', 0, 2)
    await upload('/runs/b.nc', 2, 1)
    await make('/all.nc', '/runs/*.nc')
    expect(await value('/all.nc', '/time')).toEqual([0, 1, 2])
    expect(await value('/all.nc', '/g/d')).toEqual([
      [0, 1],
      [10, 11],
      [20, 21],
    ])
    const { next } = (await send('GET', '/events?domain=/all.nc&wait=0')).json<{ next: string }>()
    const { id } = (await send('GET', '/?domain=/runs/a.nc&h5path=/g/d')).json<{ id: string }>()
    const row = { start: [0, 0], stop: [1, 2], value: [[7, 8]] }
    const written = await send('PUT', `/datasets/${id}/value?domain=/runs/a.nc`, row)
    expect(written.status, written.story).toBe(200)
    await upload('/runs/c.nc', 3, 1)
    const rows = [
      [7, 8],
      [10, 11],
      [20, 21],
      [30, 31],
    ]
    await vi.waitFor(async () => expect(await value('/all.nc', '/g/d')).toEqual(rows), SOON)
    await vi.waitFor(async () => {
      const page = await send('GET', `/events?domain=/all.nc&wait=0&since=${next}`)
      expect(page.json<{ events: unknown[] }>().events.length).toBeGreaterThan(0)
    }, SOON)
  })

  it('keeps the place of one that is deleted, and is never made of itself', async () => {
    await upload('/runs/d.h5', 0, 1)
    await upload('/runs/e.h5', 1, 1)
    await make('/runs/f.h5', ['/runs/*.h5'])
    expect(await value('/runs/f.h5', '/time')).toEqual([0, 1])
    await send('DELETE', '/?domain=/runs/d.h5')
    await vi.waitFor(async () => expect(await value('/runs/f.h5', '/time')).toBe(501), SOON)
    const { unwell } = (await send('GET', '/?domain=/runs/f.h5')).json<{ unwell: unknown }>()
    expect(unwell).toEqual([{ file: '/runs/d.h5', reason: 'the file /runs/d.h5 is gone' }])
    expect((await send('GET', '/value?domain=/runs/f.h5&h5path=/time&select=[1]')).json()).toMatchObject({
      value: [1],
    })
    const again = { join: { sources: '/runs/f.h5', along: 'time' } }
    const refused = await send('PUT', '/?domain=/runs/g.h5', again)
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('there is no HDF5 file')])
  })

  it('is read and made by callers alone that may read all of them, at the moment of the request', async () => {
    const home = `/home/${USER1}`
    await upload(`${home}/a.nc`, 0, 1, USER1)
    await upload(`${home}/b.nc`, 1, 1, USER1)
    await make(`${home}/all.h5`, `${home}/*.nc`, USER1)
    const grant = async (name: string, read: boolean) => {
      const reply = await send('PUT', `/acls/${USER2}?domain=${home}/${name}`, { read }, USER1)
      expect(reply.status, reply.story).toBe(201)
    }
    await grant('all.h5', true)
    await grant('a.nc', true)
    expect(await value(`${home}/all.h5`, '/time', USER2)).toBe(403)
    const join = { sources: `${home}/*.nc`, along: 'time' }
    for (const dry_run of [true, false]) {
      const refused = await send('PUT', `/?domain=/home/${USER2}/x.h5`, { join, dry_run }, USER2)
      expect([refused.status, refused.text], refused.story).toEqual([
        403,
        expect.stringContaining('would be made of'),
      ])
    }
    await grant('b.nc', true)
    expect(await value(`${home}/all.h5`, '/time', USER2)).toEqual([0, 1])
    await grant('b.nc', false)
    expect(await value(`${home}/all.h5`, '/time', USER2)).toBe(403)
  })

  it('does not tell which files are in a folder that its caller may not read', async () => {
    const closed = `/home/${USER1}/closed`
    const made = await send('PUT', `/?domain=${closed}`, { folder: true }, USER1)
    expect(made.status, made.story).toBe(201)
    const list = await send('PUT', `/acls/default?domain=${closed}`, { read: false }, USER1)
    expect(list.status, list.story).toBe(201)
    for (const sources of [`${closed}/none*`, `${closed}/none.nc`]) {
      const dry = { join: { sources, along: 'time' }, dry_run: true }
      const refused = await send('PUT', `/?domain=/home/${USER2}/x.h5`, dry, USER2)
      expect(refused.status, refused.story).toBe(403)
    }
  })
})
