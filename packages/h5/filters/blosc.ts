// Blosc (32001): the chunk in blocks, each shuffled and then compressed by one of several compressors.
//
// Header: version, version of the compressor, flags, size of an element (a byte each), length of the chunk, of a block
// and of the whole (32 bits). Then the offset of each block, and the blocks, each one or several streams after their
// lengths; a stream as long as its content is not compressed. All numbers are little-endian
// (https://github.com/Blosc/c-blosc, README_CHUNK_FORMAT.rst).
//
// Client data: versions of the filter and of the format, size of an element, length of a chunk, level, shuffle (0 none,
// 1 bytes, 2 bits), compressor (https://github.com/Blosc/hdf5-blosc).

import { elementSize } from '@hyperslab/model/datatype'
import type { JsonObject } from '@hyperslab/model/json'
import { joinBytes, uint32sLE } from '@hyperslab/model/values'
import { shuffleBits, unshuffleBits } from './bitshuffle.ts'
import { compressBlosclz, decompressBlosclz } from './blosclz.ts'
import { parametersOf, wholeOption } from './client-data.ts'
import { compressors, decompressLz4 } from './compression/installed.ts'
import type { ChunkForm, ClientData, FilterCodec } from './filter.ts'
import { shuffleBytes, unshuffleBytes } from './shuffle.ts'
import { decompressSnappy } from './snappy.ts'
import { compressZstd, decompressZstd } from './zstd.ts'

const FILTER_VERSION = 2
export const FORMAT_VERSION = 2
const DEFAULT_LEVEL = 5
/** Bytes of an element for the shuffle of Blosc. @limit format, bytes */
export const MAX_ELEMENT_SIZE = 255

export const HEADER_LENGTH = 16
/** Flags; the upper three bits are the compressor. */
export const BYTES_SHUFFLED = 1
export const STORED = 2
export const BITS_SHUFFLED = 4
export const NOT_SPLIT = 16

const BLOCK_LENGTH = 2 ** 18
/** Streams of a block that is split, one for each byte of an element. @limit format, streams */
const MAX_STREAMS = 16
const MIN_STREAM_LENGTH = 128

export interface Compressor {
  /** The number of the format in the header. */
  readonly format: number
  readonly compress: (bytes: Uint8Array, level: number) => Stream | undefined | Promise<Stream>
  readonly decompress: (stream: Stream, length: number) => Uint8Array | Promise<Uint8Array>
}
type Stream = Uint8Array

export const BLOSCLZ: Compressor = { format: 0, compress: compressBlosclz, decompress: decompressBlosclz }
export const LZ4: Compressor = {
  format: 1,
  compress: bytes => compressors().compressLz4(bytes),
  decompress: decompressLz4,
}
const SNAPPY: Compressor = {
  format: 2,
  compress: bytes => compressors().compressSnappy(bytes),
  decompress: decompressSnappy,
}
export const ZLIB: Compressor = {
  format: 3,
  compress: (bytes, level) => compressors().deflate(bytes, level),
  decompress: (stream, length) => compressors().inflate(stream, length),
}
export const ZSTD: Compressor = {
  format: 4,
  // Blosc's levels go up to 9, those of Zstandard to 22.
  compress: (bytes, level) => compressZstd(bytes, level < 9 ? 2 * level - 1 : 22),
  decompress: decompressZstd,
}

/** Compressors by their numbers in client data; the third is another way to make the format of the second. */
const COMPRESSORS: readonly Compressor[] = [BLOSCLZ, LZ4, LZ4, SNAPPY, ZLIB, ZSTD]
export const SNAPPY_NUMBER = COMPRESSORS.indexOf(SNAPPY)

export const blosc: FilterCodec = {
  id: 32001,
  takesAnyBytes: true,
  isSelfDescribing: true,
  mayLeak: true,
  clientData: clientDataOf,
  encode,
  decode,
}

function clientDataOf(options: JsonObject, form: ChunkForm): ClientData {
  const [, , , , level = DEFAULT_LEVEL, shuffle = 1, compressor = 0] = parametersOf(options)
  // The element size of an array is that of its elements, like in libhdf5: one level down.
  const baseSize = elementSize(form.type.class === 'H5T_ARRAY' ? form.type.base : form.type)
  const elementBytes = baseSize > MAX_ELEMENT_SIZE ? 1 : baseSize
  const chunkLength = form.chunkDims.reduce((length, extent) => length * extent, form.elementSize)
  return [
    FILTER_VERSION,
    FORMAT_VERSION,
    elementBytes,
    chunkLength,
    wholeOption(options, 'level', 0, 9) ?? Math.min(level, 9),
    Math.min(shuffle, 2),
    compressor in COMPRESSORS ? compressor : 0,
  ]
}

/** The properties of the blocks in the header. */
interface Form {
  readonly size: number
  readonly flags: number
}

async function encode(bytes: Uint8Array, clientData: ClientData): Promise<Uint8Array | undefined> {
  const [, , size = 1, , level = DEFAULT_LEVEL, shuffle = 1, number = 0] = clientData
  const compressor = COMPRESSORS[number]
  if (level === 0 || bytes.length === 0) return undefined
  const unit = 8 * size
  const blockLength = Math.min(bytes.length, Math.floor(BLOCK_LENGTH / unit) * unit)
  const blockCount = Math.ceil(bytes.length / blockLength)
  const shuffled = [0, BYTES_SHUFFLED, BITS_SHUFFLED][size > 1 || shuffle === 2 ? shuffle : 0]
  const form: Form = { size, flags: shuffled | NOT_SPLIT | (compressor.format << 5) }
  const head = new Uint8Array(HEADER_LENGTH + 4 * blockCount)
  head.set([FORMAT_VERSION, 1, form.flags, size])
  const pieces: Uint8Array[] = [head]
  let length = head.length
  for (let block = 0; block < blockCount; block++) {
    head.set(uint32sLE(length), HEADER_LENGTH + 4 * block)
    const start = block * blockLength
    const content = shuffleBlock(bytes.subarray(start, start + blockLength), form)
    const compressed = await compressor.compress(content, level)
    const stream = compressed && compressed.length < content.length ? compressed : content
    pieces.push(uint32sLE(stream.length), stream)
    length += 4 + stream.length
  }
  head.set(uint32sLE(bytes.length, blockLength, length), 4)
  return length < bytes.length ? joinBytes(pieces) : undefined
}

async function decode(bytes: Uint8Array, _clientData: ClientData, maxLength: number): Promise<Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const form: Form = { flags: view.getUint8(2), size: view.getUint8(3) }
  const [length, blockLength] = [view.getUint32(4, true), view.getUint32(8, true)]
  if (length > maxLength) throw new Error(`the header claims ${length} bytes`)
  if (form.flags & STORED) return contentOf(bytes, HEADER_LENGTH, length)
  const compressor = COMPRESSORS.find(({ format }) => format === form.flags >> 5)
  if (!compressor) throw new Error(`the compressor ${form.flags >> 5} is not known`)
  if (length > 0 && (blockLength === 0 || form.size === 0))
    throw new Error('the header claims blocks of 0 bytes')
  const decoded = new Uint8Array(length)
  for (let start = 0, block = 0; start < length; start += blockLength, block++) {
    const end = Math.min(start + blockLength, length)
    const content = decoded.subarray(start, end)
    const streams = end - start === blockLength ? streamsOf(blockLength, form) : 1
    let position = view.getUint32(HEADER_LENGTH + 4 * block, true)
    for (let stream = 0; stream < streams; stream++) {
      const streamLength = content.length / streams
      const stored = contentOf(bytes, position + 4, view.getUint32(position, true))
      position += 4 + stored.length
      const plain =
        stored.length === streamLength ? stored : await compressor.decompress(stored, streamLength)
      if (plain.length !== streamLength) throw new Error(`a stream holds ${plain.length} bytes`)
      content.set(plain, stream * streamLength)
    }
    content.set(unshuffleBlock(content, form))
  }
  return decoded
}

export function contentOf(bytes: Uint8Array, start: number, length: number): Uint8Array {
  if (start + length > bytes.length) throw new Error(`it ends before byte ${start + length}`)
  return bytes.subarray(start, start + length)
}

/** The number of streams in a block of full length. */
function streamsOf(blockLength: number, { flags, size }: Form): number {
  if (flags & NOT_SPLIT || size > MAX_STREAMS || blockLength / size < MIN_STREAM_LENGTH) return 1
  if (blockLength % size !== 0)
    throw new Error(`a block of ${blockLength} bytes is not a multiple of the element size ${size}`)
  return size
}

function shuffleBlock(bytes: Uint8Array, { flags, size }: Form): Uint8Array {
  if (flags & BYTES_SHUFFLED) return shuffleBytes(bytes, size)
  const length = bitsLength(bytes, { flags, size })
  if (length === 0) return bytes
  const shuffled = bytes.slice()
  shuffleBits(bytes.subarray(0, length), size, shuffled.subarray(0, length))
  return shuffled
}

function unshuffleBlock(bytes: Uint8Array, { flags, size }: Form): Uint8Array {
  if (flags & BYTES_SHUFFLED) return unshuffleBytes(bytes, size)
  return unshuffleBits(bytes.subarray(0, bitsLength(bytes, { flags, size })), size)
}

/** Bytes whose bits are shuffled: all whole elements or, if these are not a multiple of eight, none. */
function bitsLength({ length }: Uint8Array, { flags, size }: Form): number {
  const count = Math.floor(length / size)
  return flags & BITS_SHUFFLED && count % 8 === 0 ? count * size : 0
}
