// A commit that does not settle would leave its callers waiting for ever: LMDB can hang after a failed write of its
// meta page, and so can a disk, or another process that holds the write lock. The watchdog gives up after a deadline.

import { writeSync } from 'node:fs'

export interface Deadline {
  readonly milliseconds: number
  /** Called with what happened; by default it ends the process. */
  readonly onStuck: (reason: string) => void
}

/** A machine that slept finds its timers expired before it hears of the work that has ended, so it looks twice. */
const SECOND_LOOK_MILLISECONDS = 1000

/**
 * Resolves and rejects as `work` does, and says so if it takes longer than the deadline, which begins anew whenever the
 * work says that it makes progress.
 */
export async function watch<T>(
  work: (progress: () => void) => Promise<T>,
  { milliseconds, onStuck }: Deadline,
): Promise<T> {
  let secondLook: NodeJS.Timeout | undefined
  const firstLook = setTimeout(() => {
    secondLook = setTimeout(
      () =>
        onStuck(
          `A commit has made no progress for ${milliseconds / 1000} s; the disk hangs, or another process holds the lock`,
        ),
      Math.min(SECOND_LOOK_MILLISECONDS, milliseconds),
    )
  }, milliseconds)
  const progress = () => {
    clearTimeout(secondLook)
    firstLook.refresh()
  }
  try {
    return await work(progress)
  } finally {
    clearTimeout(firstLook)
    clearTimeout(secondLook)
  }
}

/**
 * Ends the process at once and without clean-up. `process.exit` would wait for the thread that is stuck, for ever
 * (docs/decisions/003-lmdb.md). Nothing that was acknowledged is lost by it.
 */
export function endProcess(reason: string): void {
  writeSync(2, `hyperslab: ${reason}. The process ends, so that it can be started anew.\n`)
  process.kill(process.pid, 'SIGKILL')
}
