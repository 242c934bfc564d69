// Elements that a request has once and that are written several times. A single one is passed on as repeated; few are
// kept in memory, many are read again.

import { HyperslabError } from '@hyperslab/base/errors'
import { type Datatype, elementSize } from '@hyperslab/model/datatype'
import { copyElements, ElementsBuilder, type Piece } from '@hyperslab/model/values'

/** Elements are kept up to this many bytes, and returned in pieces of about this size. */
const PIECE_BYTES = 1024 * 1024

/**
 * The `count` elements that `give` returns, `times` times; it may be called several times. More or fewer than `count`
 * are `value-count-mismatch`. A piece is valid until the next one is requested.
 */
export async function* repeatElements(
  type: Datatype,
  give: () => AsyncIterable<Piece>,
  count: number,
  times: number,
): AsyncGenerator<Piece> {
  if (times === 1) return yield* requireCount(count, give())
  const kept = await keep(type, requireCount(count, give()), count)
  if (times === 0) return
  if (kept === undefined) {
    for (let i = 0; i < times; i++) yield* requireCount(count, give())
    return
  }
  if ('element' in kept || count === 1) {
    yield { count: count * times, element: 'element' in kept ? kept.element : kept }
    return
  }
  const atOnce = Math.min(times, Math.max(1, Math.floor(PIECE_BYTES / kept.data.length)))
  const data = new Uint8Array(atOnce * kept.data.length)
  for (let i = 0; i < atOnce; i++) data.set(kept.data, i * kept.data.length)
  for (let left = times; left > 0; left -= atOnce) {
    const now = Math.min(left, atOnce)
    yield { count: now * count, data: data.subarray(0, now * kept.data.length), heap: kept.heap }
  }
}

async function* requireCount(count: number, pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  let read = 0
  for await (const piece of pieces) {
    read += piece.count
    if (read > count) throw countMismatch(count, `at least ${read}`)
    yield piece
  }
  if (read < count) throw countMismatch(count, `only ${read}`)
}

function countMismatch(count: number, found: string): HyperslabError {
  return new HyperslabError(
    'value-count-mismatch',
    `the value to repeat must have ${count} element(s), it has ${found}`,
  )
}

/** All of them together; undefined if they are too many. A single one is in memory as a whole in any case. */
async function keep(type: Datatype, pieces: AsyncIterable<Piece>, count: number): Promise<Piece | undefined> {
  let bytes = count * elementSize(type)
  let builder: ElementsBuilder | undefined
  let read = 0
  for await (const piece of pieces) {
    if ('element' in piece) return { count, element: copyElements(piece.element) }
    bytes += piece.heap.length
    if (bytes > PIECE_BYTES && count > 1) return undefined
    builder ??= new ElementsBuilder(type, count)
    builder.copy(piece, 0, read, piece.count)
    read += piece.count
  }
  return builder?.finish()
}
