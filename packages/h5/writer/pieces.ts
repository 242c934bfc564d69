// Bytes of the file, piece by piece.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { roundUp } from '../format/alignment.ts'

/** The bytes with zeros up to `size`. */
export function padded(bytes: Uint8Array, size: number): Uint8Array {
  if (bytes.length === size) return bytes
  if (bytes.length > size) throw new Error(`${bytes.length} bytes do not fit into ${size}`)
  const all = new Uint8Array(size)
  all.set(bytes)
  return all
}

type Pieces = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/** All bytes at once. The memory of a piece may be reused when the next one is requested. */
export async function joined(pieces: Pieces): Promise<Uint8Array> {
  const copies: Uint8Array[] = []
  for await (const piece of pieces) copies.push(new Uint8Array(piece))
  const all = new Uint8Array(copies.reduce((length, copy) => length + copy.length, 0))
  let at = 0
  for (const copy of copies) {
    all.set(copy, at)
    at += copy.length
  }
  return all
}

/** The pieces of a part that was planned with `length` bytes; with zeros up to an aligned length. */
export async function* exactly(length: number, pieces: Pieces): AsyncGenerator<Uint8Array> {
  let done = 0
  for await (const piece of pieces) {
    done += piece.length
    if (done > length) break
    yield piece
  }
  if (done !== length) throw new Error(`a part of the file has ${done} bytes and was planned with ${length}`)
  if (roundUp(length) > length) yield new Uint8Array(roundUp(length) - length)
}

/** Bytes that are planned for the pieces. */
export interface Part {
  readonly length: number
  pieces(): AsyncIterable<Uint8Array>
}

/** Parts of this length at most are read together. @limit memory, bytes */
const MAX_SHORT = 4096
/** Short parts of one round. @limit memory, parts */
const PARTS_AT_ONCE = 64

/** The pieces of the parts, in their order. Short parts that follow one another are read some at a time. */
export async function* together(parts: Iterable<Part>): AsyncGenerator<Uint8Array> {
  let short: Part[] = []
  for (const part of parts) {
    const isShort = part.length <= MAX_SHORT
    if (isShort) short.push(part)
    if (isShort && short.length < PARTS_AT_ONCE) continue
    yield* readTogether(short)
    short = []
    if (!isShort) yield* part.pieces()
  }
  yield* readTogether(short)
}

async function* readTogether(parts: readonly Part[]): AsyncGenerator<Uint8Array> {
  const reading: Promise<Uint8Array>[] = []
  for (const part of parts) {
    const bytes = joined(part.pieces())
    // The failure is thrown at the position of the part.
    bytes.catch(() => {})
    reading.push(bytes)
    if (isTurnOver()) await nextTurn()
  }
  try {
    for (const bytes of reading) yield await bytes
  } finally {
    await Promise.allSettled(reading)
  }
}

const GATHERED = 2 ** 18
const FIRST_GATHERED = 2 ** 12

/**
 * The bytes in larger pieces, except for the first ones, so that a reader soon receives bytes. A piece is valid until
 * the next one is requested. `length`: of all of them together, at most.
 */
export async function* gathered(pieces: Pieces, length = GATHERED): AsyncGenerator<Uint8Array> {
  const most = Math.min(length, GATHERED)
  let buffer: Uint8Array | undefined
  let used = 0
  let enough = 0
  for await (const piece of pieces) {
    if (isTurnOver()) await nextTurn()
    if (buffer && used > 0 && used + piece.length > enough) {
      yield buffer.subarray(0, used)
      used = 0
      enough = Math.min(Math.max(2 * enough, FIRST_GATHERED), most)
    }
    if (piece.length >= most) {
      yield piece
    } else {
      buffer ??= new Uint8Array(most)
      buffer.set(piece, used)
      used += piece.length
    }
  }
  if (buffer && used > 0) yield buffer.subarray(0, used)
}
