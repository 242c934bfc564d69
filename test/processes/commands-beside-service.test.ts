// Commands beside a running service use the records through it: they do not open LMDB. Services and commands that are
// killed or stopped meanwhile. The tests stand between both: a command meets a socket of the test, which passes on what
// it gets, and acts when the command has sent as much as the test needs.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { copyFile, cp, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import h5wasm, { ready } from 'h5wasm/node'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { killProcess } from '../fixtures/kill-process.ts'
import { sendTo } from '../wire/client.ts'
import {
  COMMAND,
  commandEnvironment,
  newWorkingDirectory,
  type RunningServer,
  runCommand,
  startServer,
} from '../wire/server.ts'

const WAIT = { timeout: 60_000, interval: 50 }

let directory: string
let server: RunningServer
let relay: Server | undefined
const children: ChildProcess[] = []
const sockets: Socket[] = []

/** The beginning of each test: a data folder, and a file to import. */
let template: string

beforeAll(async () => {
  await ready
  template = await newWorkingDirectory()
  await runCommand(template, ['user', 'add', 'admin', '--admin'], 'admin\n')
  // Its values are too long for records, and its objects for a few requests.
  const file = new h5wasm.File(join(template, 'large.h5'), 'w')
  file.create_dataset({ name: 'numbers', data: Float64Array.from({ length: 100_000 }, (_, i) => i + 0.5) })
  for (let number = 0; number < 3000; number++) file.create_group(`group ${number}`)
  file.close()
  await runCommand(template, ['import', 'large.h5', '--as', '/before', '--data', 'data'])
})
afterAll(() => rm(template, { recursive: true, force: true }))
beforeEach(async () => {
  directory = await newWorkingDirectory()
  await cp(template, directory, { recursive: true })
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const socket of sockets.splice(0)) socket.destroy()
  relay?.close()
  relay = undefined
  await server.end('SIGKILL')
  await rm(directory, { recursive: true, force: true })
})

const commandsFolder = () => join(directory, 'data', 'lmdb', 'commands')

function start(...args: readonly string[]) {
  const child = spawn(process.execPath, [COMMAND, ...args], { cwd: directory, env: commandEnvironment() })
  children.push(child)
  child.stdin.end('a password\n')
  const printed = Promise.all([text(child.stdout), text(child.stderr)])
  const ended = once(child, 'close').then(async ([code, signal]) => {
    const [out, err] = await printed
    return { code, signal, out, err }
  })
  return { child, ended }
}

/** `pieces` and `bytes` that the command has sent, of which the service has got the ones before. */
type When = (pieces: number, bytes: number) => boolean

/** Puts a socket before that of the service. `act` is called once, when a command sends something and `when` holds. */
async function relayCommands(when: When, act: () => void): Promise<void> {
  const [name = ''] = await readdir(commandsFolder())
  const service = join(directory, 'service')
  await rename(join(commandsFolder(), name), service)
  let hasActed = false
  relay = createServer(command => {
    const end = connect(service)
    sockets.push(command, end)
    for (const socket of [command, end]) socket.on('error', () => undefined)
    let pieces = 0
    let bytes = 0
    let isHeld = false
    command.on('data', piece => {
      pieces++
      bytes += piece.length
      if (!hasActed && when(pieces, bytes)) {
        hasActed = true
        isHeld = true
        act()
      }
      if (!isHeld) end.write(piece)
    })
    end.on('data', piece => command.write(piece))
    end.on('close', () => command.destroy())
    command.on('close', () => end.destroy())
  })
  relay.listen(join(commandsFolder(), name))
  await once(relay, 'listening')
}

/** The files of LMDB that the process has open or has mapped. */
function filesOfLmdb({ pid = 0 }: ChildProcess): readonly string[] {
  return readFileSync(`/proc/${pid}/maps`, 'utf8').match(/\/data\/lmdb\/\w+\.mdb/g) ?? []
}

/** Resolves with what `relayCommands` acts at. */
function nextRequest(when: When = pieces => pieces > 1): Promise<void> {
  return new Promise((resolve, reject) => {
    relayCommands(when, resolve).catch(reject)
  })
}

const blobs = () =>
  readdirSync(join(directory, 'data', 'blobs'), { recursive: true, withFileTypes: true }).filter(entry =>
    entry.isFile(),
  ).length

const CHECK = ['check', 'data']
const EXPORT = ['export', '/before', '--to', 'out.h5', '--data', 'data']
const IMPORT = ['import', 'large.h5', '--as', '/new', '--data', 'data']
/** Bytes that `IMPORT` has sent then; it has three commits of the same size, and some that are small. */
const WITHIN_SECOND_COMMIT = 800_000
const LIST = ['user', 'list', '--data', 'data']

it.each([CHECK, EXPORT, IMPORT, LIST, ['copy', 'data', '--to', 'copied']].map(args => [args]))(
  '%j does not open LMDB in the folder of the service',
  async args => {
    server = await startServer(directory)
    const requested = nextRequest()
    const { child, ended } = start(...args)
    await requested
    expect(filesOfLmdb(child)).toEqual([])
    child.kill('SIGKILL')
    await ended
  },
)

describe.each(['SIGKILL', 'SIGTERM'] as const)('the service ends by %s while a command runs', signal => {
  const ENDED = 'the service that has the data folder open has ended; .{0,60}run the command again'

  it.each<[readonly string[], When, number, string]>([
    [CHECK, pieces => pieces === 2, 2, `^hyperslab: the data folder .* cannot be checked: ${ENDED}\n$`],
    [EXPORT, pieces => pieces === 100, 1, `^hyperslab: ${ENDED}\n$`],
    [
      IMPORT,
      (_, bytes) => bytes > WITHIN_SECOND_COMMIT,
      1,
      `^large.h5: ${ENDED}\nhyperslab: 1 of 1 file could not be imported`,
    ],
    [LIST, () => true, 1, `^hyperslab: .*${ENDED}\n$`],
  ])('%j ends with a message', async (args, when, code, message) => {
    server = await startServer(directory)
    const requested = nextRequest(when)
    const { ended } = start(...args)
    await requested
    await server.end(signal)
    const end = await ended
    expect(end).toMatchObject({ code, err: expect.stringMatching(message) })
  })
})

it('what a killed import has put is removed', async () => {
  server = await startServer(directory)
  const before = blobs()
  const requested = nextRequest((_, bytes) => bytes > WITHIN_SECOND_COMMIT)
  const { child, ended } = start(...IMPORT)
  await requested
  expect((await start(...CHECK).ended).out).toContain('unfinished-import')
  child.kill('SIGKILL')
  await ended
  await vi.waitFor(() => expect(blobs()).toBe(before), WAIT)
  await vi.waitFor(async () => {
    const { out } = await start(...CHECK).ended
    expect(out).toMatch(/^\d+ domains.*nothing is wrong\n$/)
  }, WAIT)
})

it('a stopped service is passed over by a new command, and one that waits for it ends by signals', async () => {
  server = await startServer(directory)
  const requested = nextRequest()
  const check = start(...CHECK)
  await requested
  server.process.kill('SIGSTOP')
  check.child.kill('SIGINT')
  expect(await check.ended).toMatchObject({ signal: 'SIGINT' })
  expect(await start(...LIST).ended).toMatchObject({ code: 0, out: 'admin  admin\n' })
})

describe('two workers', () => {
  /** The worker whose socket has the name. */
  function workerOf(name: string): number | undefined {
    const { pid } = server.process
    const ids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .split(' ')
      .filter(Boolean)
      .map(Number)
    // Sockets of the relay have the name, too.
    const sockets = readFileSync('/proc/net/unix', 'utf8')
      .split('\n')
      .filter(line => line.includes(name))
      .map(line => `socket:[${line.trim().split(/\s+/)[6]}]`)
    const hasOpen = (id: number) =>
      readdirSync(`/proc/${id}/fd`).some(fd => {
        try {
          return sockets.includes(readlinkSync(`/proc/${id}/fd/${fd}`))
        } catch {
          return false
        }
      })
    return ids.find(hasOpen)
  }

  it('the command ends when the worker that serves it is killed; the service and other commands go on', async () => {
    server = await startServer(directory, ['--workers', '2'])
    // A socket has another name until it listens.
    const names = await vi.waitUntil(async () => {
      const found = (await readdir(commandsFolder())).filter(name => /^[0-9a-f]{16}$/.test(name))
      return found.length === 2 && found
    }, WAIT)
    const [name = '', other = ''] = names
    await rename(join(commandsFolder(), other), join(directory, 'other'))
    const requested = nextRequest()
    const { ended } = start(...CHECK)
    await requested
    killProcess(await vi.waitUntil(() => workerOf(name), WAIT))
    expect(await ended).toMatchObject({ code: 2, err: expect.stringContaining('has ended') })
    expect(await start(...IMPORT).ended).toMatchObject({ code: 0 })
    expect((await sendTo(server.address, 'GET', '/about')).status).toBe(200)
  })
})

it('a socket that a killed service has left is removed', async () => {
  server = await startServer(directory)
  await server.end('SIGKILL')
  expect(await readdir(commandsFolder())).toHaveLength(1)
  expect(await start(...LIST).ended).toMatchObject({ code: 0 })
  expect(await readdir(commandsFolder())).toEqual([])
})

it('a folder whose path is too long for a socket', async () => {
  const above = directory
  directory = join(directory, 'a'.repeat(120))
  try {
    await rename(join(above, 'data'), join(above, 'moved'))
    await mkdir(directory)
    await rename(join(above, 'moved'), join(directory, 'data'))
    await copyFile(join(above, 'large.h5'), join(directory, 'large.h5'))
    server = await startServer(directory)
    expect(await readdir(commandsFolder())).toHaveLength(1)
    const { ended } = start(...IMPORT)
    expect(await ended).toMatchObject({ code: 0, err: '' })
    await server.end('SIGTERM')
    expect(await readdir(commandsFolder())).toEqual([])
  } finally {
    directory = above
  }
})

it('without a place for its socket the service starts with a warning, and commands open the folder', async () => {
  await writeFile(commandsFolder(), '')
  server = await startServer(directory, ['--log-level', 'warn'])
  expect(await start(...LIST).ended).toMatchObject({ code: 0, out: 'admin  admin\n' })
})
