// Elements that arrive in pieces of any length, taken in lengths that suit the chunks, and counted: there must be
// exactly as many as the selection has.

import { HyperslabError } from '../../errors.ts'
import { ElementsBuilder } from '../../hdf5/values/copy.ts'
import { type Elements, EMPTY_HEAP } from '../../hdf5/values/elements.ts'
import type { BufferPool } from './buffer-pool.ts'
import type { ChunkLayout } from './chunk-layout.ts'

const NOTHING: Elements = { count: 0, data: new Uint8Array(0), heap: EMPTY_HEAP }

export class ElementsInput {
  readonly #source: AsyncIterator<Elements>
  readonly #layout: ChunkLayout
  readonly #pool: BufferPool
  readonly #expected: number
  #piece = NOTHING
  /** Elements of the piece that have been taken. */
  #taken = 0
  /** Elements of all pieces so far. */
  #given = 0
  #buffer: Uint8Array | undefined

  constructor(elements: AsyncIterable<Elements>, layout: ChunkLayout, pool: BufferPool, expected: number) {
    this.#source = elements[Symbol.asyncIterator]()
    this.#layout = layout
    this.#pool = pool
    this.#expected = expected
  }

  /** The next `count` elements, valid until more are asked for. */
  async take(count: number): Promise<Elements> {
    while (this.#taken === this.#piece.count) await this.#next()
    if (this.#piece.count - this.#taken >= count) return this.#cut(count)
    this.#buffer ??= this.#pool.take(this.#layout.pieceElements * this.#layout.elementSize)
    const data = this.#buffer.subarray(0, count * this.#layout.elementSize)
    const builder = new ElementsBuilder(this.#layout.type, count, data, true)
    for (let filled = 0; filled < count; ) {
      if (this.#taken === this.#piece.count) await this.#next()
      const length = Math.min(count - filled, this.#piece.count - this.#taken)
      builder.copy(this.#piece, this.#taken, filled, length)
      this.#taken += length
      filled += length
    }
    return builder.finish()
  }

  /** Fails if there are more elements than were expected. */
  async end(): Promise<void> {
    while (this.#taken === this.#piece.count) if (!(await this.#advance())) return
    throw new HyperslabError(
      'value-count-mismatch',
      `the selection has ${this.#expected} elements, but at least ${this.#given} were given`,
    )
  }

  /** Tells the source that no more is wanted. Must be called once. */
  async close(): Promise<void> {
    if (this.#buffer) this.#pool.give(this.#buffer)
    await this.#source.return?.()
  }

  #cut(count: number): Elements {
    const { elementSize } = this.#layout
    const start = this.#taken * elementSize
    this.#taken += count
    const { data, heap } = this.#piece
    return { count, data: data.subarray(start, start + count * elementSize), heap }
  }

  async #next(): Promise<void> {
    if (await this.#advance()) return
    throw new HyperslabError(
      'value-count-mismatch',
      `the selection has ${this.#expected} elements, but only ${this.#given} were given`,
    )
  }

  async #advance(): Promise<boolean> {
    const next = await this.#source.next()
    if (next.done) return false
    this.#piece = next.value
    this.#taken = 0
    this.#given += next.value.count
    return true
  }
}
