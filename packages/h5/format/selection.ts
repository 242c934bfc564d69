// Selections of a dataspace as files hold them, in region references and in mappings of virtual datasets (HDF5 file
// format specification, "Disk Format: Level 2: Dataspace Selections": none, all, points and hyperslabs; versions 1 to
// 3). A regular hyperslab stays four numbers a dimension, however many elements it selects.

import { MAX_RANK } from '@hyperslab/model/dataset'
import type { Block } from '@hyperslab/model/values'
import type { FieldReader } from './field-reader.ts'
import type { FieldWriter } from './field-writer.ts'

/**
 * `count` blocks of `block` elements, the first at `start`, `stride` apart. Undefined: unlimited; at most one of the
 * two is.
 */
export interface RegularDimension {
  readonly start: number
  readonly stride: number
  readonly count: number | undefined
  readonly block: number | undefined
}

/** Lists are never empty. */
export type FileSelection =
  | { readonly selectType: 'H5S_SEL_NONE' | 'H5S_SEL_ALL' }
  | { readonly selectType: 'H5S_SEL_POINTS'; readonly points: readonly (readonly number[])[] }
  | { readonly selectType: 'H5S_SEL_HYPERSLABS'; readonly regular: readonly RegularDimension[] }
  | { readonly selectType: 'H5S_SEL_HYPERSLABS'; readonly blocks: readonly Block[] }

const NONE = 0
const POINTS = 1
const HYPERSLABS = 2
const ALL = 3

const REGULAR = 0x01

/** Reads one selection; further bytes may follow. `most`: points or blocks that it may list. */
export function decodeSelection(fields: FieldReader, most = Number.POSITIVE_INFINITY): FileSelection {
  const type = fields.u32()
  const version = fields.u32()
  switch (type) {
    case NONE:
    case ALL:
      if (version !== 1) throw unknownVersion(fields, version)
      // Reserved bytes, and the length of the rest, which is 0.
      fields.skip(8)
      return { selectType: type === NONE ? 'H5S_SEL_NONE' : 'H5S_SEL_ALL' }
    case POINTS:
      return decodePoints(fields, version, most)
    case HYPERSLABS:
      return decodeHyperslabs(fields, version, most)
    default:
      throw fields.error(`there is no selection of type ${type}`)
  }
}

function decodePoints(fields: FieldReader, version: number, most: number): FileSelection {
  if (version !== 1 && version !== 2) throw unknownVersion(fields, version)
  if (version === 1) fields.skip(8)
  const width = version === 1 ? 4 : decodeWidth(fields)
  const rank = decodeRank(fields)
  const count = decodeCount(fields, width, most)
  const points = fields.list(count, rank * width, () => coordinates(fields, rank, width))
  return points.length === 0 ? { selectType: 'H5S_SEL_NONE' } : { selectType: 'H5S_SEL_POINTS', points }
}

function decodeHyperslabs(fields: FieldReader, version: number, most: number): FileSelection {
  if (version < 1 || version > 3) throw unknownVersion(fields, version)
  const flags = version === 1 ? 0 : fields.u8()
  const width = version === 1 ? 4 : version === 2 ? 8 : decodeWidth(fields)
  // Reserved bytes, and the length of the rest.
  if (version < 3) fields.skip(version === 1 ? 8 : 4)
  const rank = decodeRank(fields)
  if (flags & REGULAR)
    return regularSelection(fields.list(rank, 4 * width, () => decodeDimension(fields, width)))
  if (version === 2) throw fields.error('a hyperslab selection of version 2 must be regular')
  const count = decodeCount(fields, width, most)
  const blocks = fields.list(count, 2 * rank * width, () => decodeBlock(fields, rank, width))
  return blocks.length === 0 ? { selectType: 'H5S_SEL_NONE' } : { selectType: 'H5S_SEL_HYPERSLABS', blocks }
}

function decodeCount(fields: FieldReader, width: number, most: number): number {
  const count = fields.unsigned(width)
  if (count > most) throw fields.error(`its selection lists ${count} points or blocks, more than ${most}`)
  return count
}

function regularSelection(regular: readonly RegularDimension[]): FileSelection {
  const isEmpty = regular.some(({ count, block }) => count === 0 || block === 0)
  return isEmpty ? { selectType: 'H5S_SEL_NONE' } : { selectType: 'H5S_SEL_HYPERSLABS', regular }
}

function decodeDimension(fields: FieldReader, width: number): RegularDimension {
  const start = fields.unsigned(width)
  const stride = fields.unsigned(width)
  const count = unsignedOrUnlimited(fields, width)
  const block = unsignedOrUnlimited(fields, width)
  if (count === undefined && block === undefined)
    throw fields.error('both count and block of a hyperslab are unlimited')
  if (stride === 0) throw fields.error('the stride of a hyperslab is 0')
  const last = start + stride * Math.max(0, (count ?? 1) - 1) + (block ?? 1)
  if (!Number.isSafeInteger(last)) throw fields.error('a hyperslab ends beyond 2^53')
  return { start, stride, count, block }
}

function decodeBlock(fields: FieldReader, rank: number, width: number): Block {
  const first = coordinates(fields, rank, width)
  const last = coordinates(fields, rank, width)
  if (last.some((end, dimension) => end < first[dimension]))
    throw fields.error('a block ends before it begins')
  return { first, last }
}

function coordinates(fields: FieldReader, rank: number, width: number): number[] {
  return fields.list(rank, width, () => fields.unsigned(width))
}

/** Unlimited: all bits set. */
function unsignedOrUnlimited(fields: FieldReader, width: number): number | undefined {
  const bytes = fields.take(width)
  if (bytes.every(byte => byte === 0xff)) return undefined
  const value = bytes.reduceRight((sum, byte) => sum * 256 + byte, 0)
  if (!Number.isSafeInteger(value)) throw fields.error(`it holds ${value}, a number beyond 2^53`)
  return value
}

function decodeWidth(fields: FieldReader): number {
  const width = fields.u8()
  if (width !== 2 && width !== 4 && width !== 8)
    throw fields.error(`a selection cannot have numbers of ${width} bytes`)
  return width
}

function decodeRank(fields: FieldReader): number {
  const rank = fields.u32()
  if (rank < 1 || rank > MAX_RANK) throw fields.error(`a selection cannot have ${rank} dimensions`)
  return rank
}

function unknownVersion(fields: FieldReader, version: number): Error {
  return fields.error(`there is no version ${version} of such a selection`)
}

/** Encodes the selection in the lowest version that can store it. */
export function encodeSelection(writer: FieldWriter, selection: FileSelection): void {
  switch (selection.selectType) {
    case 'H5S_SEL_NONE':
    case 'H5S_SEL_ALL':
      writer.u32(selection.selectType === 'H5S_SEL_NONE' ? NONE : ALL)
      writer.u32(1)
      writer.zeros(8)
      break
    case 'H5S_SEL_POINTS':
      encodePoints(writer, selection.points)
      break
    case 'H5S_SEL_HYPERSLABS':
      if ('regular' in selection) encodeRegular(writer, selection.regular)
      else encodeBlocks(writer, selection.blocks)
      break
  }
}

function encodePoints(writer: FieldWriter, points: readonly (readonly number[])[]): void {
  const rank = points[0].length
  const width = widthOf(points)
  writer.u32(POINTS)
  writer.u32(width === 4 ? 1 : 2)
  if (width === 4) writeLength(writer, 8 + points.length * rank * width)
  else writer.u8(width)
  writer.u32(rank)
  writer.unsigned(points.length, width)
  for (const point of points) for (const coordinate of point) writer.unsigned(coordinate, width)
}

function encodeBlocks(writer: FieldWriter, blocks: readonly Block[]): void {
  const rank = blocks[0].first.length
  const width = widthOf(blocks.map(({ last }) => last))
  writer.u32(HYPERSLABS)
  writer.u32(width === 4 ? 1 : 3)
  if (width === 4) {
    writeLength(writer, 8 + 2 * blocks.length * rank * width)
  } else {
    writer.u8(0)
    writer.u8(width)
  }
  writer.u32(rank)
  writer.unsigned(blocks.length, width)
  for (const { first, last } of blocks) {
    for (const coordinate of [...first, ...last]) writer.unsigned(coordinate, width)
  }
}

/** Version 2, which holds numbers of 8 bytes. */
function encodeRegular(writer: FieldWriter, regular: readonly RegularDimension[]): void {
  writer.u32(HYPERSLABS)
  writer.u32(2)
  writer.u8(REGULAR)
  writer.u32(4 + 32 * regular.length)
  writer.u32(regular.length)
  for (const { start, stride, count, block } of regular) {
    writer.unsigned(start, 8)
    writer.unsigned(stride, 8)
    for (const number of [count, block]) {
      if (number === undefined) writer.put(new Uint8Array(8).fill(0xff))
      else writer.unsigned(number, 8)
    }
  }
}

/** Version 1 has reserved bytes before the length of the rest. */
function writeLength(writer: FieldWriter, length: number): void {
  writer.zeros(4)
  writer.u32(length)
}

function widthOf(points: readonly (readonly number[])[]): 4 | 8 {
  return points.some(point => point.some(coordinate => coordinate >= 2 ** 32)) ? 8 : 4
}
