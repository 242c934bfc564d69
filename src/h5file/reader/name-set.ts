// Names of which each is added once, in few bytes: a group of a file may have a million links, and a `Set` of their titles takes 70 bytes
// for each. The names are one after another in one piece of memory, and a table of hashes leads to them.

import { randomInt } from 'node:crypto'
import { GrowingBytes } from '../../hdf5/values/growing-bytes.ts'

/** So that no file can have names of one hash. */
const SEED = randomInt(2 ** 32)

const LEAST_PLACES = 16

export class NameSet {
  readonly #bytes = new GrowingBytes(0)
  /** Where each name ends in the bytes. */
  #ends = new Uint32Array(LEAST_PLACES / 2)
  #hashes = new Uint32Array(LEAST_PLACES / 2)
  /** One more than the number of a name, at its hash or in the next place that is free; 0: free. Half of them are. */
  #places = new Uint32Array(LEAST_PLACES)
  #size = 0

  get size(): number {
    return this.#size
  }

  /** False: it is there already. */
  add(name: string): boolean {
    const start = this.#bytes.length
    const end = this.#append(name)
    const hash = hashOf(this.#bytes.bytes, start, end)
    let place = this.#placeOf(hash)
    for (; this.#places[place] !== 0; place = this.#after(place)) {
      if (!this.#isEqual(this.#places[place] - 1, hash, start, end)) continue
      this.#bytes.length = start
      return false
    }
    if (this.#size === this.#ends.length) {
      this.#grow()
      place = this.#freePlace(hash)
    }
    this.#ends[this.#size] = end
    this.#hashes[this.#size] = hash
    this.#size++
    this.#places[place] = this.#size
    return true
  }

  /** As UTF-8 has it, but for halves of surrogate pairs, which are characters of their own; so different names have different bytes. */
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

  #isEqual(index: number, hash: number, start: number, end: number): boolean {
    if (this.#hashes[index] !== hash) return false
    const from = index === 0 ? 0 : this.#ends[index - 1]
    if (this.#ends[index] - from !== end - start) return false
    const { bytes } = this.#bytes
    for (let at = start; at < end; at++) if (bytes[from + at - start] !== bytes[at]) return false
    return true
  }

  #placeOf(hash: number): number {
    return hash & (this.#places.length - 1)
  }

  #after(place: number): number {
    return (place + 1) & (this.#places.length - 1)
  }

  #freePlace(hash: number): number {
    let place = this.#placeOf(hash)
    while (this.#places[place] !== 0) place = this.#after(place)
    return place
  }

  #grow(): void {
    this.#ends = grown(this.#ends)
    this.#hashes = grown(this.#hashes)
    this.#places = new Uint32Array(2 * this.#places.length)
    for (let index = 0; index < this.#size; index++) {
      this.#places[this.#freePlace(this.#hashes[index])] = index + 1
    }
  }
}

function grown(numbers: Uint32Array): Uint32Array<ArrayBuffer> {
  const more = new Uint32Array(2 * numbers.length)
  more.set(numbers)
  return more
}

/** FNV-1a, whose last bits are mixed with the others. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = SEED
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at], 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}
