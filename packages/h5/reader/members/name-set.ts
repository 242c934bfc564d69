// A set of names that needs little memory: a group of a file may have a million links, and a `Set` of short titles
// takes 59 bytes for each, this one 23. The names are one after another in one piece of memory, and a table of numbers
// at their hashes leads to them.

import { fnv1a } from '@hyperslab/base/bounded'
import { GrowingBytes } from '@hyperslab/model/values'

/** A random seed, so that no file can be made whose names all have one hash. */
const SEED = Math.floor(Math.random() * 2 ** 32)

const LEAST_SLOTS = 16
/** The largest share of the table's slots that is taken. */
const MOST_TAKEN = 3 / 4

export class NameSet {
  readonly #bytes = new GrowingBytes(0)
  /** The end of each name in the bytes. */
  #ends = new Uint32Array(LEAST_SLOTS * MOST_TAKEN)
  /** Each slot holds the number of a name plus one, at its hash or in the next free slot; 0: free. */
  #slots = new Uint32Array(LEAST_SLOTS)
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Adds a name; false: the set has it already. */
  add(name: string): boolean {
    const start = this.#bytes.length
    const end = this.#append(name)
    let slot = this.#slotOf(start, end)
    for (; this.#slots[slot] !== 0; slot = this.#after(slot)) {
      if (!this.#isEqual(this.#slots[slot] - 1, start, end)) continue
      this.#bytes.length = start
      return false
    }
    if (this.#size === this.#ends.length) {
      this.#grow()
      slot = this.#freeSlot(start, end)
    }
    this.#ends[this.#size] = end
    this.#size++
    this.#slots[slot] = this.#size
    return true
  }

  /**
   * Appends the name in UTF-8, except that halves of surrogate pairs are encoded as characters of their own, so that
   * different names have different bytes.
   */
  #append(name: string): number {
    let offset = this.#bytes.ensure(3 * name.length)
    const { bytes } = this.#bytes
    for (let i = 0; i < name.length; i++) {
      const unit = name.charCodeAt(i)
      if (unit < 0x80) {
        bytes[offset++] = unit
      } else {
        bytes[offset++] = 0xe0 | (unit >> 12)
        bytes[offset++] = 0x80 | ((unit >> 6) & 0x3f)
        bytes[offset++] = 0x80 | (unit & 0x3f)
      }
    }
    this.#bytes.length = offset
    return offset
  }

  #startOf(index: number): number {
    return index === 0 ? 0 : this.#ends[index - 1]
  }

  #isEqual(index: number, start: number, end: number): boolean {
    const from = this.#startOf(index)
    if (this.#ends[index] - from !== end - start) return false
    const { bytes } = this.#bytes
    for (let at = start; at < end; at++) if (bytes[from + at - start] !== bytes[at]) return false
    return true
  }

  #slotOf(start: number, end: number): number {
    return hashOf(this.#bytes.bytes, start, end) & (this.#slots.length - 1)
  }

  #after(slot: number): number {
    return (slot + 1) & (this.#slots.length - 1)
  }

  #freeSlot(start: number, end: number): number {
    let slot = this.#slotOf(start, end)
    while (this.#slots[slot] !== 0) slot = this.#after(slot)
    return slot
  }

  #grow(): void {
    this.#slots = new Uint32Array(2 * this.#slots.length)
    const ends = new Uint32Array(2 * this.#ends.length)
    ends.set(this.#ends)
    this.#ends = ends
    for (let index = 0; index < this.#size; index++) {
      this.#slots[this.#freeSlot(this.#startOf(index), ends[index])] = index + 1
    }
  }
}

/** FNV-1a, whose last bits are mixed with the others. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = fnv1a(bytes, start, end, SEED)
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}
