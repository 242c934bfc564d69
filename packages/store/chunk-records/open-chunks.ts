// The chunks of which some selected elements have arrived and others have not. Elements of chunks that are written as a
// whole are copied into them at once, as long as there is memory for whole chunks. All others are kept packed, in the
// order of arrival; when they exceed the memory they are spilled, all of them, into one temporary blob, from which each
// chunk reads its share back once the chunk is complete. So the memory is bounded and every byte is spilled at most
// once, however many chunks a row of the selection crosses.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import type { ChunkPart } from '@hyperslab/model/selection'
import { type Elements, ElementsBuilder, type FieldCopy } from '@hyperslab/model/values'
import type { BufferPool } from '../chunks/buffer-pool.ts'
import { type ChunkLayout, isWhollyInside, usedElements } from '../chunks/chunk-layout.ts'
import { elementsBytes, packed } from '../chunks/read-chunk.ts'
import { blobName, newVersion } from '../records/blob-name.ts'
import type { Transaction } from '../transaction/transaction.ts'
import { readBlob, type ValueSource } from './value-source.ts'

/**
 * No chunk has these coordinates, so no record names such a blob, and the sweeper deletes those that a crash leaves.
 */
const SPILL_COORDINATES = Uint8Array.of(0xff)

/** Elements of one chunk that arrived together, in the order of the runs of `part`. */
export interface Fragment {
  readonly part: ChunkPart
  readonly elements: Elements
}

/** Fragments of one chunk, one after another in a blob. */
interface SpilledFragments {
  readonly blob: string
  readonly offset: number
  readonly length: number
  readonly fragments: readonly {
    readonly part: ChunkPart
    readonly count: number
    readonly dataLength: number
    readonly heapLength: number
  }[]
}

/** New values of a chunk under construction, in a buffer from the pool. */
export interface ChunkBuilder {
  readonly buffer: Uint8Array
  readonly builder: ElementsBuilder
}

/** Begins a chunk. All elements inside the extents must be written; those outside have the fill value. */
export function beginChunk(
  layout: ChunkLayout,
  pool: BufferPool,
  { chunk, covers }: ChunkPart,
): ChunkBuilder {
  const count = usedElements(layout.grid, chunk)
  const buffer = pool.take(count * layout.elementSize)
  const builder = new ElementsBuilder(layout.type, count, buffer, true)
  if (covers && !isWhollyInside(layout.grid, chunk)) builder.fill(layout.fillValue)
  return { buffer, builder }
}

export interface OpenChunk {
  /** All selected elements of the chunk. */
  readonly selected: ChunkPart
  /** The chunk with the elements that have arrived; then nothing is spilled and there are no fragments. */
  begun?: ChunkBuilder
  /** Selected elements that have not arrived. */
  remaining: number
  spilled: SpilledFragments[]
  fragments: Fragment[]
}

export class OpenChunks {
  readonly #layout: ChunkLayout
  readonly #transaction: Transaction
  readonly #pool: BufferPool
  readonly #maxBytes: number
  readonly #open = new Map<string, OpenChunk>()
  readonly #plan: Iterator<ChunkPart>
  /** Parts of the plan that were skipped, because no element of them has arrived yet. */
  readonly #planned = new Map<string, ChunkPart>()
  readonly #spills: string[] = []
  #bytes = 0

  /**
   * `plan` has every chunk of the selection once, with all its selected elements. `layout` is that of the arriving
   * elements.
   */
  constructor(
    layout: ChunkLayout,
    transaction: Transaction,
    pool: BufferPool,
    plan: Iterable<ChunkPart>,
    maxBytes: number,
  ) {
    this.#layout = layout
    this.#transaction = transaction
    this.#pool = pool
    this.#plan = plan[Symbol.iterator]()
    this.#maxBytes = maxBytes
  }

  /** Counts the arrival of `part`. When the chunk is complete with it, it is no longer open. */
  arrive(part: ChunkPart): OpenChunk {
    const name = part.chunk.join()
    const chunk = this.#open.get(name) ?? this.#begin(name)
    chunk.remaining -= part.count
    if (chunk.remaining > 0) return chunk
    this.#open.delete(name)
    for (const { elements } of chunk.fragments) this.#bytes -= elementsBytes(elements)
    if (chunk.begun) this.#bytes -= chunk.begun.buffer.length
    return chunk
  }

  /** Keeps the elements of `part` that are in `piece` until the chunk is complete. */
  async keep(chunk: OpenChunk, part: ChunkPart, piece: Elements): Promise<void> {
    if (this.#mayBegin(chunk)) {
      chunk.begun = beginChunk(this.#layout, this.#pool, chunk.selected)
      this.#bytes += chunk.begun.buffer.length
    }
    if (chunk.begun) return chunk.begun.builder.scatter(part, piece)
    const fragment = pack(this.#layout, part, piece)
    chunk.fragments.push(fragment)
    this.#bytes += elementsBytes(fragment.elements)
    if (this.#bytes > this.#maxBytes) await this.#spill()
  }

  /** Drops the spilled elements and the incomplete chunks. */
  close(): void {
    for (const { begun } of this.#open.values()) if (begun) this.#pool.give(begun.buffer)
    for (const blob of this.#spills) this.#transaction.dropBlob(blob)
  }

  /** Half of the memory is left to fragments, which can be spilled. */
  #mayBegin({ selected, begun, fragments, spilled }: OpenChunk): boolean {
    const { grid, elementSize, isVariableSize } = this.#layout
    if (begun || fragments.length > 0 || spilled.length > 0 || !selected.covers || isVariableSize)
      return false
    return this.#bytes + usedElements(grid, selected.chunk) * elementSize <= this.#maxBytes / 2
  }

  #begin(name: string): OpenChunk {
    const whole = this.#planned.get(name) ?? this.#findPlanned(name)
    this.#planned.delete(name)
    const chunk: OpenChunk = { selected: whole, remaining: whole.count, spilled: [], fragments: [] }
    this.#open.set(name, chunk)
    return chunk
  }

  /** Hyperslabs first touch their chunks in the order of the plan, so no part is skipped. */
  #findPlanned(name: string): ChunkPart {
    for (;;) {
      const next = this.#plan.next()
      if (next.done) throw new Error(`the chunk [${name}] is not in the plan of the selection`)
      const planned = next.value.chunk.join()
      if (planned === name) return next.value
      this.#planned.set(planned, next.value)
    }
  }

  async #spill(): Promise<void> {
    const version = newVersion(this.#transaction.random)
    const blob = blobName({ dataset: this.#layout.dataset, coordinates: SPILL_COORDINATES, version })
    const pieces: Uint8Array[] = []
    let offset = 0
    for (const chunk of this.#open.values()) {
      if (chunk.fragments.length === 0) continue
      const fragments = chunk.fragments.map(({ part, elements: { count, data, heap } }) => {
        pieces.push(data, heap)
        return { part, count, dataLength: data.length, heapLength: heap.length }
      })
      const length = fragments.reduce((sum, { dataLength, heapLength }) => sum + dataLength + heapLength, 0)
      chunk.spilled.push({ blob, offset, length, fragments })
      chunk.fragments = []
      offset += length
    }
    this.#spills.push(blob)
    this.#bytes -= offset
    await this.#transaction.putBlob(blob, pieces)
  }
}

/** Copies all elements that have arrived for a chunk, or for some of its fields, into it in the order of arrival. */
export async function unpackInto(
  builder: ElementsBuilder,
  source: ValueSource,
  { spilled, fragments }: OpenChunk,
  fields: FieldCopy | undefined,
): Promise<void> {
  for (const { blob, offset, length, fragments: stored } of spilled) {
    const bytes = new Uint8Array(length)
    await readBlob(source, blob, offset, bytes)
    let position = 0
    for (const { part, count, dataLength, heapLength } of stored) {
      const data = bytes.subarray(position, (position += dataLength))
      const heap = bytes.subarray(position, (position += heapLength))
      builder.scatter(part, { count, data, heap }, fields)
      if (isTurnOver()) await nextTurn()
    }
  }
  for (const { part, elements } of fragments) {
    builder.scatter(part, elements, fields)
    if (isTurnOver()) await nextTurn()
  }
}

/** The elements of a part, copied out of the piece that they arrived in. */
export function pack(layout: ChunkLayout, part: ChunkPart, piece: Elements): Fragment {
  const builder = new ElementsBuilder(layout.type, part.count)
  // The elements are gathered from the piece, whose offsets are those of the selection.
  const inPiece: ChunkPart = {
    ...part,
    first: 0,
    end: piece.count,
    runs(visit) {
      let offset = 0
      part.runs((_chunkOffset, _chunkStride, selectionOffset, length) => {
        visit(selectionOffset, 1, offset, length)
        offset += length
      })
    },
  }
  builder.gather(inPiece, piece)
  return { part: packed(part), elements: builder.finish() }
}
