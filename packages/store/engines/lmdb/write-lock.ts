// LMDB's write lock, which one process on the folder holds at a time, while it commits or opens the folder. LMDB can
// only wait for it, on a thread that cannot be interrupted. The functions here limit such a wait, or report it:
// docs/decisions/003-lmdb.md, "The write lock".

import { existsSync, readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { HyperslabError } from '@hyperslab/base/errors'
import type { StateNumbers } from './state-numbers.ts'

const RETRY_SECONDS = 5

/** The error of a commit that has waited for the write lock in vain. */
export function storageLocked(numbers: StateNumbers): HyperslabError {
  const thread = numbers.writer()
  const holder = processOf(thread ?? 0)
  const isHeld = thread !== 0 && holder !== String(process.pid)
  const message = isHeld
    ? `another process on this data folder${holder && ` (process id ${holder})`} holds the write lock and does not ` +
      'release it, perhaps because it is stopped'
    : 'the commit did not begin in time, although no other process holds the write lock: the machine or its disk is slow'
  return new HyperslabError('storage-locked', `${message}; nothing was written: try again later`, {
    retryAfter: RETRY_SECONDS,
  })
}

/**
 * Whether another process holds the write lock, by the id of the thread in the lock; true also where that cannot be
 * found out.
 */
export function isWriteLockHeld(numbers: StateNumbers): boolean {
  const thread = numbers.writer()
  if (thread === undefined) return true
  return thread !== 0 && !existsSync(`/proc/self/task/${thread}`)
}

/** The id of the process of a thread; empty: there is none, or another user runs it. */
function processOf(thread: number): string {
  try {
    return /^Tgid:\t(\d+)$/m.exec(readFileSync(`/proc/${thread}/status`, 'utf8'))?.[1] ?? ''
  } catch {
    return ''
  }
}

/** The time before a wait is reported; opening normally takes a few milliseconds. */
const SILENT_MILLISECONDS = 2000

/**
 * The source of a thread, since the main thread is blocked while LMDB waits. It is a string so that it also starts from
 * TypeScript sources.
 */
const GUARD = `
const { writeSync } = require('node:fs')
const { workerData } = require('node:worker_threads')
// Where nothing reads standard error, the process ends all the same.
const say = text => { try { writeSync(2, text) } catch {} }
for (const { milliseconds, text } of workerData.lines) setTimeout(say, milliseconds, text)
setTimeout(() => process.kill(process.pid, 'SIGKILL'), workerData.milliseconds)`

/** Opens a database, which waits for the write lock. A long wait is reported on stderr, and ends with the process. */
export function openGuarded<T>(milliseconds: number, open: () => T): T {
  const held = 'another process on this data folder holds the write lock'
  const lines = [
    {
      milliseconds: SILENT_MILLISECONDS,
      text: `hyperslab: waiting, since ${held} (at most ${milliseconds / 1000} s)\n`,
    },
    {
      milliseconds,
      text:
        `hyperslab: the data folder cannot be opened: ${held}, perhaps because it is stopped. Continue it, ` +
        `or end it.\n`,
    },
  ]
  const guard = new Worker(GUARD, { eval: true, execArgv: [], workerData: { lines, milliseconds } })
  // Without the thread the folder is opened all the same.
  guard.on('error', () => undefined)
  guard.unref()
  try {
    return open()
  } finally {
    void guard.terminate()
  }
}
