// Decompression of one block of LZ4 (https://github.com/lz4/lz4, doc/lz4_Block_format.md), with or without a
// dictionary. Never makes more bytes than its caller asks for.

const MIN_MATCH = 4

/** The bytes that the block holds. Throws if these are not `length` bytes. */
export function decompressLz4(block: Uint8Array, length: number, dictionary?: Uint8Array): Uint8Array {
  const before = dictionary?.length ?? 0
  const memory = new Uint8Array(before + length)
  if (dictionary) memory.set(dictionary)
  let at = 0
  let to = before
  /** A length of 4 bits, continued in the next bytes while they are 255. */
  const lengthFrom = (bits: number): number => {
    let sum = bits
    if (bits < 15) return sum
    for (let more = 255; more === 255; sum += more) {
      if (at >= block.length) throw cutOff()
      more = block[at++]
    }
    return sum
  }
  while (at < block.length) {
    const token = block[at++]
    const literals = lengthFrom(token >>> 4)
    if (at + literals > block.length) throw cutOff()
    if (to + literals > memory.length) throw tooLong(length)
    copyForward(block, at, memory, to, literals)
    at += literals
    to += literals
    // The last sequence has no match.
    if (at === block.length) break
    if (at + 2 > block.length) throw cutOff()
    const distance = block[at] | (block[at + 1] << 8)
    at += 2
    const match = lengthFrom(token & 15) + MIN_MATCH
    if (distance === 0 || distance > to) throw new Error('an LZ4 block refers to bytes before its beginning')
    if (to + match > memory.length) throw tooLong(length)
    copyForward(memory, to - distance, memory, to, match)
    to += match
  }
  if (to < memory.length) throw new Error(`an LZ4 block holds ${to - before} bytes, not ${length}`)
  return memory.subarray(before)
}

/** Copies byte after byte: a match may overlap the bytes that it makes. Long copies that do not go at once. */
function copyForward(source: Uint8Array, from: number, target: Uint8Array, to: number, length: number): void {
  if (length > 32 && (source !== target || to - from >= length)) {
    target.set(source.subarray(from, from + length), to)
    return
  }
  for (let i = 0; i < length; i++) target[to + i] = source[from + i]
}

function cutOff(): Error {
  return new Error('an LZ4 block is cut off')
}

function tooLong(length: number): Error {
  return new Error(`an LZ4 block holds more than ${length} bytes`)
}
