// A chunk of Blosc 2: a header of 32 bytes, the offset of each block, a dictionary if the streams need one, and the
// blocks, each filtered and then compressed as one stream, or as one for each byte of an element. A chunk whose values
// are all the same is a header with no blocks.
//
// Header: version, version of the compressor, flags, size of an element (a byte each), length of the chunk, of a block
// and of the whole (32 bits), six filters, compressor of the user, its parameter, parameters of the six filters, more
// flags. All numbers are little-endian (https://github.com/Blosc/c-blosc2, README_CHUNK_FORMAT.rst).

import { unshuffleBits } from './bitshuffle.ts'
import { BLOSCLZ, type Compressor, contentOf, LZ4, NOT_SPLIT, ZLIB, ZSTD } from './blosc.ts'
import { decompressLz4 } from './compression/installed.ts'
import { unshuffleBytes } from './shuffle.ts'

export interface Chunk {
  readonly length: number
  readonly blockLength: number
  /** A decoded block, which must not be changed. The last one may be shorter than the others. */
  readonly block: (index: number) => Bytes | Promise<Bytes>
}
type Bytes = Uint8Array

const HEADER_LENGTH = 32
const FILTERS_AT = 16
const USER_COMPRESSOR_AT = 22
const FILTER_PARAMETERS_AT = 24
const FILTER_COUNT = 6
const VERSION = 5

/** Flags in the third byte; the upper three bits are the compressor. Both bits of EXTENDED: the header has 32 bytes. */
const EXTENDED = 1 | 4
const STORED = 2
const USER_COMPRESSOR = 6

/** Flags in the last byte, and in the one before it. Bits 4 to 6 of the last are the special value. */
const DICTIONARY = 1
const OTHER_FLAGS = 2 | 4 | 8 | 128
const VARIABLE_BLOCKS = 1

/** All values of a chunk are the same. */
export const ZEROS = 1
const NANS = 2
const VALUE = 3
/** Values that were never written: zeros here, anything in the library. */
const UNINITIALIZED = 4

const SHUFFLE = 1
const BITSHUFFLE = 2
const DELTA = 3
/** A filter that made numbers less precise; decoding has nothing to undo. */
const TRUNCATE_PRECISION = 4
/** Bytes of equal significance, which shuffling has put together, became differences: a registered filter. */
const BYTE_DELTA = 35

/** NaNs of single and of double precision, by size. */
const NAN_OF_SIZE = new Map([
  [4, Uint8Array.of(0, 0, 0xc0, 0x7f)],
  [8, Uint8Array.of(0, 0, 0, 0, 0, 0, 0xf8, 0x7f)],
])

/** The mark after a negative length of a stream: the stream repeats one byte, the length without its sign. */
const REPEATED_BYTE = 1

const COMPRESSORS: readonly Compressor[] = [BLOSCLZ, LZ4, ZLIB, ZSTD]

interface Header {
  readonly flags: number
  /** Bytes of an element. */
  readonly size: number
  readonly length: number
  readonly blockLength: number
}

/** The chunk that begins the bytes. No block is longer than `maxBlockLength`. */
export function openChunk(bytes: Uint8Array, maxBlockLength: number): Chunk {
  if (bytes.length < HEADER_LENGTH)
    throw new Error(`${bytes.length} bytes are too few for the header of a chunk`)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const header: Header = {
    flags: bytes[2],
    size: bytes[3],
    length: view.getUint32(4, true),
    blockLength: view.getUint32(8, true),
  }
  const { flags, size, length, blockLength } = header
  const [moreFlags, lastFlags] = bytes.subarray(HEADER_LENGTH - 2)
  if ((flags & EXTENDED) !== EXTENDED) throw new Error('a chunk of the first Blosc is not supported')
  if (moreFlags & VARIABLE_BLOCKS) throw new Error('blocks of variable length are not supported')
  if (bytes[0] !== VERSION) throw new Error(`version ${bytes[0]} of chunks is not supported`)
  if (moreFlags > VARIABLE_BLOCKS || lastFlags & OTHER_FLAGS)
    throw new Error(`the flags ${moreFlags} and ${lastFlags} of a chunk are not supported`)
  if (size === 0) throw new Error('the header claims the element size 0')
  if (blockLength > maxBlockLength)
    throw new Error(`the header claims blocks of ${blockLength} bytes, more than ${maxBlockLength}`)
  if (blockLength > length || (blockLength === 0 && length > 0))
    throw new Error(`the header claims blocks of ${blockLength} bytes in a chunk of ${length}`)
  const storedLength = view.getUint32(12, true)
  if (storedLength < HEADER_LENGTH) throw new Error(`the header claims a chunk of ${storedLength} bytes`)
  const chunk = contentOf(bytes, 0, storedLength)
  if (lastFlags >> 4) return specialChunk(lastFlags >> 4, chunk.subarray(HEADER_LENGTH), header)
  if (flags & STORED) {
    const content = contentOf(chunk, HEADER_LENGTH, length)
    return {
      length,
      blockLength,
      block: index => content.subarray(index * blockLength, (index + 1) * blockLength),
    }
  }
  return compressedChunk(chunk, header, (lastFlags & DICTIONARY) !== 0)
}

/** The compressor with the dictionary, a length and the bytes, which follows the offsets of the blocks. */
function withDictionary(
  bytes: Uint8Array,
  { length, blockLength }: Header,
  compressor: Compressor,
): Compressor {
  if (compressor !== LZ4)
    throw new Error(`a dictionary for the compressor ${compressor.format} is not supported`)
  const at = HEADER_LENGTH + 4 * Math.ceil(length / Math.max(1, blockLength))
  const dictionary = contentOf(bytes, at + 4, int32At(bytes, at) >>> 0)
  return { ...compressor, decompress: (stream, length) => decompressLz4(stream, length, dictionary) }
}

/** A chunk of one value, which follows the header. */
export function specialChunk(
  special: number,
  value: Uint8Array,
  { size, length, blockLength }: Omit<Header, 'flags'>,
): Chunk {
  const pattern = patternOf(special, value, size)
  if (pattern.length === 0 || blockLength % pattern.length !== 0 || length % pattern.length !== 0)
    throw new Error(`a chunk of ${length} bytes repeats a value of ${pattern.length} bytes`)
  return {
    length,
    blockLength,
    block: index => {
      const block = new Uint8Array(Math.min(blockLength, length - index * blockLength))
      return pattern.some(byte => byte !== 0) ? filledWith(pattern, block) : block
    },
  }
}

function filledWith(pattern: Uint8Array, block: Uint8Array): Uint8Array {
  block.set(pattern.subarray(0, block.length))
  for (let done = pattern.length; done < block.length; done *= 2) block.copyWithin(done, 0, done)
  return block
}

function patternOf(special: number, value: Uint8Array, size: number): Uint8Array {
  switch (special) {
    case ZEROS:
    case UNINITIALIZED:
      return new Uint8Array(1)
    case VALUE:
      return value
    case NANS: {
      const nan = NAN_OF_SIZE.get(size)
      if (nan) return nan
      throw new Error(`elements of ${size} bytes have no NaN`)
    }
    default:
      throw new Error(`the special value ${special} is not known`)
  }
}

function compressedChunk(bytes: Uint8Array, header: Header, hasDictionary: boolean): Chunk {
  const { flags, size, length, blockLength } = header
  const format = flags >> 5
  if (format === USER_COMPRESSOR)
    throw new Error(`the compressor ${bytes[USER_COMPRESSOR_AT]} is not supported`)
  const known = COMPRESSORS.find(known => known.format === format)
  if (!known) throw new Error(`the compressor ${format} is not known`)
  const compressor = hasDictionary ? withDictionary(bytes, header, known) : known
  const filters = filtersOf(bytes, size)
  const readBlock = async (index: number, first?: Uint8Array) => {
    const block = new Uint8Array(Math.min(blockLength, length - index * blockLength))
    // A block that is shorter than the others is one stream.
    const isSplit = !(flags & NOT_SPLIT) && block.length === blockLength
    await decompressBlock(bytes, HEADER_LENGTH + 4 * index, compressor, block, isSplit ? size : 1)
    return filters.reduceRight<Uint8Array>((plain, filter) => undoFilter(plain, filter, first), block)
  }
  if (filters.every(({ id }) => id !== DELTA)) return { length, blockLength, block: readBlock }
  let first: Promise<Uint8Array> | undefined
  return {
    length,
    blockLength,
    block: async index => {
      first ??= readBlock(0)
      return index === 0 ? first : readBlock(index, await first)
    },
  }
}

interface Filter {
  readonly id: number
  /** Bytes of an element. */
  readonly size: number
}

/** The filters in the order in which they were applied. */
function filtersOf(bytes: Uint8Array, elementSize: number): Filter[] {
  const filters: Filter[] = []
  for (let i = 0; i < FILTER_COUNT; i++) {
    const id = bytes[FILTERS_AT + i]
    if (id === 0 || id === TRUNCATE_PRECISION) continue
    if (![SHUFFLE, BITSHUFFLE, DELTA, BYTE_DELTA].includes(id))
      throw new Error(`its filter ${id} is not supported`)
    const parameter = bytes[FILTER_PARAMETERS_AT + i]
    if (id === BYTE_DELTA) {
      filters.push({ id, size: parameter || elementSize })
      continue
    }
    if (parameter !== 0) throw new Error(`its filter ${id} with the parameter ${parameter} is not supported`)
    if (id === DELTA && filters.length > 0) throw new Error('delta after other filters is not supported')
    filters.push({ id, size: elementSize })
  }
  return filters
}

/** Fills the block with `streams` streams of equal length; the first of them is at `start`. */
async function decompressBlock(
  bytes: Uint8Array,
  start: number,
  compressor: Compressor,
  block: Uint8Array,
  streams: number,
): Promise<void> {
  if (block.length % streams !== 0)
    throw new Error(`a block of ${block.length} bytes is not a multiple of the element size ${streams}`)
  const length = block.length / streams
  let position = int32At(bytes, start) >>> 0
  for (let stream = 0; stream < streams; stream++) {
    const to = stream * length
    const stored = int32At(bytes, position)
    position += 4
    if (stored < 0) {
      if (bytes[position] !== REPEATED_BYTE || stored < -255)
        throw new Error(`the stream at byte ${position} is of an unknown kind`)
      block.fill(-stored, to, to + length)
      position++
    } else if (stored > 0) {
      const content = contentOf(bytes, position, stored)
      const plain = stored === length ? content : await compressor.decompress(content, length)
      if (plain.length !== length) throw new Error(`a stream holds ${plain.length} bytes`)
      block.set(plain, to)
      position += stored
    }
  }
}

function int32At(bytes: Uint8Array, offset: number): number {
  const [first, second, third, fourth] = contentOf(bytes, offset, 4)
  return first | (second << 8) | (third << 16) | (fourth << 24)
}

/** `first`: the first block of the chunk; undefined: this is that block. */
function undoFilter(bytes: Uint8Array, { id, size }: Filter, first: Uint8Array | undefined): Uint8Array {
  if (id === SHUFFLE) return unshuffleBytes(bytes, size)
  if (id === DELTA) return undoDelta(bytes, size, first)
  if (id === BYTE_DELTA) return undoByteDelta(bytes, size)
  // The bits of a multiple of eight elements are shuffled; the other elements follow unchanged.
  const result = bytes.slice()
  const length = bytes.length - (bytes.length % (8 * size))
  result.set(unshuffleBits(bytes.subarray(0, length), size))
  return result
}

/** Each byte was lessened by the one before it, in each of `size` streams of equal length. */
function undoByteDelta(bytes: Uint8Array, size: number): Uint8Array {
  const result = bytes.slice()
  const length = Math.floor(result.length / size)
  for (let stream = 0; stream < size; stream++) {
    for (let i = stream * length + 1; i < (stream + 1) * length; i++) result[i] += result[i - 1]
  }
  return result
}

/** Bytes were XORed with those of the first block; those of the first block with earlier bytes of the same block. */
function undoDelta(bytes: Uint8Array, size: number, first: Uint8Array | undefined): Uint8Array {
  if (first) return bytes.map((byte, i) => byte ^ first[i])
  const step = [1, 2, 4, 8].includes(size) ? size : size % 8 === 0 ? 8 : 1
  const result = bytes.slice()
  for (let i = step; i < result.length; i++) result[i] ^= result[i - step]
  return result
}
