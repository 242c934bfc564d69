// Blosc 2 (32026), reading only: the chunk as a frame of chunks of Blosc 2, mostly of one. A chunk of a dataset with
// this filter is stored without it.
//
// Frame: a header, the chunks, the index, a trailer. Header and trailer are MessagePack, whose numbers are big-endian.
// The index is a chunk too, with the offsets of the others: 64 bits each, little-endian, from the end of the header;
// or, with the highest bit set, the only value of a chunk (https://github.com/Blosc/c-blosc2,
// README_CFRAME_FORMAT.rst).
//
// A frame with the metalayer "b2nd" is an array: cut into chunks, and these into blocks, all of one shape. Elements
// beyond the array or the chunk are padding. Elements are row-major in blocks, blocks in chunks, and chunks in the
// frame (README_B2ND_METALAYER.rst).

import { latin1Of } from '@hyperslab/model/values'
import { type Chunk, openChunk, specialChunk } from './blosc2-chunk.ts'
import type { FilterCodec } from './filter.ts'

export const blosc2: FilterCodec = {
  id: 32026,
  takesAnyBytes: true,
  mayLeak: true,
  clientData: () => undefined,
  encode: () => undefined,
  async decode(bytes, _clientData, maxLength) {
    const frame = parseFrame(bytes)
    return frame.array ? readArray(frame, frame.array, maxLength) : readChunks(frame, maxLength)
  },
}

const MAGIC = 'b2frame\0'
/** The offsets of the numbers of a header, after the byte with their type. */
const HEADER_LENGTH_AT = 0x0b
const FRAME_LENGTH_AT = 0x10
const FLAGS_AT = 0x19
const LENGTH_AT = 0x1e
const STORED_LENGTH_AT = 0x27
const ELEMENT_SIZE_AT = 0x30
const CHUNK_LENGTH_AT = 0x3a
const METALAYERS_AT = 0x5e
const VERSION = 2
const OFFSET_LENGTH = 8

interface Frame {
  readonly bytes: Uint8Array
  /** Bytes of all chunks, decoded. */
  readonly length: number
  /** Bytes of an element. */
  readonly size: number
  readonly chunkLength: number
  readonly chunksAt: number
  readonly indexAt: number
  /** Absent: the chunks are the bytes one after another. */
  readonly array?: ArrayForm
}

interface ArrayForm {
  readonly shape: readonly number[]
  readonly chunkShape: readonly number[]
  readonly blockShape: readonly number[]
}

function parseFrame(stored: Uint8Array): Frame {
  if (stored.length < METALAYERS_AT || latin1Of(stored.subarray(2, 10)) !== MAGIC)
    throw new Error('it is not a frame of Blosc 2')
  const view = new DataView(stored.buffer, stored.byteOffset, stored.byteLength)
  const frameLength = Number(view.getBigUint64(FRAME_LENGTH_AT))
  const headerLength = view.getUint32(HEADER_LENGTH_AT)
  if (frameLength > stored.length || headerLength > frameLength || headerLength < METALAYERS_AT)
    throw new Error(
      `the frame claims ${frameLength} bytes, ${headerLength} of them header, and has ${stored.length}`,
    )
  const [flags, type] = stored.subarray(FLAGS_AT)
  if ((flags & 15) !== VERSION) throw new Error(`version ${flags & 15} of frames is not supported`)
  // Offsets of 64 bits, chunks and blocks of one length, and a frame in one piece.
  if (flags >> 4 !== 1 || (type & 15) !== 0)
    throw new Error(`a frame with the flags ${flags} and the type ${type} is not supported`)
  const array = parseArray(stored.subarray(0, headerLength))
  return {
    bytes: stored.subarray(0, frameLength),
    length: Number(view.getBigUint64(LENGTH_AT)),
    size: view.getUint32(ELEMENT_SIZE_AT),
    chunkLength: view.getUint32(CHUNK_LENGTH_AT),
    chunksAt: headerLength,
    indexAt: headerLength + Number(view.getBigUint64(STORED_LENGTH_AT)),
    ...(array && { array }),
  }
}

/** The form of the array; undefined: the frame is not an array. */
function parseArray(header: Uint8Array): ArrayForm | undefined {
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength)
  let offset = METALAYERS_AT
  for (let left = view.getUint16(offset - 2); left > 0; left--) {
    const nameEnd = offset + 1 + (header[offset] & 31)
    if (nameEnd + 5 > header.length) throw new Error('the metalayers are longer than the header')
    const name = latin1Of(header.subarray(offset + 1, nameEnd))
    if (name === 'b2nd') return parseShapes(header, view.getUint32(nameEnd + 1))
    offset = nameEnd + 5
  }
  return undefined
}

/** Parses the content of the metalayer, which begins at `start`. */
function parseShapes(header: Uint8Array, start: number): ArrayForm {
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength)
  // Five bytes of the type and length of the content, one of the length of the list. Then three lists of integers of
  // 64, 32 and 32 bits, with a byte of type before each. Bytes beyond the header make the rank NaN.
  const [version, rank] = header.subarray(start + 6, start + 8)
  if (!(start + 8 + 3 + rank * (9 + 5 + 5) <= header.length))
    throw new Error('the metalayer b2nd is longer than the header')
  if (version !== 0) throw new Error(`version ${version} of the metalayer b2nd is not supported`)
  let offset = start + 8
  const readShape = (read: (offset: number) => number, length: number) => {
    if (rank === 0 || view.getUint8(offset) !== 0x90 + rank)
      throw new Error(`an array of Blosc 2 of rank ${rank}`)
    offset++
    return Array.from({ length: rank }, () => {
      const extent = read(offset + 1)
      offset += 1 + length
      return extent
    })
  }
  const shape = readShape(offset => Number(view.getBigUint64(offset)), 8)
  const chunkShape = readShape(offset => view.getUint32(offset), 4)
  const blockShape = readShape(offset => view.getUint32(offset), 4)
  const isSound = shape.every(
    (extent, i) => 1 <= blockShape[i] && blockShape[i] <= chunkShape[i] && chunkShape[i] <= extent,
  )
  if (!isSound)
    throw new Error(
      `an array of ${shape} in chunks of ${chunkShape} and blocks of ${blockShape} is not supported`,
    )
  return { shape, chunkShape, blockShape }
}

async function readChunks(frame: Frame, maxLength: number): Promise<Uint8Array> {
  const { length, chunkLength } = frame
  if (length > maxLength) throw new Error(`the frame claims ${length} bytes`)
  if (length > 0 && chunkLength === 0) throw new Error('the frame claims chunks of 0 bytes')
  const count = length === 0 ? 0 : Math.ceil(length / chunkLength)
  const offsets = await readIndex(frame, count, maxLength)
  const result = new Uint8Array(length)
  for (let i = 0; i < count; i++) {
    const start = i * chunkLength
    const chunk = openChunkAt(
      frame,
      offsets.getBigUint64(OFFSET_LENGTH * i, true),
      Math.min(chunkLength, length - start),
      maxLength,
    )
    for (let offset = 0, block = 0; offset < chunk.length; offset += chunk.blockLength, block++)
      result.set(await chunk.block(block), start + offset)
  }
  return result
}

/** Reads the offsets of the chunks. */
async function readIndex({ bytes, indexAt }: Frame, count: number, maxLength: number): Promise<DataView> {
  const length = OFFSET_LENGTH * count
  if (count > 1 && length > maxLength) throw new Error(`the frame claims ${count} chunks`)
  const result = new Uint8Array(length)
  if (count > 0) {
    const index = openChunk(bytes.subarray(indexAt), length)
    if (index.length !== length) throw new Error(`an index of ${index.length} bytes for ${count} chunks`)
    for (let offset = 0, block = 0; offset < length; offset += index.blockLength, block++)
      result.set(await index.block(block), offset)
  }
  return new DataView(result.buffer)
}

/** The chunk of `length` bytes. No block of it is longer than `maxBlockLength`. */
function openChunkAt(
  { bytes, size, chunksAt }: Frame,
  offset: bigint,
  length: number,
  maxBlockLength: number,
): Chunk {
  const special = Number(offset >> 56n)
  const chunk =
    special >> 7
      ? specialChunk(special & 0x7f, new Uint8Array(0), {
          size,
          length,
          blockLength: Math.min(maxBlockLength, length),
        })
      : openChunk(bytes.subarray(chunksAt + Number(offset)), maxBlockLength)
  if (chunk.length !== length) throw new Error(`a chunk has ${chunk.length} bytes instead of ${length}`)
  return chunk
}

async function readArray(frame: Frame, form: ArrayForm, maxLength: number): Promise<Uint8Array> {
  const { size } = frame
  const { shape, chunkShape, blockShape } = form
  const length = volume(shape) * size
  if (size === 0 || length > maxLength)
    throw new Error(`the frame claims an array of ${shape} elements of ${size} bytes`)
  const chunkGrid = gridOf(shape, chunkShape)
  const blockGrid = gridOf(chunkShape, blockShape)
  const blockLength = volume(blockShape) * size
  const chunkLength = volume(blockGrid) * blockLength
  const offsets = await readIndex(frame, volume(chunkGrid), maxLength)
  const result = new Uint8Array(length)
  for (let i = 0; i < volume(chunkGrid); i++) {
    const offset = offsets.getBigUint64(OFFSET_LENGTH * i, true)
    const chunk = openChunkAt(frame, offset, chunkLength, blockLength)
    if (chunk.blockLength !== blockLength)
      throw new Error(`a block of ${blockShape} elements of ${size} bytes has ${chunk.blockLength}`)
    const chunkStart = startOf(i, chunkGrid, chunkShape)
    for (let j = 0; j < volume(blockGrid); j++) {
      const blockStart = startOf(j, blockGrid, blockShape)
      const start = chunkStart.map((at, axis) => at + blockStart[axis])
      const extents = blockShape.map((extent, axis) =>
        Math.min(extent, chunkShape[axis] - blockStart[axis], shape[axis] - start[axis]),
      )
      if (extents.every(extent => extent > 0))
        copyBlock(await chunk.block(j), blockShape, { result, shape, start, extents, size })
    }
  }
  return result
}

function volume(shape: readonly number[]): number {
  return shape.reduce((product, extent) => product * extent, 1)
}

/** The number of parts of one shape that cover another, by axis. */
function gridOf(shape: readonly number[], partShape: readonly number[]): number[] {
  return shape.map((extent, axis) => Math.ceil(extent / partShape[axis]))
}

/** The position of the first element of a part. */
function startOf(index: number, grid: readonly number[], partShape: readonly number[]): number[] {
  const start: number[] = []
  let rest = index
  for (let axis = grid.length - 1; axis >= 0; axis--) {
    start[axis] = (rest % grid[axis]) * partShape[axis]
    rest = Math.floor(rest / grid[axis])
  }
  return start
}

interface ChunkSpan {
  readonly result: Uint8Array
  readonly shape: readonly number[]
  readonly start: readonly number[]
  /** The part of the block that belongs to the array. */
  readonly extents: readonly number[]
  readonly size: number
}

function copyBlock(
  block: Uint8Array,
  blockShape: readonly number[],
  { result, shape, start, extents, size }: ChunkSpan,
): void {
  const last = shape.length - 1
  const copyRows = (axis: number, from: number, to: number): void => {
    const [first, next] = [from * blockShape[axis], to * shape[axis] + start[axis]]
    if (axis === last) {
      result.set(block.subarray(first * size, (first + extents[axis]) * size), next * size)
      return
    }
    for (let i = 0; i < extents[axis]; i++) copyRows(axis + 1, first + i, next + i)
  }
  copyRows(0, 0, 0)
}
