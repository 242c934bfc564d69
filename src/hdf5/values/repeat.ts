// Elements that are given once and written many times over. Few are kept in memory, many are asked for again.

import { HyperslabError } from '../../errors.ts'
import type { Datatype } from '../datatype/datatype.ts'
import { elementSize } from '../datatype/layout.ts'
import { ElementsBuilder } from './copy.ts'
import type { Elements } from './elements.ts'

/** Elements are kept up to so many bytes, and handed out about so many at a time. */
const PIECE_BYTES = 1024 * 1024

/**
 * The `count` elements that `give` gives, so many times; it may be called again and again. More or fewer than `count`
 * are `value-count-mismatch`. A piece is valid until the next one is asked for.
 */
export async function* repeatElements(
  type: Datatype,
  give: () => AsyncIterable<Elements>,
  count: number,
  times: number,
): AsyncGenerator<Elements> {
  if (times === 1) return yield* exactly(count, give())
  const kept = await keep(type, exactly(count, give()), count)
  if (kept === undefined) {
    for (let i = 0; i < times; i++) yield* exactly(count, give())
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

async function* exactly(count: number, elements: AsyncIterable<Elements>): AsyncGenerator<Elements> {
  let found = 0
  for await (const piece of elements) {
    found += piece.count
    if (found > count) throw mismatch(count, `at least ${found}`)
    yield piece
  }
  if (found < count) throw mismatch(count, `only ${found}`)
}

function mismatch(count: number, found: string): HyperslabError {
  return new HyperslabError(
    'value-count-mismatch',
    `${count} element(s) are to be repeated, but ${found} were given`,
  )
}

/** All of them together; undefined if they are too many. */
async function keep(
  type: Datatype,
  elements: AsyncIterable<Elements>,
  count: number,
): Promise<Elements | undefined> {
  let bytes = count * elementSize(type)
  if (bytes > PIECE_BYTES) return undefined
  const builder = new ElementsBuilder(type, count)
  let found = 0
  for await (const piece of elements) {
    bytes += piece.heap.length
    // A single element is in memory as a whole in any case.
    if (bytes > PIECE_BYTES && count > 1) return undefined
    builder.copy(piece, 0, found, piece.count)
    found += piece.count
  }
  return builder.finish()
}
