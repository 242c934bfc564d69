// LMDB's write lock, which one process on the folder holds at a time, while it commits or opens the folder. LMDB can
// only wait for it, on a thread that cannot be interrupted. The functions here limit such a wait, or report it:
// docs/decisions/003-lmdb.md, "The write lock".

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { HyperslabError } from '../../../errors.ts'

const RETRY_SECONDS = 5

export function storageLocked(): HyperslabError {
  const message =
    'another process on this data folder holds the write lock and does not release it, perhaps because it is stopped; ' +
    'nothing was written: try again later'
  return new HyperslabError('storage-locked', message, { retryAfter: RETRY_SECONDS })
}

/** A long time, since starting the process that tries to take the lock is slow on a busy machine. */
const TRY_MILLISECONDS = 5000

/**
 * Whether another process fails to get the lock in time. It is a process because, unlike a thread, it can be ended
 * while it waits. False also when it fails for another reason.
 */
export function isWriteLockHeld(folder: string): Promise<boolean> {
  const script = fileURLToPath(new URL('./take-write-lock.js', import.meta.url))
  const result = new Promise<boolean>(resolve => {
    const child = spawn(process.execPath, [script, folder], { stdio: 'ignore' })
    const timer = setTimeout(() => {
      resolve(true)
      child.kill('SIGKILL')
    }, TRY_MILLISECONDS)
    const end = () => {
      clearTimeout(timer)
      resolve(false)
    }
    child.once('error', end)
    child.once('exit', end)
  })
  return result.catch(() => false)
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
