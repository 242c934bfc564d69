// Writing a selection from elements that arrive in its order. They are sorted into chunks. A chunk is stored in the
// background as soon as all its selected elements have arrived; its old values are read only if the selection does not
// cover it. A small part of a large chunk becomes a patch beside it (patches.ts), and nothing is read. The chunks are
// changed when all elements have arrived: all of them or, after a failure, none. If only some fields of a compound are
// written, no chunk is covered: the other fields stay.
//
// One element for the whole selection is not sorted: a chunk that it covers holds it once, in its record; a whole
// dataset of very many chunks holds it once itself. Elements that one chunk holds in the order of the selection are not
// sorted either.

import { type AbortCheck, isTurnOver, nextTurn, runInTurns, TaskLanes } from '@hyperslab/base/bounded'
import { product } from '@hyperslab/model/dataset'
import type { Datatype } from '@hyperslab/model/datatype'
import {
  type ChunkPart,
  chunkCounts,
  type Selection,
  selectionCount,
  splitSelection,
} from '@hyperslab/model/selection'
import type { Elements, Piece } from '@hyperslab/model/values'
import {
  chooseFields,
  chosenIntoWhole,
  chosenOfWhole,
  type FieldCopy,
  repeatElement,
} from '@hyperslab/model/values'
import type { BufferPool } from '../chunks/buffer-pool.ts'
import { type ChunkLayout, insideDims, isWhollyInside, withType } from '../chunks/chunk-layout.ts'
import { planInTurns } from '../chunks/plan.ts'
import { packed } from '../chunks/read-chunk.ts'
import type { WriteValuesOptions } from '../interfaces/store.ts'
import type { Transaction } from '../transaction/transaction.ts'
import type { ChunkChanges } from './chunk-changes.ts'
import { addressOf } from './chunk-record.ts'
import { isShort, type NewChunk } from './chunk-values.ts'
import { ElementsInput } from './elements-input.ts'
import type { NewPatch } from './new-patches.ts'
import { beginChunk, type OpenChunk, OpenChunks, pack, unpackInto } from './open-chunks.ts'
import { readRecorded } from './recorded-chunk.ts'

export interface WriteParts {
  /** Sets all elements of the dataset, which has very many chunks, to the element; absent: each chunk gets it. */
  readonly fill?: (element: Elements) => Promise<void>
  readonly transaction: Transaction
  readonly chunks: ChunkChanges
  readonly pool: BufferPool
  /** Elements that have arrived for chunks that are not complete take at most about this many bytes of memory. */
  readonly maxOpenBytes: number
}

/** A dataset of more chunks is not written chunk by chunk when all its elements become the same one. */
const MANY_CHUNKS = 1024

interface WriteState extends WriteParts {
  readonly signal: AbortCheck | undefined
  readonly layout: ChunkLayout
  /** The layout of the elements that arrive: the same chunks, but possibly only some fields. */
  readonly inputLayout: ChunkLayout
  readonly fields: WrittenFields | undefined
  readonly open: OpenChunks
  readonly lanes: TaskLanes
  readonly stored: NewChunk[]
  readonly patches: NewPatch[]
}

/** The written fields of a compound, and the way in which they are copied. */
interface WrittenFields {
  readonly names: readonly string[]
  readonly type: Datatype
  /** Copies from the arriving elements, and from whole ones, into whole elements. */
  readonly arriving: FieldCopy
  readonly stored: FieldCopy
}

/** Writes the selection; false: it is empty, and nothing was changed. */
export async function writeSelection(
  parts: WriteParts,
  layout: ChunkLayout,
  selection: Selection,
  elements: AsyncIterable<Piece>,
  { fields: names, signal }: WriteValuesOptions = {},
): Promise<boolean> {
  const count = selectionCount(selection)
  const fields = names && fieldsOf(layout.type, names)
  const inputLayout = fields ? withType(layout, fields.type) : layout
  const input = new ElementsInput(elements, inputLayout, parts.pool, count)
  const chunk = isPatch(parts.chunks, layout, count) ? undefined : wholeChunk(layout, selection)
  try {
    const repeated = await input.repeated()
    const isOneForAll = repeated !== undefined && fields === undefined
    if (parts.fill && isOneForAll && isForMany(layout, selection) && isShort(repeated)) {
      await input.end()
      await parts.fill(repeated)
    } else if (!repeated && !fields && chunk) {
      await writeWholeChunk(parts, layout, chunk, input, count)
    } else {
      await writeChunks({ ...parts, signal, layout, inputLayout, fields }, selection, input, repeated)
    }
  } finally {
    await input.close()
  }
  return count > 0
}

/**
 * Whether `count` elements become a patch although they are all elements of a chunk inside the extents: a filtered
 * chunk stores all elements, also those outside.
 */
function isPatch(chunks: ChunkChanges, layout: ChunkLayout, count: number): boolean {
  return layout.pipeline !== undefined && chunks.patches.takes(layout, count * layout.elementSize)
}

/** The chunk that the selection covers exactly, if the chunk holds its elements in the order of the selection. */
function wholeChunk(
  { grid: { dims, chunkDims }, pieceElements, isVariableSize }: ChunkLayout,
  selection: Selection,
): readonly number[] | undefined {
  if (isVariableSize || selection.kind !== 'hyperslab') return undefined
  const { start, stride, count, block } = selection
  if (product(count) > pieceElements) return undefined
  for (const [d, extent] of chunkDims.entries()) {
    const isInOrder = d === 0 || count[d] === extent
    const isWhole = start[d] % extent === 0 && count[d] === Math.min(extent, dims[d] - start[d])
    if (!isInOrder || !isWhole || count[d] === 0 || stride[d] !== 1 || block[d] !== 1) return undefined
  }
  return start.map((first, d) => first / chunkDims[d])
}

async function writeWholeChunk(
  { chunks }: WriteParts,
  layout: ChunkLayout,
  chunk: readonly number[],
  input: ElementsInput,
  count: number,
): Promise<void> {
  const address = addressOf(layout, chunk)
  const elements = await input.take(count)
  const before = await chunks.recordToReplace(address)
  const stored = { address, before, ...(await chunks.values.store(layout, address, elements)) }
  try {
    await input.end()
    await chunks.apply(layout.dataset, [stored])
  } catch (error) {
    chunks.discard([stored])
    throw error
  }
}

async function writeChunks(
  parts: Omit<WriteState, 'open' | 'lanes' | 'stored' | 'patches'>,
  selection: Selection,
  input: ElementsInput,
  repeated: Elements | undefined,
): Promise<void> {
  const { transaction, chunks, pool, maxOpenBytes, layout, inputLayout, fields, signal } = parts
  const plan = await planInTurns(selection, layout.grid, signal)
  const open = new OpenChunks(inputLayout, transaction, pool, fields ? uncovered(plan) : plan, maxOpenBytes)
  const lanes = new TaskLanes(chunks.values.parallelism)
  const state: WriteState = { ...parts, open, lanes, stored: [], patches: [] }
  const isOneForAll = repeated !== undefined && fields === undefined
  try {
    await chunks.values.limit.requireRoom(layout, selection, plan, isOneForAll, signal)
    if (repeated) await receiveRepeated(state, plan, repeated)
    else await receiveAll(state, selection, input)
    await input.end()
    await lanes.drain()
    await chunks.apply(layout.dataset, state.stored)
    chunks.patches.apply(state.patches)
  } catch (error) {
    await lanes.settle()
    chunks.discard(state.stored, state.patches)
    throw error
  } finally {
    open.close()
  }
}

/** Whether the selection is all elements of a dataset of very many chunks. */
function isForMany({ grid, initializer }: ChunkLayout, selection: Selection): boolean {
  return (
    product(chunkCounts(grid)) > MANY_CHUNKS &&
    selection.kind === 'hyperslab' &&
    selectionCount(selection) === product(grid.dims) &&
    initializer === undefined
  )
}

function fieldsOf(type: Datatype, names: readonly string[]): WrittenFields {
  const chosen = chooseFields(type, names)
  return { names, type: chosen.type, arriving: chosenIntoWhole(chosen), stored: chosenOfWhole(chosen) }
}

/** The parts, none of them covered: the old values of a chunk must be read whatever is selected of it. */
function* uncovered(plan: Iterable<ChunkPart>): Iterable<ChunkPart> {
  for (const part of plan) yield { ...part, covers: false }
}

async function receiveAll(state: WriteState, selection: Selection, input: ElementsInput): Promise<void> {
  const { layout, signal } = state
  let isFirst = true
  for (const sub of splitSelection(selection, layout.grid, layout.pieceElements)) {
    const piece = await input.take(selectionCount(sub))
    for (const part of await planInTurns(sub, layout.grid, signal)) {
      // This comes after the first part, so that a write of one chunk finds at once whether other writes change it, and
      // joins their queue.
      if (!isFirst && isTurnOver()) await nextTurn()
      isFirst = false
      signal?.throwIfAborted()
      await receive(state, part, piece)
    }
  }
}

/** Sets all selected elements to one element. */
async function receiveRepeated(
  state: WriteState,
  plan: Iterable<ChunkPart>,
  element: Elements,
): Promise<void> {
  const { layout, inputLayout, fields, chunks, lanes, stored, signal } = state
  const { grid } = layout
  const record = fields || !isShort(element) ? undefined : chunks.values.repeatedRecord(layout, element)
  let isFirst = true
  for (const part of plan) {
    if (!isFirst && isTurnOver()) await nextTurn()
    isFirst = false
    signal?.throwIfAborted()
    if (record && part.covers) {
      chunks.values.limit.addStored(record.element.length)
      const address = addressOf(layout, part.chunk)
      const before = await chunks.recordToReplace(address)
      const own = isWhollyInside(grid, part.chunk)
        ? record
        : { ...record, inside: insideDims(grid, part.chunk) }
      stored.push({ address, before, record: own, values: undefined })
    } else {
      await lanes.free()
      const whole = fields ? { ...part, covers: false } : part
      const elements = repeatElement(inputLayout.type, element, part.count)
      const fragments = [{ part: packed(part), elements }]
      lanes.start(() => completeChunk(state, { selected: whole, remaining: 0, spilled: [], fragments }))
    }
  }
}

async function receive(state: WriteState, part: ChunkPart, piece: Elements): Promise<void> {
  const { layout, inputLayout, chunks, open, lanes } = state
  const chunk = open.arrive(part)
  if (chunk.remaining > 0) {
    await open.keep(chunk, part, piece)
    return
  }
  await lanes.free()
  const { covers, count } = chunk.selected
  if (covers && chunk.spilled.length === 0 && (chunk.begun || !isPatch(chunks, layout, count))) {
    coverChunk(state, chunk, part, piece)
  } else {
    // The memory of the piece is reused when the rest is read.
    chunk.fragments.push(pack(inputLayout, part, piece))
    lanes.start(() => completeChunk(state, chunk))
  }
}

/** Stores a chunk all elements of which are new and in memory. */
function coverChunk(state: WriteState, chunk: OpenChunk, part: ChunkPart, piece: Elements): void {
  const { layout, pool, chunks, lanes, stored } = state
  const { buffer, builder } = chunk.begun ?? beginChunk(layout, pool, chunk.selected)
  for (const fragment of chunk.fragments) builder.scatter(fragment.part, fragment.elements)
  builder.scatter(part, piece)
  const elements = builder.finish()
  const address = addressOf(layout, chunk.selected.chunk)
  lanes.start(async () => {
    const before = await chunks.recordToReplace(address)
    stored.push({ address, before, ...(await chunks.values.store(layout, address, elements)) })
    pool.give(buffer)
  })
}

/**
 * Stores a chunk of which some elements are not in memory: unchanged ones, which are read unless the new elements
 * become a patch, or spilled ones.
 */
async function completeChunk(state: WriteState, chunk: OpenChunk): Promise<void> {
  const { layout, inputLayout, fields, pool, chunks, stored, signal } = state
  const { selected } = chunk
  signal?.throwIfAborted()
  const address = addressOf(layout, selected.chunk)
  // A whole chunk is stored whole, unless it is short enough to be kept with the records.
  if (chunk.spilled.length === 0 && (!selected.covers || isPatch(chunks, layout, selected.count))) {
    const patch = await chunks.patches.make(layout, address, inputLayout.type, fields?.names, chunk.fragments)
    if (patch) return void state.patches.push(patch)
  }
  const { buffer, builder } = beginChunk(layout, pool, selected)
  const before = selected.covers
    ? await chunks.recordToReplace(address)
    : await chunks.recordToChange(layout, selected.chunk, address)
  if (!selected.covers) {
    const stored = await readRecorded(chunks.values.source, layout, selected.chunk, address, before)
    const arriving = chunk.fragments.reduce((sum, { elements }) => sum + elements.heap.length, 0)
    builder.reserveHeap(stored.heap.length + arriving)
    await runInTurns(builder.copyInSteps(stored, 0, 0, builder.capacity), signal)
  }
  await unpackInto(builder, chunks.values.source, chunk, fields?.arriving)
  const values = await chunks.values.store(layout, address, await runInTurns(builder.finishInSteps(), signal))
  const written = { part: selected, fields: fields?.stored }
  stored.push({ address, before, ...values, ...(!selected.covers && { written }) })
  pool.give(buffer)
}
