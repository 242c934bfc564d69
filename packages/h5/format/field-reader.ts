// The fields of one structure of the file format, read one after another: little-endian, with a check at every step
// that they are inside the structure, because the bytes may come from anywhere. A number that JavaScript cannot hold
// exactly is an error.

import { damaged } from './errors.ts'

/** The bytes of addresses and of lengths in a file: 2, 4 or 8, not necessarily the same (superblock, II.A). */
export interface Widths {
  readonly offsets: number
  readonly lengths: number
}

/** All errors are `file-unreadable` and name the structure and its address. */
export class FieldReader {
  readonly bytes: Uint8Array
  readonly widths: Widths
  readonly #structure: string
  readonly #address: number | undefined
  #position = 0

  /** `structure` with its article ("the local heap"), `address` where it is, for messages. */
  constructor(bytes: Uint8Array, widths: Widths, structure: string, address?: number) {
    this.bytes = bytes
    this.widths = widths
    this.#structure = structure
    this.#address = address
  }

  get position(): number {
    return this.#position
  }

  /** Bytes that have not been read yet. */
  get left(): number {
    return this.bytes.length - this.#position
  }

  /** The error for a rule that the structure breaks. */
  error(rule: string): Error {
    return damaged(this.#structure, this.#address, rule)
  }

  skip(count: number): void {
    this.#take(count)
  }

  /** Moves to a multiple of `alignment`, counted from the beginning of the structure. */
  align(alignment: number): void {
    const rest = this.#position % alignment
    if (rest !== 0) this.#take(alignment - rest)
  }

  u8(): number {
    return this.bytes[this.#take(1)]
  }

  u16(): number {
    const start = this.#take(2)
    return this.bytes[start] | (this.bytes[start + 1] << 8)
  }

  u32(): number {
    const { bytes } = this
    const start = this.#take(4)
    return (
      (bytes[start] | (bytes[start + 1] << 8) | (bytes[start + 2] << 16) | (bytes[start + 3] << 24)) >>> 0
    )
  }

  /** An unsigned integer of 0 to 8 bytes, or more if the others are zero. */
  unsigned(width: number): number {
    const start = this.#take(width)
    let value = 0
    for (let index = width - 1; index >= 0; index--) value = value * 256 + this.bytes[start + index]
    if (!Number.isSafeInteger(value)) throw this.error(`it holds ${value}, a number beyond 2^53`)
    return value
  }

  /** Undefined: the undefined address, all bits set in the width of addresses. */
  address(): number | undefined {
    return this.#unlessAllSet(this.widths.offsets)
  }

  /** An address that must be there. */
  definedAddress(name: string): number {
    const address = this.address()
    if (address === undefined) throw this.error(`the address of ${name} is undefined`)
    return address
  }

  length(): number {
    return this.unsigned(this.widths.lengths)
  }

  /** Undefined: unlimited, all bits set in the width of lengths. */
  lengthOrUnlimited(): number | undefined {
    return this.#unlessAllSet(this.widths.lengths)
  }

  /** A view, not a copy. */
  take(count: number): Uint8Array {
    const start = this.#take(count)
    return this.bytes.subarray(start, start + count)
  }

  /** The bytes before the next NUL, which is skipped. */
  takeTerminated(): Uint8Array {
    const end = this.bytes.indexOf(0, this.#position)
    if (end === -1) throw this.error('a name in it does not end')
    const text = this.bytes.subarray(this.#position, end)
    this.#position = end + 1
    return text
  }

  expectSignature(signature: string): void {
    const start = this.#take(signature.length)
    for (let at = 0; at < signature.length; at++) {
      if (this.bytes[start + at] !== signature.charCodeAt(at))
        throw this.error(`it does not begin with ${signature}`)
    }
  }

  /** `version` must be one of these. */
  version(known: readonly number[]): number {
    const version = this.u8()
    if (!known.includes(version)) throw this.error(`there is no version ${version} of it`)
    return version
  }

  /** `count` items of at least `width` bytes each; an impossible count is rejected before anything is allocated. */
  list<T>(count: number, width: number, item: (index: number) => T): T[] {
    if (count * width > this.left) {
      throw this.error(`${count} items of ${width} bytes do not fit into the ${this.left} that are left`)
    }
    const items: T[] = []
    for (let index = 0; index < count; index++) items.push(item(index))
    return items
  }

  /** Undefined when all bits are set, a number that could not be held exactly. */
  #unlessAllSet(width: number): number | undefined {
    const start = this.#take(width)
    let at = start
    while (at < this.#position && this.bytes[at] === 0xff) at++
    if (at === this.#position) return undefined
    this.#position = start
    return this.unsigned(width)
  }

  #take(count: number): number {
    const start = this.#position
    if (!(count >= 0 && count <= this.left)) {
      throw this.error(`${count} bytes are needed, ${this.left} are left`)
    }
    this.#position += count
    return start
  }
}
