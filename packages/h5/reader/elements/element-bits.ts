// Fields of bits in a number of a file, of any size and byte order: integers with reduced precision, floats of any
// layout.

import { HyperslabError } from '@hyperslab/base/errors'
import type { FileByteOrder } from '../../format/file-type.ts'

/** The longest number. A longer one is damage, for which no memory is allocated. @limit safety, bytes */
const MAX_SIZE = 1024

export class ElementBits {
  /** The bits of one number, the least significant ones first, and zeros after them. */
  readonly #words: Uint32Array
  /** The offsets of its bytes in the element, the least significant byte first. */
  readonly #byteOffsets: readonly number[]

  constructor(size: number, order: FileByteOrder) {
    if (size > MAX_SIZE) {
      throw new HyperslabError(
        'type-unsupported',
        `a number of ${size} bytes is longer than ${MAX_SIZE} bytes`,
      )
    }
    this.#words = new Uint32Array(Math.ceil(size / 4) + 1)
    this.#byteOffsets = Array.from({ length: size }, (_, index) => byteAt(index, size, order))
  }

  /** Takes the number at `offset`. */
  load(elements: Uint8Array, offset: number): void {
    const byteOffsets = this.#byteOffsets
    const words = this.#words
    let word = 0
    for (let index = 0; index < byteOffsets.length; index++) {
      word |= elements[offset + byteOffsets[index]] << ((index & 3) * 8)
      words[index >>> 2] = word
      if ((index & 3) === 3) word = 0
    }
  }

  /** The `count` bits, 1 to 32, from bit `location` on, as an unsigned integer. */
  get(location: number, count: number): number {
    const index = location >>> 5
    const shift = location & 31
    let bits = this.#words[index] >>> shift
    if (shift + count > 32) bits |= this.#words[index + 1] << (32 - shift)
    return count === 32 ? bits >>> 0 : bits & ((1 << count) - 1)
  }
}

function byteAt(index: number, size: number, order: FileByteOrder): number {
  switch (order) {
    case 'LE':
      return index
    case 'BE':
      return size - 1 - index
    case 'VAX':
      return size - 2 - (index & ~1) + (index & 1)
  }
}
