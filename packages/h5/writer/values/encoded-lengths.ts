// The lengths and masks of a dataset's chunks that are filtered while a file is written. A file is planned before it is
// written, so they are kept for each chunk, in eight bytes.

export interface EncodedLength {
  readonly length: number
  readonly mask: number
}

export class EncodedLengths {
  #numbers = new Uint32Array(32)
  #count = 0

  get count(): number {
    return this.#count
  }

  add(length: number, mask: number): void {
    const at = 2 * this.#count++
    if (at === this.#numbers.length) {
      const larger = new Uint32Array(2 * at)
      larger.set(this.#numbers)
      this.#numbers = larger
    }
    this.#numbers[at] = length
    this.#numbers[at + 1] = mask
  }

  /** The length at an index, in the order in which the lengths were added. */
  at(index: number): EncodedLength {
    return { length: this.#numbers[2 * index], mask: this.#numbers[2 * index + 1] }
  }
}
