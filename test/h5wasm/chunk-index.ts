// Which chunks of a dataset a file stores, from the index that the dataset's layout message names (HDF5 file format
// specification, IV.A.2.i and VII). Coordinates of chunks only, not the addresses of their bytes: enough to
// pass over what was never written, whatever the extents claim. What is read grows with what is stored.

import { HyperslabError } from '../../src/errors.ts'
import { type ByteSource, readRange } from '../../src/h5file/byte-source.ts'
import type { ChunkCoordinates, StoredChunks } from '../../src/h5file/reader.ts'
import { type Dataspace, extentsOf, UNLIMITED } from '../../src/hdf5/dataspace.ts'
import { type Fields, fieldsOf } from './fields.ts'

/** A file whose addresses and lengths take 8 bytes. */
export interface IndexedFile {
  readonly source: ByteSource
  /** Where the file's address 0 lies. */
  readonly base: number
}

/** The chunks of a dataset. */
interface Grid {
  readonly chunkDims: readonly number[]
  /** Chunks along each dimension, up to the maximum extents; infinite where these are unlimited. */
  readonly counts: readonly number[]
}

/** Reads an index: a batch of chunks for each structure that is read, so that few awaits go with many chunks. */
type Batches = AsyncIterable<readonly ChunkCoordinates[]>

const ADDRESS_SIZE = 8
const UNDEFINED_ADDRESS = 2n ** 64n - 1n
const CHECKSUM_SIZE = 4
/** Signature, version and one byte more begin each structure of the newer indexes. */
const PREFIX_SIZE = 6

const COMPACT = 0
const CONTIGUOUS = 1
const CHUNKED = 2

/** The kinds of index of layout version 4 and 5. */
const SINGLE_CHUNK = 1
const IMPLICIT = 2
const FIXED_ARRAY = 3
const EXTENSIBLE_ARRAY = 4
const B_TREE_2 = 5

/**
 * The chunks inside the extents that are stored; none, of one chunk, for a contiguous dataset without storage. Undefined:
 * all values are stored, or it is not known. `layout` is the body of the layout message. A damaged index is
 * `file-unreadable`, while its batches are read.
 */
export function storedChunks(
  file: IndexedFile,
  layout: Uint8Array,
  space: Dataspace,
  chunkDims: readonly number[] | undefined,
): StoredChunks | undefined {
  const fields = fieldsOf(layout)
  const version = fields.unsigned(1)
  if (version < 3) fields.skip(1)
  const layoutClass = fields.unsigned(1)
  if (version < 3 && layoutClass !== COMPACT) fields.skip(5)
  if (layoutClass === CONTIGUOUS) {
    return fields.unsigned64() === UNDEFINED_ADDRESS
      ? { chunkDims: extentsOf(space), batches: none }
      : undefined
  }
  if (layoutClass !== CHUNKED || chunkDims === undefined || space.class !== 'H5S_SIMPLE') return undefined
  const extents = extentsOf(space)
  const maxima = space.maxdims ?? extents
  const counts = maxima.map((maximum, d) =>
    maximum === UNLIMITED ? Number.POSITIVE_INFINITY : Math.ceil(maximum / chunkDims[d]),
  )
  const found =
    version < 4 ? oldIndex(file, fields, version, chunkDims) : newIndex(file, fields, { chunkDims, counts })
  return found && { chunkDims, batches: () => inside(found(), extents, chunkDims) }
}

/** Those that shrinking has left outside the extents are no part of the dataset. */
async function* inside(batches: Batches, extents: readonly number[], chunkDims: readonly number[]): Batches {
  for await (const chunks of batches) {
    yield chunks.filter(chunk => chunk.every((index, d) => index * chunkDims[d] < extents[d]))
  }
}

/** No chunk. */
async function* none(): Batches {}

function oldIndex(
  file: IndexedFile,
  fields: Fields,
  version: number,
  chunkDims: readonly number[],
): () => Batches {
  if (version === 3) fields.skip(1)
  const root = fields.unsigned64()
  return root === UNDEFINED_ADDRESS ? none : () => treeChunks(file, root, chunkDims)
}

function newIndex(file: IndexedFile, fields: Fields, grid: Grid): (() => Batches) | undefined {
  const flags = fields.unsigned(1)
  const rank = fields.unsigned(1)
  fields.skip(rank * fields.unsigned(1))
  const kind = fields.unsigned(1)
  const isFiltered = (flags & 2) !== 0
  fields.skip(kind === SINGLE_CHUNK && isFiltered ? 12 : (PARAMETER_SIZES.get(kind) ?? 0))
  const address = fields.unsigned64()
  if (address === UNDEFINED_ADDRESS) return none
  switch (kind) {
    case SINGLE_CHUNK:
      return async function* () {
        yield [grid.chunkDims.map(() => 0)]
      }
    case FIXED_ARRAY:
      return () => fixedArrayChunks(file, address, grid)
    case EXTENSIBLE_ARRAY:
      return () => extensibleArrayChunks(file, address, grid)
    case B_TREE_2:
      return () => newTreeChunks(file, address, grid.chunkDims.length)
    default:
      return undefined
  }
}

/** Bytes between the kind of index and its address. */
const PARAMETER_SIZES: ReadonlyMap<number, number> = new Map([
  [SINGLE_CHUNK, 0],
  [IMPLICIT, 0],
  [FIXED_ARRAY, 1],
  [EXTENSIBLE_ARRAY, 5],
  [B_TREE_2, 6],
])

/** A structure of so many bytes that begins with a signature. */
async function structureAt(
  { source, base }: IndexedFile,
  address: bigint,
  signature: string,
  size: number,
): Promise<Fields> {
  const fields = fieldsOf(await readRange(source, base + Number(address), size))
  if (fields.text(4) !== signature) throw unreadableIndex(`there is no ${signature} at ${address}`)
  return fields
}

/** Each node of a sound tree is met once. */
function meet(seen: Set<bigint>, address: bigint): void {
  if (seen.has(address)) throw unreadableIndex(`two nodes of the tree name that at ${address}`)
  seen.add(address)
}

/** The B-tree of version 1: its keys hold where chunks begin, in elements, and a 0 for the element itself. */
async function* treeChunks(
  file: IndexedFile,
  address: bigint,
  chunkDims: readonly number[],
  seen = new Set<bigint>(),
): Batches {
  meet(seen, address)
  const prefixSize = 8 + 2 * ADDRESS_SIZE
  const header = await structureAt(file, address, 'TREE', prefixSize)
  header.skip(1)
  const [level, entries] = [header.unsigned(1), header.unsigned(2)]
  const keySize = 8 + 8 * (chunkDims.length + 1)
  const node = await structureAt(file, address, 'TREE', prefixSize + entries * (keySize + ADDRESS_SIZE))
  node.skip(prefixSize - 4)
  const chunks: ChunkCoordinates[] = []
  for (let entry = 0; entry < entries; entry++) {
    node.skip(8)
    const chunk = chunkDims.map(extent => Math.floor(node.number64() / extent))
    node.skip(8)
    const child = node.unsigned64()
    if (level === 0) chunks.push(chunk)
    else yield* treeChunks(file, child, chunkDims, seen)
  }
  yield chunks
}

/** The B-tree of version 2: its records end with the coordinates of a chunk. */
async function* newTreeChunks(file: IndexedFile, address: bigint, rank: number): Batches {
  const header = await structureAt(file, address, 'BTHD', PREFIX_SIZE + 32)
  header.skip(2)
  const [nodeSize, recordSize, depth] = [header.unsigned(4), header.unsigned(2), header.unsigned(2)]
  header.skip(2)
  const [root, records] = [header.unsigned64(), header.unsigned(2)]
  if (root === UNDEFINED_ADDRESS || records === 0) return
  if (recordSize < 8 * rank) throw unreadableIndex('the tree of chunks is malformed')
  const seen = new Set<bigint>()
  yield* newTreeNode(file, { nodeSize, recordSize, rank, seen }, { address: root, records, depth })
}

interface NewTree {
  readonly seen: Set<bigint>
  readonly nodeSize: number
  readonly recordSize: number
  readonly rank: number
}

async function* newTreeNode(
  file: IndexedFile,
  tree: NewTree,
  { address, records, depth }: { readonly address: bigint; readonly records: number; readonly depth: number },
): Batches {
  const { nodeSize, recordSize, rank, seen } = tree
  meet(seen, address)
  const node = await structureAt(file, address, depth > 0 ? 'BTIN' : 'BTLF', nodeSize)
  node.skip(2)
  const chunks: ChunkCoordinates[] = []
  for (let record = 0; record < records; record++) {
    node.skip(recordSize - 8 * rank)
    chunks.push(Array.from({ length: rank }, () => node.number64()))
  }
  yield chunks
  if (depth === 0) return
  const [countSize, totalSize] = countSizes(tree, depth)
  for (let child = 0; child <= records; child++) {
    const below = { address: node.unsigned64(), records: node.unsigned(countSize), depth: depth - 1 }
    node.skip(totalSize)
    yield* newTreeNode(file, tree, below)
  }
}

/** Bytes of the two counts beside the address of a child: of its own records, and of all below it if it has children. */
function countSizes({ nodeSize, recordSize }: NewTree, depth: number): readonly [number, number] {
  const overhead = PREFIX_SIZE + CHECKSUM_SIZE
  const mostInLeaf = Math.floor((nodeSize - overhead) / recordSize)
  const countSize = bytesFor(mostInLeaf)
  let mostBelow = mostInLeaf
  let totalSize = 0
  for (let level = 1; level < depth; level++) {
    const pointerSize = ADDRESS_SIZE + countSize + totalSize
    const most = Math.floor((nodeSize - overhead - pointerSize) / (recordSize + pointerSize))
    mostBelow = (most + 1) * mostBelow + most
    totalSize = bytesFor(mostBelow)
  }
  return [countSize, totalSize]
}

/** Bytes of an integer up to `limit`. */
function bytesFor(limit: number): number {
  return Math.floor(Math.log2(limit) / 8) + 1
}

/** Elements of an array, an address at the start of each: those that are defined, by their numbers from `first` on. */
function definedElements(
  fields: Fields,
  count: number,
  elementSize: number,
  first: number,
): readonly number[] {
  const numbers: number[] = []
  for (let element = 0; element < count; element++) {
    if (fields.unsigned64() !== UNDEFINED_ADDRESS) numbers.push(first + element)
    fields.skip(elementSize - ADDRESS_SIZE)
  }
  return numbers
}

/** Pages that were never written are not looked at, and may be no part of the file yet. */
function isWritten({ bitmap, firstBit }: WrittenPages, page: number): boolean {
  const bit = firstBit + page
  return (bitmap[bit >> 3] & (0x80 >> (bit & 7))) !== 0
}

/** The fixed array: an element for each chunk up to the maximum extents, in pages where they are many. */
async function* fixedArrayChunks(file: IndexedFile, address: bigint, grid: Grid): Batches {
  const header = await structureAt(file, address, 'FAHD', PREFIX_SIZE + 18)
  header.skip(2)
  const [elementSize, pageBits] = [header.unsigned(1), header.unsigned(1)]
  const [count, block] = [header.number64(), header.unsigned64()]
  if (block === UNDEFINED_ADDRESS) return
  if (elementSize < ADDRESS_SIZE) throw unreadableIndex('the array of chunks is malformed')
  const paging = { perPage: 2 ** pageBits, elementSize }
  const prefixSize = PREFIX_SIZE + ADDRESS_SIZE
  const pages = count > paging.perPage ? Math.ceil(count / paging.perPage) : 0
  const bitmapSize = Math.ceil(pages / 8)
  const start = await structureAt(
    file,
    block,
    'FADB',
    prefixSize + (pages > 0 ? bitmapSize : count * elementSize),
  )
  start.skip(prefixSize - 4)
  if (pages === 0) {
    const numbers = definedElements(start, count, elementSize, 0)
    yield numbers.map(number => coordinatesOf(number, grid.counts))
    return
  }
  const written = { bitmap: start.bytes(bitmapSize), firstBit: 0 }
  const firstPage = Number(block) + prefixSize + bitmapSize + CHECKSUM_SIZE
  for await (const numbers of pagedElements(file, firstPage, { ...paging, count, first: 0, written })) {
    yield numbers.map(number => coordinatesOf(number, grid.counts))
  }
}

interface WrittenPages {
  readonly bitmap: Uint8Array
  /** That of the first page. */
  readonly firstBit: number
}

interface Pages {
  readonly perPage: number
  readonly elementSize: number
  /** Elements of all pages. */
  readonly count: number
  /** Number of the first element. */
  readonly first: number
  readonly written: WrittenPages
}

async function* pagedElements(
  { source, base }: IndexedFile,
  address: number,
  { perPage, elementSize, count, first, written }: Pages,
): AsyncIterable<readonly number[]> {
  const pageSize = perPage * elementSize + CHECKSUM_SIZE
  for (let page = 0; page * perPage < count; page++) {
    if (!isWritten(written, page)) continue
    const inPage = Math.min(perPage, count - page * perPage)
    const fields = fieldsOf(await readRange(source, base + address + page * pageSize, inPage * elementSize))
    yield definedElements(fields, inPage, elementSize, first + page * perPage)
  }
}

/**
 * The extensible array: elements in the index block, then in data blocks of growing size, which the index block names
 * itself or through super blocks. Super block u has 2^(u/2) data blocks of 2^((u+1)/2) times the least elements.
 */
async function* extensibleArrayChunks(file: IndexedFile, address: bigint, grid: Grid): Batches {
  const header = await structureAt(file, address, 'EAHD', PREFIX_SIZE + 62)
  header.skip(2)
  const [elementSize, maxBits, inIndex] = [header.unsigned(1), header.unsigned(1), header.unsigned(1)]
  const [leastInBlock, leastBlocks, pageBits] = [header.unsigned(1), header.unsigned(1), header.unsigned(1)]
  header.skip(6 * 8)
  const index = header.unsigned64()
  if (index === UNDEFINED_ADDRESS) return
  if (elementSize < ADDRESS_SIZE || leastInBlock === 0 || leastBlocks === 0)
    throw unreadableIndex('the array of chunks is malformed')
  const array = { elementSize, offsetSize: Math.ceil(maxBits / 8), perPage: 2 ** pageBits }
  const superBlocks = 1 + maxBits - Math.log2(leastInBlock)
  const direct = 2 * Math.log2(leastBlocks)
  const addresses = 2 * (leastBlocks - 1) + Math.max(0, superBlocks - direct)
  const prefixSize = PREFIX_SIZE + ADDRESS_SIZE
  const size = prefixSize + inIndex * elementSize + addresses * ADDRESS_SIZE
  const block = await structureAt(file, index, 'EAIB', size)
  block.skip(prefixSize - 4)
  async function* elements(): AsyncIterable<readonly number[]> {
    yield definedElements(block, inIndex, elementSize, 0)
    let first = inIndex
    for (let u = 0; u < superBlocks; u++) {
      const blocks = 2 ** Math.floor(u / 2)
      const count = leastInBlock * 2 ** Math.floor((u + 1) / 2)
      if (u < direct) {
        for (let i = 0; i < blocks; i++) {
          yield* dataBlock(file, block.unsigned64(), array, { count, first: first + i * count })
        }
      } else {
        yield* superBlock(file, block.unsigned64(), array, { count, first, blocks })
      }
      first += blocks * count
    }
  }
  const unlimited = Math.max(0, grid.counts.indexOf(Number.POSITIVE_INFINITY))
  const order = [unlimited, ...grid.counts.map((_, d) => d).filter(d => d !== unlimited)]
  const counts = order.map(d => grid.counts[d])
  for await (const numbers of elements()) {
    yield numbers.map(number => {
      const swizzled = coordinatesOf(number, counts)
      const chunk = new Array<number>(order.length).fill(0)
      for (const [i, d] of order.entries()) chunk[d] = swizzled[i]
      return chunk
    })
  }
}

interface ExtensibleArray {
  readonly elementSize: number
  /** Bytes of the number of the first element of a block. */
  readonly offsetSize: number
  readonly perPage: number
}

interface DataBlock {
  readonly count: number
  readonly first: number
}

async function* superBlock(
  file: IndexedFile,
  address: bigint,
  array: ExtensibleArray,
  { count, first, blocks }: DataBlock & { readonly blocks: number },
): AsyncIterable<readonly number[]> {
  if (address === UNDEFINED_ADDRESS) return
  const prefixSize = PREFIX_SIZE + ADDRESS_SIZE + array.offsetSize
  const pages = count > array.perPage ? Math.ceil(count / array.perPage) : 0
  // Room for whole bytes for each block, but the bits of one block follow those of the one before.
  const bitmapSize = blocks * Math.ceil(pages / 8)
  const size = prefixSize + bitmapSize + blocks * ADDRESS_SIZE
  const fields = await structureAt(file, address, 'EASB', size)
  fields.skip(prefixSize - 4)
  const bitmap = fields.bytes(bitmapSize)
  for (let i = 0; i < blocks; i++) {
    const written = { bitmap, firstBit: i * pages }
    yield* dataBlock(file, fields.unsigned64(), array, { count, first: first + i * count }, written)
  }
}

const NO_PAGES: WrittenPages = { bitmap: new Uint8Array(0), firstBit: 0 }

async function* dataBlock(
  file: IndexedFile,
  address: bigint,
  { elementSize, offsetSize, perPage }: ExtensibleArray,
  { count, first }: DataBlock,
  written = NO_PAGES,
): AsyncIterable<readonly number[]> {
  if (address === UNDEFINED_ADDRESS) return
  const prefixSize = PREFIX_SIZE + ADDRESS_SIZE + offsetSize
  if (count > perPage) {
    const pages = Number(address) + prefixSize + CHECKSUM_SIZE
    yield* pagedElements(file, pages, { perPage, elementSize, count, first, written })
    return
  }
  const fields = await structureAt(file, address, 'EADB', prefixSize + count * elementSize)
  fields.skip(prefixSize - 4)
  yield definedElements(fields, count, elementSize, first)
}

/** Row-major: the last dimension runs fastest; the first may have no end. */
function coordinatesOf(number: number, counts: readonly number[]): ChunkCoordinates {
  const coordinates = counts.map(() => 0)
  let rest = number
  for (let d = counts.length - 1; d > 0; d--) {
    coordinates[d] = rest % counts[d]
    rest = Math.floor(rest / counts[d])
  }
  coordinates[0] = rest
  return coordinates
}

function unreadableIndex(rule: string): HyperslabError {
  return new HyperslabError('file-unreadable', `the index of the chunks cannot be read: ${rule}`)
}
