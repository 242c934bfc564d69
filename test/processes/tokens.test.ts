// Tokens and sessions while several servers and commands use one store: what one makes or ends, the others know. Their
// secrets are in no log, no answer but the first, and not in the store or a copy of it.

import { execFile } from 'node:child_process'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
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
/** All that the servers have logged. */
let logged: string

beforeEach(async () => {
  directory = await newWorkingDirectory()
  await runCommand(directory, ['user', 'add', 'ann'], 'secret of ann\n')
  logged = ''
  servers = await Promise.all(
    ['1', '2'].map(workers => startServer(directory, ['--log-level', 'trace', '--workers', workers])),
  )
  for (const { process } of servers) {
    for (const stream of [process.stdout, process.stderr])
      stream?.on('data', (piece: Buffer) => {
        logged += piece.toString()
      })
  }
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

/** All bytes of the files below a folder. */
async function bytesBelow(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile())
  const contents = files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1'))
  return (await Promise.all(contents)).join('')
}

test('a token of a command is accepted by every server, and by none when the command that revokes it has ended', async () => {
  const token = (
    await command('token', 'create', 'ann', '--name', 'beam', '--end', '2999-01-01', '--write')
  ).trim()
  const bearer = { authorization: `Bearer ${token}` }
  expect(await statuses(bearer)).toEqual([200])
  expect(await statuses({ authorization: basic('ann', token) })).toEqual([200])
  const list = await command('token', 'list')
  expect(list).toMatch(
    /^ann {2}[0-9a-f]{16} {2}until 2999-01-01T00:00:00.000Z {2}read and write all {2}beam$/m,
  )
  expect(list).not.toContain(token)
  await command('token', 'revoke', 'ann', list.split(/ +/)[1] ?? '')
  expect(await statuses(bearer)).toEqual([401])
  await expect(command('token', 'create', 'bob', '--name', 'x', '--end', '2999-01-01')).rejects.toThrow(
    'no account "bob"',
  )
})

test('a session that one server ends is ended in all, and so are all with a new password or without the account', async () => {
  const [one] = servers
  const logIn = async (password: string) => {
    const headers = { authorization: basic('ann', password) }
    const reply = await sendTo(one.address, 'POST', '/login', undefined, { headers, alone: true })
    expect(reply.status, reply.story).toBe(201)
    const port = new URL(one.address).port
    const secret = /=([\w-]+);/.exec(reply.headers['set-cookie']?.[0] ?? '')?.[1] ?? ''
    // The name of the cookie has the port of its server.
    const cookie = servers.map(({ address }) => `hyperslab-${new URL(address).port}=${secret}`).join('; ')
    expect(cookie).toContain(`hyperslab-${port}=`)
    return { cookie, 'x-requested-with': 'test' }
  }
  const [first, second] = [await logIn('secret of ann'), await logIn('secret of ann')]
  expect(await statuses(first)).toEqual([200])
  await sendTo(one.address, 'DELETE', '/login', undefined, { headers: first, alone: true })
  expect(await statuses(first)).toEqual([401])
  expect(await statuses(second)).toEqual([200])
  await runCommand(directory, ['user', 'add', 'ann'], 'another secret\n')
  expect(await statuses(second)).toEqual([401])
  const third = await logIn('another secret')
  await runCommand(directory, ['user', 'remove', 'ann'])
  expect(await statuses(third)).toEqual([401])
})

test('secrets are in no log, not in the store and not in a copy of it', async () => {
  const [{ address }] = servers
  const authorization = basic('ann', 'secret of ann')
  const login = await sendTo(address, 'POST', '/login', undefined, { headers: { authorization } })
  const session = /=([\w-]+);/.exec(login.headers['set-cookie']?.[0] ?? '')?.[1] ?? ''
  const cookie = `hyperslab-${new URL(address).port}=${session}`
  const body = { name: 'beam', end: '2999-01-01', writes: true }
  const made = await sendTo(address, 'POST', '/tokens', body, {
    headers: { cookie, 'x-requested-with': 'test' },
  })
  const { token } = made.json<{ token: string }>()
  const wrong = `hyperslab_${'w'.repeat(43)}`
  const replies = [login]
  for (const sent of [
    `Bearer ${token}`,
    `Bearer ${wrong}`,
    basic('ann', wrong),
    basic(wrong, 'x'),
    basic('ann', 'guess'),
  ])
    replies.push(await sendTo(address, 'GET', '/about', undefined, { headers: { authorization: sent } }))
  replies.push(await sendTo(address, 'GET', '/about', undefined, { headers: { cookie: `${cookie}x` } }))
  replies.push(await sendTo(address, 'GET', '/sessions', undefined, { headers: { cookie } }))
  expect(replies.map(({ status }) => status)).toEqual([201, 200, 401, 401, 401, 401, 401, 200])
  await command('copy', 'data', '--to', 'copy')
  await expect.poll(() => logged).toContain('a login failed')
  const files = (await bytesBelow(join(directory, 'data'))) + (await bytesBelow(join(directory, 'copy')))
  for (const secret of [session, token.slice(10), wrong.slice(10), 'guess', 'secret of ann']) {
    expect(logged).not.toContain(secret)
    expect(files).not.toContain(secret)
    for (const { text } of replies) expect(text).not.toContain(secret)
  }
  expect(files).toContain('beam')
})
