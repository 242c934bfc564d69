// Writing a selection from elements that arrive in its order. They are sorted into chunks; a chunk is stored in the
// background as soon as all that is selected of it has arrived, and what it held before is read only if it is not
// covered. The chunks are changed when everything has arrived: all of them or, after a failure, none. Where only some
// fields of a compound are written nothing is covered: the others stay as they are.

import type { Datatype } from '../../hdf5/datatype/datatype.ts'
import { planParts } from '../../hdf5/selection/runs.ts'
import { type ChunkPart, type Selection, selectionCount } from '../../hdf5/selection/selection.ts'
import { splitSelection } from '../../hdf5/selection/split.ts'
import type { Elements } from '../../hdf5/values/elements.ts'
import { chosenIntoWhole, chosenOfWhole, type FieldCopy } from '../../hdf5/values/field-copy.ts'
import { chooseFields } from '../../hdf5/values/project.ts'
import type { Transaction } from '../transaction.ts'
import type { BufferPool } from './buffer-pool.ts'
import { type ChunkChanges, type NewChunk, placeOf } from './chunk-changes.ts'
import { readChunk } from './chunk-io.ts'
import { type ChunkLayout, withType } from './chunk-layout.ts'
import { ElementsInput } from './elements-input.ts'
import { beginChunk, type OpenChunk, OpenChunks, pack, unpackInto } from './open-chunks.ts'
import { TaskLanes } from './task-lanes.ts'

export interface WriteParts {
  readonly transaction: Transaction
  readonly chunks: ChunkChanges
  readonly pool: BufferPool
  /** Elements that have arrived for chunks that are not complete take at most about so many bytes of memory. */
  readonly maxOpenBytes: number
}

/** Chunks that are stored at once. */
const PARALLEL_STORES = 8

interface WriteState extends WriteParts {
  readonly layout: ChunkLayout
  /** Of the elements that arrive: the same chunks, but perhaps only some fields. */
  readonly given: ChunkLayout
  readonly fields: WrittenFields | undefined
  readonly open: OpenChunks
  readonly lanes: TaskLanes
  readonly stored: NewChunk[]
}

/** Some fields of a compound, and how they are copied. */
interface WrittenFields {
  readonly type: Datatype
  /** From the elements that arrive, and from whole ones, into whole ones. */
  readonly arriving: FieldCopy
  readonly stored: FieldCopy
}

/**
 * With `fields`, which need a compound, the elements hold only the fields of these names, in this order. False: the
 * selection is empty, and nothing was changed.
 */
export async function writeSelection(
  parts: WriteParts,
  layout: ChunkLayout,
  selection: Selection,
  elements: AsyncIterable<Elements>,
  names?: readonly string[],
): Promise<boolean> {
  const { transaction, chunks, pool, maxOpenBytes } = parts
  const count = selectionCount(selection)
  const fields = names && fieldsOf(layout.type, names)
  const given = fields ? withType(layout, fields.type) : layout
  const input = new ElementsInput(elements, given, pool, count)
  const plan = planParts(selection, layout.grid)
  const open = new OpenChunks(given, transaction, pool, fields ? uncovered(plan) : plan, maxOpenBytes)
  const lanes = new TaskLanes(PARALLEL_STORES)
  const state: WriteState = { ...parts, layout, given, fields, open, lanes, stored: [] }
  try {
    for (const sub of splitSelection(selection, layout.grid, layout.pieceElements)) {
      const piece = await input.take(selectionCount(sub))
      for (const part of planParts(sub, layout.grid)) await receive(state, part, piece)
    }
    await input.end()
    await lanes.drain()
    chunks.apply(state.stored)
  } catch (error) {
    await lanes.settle()
    chunks.discard(state.stored)
    throw error
  } finally {
    open.close()
    await input.close()
  }
  return count > 0
}

function fieldsOf(type: Datatype, names: readonly string[]): WrittenFields {
  const chosen = chooseFields(type, names)
  return { type: chosen.type, arriving: chosenIntoWhole(chosen), stored: chosenOfWhole(chosen) }
}

/** Parts of which not all is written: what a chunk holds has to be read whatever is selected of it. */
function* uncovered(plan: Iterable<ChunkPart>): Iterable<ChunkPart> {
  for (const part of plan) yield { ...part, covers: false }
}

async function receive(state: WriteState, part: ChunkPart, piece: Elements): Promise<void> {
  const { given, open, lanes } = state
  const chunk = open.arrive(part)
  if (chunk.remaining > 0) {
    await open.keep(chunk, part, piece)
    return
  }
  await lanes.free()
  if (chunk.whole.covers && chunk.spilled.length === 0) {
    coverChunk(state, chunk, part, piece)
  } else {
    // The piece is gone when the rest has been read.
    chunk.fragments.push(pack(given, part, piece))
    lanes.start(() => completeChunk(state, chunk))
  }
}

/** All elements of the chunk are new and in memory. */
function coverChunk(state: WriteState, chunk: OpenChunk, part: ChunkPart, piece: Elements): void {
  const { layout, pool, chunks, lanes, stored } = state
  const { buffer, builder } = chunk.begun ?? beginChunk(layout, pool, chunk.whole)
  for (const fragment of chunk.fragments) builder.scatter(fragment.part, fragment.elements)
  builder.scatter(part, piece)
  const elements = builder.finish()
  const place = placeOf(layout, chunk.whole.chunk)
  lanes.start(async () => {
    const before = await chunks.recordToReplace(place)
    stored.push({ place, before, ...(await chunks.store(layout, place, elements)) })
    pool.give(buffer)
  })
}

/** Some elements of the chunk have to be read: those that stay, or those that were spilled. */
async function completeChunk(state: WriteState, chunk: OpenChunk): Promise<void> {
  const { layout, fields, pool, chunks, stored } = state
  const { whole } = chunk
  const place = placeOf(layout, whole.chunk)
  const { buffer, builder } = beginChunk(layout, pool, whole)
  const before = whole.covers
    ? await chunks.recordToReplace(place)
    : await chunks.recordToChange(layout, whole.chunk, place)
  if (!whole.covers) {
    builder.copy(await readChunk(chunks.source, layout, whole.chunk, place, before), 0, 0, builder.capacity)
  }
  await unpackInto(builder, chunks.source, chunk, fields?.arriving)
  const values = await chunks.store(layout, place, builder.finish())
  const written = { part: whole, fields: fields?.stored }
  stored.push({ place, before, ...values, ...(!whole.covers && { written }) })
  pool.give(buffer)
}
