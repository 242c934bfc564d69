// Processes that open and close a folder while others commit: nothing that was acknowledged is lost, and no process
// reads an older state than before. An opener pauses before each of its calls in turn.

import { spawnSync } from 'node:child_process'
import { closeSync, openSync, readFileSync, readSync, statSync, writeSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildPausedCalls, PausedCalls } from '../fixtures/paused-calls.ts'
import { type Counts, OpeningProcess } from './opening-process.ts'

const built = await mkdtemp(join(tmpdir(), 'hyperslab-paused-'))
const library = buildPausedCalls(built)

let folder: string
let processes: OpeningProcess[]

afterAll(() => rm(built, { recursive: true }))

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hyperslab-openings-'))
  processes = []
})
afterEach(async () => {
  await Promise.all(processes.map(process => process.kill()))
  await rm(folder, { recursive: true })
})

function start(name: string, options?: ConstructorParameters<typeof OpeningProcess>[2]): OpeningProcess {
  const process = new OpeningProcess(join(folder, 'data'), name, options)
  processes.push(process)
  return process
}

async function startOpen(name: string): Promise<OpeningProcess> {
  const process = start(name)
  await process.run('open')
  return process
}

/** Checks that each process reads all that was acknowledged. */
async function expectCounts(readers: readonly OpeningProcess[], counts: Counts): Promise<void> {
  for (const reader of readers) expect(await reader.run('read'), reader.name).toEqual(counts)
}

describe.skipIf(library === undefined)('an opener that pauses before each of its calls in turn', () => {
  let pauses: PausedCalls

  beforeAll(() => {
    // Not reached without the library.
    pauses = new PausedCalls(library ?? '', built)
  })

  /** The pause at one call of an opener, with commits meanwhile; false: it made fewer calls. */
  async function pauseOnce(
    opener: OpeningProcess,
    task: readonly [string, ...unknown[]],
    call: number,
    commits: number,
    [committer, other]: readonly [OpeningProcess, OpeningProcess],
  ): Promise<boolean> {
    const before = await committer.run<Counts>('read')
    await expectCounts([other], before)
    pauses.pauseAt(call)
    const opening = opener.run<Counts>(...task)
    const pause = await pauses.paused(opening)
    const committing = committer.run<number>('commit', commits)
    // A process that holds a lock lets nobody commit.
    if (pause && !pause.isLocked) {
      const count = await committing
      await expectCounts([committer, other], { ...(await other.run<Counts>('read')), committer: count })
    }
    pauses.go()
    const [read, count] = await Promise.all([opening, committing])
    expect(read.committer ?? 0, 'the opener').toBeGreaterThanOrEqual(before.committer ?? 0)
    await expectCounts([committer, other], { ...(await other.run<Counts>('read')), committer: count })
    const last = await committer.run<number>('commit', 1)
    await expectCounts([committer, other], { ...(await other.run<Counts>('read')), committer: last })
    return pause !== undefined
  }

  it.each([
    ['to commit', 'openToWrite', 1, 1],
    ['to commit', 'openToWrite', 1, 2],
    ['to commit', 'openToWrite', 0, 3],
    ['to read', 'openToRead', 0, 1],
    ['to read', 'openToRead', 0, 2],
    ['to read', 'openToRead', 0, 3],
  ])(
    '%s: %s, %d of its own, %d commits of another process at each pause',
    async (_how, task, own, commits) => {
      const committer = await startOpen('committer')
      const other = await startOpen('other')
      await committer.run('commit', 3)
      const opener = start('opener', { environment: pauses.environment })
      let call = 1
      while (await pauseOnce(opener, [task, own], call, commits, [committer, other])) call++
      // It opens and maps two files, locks and reads them, and closes them.
      expect(call).toBeGreaterThan(15)
      pauses.end()
      for (const process of [committer, other, opener]) await process.end()
      const { committer: count } = await start('last').run<Counts>('openToRead')
      expect(count).toBeGreaterThan(call)
    },
  )
})

describe('a number of the newest state that goes back, as an opener of another build may set it', () => {
  it.each([1, 2, 3, 100])('by %d', async steps => {
    const committer = await startOpen('committer')
    const other = await startOpen('other')
    await committer.run('commit', 120)
    const numbers = new StateNumber(join(folder, 'data', 'lmdb'))
    try {
      for (let round = 0; round < 5; round++) {
        await expectCounts([committer, other], { committer: 120 + 3 * round })
        numbers.setBack(steps)
        await expectCounts([committer, other], { committer: 120 + 3 * round })
        expect(await committer.run('commit', 3)).toBe(123 + 3 * round)
      }
      await commitMeanwhile([committer, other], () => numbers.setBack(steps))
      for (const process of [committer, other]) await process.run('commit', 1)
      await expectCounts([committer, other], { committer: 436, other: 301 })
    } finally {
      numbers.close()
    }
    expect(await start('last').run('openToRead')).toEqual({ committer: 436, other: 301 })
  })

  /** Each process commits 300 times, one after another. `disturb` runs between the commits, and a third one reads. */
  async function commitMeanwhile(committers: readonly OpeningProcess[], disturb: () => void): Promise<void> {
    const reader = await startOpen('reader')
    let isOver = false
    const committing = Promise.all(committers.map(process => process.run('commitMany', 300, 1)))
    const over = () => {
      isOver = true
    }
    committing.then(over, over)
    const acknowledged = () => committers.reduce((sum, process) => sum + process.acknowledged, 0)
    while (!isOver) {
      const before = acknowledged()
      disturb()
      await reader.run('read')
      while (!isOver && acknowledged() === before) await new Promise(resolve => setImmediate(resolve))
    }
    await committing
  }
})

describe('a folder that its last process closes while another one opens it', () => {
  it('opens, with nothing lost, whatever the order of their calls', async context => {
    if (library === undefined) return context.skip('no library that pauses calls')
    const pauses = new PausedCalls(library, built)
    const first = start('first', { environment: pauses.environment })
    const second = start('second')
    let commits = 0
    for (let call = 1; ; call++) {
      pauses.pauseAt(call)
      const closing = first.run<Counts>('openToWrite', 1)
      const pause = await pauses.paused(closing)
      const task = call % 3 === 0 ? 'openToRead' : 'openToWrite'
      const opening = second.run<Counts>(task, 1)
      // A process that holds a lock would let the other one wait.
      if (pause && !pause.isLocked) await waitsOrEnds(opening)
      pauses.go()
      await Promise.all([closing, opening])
      commits++
      expect((await second.run<Counts>('openToRead')).first).toBe(commits)
      if (pause === undefined) break
    }
    expect(commits).toBeGreaterThan(15)
  })

  it.each([2, 4])('opens, when %d processes open and close it all the time', async count => {
    const pauses = library === undefined ? undefined : new PausedCalls(library, built)
    pauses?.slowDown(500)
    const options = pauses === undefined ? {} : { environment: pauses.environment }
    const all = Array.from({ length: count }, (_, number) => start(`p${number}`, options))
    await Promise.all(all.map(process => process.run('openAndClose', 60)))
    // Each second opening is to read.
    expect(await start('last').run('openToRead')).toEqual(
      Object.fromEntries(all.map(({ name }) => [name, 30])),
    )
  })

  /** Resolves when the work has ended, or a process waits for the lock of the file. */
  async function waitsOrEnds(work: Promise<unknown>): Promise<void> {
    let isOver = false
    const over = () => {
      isOver = true
    }
    work.then(over, over)
    const { ino } = statSync(join(folder, 'data', 'lmdb', 'lock.mdb'), { throwIfNoEntry: false }) ?? {
      ino: 0,
    }
    const waits = () =>
      readFileSync('/proc/locks', 'utf8')
        .split('\n')
        .some(line => line.includes('->') && line.includes(`:${ino} `))
    while (!isOver && !waits()) await new Promise(resolve => setTimeout(resolve, 1))
  }
})

describe('processes of two pid namespaces', () => {
  const NAMESPACE = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child']
  const canUnshare = spawnSync('unshare', [...NAMESPACE.slice(1), 'true']).status === 0
  if (!canUnshare) console.warn('SKIPPED: this user or system cannot make a pid namespace with unshare')

  it.runIf(canUnshare).each([
    ['with the same process id', NAMESPACE],
    ['with different process ids', []],
  ])('%s: the second one is refused, and does the first no harm', async (_what, wrapper) => {
    const first = start('first', { wrapper })
    await first.run('open')
    await first.run('commit', 3)
    const second = start('second', { wrapper: NAMESPACE })
    // Both are the first process of their namespace.
    if (wrapper.length > 0) expect([await first.run('pid'), await second.run('pid')]).toEqual([1, 1])
    for (const task of ['open', 'openToWrite', 'open']) {
      await expect(second.run(task)).rejects.toThrow(/container or pid namespace/)
      await first.run('commit', 2)
    }
    expect(await first.run('read')).toEqual({ first: 9 })
    await first.run('close')
    await second.run('open')
    await second.run('commit', 1)
    expect(await second.run('read')).toEqual({ first: 9, second: 1 })
  })
})

/** The number in lock.mdb of a folder that this process does not have open in LMDB, so that closing it ends no lock. */
class StateNumber {
  readonly #lock: number
  readonly #data: number

  constructor(folder: string) {
    this.#lock = openSync(join(folder, 'lock.mdb'), 'r+')
    this.#data = openSync(join(folder, 'data.mdb'), 'r')
  }

  /** Stores the number of an older state, `steps` commits ago, without a lock. */
  setBack(steps: number): void {
    const number = Buffer.alloc(8)
    // In the two first pages; in the lock file.
    const newest = [152, 4096 + 152].map(offset => {
      readSync(this.#data, number, 0, 8, offset)
      return Number(number.readBigUInt64LE())
    })
    number.writeBigUInt64LE(BigInt(Math.max(...newest) - steps))
    writeSync(this.#lock, number, 0, 8, 8)
  }

  close(): void {
    closeSync(this.#lock)
    closeSync(this.#data)
  }
}
