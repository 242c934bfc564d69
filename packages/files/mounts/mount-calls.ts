// The calls of the file system for the files of one mount. A file system of a network or of a program (NFS, FUSE) may
// not answer for hours, and a call that waits for it holds a thread of this process that nothing can free. So a mount
// has few calls at once, fewer than there are threads, and half of them for one file; the others queue. A call that has
// not ended in time is overdue: its caller gets `file-unavailable`, and so does everybody else that asks for the same
// file, at once, until the call ends. A mount with overdue calls for several files answers no request until one ends:
// these calls are the probes. A call that fails because a server was away is made once more; when that fails too, its
// caller gets `file-unavailable`. One for which there is no file descriptor is made again, for as long as a call may
// take.

import { type CancelTimer, type Clock, SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import { systemCode } from '@hyperslab/base/files'
import type { DomainPath, Timestamp } from '@hyperslab/model/names'
import type { FileCalls } from '../transfer/file-descriptor.ts'

/** Files with overdue or failed calls from which on the mount counts as unwell, rather than these files. */
const UNWELL_FILES = 3

/**
 * Codes with which file systems of networks and of programs report that a server, or the program, cannot be reached, or
 * has lost what it knew of a file. The next call may succeed.
 */
const PASSING_FAILURES = new Set([
  'EAGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'EIO',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTCONN',
  'EREMOTEIO',
  'ESHUTDOWN',
  'ESTALE',
  'ETIMEDOUT',
])

/** Codes of a process, or of a system, without free file descriptors: other requests soon give some back. */
const NO_DESCRIPTORS = new Set(['EMFILE', 'ENFILE'])
const DESCRIPTOR_PAUSE_MILLISECONDS = 20

/** A mount whose file system does not answer, or fails for several files. */
export interface UnwellMount {
  readonly path: DomainPath
  /** The time at which the first overdue call began, or the first failed. */
  readonly since: Timestamp
  /** Calls that have not ended in time. */
  readonly overdue: number
  /** The behaviour of the file system, for people: it "does not answer", or it "fails (EIO)". */
  readonly reason: string
}

export interface MountCallsOptions {
  /** The folder of the namespace, for messages. */
  readonly path: DomainPath
  /** Calls that run at once. */
  readonly limit: number
  /** Milliseconds after which a call is overdue. */
  readonly milliseconds: number
  /** Called with a message when the mount becomes unwell, and when it is well again. */
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
  /** Files for which calls have failed twice, since the last call that succeeded. */
  readonly #failed = new Set<string>()
  /** The code, and the time, of the first of these failures. */
  #failure = { code: '', since: 0 }

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

  /** Undefined: calls end in time, and do not fail for several files. */
  get unwell(): UnwellMount | undefined {
    const [first] = this.#overdue
    if (first === undefined && !this.#isFailing) return undefined
    const began = first?.since ?? this.#failure.since
    const since = Math.floor(1000 * (this.#clock.now() - (this.#clock.elapsed() - began)))
    const reason = first === undefined ? this.#failing : NO_ANSWER
    return { path: this.#options.path, since, overdue: this.#overdue.size, reason }
  }

  #run<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.#runOnce(name, work).catch((error: unknown) => this.#runAgain(name, work, error))
  }

  async #runAgain<T>(name: string, work: () => Promise<T>, first: unknown): Promise<T> {
    const end = this.#clock.elapsed() + this.#options.milliseconds
    for (let error = first; ; ) {
      const code = systemCode(error) ?? ''
      const isShort = NO_DESCRIPTORS.has(code) && this.#clock.elapsed() < end
      if (isShort) await this.#clock.sleep(DESCRIPTOR_PAUSE_MILLISECONDS)
      else if (!PASSING_FAILURES.has(code)) throw error
      try {
        return await this.#runOnce(name, work)
      } catch (again) {
        if (!isShort) throw this.#reportFailure(name, again)
        error = again
      }
    }
  }

  #runOnce<T>(name: string, work: () => Promise<T>): Promise<T> {
    if (this.#isRefused(name)) return Promise.reject(this.#unavailable(name, NO_ANSWER))
    return new Promise((resolve, reject) => {
      const succeed = (result: T) => {
        if (this.#failed.size > 0) this.#endFailures()
        resolve(result)
      }
      this.#enqueue(name, () => work().then(succeed, reject), reject)
    })
  }

  /** The error to throw for a call that has failed twice. */
  #reportFailure(name: string, error: unknown): unknown {
    const code = systemCode(error)
    if (code === undefined || !PASSING_FAILURES.has(code)) return error
    if (this.#failed.size === 0) this.#failure = { code, since: this.#clock.elapsed() }
    const wasFailing = this.#isFailing
    if (!wasFailing) this.#failed.add(name)
    if (this.#isFailing && !wasFailing) {
      this.#options.warn(`the file system of the mount ${this.#options.path} ${this.#failing}`)
    }
    return this.#unavailable(name, `fails (${code})`, error)
  }

  #endFailures(): void {
    if (this.#isFailing) {
      this.#options.warn(`the file system of the mount ${this.#options.path} no longer fails`)
    }
    this.#failed.clear()
  }

  get #isFailing(): boolean {
    return this.#failed.size >= UNWELL_FILES
  }

  get #failing(): string {
    return `fails (${this.#failure.code})`
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
      call.reject?.(this.#unavailable(call.name, NO_ANSWER))
    }
    for (const call of this.#waiting) {
      if (!call.reject || !this.#isRefused(call.name)) continue
      this.#waiting.delete(call)
      call.reject(this.#unavailable(call.name, NO_ANSWER))
    }
  }

  #isRefused(name: string): boolean {
    if (this.#overdue.size === 0) return false
    if (this.#overdue.size >= this.#options.limit) return true
    const names = new Set<string>()
    for (const call of this.#overdue) names.add(call.name)
    return names.has(name) || names.size >= UNWELL_FILES
  }

  #unavailable(name: string, reason: string, cause?: unknown): HyperslabError {
    const { path, milliseconds } = this.#options
    const retryAfter = Math.ceil(milliseconds / 1000)
    const rule = `the file system of the mount ${path} ${reason}`
    return new HyperslabError('file-unavailable', `${name} cannot be read now: ${rule}; try again later`, {
      subject: name,
      retryAfter,
      cause,
    })
  }
}

const NO_ANSWER = 'does not answer'
