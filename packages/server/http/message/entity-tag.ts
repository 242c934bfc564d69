// Entity tags: same tag, same bytes (RFC 9110, 8.8.3). The tag is sent before the first byte, so a stream that is made
// while it is sent is kept in memory until its tag is known, unless it is too long.

import { createHash, hash } from 'node:crypto'
import { nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import type { ByteStream, RequestHead } from './message.ts'

/** The tag of bytes, or of a string that determines them. */
export function tagOf(bytes: Uint8Array | string): string {
  return `"${hash('sha1', bytes)}"`
}

/** An entity tag of a request. */
interface EntityTag {
  readonly isWeak: boolean
  /** The tag with its quotes. */
  readonly text: string
}

/** The value of `If-Match` or `If-None-Match`; `*`: the tag of anything that is there. */
export type EntityTags = '*' | readonly EntityTag[]

const TAG = /(W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g

/** Undefined: the header is malformed. */
export function parseEntityTags(header: string): EntityTags | undefined {
  if (header.trim() === '*') return '*'
  const tags = [...header.matchAll(TAG)].map(([, weak, text = '']) => ({ isWeak: weak !== undefined, text }))
  const others = header.replace(TAG, 'tag').split(',')
  return tags.length > 0 && others.every(item => ['tag', ''].includes(item.trim())) ? tags : undefined
}

/**
 * Whether the tags name this one; undefined: the resource has no tag. A weak tag names nothing in the strong
 * comparison, that of `If-Match` (RFC 9110, 8.8.3.2).
 */
export function areNaming(tags: EntityTags, tag: string | undefined, comparison: 'weak' | 'strong'): boolean {
  return tags === '*' || tags.some(({ isWeak, text }) => text === tag && (comparison === 'weak' || !isWeak))
}

/** True: `If-None-Match` names the tag, so the client has the bytes. A malformed header names nothing. */
export function isKnown({ headers }: Pick<RequestHead, 'headers'>, tag: string): boolean {
  const header = headers['if-none-match']
  return header !== undefined && areNaming(parseEntityTags(header) ?? [], tag, 'weak')
}

/** Throws `precondition-failed` when `If-Match` does not name the tag: the client wants another state. */
export function requireMatch({ headers }: Pick<RequestHead, 'headers'>, tag: string): void {
  const header = headers['if-match']
  if (header === undefined || areNaming(parseEntityTags(header) ?? [], tag, 'strong')) return
  throw new HyperslabError('precondition-failed', `If-Match does not name the current entity tag, ${tag}`)
}

/** Bytes of an answer that are held to make its entity tag. @limit memory, bytes */
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
