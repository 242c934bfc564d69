// One range of an answer (RFC 9110, 14): of every answer to GET whose length and entity tag are known before it is
// sent. A header that is malformed, that has several ranges, or that has another unit than bytes is ignored, and so is
// a range of another state (`If-Range`): then the answer is whole.

import type { IncomingHttpHeaders } from 'node:http'
import { HyperslabError } from '@hyperslab/base/errors'
import type { ByteStream } from '../message/message.ts'

/** Bytes of a body: at least one. */
export interface ByteRange {
  readonly first: number
  readonly length: number
}

interface Whole {
  readonly length: number
  readonly entityTag: string
}

/**
 * The range that the headers request. Undefined: the whole. Throws `range-not-satisfiable` for a range that begins
 * after the end.
 */
export function requestedRange(headers: IncomingHttpHeaders, answer: Whole): ByteRange | undefined {
  const { range, 'if-range': condition } = headers
  const match = /^bytes[ \t]*=[ \t]*(\d*)[ \t]*-[ \t]*(\d*)[ \t]*$/i.exec(range ?? '')
  // A time never matches, since answers have none, and neither does a weak tag.
  if (!match || (condition !== undefined && condition !== answer.entityTag)) return undefined
  const { length } = answer
  const [first, last] = [match[1], match[2]].map(digits => (digits === '' ? undefined : Number(digits)))
  if (first === undefined) {
    if (last === undefined) return undefined
    const count = Math.min(last, length)
    if (count === 0) throw notSatisfiable(length, range)
    return { first: length - count, length: count }
  }
  if (last !== undefined && last < first) return undefined
  if (first >= length) throw notSatisfiable(length, range)
  return { first, length: Math.min(last ?? length - 1, length - 1) - first + 1 }
}

function notSatisfiable(length: number, range: string | undefined): HyperslabError {
  const rule = `Range: ${range} begins behind the end of the answer, which has ${length} bytes`
  return new HyperslabError('range-not-satisfiable', rule, { wholeLength: length })
}

/** The part of a stream of known length. */
export function partOf(stream: ByteStream, { first, length }: ByteRange): ByteStream {
  const pieces = stream.piecesOf?.(first, length) ?? cutAfter(passOver(stream.pieces, first), length)
  return { ...stream, length, pieces }
}

async function* passOver(pieces: AsyncIterable<Uint8Array>, count: number): AsyncGenerator<Uint8Array> {
  let left = count
  for await (const piece of pieces) {
    if (piece.length > left) yield left > 0 ? piece.subarray(left) : piece
    left = Math.max(0, left - piece.length)
  }
}

async function* cutAfter(pieces: AsyncIterable<Uint8Array>, length: number): AsyncGenerator<Uint8Array> {
  let left = length
  for await (const piece of pieces) {
    if (piece.length >= left) {
      yield piece.subarray(0, left)
      return
    }
    left -= piece.length
    yield piece
  }
}
