// Joined domains with files on other machines: what fails there does not keep the others from being read.

import { readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ready } from 'h5wasm/node'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { day, writeMember } from '../fixtures/join-members.ts'
import { type RangeServer, startRangeServer } from '../fixtures/range-server.ts'
import { ACCOUNTS, type ServedHere, serveHere } from '../fixtures/served.ts'
import { ADMIN, type Fields, sendTo } from '../wire/client.ts'
import { newWorkingDirectory } from '../wire/server.ts'

const SOON = { timeout: 60_000 }

let directory: string
let web: RangeServer
let server: ServedHere

beforeAll(async () => {
  await ready
  directory = await newWorkingDirectory()
  web = await startRangeServer()
  await mkdir(join(directory, 'near'))
  writeMember(join(directory, 'near', 'b.nc'), day(2, 2))
  for (const [name, first] of [
    ['a', 0],
    ['c', 4],
  ] as const)
    put(name, first)
  const list = join(directory, 'far.txt')
  await writeFile(list, `${web.address}/a.nc\n${web.address}/c.nc\n`)
  const mount = [`${join(directory, 'near')}=/near`, `${list}=/far`]
  server = await serveHere({ mount }, { users: ACCOUNTS })
  for (const [name, rest] of [
    ['all', {}],
    ['filled', { missing: 'fill' }],
  ] as const) {
    const join = { sources: ['/near/*.nc', '/far/*.nc'], along: 'time', ...rest }
    const made = await send('PUT', `/?domain=/${name}.nc`, { join })
    expect(made.status, made.story).toBe(201)
  }
})

afterAll(async () => {
  await server.end()
  await web.close()
  await rm(directory, { recursive: true, force: true })
})

beforeEach(() => {
  web.intercept = undefined
})

function put(name: string, first: number): void {
  const path = join(directory, `${name}.nc`)
  writeMember(path, day(first, 2))
  web.files.set(`/${name}.nc`, { bytes: readFileSync(path) })
}

const send = (method: 'GET' | 'PUT', target: string, body?: Fields) =>
  sendTo(server.address, method, target, body, { user: ADMIN })

async function rows(name: string, select: string): Promise<readonly unknown[]> {
  const reply = await send('GET', `/value?domain=/${name}.nc&h5path=/g/d&select=${select}`)
  const body = reply.json<{ value?: unknown; message?: string }>()
  return [reply.status, body.value ?? body.message]
}

it('a file whose server fails is 503 with its name, where it is read, and fill values do not hide it', async () => {
  expect(await rows('all', '[0:6,0]')).toEqual([200, [[0], [10], [20], [30], [40], [50]]])
  web.intercept = (request, response) => {
    if (request.url !== '/a.nc') return false
    response.writeHead(500).end()
    return true
  }
  const failing = [503, '/far/a.nc cannot be read from its server now: it answers 500']
  for (const name of ['all', 'filled']) {
    await vi.waitFor(async () => expect(await rows(name, '[0:6,0]')).toEqual(failing), SOON)
    expect(await rows(name, '[2:6,0]')).toEqual([200, [[20], [30], [40], [50]]])
  }
  const { unwell } = (await send('GET', '/?domain=/all.nc')).json<{ unwell: unknown }>()
  expect(unwell).toEqual([{ file: '/far/a.nc', reason: failing[1] }])
  web.intercept = undefined
  await vi.waitFor(async () => expect((await rows('all', '[0:6,0]'))[0]).toBe(200), SOON)
})

it('a file that its server has no more is gone, and one that changes is read anew', async () => {
  const kept = web.files.get('/c.nc')
  web.files.delete('/c.nc')
  const gone = [501, expect.stringContaining('/far/c.nc is gone')]
  await vi.waitFor(async () => expect(await rows('all', '[0:6,0]')).toEqual(gone), SOON)
  expect(await rows('filled', '[2:6,0]')).toEqual([200, [[20], [30], [0], [0]]])
  if (kept) web.files.set('/c.nc', kept)
  put('c', 5)
  await vi.waitFor(
    async () => expect(await rows('all', '[2:6,0]')).toEqual([200, [[20], [30], [50], [60]]]),
    SOON,
  )
})
