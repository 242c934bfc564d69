// Damage for HDF5 files: of any bytes, and within their structures, whose checksums are repaired so that readers meet
// the damage behind them.

import { lookup3 } from '../../packages/h5/format/checksum.ts'

/** Numbers from 0 to below 1 that follow from the seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const SIGNATURES = [
  ...['TREE', 'SNOD', 'HEAP', 'GCOL', 'OHDR', 'OCHK', 'FRHP', 'FHDB', 'FHIB', 'BTHD', 'BTIN', 'BTLF'],
  ...['FAHD', 'FADB', 'EAHD', 'EAIB', 'EASB', 'EADB', 'SMTB', 'SMLI'],
  '\x89HDF',
].map(text => Buffer.from(text, 'latin1'))

/** Checksums are at the end of what they cover; further away none is looked for. */
const LONGEST_COVERED = 1500

/** How far from its signature a structure without a checksum is damaged. */
const REACH = 200

export class SeedFile {
  readonly bytes: Uint8Array
  /** Where structures begin. */
  readonly #structures: readonly number[]
  /** The checksum of each structure, by its address; undefined: it has none. */
  readonly #checksums = new Map<number, number | undefined>()

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.#structures = structuresOf(bytes)
  }

  /** A damaged copy. */
  mutate(random: () => number): Uint8Array {
    let bytes: Uint8Array = this.bytes.slice()
    const below = (limit: number) => Math.floor(random() * limit)
    const kind = this.#structures.length === 0 ? 9 : below(10)
    const times = 1 + below(3)
    for (let time = 0; time < times; time++) {
      if (kind < 7) this.#damageStructure(bytes, below)
      else if (kind === 7) bytes = bytes.slice(0, below(bytes.length))
      else if (kind === 8) moveRange(bytes, below)
      else changeBytes(bytes, 0, bytes.length, below)
    }
    return bytes
  }

  #damageStructure(bytes: Uint8Array, below: (limit: number) => number): void {
    const start = this.#structures[below(this.#structures.length)]
    const covered = this.#checksumOf(start)
    const end = covered ?? Math.min(start + REACH, bytes.length)
    if (below(4) === 0 && end - start >= 16) {
      // The address of another structure, or of none.
      const address = this.#structures[below(this.#structures.length)]
      const at = start + 4 + below(end - start - 12)
      new DataView(bytes.buffer).setUint32(at, address, true)
      if (below(2) === 0) new DataView(bytes.buffer).setUint32(at + 4, 0, true)
    } else {
      changeBytes(bytes, start + 4, end, below)
    }
    if (covered !== undefined) {
      new DataView(bytes.buffer).setUint32(covered, lookup3(bytes.subarray(start, covered)), true)
    }
  }

  /** Where the checksum of the structure at `start` is. */
  #checksumOf(start: number): number | undefined {
    if (this.#checksums.has(start)) return this.#checksums.get(start)
    const view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength)
    const last = Math.min(start + LONGEST_COVERED, this.bytes.length - 4)
    let found: number | undefined
    for (let end = start + 8; end <= last && found === undefined; end++) {
      if (lookup3(this.bytes.subarray(start, end)) === view.getUint32(end, true)) found = end
    }
    this.#checksums.set(start, found)
    return found
  }
}

function structuresOf(bytes: Uint8Array): readonly number[] {
  const found: number[] = []
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (const signature of SIGNATURES) {
    for (let at = buffer.indexOf(signature); at !== -1; at = buffer.indexOf(signature, at + 1)) found.push(at)
  }
  // Object headers of version 1 have no signature: version, reserved, a small count, and one reference.
  for (let at = 0; at + 16 < bytes.length; at += 8) {
    if (
      bytes[at] === 1 &&
      bytes[at + 1] === 0 &&
      bytes[at + 3] === 0 &&
      bytes[at + 4] > 0 &&
      bytes[at + 5] === 0
    )
      found.push(at)
  }
  return found
}

const INTERESTING = [0, 1, 2, 3, 4, 7, 8, 16, 32, 64, 127, 128, 254, 255]

function changeBytes(bytes: Uint8Array, start: number, end: number, below: (limit: number) => number): void {
  const at = start + below(Math.max(1, end - start))
  const count = 1 + below(4)
  for (let index = at; index < Math.min(at + count, end); index++) {
    const choice = below(4)
    if (choice === 0) bytes[index] = INTERESTING[below(INTERESTING.length)]
    else if (choice === 1) bytes[index] ^= 1 << below(8)
    else if (choice === 2) bytes[index] += below(2) === 0 ? 1 : -1
    else bytes[index] = below(256)
  }
}

/** Copies a range of bytes over another. */
function moveRange(bytes: Uint8Array, below: (limit: number) => number): void {
  const length = 1 + below(Math.min(512, bytes.length))
  const from = below(bytes.length - length + 1)
  bytes.copyWithin(below(bytes.length - length + 1), from, from + length)
}
