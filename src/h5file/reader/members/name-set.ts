// Names of which each is added once, in few bytes: a group of a file may have a million links, and a `Set` of short
// titles takes 59 bytes for each, this 23. The names are one after another in one piece of memory, and a table of
// numbers at their hashes leads to them.

import { GrowingBytes } from '../../../hdf5/values/growing-bytes.ts'
import { fnv1a } from '../structures/fnv.ts'

/** So that no file can have names of one hash. */
const SEED = Math.floor(Math.random() * 2 ** 32)

const LEAST_PLACES = 16
/** The largest share of the table's slots that is taken. */
const MOST_TAKEN = 3 / 4

export class NameSet {
  readonly #bytes = new GrowingBytes(0)
  /** Where each name ends in the bytes. */
  #ends = new Uint32Array(LEAST_PLACES * MOST_TAKEN)
  /** One more than the number of a name, at its hash or in the next place that is free; 0: free. */
  #places = new Uint32Array(LEAST_PLACES)
  #size = 0

  get size(): number {
    return this.#size
  }

  /** False: it is there already. */
  add(name: string): boolean {
    const start = this.#bytes.length
    const end = this.#append(name)
    let place = this.#placeOf(start, end)
    for (; this.#places[place] !== 0; place = this.#after(place)) {
      if (!this.#isEqual(this.#places[place] - 1, start, end)) continue
      this.#bytes.length = start
      return false
    }
    if (this.#size === this.#ends.length) {
      this.#grow()
      place = this.#freePlace(start, end)
    }
    this.#ends[this.#size] = end
    this.#size++
    this.#places[place] = this.#size
    return true
  }

  /**
   * Appends the name in UTF-8, except that halves of surrogate pairs are encoded as characters of their own, so that
   * different names have different bytes.
   */
  #append(name: string): number {
    let at = this.#bytes.ensure(3 * name.length)
    const { bytes } = this.#bytes
    for (let i = 0; i < name.length; i++) {
      const unit = name.charCodeAt(i)
      if (unit < 0x80) {
        bytes[at++] = unit
      } else {
        bytes[at++] = 0xe0 | (unit >> 12)
        bytes[at++] = 0x80 | ((unit >> 6) & 0x3f)
        bytes[at++] = 0x80 | (unit & 0x3f)
      }
    }
    this.#bytes.length = at
    return at
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

  #placeOf(start: number, end: number): number {
    return hashOf(this.#bytes.bytes, start, end) & (this.#places.length - 1)
  }

  #after(place: number): number {
    return (place + 1) & (this.#places.length - 1)
  }

  #freePlace(start: number, end: number): number {
    let place = this.#placeOf(start, end)
    while (this.#places[place] !== 0) place = this.#after(place)
    return place
  }

  #grow(): void {
    this.#places = new Uint32Array(2 * this.#places.length)
    const ends = new Uint32Array(2 * this.#ends.length)
    ends.set(this.#ends)
    this.#ends = ends
    for (let index = 0; index < this.#size; index++) {
      this.#places[this.#freePlace(this.#startOf(index), ends[index])] = index + 1
    }
  }
}

/** FNV-1a, whose last bits are mixed with the others. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = fnv1a(bytes, start, end, SEED)
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}
