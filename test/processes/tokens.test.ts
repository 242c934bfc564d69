// Tokens that commands make and revoke while several servers use the store.

import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { basic, type Options, sendTo } from '../wire/client.ts'
import {
  COMMAND,
  commandEnvironment,
  newWorkingDirectory,
  type RunningServer,
  runCommand,
  startServer,
} from '../wire/server.ts'

const run = promisify(execFile)

let directory: string
let servers: RunningServer[]

beforeEach(async () => {
  directory = await newWorkingDirectory()
  await runCommand(directory, ['user', 'add', 'ann'], 'secret of ann\n')
  servers = await Promise.all(['1', '2'].map(workers => startServer(directory, ['--workers', workers])))
})

afterEach(async () => {
  await Promise.all(servers.map(server => server.end('SIGTERM')))
  await runCommand(directory, ['check', 'data'])
  await rm(directory, { recursive: true, force: true })
})

async function command(...args: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [COMMAND, ...args], {
    cwd: directory,
    env: commandEnvironment(),
  })
  return stdout
}

/** The statuses of a request, of each worker of each server. */
async function statuses(headers: Options['headers'] & object): Promise<number[]> {
  const replies = servers.flatMap(({ address }) =>
    [1, 2, 3, 4].map(() => sendTo(address, 'GET', '/about', undefined, { headers, alone: true })),
  )
  return [...new Set((await Promise.all(replies)).map(({ status }) => status))]
}

test('a token of a command is accepted by every server, and by none when the command that revokes it has ended', async () => {
  const token = (
    await command('token', 'create', 'ann', '--name', 'beam', '--end', '2999-01-01', '--write')
  ).trim()
  const bearer = { authorization: `Bearer ${token}` }
  expect(await statuses(bearer)).toEqual([200])
  expect(await statuses({ authorization: basic('ann', token) })).toEqual([200])
  // The servers store its uses some seconds later.
  const row =
    /^ann {2}[0-9a-f]{16} {2}until 2999-01-01T00:00:00.000Z {2}used \S+Z {2}read and write all {2}beam$/m
  await expect.poll(() => command('token', 'list')).toMatch(row)
  const list = await command('token', 'list')
  expect(list).not.toContain(token)
  await command('token', 'revoke', 'ann', list.split(/ +/)[1] ?? '')
  expect(await statuses(bearer)).toEqual([401])
  await expect(command('token', 'create', 'bob', '--name', 'x', '--end', '2999-01-01')).rejects.toThrow(
    'no account "bob"',
  )
})
