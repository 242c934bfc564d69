// Frames of Blosc 1 around chunks as HDF5 stores them. A frame contains the filters of its chunk, and every reader of
// Zarr knows them, so most chunks can be sent without being decoded: a frame is a header before the same compressed
// streams. Format: blosc.ts.
//
// A checksum (fletcher32) behind all other filters is left out. A chunk whose filters a frame cannot express is decoded
// and framed uncompressed.

import { joinBytes, plainBytes, uint32sLE } from '@hyperslab/model/values'
import { ZSTD as BITSHUFFLE_ZSTD, type Form, parseForm, unshuffleBits } from './bitshuffle.ts'
import {
  BITS_SHUFFLED,
  BYTES_SHUFFLED,
  contentOf,
  FORMAT_VERSION,
  HEADER_LENGTH,
  LZ4,
  MAX_ELEMENT_SIZE,
  NOT_SPLIT,
  SNAPPY_NUMBER,
  STORED,
  ZLIB,
  ZSTD,
} from './blosc.ts'
import { compressors, decompressLz4 } from './compression/installed.ts'
import type { ClientData } from './filter.ts'
import type { EncodedChunk, Pipeline } from './pipeline.ts'
import { decompressZstd } from './zstd.ts'

const DEFLATE_ID = 1
const SHUFFLE_ID = 2
const FLETCHER32_ID = 3
const BLOSC_ID = 32001
/** The second is "lz4hc" of HSDS, which has the same format (lz4.ts). */
const LZ4_IDS: readonly number[] = [32004, 32005]
const BITSHUFFLE_ID = 32008
const ZSTD_ID = 32015

const CHECKSUM_LENGTH = 4
/** The header of LZ4 and of bitshuffle: the length of the chunk, and of a block. */
const BLOCKS_HEADER_LENGTH = 12
/** The index of the format of the shuffled blocks in the client data of bitshuffle. */
const BITSHUFFLE_COMPRESSOR = 4
const BLOSC_COMPRESSOR = 6
const LENGTH_LENGTH = 4

/**
 * The longest chunk that fits into a frame: its lengths are signed 32-bit integers in libraries.
 * @limit format, bytes
 */
export const MAX_FRAMED = 2 ** 31 - 1 - HEADER_LENGTH
/** The longest block that c-blosc decodes: it needs room for three, in signed 32-bit lengths. @limit format, bytes */
const MAX_BLOCK_LENGTH = Math.floor((2 ** 31 - 1 - 4 * MAX_ELEMENT_SIZE) / 3)

/** The way in which a chunk becomes a frame. */
export type FramePlan =
  /** `head`, then the stored bytes up to `length`, unchanged. */
  | { readonly kind: 'as-stored'; readonly head: Uint8Array; readonly length: number }
  /** `frameBlocks` makes it of the stored bytes. */
  | { readonly kind: 'blocks' }
  /** `plainHead`, then the decoded chunk. */
  | { readonly kind: 'decoded' }

/** The bytes that a chunk has when it is stored, and when it is decoded. */
export interface FramedLengths {
  readonly stored: number
  readonly chunk: number
}

/** The filters that were applied to the chunk, without a checksum at their end. */
interface AppliedFilters {
  readonly ids: readonly number[]
  readonly clientData: readonly ClientData[]
  /** The stored bytes without the checksum. */
  readonly length: number
}

/** Plans the frame of a chunk. Throws an Error if the length of the chunk is wrong. */
export function planFrame(pipeline: Pipeline, mask: number, { stored, chunk }: FramedLengths): FramePlan {
  const { ids, clientData, length } = appliedFilters(pipeline, mask, stored)
  if (length < 0) throw new Error(`${stored} bytes are too few for a checksum`)
  if (ids.length === 0) {
    if (length !== chunk) throw new Error(`it has ${length} bytes instead of ${chunk}`)
    return { kind: 'as-stored', head: plainHead(chunk), length }
  }
  const isShuffled = ids[0] === SHUFFLE_ID
  const [size = 1] = isShuffled ? clientData[0] : []
  const [compressor, ...more] = isShuffled ? ids.slice(1) : ids
  if (more.length > 0 || size < 1 || size > MAX_ELEMENT_SIZE) return { kind: 'decoded' }
  if (LZ4_IDS.includes(compressor)) return { kind: 'blocks' }
  if (compressor === BLOSC_ID || compressor === BITSHUFFLE_ID) {
    return isShuffled || !isFramable(compressor, clientData[0]) ? { kind: 'decoded' } : { kind: 'blocks' }
  }
  const format = ONE_STREAM.get(compressor)
  // Shuffle alone: a stream as long as its block is its bytes as they are.
  const isFitting = compressor === undefined ? length === chunk : length < chunk
  if (format === undefined || !isFitting || chunk > MAX_BLOCK_LENGTH) return { kind: 'decoded' }
  const flags = NOT_SPLIT | (format << 5) | (isShuffled ? BYTES_SHUFFLED : 0)
  return { kind: 'as-stored', head: streamHead(flags, size, chunk, length), length }
}

/** Filters whose chunk is one stream, with the numbers that headers have for them. */
const ONE_STREAM: ReadonlyMap<number | undefined, number> = new Map([
  [DEFLATE_ID, ZLIB.format],
  [ZSTD_ID, ZSTD.format],
  [undefined, LZ4.format],
])

function isFramable(id: number, clientData: ClientData): boolean {
  // Builds of c-blosc lack Snappy, that of numcodecs too.
  if (id === BLOSC_ID) return clientData[BLOSC_COMPRESSOR] !== SNAPPY_NUMBER
  const [, , size] = clientData
  return (clientData[BITSHUFFLE_COMPRESSOR] ?? 0) !== 0 && size <= MAX_ELEMENT_SIZE
}

function appliedFilters(pipeline: Pipeline, mask: number, stored: number): AppliedFilters {
  const steps = pipeline.filter((_, i) => ((mask >>> i) & 1) === 0)
  const hasChecksum = steps.at(-1)?.id === FLETCHER32_ID
  const applied = hasChecksum ? steps.slice(0, -1) : steps
  return {
    ids: applied.map(({ id }) => id),
    clientData: applied.map(({ clientData = [] }) => clientData),
    length: hasChecksum ? stored - CHECKSUM_LENGTH : stored,
  }
}

/** The bytes before those of a chunk that no filter has changed. */
export function plainHead(length: number): Uint8Array {
  return headerOf({
    flags: STORED | NOT_SPLIT,
    size: 1,
    chunk: length,
    block: length,
    frame: HEADER_LENGTH + length,
  })
}

/** The bytes before a stream of `stream` bytes that holds the whole chunk. */
function streamHead(flags: number, size: number, chunk: number, stream: number): Uint8Array {
  const length = HEADER_LENGTH + 2 * LENGTH_LENGTH
  const header = headerOf({ flags, size, chunk, block: chunk, frame: length + stream })
  return joinBytes([header, uint32sLE(HEADER_LENGTH + LENGTH_LENGTH, stream)])
}

/** Bytes of the blocks of a frame whose elements are all the same. */
const REPEATED_BLOCK = 65_536

/** The frame of a chunk of `length` bytes that repeats one element: it is short, however long the chunk is. */
export async function repeatedFrame(element: Uint8Array, length: number): Promise<Uint8Array> {
  const blockLength = Math.min(
    length,
    Math.max(1, Math.floor(REPEATED_BLOCK / element.length)) * element.length,
  )
  const block = new Uint8Array(blockLength)
  for (let offset = 0; offset < blockLength; offset += element.length) block.set(element, offset)
  const stream = await compressedBlock(block)
  const streams: Uint8Array[] = new Array(Math.floor(length / blockLength)).fill(stream)
  const rest = length % blockLength
  if (rest > 0) streams.push(await compressedBlock(block.subarray(0, rest)))
  return joinBlocks({ flags: NOT_SPLIT | (ZLIB.format << 5), size: 1, blockLength, streams }, length)
}

async function compressedBlock(block: Uint8Array): Promise<Uint8Array> {
  const stream = await compressors().deflate(block, 1)
  return stream.length < block.length ? stream : block
}

interface Header {
  readonly flags: number
  readonly size: number
  readonly chunk: number
  readonly block: number
  readonly frame: number
}

function headerOf({ flags, size, chunk, block, frame }: Header): Uint8Array {
  return joinBytes([Uint8Array.of(FORMAT_VERSION, 1, flags, size), uint32sLE(chunk, block, frame)])
}

/**
 * The frame of a chunk of `length` bytes whose plan is `blocks`. Throws an Error where lengths in the stored bytes do
 * not fit them.
 */
export async function frameBlocks(
  pipeline: Pipeline,
  { bytes: stored, mask }: EncodedChunk,
  length: number,
): Promise<Uint8Array> {
  const applied = appliedFilters(pipeline, mask, stored.length)
  const bytes = plainBytes(stored).subarray(0, applied.length)
  const last = applied.ids.length - 1
  if (applied.ids[last] === BLOSC_ID) return wholeFrame(bytes, length)
  if (applied.ids[last] === BITSHUFFLE_ID) return frameShuffledBits(bytes, applied.clientData[last], length)
  return frameLz4(bytes, last > 0 ? applied.clientData[0][0] : undefined, length)
}

/** A stored frame, without the bytes that may follow it. */
function wholeFrame(bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length < HEADER_LENGTH) throw new Error(`${bytes.length} bytes are too few for the header`)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [claimed, frame] = [view.getUint32(4, true), view.getUint32(12, true)]
  if (claimed !== length) throw new Error(`its header claims ${claimed} bytes instead of ${length}`)
  return contentOf(bytes, 0, frame)
}

/** The stored blocks of a chunk, each a stream of its own. */
interface Blocks {
  readonly flags: number
  readonly size: number
  readonly blockLength: number
  readonly streams: readonly Uint8Array[]
}

/** Lengths in the header of LZ4 and bitshuffle, and a reader of the blocks after it. */
function openBlocks(bytes: Uint8Array, length: number) {
  if (bytes.length < BLOCKS_HEADER_LENGTH) throw new Error(`${bytes.length} bytes are too few for the header`)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const claimed = view.getBigUint64(0)
  if (claimed !== BigInt(length)) throw new Error(`its header claims ${claimed} bytes instead of ${length}`)
  const blockLength = view.getUint32(8)
  if (blockLength === 0) throw new Error('its header claims blocks of 0 bytes')
  let position = BLOCKS_HEADER_LENGTH
  return {
    blockLength,
    /** The next stream. */
    stream(): Uint8Array {
      contentOf(bytes, position, LENGTH_LENGTH)
      const stream = contentOf(bytes, position + LENGTH_LENGTH, view.getUint32(position))
      position += LENGTH_LENGTH + stream.length
      return stream
    },
    /** The next bytes that are in no stream. */
    plain(count: number): Uint8Array {
      const content = contentOf(bytes, position, count)
      position += count
      return content
    },
  }
}

/** `shuffledSize`: that of the elements, if shuffle went before. */
async function frameLz4(
  bytes: Uint8Array,
  shuffledSize: number | undefined,
  length: number,
): Promise<Uint8Array> {
  const blocks = openBlocks(bytes, length)
  const streams: Uint8Array[] = []
  for (let start = 0; start < length; start += blocks.blockLength) {
    const inBlock = Math.min(blocks.blockLength, length - start)
    const stream = blocks.stream()
    streams.push(stream.length > inBlock ? await decompressLz4(stream, inBlock) : stream)
  }
  const flags = NOT_SPLIT | (LZ4.format << 5)
  const blockLength = Math.min(blocks.blockLength, length)
  if (shuffledSize === undefined) return joinBlocks({ flags, size: 1, blockLength, streams }, length)
  const shuffled = { flags: flags | BYTES_SHUFFLED, size: shuffledSize, blockLength, streams }
  if (streams.length === 1) return joinBlocks(shuffled, length)
  // Blosc shuffles each block, HDF5 the whole chunk: all blocks are decoded to one.
  const decoded = new Uint8Array(length)
  for (const [i, stream] of streams.entries()) {
    const inBlock = Math.min(blockLength, length - i * blockLength)
    decoded.set(stream.length === inBlock ? stream : await decompressLz4(stream, inBlock), i * blockLength)
  }
  return joinBlocks({ ...shuffled, blockLength: length, streams: [decoded] }, length)
}

async function frameShuffledBits(
  bytes: Uint8Array,
  clientData: ClientData,
  length: number,
): Promise<Uint8Array> {
  const form = parseForm(clientData)
  const blocks = openBlocks(bytes, length)
  const unit = 8 * form.size
  if (blocks.blockLength % unit !== 0)
    throw new Error(
      `a bitshuffle block must be 8 elements of ${form.size} bytes or a multiple of that, not ${blocks.blockLength} bytes`,
    )
  const shuffled = length - (length % unit)
  const rest = length - shuffled
  const streams: Uint8Array[] = []
  for (let start = 0; start < shuffled; start += blocks.blockLength) {
    const inBlock = Math.min(blocks.blockLength, shuffled - start)
    const stream = blocks.stream()
    // Blosc has up to seven last elements in the last block, and does not shuffle that one then.
    if (rest > 0 && inBlock < blocks.blockLength) {
      const last = new Uint8Array(inBlock + rest)
      last.set(unshuffleBits(await decompressed(stream, form, inBlock), form.size))
      last.set(blocks.plain(rest), inBlock)
      streams.push(last)
    } else {
      streams.push(stream.length >= inBlock ? await decompressed(stream, form, inBlock) : stream)
    }
  }
  if (rest > 0 && shuffled % blocks.blockLength === 0) streams.push(blocks.plain(rest))
  const format = form.compressor === BITSHUFFLE_ZSTD ? ZSTD.format : LZ4.format
  const flags = NOT_SPLIT | BITS_SHUFFLED | (format << 5)
  return joinBlocks(
    { flags, size: form.size, blockLength: Math.min(blocks.blockLength, length), streams },
    length,
  )
}

async function decompressed(stream: Uint8Array, { compressor }: Form, length: number): Promise<Uint8Array> {
  const bytes = await (compressor === BITSHUFFLE_ZSTD
    ? decompressZstd(stream, length)
    : decompressLz4(stream, length))
  if (bytes.length !== length) throw new Error(`a block has ${bytes.length} bytes instead of ${length}`)
  return bytes
}

function joinBlocks({ flags, size, blockLength, streams }: Blocks, chunk: number): Uint8Array {
  let position = HEADER_LENGTH + LENGTH_LENGTH * streams.length
  const length = streams.reduce((sum, stream) => sum + LENGTH_LENGTH + stream.length, position)
  const frame = new Uint8Array(length)
  frame.set(headerOf({ flags, size, chunk, block: blockLength, frame: length }))
  for (const [i, stream] of streams.entries()) {
    frame.set(uint32sLE(position), HEADER_LENGTH + LENGTH_LENGTH * i)
    frame.set(uint32sLE(stream.length), position)
    frame.set(stream, position + LENGTH_LENGTH)
    position += LENGTH_LENGTH + stream.length
  }
  return frame
}
