// BloscLZ, the compressor of Blosc: a sequence of instruction bytes, each with its data.
//
//   000lllll l + 1 bytes follow as they are
//   lllddddd [more length] dddddddd repeat l + 2 bytes from d + 1 bytes before; with l = 7 the next bytes add to the
//                                   length, until one is not 255; with all bits of d set, two more bytes (big-endian)
//                                   are the distance beyond 8192
//
// The first instruction always copies (c-blosc, README_CHUNK_FORMAT.rst; FastLZ, "Compressed format", level 2).

/** Literals of one instruction. @limit format, bytes */
const MAX_LITERALS = 32
const LONG_LENGTH = 7
const MIN_MATCH = 4
/** From here on a distance takes two bytes more. */
const FAR = 8192
/** Distance of a match. @limit format, bytes */
const MAX_DISTANCE = FAR + 0xffff
/** Bytes that a far repetition must save at least. */
const MIN_FAR_MATCH = 6
/** The last bytes are copied: c-blosc takes no other end. */
const LAST_LITERALS = 12
const HASH_BITS = 14

/** The compressed bytes; undefined: they are not shorter. */
export function compressBlosclz(bytes: Uint8Array): Uint8Array | undefined {
  const output = new Output(bytes)
  /** 1 + the last position of four bytes, by their hash. */
  const seen = new Int32Array(2 ** HASH_BITS)
  let kept = 0
  let offset = 0
  const end = bytes.length - LAST_LITERALS
  while (offset + MIN_MATCH <= end) {
    const hash = Math.imul(fourBytes(bytes, offset), 0x9e3779b1) >>> (32 - HASH_BITS)
    const before = seen[hash] - 1
    seen[hash] = offset + 1
    const length = before < 0 || offset - before > MAX_DISTANCE ? 0 : matchLength(bytes, before, offset, end)
    if (length < (offset - before < FAR ? MIN_MATCH : MIN_FAR_MATCH)) {
      // The steps grow while no match is found.
      offset += 1 + ((offset - kept) >> 6)
      continue
    }
    if (!output.copy(kept, offset) || !output.repeat(length, offset - before)) return undefined
    offset += length
    kept = offset
  }
  return output.copy(kept, bytes.length) ? output.finish() : undefined
}

/** Decompresses to exactly `length` bytes. */
export function decompressBlosclz(block: Uint8Array, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let from = 0
  let to = 0
  while (from < block.length) {
    const instruction = from === 0 ? block[0] & 31 : block[from]
    from++
    if (instruction < 32) {
      const end = from + instruction + 1
      if (end > block.length || to + instruction + 1 > length)
        throw new Error('BloscLZ copies more bytes than the block has')
      for (; from < end; from++) bytes[to++] = block[from]
      continue
    }
    let count = (instruction >> 5) + 2
    if (instruction >> 5 === LONG_LENGTH) {
      do count += block[from]
      while (block[from++] === 255)
    }
    let distance = ((instruction & 31) << 8) + block[from++] + 1
    if (distance === FAR) {
      distance += (block[from] << 8) + block[from + 1]
      from += 2
    }
    // Bytes beyond the end of the block make the distance NaN.
    if (!(from <= block.length && distance <= to && to + count <= length)) {
      throw new Error('BloscLZ repeats bytes before the start')
    }
    for (const end = to + count; to < end; to++) bytes[to] = bytes[to - distance]
  }
  if (to !== length) throw new Error(`BloscLZ ends after ${to} bytes of ${length}`)
  return bytes
}

function fourBytes(bytes: Uint8Array, offset: number): number {
  return bytes[offset] | (bytes[offset + 1] << 8) | (bytes[offset + 2] << 16) | (bytes[offset + 3] << 24)
}

function matchLength(bytes: Uint8Array, before: number, offset: number, end: number): number {
  let length = 0
  while (offset + length < end && bytes[before + length] === bytes[offset + length]) length++
  return length
}

/**
 * Output of instructions. Its methods return false when the instructions are not shorter than the bytes that they
 * represent.
 */
class Output {
  readonly #source: Uint8Array
  readonly #bytes: Uint8Array
  #length = 0

  constructor(source: Uint8Array) {
    this.#source = source
    this.#bytes = new Uint8Array(source.length)
  }

  copy(from: number, to: number): boolean {
    for (let start = from; start < to; start += MAX_LITERALS) {
      const end = Math.min(start + MAX_LITERALS, to)
      if (this.#length + 1 + end - start >= this.#bytes.length) return false
      this.#bytes[this.#length++] = end - start - 1
      for (let i = start; i < end; i++) this.#bytes[this.#length++] = this.#source[i]
    }
    return true
  }

  repeat(length: number, distance: number): boolean {
    const isFar = distance >= FAR
    const code = isFar ? FAR - 1 : distance - 1
    let more = length - 2 - LONG_LENGTH
    if (this.#length + 5 + Math.max(0, more / 255) >= this.#bytes.length) return false
    this.#bytes[this.#length++] = (Math.min(length - 2, LONG_LENGTH) << 5) | (code >> 8)
    if (more >= 0) {
      for (; more >= 255; more -= 255) this.#bytes[this.#length++] = 255
      this.#bytes[this.#length++] = more
    }
    this.#bytes[this.#length++] = code & 0xff
    if (isFar) {
      this.#bytes[this.#length++] = (distance - FAR) >> 8
      this.#bytes[this.#length++] = (distance - FAR) & 0xff
    }
    return true
  }

  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }
}
