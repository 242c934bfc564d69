// A file that is open for reading. `close` waits for the running reads: when a descriptor is closed, the system soon
// gives its number to another file, whose bytes they would read.

import { type BigIntStats, close, closeSync, fstat, fstatSync, read, readSync } from 'node:fs'
import type { TargetRange } from '@hyperslab/base/bounded'

/** Makes calls of the file system, which may have to wait for others. */
export interface FileCalls {
  /**
   * The result of a call. After a failure the call may still be running, and write into the memory that it was given.
   */
  run<T>(work: () => Promise<T>): Promise<T>
  /** Makes a call whose failure loses nothing, such as closing, however long it has to wait. */
  runLater(work: () => Promise<unknown>): void
}

/** Makes each call at once. */
export const DIRECT_CALLS: FileCalls = {
  run: work => work(),
  runLater: work => void work().catch(() => undefined),
}

/** The result of `open`; one that opens only after its call has failed is closed. */
export async function openInTime<T extends { close(): unknown }>(
  calls: FileCalls,
  open: () => Promise<T>,
): Promise<T> {
  let isLate = false
  try {
    return await calls.run(async () => {
      const opened = await open()
      if (isLate) await opened.close()
      return opened
    })
  } catch (error) {
    isLate = true
    throw error
  }
}

export class FileDescriptor {
  readonly #number: number
  readonly #calls: FileCalls
  /** Calls that run or wait. */
  #uses = 0
  #isClosed = false

  /** Owns the descriptor from now on. */
  constructor(number: number, calls = DIRECT_CALLS) {
    this.#number = number
    this.#calls = calls
  }

  /**
   * Reads bytes at `position` of the file into `target` from `start` on, and returns their number: 0 at the end of the
   * file.
   */
  readSome(target: Uint8Array, start: number, position: number): Promise<number> {
    return this.#use((number, done) => read(number, target, start, target.length - start, position, done))
  }

  stat(): Promise<BigIntStats> {
    return this.#use((number, done) => fstat(number, { bigint: true }, done))
  }

  /**
   * The state of the file, read in this thread, which waits for it: for files on a disk of this machine. Must not be
   * called after `close`.
   */
  statAtOnce(): BigIntStats {
    return fstatSync(this.#number, { bigint: true })
  }

  /** Reads within this thread, which waits for it: for short ranges that are likely in memory. */
  readAtOnce(target: Uint8Array, { offset, length, position }: TargetRange): number {
    if (this.#isClosed) throw new Error('a file is used after it was closed')
    return readSync(this.#number, target, offset, length, position)
  }

  /** The current size in bytes; 0 after `close`. */
  currentSize(): number {
    return this.#isClosed ? 0 : fstatSync(this.#number).size
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#closeUnused()
  }

  /**
   * Closes a file on a disk of this machine within this thread, unless it is read now, or is deleted: to free the space
   * of a large one takes a while.
   */
  closeAtOnce(): void {
    if (this.#isClosed || this.#uses > 0 || fstatSync(this.#number).nlink === 0) {
      this.close()
    } else {
      this.#isClosed = true
      closeSync(this.#number)
    }
  }

  async #use<T>(call: (number: number, done: (error: Error | null, result: T) => void) => void): Promise<T> {
    if (this.#isClosed) throw new Error('a file is used after it was closed')
    this.#uses++
    let hasBegun = false
    const work = () => {
      hasBegun = true
      return new Promise<T>((resolve, reject) => {
        call(this.#number, (error, result) => {
          this.#endUse()
          if (error) reject(error)
          else resolve(result)
        })
      })
    }
    try {
      return await this.#calls.run(work)
    } catch (error) {
      if (!hasBegun) this.#endUse()
      throw error
    }
  }

  #endUse(): void {
    this.#uses--
    if (this.#isClosed) this.#closeUnused()
  }

  #closeUnused(): void {
    if (this.#uses > 0) return
    this.#calls.runLater(
      // The file was only read, so a failure to close it loses nothing.
      () => new Promise<void>(resolve => close(this.#number, () => resolve())),
    )
  }
}
