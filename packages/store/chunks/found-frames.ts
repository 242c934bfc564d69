// One chunk of a dataset in the form that readers of Zarr accept (filters/frame.ts), made from the stored bytes, if
// possible without decoding them.

import { HyperslabError } from '@hyperslab/base/errors'
import { planFrame } from '@hyperslab/h5/filters'
import type { FoundChunk, StoredChunk } from './chunk-index.ts'
import { type ChunkLayout, chunkElements } from './chunk-layout.ts'
import { nameOfChunk, requireDecodable } from './read-chunk.ts'
import type { ReadParts } from './read-values.ts'

/** A chunk that is stored. */
export interface ChunkOnDisk {
  /** A name that is the same only for the same elements; absent: there is no such name. */
  readonly name?: string
  /**
   * The frame, or the bytes of a chunk of a dataset without filters, if no decoding is needed. Absent: the elements of
   * the chunk must be read.
   */
  readonly frame?: FoundFrame
  /** The bytes as the filters of the dataset left them. Absent: not all of them were applied. */
  readonly encoded?: FoundFrame
}

export interface FoundFrame {
  /** True: the bytes of the chunk without a frame around them. */
  readonly isPlain?: boolean
  /** Bytes of the frame; absent: they are not known before it is made. */
  readonly length?: number
  /** The bytes from the first to the last. A piece is valid until the next one is requested. */
  readonly pieces: () => AsyncIterable<Uint8Array>
  /** The same for a part; absent: the bytes before it must be read. */
  readonly piecesOf?: PartReader
}

/** The bytes of a part, `length` of them from `position` on. */
export type PartReader = (position: number, length: number) => AsyncIterable<Uint8Array>

/** Bytes of a chunk that are read at once. */
const PIECE_BYTES = 2 ** 20

/** Finds a chunk; undefined: it is not stored and has the fill value. */
export async function findChunk(
  parts: ReadParts,
  layout: ChunkLayout,
  coordinates: readonly number[],
): Promise<ChunkOnDisk | undefined> {
  const [found] = await parts.index.find([coordinates])
  if (!found) return layout.filled || layout.initializer ? {} : undefined
  if ('patches' in found || 'element' in found) return {}
  return { name: found.name, ...frameOf(parts, layout, coordinates, found) }
}

function frameOf(
  { filters }: ReadParts,
  layout: ChunkLayout,
  coordinates: readonly number[],
  stored: StoredChunk,
): Pick<ChunkOnDisk, 'frame' | 'encoded'> {
  const { filtered, heapLength } = stored
  const { pipeline = [], elementSize, grid } = layout
  if (heapLength > 0) return {}
  const chunk = chunkElements(grid) * elementSize
  // A chunk that is cut at its end must be filled up.
  if (stored.dataLength !== chunk) return {}
  if (!filtered) {
    if (layout.pipeline) return {}
    return { frame: { isPlain: true, ...behind(NO_HEAD, stored, chunk) } }
  }
  requireDecodable(layout, coordinates, filtered.mask)
  const named = nameOfChunk(layout, coordinates)
  const plan = checked(stored, named, () =>
    planFrame(pipeline, filtered.mask, { stored: filtered.length, chunk }),
  )
  const encoded = filtered.mask === 0 ? { encoded: behind(NO_HEAD, stored, filtered.length) } : {}
  if (plan.kind === 'decoded') return encoded
  if (plan.kind === 'as-stored') {
    return { frame: behind(plan.head, stored, plan.length), ...encoded }
  }
  const chunkToFrame = {
    name: stored.name,
    pipeline,
    mask: filtered.mask,
    length: chunk,
    encodedLength: filtered.length,
    read: async (into: Uint8Array) => void (await stored.readAll(into)),
  }
  async function* pieces() {
    try {
      yield await filters.frame(chunkToFrame)
    } catch (cause) {
      throw damaged(stored, named, cause)
    }
  }
  return { frame: { pieces }, ...encoded }
}

/**
 * The longest chunk that is read as a whole and compared with its checksums; longer ones are read in pieces.
 * @limit memory, bytes
 */
const MAX_HELD = 4 * 2 ** 20

const NO_HEAD = new Uint8Array(0)

/** The head, and the first bytes of a chunk after it. */
function behind(head: Uint8Array, chunk: StoredChunk, length: number): FoundFrame {
  const storedLength = chunk.filtered?.length ?? chunk.dataLength
  const whole = head.length + length
  if (storedLength <= MAX_HELD)
    return { length: whole, pieces: () => held(head, chunk, storedLength, length) }
  const piecesOf: PartReader = (position, count) => partBehind(head, chunk, position, position + count)
  return { length: whole, pieces: () => piecesOf(0, whole), piecesOf }
}

async function* held(
  head: Uint8Array,
  chunk: StoredChunk,
  storedLength: number,
  length: number,
): AsyncGenerator<Uint8Array> {
  const whole = new Uint8Array(head.length + storedLength)
  whole.set(head)
  await chunk.readAll(whole.subarray(head.length))
  yield whole.subarray(0, head.length + length)
}

async function* partBehind(
  head: Uint8Array,
  chunk: StoredChunk,
  first: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  if (first < head.length) yield head.subarray(first, end)
  const last = end - head.length
  const start = Math.max(first - head.length, 0)
  const buffer = new Uint8Array(Math.max(0, Math.min(PIECE_BYTES, last - start)))
  for (let at = start; at < last; at += PIECE_BYTES) {
    const piece = buffer.subarray(0, Math.min(PIECE_BYTES, last - at))
    await chunk.read(at, piece)
    yield piece
  }
}

function checked<T>(chunk: StoredChunk, named: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw damaged(chunk, named, cause)
  }
}

function damaged(found: FoundChunk & StoredChunk, named: string, cause: unknown): unknown {
  // The error is not one of the frame.
  if (cause instanceof HyperslabError) return cause
  return found.damaged(named, cause instanceof Error ? cause.message : String(cause), cause)
}
