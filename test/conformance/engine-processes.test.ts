// Two processes on one data folder, and processes that die, hang or run out of disk.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inFolder, openEngine } from '@hyperslab/store/engines'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { logKey, logNumber } from '../../packages/store/batch.ts'
import type { Change, Engine } from '../../packages/store/interfaces/engine.ts'
import { rangeOf } from '../../packages/store/key-range.ts'
import { add, bytes, commit, counter, entries, get, set, text, withSnapshot } from './engine-fixture.ts'

const CHILD = fileURLToPath(new URL('engine-child.mjs', import.meta.url))

interface Message {
  readonly ready?: true
  readonly done?: true
  readonly result?: unknown
  readonly error?: string
  readonly acknowledged?: number
  readonly held?: true
}

/** In milliseconds; the limit in blocks. */
interface Options {
  readonly deadline?: number
  readonly lockWait?: number
  readonly fileSizeLimit?: number
}

/** Another process with the folder open. */
class OtherProcess {
  readonly child: ChildProcess
  printed = ''
  /** The code and the signal, once all that it printed is read: that may come after its exit. */
  readonly exit: Promise<unknown[]>

  constructor({ deadline = 30_000, lockWait = 10_000, fileSizeLimit }: Options) {
    const options = { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] as ('ignore' | 'pipe' | 'ipc')[] }
    const parameters = [folder, String(deadline), String(lockWait)]
    // The limit counts blocks of 1024 bytes in bash and of 512 in some other shells.
    this.child =
      fileSizeLimit === undefined
        ? fork(CHILD, parameters, options)
        : fork(
            '-c',
            [`ulimit -f ${fileSizeLimit} && exec "$0" "$@"`, process.execPath, CHILD, ...parameters],
            {
              ...options,
              execPath: 'sh',
              execArgv: [],
            },
          )
    this.exit = once(this.child, 'close')
    this.child.stderr?.on('data', (piece: Buffer) => (this.printed += piece))
  }

  /** The next message for which `look` finds something. */
  receive<T>(look: (message: Message) => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const onMessage = (message: Message) => {
        const found = look(message)
        if (found === undefined) return
        this.child.off('message', onMessage)
        resolve(found)
      }
      this.child.on('message', onMessage)
      this.child.once('close', () => reject(new Error(`The other process ended: ${this.printed}`)))
    })
  }

  start(task: string, ...parameters: unknown[]): void {
    this.child.send({ task, parameters })
  }

  async run(task: string, ...parameters: unknown[]): Promise<unknown> {
    this.start(task, ...parameters)
    const { result, error } = await this.receive(message => (message.done ? message : undefined))
    if (error !== undefined) throw new Error(error)
    return result
  }
}

let folder: string
let engine: Engine
let others: OtherProcess[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hyperslab-processes-'))
  engine = await openEngine(inFolder(folder))
})
afterEach(async () => {
  for (const { child } of others) child.kill('SIGKILL')
  await Promise.all(others.map(({ exit }) => exit))
  others = []
  await engine.close()
  await rm(folder, { recursive: true })
})

async function otherProcess(options: Options = {}): Promise<OtherProcess> {
  const other = start(options)
  await other.receive(({ ready }) => ready)
  return other
}

function start(options: Options): OtherProcess {
  const other = new OtherProcess(options)
  others.push(other)
  return other
}

/** A process that holds the write lock and is stopped. */
async function stoppedProcess(): Promise<OtherProcess> {
  const other = await otherProcess()
  other.start('stopWithWriteLock')
  await other.receive(({ held }) => held)
  return other
}

it('entries of one log follow one another, whichever process writes them, also after some were removed', async () => {
  const other = await otherProcess()
  const log = bytes('log')
  const own = async (count: number) => {
    const change: Change = { op: 'log', key: log, value: bytes('own') }
    for (let done = 0; done < count; done++) await commit(engine, change)
  }
  const numbers = () =>
    withSnapshot(engine, async snapshot => {
      const found: number[] = []
      for await (const { key } of snapshot.range(rangeOf(log))) found.push(logNumber(key))
      return found
    })
  const upTo = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i)
  await own(2)
  await other.run('logOneByOne', 'log', 'other', 3)
  await own(1)
  expect(await numbers()).toEqual(upTo(1, 6))
  // The last entry that this process knows is removed, and the other process has written later ones.
  await other.run('logOneByOne', 'log', 'other', 2)
  await commit(engine, { op: 'deleteRange', start: log, end: logKey(log, 8) })
  await own(1)
  expect(await numbers()).toEqual([8, 9])
  // A batch that fails half-way gave a number that nobody has.
  const failing: Change[] = [
    { op: 'log', key: log, value: bytes('lost') },
    { op: 'set', key: new Uint8Array(5000), value: bytes('too long') },
  ]
  await expect(commit(engine, ...failing)).rejects.toThrow()
  await other.run('logOneByOne', 'log', 'other', 1)
  await own(1)
  await Promise.all([own(40), other.run('logOneByOne', 'log', 'other', 40)])
  expect(await numbers()).toEqual(upTo(8, 91))
})

it('a snapshot sees what another process has committed just before, also within one turn of the event loop', async () => {
  const other = await otherProcess()
  for (let round = 0; round < 5; round++) {
    const before = engine.keyValue.snapshot()
    const mark = join(folder, `mark${round}`)
    other.start('setAndTouch', 'k', `value ${round}`, mark)
    // No turn of the event loop passes between the two snapshots.
    while (!existsSync(mark));
    const after = engine.keyValue.snapshot()
    expect(text(await after.get(bytes('k')))).toBe(`value ${round}`)
    expect(text(await before.get(bytes('k')))).toBe(round === 0 ? undefined : `value ${round - 1}`)
    before.close()
    after.close()
  }
})

it('counters and values that both processes change lose nothing', async () => {
  const other = await otherProcess()
  const theirs = other.run('addOneByOne', 'adds', 50)
  for (let count = 0; count < 50; count++) await commit(engine, add('adds', 1))
  await theirs
  expect(counter(await withSnapshot(engine, snapshot => snapshot.get(bytes('adds'))))).toBe(100n)

  const increments = other.run('increment', 'n', 50)
  for (let done = 0; done < 50; ) {
    const value = await withSnapshot(engine, snapshot => snapshot.get(bytes('n')))
    const batch = {
      expect: [{ key: bytes('n'), value }],
      changes: [set('n', String(Number(text(value) ?? 0) + 1))],
    }
    if ((await engine.keyValue.commit(batch)).committed) done++
  }
  await increments
  expect(await get(engine, 'n')).toBe('100')
})

it('a store that another process lets grow can be read and written, also from an older snapshot', async () => {
  await commit(engine, set('old', 'v'))
  const other = await otherProcess()
  const before = engine.keyValue.snapshot()
  await other.run('fill', 'large', 20, 1 << 20)
  await withSnapshot(engine, async snapshot => {
    for (const number of [0, 7, 19]) {
      const value = await snapshot.get(bytes(`large${number}`))
      expect(value !== undefined && Buffer.compare(value, Buffer.alloc(1 << 20, number))).toBe(0)
    }
  })
  expect(await entries(before)).toEqual(['old=v'])
  before.close()
  await commit(engine, set('mine', 'w'))
  await other.run('set', 'theirs', 'x')
  expect([await get(engine, 'mine'), await get(engine, 'theirs')]).toEqual(['w', 'x'])
})

it('blobs of another process can be read and listed', async () => {
  const other = await otherProcess()
  await other.run('put', 'ab/01', 'theirs')
  const into = new Uint8Array(10)
  expect(await engine.blobs.read('ab/01', 0, into)).toBe(6)
  for await (const name of engine.blobs.list('ab')) expect(name).toBe('ab/01')
})

it('a process that is killed while it commits loses nothing that was acknowledged, tears nothing and blocks no other process', async () => {
  for (let round = 0; round < 3; round++) {
    const other = await otherProcess()
    let acknowledged = -1
    other.child.on('message', (message: Message) => (acknowledged = message.acknowledged ?? acknowledged))
    const received = once(other.child, 'disconnect')
    other.start('commitForEver', `k${round}`)
    await other.receive(message => (message.acknowledged === 20 + round ? true : undefined))
    other.child.kill('SIGKILL')
    // Messages that the process sent may follow its exit.
    await Promise.all([other.exit, received])
    await commit(engine, set('next', String(round)))
    const found = await withSnapshot(engine, snapshot => entries(snapshot, `k${round}`, `k${round}z`))
    expect(found.length).toBeGreaterThanOrEqual(2 * (acknowledged + 1))
    expect(found.length).toBeLessThanOrEqual(2 * (acknowledged + 2))
    expect(found.length % 2).toBe(0)
  }
})

it.each([
  ['process.exit', 'exit', ''],
  ['an unhandled rejection', 'rejection', 'Error: what was thrown'],
  ['an uncaught exception', 'exception', 'Error: what was thrown'],
])(
  '%s ends a process also while it commits, with what is to be said, and nothing of the commit is there',
  async (_what, how, why) => {
    await commit(engine, set('before', 'v'))
    const other = await otherProcess()
    other.start('endWithin', how)
    expect(await other.exit).toEqual([null, 'SIGKILL'])
    expect(other.printed).toContain('while a commit was under way')
    expect(other.printed).toContain(why)
    expect(await withSnapshot(engine, entries)).toEqual(['before=v'])
    await commit(engine, set('after', 'v'))
  },
)

it('process.exit ends a process that commits nothing, with its code', async () => {
  const other = await otherProcess()
  other.start('endWithin', 'idle')
  expect(await other.exit).toEqual([3, null])
  expect(other.printed).toBe('')
})

it('while a stopped process holds the write lock, commits are refused and never done; reading goes on', async () => {
  await commit(engine, set('k', 'before'))
  const onStuck = vi.fn()
  const waiting = await openEngine(inFolder(folder), { lockWaitMilliseconds: 100, onStuck })
  const stopped = await stoppedProcess()
  const refused = { code: 'storage-locked', retryAfter: expect.any(Number) }
  const first = [set('k', 'refused'), set('other', 'refused')].map(change => commit(waiting, change))
  await Promise.all(first.map(done => expect(done).rejects.toMatchObject(refused)))
  await expect(commit(waiting, set('k', 'refused'))).rejects.toMatchObject(refused)
  expect(await get(waiting, 'k')).toBe('before')
  stopped.child.kill('SIGCONT')
  await vi.waitFor(() => commit(waiting, set('later', 'v')), { timeout: 60_000 })
  expect(await withSnapshot(waiting, entries)).toEqual(['k=before', 'later=v'])
  expect(onStuck).not.toHaveBeenCalled()
  await waiting.close()
})

it('a commit that waits for another process longer than the deadline does not end its process', async () => {
  const [holding, waiting] = await Promise.all([otherProcess(), otherProcess({ deadline: 100 })])
  // Longer than it takes to look whether the lock is free, and to look again.
  holding.start('holdWriteLock', 4000)
  await holding.receive(({ held }) => held)
  await waiting.run('set', 'k', 'v')
  expect(await get(engine, 'k')).toBe('v')
})

it('whether a process holds the write lock can be found out', async () => {
  const other = await otherProcess()
  expect(await other.run('isWriteLockHeld')).toBe(false)
  const stopped = await stoppedProcess()
  expect(await other.run('isWriteLockHeld')).toBe(true)
  stopped.child.kill('SIGKILL')
  await stopped.exit
  expect(await other.run('isWriteLockHeld')).toBe(false)
})

it('a folder whose write lock a stopped process holds is not opened: the process says so and ends', async () => {
  await stoppedProcess()
  const opening = start({ deadline: 3000 })
  expect(await opening.exit).toEqual([null, 'SIGKILL'])
  const why = 'another process on this data folder holds the write lock'
  expect(opening.printed).toContain(`hyperslab: waiting, since ${why} (at most 3 s)`)
  expect(opening.printed).toContain(`hyperslab: the data folder cannot be opened: ${why}`)
})

it('a process that is to close the folder while a stopped one holds the write lock ends, saying why', async () => {
  const closing = await otherProcess({ lockWait: 100 })
  await stoppedProcess()
  await expect(closing.run('set', 'k', 'v')).rejects.toThrow('holds the write lock')
  closing.start('close')
  expect(await closing.exit).toEqual([null, 'SIGKILL'])
  expect(closing.printed).toContain('hyperslab: The data folder cannot be closed in order')
  expect(await get(engine, 'k')).toBeUndefined()
})

it('when files can grow no more, as on a full disk, writing is refused and the store stays usable', async context => {
  if (process.platform === 'win32') return context.skip('Windows has no limit on the size of files')
  const other = await otherProcess({ fileSizeLimit: 4096 })
  expect(await other.run('writeLargeAndSmall')).toEqual([
    expect.stringContaining('the storage of the service failed (EIO)'),
    'done',
    expect.stringContaining('EFBIG'),
    'done',
    'done',
  ])
  expect(await get(engine, 'small again')).toBe('v')
  expect(await get(engine, 'large')).toBeUndefined()
  expect(await readdir(join(folder, 'blobs', 'ab'))).toEqual(['02'])
})

it('what a process reads that is stopped stays, what one read that has died does not', async () => {
  const other = await otherProcess()
  const name = String(await other.run('takeSnapshots', 1))
  const { oldest: read } = await engine.keyValue.openSnapshots()
  await commit(engine, set('k', 'v'))
  other.child.kill('SIGSTOP')
  const { oldest, newest } = await engine.keyValue.openSnapshots()
  expect([oldest, await engine.keyValue.isAlive(name)]).toEqual([read, true])
  expect(newest).toBeGreaterThan(read)
  other.child.kill('SIGKILL')
  await other.exit
  expect(await engine.keyValue.openSnapshots()).toEqual({ oldest: newest, newest })
  expect(await engine.keyValue.isAlive(name)).toBe(false)
})

it('more snapshots than there are slots for are refused, and nothing else; those of the dead are free again', async () => {
  const other = await otherProcess()
  const { limit } = engine.keyValue.snapshotSlots()
  await other.run('takeSnapshots', limit - 8)
  const open = []
  for (;;) {
    await commit(engine, set('state', `mine ${open.length}`))
    try {
      open.push(engine.keyValue.snapshot())
    } catch (error) {
      expect(error).toMatchObject({
        code: 'too-many-snapshots',
        message: expect.stringContaining(`no more than ${limit} states`),
      })
      break
    }
  }
  expect(open.length).toBeLessThanOrEqual(8)
  expect(engine.keyValue.snapshotSlots().taken).toBe(limit)
  expect(await commit(engine, set('k', 'v'))).toEqual({ committed: true })
  other.child.kill('SIGKILL')
  await other.exit
  expect(await get(engine, 'k')).toBe('v')
  expect(text(await open[0].get(bytes('state')))).toBe('mine 0')
  for (const snapshot of open) snapshot.close()
  // Each of two thousand states is a commit.
})
