// The region that a region reference of a file names: an object in a global heap that holds the address of the
// dataset and the selection as H5Sencode writes it (HDF5 file format specification, III.E and VIII.A).

import { HyperslabError } from '../../src/errors.ts'
import { type ByteSource, readRange } from '../../src/h5file/byte-source.ts'
import type { Block, RegionSelection } from '../../src/hdf5/values/references.ts'
import { type Fields, fieldsOf } from './fields.ts'

export interface FileRegion {
  /** Of the dataset, relative to the file's base. */
  readonly address: bigint
  readonly region: RegionSelection
}

const NONE = 0
const POINTS = 1
const HYPERSLABS = 2
const ALL = 3

const REGULAR_FLAG = 1

/** A regular hyperslab of more blocks than this would not be useful as a list. */
const MOST_BLOCKS = 1_000_000

/** The region that object `index` of the global heap collection at `position` describes. */
export async function readRegion(source: ByteSource, position: number, index: number): Promise<FileRegion> {
  const fields = fieldsOf(await heapObject(source, position, index))
  const address = fields.unsigned64()
  return { address, region: readSelection(fields) }
}

async function heapObject(source: ByteSource, position: number, index: number): Promise<Uint8Array> {
  const header = fieldsOf(await readRange(source, position, 16))
  if (header.text(4) !== 'GCOL') throw unreadableRegion(`there is no global heap at ${position}`)
  header.skip(4)
  const collection = fieldsOf(await readRange(source, position, header.number64()))
  collection.skip(16)
  while (collection.left >= 16) {
    const found = collection.unsigned(2)
    collection.skip(6)
    const size = collection.number64()
    if (found === index) return collection.bytes(size)
    if (found === 0) break
    collection.skip(Math.ceil(size / 8) * 8)
  }
  throw unreadableRegion(`the global heap at ${position} has no object ${index}`)
}

function readSelection(fields: Fields): RegionSelection {
  const type = fields.unsigned(4)
  const version = fields.unsigned(4)
  if (type === ALL) return { selectType: 'H5S_SEL_ALL' }
  if (type === POINTS) {
    const points = readPoints(fields, version)
    if (points.length > 0) return { selectType: 'H5S_SEL_POINTS', points }
  } else if (type === HYPERSLABS) {
    const blocks = readBlocks(fields, version)
    if (blocks.length > 0) return { selectType: 'H5S_SEL_HYPERSLABS', blocks }
  } else if (type !== NONE) {
    throw unreadableRegion(`there is no selection of type ${type}`)
  }
  return { selectType: 'H5S_SEL_NONE' }
}

function readPoints(fields: Fields, version: number): number[][] {
  if (version !== 1 && version !== 2)
    throw unreadableRegion(`point selections of version ${version} are not supported`)
  if (version === 1) fields.skip(8)
  const width = version === 1 ? 4 : fields.unsigned(1)
  const rank = fields.unsigned(4)
  const count = fields.unsigned(width)
  return fields.list(count, rank * width, () => coordinates(fields, rank, width))
}

function readBlocks(fields: Fields, version: number): Block[] {
  if (version < 1 || version > 3)
    throw unreadableRegion(`hyperslab selections of version ${version} are not supported`)
  const flags = version === 1 ? 0 : fields.unsigned(1)
  const width = version === 1 ? 4 : version === 2 ? 8 : fields.unsigned(1)
  if (version === 1) fields.skip(8)
  if (version === 2) fields.skip(4)
  const rank = fields.unsigned(4)
  if (flags & REGULAR_FLAG) return regularBlocks(fields, rank, width)
  const count = fields.unsigned(width)
  return fields.list(count, 2 * rank * width, () => ({
    first: coordinates(fields, rank, width),
    last: coordinates(fields, rank, width),
  }))
}

/** Start, stride, count and block of each dimension, spelled out in row-major order. */
function regularBlocks(fields: Fields, rank: number, width: number): Block[] {
  const dimensions = fields.list(rank, 4 * width, () => {
    const [start = 0, stride = 1, count = 0, block = 1] = coordinates(fields, 4, width)
    return { start, stride, count, block }
  })
  const total = dimensions.reduce((product, { count }) => product * count, 1)
  if (total > MOST_BLOCKS) throw unreadableRegion(`a region of ${total} blocks is too large to be listed`)
  let starts: number[][] = [[]]
  for (const { start, stride, count } of dimensions) {
    const steps = Array.from({ length: count }, (_, index) => start + index * stride)
    starts = starts.flatMap(corner => steps.map(step => [...corner, step]))
  }
  return starts.map(first => ({
    first,
    last: first.map((coordinate, d) => coordinate + (dimensions[d]?.block ?? 1) - 1),
  }))
}

function coordinates(fields: Fields, rank: number, width: number): number[] {
  return fields.list(rank, width, () => fields.unsigned(width))
}

function unreadableRegion(rule: string): HyperslabError {
  return new HyperslabError('file-unreadable', `the region reference cannot be read: ${rule}`)
}
