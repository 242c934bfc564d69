// The bytes of a chunk, made of its elements: filled up where the chunk is outside the extents, and text and sequences
// as readers of Zarr expect them.

import { HyperslabError } from '@hyperslab/base/errors'
import type { Datatype } from '@hyperslab/model/datatype'
import { elementSize } from '@hyperslab/model/datatype'
import type { Elements } from '@hyperslab/model/values'
import { endOfFixedText, endOfUtf8, isFixedString, slotLength, slotStart } from '@hyperslab/model/values'

/** A chunk of `chunkDims` elements, of which the first `inside` in each dimension are given. */
export interface PaddedChunk {
  readonly chunkDims: readonly number[]
  readonly inside: readonly number[]
  readonly elementSize: number
  /** The bytes of all other elements; absent: zeros. */
  readonly fill: Uint8Array | undefined
}

/** Bytes that are made at once. */
const PIECE_BYTES = 2 ** 20

/** The bytes of the chunk, made from those of its elements. A piece is valid until the next one is requested. */
export async function* padChunk(
  pieces: AsyncIterable<Uint8Array>,
  { chunkDims, inside, elementSize: size, fill }: PaddedChunk,
): AsyncGenerator<Uint8Array> {
  const plan = planRows(chunkDims, inside)
  if (plan.run === plan.stride) {
    yield* pieces
    return
  }
  const source = new PieceReader(pieces)
  const output = new PieceBuffer(fill)
  try {
    for (const isInside of plan.rows) {
      let left = isInside ? plan.run * size : 0
      let gap = plan.stride * size - left
      while (left > 0) {
        const bytes = await source.next(left)
        left -= bytes.length
        yield* output.write(bytes)
      }
      while (gap > 0) {
        const length = Math.min(gap, PIECE_BYTES)
        gap -= length
        yield* output.fill(length)
      }
    }
    yield* output.rest()
  } finally {
    await source.close()
  }
}

/** Rows of a chunk: each has `run` given elements, or none, and then others up to `stride`. */
interface RowPlan {
  readonly run: number
  readonly stride: number
  readonly rows: Iterable<boolean>
}

/** Elements are adjacent as far as they fill the last dimensions of the chunk. */
function planRows(chunkDims: readonly number[], inside: readonly number[]): RowPlan {
  let [run, stride] = [1, 1]
  let d = chunkDims.length - 1
  for (; d >= 0; d--) {
    run *= inside[d]
    stride *= chunkDims[d]
    if (inside[d] < chunkDims[d]) break
  }
  return { run, stride, rows: rows(chunkDims.slice(0, Math.max(d, 0)), inside.slice(0, Math.max(d, 0))) }
}

/** The rows of the chunk in order, each with whether it has elements. */
function* rows(chunkDims: readonly number[], inside: readonly number[]): Generator<boolean> {
  const coordinates = chunkDims.map(() => 0)
  for (;;) {
    yield coordinates.every((index, d) => index < inside[d])
    let d = coordinates.length - 1
    for (; d >= 0 && ++coordinates[d] === chunkDims[d]; d--) coordinates[d] = 0
    if (d < 0) return
  }
}

/** Pieces in the requested lengths. */
class PieceReader {
  readonly #pieces: AsyncIterator<Uint8Array>
  #piece: Uint8Array = new Uint8Array(0)

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]()
  }

  /** The next bytes, `most` at the most. */
  async next(most: number): Promise<Uint8Array> {
    while (this.#piece.length === 0) {
      const next = await this.#pieces.next()
      if (next.done) throw new Error('a chunk has fewer elements than it should')
      this.#piece = next.value
    }
    const bytes = this.#piece.subarray(0, most)
    this.#piece = this.#piece.subarray(bytes.length)
    return bytes
  }

  async close(): Promise<void> {
    await this.#pieces.return?.()
  }
}

/** Bytes, collected in pieces of one length. */
class PieceBuffer {
  readonly #fill: Uint8Array | undefined
  readonly #bytes = new Uint8Array(PIECE_BYTES)
  #length = 0
  /** All bytes that were written: fill values begin at whole elements. */
  #written = 0

  constructor(fill: Uint8Array | undefined) {
    this.#fill = fill?.some(byte => byte !== 0) ? fill : undefined
  }

  *write(bytes: Uint8Array): Generator<Uint8Array> {
    let remaining = bytes
    while (remaining.length > 0) {
      const some = remaining.subarray(0, this.#room())
      this.#bytes.set(some, this.#length)
      this.#advance(some.length)
      remaining = remaining.subarray(some.length)
      if (this.#room() === 0) yield this.#take()
    }
  }

  *fill(length: number): Generator<Uint8Array> {
    let left = length
    while (left > 0) {
      const count = Math.min(left, this.#room())
      const target = this.#bytes.subarray(this.#length, this.#length + count)
      if (this.#fill) fillWith(target, this.#fill, this.#written % this.#fill.length)
      else target.fill(0)
      this.#advance(count)
      left -= count
      if (this.#room() === 0) yield this.#take()
    }
  }

  *rest(): Generator<Uint8Array> {
    if (this.#length > 0) yield this.#take()
  }

  #room(): number {
    return PIECE_BYTES - this.#length
  }

  #advance(count: number): void {
    this.#length += count
    this.#written += count
  }

  #take(): Uint8Array {
    const piece = this.#bytes.subarray(0, this.#length)
    this.#length = 0
    return piece
  }
}

/** Repeats `fill` from its byte `phase` on. */
function fillWith(target: Uint8Array, fill: Uint8Array, phase: number): void {
  const first = Math.min(target.length, fill.length)
  for (let i = 0; i < first; i++) target[i] = fill[(phase + i) % fill.length]
  for (let done = first; done < target.length; done *= 2)
    target.copyWithin(done, 0, Math.min(done, target.length - done))
}

/** Fixed strings with NULs instead of the spaces that pad them; changes `bytes`. */
export function unpadSpaces(type: Datatype, bytes: Uint8Array): Uint8Array {
  if (type.class !== 'H5T_STRING' || !isFixedString(type)) return bytes
  for (let at = 0; at < bytes.length; at += type.length) {
    bytes.fill(0, endOfFixedText(type, bytes, at), at + type.length)
  }
  return bytes
}

/** A chunk of strings or sequences. The last of its dimensions has the items of one element. */
export interface PaddedItems extends Pick<PaddedChunk, 'chunkDims' | 'inside'> {
  /** The items of all other elements; absent: they are empty. */
  readonly fill?: Elements | undefined
}

/** Encodes strings and sequences: their number, then each with its length. */
export async function* encodeItems(
  type: Datatype,
  pieces: AsyncIterable<Elements>,
  { chunkDims, inside, fill }: PaddedItems,
  subject: string,
): AsyncGenerator<Uint8Array> {
  const plan = planRows(chunkDims, inside)
  const rows = plan.rows[Symbol.iterator]()
  const head = Buffer.alloc(LENGTH_LENGTH)
  const total = chunkDims.reduce((count, extent) => count * extent, 1)
  head.writeUInt32LE(total)
  yield head
  const itemCount = fill?.count ?? 1
  const filler = fill ? encodeSome(type, { ...fill, from: 0, to: itemCount }, subject) : EMPTY_ITEM
  const missingItems = (count: number) => repeated(filler, count / itemCount)
  if (inside.includes(0)) {
    yield* missingItems(total)
    return
  }
  // The first row always has elements.
  rows.next()
  let left = plan.run
  const missingBefore = (): number => {
    let missing = plan.stride - plan.run
    for (let row = rows.next(); !row.done && !row.value; row = rows.next()) missing += plan.stride
    return missing
  }
  for await (const { count, data, heap } of pieces) {
    for (let offset = 0; offset < count; ) {
      if (left === 0) {
        yield* missingItems(missingBefore())
        left = plan.run
      }
      const some = Math.min(left, count - offset, ITEMS_AT_ONCE)
      yield encodeSome(type, { data, heap, from: offset, to: offset + some }, subject)
      left -= some
      offset += some
    }
  }
  yield* missingItems(missingBefore())
}

const LENGTH_LENGTH = 4
const EMPTY_ITEM = new Uint8Array(LENGTH_LENGTH)
/** Strings or sequences that are encoded at once. @limit memory, items */
const ITEMS_AT_ONCE = 4096

interface SomeItems {
  readonly data: Uint8Array
  readonly heap: Uint8Array
  readonly from: number
  readonly to: number
}

function encodeSome(type: Datatype, { data, heap, from, to }: SomeItems, subject: string): Uint8Array {
  const size = elementSize(type)
  const text = type.class === 'H5T_STRING' ? type : undefined
  const fixed = text && isFixedString(text) ? text : undefined
  const source = fixed ? data : heap
  const starts = new Float64Array(to - from)
  const ends = new Float64Array(to - from)
  let length = 0
  for (let i = 0; i < to - from; i++) {
    const offset = (from + i) * size
    const start = fixed ? offset : slotStart(data, offset)
    const end = fixed ? endOfFixedText(fixed, data, offset) : start + slotLength(data, offset)
    if (text && endOfUtf8(source, start, end) < end) throw notUtf8(subject)
    starts[i] = start
    ends[i] = end
    length += LENGTH_LENGTH + end - start
  }
  const encoded = Buffer.allocUnsafe(length)
  let offset = 0
  for (let i = 0; i < to - from; i++) {
    encoded.writeUInt32LE(ends[i] - starts[i], offset)
    encoded.set(source.subarray(starts[i], ends[i]), offset + LENGTH_LENGTH)
    offset += LENGTH_LENGTH + ends[i] - starts[i]
  }
  return encoded
}

/** The bytes, repeated; a piece is never changed. */
function* repeated(bytes: Uint8Array, count: number): Generator<Uint8Array> {
  const atOnce = Math.max(1, Math.min(count, Math.floor(PIECE_BYTES / bytes.length)))
  const piece = Buffer.alloc(atOnce * bytes.length, bytes)
  for (let left = count; left > 0; left -= atOnce) {
    yield left >= atOnce ? piece : piece.subarray(0, left * bytes.length)
  }
}

function notUtf8(subject: string): HyperslabError {
  const message = `a string of ${subject} is not UTF-8, which Zarr needs: GET its value in the binary form gives its bytes`
  return new HyperslabError('text-not-utf8', message, { subject })
}
