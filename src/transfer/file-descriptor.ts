// A file that is open for reading. `close` waits for the running reads: when a descriptor is closed, the system soon
// gives its number to another file, whose bytes they would read.

import { type BigIntStats, close, fstat, fstatSync, read, readSync } from 'node:fs'
import type { TargetRange } from '../bounded/join-ranges.ts'

export class FileDescriptor {
  readonly #number: number
  #uses = 0
  #isClosed = false

  /** Owns the descriptor from now on. */
  constructor(number: number) {
    this.#number = number
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

  #use<T>(call: (number: number, done: (error: Error | null, result: T) => void) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) throw new Error('a file is used after it was closed')
      this.#uses++
      call(this.#number, (error, result) => {
        this.#uses--
        if (this.#isClosed) this.#closeUnused()
        if (error) reject(error)
        else resolve(result)
      })
    })
  }

  #closeUnused(): void {
    // The file was only read, so a failure to close it loses nothing.
    if (this.#uses === 0) close(this.#number, () => {})
  }
}
