// Records in PostgreSQL when something fails: connections that are cut in a commit, backends that are ended, a server
// that is away, a lease that ends, a database that goes back, and settings that are wrong.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseDomainPath } from '@hyperslab/model/names'
import { inFolder, openEngine, openStore } from '@hyperslab/store/engines'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ALL_PERMISSIONS } from '../../packages/server/service/access/access.ts'
import { ANONYMOUS } from '../../packages/server/service/context.ts'
import { Listeners } from '../../packages/server/service/feed/listeners.ts'
import { joinHalves } from '../../packages/store/engines/join-halves.ts'
import { bigintArray, bytesArray } from '../../packages/store/engines/postgres/arrays.ts'
import { Connections } from '../../packages/store/engines/postgres/connections.ts'
import { CommitGroup } from '../../packages/store/engines/postgres/group.ts'
import { openPostgresRecords } from '../../packages/store/engines/postgres/open-postgres-records.ts'
import type { Engine, RecordsEngine } from '../../packages/store/interfaces/engine.ts'
import {
  add,
  bytes,
  commit,
  counter,
  follow,
  get,
  remove,
  set,
  text,
  withSnapshot,
} from '../conformance/engine-fixture.ts'
import { domain, group, hardLink, newId, newRoot } from '../conformance/sample-objects.ts'
import { NO_ACCOUNTS } from '../fixtures/service.ts'
import { type PostgresServer, startPostgres } from '../servers/postgres-server.ts'
import { type Fate, startTcpProxy, type TcpProxy } from '../servers/tcp-proxy.ts'
import { seededRandom, testClock } from './clock.ts'
import { openMemoryEngine } from './memory.ts'

let server: PostgresServer
let proxy: TcpProxy
let database: string
let address: string
let engine: Engine
const opened: Engine[] = []
const reported: unknown[] = []
let databases = 0

beforeAll(async () => {
  server = await startPostgres()
  proxy = await startTcpProxy(() => server.port)
})
afterAll(async () => {
  await proxy.close()
  await server.close()
})
beforeEach(async () => {
  address = await server.createDatabase(`faults${databases++}`)
  database = address.replace(`:${server.port}/`, `:${proxy.port}/`)
  reported.length = 0
  engine = await open(database)
})
afterEach(async () => {
  proxy.plan = () => 'pass'
  for (const each of opened.splice(0)) await each.close()
})

/** Where no answer comes, an engine that soon gives up. Others wait as long as a busy machine takes. */
const IMPATIENT_MILLISECONDS = 2000
const PATIENT_MILLISECONDS = 60_000

/** Another process of the same store, as far as the database can tell. */
async function open(at: string, timeoutMilliseconds = PATIENT_MILLISECONDS): Promise<Engine> {
  const records: RecordsEngine = await openPostgresRecords(at, {
    timeoutMilliseconds,
    report: error => reported.push(error),
  })
  const one = await joinHalves(records, async () => openMemoryEngine())
  opened.push(one)
  return one
}

/** The functions of the database that engines call; of those that are opened from now on, their names are known. */
function noteCalls(): string[] {
  const calls: string[] = []
  /** The function that a prepared statement calls, which a session gets with its text once. */
  const functions = new Map<string, string>()
  proxy.plan = (sent, direction) => {
    if (direction === 'down') return 'pass'
    const messages = sent.toString('latin1')
    for (const [, name, called] of messages.matchAll(/(hyperslab-\w{32})\0[^\0]*?hyperslab\.(\w+)/g))
      functions.set(name, called)
    // Bind: its type, its length, the name of the portal, which is empty, and that of the statement.
    for (const [, name] of messages.matchAll(/B.{4}\0(hyperslab-\w{32})\0/gs))
      calls.push(functions.get(name) ?? name)
    return 'pass'
  }
  return calls
}

/** Runs statements past the engine. */
function sql(statement: string): Promise<unknown[][]> {
  return server.query(statement, new URL(address).pathname.slice(1))
}

describe('a connection that is lost in a commit', () => {
  /** The first call is cut, as `fate` says; gives a function that cuts a connection which stalls. */
  function cutCall(fate: (isAnswer: boolean) => Fate): () => void {
    let connection: Socket | undefined
    let isDone = false
    proxy.plan = (sent, direction, on) => {
      if (isDone) return 'pass'
      if (direction === 'up' && sent.includes('hyperslab.commit(')) connection = on
      if (on !== connection) return 'pass'
      const chosen = fate(direction === 'down')
      if (chosen !== 'pass') isDone = true
      return chosen
    }
    return () => connection?.destroy()
  }

  it.each<[string, (isAnswer: boolean) => Fate]>([
    ['before the call arrives', () => 'cut'],
    ['when the call has arrived', () => 'pass and cut'],
    ['when the answer comes', isAnswer => (isAnswer ? 'cut' : 'pass')],
    ['by silence, before the call arrives', () => 'stall'],
    ['by silence, when the answer comes', isAnswer => (isAnswer ? 'stall' : 'pass')],
  ])('%s: the commit is done once, and the answer says so', async (_when, fate) => {
    engine = await open(database, IMPATIENT_MILLISECONDS)
    await commit(engine, add('n', 1))
    cutCall(fate)
    expect(await commit(engine, add('n', 10), set('k', 'v'))).toEqual({ committed: true })
    expect(counter(bytes((await get(engine, 'n')) ?? ''))).toBe(11n)
    expect(await get(engine, 'k')).toBe('v')
  })

  it('in the answer, while others commit and history is swept: it is done once all the same', async () => {
    const other = await open(database)
    const cut = cutCall(isAnswer => (isAnswer ? 'stall' : 'pass'))
    const committing = commit(engine, add('n', 1))
    await expect.poll(() => get(other, 'n')).toBeDefined()
    for (let n = 0; n < 5; n++) {
      await commit(other, set('k', String(n)))
      await engine.keyValue.openSnapshots()
      await other.keyValue.openSnapshots()
      await sql('select hyperslab.sweep(1000)')
    }
    cut()
    expect(await committing).toEqual({ committed: true })
    expect(counter(bytes((await get(engine, 'n')) ?? ''))).toBe(1n)
  })

  it('in the answer, and the process finds meanwhile that its lease was taken: what was committed is not said to be lost', async () => {
    const cut = cutCall(isAnswer => (isAnswer ? 'stall' : 'pass'))
    const committing = commit(engine, add('n', 1))
    await expect.poll(() => sql('select count(*) from hyperslab.commits where number > 0')).toEqual([['1']])
    await sql('delete from hyperslab.nodes')
    await expect(engine.keyValue.openSnapshots()).rejects.toMatchObject({ code: 'storage-conflict' })
    cut()
    expect(await committing).toEqual({ committed: true })
  })

  it('in the answer, and the lease is taken meanwhile and history swept: the answer says that the outcome is unknown', async () => {
    const cut = cutCall(isAnswer => (isAnswer ? 'stall' : 'pass'))
    const committing = commit(engine, add('n', 1))
    await expect.poll(() => sql('select count(*) from hyperslab.commits where number > 0')).toEqual([['1']])
    await sql('delete from hyperslab.nodes')
    const other = await open(database)
    await commit(other, set('k', 'v'))
    await other.keyValue.openSnapshots()
    await sql('select hyperslab.sweep(1000)')
    cut()
    await expect(committing).rejects.toMatchObject({
      message: expect.stringContaining('may or may not have been made'),
    })
    expect(await commit(engine, add('n', 10))).toEqual({ committed: true })
    expect(counter(bytes((await get(engine, 'n')) ?? ''))).toBe(11n)
  })

  it('and a database that is away afterwards: the answer says that the outcome is unknown, and it happens once or never', async () => {
    engine = await open(database, IMPATIENT_MILLISECONDS)
    let isCut = false
    proxy.plan = (sent, direction) => {
      isCut ||= direction === 'up' && sent.includes('hyperslab.commit(')
      return isCut ? 'cut' : 'pass'
    }
    // To send it again could make the change twice.
    const unknown = {
      code: 'storage-failed',
      message: expect.stringContaining('may or may not have been made'),
      retryAfter: undefined,
    }
    await expect(commit(engine, add('n', 1))).rejects.toMatchObject(unknown)
    proxy.plan = () => 'pass'
    expect(await commit(engine, add('n', 10))).toEqual({ committed: true })
    const sum = counter(bytes((await get(engine, 'n')) ?? ''))
    expect([10n, 11n]).toContain(sum)
  })
})

/**
 * Waits until each client has done more. The outcome of a commit whose connection is ended is asked for on another one:
 * if that were ended too, it would be unknown.
 */
async function more(counts: readonly number[]): Promise<void> {
  const before = [...counts]
  await expect.poll(() => counts.every((count, client) => count > before[client])).toBe(true)
}

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0)

it('backends that are ended lose and repeat no transfer, and no snapshot is torn', async () => {
  const other = await open(database)
  const ACCOUNTS = 20
  const name = (account: number) => `a${account}`
  await commit(engine, ...Array.from({ length: ACCOUNTS }, (_, account) => add(name(account), 100)))
  const random = seededRandom(11)
  const anyAccount = () => random(1)[0] % ACCOUNTS
  let isOver = false
  /** The number of each client. */
  const transfers = [0, 0, 0]
  const transfer = async (on: Engine, client: number) => {
    while (!isOver) {
      const [from, to] = [anyAccount(), anyAccount()]
      await commit(on, add(name(from), -1), add(name(to), 1), add('transfers', 1))
      transfers[client]++
    }
  }
  const look = async () => {
    while (!isOver) {
      await withSnapshot(engine, async snapshot => {
        let sum = 0n
        for (let account = 0; account < ACCOUNTS; account++) {
          // Statements of their own, over several connections.
          sum += counter(await snapshot.get(bytes(name(account)))) ?? 0n
        }
        expect(sum).toBe(100n * BigInt(ACCOUNTS))
      })
    }
  }
  const work = [transfer(engine, 0), transfer(engine, 1), transfer(other, 2), look()]
  for (let round = 0; round < 8; round++) {
    await more(transfers)
    await sql(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    )
  }
  isOver = true
  await Promise.all(work)
  expect(counter(bytes((await get(engine, 'transfers')) ?? ''))).toBe(BigInt(sumOf(transfers)))
})

it('a server that is away is storage-failed; when it is back, everything goes on by itself', async () => {
  engine = await open(database, IMPATIENT_MILLISECONDS)
  await commit(engine, set('k', 'before'))
  await server.kill()
  const failed = { code: 'storage-failed', retryAfter: 2 }
  await expect(get(engine, 'k')).rejects.toMatchObject(failed)
  await expect(commit(engine, set('k', 'lost'))).rejects.toMatchObject({ code: 'storage-failed' })
  await server.restart()
  expect(await get(engine, 'k')).toBe('before')
  expect(await commit(engine, set('k', 'after'))).toEqual({ committed: true })
  expect(await get(engine, 'k')).toBe('after')
})

describe('a password in the password file', () => {
  const role = () => `writer${databases}`
  let folder: string
  let passwordFile: string | undefined

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hyperslab-password-'))
    passwordFile = process.env.PGPASSFILE
    process.env.PGPASSFILE = join(folder, 'pgpass')
    const rules = join(server.folder, 'data', 'pg_hba.conf')
    const known = await readFile(rules, 'utf8')
    await writeFile(rules, `host all ${role()} all scram-sha-256\n${known}`)
    await sql('select pg_reload_conf()')
    await sql(`create role ${role()} superuser login password 'first'`)
  })
  afterEach(async () => {
    if (passwordFile === undefined) delete process.env.PGPASSFILE
    else process.env.PGPASSFILE = passwordFile
    await rm(folder, { recursive: true })
  })

  const writeLines = async (lines: string, mode = 0o600) => {
    const path = join(folder, 'pgpass')
    await rm(path, { force: true })
    await writeFile(path, lines, { mode })
  }
  const writePassword = (password: string) => writeLines(`*:*:*:other:x\n*:*:*:${role()}:${password}\n`)
  const alterRole = (password: string) => sql(`alter role ${role()} password '${password}'`)
  const endConnections = () =>
    sql(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role()}'`)
  const openAsRole = (timeoutMilliseconds?: number) =>
    open(database.replace('postgres@', `${role()}@`), timeoutMilliseconds)

  it('that changes before or after that of the database fails no commit', async () => {
    await writePassword('first')
    const own = await openAsRole()
    let isOver = false
    /** The number of each client. */
    const commits = [0, 0, 0]
    const work = [0, 1, 2].map(async client => {
      while (!isOver) {
        expect(await commit(own, add('n', 1))).toEqual({ committed: true })
        commits[client]++
      }
    })
    try {
      const changes: (() => Promise<unknown>)[][] = [
        [() => writePassword('second'), () => alterRole('second')],
        [() => alterRole('third'), () => writeLines('*:*:*:'), () => writePassword('third')],
      ]
      for (const untilTheSame of changes) {
        await more(commits)
        for (const change of untilTheSame) {
          await change()
          await endConnections()
        }
      }
      for (let time = 0; time < 3; time++) await more(commits)
    } finally {
      isOver = true
      await Promise.all(work)
    }
    expect(counter(bytes((await get(own, 'n')) ?? ''))).toBe(BigInt(sumOf(commits)))
  })

  it.each<[string, () => Promise<unknown>, string]>([
    ['is wrong', () => writePassword('wrong'), 'password authentication failed'],
    ['others may read', () => writeLines(`*:*:*:${role()}:first\n`, 0o644), 'give it in the password file'],
  ])('that %s is storage-failed, and leaves no connection', async (_, damage, reason) => {
    await writePassword('first')
    const own = await openAsRole(IMPATIENT_MILLISECONDS)
    await damage()
    await endConnections()
    const failed = { code: 'storage-failed', cause: { message: expect.stringContaining(reason) } }
    await expect(get(own, 'k')).rejects.toMatchObject(failed)
    await expect(commit(own, add('n', 1))).rejects.toMatchObject(failed)
    // PostgreSQL 17 and older do not count them.
    const starting = `select count(*) from pg_stat_activity where state = 'starting'`
    await expect.poll(() => sql(starting)).toEqual([['0']])
    await expect(openPostgresRecords(database.replace('postgres@', `${role()}@`))).rejects.toThrow(reason)
    await writePassword('first')
    expect(await commit(own, add('n', 1))).toEqual({ committed: true })
  })
})

it('a synchronous standby that is away stops commits and nothing else, and takes no more and more connections', async () => {
  const primary = await startPostgres()
  const standby = await primary.startStandby()
  const own = await open(await primary.createDatabase('replicated'), IMPATIENT_MILLISECONDS)
  try {
    await commit(own, set('k', '1'))
    await standby.kill()
    const failures = await Promise.all(
      Array.from({ length: 3 }, () => commit(own, set('k', '2')).catch((error: unknown) => error)),
    )
    for (const failure of failures) expect(failure).toMatchObject({ code: 'storage-failed' })
    const count = async () =>
      Number(
        (await primary.query(`select count(*) from pg_stat_activity where datname = 'replicated'`))[0][0],
      )
    const most = await count()
    for (let round = 0; round < 2; round++) {
      await expect(commit(own, set('k', '3'))).rejects.toMatchObject({ code: 'storage-failed' })
      expect(await get(own, 'k')).toBe('1')
      await own.keyValue.openSnapshots()
      expect(await count()).toBeLessThanOrEqual(most + 12)
    }
    await standby.restart()
    await expect.poll(() => commit(own, set('k', '4')).catch(() => undefined)).toEqual({ committed: true })
    expect(await get(own, 'k')).toBe('4')
  } finally {
    await own.close()
    opened.splice(opened.indexOf(own), 1)
    await standby.close()
    await primary.close()
  }
})

describe('prepared statements', () => {
  const STATEMENT = 'select 1 + $1::integer'
  let connections: Connections

  beforeEach(() => {
    // One session: a second one would not have lost what is lost below.
    connections = new Connections({ address, max: 1, timeoutMilliseconds: PATIENT_MILLISECONDS })
  })
  afterEach(() => connections.close())

  const prepared = () => connections.send('select name from pg_prepared_statements', [])

  it('are kept by a session', async () => {
    expect(await connections.send(STATEMENT, [1])).toEqual([[2]])
    expect(await connections.send(STATEMENT, [2])).toEqual([[3]])
    expect(await prepared()).toHaveLength(1)
  })

  it('that a session does not have, as behind a pooler, are sent anew, and none is prepared from then on', async () => {
    await connections.send(STATEMENT, [1])
    await connections.send('deallocate all', [])
    expect(await connections.sendOnce(STATEMENT, [2])).toEqual([[3]])
    expect(await connections.sendOnce('select 2 + $1::integer', [3])).toEqual([[5]])
    expect(await prepared()).toEqual([])
  })

  it('that a session has from another client are sent without a name', async () => {
    await connections.send(STATEMENT, [1])
    const [[name]] = await prepared()
    await connections.close()
    connections = new Connections({ address, max: 1, timeoutMilliseconds: PATIENT_MILLISECONDS })
    await connections.send(`prepare "${String(name)}" as select 7`, [])
    expect(await connections.sendOnce(STATEMENT, [2])).toEqual([[3]])
  })
})

describe('a process whose lease has ended', () => {
  const endLeases = () => sql('delete from hyperslab.nodes')
  const fenced = { code: 'storage-conflict', message: expect.stringContaining('longer than its lease') }

  it('fails what it had open, and goes on under another name', async () => {
    const { process: before } = engine.keyValue
    await commit(engine, set('k', '1'))
    const snapshot = engine.keyValue.snapshot()
    expect(text(await snapshot.get(bytes('k')))).toBe('1')
    await endLeases()
    await expect(snapshot.get(bytes('other'))).rejects.toMatchObject(fenced)
    await expect(snapshot.get(bytes('k'))).rejects.toMatchObject(fenced)
    expect(snapshot.expired).toMatchObject(fenced)
    snapshot.close()
    expect(await get(engine, 'k')).toBe('1')
    expect(engine.keyValue.process).not.toBe(before)
    expect(await engine.keyValue.isAlive(before)).toBe(false)
    expect(await commit(engine, set('k', '2'))).toEqual({ committed: true })
  })

  it('commits nothing before it has another one', async () => {
    await commit(engine, set('k', '1'))
    await endLeases()
    await expect(commit(engine, set('k', '2'))).rejects.toMatchObject(fenced)
    expect(await get(engine, 'k')).toBe('1')
  })

  it('does not commit a write that began before, even when the process has a new lease', async () => {
    const store = openStore(engine, { clock: testClock(), random: seededRandom(3), sweeps: false })
    const writing = store.write(
      async writer => {
        await writer.putDomain(domain('/lost'))
        await endLeases()
        await expect(get(engine, 'k')).rejects.toMatchObject(fenced)
        expect(await get(engine, 'k')).toBeUndefined()
      },
      { once: true },
    )
    await expect(writing).rejects.toMatchObject(fenced)
    expect(await store.read(reader => reader.domain(parseDomainPath('/lost')))).toBeUndefined()
  })
})

it('a lease is taken from a process that does not renew it, by the clock of the database', async () => {
  const other = await open(database)
  const name = other.keyValue.process
  await sql(`update hyperslab.nodes set renewed = renewed - interval '1 hour' where id = '${name}'`)
  await engine.keyValue.openSnapshots()
  expect(await engine.keyValue.isAlive(name)).toBe(false)
  expect(engine.keyValue.isSweeper).toBe(true)
})

it('history is kept while any process may read it, and is swept afterwards', async () => {
  const other = await open(database)
  await commit(engine, set('a', '1'), set('b', '1'))
  const snapshot = other.keyValue.snapshot()
  expect(text(await snapshot.get(bytes('a')))).toBe('1')
  for (let round = 0; round < 5; round++) await commit(engine, set('a', `later ${round}`), remove('b'))
  await engine.keyValue.openSnapshots()
  await sql('select hyperslab.sweep(1000)')
  expect(text(await snapshot.get(bytes('b')))).toBe('1')
  snapshot.close()
  await other.keyValue.openSnapshots()
  await engine.keyValue.openSnapshots()
  await other.keyValue.openSnapshots()
  await sql('select hyperslab.sweep(1000)')
  expect(await sql('select count(*) from hyperslab.history')).toEqual([['0']])
  expect(Number((await sql('select count(*) from hyperslab.commits'))[0][0])).toBeLessThan(3)
  expect(await get(other, 'a')).toBe('later 4')
})

it('history that becomes free in parts is all swept, some rows at a time', async () => {
  for (let part = 0; part < 3; part++) {
    for (let round = 0; round < 3; round++) {
      await commit(engine, ...['a', 'b', 'c'].map(key => set(key, String(round))), add('n', 1))
      await commit(engine, set(`${part}, ${round}`, 'without history'))
    }
    await engine.keyValue.openSnapshots()
    for (let isMore: unknown = true; isMore === true; ) [[isMore]] = await sql('select hyperslab.sweep(2)')
    expect(await sql('select count(*) from hyperslab.history')).toEqual([['0']])
    expect(await sql('select count(*) from hyperslab.commits')).toEqual([['1']])
  }
})

it('beside a foreign transaction that stays open, no statement visits all that was replaced since', async () => {
  const ROUNDS = 400
  // Long, so that few rows are in a page: what is counted are pages.
  const key = 'n'.repeat(1500)
  const foreign = new pg.Client(address)
  await foreign.connect()
  await foreign.query('begin isolation level repeatable read')
  await foreign.query('select count(*) from hyperslab.records')
  for (let round = 0; round < ROUNDS; round++) await commit(engine, add(key, 1))
  const client = new pg.Client(address)
  await client.connect()
  const { process: node } = engine.keyValue
  let token = 1_000_000
  const pagesOf = async (call: string, parameters: readonly unknown[]) => {
    const explain = `explain (analyze, buffers, format json) select * from hyperslab.${call}`
    const { rows } = await client.query({ text: explain, values: [...parameters], rowMode: 'array' })
    return Number(rows[0][0][0].Plan['Shared Hit Blocks'])
  }
  const group = new CommitGroup()
  group.add({ expect: [{ key: bytes('absent'), value: undefined }], changes: [add(key, 1)] }, new Map())
  const calls = {
    commit: () => {
      const parameters = [node, token++, ...group.parameters]
      return pagesOf(`commit(${parameters.map((_, index) => `$${index + 1}`).join(', ')})`, parameters)
    },
    read: () =>
      pagesOf('read($1, $2, $3)', [
        node,
        bytesArray([bytes(key), bytes(key)]),
        bigintArray([ROUNDS, ROUNDS - 1]),
      ]),
    sweep: () => pagesOf('sweep(100000)', []),
  }
  await engine.keyValue.openSnapshots()
  // The first time, plans are made, and all is swept.
  for (const call of Object.values(calls)) await call()
  await commit(engine, add(key, 1))
  await engine.keyValue.openSnapshots()
  const pages: Record<string, number> = {}
  for (const [name, call] of Object.entries(calls)) pages[name] = await call()
  await client.end()
  await foreign.end()
  for (const [name, count] of Object.entries(pages)) expect(count, name).toBeLessThan(ROUNDS / 4)
})

it('a database that has lost commits is noticed: what is open fails, what is at hand is read again', async () => {
  await commit(engine, set('k', 'kept'))
  await commit(engine, set('k', 'lost'))
  expect(await get(engine, 'k')).toBe('lost')
  const snapshot = engine.keyValue.snapshot()
  expect(text(await snapshot.get(bytes('k')))).toBe('lost')
  // The state of a standby that did not have the last commit, when another process has made one of the same number.
  await sql(`update hyperslab.records set value = 'other' where key = 'k'`)
  await sql(
    `update hyperslab.commits set token = token + 1000 where number = (select max(number) from hyperslab.commits)`,
  )
  await expect(get(engine, 'k')).rejects.toMatchObject({ code: 'storage-conflict' })
  expect(await get(engine, 'k')).toBe('other')
  await expect(snapshot.get(bytes('k'))).rejects.toMatchObject({ code: 'storage-conflict' })
  expect(reported).toContainEqual(
    expect.objectContaining({ message: expect.stringContaining('has lost commits') }),
  )
})

describe('reads of what was read before', () => {
  it('need one statement for all that are asked for at the same time', async () => {
    await commit(engine, set('a', '1'), set('b', '2'))
    await get(engine, 'a')
    let statements = 0
    proxy.plan = (sent, direction) => {
      if (direction === 'up' && sent.includes('hyperslab.')) statements++
      return 'pass'
    }
    await Promise.all(Array.from({ length: 50 }, () => get(engine, 'a')))
    expect(statements).toBeLessThanOrEqual(2)
  })

  it('see each change of another process', async () => {
    const other = await open(database)
    for (let round = 0; round < 20; round++) {
      await commit(engine, set('k', String(round)), add('n', 1))
      expect(await get(other, 'k')).toBe(String(round))
      await commit(other, remove('k'))
      expect(await get(engine, 'k')).toBeUndefined()
    }
  })
})

it('a value that a batch follows is the newest one, whether it is at hand or not', async () => {
  const other = await open(database)
  const calls = noteCalls()
  engine = await open(database)
  const noteAs = (key: string) => follow('k', value => [set(key, value ?? 'nothing')])
  await commit(engine, noteAs('1'))
  await commit(engine, set('k', 'first'))
  expect(await get(engine, 'k')).toBe('first')
  // The lease may be renewed meanwhile.
  await expect
    .poll(async () => {
      calls.length = 0
      await commit(engine, noteAs('2'))
      return calls
    })
    .toEqual(['commit'])
  await commit(other, set('k', 'second'))
  await commit(engine, noteAs('3'))
  await commit(other, remove('k'))
  await commit(engine, noteAs('4'))
  expect(await Promise.all(['1', '2', '3', '4'].map(key => get(engine, key)))).toEqual([
    'nothing',
    'first',
    'second',
    'nothing',
  ])
})

it('a new object with its link takes two round trips when the group is at hand', async () => {
  const calls = noteCalls()
  engine = await open(database)
  const store = openStore(engine, { clock: testClock(), random: seededRandom(4), sweeps: false })
  const root = newRoot()
  await store.write(writer => writer.createObject(group(root)))
  const create = (title: string) =>
    store.write(async writer => {
      const id = newId(root)
      writer.expectFreeIds([id])
      expect(await writer.isTitleFree(root, title)).toBe(true)
      writer.createFreshObject(group(id))
      await writer.putLinks(root, hardLink(title, id))
    })
  await create('first')
  // The lease may be renewed meanwhile.
  await expect
    .poll(async () => {
      calls.length = 0
      await create(`link ${databases++}`)
      return calls
    })
    .toEqual(['newest', 'commit'])
})

describe('the feed', () => {
  const settings = { defaultAcl: ALL_PERMISSIONS, newDomains: 'anyone' as const, isKnownUser: () => true }

  it.each([
    ['20 commits of 99 groups', 20, 99],
    ['300 commits of one group', 300, 1],
  ])('a listener that catches up reads what events need together: %s', async (_, commits, groups) => {
    const options = { clock: testClock(), random: seededRandom(1), sweeps: false }
    const store = openStore(engine, options)
    const root = newRoot()
    const parent = newId(root)
    const { path } = domain('/d', root)
    await store.write(async writer => {
      await writer.createObject(group(root))
      await writer.putDomain(domain('/d', root))
      await writer.createObject(group(parent))
      await writer.putLinks(root, hardLink('parent', parent))
    })
    const paths: string[] = []
    const begun = await store.feed.newest()
    for (let commit = 0; commit < commits; commit++) {
      await store.write(async writer => {
        for (let n = 0; n < groups; n++) {
          const id = newId(root)
          await writer.createObject(group(id))
          await writer.putLinks(parent, hardLink(`${commit} ${n}`, id))
          paths.push(`/parent/${commit} ${n}`)
        }
      })
    }
    // Another process, which has read nothing yet.
    const reading = openStore(await open(database), options)
    const listeners = new Listeners({ store: reading, settings, accounts: NO_ACCOUNTS, maxListeners: 1 })
    const listener = listeners.begin(ANONYMOUS, { path, isFolder: false }, { user: 'u', form: '' })
    const calls = noteCalls()
    const found: (string | undefined)[] = []
    for (let position = begun; ; ) {
      const batch = await listener.next(position, 0, new AbortController().signal)
      if (batch === undefined) break
      const changes = batch.events.flatMap(event => event.changes)
      found.push(...changes.filter(({ kind }) => kind === 'created').map(change => change.path))
      position = batch.position
    }
    // With the group above them, an event names as many as it can.
    expect(found).toEqual(paths)
    expect(calls.length).toBeLessThan(300)
    listener.end()
    await store.close()
    await reading.close()
  })
})

it('the latest time of commits is known to all processes', async () => {
  const other = await open(database)
  await other.keyValue.commit({ expect: [], changes: [set('k', '1')], time: 9_000_000_000_000_000 })
  await get(engine, 'k')
  expect(engine.keyValue.newestTime).toBe(9_000_000_000_000_000)
  await commit(engine, set('k', '2'))
  expect(engine.keyValue.newestTime).toBe(9_000_000_000_000_000)
})

describe('settings that are wrong', () => {
  const refused = async (at: string) => {
    const error = await openPostgresRecords(at, { report: () => undefined }).catch((reason: Error) => reason)
    expect(error).toBeInstanceOf(Error)
    const { message } = error as Error
    expect(message).toMatch(/^records: [^\n]+$/)
    expect(message).not.toContain('secret')
    return message
  }

  it('are refused with one line that names the setting and not the password', async () => {
    const withPassword = (place: string) => `postgres://postgres:secret@127.0.0.1:${place}`
    expect(await refused(withPassword(`${server.port}/absent`))).toContain('database "absent" does not exist')
    expect(await refused(withPassword('1/postgres'))).toContain('ECONNREFUSED')
    expect(await refused(`postgres://nobody:secret@127.0.0.1:${server.port}/postgres`)).toContain('nobody')
  })

  it('a server that does not answer is reported', async () => {
    const silent = await startTcpProxy(() => server.port)
    silent.plan = () => 'stall'
    await refused(address.replace(`:${server.port}/`, `:${silent.port}/`))
    await silent.close()
  })

  it('the format before is read as it is, and raised when the database is opened for writing', async () => {
    const [[newest]] = await sql('select format from hyperslab.store')
    await sql('update hyperslab.store set format = 3')
    await (await openPostgresRecords(address, { toRead: true })).close()
    expect(await sql('select format from hyperslab.store')).toEqual([[3]])
    await (await openPostgresRecords(address)).close()
    expect(await sql('select format from hyperslab.store')).toEqual([[newest]])
  })

  it('another format is refused, and nothing is changed', async () => {
    await sql('update hyperslab.store set format = 99')
    expect(await refused(address)).toContain('it has the format 99')
    expect(await sql('select format from hyperslab.store')).toEqual([[99]])
  })

  it.each([
    ['synchronous_commit', 'off', 'synchronous_commit is off'],
    ['default_transaction_isolation', "'repeatable read'", 'default_transaction_isolation'],
  ])('%s = %s is refused', async (name, value, message) => {
    await sql(`alter database ${new URL(address).pathname.slice(1)} set ${name} = ${value}`)
    expect(await refused(address)).toContain(message)
  })
})

it('a server whose commits wait for no standby is reported', async () => {
  const warnings = async () => {
    const found: unknown[] = []
    await (await openPostgresRecords(address, { warn: message => found.push(message) })).close()
    return found
  }
  const warning = expect.stringMatching(/^records: .* has no synchronous standby/)
  expect(await warnings()).toEqual([warning])
  await engine.close()
  await sql(`alter database ${new URL(address).pathname.slice(1)} set synchronous_commit = local`)
  await server.query(`alter system set synchronous_standby_names = 'none'`)
  await server.query('select pg_reload_conf()')
  try {
    expect(await warnings()).toEqual([warning])
  } finally {
    await server.query('alter system reset synchronous_standby_names')
    await server.query('select pg_reload_conf()')
  }
})

it('servers of one database put their values into one place', async () => {
  const folders = await Promise.all(
    ['one', 'other'].map(name => mkdtemp(join(tmpdir(), `hyperslab-${name}-`))),
  )
  const openWith = (folder: string) =>
    openEngine({ ...inFolder(folder), records: { kind: 'postgres', address } })
  try {
    await (await openWith(folders[0])).close()
    await expect(openWith(folders[1])).rejects.toThrow(
      'blobs: the values of the store are in another location than this one',
    )
    const again = await openWith(folders[0])
    await again.close()
  } finally {
    for (const folder of folders) await rm(folder, { recursive: true })
  }
})

it('many processes that begin at once make one schema', async () => {
  const fresh = await server.createDatabase(`fresh${databases++}`)
  const all = await Promise.all(Array.from({ length: 6 }, () => open(fresh)))
  await Promise.all(all.map(each => commit(each, add('n', 1))))
  expect(counter(bytes((await get(all[0], 'n')) ?? ''))).toBe(6n)
  const firsts = await Promise.all(
    all.map(async each => {
      await each.keyValue.openSnapshots()
      return each.keyValue.isSweeper
    }),
  )
  expect(firsts.filter(Boolean)).toHaveLength(1)
})
