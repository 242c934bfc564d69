// The inverse of FieldReader: fields of one structure, one after another, little-endian, in a buffer that grows.

import type { Widths } from './field-reader.ts'

export class FieldWriter {
  readonly widths: Widths
  /** Most structures are short, and the engine has memory of its own for up to 64 bytes. */
  #bytes = new Uint8Array(64)
  #length = 0

  constructor(widths: Widths) {
    this.widths = widths
  }

  get position(): number {
    return this.#length
  }

  /** The bytes that were written: a view, valid until the next write. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  /** The bytes that were written, in memory of their own. */
  copy(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }

  u8(value: number): void {
    this.unsigned(value, 1)
  }

  u16(value: number): void {
    this.unsigned(value, 2)
  }

  u32(value: number): void {
    this.unsigned(value, 4)
  }

  unsigned(value: number, width: number): void {
    const start = this.#grow(width)
    const bytes = this.#bytes
    // Numbers of up to 32 bits take no division.
    const isShort = value >= 0 && value < 2 ** 32
    for (let index = 0, rest = value; index < width && rest !== 0; index++) {
      bytes[start + index] = isShort ? rest & 0xff : rest % 256
      rest = isShort ? rest >>> 8 : Math.floor(rest / 256)
    }
  }

  /** Undefined: the undefined address. */
  address(address: number | undefined): void {
    this.#allOnesOr(address, this.widths.offsets)
  }

  length(length: number): void {
    this.unsigned(length, this.widths.lengths)
  }

  lengthOrUnlimited(length: number | undefined): void {
    this.#allOnesOr(length, this.widths.lengths)
  }

  put(bytes: Uint8Array): void {
    const start = this.#grow(bytes.length)
    this.#bytes.set(bytes, start)
  }

  zeros(count: number): void {
    this.#grow(count)
  }

  align(alignment: number): void {
    const rest = this.#length % alignment
    if (rest !== 0) this.zeros(alignment - rest)
  }

  signature(signature: string): void {
    for (const character of signature) this.u8(character.charCodeAt(0))
  }

  #allOnesOr(value: number | undefined, width: number): void {
    if (value !== undefined) {
      this.unsigned(value, width)
    } else {
      const start = this.#grow(width)
      this.#bytes.fill(0xff, start, start + width)
    }
  }

  /** New bytes are zero. */
  #grow(count: number): number {
    const start = this.#length
    this.#length += count
    if (this.#length > this.#bytes.length) {
      const grown = new Uint8Array(2 * this.#length)
      grown.set(this.#bytes.subarray(0, start))
      this.#bytes = grown
    }
    return start
  }
}
