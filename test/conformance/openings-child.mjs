// A process on a data folder, for the tests of openings: opens the built engine and does what messages ask for. It
// commits numbers: each commit sets the next key of its own name, and the count of all of them. It keeps what it has
// read, and fails when it reads an older state. For very many commits there are only a counter for each name and its
// last numbers (`count`). Plain JavaScript, since Node runs it without a build of its own.

import { inFolder } from '../../dist/modules/store/engines/location.js'
import { openEngine, openEngineToRead } from '../../dist/modules/store/engines/open-engine.js'

const [folder, name] = process.argv.slice(2)

const START = Buffer.from('n/')
const END = Buffer.from('n0')

/** The last numbers of a name that `count` keeps: pages are used again all the time. */
const KEPT = 100

let engine
let committed = 0
/** Whether this process has put a number of the newest state right. */
let hasRepaired = false
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
  requireNotOlder(counts)
  return counts
}

const counterKey = owner => Buffer.from(`c/${owner}`)
const slotKey = (owner, number) => Buffer.from(`s/${owner}/${number % KEPT}`)

/** Commits the next number of `count`; throws if the one before is not there. */
async function countOne(number) {
  const value = Buffer.from(String(number))
  const before = number === 1 ? undefined : Buffer.from(String(number - 1))
  const result = await engine.keyValue.commit({
    expect: [{ key: counterKey(name), value: before }],
    changes: [
      { op: 'set', key: counterKey(name), value },
      { op: 'set', key: slotKey(name, number), value: Buffer.alloc(100 + (number % 400), value) },
    ],
  })
  if (!result.committed) throw new Error(`${name}: commit ${number - 1} was lost before commit ${number}`)
}

/** The counters of all names; throws if one is less than this process has read. */
async function readCounters(keyValue) {
  const snapshot = keyValue.snapshot()
  const counts = {}
  try {
    for await (const { key, value } of snapshot.range({ start: Buffer.from('c/'), end: Buffer.from('c0') }))
      counts[Buffer.from(key).toString().slice(2)] = Number(Buffer.from(value).toString())
    for (const [owner, count] of Object.entries(counts))
      for (let number = Math.max(1, count - KEPT + 1); number <= count; number++) {
        const slot = await snapshot.get(slotKey(owner, number))
        const expected = Buffer.alloc(100 + (number % 400), String(number))
        if (slot === undefined || Buffer.compare(slot, expected) !== 0)
          throw new Error(`${name}: of ${count} commits of ${owner}, ${number} is not there as it was stored`)
      }
  } finally {
    snapshot.close()
  }
  requireNotOlder(counts)
  return counts
}

function requireNotOlder(counts) {
  for (const [owner, count] of seen)
    if ((counts[owner] ?? 0) < count)
      throw new Error(`${name} has read ${count} commits of ${owner}, and now reads ${counts[owner] ?? 0}`)
  for (const [owner, count] of Object.entries(counts)) seen.set(owner, count)
}

const tasks = {
  async open() {
    const warn = () => {
      hasRepaired = true
    }
    engine = await openEngine(inFolder(folder), { warn })
  },

  /** Counts on, `atOnce` at a time, and reads after each piece. */
  async count(count, atOnce) {
    for (let done = 0; done < count; done += atOnce) {
      await Promise.all(Array.from({ length: atOnce }, (_, index) => countOne(committed + 1 + index)))
      committed += atOnce
      process.send({ acknowledged: committed })
      const counts = await readCounters(engine.keyValue)
      if (counts[name] !== committed)
        throw new Error(`${name}: ${committed} commits, and reads ${counts[name]}`)
    }
    return committed
  },

  readCounters: () => readCounters(engine.keyValue),

  hasRepaired: () => hasRepaired,

  /** Opens the folder, reads, and closes it, again and again; every second time it counts one, too. */
  async openAndCount(count) {
    for (let done = 0; done < count; done++) {
      if (done % 2 === 0) {
        const opened = await openEngineToRead(inFolder(folder))
        await readCounters(opened.keyValue).finally(() => opened.close())
      } else {
        await tasks.open()
        try {
          // A process of this name before may have been killed.
          committed = (await readCounters(engine.keyValue))[name] ?? 0
          await tasks.count(1, 1)
        } finally {
          await engine.close()
        }
      }
      process.send({ opened: done + 1 })
    }
    return hasRepaired
  },

  /** Returns the number of commits of this process so far. */
  async commit(count) {
    for (let done = 0; done < count; done++) await commitOne()
    return committed
  },

  /** Commits `atOnce` numbers at a time, and sends a message after each piece. */
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
  async openToRead(how = 'readCounts') {
    const opened = await openEngineToRead(inFolder(folder))
    try {
      return how === 'readCounters' ? await readCounters(opened.keyValue) : await readCounts(opened.keyValue)
    } finally {
      await opened.close()
    }
  },

  /** Opens the folder to commit and to read in turn. */
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
