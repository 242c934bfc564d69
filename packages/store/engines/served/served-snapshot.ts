// A state of the records as a command reads it through the service. It never changes, so parts of it are kept while it
// is read.

import type { Entry, KeyRange, Snapshot } from '../../interfaces/engine.ts'
import { EVERYTHING, keyTextOf, successor } from '../../key-range.ts'
import { HeldSnapshot } from '../held-snapshot.ts'
import { copyOf } from '../lmdb/copies.ts'
import {
  type PackedArrays,
  PIECE_ENTRIES,
  pack,
  type Question,
  type RangePiece,
  type Request,
  unpack,
} from './messages.ts'
import { KnownPart, ReadAhead } from './read-ahead.ts'

interface SnapshotParts {
  readonly number: number
  ask(question: Question): Promise<unknown>
  tell(request: Request): void
}

export class ServedSnapshot extends HeldSnapshot<number> implements Snapshot {
  readonly #parts: SnapshotParts
  /** Rejects if the service could not open it. */
  readonly #opening: Promise<unknown>
  readonly #ahead = new ReadAhead(async (start, limit) => {
    const { ask, number } = this.#parts
    const { end } = EVERYTHING
    const piece = await this.#piece(ask({ op: 'range', snapshot: number, range: { start, end, limit } }))
    return new KnownPart(start, piece.entries, piece.isLast)
  })

  constructor(parts: SnapshotParts) {
    super(parts.number)
    this.#parts = parts
    this.#opening = parts.ask({ op: 'open', snapshot: parts.number })
    // The error is not lost: the reads reject with it.
    this.#opening.catch(() => undefined)
  }

  async get(key: Uint8Array): Promise<Uint8Array | undefined> {
    const [value] = await this.getMany([key])
    return value
  }

  async getMany(keys: readonly Uint8Array[]): Promise<readonly (Uint8Array | undefined)[]> {
    const { ask, number } = this.#parts
    const values: (Uint8Array | undefined)[] = []
    this.held()
    const [key] = keys
    const known = keys.length === 1 ? await this.#ahead.at(key) : undefined
    if (known) {
      this.held()
      const [entry] = known.from(key)
      return [entry && keyTextOf(entry.key) === keyTextOf(key) ? copyOf(entry.value) : undefined]
    }
    while (values.length < keys.length) {
      const piece = pack(keys.slice(values.length, values.length + PIECE_ENTRIES))
      const found = await this.#read(ask({ op: 'get', snapshot: number, keys: piece }))
      // The service sends what it was asked for.
      for (const value of unpack(found as PackedArrays)) values.push(value && copyOf(value))
    }
    return values
  }

  async *range(range: KeyRange): AsyncIterable<Entry> {
    const { end, limit = Number.POSITIVE_INFINITY, reverse = false } = range
    let { start } = range
    let left = limit
    this.held()
    if (!reverse && left > 0 && Buffer.compare(start, end) < 0) {
      const known = await this.#ahead.at(start)
      for (const { key, value } of known?.from(start) ?? []) {
        if (left === 0 || Buffer.compare(key, end) >= 0) return
        this.held()
        yield { key: copyOf(key), value: copyOf(value) }
        left--
      }
      if (known && Buffer.compare(known.end, end) >= 0) return
      start = known?.end ?? start
    }
    for await (const entries of this.#pieces({ start, end, limit: left, reverse })) {
      for (const { key, value } of entries) {
        this.held()
        yield { key: copyOf(key), value: copyOf(value) }
      }
    }
  }

  /** The range in pieces. The ones after the second are read ahead. */
  async *#pieces({
    start,
    end,
    limit: left = 0,
    reverse = false,
  }: KeyRange): AsyncGenerator<readonly Entry[]> {
    const askFor = (start: Uint8Array, end: Uint8Array) => {
      const range = { start, end, limit: Math.min(left, PIECE_ENTRIES), reverse }
      const answer = this.#parts.ask({ op: 'range', snapshot: this.#parts.number, range })
      // The error is not lost: the read rejects with it, unless nothing more is read.
      answer.catch(() => undefined)
      return answer
    }
    let next = left > 0 ? askFor(start, end) : undefined
    for (let pieces = 0; next !== undefined; pieces++) {
      const { entries, isLast } = await this.#piece(next)
      left -= entries.length
      const last = entries.at(-1)?.key ?? NOTHING
      const askOn = () => (reverse ? askFor(start, last) : askFor(successor(last), end))
      const isMore = !isLast && left > 0
      next = isMore && pieces > 0 ? askOn() : undefined
      yield entries
      if (isMore) next ??= askOn()
    }
  }

  async #piece(
    answer: Promise<unknown>,
  ): Promise<{ readonly entries: readonly Entry[]; readonly isLast: boolean }> {
    const { entries: packed, isLast } = (await this.#read(answer)) as RangePiece
    const arrays = unpack(packed)
    const entries: Entry[] = []
    for (let index = 0; index < arrays.length; index += 2)
      entries.push({ key: arrays[index] ?? NOTHING, value: arrays[index + 1] ?? NOTHING })
    return { entries, isLast }
  }

  protected override release(number: number): void {
    this.#parts.tell({ op: 'close', snapshot: number })
  }

  async #read(answer: Promise<unknown>): Promise<unknown> {
    const [opened, read] = await Promise.allSettled([this.#opening, answer])
    this.held()
    if (opened.status === 'rejected') throw opened.reason
    if (read.status === 'rejected') throw read.reason
    return read.value
  }
}

const NOTHING = new Uint8Array(0)
