// A joined domain of more files than are read before it is made, in a service that is killed while the others are read:
// after the next start, with two processes, it gets the rest, and nothing in the store is wrong.

import { readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ready } from 'h5wasm/node'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { day, writeMember } from '../fixtures/join-members.ts'
import { type Fields, sendTo } from '../wire/client.ts'
import { newWorkingDirectory, type RunningServer, runCommand, startServer } from '../wire/server.ts'

const FILES = 6000
/** A machine that is busy reads some hundred files in a second. */
const SOON = { timeout: 300_000, interval: 200 }

let directory: string
let server: RunningServer | undefined

beforeEach(async () => {
  await ready
  directory = await newWorkingDirectory()
  const first = join(directory, 'first')
  writeMember(first, day(0, 1))
  const bytes = readFileSync(first)
  await mkdir(join(directory, 'runs'))
  for (let n = 0; n < FILES; n++) await writeFile(join(directory, 'runs', `run_${n}.h5`), bytes)
  await runCommand(directory, ['user', 'add', 'admin', '--admin'], 'admin\n')
})
afterEach(async () => {
  await server?.end('SIGKILL')
  await rm(directory, { recursive: true, force: true })
})

async function start(...options: readonly string[]): Promise<void> {
  server = await startServer(directory, ['--mount', join(directory, 'runs'), ...options])
}

async function get<T>(target: string): Promise<T> {
  const reply = await sendTo(server?.address ?? '', 'GET', target, undefined, { user: 'admin' })
  expect(reply.status, reply.story).toBe(200)
  return reply.json<T>()
}

const describeAll = () => get<Fields>('/?domain=/all.h5')

test('a domain that grows is whole after a kill and a start', { timeout: 600_000 }, async () => {
  await start()
  const along = { new: 'run', coordinate: 'run_{n:d}.h5', datasets: ['/still'] }
  const body = { join: { sources: '/runs/*.h5', along } }
  const made = await sendTo(server?.address ?? '', 'PUT', '/?domain=/all.h5', body, { user: 'admin' })
  expect(made.status, made.story).toBe(201)
  // This look begins to read the others.
  expect(await describeAll()).toMatchObject({ num_files: FILES, joining: { joined: 5000 } })
  await server?.end('SIGKILL')
  await start('--workers', '2')
  await vi.waitFor(async () => expect(await describeAll()).not.toHaveProperty('joining'), SOON)
  // Both processes have it.
  for (let i = 0; i < 8; i++) {
    const { value } = await get<{ value: number[] }>('/value?domain=/all.h5&h5path=/run')
    expect(value).toEqual(Array.from({ length: FILES }, (_, n) => n))
  }
  await server?.end('SIGTERM')
  server = undefined
  expect(await runCommand(directory, ['check', 'data'])).toContain('nothing is wrong')
})
