// A second process on a data folder, for engine-processes.test.ts: opens the built engine (`npm test` builds first)
// and does what messages ask for. Plain JavaScript, since Node runs it without a build of its own.

import { writeFileSync } from 'node:fs'
import { open } from '../../dist/modules/store/engines/lmdb/lmdb.js'
import { StateNumbers } from '../../dist/modules/store/engines/lmdb/state-numbers.js'
import { isWriteLockHeld } from '../../dist/modules/store/engines/lmdb/write-lock.js'
import { inFolder } from '../../dist/modules/store/engines/location.js'
import { openEngine } from '../../dist/modules/store/engines/open-engine.js'

const [folder, deadline, lockWait] = process.argv.slice(2)
const engine = await openEngine(inFolder(folder), {
  commitDeadlineMilliseconds: Number(deadline),
  lockWaitMilliseconds: Number(lockWait),
})

const set = (key, value) => ({ op: 'set', key: Buffer.from(key), value: Buffer.from(value) })

const tasks = {
  set: (key, value) => engine.keyValue.commit({ expect: [], changes: [set(key, value)] }),

  /** Tells by a file, since the other process is too busy to receive a message. */
  async setAndTouch(key, value, path) {
    await tasks.set(key, value)
    writeFileSync(path, '')
  },

  async logOneByOne(log, value, count) {
    const change = { op: 'log', key: Buffer.from(log), value: Buffer.from(value) }
    for (let done = 0; done < count; done++) await engine.keyValue.commit({ expect: [], changes: [change] })
  },

  async addOneByOne(key, count) {
    const change = { op: 'add', key: Buffer.from(key), delta: 1 }
    for (let done = 0; done < count; done++) await engine.keyValue.commit({ expect: [], changes: [change] })
  },

  /** Increments the counter by read, expect and retry; returns how often another process was faster. */
  async increment(key, count) {
    let conflicts = 0
    for (let done = 0; done < count; ) {
      const snapshot = engine.keyValue.snapshot()
      const value = await snapshot.get(Buffer.from(key))
      snapshot.close()
      const next = String(Number(value === undefined ? 0 : Buffer.from(value).toString()) + 1)
      const expect = [{ key: Buffer.from(key), value }]
      const { committed } = await engine.keyValue.commit({ expect, changes: [set(key, next)] })
      if (committed) done++
      else conflicts++
    }
    return conflicts
  },

  async fill(prefix, count, length) {
    for (let number = 0; number < count; number++)
      await tasks.set(`${prefix}${number}`, Buffer.alloc(length, number))
  },

  /** Commits until the process is killed. The next commit begins when the message of the last lies in the channel. */
  async commitForEver(prefix) {
    for (let number = 0; ; number++) {
      await engine.keyValue.commit({
        expect: [],
        changes: [set(`${prefix}a${number}`, 'v'), set(`${prefix}b${number}`, 'v')],
      })
      await new Promise(resolve => process.send({ acknowledged: number }, resolve))
    }
  },

  /** Ends, as the parameter says, in the middle of a commit that takes turns. */
  async endWithin(how) {
    const changes = Array.from({ length: 300_000 }, (_, number) => set(`k${number}`, 'v'))
    void engine.keyValue.commit({ expect: [], changes })
    await new Promise(resolve => setTimeout(resolve, 50))
    if (how === 'exit') process.exit(0)
    if (how === 'rejection') void Promise.reject(new Error('what was thrown'))
    if (how === 'exception') {
      setImmediate(() => {
        throw new Error('what was thrown')
      })
    }
    if (how === 'idle') {
      await engine.keyValue.commit({ expect: [], changes: [set('last', 'v')] })
      process.exit(3)
    }
  },

  /** Reads a number of states at once, until the process ends. */
  async takeSnapshots(count) {
    for (let taken = 0; taken < count; taken++) {
      await tasks.set('state', String(taken))
      engine.keyValue.snapshot()
    }
    return engine.keyValue.process
  },

  put: (name, text) => engine.blobs.put(name, [Buffer.from(text)]),

  /** Keeps every other writer waiting. */
  holdWriteLock(milliseconds) {
    const lmdb = open({ path: `${folder}/lmdb`, overlappingSync: false })
    lmdb.transactionSync(() => {
      process.send({ held: true })
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
    })
  },

  /** Begins a transaction and is stopped within it, like a process in a container that is frozen. */
  stopWithWriteLock() {
    const lmdb = open({ path: `${folder}/lmdb`, overlappingSync: false })
    lmdb.transactionSync(() => {
      process.send({ held: true })
      process.kill(process.pid, 'SIGSTOP')
    })
  },

  isWriteLockHeld() {
    const numbers = new StateNumbers(`${folder}/lmdb`)
    const isHeld = isWriteLockHeld(numbers)
    numbers.close()
    return isHeld
  },

  close: () => engine.close(),

  /** The outcome of a large and of a small commit and blob. */
  async writeLargeAndSmall() {
    const outcome = async work => (await Promise.allSettled([work]))[0].reason?.message ?? 'done'
    return [
      await outcome(tasks.set('large', Buffer.alloc(6 << 20, 1))),
      await outcome(tasks.set('small', 'v')),
      await outcome(engine.blobs.put('ab/01', [Buffer.alloc(6 << 20, 1)])),
      await outcome(engine.blobs.put('ab/02', [Buffer.alloc(1000, 1)])),
      await outcome(tasks.set('small again', 'v')),
    ]
  },
}

process.on('message', async ({ task, parameters }) => {
  try {
    process.send({ done: true, result: await tasks[task](...parameters) })
  } catch (error) {
    process.send({ done: true, error: String(error) })
  }
})
process.on('disconnect', () => engine.close())
process.send({ ready: true })
