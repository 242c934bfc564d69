// The blocks of a fractal heap (file format specification, III.G): direct blocks hold the managed objects, indirect
// blocks the addresses of others. The beginning of a block in the space of the managed objects, and its length, follow
// from its position in the doubling table: each row has `width` blocks, the first two rows have blocks of the starting
// size, each further row blocks of twice the size of those before.

import { CHECKSUM_SIZE, checkChecksum, lookup3, requireCheckable, withChecksum } from '../checksum.ts'
import { FieldReader, type Widths } from '../field-reader.ts'
import { FieldWriter } from '../field-writer.ts'
import type { DoublingTable, FilteredSize, FractalHeapHeader } from './fractal-heap.ts'

const DIRECT_SIGNATURE = 'FHDB'
const INDIRECT_SIGNATURE = 'FHIB'

/** An entry of an indirect block. Absent address: the block was not needed so far. */
export interface BlockEntry {
  readonly address?: number
  /** Present for a direct block in a heap with filters. */
  readonly filtered?: FilteredSize
}

/** The header of a block: its heap, and its beginning in the space of the managed objects. */
export interface BlockOrigin {
  readonly heapAddress: number
  readonly offset: number
}

/** An indirect block on the path to an offset, and the next entry of the path. */
interface IndirectStep {
  readonly rows: number
  readonly blockOffset: number
  readonly entry: number
}

/** The path from the root to the direct block that holds an offset. */
export interface BlockPath {
  readonly steps: readonly IndirectStep[]
  readonly blockOffset: number
  readonly blockSize: number
}

/** Undefined: the heap has no block there. */
export function pathTo(table: DoublingTable, offset: number): BlockPath | undefined {
  if (table.rootRows === 0) {
    if (offset >= table.startingBlockSize) return undefined
    return { steps: [], blockOffset: 0, blockSize: table.startingBlockSize }
  }
  const directRows = directRowsOf(table)
  const firstRowsSize = table.width * table.startingBlockSize
  const steps: IndirectStep[] = []
  let blockOffset = 0
  for (let rows = table.rootRows; ; ) {
    const within = offset - blockOffset
    let row = 0
    let rowOffset = 0
    let blockSize = table.startingBlockSize
    for (let end = firstRowsSize; within >= end; end *= 2) {
      row += 1
      rowOffset = end
      if (row > 1) blockSize *= 2
    }
    if (row >= rows) return undefined
    const column = Math.floor((within - rowOffset) / blockSize)
    steps.push({ rows, blockOffset, entry: row * table.width + column })
    blockOffset += rowOffset + column * blockSize
    if (row < directRows) return { steps, blockOffset, blockSize }
    // An indirect block covers the bytes of its position, which are fewer than those of this block.
    rows = Math.log2(blockSize / firstRowsSize) + 1
    if (rows < 1) return undefined
  }
}

/** The rows of direct blocks in an indirect block that is large enough to have others. */
function directRowsOf({ startingBlockSize, maxDirectBlockSize }: DoublingTable): number {
  return Math.log2(maxDirectBlockSize / startingBlockSize) + 2
}

export function directBlockPrefixSize(heap: FractalHeapHeader, widths: Widths): number {
  return originSize(heap, widths) + (heap.checksDirectBlocks ? CHECKSUM_SIZE : 0)
}

/** Checks a direct block, filters undone. Offsets of objects count from its beginning, with the prefix. */
export function checkDirectBlock(
  bytes: Uint8Array,
  heap: FractalHeapHeader,
  origin: BlockOrigin,
  widths: Widths,
  address: number,
): void {
  const fields = new FieldReader(bytes, widths, 'a direct block of the fractal heap', address)
  expectOrigin(fields, DIRECT_SIGNATURE, heap, origin)
  if (!heap.checksDirectBlocks) return
  requireCheckable(fields, bytes.length)
  const start = fields.position
  const stored = fields.u32()
  if (stored !== directBlockChecksum(bytes, start)) {
    throw fields.error('its checksum does not fit its bytes: it is damaged')
  }
}

/** The checksum of the whole block, computed with zeros in its own place. */
function directBlockChecksum(bytes: Uint8Array, start: number): number {
  const copy = bytes.slice()
  copy.fill(0, start, start + CHECKSUM_SIZE)
  return lookup3(copy)
}

/** A direct block; `objects` are the bytes after the prefix. */
export function encodeDirectBlock(
  objects: Uint8Array,
  heap: FractalHeapHeader,
  origin: BlockOrigin,
  widths: Widths,
): Uint8Array {
  const writer = new FieldWriter(widths)
  putOrigin(writer, DIRECT_SIGNATURE, heap, origin)
  const start = writer.position
  if (heap.checksDirectBlocks) writer.u32(0)
  writer.put(objects)
  const { bytes } = writer
  if (heap.checksDirectBlocks) {
    new DataView(bytes.buffer, bytes.byteOffset).setUint32(start, directBlockChecksum(bytes, start), true)
  }
  return bytes
}

export function indirectBlockSize(heap: FractalHeapHeader, rows: number, widths: Widths): number {
  const { width } = heap.table
  const directRows = Math.min(rows, directRowsOf(heap.table))
  const filtered = heap.filters ? widths.lengths + 4 : 0
  const entries = rows * width * widths.offsets + directRows * width * filtered
  return originSize(heap, widths) + entries + CHECKSUM_SIZE
}

/** `bytes`: indirectBlockSize of them. */
export function decodeIndirectBlock(
  bytes: Uint8Array,
  heap: FractalHeapHeader,
  rows: number,
  origin: BlockOrigin,
  widths: Widths,
  address: number,
): readonly BlockEntry[] {
  const fields = new FieldReader(bytes, widths, 'an indirect block of the fractal heap', address)
  expectOrigin(fields, INDIRECT_SIGNATURE, heap, origin)
  const directCount = Math.min(rows, directRowsOf(heap.table)) * heap.table.width
  const entries = fields.list(rows * heap.table.width, widths.offsets, index => {
    const address = fields.address()
    const filtered = heap.filters && index < directCount && { length: fields.length(), mask: fields.u32() }
    return { ...(address !== undefined && { address }), ...(filtered && { filtered }) }
  })
  checkChecksum(fields)
  return entries
}

export function encodeIndirectBlock(
  entries: readonly BlockEntry[],
  heap: FractalHeapHeader,
  origin: BlockOrigin,
  widths: Widths,
): Uint8Array {
  const writer = new FieldWriter(widths)
  putOrigin(writer, INDIRECT_SIGNATURE, heap, origin)
  for (const { address, filtered } of entries) {
    writer.address(address)
    if (filtered) {
      writer.length(filtered.length)
      writer.u32(filtered.mask)
    }
  }
  return withChecksum(writer)
}

function originSize({ table }: FractalHeapHeader, { offsets }: Widths): number {
  return 5 + offsets + Math.ceil(table.maxHeapBits / 8)
}

/** Throws if the origin of a block is wrong, so that no block is used at two positions of a heap or in two heaps. */
function expectOrigin(
  fields: FieldReader,
  signature: string,
  { table }: FractalHeapHeader,
  { heapAddress, offset }: BlockOrigin,
): void {
  fields.expectSignature(signature)
  fields.version([0])
  if (fields.address() !== heapAddress) throw fields.error('it belongs to another heap')
  const found = fields.unsigned(Math.ceil(table.maxHeapBits / 8))
  if (found !== offset) throw fields.error(`it is the block of offset ${found} instead of ${offset}`)
}

function putOrigin(
  writer: FieldWriter,
  signature: string,
  { table }: FractalHeapHeader,
  { heapAddress, offset }: BlockOrigin,
): void {
  writer.signature(signature)
  writer.u8(0)
  writer.address(heapAddress)
  writer.unsigned(offset, Math.ceil(table.maxHeapBits / 8))
}
