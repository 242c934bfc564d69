// Reads the values of one chunk. Only this file knows that the elements of a chunk that was never written, and those for
// which a stored chunk is too short, have the fill value.

import type { ChunkFilters } from '../../chunks/chunk-filters.ts'
import { type ChunkLayout, insideDims, partFromStart, usedElements } from '../../chunks/chunk-layout.ts'
import { HyperslabError } from '../../errors.ts'
import { arange } from '../../hdf5/initializer.ts'
import type { ChunkPart } from '../../hdf5/selection/selection.ts'
import { type Elements, EMPTY_HEAP } from '../../hdf5/values/elements.ts'
import { ElementsBuilder, type FieldCopy, repeatElement } from '../../hdf5/values/elements-builder.ts'
import type { Blobs } from '../engine.ts'
import { valuesDamaged } from '../engines/system-errors.ts'
import { decodeCoordinates } from './chunk-key.ts'
import {
  type ChunkAddress,
  type ChunkRecord,
  type FilteredValues,
  isInFile,
  isInline,
  isRepeated,
  isTakenOver,
  locateBlob,
  type RepeatedChunk,
  type StoredChunk,
  storedBytes,
  valuesKey,
  valuesName,
} from './chunk-record.ts'

/** Where values come from. */
export interface ValueSource {
  readonly blobs: Pick<Blobs, 'read' | 'readCompared'>
  readonly filters: ChunkFilters
  get(key: Uint8Array): Promise<Uint8Array | undefined>
}

/** The values of an inline chunk: a record and its values are committed together. Buffers are filled with them whole. */
export function presentValues(
  address: ChunkAddress,
  record: ChunkRecord,
  values: Uint8Array | undefined,
): Uint8Array {
  if (values === undefined)
    throw valuesDamaged(`a chunk of the dataset ${address.dataset} has lost its values`)
  const expected = storedBytes(record)
  if (values.length === expected) return values
  throw valuesDamaged(
    `a chunk of the dataset ${address.dataset} has ${values.length} bytes instead of ${expected}`,
  )
}

/** All elements of a chunk that are stored or should be, up to the last one inside the extents. */
export async function readChunk(
  source: ValueSource,
  layout: ChunkLayout,
  chunk: readonly number[],
  address: ChunkAddress,
  record: ChunkRecord | undefined,
): Promise<Elements> {
  const count = usedElements(layout.grid, chunk)
  if (record === undefined) return missingElements(layout, chunk, 0, count)
  if (isRepeated(record)) return repeatedElements(layout, repeatedIn(layout, record), count)
  if (record.filtered) {
    // The decoded bytes are there for a moment only.
    return useFiltered(source, layout, address, record, record.filtered, ({ data, heap, ...rest }) =>
      withFill(layout, { ...rest, data: data.slice(), heap: heap.slice() }, count),
    )
  }
  const values = await readStored(source, address, record)
  return withFill(layout, elementsOf(layout, record, values), count)
}

/** One element, and the part of a chunk that consists of it: from its first element on, with these extents. */
export interface RepeatedPart {
  readonly element: Elements
  readonly inside: readonly number[]
}

/** The element that a chunk repeats, by its record. */
export function repeatedIn(layout: ChunkLayout, record: RepeatedChunk): RepeatedPart {
  return { element: elementsOf(layout, record, record.element), inside: record.inside }
}

/** The element that a chunk repeats that is not stored, since all of the dataset was written as one element. */
export function filledIn({ grid, filled }: ChunkLayout, chunk: readonly number[]): RepeatedPart | undefined {
  if (filled === undefined) return undefined
  const inside = insideDims({ ...grid, dims: filled.dims }, chunk)
  return inside.some(extent => extent <= 0) ? undefined : { element: filled.element, inside }
}

/** True when it is all that is inside the extents of the dataset now. */
export function isAllInside(
  { grid }: ChunkLayout,
  chunk: readonly number[],
  { inside }: RepeatedPart,
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
  { element, inside }: RepeatedPart,
  count: number,
): Elements {
  if (inside.every((extent, d) => extent === grid.chunkDims[d])) return repeatElement(type, element, count)
  const part = partFromStart(grid, inside)
  const builder = new ElementsBuilder(type, Math.max(count, part.end))
  builder.fill(fillValue)
  builder.scatter(packed(part), repeatElement(type, element, part.count))
  return builder.finish()
}

/** The values as they are stored, without filters. */
async function readStored(
  source: ValueSource,
  address: ChunkAddress,
  record: StoredChunk,
): Promise<Uint8Array> {
  if (isInline(record)) return presentValues(address, record, await source.get(valuesKey(address)))
  const values = new Uint8Array(record.dataLength + record.heapLength)
  const { blob, offset } = locateBlob(address, record)
  // What is made of a damaged chunk would be stored with a checksum that is right.
  await readWholeChunk(source, blob, offset, values)
  return values
}

/** What `use` makes of the elements of a filtered chunk, which it must not keep. */
export async function useFiltered<T>(
  source: ValueSource,
  layout: ChunkLayout,
  address: ChunkAddress,
  record: StoredChunk,
  { length, mask }: FilteredValues,
  use: (elements: Elements) => T,
): Promise<T> {
  const { blob, offset } = locateBlob(address, record)
  const chunk = {
    name: valuesName(address, record),
    pipeline: layout.pipeline ?? [],
    mask,
    length: record.dataLength + record.heapLength,
    encodedLength: length,
    async read(into: Uint8Array) {
      if (!isInline(record)) return readWholeChunk(source, blob, offset, into)
      into.set(presentValues(address, record, await source.get(valuesKey(address))))
    },
  }
  try {
    return await source.filters.decode(chunk, values => use(elementsOf(layout, record, values)))
  } catch (cause) {
    // It was not the filters that failed.
    if (cause instanceof HyperslabError) throw cause
    const coordinates = decodeCoordinates(address.coordinates).join()
    const why = cause instanceof Error ? cause.message : String(cause)
    const place = isInFile(record) ? ` at ${record.offset} of its file` : ''
    const message = `the chunk [${coordinates}] of the dataset ${layout.dataset}${place} is damaged: ${why}`
    if (isTakenOver(record))
      throw new HyperslabError('values-unreadable', message, { subject: layout.dataset })
    throw valuesDamaged(message, cause)
  }
}

/** Fills `into`; a blob that ends before is damaged. */
export async function readBlob(
  { blobs }: ValueSource,
  name: string,
  offset: number,
  into: Uint8Array,
): Promise<void> {
  requireLength(name, into, await blobs.read(name, offset, into))
}

/** The same for all bytes of a chunk that it has stored, which are compared with those that were written. */
async function readWholeChunk(
  { blobs }: ValueSource,
  name: string,
  offset: number,
  into: Uint8Array,
): Promise<void> {
  requireLength(name, into, await blobs.readCompared(name, offset, into))
}

function requireLength(name: string, into: Uint8Array, length: number): void {
  if (length === into.length) return
  throw valuesDamaged(`the blob ${name} ends ${into.length - length} bytes early: it is damaged`)
}

/** The elements of a chunk whose stored values are given. */
export function elementsOf(
  layout: ChunkLayout,
  record: Pick<ChunkRecord, 'dataLength' | 'heapLength'>,
  values: Uint8Array,
): Elements {
  return {
    count: record.dataLength / layout.elementSize,
    data: values.subarray(0, record.dataLength),
    heap: record.heapLength === 0 ? EMPTY_HEAP : values.subarray(record.dataLength),
  }
}

/** Bytes of the elements with their heap. */
export function elementsBytes({ data, heap }: Elements): number {
  return data.length + heap.length
}

/** At least `count` elements: the ones that are missing at the end have the fill value. */
export function withFill(layout: ChunkLayout, elements: Elements, count: number): Elements {
  if (elements.count >= count) return elements
  const builder = new ElementsBuilder(layout.type, count)
  if (layout.fillValue) builder.fill(layout.fillValue)
  builder.copy(elements, 0, 0, elements.count)
  return builder.finish()
}

/** The part with its runs counted one after another instead of by their places in the selection. */
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

/** Copies what a part selects, or only some fields of it, from one state of a chunk to another. */
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
