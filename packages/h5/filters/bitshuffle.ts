// Bitshuffle (32008): the first bits of all elements of a block, then their second bits, and so on; alone, or with each
// block compressed by LZ4 or Zstandard. Eight elements are the least that is shuffled: blocks have a multiple of eight,
// the last one too, and up to seven elements follow as they are.
//
// Compressed: the length of the chunk (64 bits) and of a block (32 bits), then the blocks, each after its length (32
// bits); all numbers big-endian. Client data: two numbers of the version, the size of an element, elements of a block
// (0: 8 KiB), the compressor, its level (https://github.com/kiyo-masui/bitshuffle, packages/bshuf_h5filter.c).

import type { JsonObject } from '@hyperslab/model/json'
import { joinBytes, uint32sBE } from '@hyperslab/model/values'
import { parametersOf } from './client-data.ts'
import { compressors, decompressLz4 } from './compression/installed.ts'
import type { ChunkForm, ClientData, FilterCodec } from './filter.ts'
import { asWords, shuffleBytes, unshuffleBytes } from './shuffle.ts'
import { compressZstd, decompressZstd } from './zstd.ts'

/** The first with Zstandard. */
const VERSION = [0, 4]
const LZ4 = 2
export const ZSTD = 3
const DEFAULT_LEVEL = 3
const HEADER_LENGTH = 12
const LENGTH_LENGTH = 4

export const bitshuffle: FilterCodec = {
  id: 32008,
  takesAnyBytes: false,
  mayLeak: true,
  clientData: clientDataOf,
  encode(bytes, clientData) {
    const form = parseForm(clientData)
    if (bytes.length % form.size !== 0) return undefined
    return form.compressor === 0 ? shuffleChunk(bytes, form) : compressChunk(bytes, form)
  },
  decode(bytes, clientData, maxLength) {
    const form = parseForm(clientData)
    return form.compressor === 0 ? unshuffleChunk(bytes, form) : decompressChunk(bytes, form, maxLength)
  },
}

/**
 * `parameters` are the options of a request (elements of a block, compressor, level), or all client data of a file.
 * Without them nothing is compressed, as in libhdf5.
 */
function clientDataOf(options: JsonObject, { elementSize }: ChunkForm): ClientData {
  const parameters = parametersOf(options)
  const isWhole = parameters.length > 3 || (parameters.length === 3 && parameters[2] === elementSize)
  const filterOptions = isWhole ? parameters.slice(3) : parameters
  const [blockCount = 0, compressor = 0] = filterOptions
  const isSound =
    blockCount % 8 === 0 && blockCount * elementSize < 2 ** 32 && [0, LZ4, ZSTD].includes(compressor)
  return [...(isWhole ? parameters.slice(0, 2) : VERSION), elementSize, ...(isSound ? filterOptions : [])]
}

export interface Form {
  /** Bytes of an element. */
  readonly size: number
  /** Bytes of each block but the last. */
  readonly blockLength: number
  readonly compressor: number
  readonly level: number
}

export function parseForm(clientData: ClientData): Form {
  const [, , size = 0, blockCount = 0, compressor = 0, level = 0] = clientData
  if (size < 1) throw new Error('bitshuffle needs an element size of at least 1')
  if (![0, LZ4, ZSTD].includes(compressor))
    throw new Error(`bitshuffle with compressor ${compressor} is not supported`)
  const blockLength = (blockCount || defaultBlockCount(size)) * size
  checkBlock(blockLength, size)
  return { size, blockLength, compressor, level: level || DEFAULT_LEVEL }
}

function checkBlock(length: number, size: number): void {
  if (length === 0 || length % (8 * size) !== 0) {
    throw new Error(
      `a bitshuffle block must be 8 elements of ${size} bytes or a multiple of that, not ${length} bytes`,
    )
  }
}

/** About 8 KiB, and 128 elements or more. */
function defaultBlockCount(size: number): number {
  return Math.max(Math.floor(8192 / size / 8) * 8, 128)
}

/** The end of the shuffled elements. */
function shuffledLength(length: number, size: number): number {
  return length - (length % (8 * size))
}

function shuffleChunk(bytes: Uint8Array, { size, blockLength }: Form): Uint8Array {
  const result = bytes.slice()
  const length = shuffledLength(bytes.length, size)
  for (let start = 0; start < length; start += blockLength) {
    const end = Math.min(start + blockLength, length)
    shuffleBits(bytes.subarray(start, end), size, result.subarray(start, end))
  }
  return result
}

function unshuffleChunk(bytes: Uint8Array, { size, blockLength }: Form): Uint8Array {
  requireElements(bytes.length, size)
  const result = bytes.slice()
  const length = shuffledLength(bytes.length, size)
  for (let start = 0; start < length; start += blockLength) {
    const end = Math.min(start + blockLength, length)
    result.set(unshuffleBits(bytes.subarray(start, end), size), start)
  }
  return result
}

async function compressChunk(bytes: Uint8Array, form: Form): Promise<Uint8Array | undefined> {
  const { size, blockLength, compressor, level } = form
  const header = uint32sBE(Math.floor(bytes.length / 2 ** 32), bytes.length, blockLength)
  const pieces: Uint8Array[] = [header]
  const length = shuffledLength(bytes.length, size)
  for (let start = 0; start < length; start += blockLength) {
    const block = bytes.subarray(start, Math.min(start + blockLength, length))
    const shuffled = shuffleBits(block, size, new Uint8Array(block.length))
    const compressed = await (compressor === LZ4
      ? compressors().compressLz4(shuffled)
      : compressZstd(shuffled, level))
    pieces.push(uint32sBE(compressed.length), compressed)
  }
  pieces.push(bytes.subarray(length))
  const result = joinBytes(pieces)
  return result.length < bytes.length ? result : undefined
}

async function decompressChunk(bytes: Uint8Array, form: Form, maxLength: number): Promise<Uint8Array> {
  const { size, compressor } = form
  if (bytes.length < HEADER_LENGTH) throw new Error(`${bytes.length} bytes are too few for the header`)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const chunkLength = Number(view.getBigUint64(0))
  const blockLength = view.getUint32(8)
  if (chunkLength > maxLength) throw new Error(`the header claims ${chunkLength} bytes`)
  requireElements(chunkLength, size)
  checkBlock(blockLength, size)
  const result = new Uint8Array(chunkLength)
  const length = shuffledLength(chunkLength, size)
  let position = HEADER_LENGTH
  for (let start = 0; start < length; start += blockLength) {
    const inBlock = Math.min(blockLength, length - start)
    if (position + LENGTH_LENGTH > bytes.length) throw new Error(`there is no block at byte ${position}`)
    const end = position + LENGTH_LENGTH + view.getUint32(position)
    if (end > bytes.length) throw new Error(`the block at byte ${position} is cut off`)
    const block = bytes.subarray(position + LENGTH_LENGTH, end)
    const shuffled = await (compressor === LZ4
      ? decompressLz4(block, inBlock)
      : decompressZstd(block, inBlock))
    if (shuffled.length !== inBlock)
      throw new Error(`the block at byte ${position} has ${shuffled.length} bytes`)
    result.set(unshuffleBits(shuffled, size), start)
    position = end
  }
  if (position + chunkLength - length > bytes.length) throw new Error('the last elements are cut off')
  result.set(bytes.subarray(position, position + chunkLength - length), length)
  return result
}

/**
 * Shuffles a multiple of eight elements of `size` bytes. A plane, the bytes of one position, becomes eight rows of
 * bits.
 */
export function shuffleBits(bytes: Uint8Array, size: number, result: Uint8Array): Uint8Array {
  const planes = shuffleBytes(bytes, size)
  const words = asWords(planes, planes.length)
  const count = bytes.length / size
  const row = count / 8
  for (let plane = 0; plane < planes.length; plane += count) {
    for (let i = 0; i < row; i++) {
      const low = words[plane / 4 + 2 * i]
      const high = words[plane / 4 + 2 * i + 1]
      const to = plane + i
      const lowRows = lowerRows(low, high)
      result[to] = lowRows
      result[to + row] = lowRows >>> 8
      result[to + 2 * row] = lowRows >>> 16
      result[to + 3 * row] = lowRows >>> 24
      const highRows = upperRows(low, high)
      result[to + 4 * row] = highRows
      result[to + 5 * row] = highRows >>> 8
      result[to + 6 * row] = highRows >>> 16
      result[to + 7 * row] = highRows >>> 24
    }
  }
  return result
}

export function unshuffleBits(bytes: Uint8Array, size: number): Uint8Array {
  const planes = new Uint8Array(bytes.length)
  const words = asWords(planes, planes.length)
  const count = bytes.length / size
  const row = count / 8
  for (let plane = 0; plane < planes.length; plane += count) {
    for (let i = 0; i < row; i++) {
      const from = plane + i
      const low =
        bytes[from] | (bytes[from + row] << 8) | (bytes[from + 2 * row] << 16) | (bytes[from + 3 * row] << 24)
      const high =
        bytes[from + 4 * row] |
        (bytes[from + 5 * row] << 8) |
        (bytes[from + 6 * row] << 16) |
        (bytes[from + 7 * row] << 24)
      words[plane / 4 + 2 * i] = lowerRows(low, high)
      words[plane / 4 + 2 * i + 1] = upperRows(low, high)
    }
  }
  return unshuffleBytes(planes, size)
}

/** Rows 0 to 3 of the transposed square of 8x8 bits; `low` has its rows 0 to 3, `high` the others, the first lowest. */
function lowerRows(low: number, high: number): number {
  return (transposeHalf(low) & 0x0f0f0f0f) | ((transposeHalf(high) & 0x0f0f0f0f) << 4)
}

/** Rows 4 to 7. */
function upperRows(low: number, high: number): number {
  return ((transposeHalf(low) >>> 4) & 0x0f0f0f0f) | (transposeHalf(high) & 0xf0f0f0f0)
}

/** Transposes both squares of 4x4 bits that are side by side: first squares of 2x2 bits in them, then these. */
function transposeHalf(rows: number): number {
  let changed = (rows ^ (rows >>> 7)) & 0x00aa00aa
  const pairs = rows ^ changed ^ (changed << 7)
  changed = (pairs ^ (pairs >>> 14)) & 0x0000cccc
  return pairs ^ changed ^ (changed << 14)
}

function requireElements(length: number, size: number): void {
  if (length % size !== 0) throw new Error(`${length} bytes is not a multiple of the element size ${size}`)
}
