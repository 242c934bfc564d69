// The data layout message (0x08, IV.A.2.i): the location of the values of a dataset. Versions 1 to 5 are read, 3 and 4
// written.

import type { FieldReader } from '../field-reader.ts'
import type { FieldWriter } from '../field-writer.ts'

export type Layout = CompactLayout | ContiguousLayout | ChunkedLayout | VirtualLayout

/** The values are in the message itself. */
export interface CompactLayout {
  readonly class: 'compact'
  readonly bytes: Uint8Array
}

export interface ContiguousLayout {
  readonly class: 'contiguous'
  /** Absent: nothing is stored. */
  readonly address?: number
  /** Absent in versions 1 and 2, whose extents of 32 bits may be cut off. */
  readonly size?: number
}

export interface ChunkedLayout {
  readonly class: 'chunked'
  readonly chunkDims: readonly number[]
  readonly elementSize: number
  /** Chunks that cross the edge of the extents went through no filter. */
  readonly hasUnfilteredEdges: boolean
  readonly index: ChunkIndex
}

/** The index of the chunks; `address` absent: no chunk is stored. */
export type ChunkIndex = { readonly address?: number } & (
  | { readonly kind: 'b-tree-1' }
  | { readonly kind: 'single-chunk'; readonly filtered?: FilteredChunk }
  | { readonly kind: 'implicit' }
  | { readonly kind: 'fixed-array'; readonly pageBits: number }
  | { readonly kind: 'extensible-array'; readonly parameters: readonly number[] }
  | {
      readonly kind: 'b-tree-2'
      readonly nodeSize: number
      readonly splitPercent: number
      readonly mergePercent: number
    }
)

export interface FilteredChunk {
  readonly length: number
  /** Bit i: filter i was skipped. */
  readonly mask: number
}

export interface VirtualLayout {
  readonly class: 'virtual'
  /** The object of the global heap that has the mappings; absent: there are none. */
  readonly mappings?: { readonly address: number; readonly index: number }
}

const COMPACT = 0
const CONTIGUOUS = 1
const CHUNKED = 2
const VIRTUAL = 3

const UNFILTERED_EDGES = 1
const FILTERED_SINGLE_CHUNK = 2

/** Dimensions of a chunk, with one for the bytes of an element. @limit format, dimensions */
const MAX_DIMENSIONS = 33

/**
 * The most elements, elements of the index block, least pointers of a super block, least elements of a data block,
 * page.
 */
const EXTENSIBLE_ARRAY_PARAMETERS = 5

export function decodeLayout(fields: FieldReader): Layout {
  const version = fields.version([1, 2, 3, 4, 5])
  return version < 3 ? decodeOld(fields) : decodeNew(fields, version)
}

/** Versions 1 and 2. */
function decodeOld(fields: FieldReader): Layout {
  const rank = fields.u8()
  const layoutClass = fields.u8()
  fields.skip(5)
  const address = layoutClass === COMPACT ? undefined : fields.address()
  switch (layoutClass) {
    case COMPACT:
      fields.skip(4 * rank)
      return { class: 'compact', bytes: fields.take(fields.u32()) }
    case CONTIGUOUS:
      return { class: 'contiguous', ...(address !== undefined && { address }) }
    case CHUNKED:
      return decodeOldChunks(fields, address, rank)
    default:
      throw fields.error(`there is no layout class ${layoutClass}`)
  }
}

function decodeNew(fields: FieldReader, version: number): Layout {
  const layoutClass = fields.u8()
  switch (layoutClass) {
    case COMPACT:
      return { class: 'compact', bytes: fields.take(fields.u16()) }
    case CONTIGUOUS: {
      const address = fields.address()
      return { class: 'contiguous', ...(address !== undefined && { address }), size: fields.length() }
    }
    case CHUNKED: {
      if (version > 3) return decodeChunks(fields)
      const rank = fields.u8()
      return decodeOldChunks(fields, fields.address(), rank)
    }
    case VIRTUAL: {
      const address = fields.address()
      const index = fields.u32()
      return { class: 'virtual', ...(address !== undefined && { mappings: { address, index } }) }
    }
    default:
      throw fields.error(`there is no layout class ${layoutClass}`)
  }
}

/** Up to version 3: extents of 32 bits, and a B-tree of version 1. */
function decodeOldChunks(fields: FieldReader, address: number | undefined, rank: number): ChunkedLayout {
  return {
    class: 'chunked',
    ...decodeChunkShape(fields, rank, 4),
    hasUnfilteredEdges: false,
    index: { kind: 'b-tree-1', ...(address !== undefined && { address }) },
  }
}

function decodeChunks(fields: FieldReader): ChunkedLayout {
  const flags = fields.u8()
  const rank = fields.u8()
  const shape = decodeChunkShape(fields, rank, fields.u8())
  const index = decodeIndex(fields, (flags & FILTERED_SINGLE_CHUNK) !== 0)
  const address = fields.address()
  return {
    class: 'chunked',
    ...shape,
    hasUnfilteredEdges: (flags & UNFILTERED_EDGES) !== 0,
    index: { ...index, ...(address !== undefined && { address }) },
  }
}

/** The last extent is the size of an element. */
function decodeChunkShape(
  fields: FieldReader,
  rank: number,
  width: number,
): { chunkDims: readonly number[]; elementSize: number } {
  if (rank < 2 || rank > MAX_DIMENSIONS) throw fields.error(`chunks cannot have ${rank} dimensions`)
  if (width < 1 || width > 8) throw fields.error(`extents of chunks cannot take ${width} bytes`)
  const extents = fields.list(rank, width, () => fields.unsigned(width))
  if (extents.includes(0)) throw fields.error(`chunks cannot have the extents ${extents.join(', ')}`)
  if (!Number.isSafeInteger(extents.reduce((bytes, extent) => bytes * extent, 1))) {
    throw fields.error(`chunks of the extents ${extents.join(', ')} are beyond 2^53 bytes`)
  }
  return { chunkDims: extents.slice(0, -1), elementSize: extents[rank - 1] }
}

function decodeIndex(fields: FieldReader, isFilteredSingle: boolean): ChunkIndex {
  const kind = fields.u8()
  switch (kind) {
    case 1: {
      if (!isFilteredSingle) return { kind: 'single-chunk' }
      const length = fields.length()
      return { kind: 'single-chunk', filtered: { length, mask: fields.u32() } }
    }
    case 2:
      return { kind: 'implicit' }
    case 3:
      return { kind: 'fixed-array', pageBits: fields.u8() }
    case 4:
      return { kind: 'extensible-array', parameters: [...fields.take(EXTENSIBLE_ARRAY_PARAMETERS)] }
    case 5: {
      const nodeSize = fields.u32()
      return { kind: 'b-tree-2', nodeSize, splitPercent: fields.u8(), mergePercent: fields.u8() }
    }
    default:
      throw fields.error(`there is no kind ${kind} of index of chunks`)
  }
}

/** Version 3 where it has a form for the layout, which HDF5 1.8 reads, else 4. */
export function encodeLayout(writer: FieldWriter, layout: Layout): void {
  switch (layout.class) {
    case 'compact':
      writer.u8(3)
      writer.u8(COMPACT)
      writer.u16(layout.bytes.length)
      writer.put(layout.bytes)
      return
    case 'contiguous':
      if (layout.size === undefined) throw new Error('a contiguous layout is written with its size')
      writer.u8(3)
      writer.u8(CONTIGUOUS)
      writer.address(layout.address)
      writer.length(layout.size)
      return
    case 'chunked':
      if (layout.index.kind === 'b-tree-1') encodeOldChunks(writer, layout)
      else encodeChunks(writer, layout)
      return
    case 'virtual':
      writer.u8(4)
      writer.u8(VIRTUAL)
      writer.address(layout.mappings?.address)
      writer.u32(layout.mappings?.index ?? 0)
      return
  }
}

function encodeOldChunks(writer: FieldWriter, { chunkDims, elementSize, index }: ChunkedLayout): void {
  writer.u8(3)
  writer.u8(CHUNKED)
  writer.u8(chunkDims.length + 1)
  writer.address(index.address)
  for (const extent of chunkDims) writer.u32(extent)
  writer.u32(elementSize)
}

function encodeChunks(writer: FieldWriter, layout: ChunkedLayout): void {
  const { chunkDims, elementSize, index, hasUnfilteredEdges } = layout
  const isFilteredSingle = index.kind === 'single-chunk' && index.filtered !== undefined
  writer.u8(4)
  writer.u8(CHUNKED)
  writer.u8((hasUnfilteredEdges ? UNFILTERED_EDGES : 0) | (isFilteredSingle ? FILTERED_SINGLE_CHUNK : 0))
  writer.u8(chunkDims.length + 1)
  // HDF5 2.0 refuses extents that are wider than needed.
  const extents = [...chunkDims, elementSize]
  const width = bytesOf(Math.max(...extents))
  writer.u8(width)
  for (const extent of extents) writer.unsigned(extent, width)
  encodeIndex(writer, index)
  writer.address(index.address)
}

function encodeIndex(writer: FieldWriter, index: ChunkIndex): void {
  switch (index.kind) {
    case 'b-tree-1':
      throw new Error('a B-tree of version 1 is written in version 3 of the layout')
    case 'single-chunk':
      writer.u8(1)
      if (!index.filtered) return
      writer.length(index.filtered.length)
      writer.u32(index.filtered.mask)
      return
    case 'implicit':
      writer.u8(2)
      return
    case 'fixed-array':
      writer.u8(3)
      writer.u8(index.pageBits)
      return
    case 'extensible-array':
      writer.u8(4)
      writer.put(Uint8Array.from(index.parameters))
      return
    case 'b-tree-2':
      writer.u8(5)
      writer.u32(index.nodeSize)
      writer.u8(index.splitPercent)
      writer.u8(index.mergePercent)
      return
  }
}

/** Bytes that an unsigned number takes. */
function bytesOf(value: number): number {
  let width = 1
  for (let rest = value; rest >= 256; rest = Math.floor(rest / 256)) width++
  return width
}
