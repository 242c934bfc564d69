// A file on another machine as a source of bytes: ranges by HTTP, all of one state. Every request has a condition for
// that state, and the answer is checked too, since some servers ignore conditions.

import { type ByteRange, joinRanges } from '@hyperslab/base/bounded'
import type { HyperslabError } from '@hyperslab/base/errors'
import type { AnswerHead } from '@hyperslab/base/outgoing'
import type { ByteSource } from '@hyperslab/h5/reader'
import { fileChanged } from '../domain-errors.ts'
import { type FileState, rangeOf, stampOf, validatorsOf } from './file-state.ts'
import type { RemoteRequests } from './remote-requests.ts'

/** Ranges that are nearer are one request: it takes about as long as this many bytes. */
const GAP = 256 * 1024
/** Bytes of one request for joined ranges. @limit speed, bytes, bench/results.md#062-limits-of-speed */
const MAX_LENGTH = 8 * 2 ** 20

export interface HttpSourceOptions {
  readonly requests: RemoteRequests
  readonly state: FileState
  /** The first bytes of the file, which are known already. */
  readonly head: Uint8Array
  /** The path of the domain, for messages. */
  readonly subject: string
  /** Called when the server has another state of the file. */
  readonly onChange: () => void
}

export class HttpSource implements ByteSource {
  readonly size: number
  readonly stamp: string
  readonly #options: HttpSourceOptions
  #isChanged = false

  constructor(options: HttpSourceOptions) {
    this.size = options.state.size
    this.stamp = options.state.stamp
    this.#options = options
  }

  /** Whether the server has shown another state. */
  get isChanged(): boolean {
    return this.#isChanged
  }

  get head(): Uint8Array {
    return this.#options.head
  }

  /** Throws `file-changed` when the server has another state, `file-unavailable` when it does not answer. */
  async read(ranges: readonly ByteRange[], signal?: AbortSignal): Promise<readonly Uint8Array[]> {
    const { head } = this.#options
    const results: Uint8Array[] = new Array(ranges.length)
    const missing: (ByteRange & { readonly index: number })[] = []
    for (const [index, range] of ranges.entries()) {
      const { position } = range
      const length = Math.max(0, Math.min(range.length, this.size - position))
      if (position + length <= head.length || length === 0) {
        results[index] = head.subarray(position, position + length)
      } else {
        missing.push({ position, length, index })
      }
    }
    await Promise.all(
      joinRanges(missing, GAP, MAX_LENGTH).map(async ({ position, length, members }) => {
        const bytes = new Uint8Array(length)
        await this.#fill(bytes, position, signal)
        for (const member of members) {
          const { index, ...range } = missing[member]
          const start = range.position - position
          results[index] = bytes.subarray(start, start + range.length)
        }
      }),
    )
    return results
  }

  async readInto(target: Uint8Array, position: number, signal?: AbortSignal): Promise<number> {
    const { head } = this.#options
    const count = Math.max(0, Math.min(target.length, this.size - position))
    const known = Math.max(0, Math.min(count, head.length - position))
    target.set(head.subarray(position, position + known))
    await this.#fill(target.subarray(known, count), position + known, signal)
    return count
  }

  async #fill(target: Uint8Array, position: number, signal: AbortSignal | undefined): Promise<void> {
    const requests: Promise<void>[] = []
    for (let start = 0; start < target.length; start += MAX_LENGTH) {
      requests.push(this.#request(target.subarray(start, start + MAX_LENGTH), position + start, signal))
    }
    await Promise.all(requests)
  }

  async #request(target: Uint8Array, position: number, signal: AbortSignal | undefined): Promise<void> {
    const { requests, state, subject } = this.#options
    const headers = { ...state.conditions, range: `bytes=${position}-${position + target.length - 1}` }
    let filled = 0
    const take = (piece: Uint8Array) => {
      if (filled + piece.length > target.length) throw this.#changed()
      target.set(piece, filled)
      filled += piece.length
    }
    await requests.get({ url: state.url, headers, subject, signal }, head => {
      if (!this.#isOfState(head, position)) throw this.#changed()
      filled = 0
      return take
    })
    if (filled < target.length) throw this.#changed()
  }

  /**
   * Whether the answer is of the expected state; any other one, such as 412 or 404, means that the file has changed.
   */
  #isOfState(head: AnswerHead, position: number): boolean {
    const range = head.status === 206 ? rangeOf(head) : undefined
    return range?.position === position && stampOf(validatorsOf(head), range.size) === this.stamp
  }

  #changed(): HyperslabError {
    this.#isChanged = true
    this.#options.onChange()
    return fileChanged(this.#options.subject)
  }
}
