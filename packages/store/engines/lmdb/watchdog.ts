// A commit that does not settle would let its callers wait for ever. There are two cases. Before a commit has begun, it
// waits for LMDB's write lock, which another process may hold for long, when it is stopped in the middle of a commit:
// then `onLocked` is called, and the wait continues. After it has begun, this process holds the lock itself: when the
// commit makes no progress, LMDB or the disk hangs, and the process must end. See docs/decisions/003-lmdb.md, "The
// write lock".

import { type CancelTimer, SYSTEM_CLOCK } from '@hyperslab/base/clock'

export interface Deadline {
  readonly milliseconds: number
  /** Called with the reason; by default it ends the process. */
  readonly onStuck: (reason: string) => void
}

export interface LockWait {
  /** The time for which a commit waits for the write lock before `onLocked` is called. */
  readonly milliseconds: number
  readonly onLocked: () => void
  /** Whether a process holds the lock; called when the commit has not begun before the deadline. */
  readonly isHeld: () => boolean
}

/**
 * Resolves and rejects as `work` does. The work calls `progress` when it has begun, which is when it has the write
 * lock, and whenever it makes progress; each call begins the deadline anew. Without `lock` it begins at once.
 */
export async function watch<T>(
  work: (progress: () => void) => Promise<T>,
  { milliseconds, onStuck }: Deadline,
  lock?: LockWait,
): Promise<T> {
  const seconds = milliseconds / 1000
  let state: 'waiting' | 'begun' | 'ended' = 'waiting'
  const patience = lock && new Alarm(lock.milliseconds, lock.onLocked)
  const deadline = new Alarm(milliseconds, () => {
    if (state === 'begun') return onStuck(`A commit has made no progress for ${seconds} s; the disk hangs`)
    if (lock?.isHeld()) deadline.set()
    else free.set()
  })
  // The lock may have become free a moment ago, and then the commit begins now.
  const free = new Alarm(0, () =>
    onStuck(`A commit has not begun for ${seconds} s, although no process holds the write lock`),
  )
  if (lock) deadline.set()
  patience?.set()
  const progress = () => {
    if (state === 'waiting') {
      state = 'begun'
      patience?.clear()
      free.clear()
    }
    deadline.set()
  }
  try {
    return await work(progress)
  } finally {
    state = 'ended'
    for (const alarm of [patience, deadline, free]) alarm?.clear()
  }
}

/** After a machine has slept, timers expire before the end of finished work is noticed, so an alarm checks twice. */
const SECOND_LOOK_MILLISECONDS = 1000

/** Calls its function once when the time has passed and a second check has confirmed it. */
class Alarm {
  readonly #milliseconds: number
  readonly #ring: () => void
  #cancel: CancelTimer | undefined

  constructor(milliseconds: number, ring: () => void) {
    this.#milliseconds = milliseconds
    this.#ring = ring
  }

  /** Starts the time anew. */
  set(): void {
    this.clear()
    this.#cancel = SYSTEM_CLOCK.after(this.#milliseconds, () => {
      this.#cancel = SYSTEM_CLOCK.after(SECOND_LOOK_MILLISECONDS, this.#ring)
    })
  }

  clear(): void {
    this.#cancel?.()
  }
}
