// The calls of the file system for the files of one mount. A file system of a network or of a program (NFS, FUSE) may
// not answer for hours, and a call that waits for it holds a thread of this process that nothing can free. So a mount
// has few calls at once, fewer than there are threads, and half of them for one file; the others queue. A call that has
// not ended in time is overdue: its caller gets `file-unavailable`, and so does everybody else that asks for the same
// file, at once, until the call ends. A mount with overdue calls for several files answers no request until one ends:
// these calls are the probes.

import { type CancelTimer, type Clock, SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import type { DomainPath, Timestamp } from '@hyperslab/model/names'
import type { FileCalls } from '../transfer/file-descriptor.ts'

/** Files with overdue calls from which on the mount counts as hung, rather than these files. */
const HUNG_FILES = 3

/** A mount with overdue calls. */
export interface HungMount {
  readonly path: DomainPath
  /** The time at which the first of them began. */
  readonly since: Timestamp
  /** The number of these calls. */
  readonly overdue: number
}

export interface MountCallsOptions {
  /** The folder of the namespace, for messages. */
  readonly path: DomainPath
  /** Calls that run at once. */
  readonly limit: number
  /** Milliseconds after which a call is overdue. */
  readonly milliseconds: number
  /** Called with a message when the first call is overdue, and when the last of them has ended. */
  readonly warn: (message: string) => void
  /** Default: that of the system. */
  readonly clock?: Clock
}

interface Call {
  /** The path of the domain or folder. */
  readonly name: string
  readonly start: () => void
  /** Undefined: nobody waits for its result. */
  readonly reject: ((error: HyperslabError) => void) | undefined
  /** The time at which it began, by the clock of the process. */
  since: number
}

export class MountCalls {
  readonly #options: MountCallsOptions
  readonly #waiting = new Set<Call>()
  /** Running calls that are not overdue, the first begun first. */
  readonly #running = new Set<Call>()
  readonly #overdue = new Set<Call>()
  /** The number of calls of each name that run or are overdue. */
  readonly #begun = new Map<string, number>()
  readonly #clock: Clock
  #cancelCheck: CancelTimer | undefined

  constructor(options: MountCallsOptions) {
    this.#options = options
    this.#clock = options.clock ?? SYSTEM_CLOCK
  }

  /** The calls for one domain or folder. */
  for(name: string): FileCalls {
    return {
      run: work => this.#run(name, work),
      runLater: work => this.#runLater(name, work),
    }
  }

  /** Undefined: all calls have ended in time. */
  get hung(): HungMount | undefined {
    const [first] = this.#overdue
    if (first === undefined) return undefined
    const since = 1000 * (this.#clock.now() - (this.#clock.elapsed() - first.since))
    return { path: this.#options.path, since: Math.floor(since), overdue: this.#overdue.size }
  }

  #run<T>(name: string, work: () => Promise<T>): Promise<T> {
    if (this.#isRefused(name)) return Promise.reject(this.#failure(name))
    return new Promise((resolve, reject) => {
      this.#enqueue(name, () => work().then(resolve, reject), reject)
    })
  }

  #runLater(name: string, work: () => Promise<unknown>): void {
    this.#enqueue(name, () => work().catch(() => undefined), undefined)
  }

  #enqueue(name: string, work: () => Promise<unknown>, reject: Call['reject']): void {
    const start = () => void work().finally(() => this.#end(call))
    const call: Call = { name, start, reject, since: 0 }
    this.#waiting.add(call)
    this.#begin()
  }

  /** Begins the waiting calls for which there is room. */
  #begin(): void {
    const { limit, milliseconds } = this.#options
    const perName = Math.max(1, Math.floor(limit / 2))
    for (const call of this.#waiting) {
      if (this.#running.size + this.#overdue.size >= limit) return
      const begun = this.#begun.get(call.name) ?? 0
      if (begun >= perName) continue
      this.#waiting.delete(call)
      this.#begun.set(call.name, begun + 1)
      this.#running.add(call)
      call.since = this.#clock.elapsed()
      this.#cancelCheck ??= this.#checkIn(milliseconds)
      call.start()
    }
  }

  #end(call: Call): void {
    const left = (this.#begun.get(call.name) ?? 0) - 1
    if (left > 0) this.#begun.set(call.name, left)
    else this.#begun.delete(call.name)
    if (!this.#running.delete(call)) {
      this.#overdue.delete(call)
      if (this.#overdue.size === 0) {
        this.#options.warn(`the file system of the mount ${this.#options.path} answers again`)
      }
    }
    if (this.#waiting.size > 0) this.#begin()
  }

  #checkIn(milliseconds: number): CancelTimer {
    // Calls that have ended while this thread was busy are noticed before the check.
    return this.#clock.after(milliseconds, () => setImmediate(() => this.#check()), 'while-running')
  }

  /** Rejects the calls that have not ended in time, and the waiting ones that would have to wait for them. */
  #check(): void {
    const { milliseconds, path, warn } = this.#options
    this.#cancelCheck = undefined
    const now = this.#clock.elapsed()
    for (const call of this.#running) {
      const left = call.since + milliseconds - now
      if (left > 0) {
        this.#cancelCheck = this.#checkIn(Math.ceil(left))
        break
      }
      this.#running.delete(call)
      this.#overdue.add(call)
      if (this.#overdue.size === 1) {
        warn(
          `the file system of the mount ${path} does not answer: a call for ${call.name} has not ended in ${milliseconds / 1000} s`,
        )
      }
      call.reject?.(this.#failure(call.name))
    }
    for (const call of this.#waiting) {
      if (!call.reject || !this.#isRefused(call.name)) continue
      this.#waiting.delete(call)
      call.reject(this.#failure(call.name))
    }
  }

  #isRefused(name: string): boolean {
    if (this.#overdue.size === 0) return false
    if (this.#overdue.size >= this.#options.limit) return true
    const names = new Set<string>()
    for (const call of this.#overdue) names.add(call.name)
    return names.has(name) || names.size >= HUNG_FILES
  }

  #failure(name: string): HyperslabError {
    const { path, milliseconds } = this.#options
    const retryAfter = Math.ceil(milliseconds / 1000)
    const rule = `the file system of the mount ${path} does not answer`
    return new HyperslabError('file-unavailable', `${name} cannot be read now: ${rule}; try again later`, {
      subject: name,
      retryAfter,
    })
  }
}
