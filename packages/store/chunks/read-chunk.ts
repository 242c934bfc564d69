// The elements of one chunk. Only this file gives the fill value to the elements of a chunk that was never written, and
// to those for which a stored chunk is too short.

import { runInTurns } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { unavailableFilter } from '@hyperslab/h5/filters'
import { arange } from '@hyperslab/model/dataset'
import type { Datatype } from '@hyperslab/model/datatype'
import type { ChunkPart } from '@hyperslab/model/selection'
import {
  type Elements,
  ElementsBuilder,
  EMPTY_HEAP,
  type FieldCopy,
  repeatElement,
} from '@hyperslab/model/values'
import type { ChunkFilters } from './chunk-filters.ts'
import type { FilteredLength, FoundChunk, PatchedChunk, RepeatedChunk, StoredChunk } from './chunk-index.ts'
import { type ChunkLayout, insideDims, partFromStart, usedElements } from './chunk-layout.ts'
import { applyPatches } from './patches.ts'

/** Reads all elements of a chunk up to the last one inside the extents. */
export async function readChunk(
  filters: ChunkFilters,
  layout: ChunkLayout,
  coordinates: readonly number[],
  chunk: FoundChunk | undefined,
): Promise<Elements> {
  const count = usedElements(layout.grid, coordinates)
  if (chunk === undefined) return missingElements(layout, coordinates, 0, count)
  if ('patches' in chunk) return readPatched(filters, layout, coordinates, chunk, count)
  if ('element' in chunk) return repeatedElements(layout, chunk, count)
  if (chunk.filtered) {
    // The decoded bytes are valid only during this call.
    return useFiltered(filters, layout, coordinates, chunk, chunk.filtered, ({ data, heap, ...rest }) =>
      withFill(layout, { ...rest, data: data.slice(), heap: heap.slice() }, count),
    )
  }
  return withFill(layout, elementsOf(layout, chunk, chunk.values ?? (await chunk.readAll())), count)
}

async function readPatched(
  filters: ChunkFilters,
  layout: ChunkLayout,
  coordinates: readonly number[],
  { base, patches }: PatchedChunk,
  count: number,
): Promise<Elements> {
  const { type, elementSize, isVariableSize } = layout
  // Memory of this call alone, to which patches can be applied: a chunk may be long.
  const isOwn = base && !('element' in base) && !isVariableSize
  const elements =
    isOwn && !base.filtered
      ? elementsOf(layout, base, await base.readAll(new Uint8Array(base.dataLength)))
      : await readChunk(filters, layout, coordinates, base)
  const isWhole = isOwn && elements.data.length === count * elementSize
  const builder = new ElementsBuilder(type, count, isWhole ? elements.data : undefined, isWhole)
  if (!isWhole) await runInTurns(builder.copyInSteps(withFill(layout, elements, count), 0, 0, count))
  await applyPatches(builder, 0, patches(0, count))
  return runInTurns(builder.finishInSteps())
}

/** The element that a chunk without stored values repeats because one element was written to the whole dataset. */
export function filledIn({ grid, filled }: ChunkLayout, chunk: readonly number[]): RepeatedChunk | undefined {
  if (filled === undefined) return undefined
  const inside = insideDims({ ...grid, dims: filled.dims }, chunk)
  return inside.some(extent => extent <= 0) ? undefined : { element: filled.element, inside }
}

/** Whether the part covers all elements inside the current extents of the dataset. */
export function isAllInside(
  { grid }: ChunkLayout,
  chunk: readonly number[],
  { inside }: RepeatedChunk,
): boolean {
  return insideDims(grid, chunk).every((extent, d) => extent <= inside[d])
}

/** Elements of a chunk that is not stored, from the one at `from` on. */
export function missingElements(
  layout: ChunkLayout,
  chunk: readonly number[],
  from: number,
  count: number,
): Elements {
  const { type, grid, fillValue, initializer } = layout
  const filled = filledIn(layout, chunk)
  if (filled) {
    const { data, heap } = repeatedElements(layout, filled, from + count)
    return { count, data: data.subarray(from * layout.elementSize), heap }
  }
  const isNumber = type.class === 'H5T_INTEGER' || type.class === 'H5T_FLOAT'
  return initializer && isNumber
    ? arange(type, initializer, chunk[0] * grid.chunkDims[0] + from, count)
    : repeatElement(type, fillValue, count)
}

/** The first elements of a chunk that repeats one; the others have the fill value. */
function repeatedElements(
  { type, grid, fillValue }: ChunkLayout,
  { element, inside }: RepeatedChunk,
  count: number,
): Elements {
  if (inside.every((extent, d) => extent === grid.chunkDims[d])) return repeatElement(type, element, count)
  const part = partFromStart(grid, inside)
  const builder = new ElementsBuilder(type, Math.max(count, part.end))
  builder.fill(fillValue)
  builder.scatter(packed(part), repeatElement(type, element, part.count))
  return builder.finish()
}

/** Returns the result of `use`, which gets the elements of a filtered chunk and must not keep them. */
export async function useFiltered<T>(
  filters: ChunkFilters,
  layout: ChunkLayout,
  coordinates: readonly number[],
  stored: StoredChunk,
  { length, mask }: FilteredLength,
  use: (elements: Elements) => T,
): Promise<T> {
  requireDecodable(layout, coordinates, mask)
  const chunk = {
    name: stored.name,
    pipeline: layout.pipeline ?? [],
    mask,
    length: stored.dataLength + stored.heapLength,
    encodedLength: length,
    async read(into: Uint8Array) {
      await stored.readAll(into)
    },
  }
  try {
    return await filters.decode(chunk, values => use(elementsOf(layout, stored, values)))
  } catch (cause) {
    // The error is not one of the filters.
    if (cause instanceof HyperslabError) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw stored.damaged(nameOfChunk(layout, coordinates), reason, cause)
  }
}

/** Throws `values-unreadable` for a chunk of a file that went through a filter that is not available here. */
export function requireDecodable(layout: ChunkLayout, coordinates: readonly number[], mask: number): void {
  const unavailable = unavailableFilter(layout.pipeline ?? [], mask)
  if (unavailable === undefined) return
  const rule = `its filter ${unavailable} is not available`
  const message = `${nameOfChunk(layout, coordinates)} cannot be read: ${rule}`
  throw new HyperslabError('values-unreadable', message, { subject: layout.dataset })
}

export function nameOfChunk({ dataset }: ChunkLayout, coordinates: readonly number[]): string {
  return `the chunk [${coordinates.join()}] of the dataset ${dataset}`
}

/** The elements of a chunk whose stored values are given. */
export function elementsOf(
  layout: ChunkLayout,
  { dataLength, heapLength }: Pick<StoredChunk, 'dataLength' | 'heapLength'>,
  values: Uint8Array,
): Elements {
  return {
    count: dataLength / layout.elementSize,
    data: values.subarray(0, dataLength),
    heap: heapLength === 0 ? EMPTY_HEAP : values.subarray(dataLength),
  }
}

/** Bytes of the elements with their heap. */
export function elementsBytes({ data, heap }: Elements): number {
  return data.length + heap.length
}

/** The elements of all pieces, one after another. */
export function joinElements(type: Datatype, pieces: readonly Elements[]): Elements {
  const builder = new ElementsBuilder(
    type,
    pieces.reduce((sum, { count }) => sum + count, 0),
  )
  let at = 0
  for (const piece of pieces) {
    builder.copy(piece, 0, at, piece.count)
    at += piece.count
  }
  return builder.finish()
}

/** At least `count` elements: missing ones at the end have the fill value. */
export function withFill(layout: ChunkLayout, elements: Elements, count: number): Elements {
  if (elements.count >= count) return elements
  const builder = new ElementsBuilder(layout.type, count)
  if (layout.fillValue) builder.fill(layout.fillValue)
  builder.copy(elements, 0, 0, elements.count)
  return builder.finish()
}

/** The part with its runs counted one after another instead of by their positions in the selection. */
export function packed(part: ChunkPart): ChunkPart {
  return {
    ...part,
    runs(visit) {
      let offset = 0
      part.runs((chunkOffset, chunkStride, _selectionOffset, length) => {
        visit(chunkOffset, chunkStride, offset, length)
        offset += length
      })
    },
  }
}

/** Copies the selected elements of a part, or only some of their fields, from one state of a chunk to another. */
export function copyPart(
  layout: ChunkLayout,
  part: ChunkPart,
  from: Elements,
  to: ElementsBuilder,
  fields?: FieldCopy,
): void {
  const dense = packed(part)
  const selected = new ElementsBuilder(layout.type, part.count)
  selected.gather(dense, from)
  to.scatter(dense, selected.finish(), fields)
}
