// A change of the owner of many domains in a server that is killed at some moment: all of them have the new owner, or
// none has, and the same request completes it.

import { rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ADMIN, type Fields, hasLostConnection, type Method, sendTo, USER1, USER2 } from '../wire/client.ts'
import { newWorkingDirectory, runCommand, startServer } from '../wire/server.ts'

const DOMAINS = 400
/** Milliseconds between the request and the kill: before, within or after the change, whichever it is. */
const MOMENTS = [10, 30, 60, 100, 150, 250]

test('killed within a change of all owners: it has happened as a whole or not at all', async () => {
  const directory = await newWorkingDirectory()
  await runCommand(directory, ['user', 'add', ADMIN, '--admin'], 'admin\n')
  for (const user of [USER1, USER2]) await runCommand(directory, ['user', 'add', user], 'test\n')
  let server = await startServer(directory)
  const want = async (status: number, method: Method, target: string, body?: unknown) => {
    const reply = await sendTo(server.address, method, target, body, { user: ADMIN })
    expect(reply.status, reply.story).toBe(status)
    return reply.json<Fields & { items: readonly Fields[] }>()
  }
  await want(201, 'PUT', '/?domain=/lab', { folder: true, owner: USER1 })
  const paths = Array.from({ length: DOMAINS }, (_, i) => `/lab/${i}.h5`)
  await Promise.all(paths.map(path => want(201, 'PUT', `/?domain=${path}`, { owner: USER1 })))
  let owner = USER1
  for (const moment of MOMENTS) {
    const body = { owner: owner === USER1 ? USER2 : USER1, below: true }
    const asked = sendTo(server.address, 'PUT', '/access?domain=/lab', body, { user: ADMIN }).catch(error => {
      if (!hasLostConnection(error)) throw error
    })
    await pause(moment)
    await server.end('SIGKILL')
    const reply = await asked
    server = await startServer(directory)
    const { items } = await want(200, 'GET', '/usage?folder=/lab&by=owner')
    expect(items).toHaveLength(1)
    expect(items[0]).toMatchObject({ domains: DOMAINS })
    if (reply) expect(items[0].owner, reply.story).toBe(body.owner)
    expect([owner, body.owner]).toContain(items[0].owner)
    await want(200, 'PUT', '/access?domain=/lab', body)
    expect(await want(200, 'PUT', '/access?domain=/lab', body)).toEqual({
      changed: 0,
      unchanged: DOMAINS + 1,
    })
    owner = body.owner
  }
  await server.end('SIGTERM')
  await runCommand(directory, ['check', 'data'])
  await rm(directory, { recursive: true, force: true })
})
