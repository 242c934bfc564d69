// The end of a process that has LMDB open. Node joins the threads of its pool when it exits, and one of them waits for
// the main thread while a commit is under way: then `process.exit`, and an uncaught exception would leave a
// process that never ends, holds its port and answers nothing. So such a process ends by SIGKILL. See
// docs/decisions/003-lmdb.md, "The end of a process".

import { writeSync } from 'node:fs'
import { inspect } from 'node:util'
import { isMainThread } from 'node:worker_threads'

/** Ends the process at once and without clean-up. Nothing that was acknowledged is lost by it. */
export function endProcess(reason: string): void {
  try {
    writeSync(2, `hyperslab: ${reason}. The process ends at once; what was acknowledged is stored.\n`)
  } finally {
    // Also when nothing reads what is written to standard error.
    process.kill(process.pid, 'SIGKILL')
    // The first process of a container gets no signal that it sends to itself.
    process.abort()
  }
}

/**
 * Whatever ends this process while `isBusy`, which is asked then, ends it at once. Returns what takes this back. A
 * thread of a process ends alone, so there nothing is done.
 */
export function endAtOnceWhen(isBusy: () => boolean): () => void {
  if (!isMainThread) return () => {}
  let uncaught: unknown
  // Node would print it after the listeners of `exit`.
  const onUncaught = (error: unknown): void => {
    uncaught = error
  }
  const onExit = (): void => {
    if (!isBusy()) return
    const reason = uncaught === undefined ? '' : ` because of ${inspect(uncaught)}`
    endProcess(`The process was to end while a commit was under way${reason}`)
  }
  process.on('uncaughtExceptionMonitor', onUncaught)
  process.on('exit', onExit)
  return () => {
    process.off('uncaughtExceptionMonitor', onUncaught)
    process.off('exit', onExit)
  }
}
