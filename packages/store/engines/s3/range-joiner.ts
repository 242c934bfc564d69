// Small ranges of one blob that are requested in one turn of the event loop become one request.

import { joinRanges } from '@hyperslab/base/bounded'

/** Ranges of up to this many bytes are joined, if they are at most this far apart: a request takes about as long. */
const SMALL = 64 * 1024
/** Bytes of joined ranges, a request each otherwise. @limit speed, bytes, bench/results.md#062-limits-of-speed */
const MAX_LENGTH = 2 ** 20

/** The function `Blobs.read`. */
export type ReadBytes = (name: string, offset: number, into: Uint8Array) => Promise<number>

interface WaitingRange {
  readonly position: number
  readonly length: number
  readonly into: Uint8Array
  readonly resolve: (count: number | Promise<number>) => void
}

export class RangeJoiner {
  readonly #read: ReadBytes
  readonly #waiting = new Map<string, WaitingRange[]>()

  constructor(read: ReadBytes) {
    this.#read = read
  }

  read(name: string, offset: number, into: Uint8Array): Promise<number> {
    if (into.length > SMALL) return this.#read(name, offset, into)
    return new Promise(resolve => {
      const range = { position: offset, length: into.length, into, resolve }
      const others = this.#waiting.get(name)
      if (others) others.push(range)
      else {
        this.#waiting.set(name, [range])
        setImmediate(() => this.#readAll(name))
      }
    })
  }

  #readAll(name: string): void {
    const ranges = this.#waiting.get(name) ?? []
    this.#waiting.delete(name)
    for (const { position, length, members } of joinRanges(ranges, SMALL, MAX_LENGTH)) {
      const joined = members.map(member => ranges[member])
      const [first] = joined
      if (joined.length === 1) first.resolve(this.#read(name, position, first.into))
      else this.#readJoined(name, position, length, joined)
    }
  }

  #readJoined(name: string, position: number, length: number, ranges: readonly WaitingRange[]): void {
    const bytes = new Uint8Array(length)
    const read = this.#read(name, position, bytes)
    for (const { position: start, into, resolve } of ranges) {
      const copy = (count: number): number => {
        const found = bytes.subarray(start - position, Math.min(start - position + into.length, count))
        into.set(found)
        return found.length
      }
      resolve(read.then(copy))
    }
  }
}
