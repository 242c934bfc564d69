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
