// A joined domain of more files than are read before it is made: it has the first of them at once, and all of them soon
// and after a restart.

import { readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ready } from 'h5wasm/node'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { day, writeMember } from '../fixtures/join-members.ts'
import { ACCOUNTS, type ServedHere, serveHere, sharedMemory } from '../fixtures/served.ts'
import { ADMIN, type Fields, sendTo } from '../wire/client.ts'
import { newWorkingDirectory } from '../wire/server.ts'

const FILES = 5200
/** A machine that is busy reads some hundred files in a second. */
const SOON = { timeout: 300_000, interval: 500 }

let directory: string
const open = sharedMemory()

beforeAll(async () => {
  await ready
  directory = await newWorkingDirectory()
  const first = join(directory, 'first')
  writeMember(first, day(0, 1))
  const bytes = readFileSync(first)
  await mkdir(join(directory, 'runs'))
  for (let n = 0; n < FILES; n++) {
    const path = join(directory, 'runs', `run_${n}.h5`)
    writeFileSync(path, bytes)
    utimesSync(path, 1e9, 1e9)
  }
})

afterAll(() => rm(directory, { recursive: true, force: true }))

const serve = () =>
  serveHere({ mount: [`${join(directory, 'runs')}=/runs`] }, { engine: open(), users: ACCOUNTS })

async function describeAll({ address }: ServedHere): Promise<Fields> {
  const reply = await sendTo(address, 'GET', '/?domain=/all.h5', undefined, { user: ADMIN })
  expect(reply.status, reply.story).toBe(200)
  return reply.json<Fields>()
}

async function runsOf({ address }: ServedHere): Promise<unknown> {
  const reply = await sendTo(address, 'GET', '/value?domain=/all.h5&h5path=/run', undefined, { user: ADMIN })
  expect(reply.status, reply.story).toBe(200)
  return reply.json<{ value: unknown }>().value
}

it('a domain of very many files has the first at once, all of them soon, and after a restart', {
  timeout: 600_000,
}, async () => {
  const server = await serve()
  const along = { new: 'run', coordinate: 'run_{n:d}.h5', datasets: ['/still'] }
  const body = { join: { sources: '/runs/*.h5', along } }
  const made = await sendTo(server.address, 'PUT', '/?domain=/all.h5', body, { user: ADMIN })
  expect(made.status, made.story).toBe(201)
  const first = await describeAll(server)
  expect(first).toMatchObject({ num_files: FILES, joining: { joined: 5000 } })
  await vi.waitFor(async () => expect(await describeAll(server)).not.toHaveProperty('joining'), SOON)
  const whole = await describeAll(server)
  expect(whole.state).not.toBe(first.state)
  const all = Array.from({ length: FILES }, (_, n) => n)
  expect(await runsOf(server)).toEqual(all)
  expect(await server.findings()).toEqual([])
  await server.end()
  const again = await serve()
  expect(await describeAll(again)).toMatchObject({ num_files: FILES, state: whole.state })
  expect(await runsOf(again)).toEqual(all)
  await again.end()
})
