// Numbers of any count of bits in a row, without gaps, the most significant bit first: the form of the n-bit, the
// scale-offset and the szip filter.

/** Most bits that are moved at once: with up to seven that wait they must fit 31 bits. @limit format, bits */
const MAX_BITS = 24

export class BitWriter {
  readonly bytes: Uint8Array
  #at: number
  /** The last written bits, which are not a whole byte yet. */
  #pending = 0
  #count = 0

  /** Writes into an array of `length` bytes, from byte `from` on. */
  constructor(length: number, from = 0) {
    this.bytes = new Uint8Array(length)
    this.#at = from
  }

  /** Writes the lower `count` bits, at most 24; `value` is below 2 ** count. */
  write(value: number, count: number): void {
    let total = this.#count + count
    const bits = (this.#pending << count) | value
    while (total >= 8) {
      total -= 8
      this.bytes[this.#at++] = bits >>> total
    }
    this.#pending = bits & ((1 << total) - 1)
    this.#count = total
  }

  /** Writes the lower `count` bits of a 32-bit integer. */
  writeWord(value: number, count: number): void {
    if (count > 16) this.write((value >>> 16) & ((1 << (count - 16)) - 1), count - 16)
    const low = Math.min(count, 16)
    this.write(value & ((1 << low) - 1), low)
  }

  /** Writes the lower `count` bits of a 64-bit integer in two halves. */
  writeLong(high: number, low: number, count: number): void {
    if (count <= MAX_BITS) {
      this.write(low & ((1 << count) - 1), count)
      return
    }
    if (count > 32) this.writeWord(high, count - 32)
    this.writeWord(low, Math.min(count, 32))
  }

  /** Writes the last, incomplete byte with zeros after its bits. */
  finish(): Uint8Array {
    if (this.#count > 0) this.write(0, 8 - this.#count)
    return this.bytes
  }
}

export class BitReader {
  readonly #bytes: Uint8Array
  #at: number
  #pending = 0
  #count = 0

  constructor(bytes: Uint8Array, from = 0) {
    this.#bytes = bytes
    this.#at = from
  }

  /** The next `count` bits, at most 24. */
  read(count: number): number {
    while (this.#count < count) this.#take()
    this.#count -= count
    const value = this.#pending >>> this.#count
    this.#pending &= (1 << this.#count) - 1
    return value
  }

  /** The next `count` bits, at most 32, as a 32-bit integer. */
  readWord(count: number): number {
    if (count <= MAX_BITS) return this.read(count)
    return (this.read(count - 16) << 16) | this.read(16)
  }

  /** Reads zeros up to the next one bit, and that bit; returns the number of zeros. */
  readZeros(): number {
    let zeros = 0
    while (this.#pending === 0) {
      zeros += this.#count
      this.#count = 0
      this.#take()
    }
    const leading = Math.clz32(this.#pending) - (32 - this.#count)
    this.#count -= leading + 1
    this.#pending &= (1 << this.#count) - 1
    return zeros + leading
  }

  #take(): void {
    if (this.#at >= this.#bytes.length) throw new Error('the encoded bytes end too early')
    this.#pending = (this.#pending << 8) | this.#bytes[this.#at++]
    this.#count += 8
  }
}
