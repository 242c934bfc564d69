// The chunks that a fixed or an extensible array names (fixed-array.ts, extensible-array.ts). Only the
// blocks and pages are read that may hold chunks of the box.

import { nextTurn } from '@hyperslab/base/bounded'
import { damaged } from '../../format/errors.ts'
import { FieldReader } from '../../format/field-reader.ts'
import type { ChunkEntryForm, ChunkIndexRecord } from '../../format/indexes/chunk-index-record.ts'
import { type ChunkEntries, chunkPageSize, decodeChunkPage } from '../../format/indexes/chunk-page.ts'
import {
  type BlockGroup,
  blockGroups,
  dataBlockSize,
  decodeDataBlock,
  decodeExtensibleArray,
  decodeIndexBlock,
  decodeSuperBlock,
  EXTENSIBLE_ARRAY,
  type ExtensibleArray,
  extensibleArrayHeaderSize,
  type IndexBlock,
  indexBlockSize,
  superBlockSize,
} from '../../format/indexes/extensible-array.ts'
import {
  decodeFixedArray,
  decodeFixedArrayBlock,
  FIXED_ARRAY,
  fixedArrayBlockSize,
  fixedArrayHeaderSize,
  fixedArrayPages,
} from '../../format/indexes/fixed-array.ts'
import type { FileBytes } from '../structures/file-bytes.ts'
import { VisitedNodes } from '../structures/tree-walk.ts'
import type { ChunkNumbers } from './chunk-box.ts'

/** Blocks and pages that are read at once. */
const AT_ONCE = 64

/** The bytes of parts of one array. */
class ArrayParts {
  readonly file: FileBytes
  readonly structure: string
  readonly #visited: VisitedNodes

  constructor(file: FileBytes, structure: string) {
    this.file = file
    this.structure = structure
    this.#visited = new VisitedNodes(file, structure)
  }

  read(address: number, size: number): Uint8Array | Promise<Uint8Array> {
    this.#visited.add(address)
    this.#visited.count(address, size)
    return this.file.read(address, size, this.structure)
  }
}

/** `address`: of the header; `chunkLength`: bytes of a chunk that went through no filter. */
export async function* fixedArrayChunks(
  file: FileBytes,
  address: number,
  chunkLength: number,
  numbers: ChunkNumbers,
): AsyncGenerator<readonly ChunkIndexRecord[]> {
  const { widths } = file
  const parts = new ArrayParts(file, FIXED_ARRAY)
  const header = await parts.read(address, fixedArrayHeaderSize(widths))
  const array = decodeFixedArray(header, widths, address, chunkLength)
  if (numbers.next(array.count) !== Number.POSITIVE_INFINITY) {
    throw damaged(
      FIXED_ARRAY,
      address,
      `its ${array.count} elements are fewer than the chunks of the dataset`,
    )
  }
  if (array.block === undefined || numbers.next(0) === Number.POSITIVE_INFINITY) return
  const size = fixedArrayBlockSize(array, widths)
  const block = decodeFixedArrayBlock(await parts.read(array.block, size), array, widths, array.block)
  if ('elements' in block) {
    yield recordsOf(block.elements, 0, numbers)
    return
  }
  yield* pagedChunks(parts, numbers, array.form, {
    address: array.block + size,
    first: 0,
    count: array.count,
    perPage: 2 ** array.pageBits,
    pages: fixedArrayPages(array),
    bitmap: block.writtenPages,
    firstBit: 0,
  })
}

export async function* extensibleArrayChunks(
  file: FileBytes,
  address: number,
  chunkLength: number,
  numbers: ChunkNumbers,
): AsyncGenerator<readonly ChunkIndexRecord[]> {
  const { widths } = file
  const parts = new ArrayParts(file, EXTENSIBLE_ARRAY)
  const header = await parts.read(address, extensibleArrayHeaderSize(widths))
  const array = decodeExtensibleArray(header, widths, address, chunkLength)
  if (array.index === undefined) return
  const index = decodeIndexBlock(
    await parts.read(array.index, indexBlockSize(array, widths)),
    array,
    widths,
    array.index,
  )
  yield recordsOf(index.elements, 0, numbers)
  let [direct, indirect] = [0, 0]
  for (const group of blockGroups(array)) {
    const [from, to] = [direct, indirect]
    if (group.isDirect) direct += group.blocks
    else indirect++
    if (numbers.next(group.first) >= group.first + group.blocks * group.count) continue
    yield* groupChunks(parts, array, group, await blocksOf(parts, array, group, index, from, to), numbers)
  }
}

interface GroupBlocks {
  readonly dataBlocks: readonly (number | undefined)[]
  /** Absent: data blocks have no pages. */
  readonly writtenPages?: Uint8Array
}

/** The blocks of a group; `direct` and `indirect` are its positions in the two lists of the index block. */
async function blocksOf(
  parts: ArrayParts,
  array: ExtensibleArray,
  group: BlockGroup,
  index: IndexBlock,
  direct: number,
  indirect: number,
): Promise<GroupBlocks> {
  if (group.isDirect) return { dataBlocks: index.dataBlocks.slice(direct, direct + group.blocks) }
  const address = index.superBlocks[indirect]
  if (address === undefined) return { dataBlocks: [] }
  const { widths } = parts.file
  const bytes = await parts.read(address, superBlockSize(group, array, widths))
  return decodeSuperBlock(bytes, group, array, widths, address)
}

async function* groupChunks(
  parts: ArrayParts,
  array: ExtensibleArray,
  group: BlockGroup,
  { dataBlocks, writtenPages }: GroupBlocks,
  numbers: ChunkNumbers,
): AsyncGenerator<readonly ChunkIndexRecord[]> {
  const { widths } = parts.file
  const size = dataBlockSize(group, array, widths)
  const blocks = blocksWithChunks(dataBlocks, group, numbers)
  if (group.pages === 0) {
    const read = ({ address }: { readonly address: number }) => parts.read(address, size)
    yield* readAtOnce(blocks, read, (bytes, { address, first }) =>
      recordsOf(decodeDataBlock(bytes, group, array, widths, address), first, numbers),
    )
    return
  }
  for (const { block, address, first } of blocks) {
    if (!writtenPages) throw damaged(parts.structure, address, 'a data block of the index block has pages')
    yield* pagedChunks(parts, numbers, array.form, {
      address: address + size,
      first,
      count: group.count,
      perPage: 2 ** array.pageBits,
      pages: group.pages,
      bitmap: writtenPages,
      firstBit: block * group.pages,
    })
  }
}

/** The data blocks of a group that hold chunks of the box, and are stored. */
function* blocksWithChunks(
  dataBlocks: readonly (number | undefined)[],
  { first, count }: BlockGroup,
  numbers: ChunkNumbers,
): Generator<{ block: number; address: number; first: number }> {
  for (let block = 0; block < dataBlocks.length; block++) {
    const start = first + block * count
    const next = numbers.next(start)
    if (next >= start + count) {
      if (next === Number.POSITIVE_INFINITY) return
      block = Math.floor((next - first) / count) - 1
      continue
    }
    const address = dataBlocks[block]
    if (address !== undefined) yield { block, address, first: start }
  }
}

/** The pages of a data block. */
interface Pages {
  /** The address of the first page. */
  readonly address: number
  /** The number of the first element. */
  readonly first: number
  readonly count: number
  readonly perPage: number
  readonly pages: number
  readonly bitmap: Uint8Array
  /** The bit of the first page. */
  readonly firstBit: number
}

function pagedChunks(
  parts: ArrayParts,
  numbers: ChunkNumbers,
  form: ChunkEntryForm,
  pages: Pages,
): AsyncGenerator<readonly ChunkIndexRecord[]> {
  const { widths } = parts.file
  const pageSize = chunkPageSize(pages.perPage, form, widths)
  const addressOf = (page: number) => pages.address + page * pageSize
  // The last page of a fixed array may have fewer elements.
  const countOf = (page: number) => Math.min(pages.perPage, pages.count - page * pages.perPage)
  const read = (page: number) => parts.read(addressOf(page), chunkPageSize(countOf(page), form, widths))
  return readAtOnce(pagesWithChunks(pages, numbers), read, (bytes, page) => {
    const fields = new FieldReader(bytes, widths, parts.structure, addressOf(page))
    return recordsOf(
      decodeChunkPage(fields, countOf(page), form),
      pages.first + page * pages.perPage,
      numbers,
    )
  })
}

/** The pages that hold chunks. A page that was never written may not be in the file yet. */
function* pagesWithChunks(
  { first, perPage, pages, bitmap, firstBit }: Pages,
  numbers: ChunkNumbers,
): Generator<number> {
  for (let page = nextBit(bitmap, firstBit) - firstBit; page < pages; ) {
    const start = first + page * perPage
    const next = numbers.next(start)
    if (next === Number.POSITIVE_INFINITY) return
    if (next < start + perPage) yield page++
    else page = Math.floor((next - first) / perPage)
    page = nextBit(bitmap, firstBit + page) - firstBit
  }
}

/** The first bit that is set from `bit` on, the most significant of each byte first; infinite: there is none. */
function nextBit(bitmap: Uint8Array, bit: number): number {
  for (let at = bit; at < 8 * bitmap.length; ) {
    const byte = bitmap[Math.floor(at / 8)]
    if (byte & (0x80 >> (at % 8))) return at
    at = byte === 0 ? 8 * (Math.floor(at / 8) + 1) : at + 1
  }
  return Number.POSITIVE_INFINITY
}

/** The chunks of the box among elements of which the first has the number `first`. */
function recordsOf(entries: ChunkEntries, first: number, numbers: ChunkNumbers): readonly ChunkIndexRecord[] {
  const records: ChunkIndexRecord[] = []
  const end = first + entries.length
  for (let number = numbers.next(first); number < end; number = numbers.next(number + 1)) {
    const chunk = entries[number - first]
    if (chunk) records.push({ ...chunk, coordinates: numbers.coordinatesOf(number) })
  }
  return records
}

/** The records of each item: some are read at once, and decoded one after another. */
async function* readAtOnce<Item>(
  items: Iterable<Item>,
  read: (item: Item) => Uint8Array | Promise<Uint8Array>,
  decode: (bytes: Uint8Array, item: Item) => readonly ChunkIndexRecord[],
): AsyncGenerator<readonly ChunkIndexRecord[]> {
  let group: Item[] = []
  async function* records() {
    const pieces = await Promise.all(group.map(read))
    for (const [index, bytes] of pieces.entries()) {
      await nextTurn()
      yield decode(bytes, group[index])
    }
  }
  for (const item of items) {
    group.push(item)
    if (group.length < AT_ONCE) continue
    yield* records()
    group = []
  }
  yield* records()
}
