// Elements that arrive in pieces of any length and are taken in the lengths that the chunks need. There must be exactly
// as many as the selection has.

import { HyperslabError } from '@hyperslab/base/errors'
import { type Elements, ElementsBuilder, EMPTY_HEAP, type Piece } from '@hyperslab/model/values'
import type { BufferPool } from '../chunks/buffer-pool.ts'
import type { ChunkLayout } from '../chunks/chunk-layout.ts'

const NOTHING: Elements = { count: 0, data: new Uint8Array(0), heap: EMPTY_HEAP }

export class ElementsInput {
  readonly #source: AsyncIterator<Piece>
  readonly #layout: ChunkLayout
  readonly #pool: BufferPool
  readonly #expected: number
  #piece = NOTHING
  /** Elements of the piece that have been taken. */
  #taken = 0
  /** Elements of all pieces so far. */
  #given = 0
  #buffer: Uint8Array | undefined

  constructor(elements: AsyncIterable<Piece>, layout: ChunkLayout, pool: BufferPool, expected: number) {
    this.#source = elements[Symbol.asyncIterator]()
    this.#layout = layout
    this.#pool = pool
    this.#expected = expected
  }

  /** The one element that the source repeats; undefined if it sends each element. Must be called first. */
  async repeated(): Promise<Elements | undefined> {
    const first = await this.#source.next()
    if (first.done) return undefined
    if (!('element' in first.value)) {
      this.#begin(first.value)
      return undefined
    }
    const { count, element } = first.value
    this.#given = count
    if (count !== this.#expected) throw this.#mismatch(count > this.#expected ? 'at least' : 'only')
    return { ...element, data: element.data.slice(), heap: element.heap.slice() }
  }

  /** The next `count` elements, valid until the next call. */
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
    throw this.#mismatch('at least')
  }

  /** Ends the source. Must be called once. */
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
    throw this.#mismatch('only')
  }

  async #advance(): Promise<boolean> {
    const next = await this.#source.next()
    if (next.done) return false
    if ('element' in next.value) throw new Error('a repeated element must be the only piece')
    this.#begin(next.value)
    return true
  }

  #begin(piece: Elements): void {
    this.#piece = piece
    this.#taken = 0
    this.#given += piece.count
  }

  #mismatch(found: 'at least' | 'only'): HyperslabError {
    return new HyperslabError(
      'value-count-mismatch',
      `the selection has ${this.#expected} elements, but ${found} ${this.#given} were given`,
    )
  }
}
