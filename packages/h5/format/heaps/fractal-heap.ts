// The header of a fractal heap (file format specification, III.G), which holds the link messages of a group, the
// attributes of an object, or shared messages; and its heap ids, which name an object. A managed object is in one of
// the heap's blocks (fractal-heap-blocks.ts), a huge one in the file by itself, a tiny one in the heap id.

import { CHECKSUM_SIZE, checkChecksum, withChecksum } from '../checksum.ts'
import { FieldReader, type Widths } from '../field-reader.ts'
import { FieldWriter } from '../field-writer.ts'

const STRUCTURE = 'the fractal heap'
const SIGNATURE = 'FRHP'

const HUGE_IDS_WRAPPED = 1
const DIRECT_BLOCKS_CHECKED = 2

/** The division of the space of the managed objects into blocks: rows of `width` blocks each, which double in size. */
export interface DoublingTable {
  readonly width: number
  readonly startingBlockSize: number
  readonly maxDirectBlockSize: number
  /** The space of the managed objects has at most 2 to the power of this bytes. */
  readonly maxHeapBits: number
  /** Rows of the root indirect block when it is created. */
  readonly startingRows: number
  /** Absent: there is no managed object. */
  readonly root?: number
  /** 0: the root is a direct block. */
  readonly rootRows: number
}

/** The size of a block or a huge object of a heap with filters. */
export interface FilteredSize {
  readonly length: number
  /** Bit i: filter i was not applied. */
  readonly mask: number
}

export interface FractalHeapHeader {
  readonly idLength: number
  readonly hugeIdsWrapped: boolean
  readonly checksDirectBlocks: boolean
  /** Longer objects are huge. */
  readonly maxManagedSize: number
  readonly nextHugeId: number
  /** The version 2 B-tree of the huge objects. */
  readonly hugeIndex?: number
  readonly freeSpace: number
  readonly freeSpaceManager?: number
  readonly managedSpace: number
  readonly allocatedSpace: number
  readonly iteratorOffset: number
  readonly managedCount: number
  readonly hugeSpace: number
  readonly hugeCount: number
  readonly tinySpace: number
  readonly tinyCount: number
  readonly table: DoublingTable
  /** The body of a filter pipeline message, and the stored size of the root if it is a direct block. */
  readonly filters?: { readonly message: Uint8Array; readonly root: FilteredSize }
}

/** Bytes of the header of a heap whose filters take `filtersLength` bytes; 0 gives the part that holds this length. */
export function fractalHeapHeaderSize({ offsets, lengths }: Widths, filtersLength: number): number {
  const filters = filtersLength === 0 ? 0 : lengths + 4 + filtersLength
  return 22 + 12 * lengths + 3 * offsets + filters + CHECKSUM_SIZE
}

export const FRACTAL_HEAP_PREFIX_SIZE = 9

/** The number of bytes that the filters take. `bytes`: FRACTAL_HEAP_PREFIX_SIZE of them. */
export function decodeFiltersLength(bytes: Uint8Array, widths: Widths, address: number): number {
  const fields = new FieldReader(bytes, widths, STRUCTURE, address)
  fields.expectSignature(SIGNATURE)
  fields.version([0])
  fields.skip(2)
  return fields.u16()
}

export function decodeFractalHeapHeader(
  bytes: Uint8Array,
  widths: Widths,
  address: number,
): FractalHeapHeader {
  const fields = new FieldReader(bytes, widths, STRUCTURE, address)
  fields.expectSignature(SIGNATURE)
  fields.version([0])
  const idLength = fields.u16()
  const filtersLength = fields.u16()
  const flags = fields.u8()
  const maxManagedSize = fields.u32()
  const nextHugeId = fields.length()
  const hugeIndex = fields.address()
  const freeSpace = fields.length()
  const freeSpaceManager = fields.address()
  const managedSpace = fields.length()
  const allocatedSpace = fields.length()
  const iteratorOffset = fields.length()
  const managedCount = fields.length()
  const hugeSpace = fields.length()
  const hugeCount = fields.length()
  const tinySpace = fields.length()
  const tinyCount = fields.length()
  const table = decodeTable(fields)
  const filters = filtersLength > 0 && {
    root: { length: fields.length(), mask: fields.u32() },
    message: fields.take(filtersLength),
  }
  checkChecksum(fields)
  checkTable(fields, table)
  return {
    idLength,
    hugeIdsWrapped: (flags & HUGE_IDS_WRAPPED) !== 0,
    checksDirectBlocks: (flags & DIRECT_BLOCKS_CHECKED) !== 0,
    maxManagedSize,
    nextHugeId,
    ...(hugeIndex !== undefined && { hugeIndex }),
    freeSpace,
    ...(freeSpaceManager !== undefined && { freeSpaceManager }),
    managedSpace,
    allocatedSpace,
    iteratorOffset,
    managedCount,
    hugeSpace,
    hugeCount,
    tinySpace,
    tinyCount,
    table,
    ...(filters && { filters }),
  }
}

function decodeTable(fields: FieldReader): DoublingTable {
  const width = fields.u16()
  const startingBlockSize = fields.length()
  const maxDirectBlockSize = fields.length()
  const maxHeapBits = fields.u16()
  const startingRows = fields.u16()
  const root = fields.address()
  const rootRows = fields.u16()
  return {
    width,
    startingBlockSize,
    maxDirectBlockSize,
    maxHeapBits,
    startingRows,
    ...(root !== undefined && { root }),
    rootRows,
  }
}

/** The number of rows that cover the largest space of a heap. */
export function mostRows({ maxHeapBits, width, startingBlockSize }: DoublingTable): number {
  return maxHeapBits - Math.log2(width * startingBlockSize) + 1
}

function checkTable(fields: FieldReader, table: DoublingTable): void {
  const { width, startingBlockSize, maxDirectBlockSize, maxHeapBits, rootRows } = table
  for (const size of [width, startingBlockSize, maxDirectBlockSize]) {
    if (!Number.isInteger(Math.log2(size)))
      throw fields.error(`${size}, a size of its blocks, is not a power of 2`)
  }
  if (maxHeapBits > 64 || rootRows > mostRows(table) || maxDirectBlockSize < startingBlockSize) {
    throw fields.error('the sizes of its blocks do not fit to each other')
  }
}

export function encodeFractalHeapHeader(heap: FractalHeapHeader, widths: Widths): Uint8Array {
  const { table, filters } = heap
  const writer = new FieldWriter(widths)
  writer.signature(SIGNATURE)
  writer.u8(0)
  writer.u16(heap.idLength)
  writer.u16(filters?.message.length ?? 0)
  writer.u8(
    (heap.hugeIdsWrapped ? HUGE_IDS_WRAPPED : 0) | (heap.checksDirectBlocks ? DIRECT_BLOCKS_CHECKED : 0),
  )
  writer.u32(heap.maxManagedSize)
  writer.length(heap.nextHugeId)
  writer.address(heap.hugeIndex)
  writer.length(heap.freeSpace)
  writer.address(heap.freeSpaceManager)
  writer.length(heap.managedSpace)
  writer.length(heap.allocatedSpace)
  writer.length(heap.iteratorOffset)
  writer.length(heap.managedCount)
  writer.length(heap.hugeSpace)
  writer.length(heap.hugeCount)
  writer.length(heap.tinySpace)
  writer.length(heap.tinyCount)
  writer.u16(table.width)
  writer.length(table.startingBlockSize)
  writer.length(table.maxDirectBlockSize)
  writer.u16(table.maxHeapBits)
  writer.u16(table.startingRows)
  writer.address(table.root)
  writer.u16(table.rootRows)
  if (filters) {
    writer.length(filters.root.length)
    writer.u32(filters.root.mask)
    writer.put(filters.message)
  }
  return withChecksum(writer)
}
