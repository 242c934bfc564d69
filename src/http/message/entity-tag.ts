// Entity tags: same tag, same bytes (RFC 9110, 8.8.3). The tag is sent before the first byte, so a stream that is made
// while it is sent is kept in memory until its tag is known, unless it is too long.

import { createHash, hash } from 'node:crypto'
import { nextTurn } from '../../bounded/turns.ts'
import { HyperslabError } from '../../errors.ts'
import type { ByteStream, RequestHead } from './message.ts'

/** The tag of bytes, or of a string that determines them. */
export function tagOf(bytes: Uint8Array | string): string {
  return `"${hash('sha1', bytes)}"`
}

/** True when the client has the bytes of this tag already: `If-None-Match` names it. */
export function isKnown({ headers }: Pick<RequestHead, 'headers'>, tag: string): boolean {
  const tags = headers['if-none-match']?.split(',').map(item => item.trim().replace(/^W\//, ''))
  return tags?.some(known => known === tag || known === '*') ?? false
}

/** Throws `precondition-failed` when the client requires another state: `If-Match` does not name the tag. */
export function requireMatch({ headers }: Pick<RequestHead, 'headers'>, tag: string): void {
  const tags = headers['if-match']?.split(',').map(item => item.trim())
  if (tags === undefined || tags.some(known => known === tag || known === '*')) return
  throw new HyperslabError('precondition-failed', `If-Match does not name the current entity tag, ${tag}`)
}

const MAX_HELD = 4 << 20

/** The stream with its tag and its length; unchanged when it has more than `max` bytes. */
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
