// The end of a process that has LMDB open. Node joins the threads of its pool when it exits, and one of them waits for
// the main thread while a commit is under way, and for a file system that does not answer: then `process.exit`, or an
// uncaught exception, would leave a process that never ends, holds its port and answers nothing. So such a process ends
// by SIGKILL. See docs/decisions/003-lmdb.md, "The end of a process".

import { writeSync } from 'node:fs'
import { inspect } from 'node:util'
import { isMainThread } from 'node:worker_threads'

/** Ends the process at once and without clean-up. No acknowledged write is lost. */
export function endProcess(reason: string): void {
  try {
    writeSync(2, `hyperslab: ${reason}. The process ends at once; what was acknowledged is stored.\n`)
  } finally {
    // The write must not block when nothing reads standard error.
    process.kill(process.pid, 'SIGKILL')
    // The first process of a container gets no signal that it sends to itself.
    process.abort()
  }
}

/**
 * Makes any end of this process while `isBusy()` is true an immediate one; `occupation` is for the message. Returns a
 * function that undoes this. Does nothing in a worker thread, which ends alone.
 */
export function endAtOnceWhen(isBusy: () => boolean, occupation = 'a commit was under way'): () => void {
  if (!isMainThread) return () => {}
  let uncaught: unknown
  // The error is printed here, since Node would print it after the listeners of `exit`.
  const onUncaught = (error: unknown): void => {
    uncaught = error
  }
  const onExit = (): void => {
    if (!isBusy()) return
    const reason = uncaught === undefined ? '' : ` because of ${inspect(uncaught)}`
    endProcess(`The process was to end while ${occupation}${reason}`)
  }
  process.on('uncaughtExceptionMonitor', onUncaught)
  process.on('exit', onExit)
  return () => {
    process.off('uncaughtExceptionMonitor', onUncaught)
    process.off('exit', onExit)
  }
}
