// A process on a data folder, for the tests of openings: opens the built engine and does what messages ask for. It
// commits numbers: each commit sets the next key of its own name, and the count of all of them. It keeps what it has
// read, and fails when it reads an older state. Plain JavaScript, since Node runs it without a build of its own.

import { inFolder } from '../../dist/modules/storage/engines/location.js'
import { openEngine, openEngineToRead } from '../../dist/modules/storage/engines/open-engine.js'

const [folder, name] = process.argv.slice(2)

const START = Buffer.from('n/')
const END = Buffer.from('n0')

let engine
let committed = 0
/** The number of commits that this process has read, of each name. */
const seen = new Map()

const key = (owner, number) => Buffer.from(`n/${owner}/${String(number).padStart(9, '0')}`)

async function commitOne() {
  const number = committed + 1
  const changes = [{ op: 'set', key: key(name, number), value: Buffer.from(String(process.pid)) }]
  // The number before is there, unless it was lost: then the commit is a conflict, and an error here.
  const before = committed === 0 ? [] : [key(name, committed)]
  const expect = before.map(key => ({ key, value: Buffer.from(String(process.pid)) }))
  const result = await engine.keyValue.commit({ expect, changes })
  if (!result.committed) throw new Error(`${name}: commit ${committed} was lost before commit ${number}`)
  committed = number
}

/** The numbers of each name that the newest state has: `{ a: 3 }` if those of a are 1 to 3. Throws for a gap. */
async function readCounts(keyValue) {
  const snapshot = keyValue.snapshot()
  const counts = {}
  try {
    for await (const { key } of snapshot.range({ start: START, end: END })) {
      const [, owner, number] = Buffer.from(key).toString().split('/')
      counts[owner] = (counts[owner] ?? 0) + 1
      if (Number(number) !== counts[owner]) throw new Error(`${owner}: commit ${counts[owner]} was lost`)
    }
  } finally {
    snapshot.close()
  }
  for (const [owner, count] of seen)
    if ((counts[owner] ?? 0) < count)
      throw new Error(`${name} has read ${count} commits of ${owner}, and now reads ${counts[owner] ?? 0}`)
  for (const [owner, count] of Object.entries(counts)) seen.set(owner, count)
  return counts
}

const tasks = {
  async open() {
    engine = await openEngine(inFolder(folder))
  },

  /** Returns the number of commits of this process so far. */
  async commit(count) {
    for (let done = 0; done < count; done++) await commitOne()
    return committed
  },

  /** Commits up to so many at once, and tells of every piece. */
  async commitMany(count, atOnce) {
    for (let done = 0; done < count; done += atOnce) {
      const first = committed + 1
      const each = Array.from({ length: Math.min(atOnce, count - done) }, (_, i) => {
        const changes = [{ op: 'set', key: key(name, first + i), value: Buffer.from(String(process.pid)) }]
        return engine.keyValue.commit({ expect: [], changes })
      })
      await Promise.all(each)
      committed += each.length
      process.send({ acknowledged: committed })
    }
    return committed
  },

  read: () => readCounts(engine.keyValue),

  /** Opens the folder to commit, reads, commits one number if it has a name, and closes it. */
  async openToWrite(commits = 0) {
    await tasks.open()
    try {
      const counts = await readCounts(engine.keyValue)
      await tasks.commit(commits)
      return counts
    } finally {
      await engine.close()
    }
  },

  /** Opens the folder to read, reads, and closes it. */
  async openToRead() {
    const opened = await openEngineToRead(inFolder(folder))
    try {
      return await readCounts(opened.keyValue)
    } finally {
      await opened.close()
    }
  },

  /** Opens the folder in all ways in turn, so many times. */
  async openAndClose(count) {
    for (let done = 0; done < count; done++) {
      await (done % 2 ? tasks.openToRead() : tasks.openToWrite(1))
      process.send({ opened: done + 1 })
    }
    return committed
  },

  close: () => engine.close(),

  pid: () => process.pid,
}

process.on('message', async ({ task, parameters }) => {
  try {
    process.send({ done: true, result: await tasks[task](...parameters) })
  } catch (error) {
    process.send({ done: true, error: error instanceof Error ? error.message : String(error) })
  }
})
process.on('disconnect', () => process.exit())
process.send({ ready: true })
