// Entity tags of answers that are made while they are sent: the tag is sent before the first byte, so the answer is held back
// until the tag is known, unless it is too long for that.

import { createHash } from 'node:crypto'
import { nextTurn } from '../../turns.ts'
import type { ByteStream } from '../message.ts'

const MAX_HELD = 4 << 20

/** The stream with its tag and its length; as it is when it has more than `max` bytes. */
export async function tagged(stream: ByteStream, max = MAX_HELD): Promise<ByteStream> {
  const source = stream.pieces[Symbol.asyncIterator]()
  const held: Uint8Array[] = []
  const digest = createHash('sha1')
  let length = 0
  for (let piece = await source.next(); !piece.done; piece = await source.next()) {
    held.push(piece.value)
    length += piece.value.length
    if (length > max) return { ...stream, pieces: heldAndMore(held, source) }
    digest.update(piece.value)
    await nextTurn()
  }
  return { ...stream, length, entityTag: `"${digest.digest('hex')}"`, pieces: heldAndMore(held, source) }
}

async function* heldAndMore(
  held: Uint8Array[],
  source: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* held.splice(0)
    for (let piece = await source.next(); !piece.done; piece = await source.next()) yield piece.value
  } finally {
    await source.return?.()
  }
}
