// HDF5's checksum filter (id 3): four bytes after the others, the Fletcher checksum of the bytes taken as 16-bit
// big-endian words, written little-endian. An odd last byte is the high half of a word.
//
// Both sums are kept as ones' complement sums of 16 bits (carries are added back in), which do not mind the order of
// bytes: words are added as they are in a little-endian memory, and the sums turned around at the end.

import type { FilterCodec } from './filter.ts'

const CHECKSUM_SIZE = 4

/** The most words that can be added before the second sum exceeds 32 bits. */
const WORDS_PER_BLOCK = 360

export const fletcher32: FilterCodec = {
  id: 3,
  takesAnyBytes: true,
  isSelfDescribing: true,
  clientData: () => [],
  encode(bytes) {
    const result = new Uint8Array(bytes.length + CHECKSUM_SIZE)
    result.set(bytes)
    new DataView(result.buffer).setUint32(bytes.length, checksum(bytes), true)
    return result
  },
  decode(bytes) {
    const length = bytes.length - CHECKSUM_SIZE
    if (length < 0) throw new Error(`${bytes.length} bytes are too few for a checksum`)
    const data = bytes.subarray(0, length)
    const stored = new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(length, true)
    const actual = checksum(data)
    // HDF5 before 1.6.3 wrote each half of the sum the other way round on little-endian machines.
    if (stored !== actual && swapBytes(stored) !== actual) {
      throw new Error(`the checksum is ${hex(actual)}, not ${hex(stored)} as stored`)
    }
    return data
  },
}

function checksum(bytes: Uint8Array): number {
  const words = asWords(bytes)
  let first = 0
  let second = 0
  for (let i = 0; i < words.length; ) {
    for (const end = Math.min(i + WORDS_PER_BLOCK, words.length); i < end; i++) {
      first += words[i]
      second += first
    }
    first = fold(first)
    second = fold(second)
  }
  if (bytes.length % 2 === 1) {
    first += bytes[bytes.length - 1]
    second += first
  }
  return swapBytes(((fold(fold(second)) << 16) | fold(fold(first))) >>> 0)
}

/** Whole words only; a copy of them when they do not begin at a whole word. */
function asWords(bytes: Uint8Array): Uint16Array {
  const aligned = bytes.byteOffset % 2 === 0 ? bytes : bytes.slice()
  return new Uint16Array(aligned.buffer, aligned.byteOffset, Math.floor(bytes.length / 2))
}

function fold(sum: number): number {
  return (sum & 0xffff) + (sum >>> 16)
}

/** Turns each 16-bit half around. */
function swapBytes(sum: number): number {
  return (((sum & 0x00ff00ff) << 8) | ((sum >>> 8) & 0x00ff00ff)) >>> 0
}

function hex(sum: number): string {
  return sum.toString(16).padStart(8, '0')
}
