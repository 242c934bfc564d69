// Bytes cut into pieces, and pieces joined, to a length that is worth a write of a socket.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'

const PIECE_LENGTH = 64 << 10

/**
 * Short pieces joined to longer ones, so that a small value is one piece. A client that reads as fast as the values are
 * written does not keep the event loop from other requests.
 */
export async function* joined(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let pending: Uint8Array[] = []
  let length = 0
  for await (const piece of pieces) {
    // Other requests run also if much is read for little text.
    if (isTurnOver()) await nextTurn()
    pending.push(piece)
    length += piece.length
    if (length < PIECE_LENGTH) continue
    yield pending.length === 1 ? piece : Buffer.concat(pending, length)
    pending = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(pending, length)
}

/**
 * Short pieces copied together, and long ones passed on as they are; each is valid until the next one is requested, as
 * those that come are.
 */
export async function* gathered(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(PIECE_LENGTH)
  let length = 0
  for await (const piece of pieces) {
    if (isTurnOver()) await nextTurn()
    const isLong = piece.length > PIECE_LENGTH / 4
    if (length > 0 && (isLong || length + piece.length > PIECE_LENGTH)) {
      yield buffer.subarray(0, length)
      length = 0
    }
    if (isLong) yield piece
    else {
      buffer.set(piece, length)
      length += piece.length
    }
  }
  if (length > 0) yield buffer.subarray(0, length)
}

/** The bytes in pieces of 64 KiB. */
export async function* slices(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_LENGTH) yield bytes.subarray(at, at + PIECE_LENGTH)
}

export async function* zeros(length: number): AsyncGenerator<Uint8Array> {
  const piece = new Uint8Array(Math.min(length, PIECE_LENGTH))
  for (let sent = 0; sent < length; sent += piece.length) yield piece.subarray(0, length - sent)
}
