// A byte array that grows at its end: heaps of elements, text that is being written. `bytes` and `view` are replaced
// when it grows, so they must not be kept across a call that makes room.

import { HyperslabError } from '@hyperslab/base/errors'

/** Slots count in unsigned 32-bit integers. @limit format, bytes */
const MAX_LENGTH = 2 ** 32 - 1

/** Memory shared by all empty arrays, as most heaps stay empty. */
const NO_BYTES = new Uint8Array(0)

export class GrowingBytes {
  bytes: Uint8Array
  /** Bytes in use; the content of the others is arbitrary. */
  length = 0

  readonly #capacity: number
  #view: DataView | undefined

  constructor(capacity = 64) {
    this.#capacity = capacity
    this.bytes = capacity === 0 ? NO_BYTES : new Uint8Array(capacity)
  }

  /** A view of the same memory, made when it is needed: for a few bytes it would be most of the work. */
  get view(): DataView {
    this.#view ??= new DataView(this.bytes.buffer)
    return this.#view
  }

  /** Makes room for `count` more bytes and returns their offset; they are not in use yet. */
  ensure(count: number): number {
    const needed = this.length + count
    if (needed > this.bytes.length) this.#grow(needed)
    return this.length
  }

  /** Takes `count` more bytes into use, whose content is not defined, and returns their offset. */
  reserve(count: number): number {
    const start = this.ensure(count)
    this.length += count
    return start
  }

  /** Copies `length` bytes of `source` from `from` to the end, and returns their offset. */
  append(source: Uint8Array, from = 0, length = source.length - from): number {
    const start = this.reserve(length)
    if (length < 32) {
      for (let i = 0; i < length; i++) this.bytes[start + i] = source[from + i]
    } else {
      this.bytes.set(source.subarray(from, from + length), start)
    }
    return start
  }

  appendByte(byte: number): void {
    const offset = this.reserve(1)
    this.bytes[offset] = byte
  }

  /** The bytes in use, valid until the next change. */
  used(): Uint8Array {
    return this.length === this.bytes.length ? this.bytes : this.bytes.subarray(0, this.length)
  }

  /** Passes the bytes in use to the caller and starts again with new memory. */
  take(): Uint8Array {
    const taken = this.used()
    this.bytes = new Uint8Array(this.#capacity)
    this.#view = undefined
    this.length = 0
    return taken
  }

  #grow(needed: number): void {
    if (needed > MAX_LENGTH) {
      throw new HyperslabError(
        'value-out-of-range',
        'values of variable size take more than 4 GiB at once: move fewer elements at a time',
      )
    }
    const grown = new Uint8Array(Math.min(MAX_LENGTH, Math.max(needed, 2 * this.bytes.length)))
    if (this.length > 0) grown.set(this.used())
    this.bytes = grown
    this.#view = undefined
  }
}
