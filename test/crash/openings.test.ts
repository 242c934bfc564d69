// Openings beside commits, in numbers: one, two and four processes commit and read, while others open the same folder
// to commit and to read and close it again and again, in part slowed at each of their calls, in part killed. Nothing
// that was acknowledged is lost, no process reads an older state than before, and none dies. `npm run openings` makes
// more of them.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { type Counts, OpeningProcess } from '../conformance/opening-process.ts'
import { buildPausedCalls, PausedCalls } from '../fixtures/paused-calls.ts'
import { numbersFrom } from './numbers.ts'

const OPENINGS = Number(process.env.HYPERSLAB_OPENINGS ?? 120)
const WRITES = Number(process.env.HYPERSLAB_OPENINGS_WRITES ?? 3000)
const SEED = Number(process.env.HYPERSLAB_OPENINGS_SEED ?? Date.now() % 2 ** 31)

/** Processes that commit, in each part of the run. */
const COMMITTERS = [1, 2, 4]
const OPENERS = 3
/** Openings of one process, which is then ended; every third process is killed at some moment of the last of them. */
const OPENINGS_EACH = 10
const PIECE = 96
const AT_ONCE = 8
const SLOW_MICROSECONDS = 400

const built = await mkdtemp(join(tmpdir(), 'hyperslab-paused-'))
const library = buildPausedCalls(built)
const random = numbersFrom(SEED)

let folder: string
let processes: OpeningProcess[] = []

afterAll(() => rm(built, { recursive: true }))
afterEach(async () => {
  await Promise.all(processes.map(process => process.kill()))
  processes = []
  await rm(folder, { recursive: true, force: true })
})

function start(name: string, environment: Readonly<Record<string, string>> = {}): OpeningProcess {
  const process = new OpeningProcess(join(folder, 'data'), name, { environment })
  processes.push(process)
  return process
}

/** The counts of a part of the run. */
class Part {
  openings = 0
  writes = 0
  kills = 0
  repairs = 0
  /** The numbers of commits of each process that were acknowledged, and of those that it may have made. */
  readonly least: Record<string, number> = {}
  readonly most: Record<string, number> = {}

  /** `sent`: the number of commits that the process may have made. */
  acknowledge({ name, acknowledged }: OpeningProcess, sent: number): void {
    const before = this.least[name] ?? 0
    if (acknowledged > before) {
      this.writes += acknowledged - before
      this.least[name] = acknowledged
      this.most[name] = sent
    } else this.most[name] = (this.most[name] ?? 0) + sent - acknowledged
  }

  isOver(): boolean {
    return this.openings * COMMITTERS.length >= OPENINGS && this.writes * COMMITTERS.length >= WRITES
  }
}

async function commitUntilOver(part: Part, process: OpeningProcess): Promise<void> {
  while (!part.isOver()) {
    const count = await process.run<number>('count', PIECE, AT_ONCE)
    part.acknowledge(process, count)
  }
  if (await process.run<boolean>('hasRepaired')) part.repairs++
}

/** Processes that open and close the folder, one after another. */
async function openUntilOver(part: Part, place: number, slow: PausedCalls | undefined): Promise<void> {
  for (let turn = 0; !part.isOver(); turn++) {
    const process = start(`opener${place}`, turn % 2 === place % 2 ? slow?.environment : {})
    const opening = process.run<boolean>('openAndCount', OPENINGS_EACH)
    if (turn % 3 === 1) {
      await killWithin(process, opening)
      part.kills++
    } else {
      if (await opening) part.repairs++
      await process.end()
    }
    part.openings += process.opened
    part.acknowledge(process, process.acknowledged + 1)
    processes = processes.filter(each => each !== process)
  }
}

/** Kills the process at a moment of one of its openings. */
async function killWithin(process: OpeningProcess, work: Promise<unknown>): Promise<void> {
  const least = Math.floor(random() * OPENINGS_EACH)
  let isOver = false
  const over = () => {
    isOver = true
  }
  work.then(over, over)
  while (!isOver && process.opened < least) await new Promise(resolve => setTimeout(resolve, 1))
  await new Promise(resolve => setTimeout(resolve, random() * 3))
  // An error of the process before is one of the test.
  const failed = isOver ? work : undefined
  await process.kill()
  await failed
  await work.catch(() => undefined)
}

test.each(COMMITTERS)(
  `%d processes commit beside openings (${OPENINGS} openings, ${WRITES} writes, seed ${SEED})`,
  {
    timeout: 300_000 + OPENINGS * 1000 + WRITES * 10,
  },
  async count => {
    folder = await mkdtemp(join(tmpdir(), 'hyperslab-openings-'))
    const slow = library === undefined ? undefined : new PausedCalls(library, built)
    slow?.slowDown(SLOW_MICROSECONDS)
    const part = new Part()
    const committers = Array.from({ length: count }, (_, number) => start(`committer${number}`))
    await Promise.all(committers.map(process => process.run('open')))
    await Promise.all([
      ...committers.map(process => commitUntilOver(part, process)),
      ...Array.from({ length: OPENERS }, (_, place) => openUntilOver(part, place, slow)),
    ])
    await requireAll(part, committers)
    console.log(
      `openings: ${count} committing, ${part.openings} openings, ${part.writes} acknowledged writes, ` +
        `${part.kills} kills, ${part.repairs} processes that put a number right, seed ${SEED}`,
    )
  },
)

/** All that was acknowledged is there, in each process and after all have ended, and all pages are sound. */
async function requireAll(part: Part, committers: readonly OpeningProcess[]): Promise<void> {
  for (const process of committers) requireCounts(part, await process.run<Counts>('readCounters'))
  for (const process of committers) {
    await process.run('close')
    await process.end()
  }
  requireCounts(part, await start('last').run<Counts>('openToRead', 'readCounters'))
}

function requireCounts({ least, most }: Part, counts: Counts): void {
  for (const [name, number] of Object.entries(least)) {
    expect(counts[name] ?? 0, name).toBeGreaterThanOrEqual(number)
    expect(counts[name] ?? 0, name).toBeLessThanOrEqual(most[name] ?? 0)
  }
}
