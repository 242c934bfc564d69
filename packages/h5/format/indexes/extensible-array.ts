// The extensible array, an index of chunks of a dataset with one unlimited dimension (VII.D). Elements are in the index
// block, then in data blocks of growing size, which the index block names itself or through super blocks. Super block u
// has 2^(u/2) data blocks of 2^((u+1)/2) times the least elements, both exponents rounded down. Data blocks above a
// size have their elements in pages; which of these were written is in the super block.

import { CHECKSUM_SIZE, checkChecksum } from '../checksum.ts'
import { FieldReader, type Widths } from '../field-reader.ts'
import { type ChunkEntryForm, chunkEntryForm, chunkEntrySize } from './chunk-index-record.ts'
import { ARRAY_PREFIX_SIZE, type ChunkEntries, decodeArrayPrefix, decodeChunkEntries } from './chunk-page.ts'

export const EXTENSIBLE_ARRAY = 'the extensible array of chunks'

const HEADER_SIGNATURE = 'EAHD'
const INDEX_BLOCK_SIGNATURE = 'EAIB'
const SUPER_BLOCK_SIGNATURE = 'EASB'
const DATA_BLOCK_SIGNATURE = 'EADB'

/** Numbers and bytes of blocks, and the number of elements: which no reader needs. */
const STATISTICS = 6
/** Bits of the number of elements. @limit format, bits */
const MAX_BITS = 64

export interface ExtensibleArray {
  readonly form: ChunkEntryForm
  /** Elements of the array are at most 2 to this power. */
  readonly maxBits: number
  readonly indexElements: number
  /** Elements of the smallest data block; a power of 2. */
  readonly leastElements: number
  /** Data blocks of the smallest super block; a power of 2. */
  readonly leastBlocks: number
  /** Pages have 2 to this power elements. */
  readonly pageBits: number
  /** The index block; absent: no chunk is stored. */
  readonly index?: number
}

export function extensibleArrayHeaderSize({ offsets, lengths }: Widths): number {
  return ARRAY_PREFIX_SIZE + 6 + STATISTICS * lengths + offsets + CHECKSUM_SIZE
}

/** `chunkLength`: bytes of a chunk that went through no filter. */
export function decodeExtensibleArray(
  bytes: Uint8Array,
  widths: Widths,
  address: number,
  chunkLength: number,
): ExtensibleArray {
  const fields = new FieldReader(bytes, widths, EXTENSIBLE_ARRAY, address)
  const isFiltered = decodeArrayPrefix(fields, HEADER_SIGNATURE)
  const form = chunkEntryForm(fields, fields.u8(), isFiltered, chunkLength)
  const [maxBits, indexElements] = [fields.u8(), fields.u8()]
  const [leastElements, leastBlocks, pageBits] = [fields.u8(), fields.u8(), fields.u8()]
  if (maxBits > MAX_BITS || !isPowerOf2(leastElements) || !isPowerOf2(leastBlocks)) {
    const numbers = [maxBits, leastElements, leastBlocks].join(', ')
    throw fields.error(`its most bits, least elements and least blocks cannot be ${numbers}`)
  }
  fields.skip(STATISTICS * widths.lengths)
  const index = fields.address()
  checkChecksum(fields)
  const sizes = { maxBits, indexElements, leastElements, leastBlocks, pageBits }
  return { form, ...sizes, ...(index !== undefined && { index }) }
}

/** The data blocks of one super block. */
export interface BlockGroup {
  /** The number of the first element. */
  readonly first: number
  readonly blocks: number
  /** Elements of each data block. */
  readonly count: number
  /** Pages of each data block; 0: it has none. */
  readonly pages: number
  /** The index block names the data blocks itself. */
  readonly isDirect: boolean
}

/** The blocks of all super blocks, in the order of their elements. */
export function blockGroups(array: ExtensibleArray): readonly BlockGroup[] {
  const { maxBits, leastElements, leastBlocks, pageBits, indexElements } = array
  const groups: BlockGroup[] = []
  let first = indexElements
  for (let u = 0; u <= maxBits - Math.log2(leastElements); u++) {
    const blocks = 2 ** Math.floor(u / 2)
    const count = leastElements * 2 ** Math.floor((u + 1) / 2)
    const pages = count > 2 ** pageBits ? count / 2 ** pageBits : 0
    groups.push({ first, blocks, count, pages, isDirect: u < 2 * Math.log2(leastBlocks) })
    first += blocks * count
  }
  return groups
}

export interface IndexBlock {
  readonly elements: ChunkEntries
  /** Addresses of the data blocks that belong to the first super blocks, which are not stored. */
  readonly dataBlocks: readonly (number | undefined)[]
  /** The others. */
  readonly superBlocks: readonly (number | undefined)[]
}

function addressCounts(array: ExtensibleArray): { dataBlocks: number; superBlocks: number } {
  const superBlocks = blockGroups(array).filter(({ isDirect }) => !isDirect).length
  return { dataBlocks: 2 * (array.leastBlocks - 1), superBlocks }
}

export function indexBlockSize(array: ExtensibleArray, widths: Widths): number {
  const { dataBlocks, superBlocks } = addressCounts(array)
  const elements = array.indexElements * chunkEntrySize(array.form, widths)
  const addresses = (1 + dataBlocks + superBlocks) * widths.offsets
  return ARRAY_PREFIX_SIZE + elements + addresses + CHECKSUM_SIZE
}

export function decodeIndexBlock(
  bytes: Uint8Array,
  array: ExtensibleArray,
  widths: Widths,
  address: number,
): IndexBlock {
  const fields = new FieldReader(bytes, widths, EXTENSIBLE_ARRAY, address)
  decodeArrayPrefix(fields, INDEX_BLOCK_SIGNATURE)
  fields.skip(widths.offsets)
  const counts = addressCounts(array)
  const elements = decodeChunkEntries(fields, array.indexElements, array.form)
  const dataBlocks = fields.list(counts.dataBlocks, widths.offsets, () => fields.address())
  const superBlocks = fields.list(counts.superBlocks, widths.offsets, () => fields.address())
  checkChecksum(fields)
  return { elements, dataBlocks, superBlocks }
}

export interface SuperBlock {
  /** The bits of the pages of each data block follow those of the one before; spare bytes are at the end. */
  readonly writtenPages: Uint8Array
  readonly dataBlocks: readonly (number | undefined)[]
}

/** The width of the number of the first element in super and data blocks. */
function numberSize({ maxBits }: ExtensibleArray): number {
  return Math.ceil(maxBits / 8)
}

/** Whole bytes for each data block. */
function bitmapSize({ blocks, pages }: BlockGroup): number {
  return blocks * Math.ceil(pages / 8)
}

export function superBlockSize(group: BlockGroup, array: ExtensibleArray, widths: Widths): number {
  const addresses = (1 + group.blocks) * widths.offsets
  return ARRAY_PREFIX_SIZE + numberSize(array) + bitmapSize(group) + addresses + CHECKSUM_SIZE
}

export function decodeSuperBlock(
  bytes: Uint8Array,
  group: BlockGroup,
  array: ExtensibleArray,
  widths: Widths,
  address: number,
): SuperBlock {
  const fields = new FieldReader(bytes, widths, EXTENSIBLE_ARRAY, address)
  decodeArrayPrefix(fields, SUPER_BLOCK_SIGNATURE)
  fields.skip(widths.offsets + numberSize(array))
  const writtenPages = fields.take(bitmapSize(group))
  const dataBlocks = fields.list(group.blocks, widths.offsets, () => fields.address())
  checkChecksum(fields)
  return { writtenPages, dataBlocks }
}

/** Bytes of a data block, or of the part before the pages. */
export function dataBlockSize(group: BlockGroup, array: ExtensibleArray, widths: Widths): number {
  const elements = group.pages > 0 ? 0 : group.count * chunkEntrySize(array.form, widths)
  return ARRAY_PREFIX_SIZE + widths.offsets + numberSize(array) + elements + CHECKSUM_SIZE
}

/** The elements; none of a data block with pages. */
export function decodeDataBlock(
  bytes: Uint8Array,
  group: BlockGroup,
  array: ExtensibleArray,
  widths: Widths,
  address: number,
): ChunkEntries {
  const fields = new FieldReader(bytes, widths, EXTENSIBLE_ARRAY, address)
  decodeArrayPrefix(fields, DATA_BLOCK_SIGNATURE)
  fields.skip(widths.offsets + numberSize(array))
  const elements = decodeChunkEntries(fields, group.pages > 0 ? 0 : group.count, array.form)
  checkChecksum(fields)
  return elements
}

function isPowerOf2(number: number): boolean {
  return number > 0 && (number & (number - 1)) === 0
}
