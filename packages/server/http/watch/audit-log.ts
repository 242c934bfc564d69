// The audit: a line of JSON for each change, in a file or on standard error. A line is written whole, by one call of
// the system, before the answer to the request is sent; several processes share a file. A line that cannot be written
// is counted and reported, and the service goes on.

import { closeSync, constants, fstatSync, openSync, statSync, writeSync } from 'node:fs'
import { type Clock, SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { withoutSecrets } from '../message/share-address.ts'

/** The members of a line, as docs/guide/operating.md lists them. */
export type AuditEntry = Readonly<Record<string, unknown>>

/** `off`, `stderr`, or the path of a file. */
export type AuditSetting = string

/** The version of the form of a line. */
const FORM = 1
/** A file that was renamed or removed is found when a line is written this long after the last look. */
const LOOK_MILLISECONDS = 1000
const MINUTE_MILLISECONDS = 60_000
/**
 * Lines of requests without a user that were refused, in a minute and process: anybody can send such requests. A line
 * has the number of further ones.
 * @limit safety, lines
 */
const MAX_REFUSED = 600
/** A pipe without a reader is an error, not a wait. Others must not read names and addresses. */
const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK
const MODE = 0o600
const STANDARD_ERROR = 2

interface OpenFile {
  readonly descriptor: number
  readonly device: number
  readonly inode: number
}

export interface AuditParts {
  readonly setting: AuditSetting
  /** Is called at the start, and once a minute at most, with the number of lines that were lost since the last call. */
  readonly report: (error: unknown, lost: number) => void
  readonly clock?: Clock
}

export class AuditLog {
  /** Lines that were written, and lines that could not be. */
  written = 0
  failed = 0
  readonly #parts: AuditParts
  readonly #clock: Clock
  #file: OpenFile | undefined
  #looked = Number.NEGATIVE_INFINITY
  #reported = Number.NEGATIVE_INFINITY
  #unreported = 0
  /** Refused requests without a user since the beginning of a minute. */
  #refused = { since: Number.NEGATIVE_INFINITY, count: 0 }
  /** The last line has no end. */
  #isTorn = false

  constructor(parts: AuditParts) {
    this.#parts = parts
    this.#clock = parts.clock ?? SYSTEM_CLOCK
  }

  /** The path of the file; undefined: the lines go elsewhere, or nowhere. */
  get file(): string | undefined {
    const { setting } = this.#parts
    return setting === 'off' || setting === 'stderr' ? undefined : setting
  }

  get isOn(): boolean {
    return this.#parts.setting !== 'off'
  }

  /** Opens the file before its first line, so that a wrong path is reported at the start. */
  open(): void {
    if (!this.isOn) return
    try {
      this.#descriptor()
    } catch (error) {
      this.#parts.report(error, 0)
    }
  }

  write(entry: AuditEntry): void {
    if (!this.isOn) return
    this.#endMinute()
    const isByNobody = entry.outcome === 'refused' && entry.user === undefined && entry.sharedBy === undefined
    if (isByNobody && ++this.#refused.count > MAX_REFUSED) return
    this.#writeLine(entry)
  }

  /** Must be called at the end, so that no number is missing. */
  close(): void {
    this.#endMinute(0)
    this.reopen()
  }

  #endMinute(length = MINUTE_MILLISECONDS): void {
    const now = this.#clock.elapsed()
    if (now - this.#refused.since < length) return
    const more = this.#refused.count - MAX_REFUSED
    this.#refused = { since: now, count: 0 }
    if (more > 0) this.#writeLine({ outcome: 'more-refused', count: more })
  }

  #writeLine(entry: AuditEntry): void {
    const time = new Date(this.#clock.now()).toISOString()
    // Clients may have put a secret where a name belongs.
    const line = `${withoutSecrets(JSON.stringify({ audit: FORM, time, ...entry }))}\n`
    const bytes = Buffer.from(this.#isTorn ? `\n${line}` : line)
    try {
      const written = writeSync(this.#descriptor(), bytes)
      this.#isTorn = written < bytes.length
      if (this.#isTorn) throw new Error(`${written} of ${bytes.length} bytes of a line were written`)
      this.written++
    } catch (error) {
      this.#lose(error)
    }
  }

  /** The next line opens the file again, since it may have been renamed. */
  reopen(): void {
    if (this.#file !== undefined) closeSync(this.#file.descriptor)
    this.#file = undefined
  }

  #descriptor(): number {
    if (this.#parts.setting === 'stderr') return STANDARD_ERROR
    const now = this.#clock.elapsed()
    if (now - this.#looked >= LOOK_MILLISECONDS) {
      this.#looked = now
      if (this.#file !== undefined && !this.#isInPlace(this.#file)) this.reopen()
    }
    this.#file ??= openFile(this.#parts.setting)
    return this.#file.descriptor
  }

  #isInPlace({ device, inode }: OpenFile): boolean {
    const present = statSync(this.#parts.setting, { throwIfNoEntry: false })
    return present?.dev === device && present.ino === inode
  }

  #lose(error: unknown): void {
    this.failed++
    this.#unreported++
    const now = this.#clock.elapsed()
    if (now - this.#reported < MINUTE_MILLISECONDS) return
    this.#reported = now
    this.#parts.report(error, this.#unreported)
    this.#unreported = 0
  }
}

function openFile(path: string): OpenFile {
  const descriptor = openSync(path, FLAGS, MODE)
  const { dev, ino } = fstatSync(descriptor)
  return { descriptor, device: dev, inode: ino }
}
