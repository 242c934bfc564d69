// The server that the wire tests talk to: the one at HYPERSLAB_TEST_URL, or one started here from `dist` on a temporary
// folder, with the accounts of `client.ts` and a file imported twice, and ended by its process id when the tests are
// done. It has HYPERSLAB_TEST_WORKERS processes; by default 2 in the project `workers`, otherwise one. In the project
// `nodes` it is HYPERSLAB_TEST_NODES servers, 3 by default, on one database of PostgreSQL and one bucket of S3, which
// take the connections in turn.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { startPostgres } from '../servers/postgres-server.ts'
import { environmentOf, startS3Server } from '../servers/s3-server.ts'
import { startTcpProxy } from '../servers/tcp-proxy.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** `http://host:port` of the server under test. */
    address: string
    /** Whether `fixtures/user-defined-link.h5` is there as /test/imported and /test/imported_read_only. */
    imported: boolean
    /** The data folder of the server; undefined where that is unknown. */
    dataFolder: string | undefined
    /** The file with the log of the server; undefined where that is unknown. */
    serverLog: string | undefined
    /** Several processes answer: each request has a connection of its own, so that any of them may answer it. */
    severalProcesses: boolean
  }
}

export const COMMAND = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const LINKED_FILE = fileURLToPath(new URL('./fixtures/user-defined-link.h5', import.meta.url))
/** The origin of pages that the server under test lets write and log in. */
export const VIEWER = 'http://viewer.example:8080'
/** A bucket besides the default one. */
export const BUCKET = 'archive'

/**
 * The server of the wire tests collects its garbage less often, and in one thread: several threads of V8 beside those
 * of the tests take more of the processor than they save.
 */
const V8_OPTIONS = ['--max-semi-space-size=64', '--single-threaded-gc']

const START_DEADLINE_MS = 90_000
/** `--shutdown-grace` is 30 s; less than the time that a test may take, so that what it waited for is said. */
const END_DEADLINE_MS = 60_000

/**
 * The environment of every command that a test starts: without settings of the user that runs the tests, which would
 * change what the command does, and without those of the tests, which it refuses.
 */
export function commandEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('HYPERSLAB_'))
  const baseDomain = process.env.HYPERSLAB_TEST_BASE_DOMAIN
  return { ...Object.fromEntries(own), ...(baseDomain && { HYPERSLAB_BASE_DOMAIN: baseDomain }) }
}

export interface RunningServer {
  readonly address: string
  /** All that it has printed on standard output. */
  readonly printed: () => string
  readonly process: ChildProcess
  /** Ends the process and waits until it is gone. */
  end(signal: NodeJS.Signals): Promise<void>
}

/** A working directory of its own; the data folder is `data` in it, which is also the command's default. */
export async function newWorkingDirectory(): Promise<string> {
  return await mkdtemp(join(tmpdir(), 'hyperslab-test-'))
}

interface StartOptions {
  readonly openFiles?: number
  /** A command that runs the server, which it gets as its last arguments, in the same process. */
  readonly wrapper?: readonly string[]
  /** Options of V8. */
  readonly v8?: readonly string[]
  /** Variables beside those of this process. */
  readonly environment?: NodeJS.ProcessEnv
  /** The file to which its log is added. */
  readonly log?: string
}

export async function startServer(
  directory: string,
  options: readonly string[] = [],
  { openFiles, wrapper = [], v8 = [], environment: more, log }: StartOptions = {},
): Promise<RunningServer> {
  const args = [COMMAND, 'serve', join(directory, 'data'), '--port', '0', '--host', '127.0.0.1']
  const command = [...wrapper, process.execPath, ...v8, ...args, '--buckets', BUCKET, ...options]
  const limited =
    openFiles === undefined
      ? command
      : ['/bin/sh', '-c', `ulimit -n ${openFiles}; exec "$@"`, 'sh', ...command]
  const [program = '', ...rest] = limited
  const child = spawn(program, rest, {
    cwd: directory,
    env: { ...commandEnvironment(), ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  child.stdout?.on('data', (piece: Buffer) => {
    printed += piece.toString('utf8')
  })
  if (log !== undefined) child.stderr?.on('data', (piece: Buffer) => appendFileSync(log, piece))
  const address = await printedAddress(child)
  return {
    address,
    printed: () => printed,
    process: child,
    end: signal => endProcess(child, signal),
  }
}

/** Sends the signal and waits until the process is gone; one that does not end is killed, and is an error. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  const isGone = await Promise.race([gone.then(() => true), pause(END_DEADLINE_MS, false, { ref: false })])
  if (isGone) return
  child.kill('SIGKILL')
  throw new Error(`hyperslab serve did not end in ${END_DEADLINE_MS / 1000} s after ${signal}`)
}

/** Waits for the line that tells the address; what the command prints is kept for the error message. */
function printedAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = ''
    const fail = (why: string) => reject(new Error(`hyperslab serve ${why}:\n${printed}`))
    const timer = setTimeout(() => fail('printed no address'), START_DEADLINE_MS)
    const look = (piece: Buffer) => {
      if (printed.length < 1e5) printed += piece.toString('utf8')
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)
      if (found === null) return
      clearTimeout(timer)
      resolve(found[0])
    }
    child.stdout?.on('data', look)
    child.stderr?.on('data', look)
    child.on('error', reject)
    child.on('close', code => {
      clearTimeout(timer)
      fail(`ended with ${code}`)
    })
  })
}

/** Runs `hyperslab ...` to its end, and returns what it printed, which is in the error when it fails. */
export async function runCommand(
  directory: string,
  args: readonly string[],
  input = '',
  more: NodeJS.ProcessEnv = {},
): Promise<string> {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    cwd: directory,
    env: { ...commandEnvironment(), ...more },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (piece: Buffer) => {
      printed += piece.toString('utf8')
    })
  }
  child.stdin.end(input)
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`hyperslab ${args.join(' ')} ended with ${code}:\n${printed}`)
  return printed
}

/** Vitest's global setup for the suites under `test/wire`. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const workers = process.env.HYPERSLAB_TEST_WORKERS ?? (project.name === 'workers' ? '2' : '1')
  const given = process.env.HYPERSLAB_TEST_URL
  if (given !== undefined) {
    project.provide('severalProcesses', workers !== '1')
    project.provide('address', given)
    project.provide('imported', false)
    project.provide('dataFolder', undefined)
    project.provide('serverLog', undefined)
    return undefined
  }
  const nodes = Number(process.env.HYPERSLAB_TEST_NODES ?? (project.name === 'nodes' ? '3' : '0'))
  const shared = nodes === 0 ? undefined : await startSharedStore()
  const environment = shared?.environment
  const directory = await newWorkingDirectory()
  const run = (args: readonly string[], input = '') => runCommand(directory, args, input, environment)
  await run(['user', 'add', 'test_user1'], 'test\n')
  await run(['user', 'add', 'test_user2'], 'test\n')
  await run(['user', 'add', 'admin', '--admin'], 'admin\n')
  await run(['import', LINKED_FILE, '--as', '/test/imported'])
  await run(['import', LINKED_FILE, '--as', '/test/imported_read_only', '--read-only'])
  const servers: RunningServer[] = []
  const log = join(directory, 'server.log')
  for (let number = 0; number < Math.max(nodes, 1); number++) {
    const place = join(directory, `node${number}`)
    if (shared) await mkdir(place)
    const options = ['--cors-origins', VIEWER, '--workers', workers]
    const more = { log, v8: V8_OPTIONS, ...(environment && { environment }) }
    servers.push(await startServer(shared ? place : directory, options, more))
  }
  const balancer = shared && (await startBalancer(servers))
  project.provide('severalProcesses', workers !== '1' || servers.length > 1)
  project.provide('address', balancer?.address ?? servers[0].address)
  project.provide('imported', true)
  project.provide('dataFolder', shared ? undefined : join(directory, 'data'))
  project.provide('serverLog', log)
  return async () => {
    await balancer?.close()
    await Promise.all(servers.map(server => server.end('SIGTERM')))
    // Whatever the tests have done, nothing is wrong with what is stored.
    await run(['check', 'data', '--values']).catch((error: unknown) => {
      console.error(error)
      // Vitest itself tells of an error here, but ends as if there was none.
      process.exitCode = 1
    })
    await shared?.close()
    await rm(directory, { recursive: true, force: true })
  }
}

/** The settings that several servers share. */
async function startSharedStore() {
  const postgres = await startPostgres()
  const s3 = await startS3Server()
  const records = await postgres.createDatabase('store')
  return {
    environment: { ...environmentOf(s3), HYPERSLAB_RECORDS: records, HYPERSLAB_BLOBS: 's3://bucket/store' },
    async close() {
      await s3.close()
      await postgres.close()
    },
  }
}

/** Each connection goes to the next server. */
async function startBalancer(servers: readonly RunningServer[]) {
  let turn = 0
  const ports = servers.map(({ address }) => Number(new URL(address).port))
  const { port, close } = await startTcpProxy(() => ports[turn++ % ports.length])
  return { address: `http://127.0.0.1:${port}`, close }
}
