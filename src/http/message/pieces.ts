// Bytes cut into pieces, and pieces joined, to a length that is worth a write of a socket.

import { isTurnOver, nextTurn } from '../../bounded/turns.ts'

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

/** The bytes in pieces of 64 KiB. */
export async function* slices(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_LENGTH) yield bytes.subarray(at, at + PIECE_LENGTH)
}

export async function* zeros(length: number): AsyncGenerator<Uint8Array> {
  const piece = new Uint8Array(Math.min(length, PIECE_LENGTH))
  for (let sent = 0; sent < length; sent += piece.length) yield piece.subarray(0, length - sent)
}
