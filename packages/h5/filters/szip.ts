// Szip (id 4), reading only: the lossless coder of CCSDS 121.0-B-3, in the form of HDF5's filter. There is no encoder:
// a chunk of a dataset with this filter is stored without it.
//
// A chunk: its length in bytes (32 bits, little-endian), then the coded samples, no byte boundaries between them.
// Client data: options, samples in a block, bits in a sample, samples in a scanline (H5Zszip.c). Samples of 32 and 64
// bits are taken apart into bytes before they are coded: all first bytes, then all second ones. A scanline is filled up
// to whole blocks; with the NN option it begins with an unchanged sample, and the others are differences to the
// previous one.

import { BitReader } from './bit-stream.ts'
import type { ClientData, FilterCodec } from './filter.ts'
import { unshuffleBytes } from './shuffle.ts'

const MSB_OPTION = 16
const NN_OPTION = 32

const HEADER_LENGTH = 4
/** Most samples in a block (H5Pset_szip). @limit format, samples */
const MAX_BLOCK = 32
/** Most blocks in a scanline (szlib.h). @limit format, blocks */
const MAX_BLOCKS_PER_LINE = 128

/** Zero blocks up to the end of the segment, instead of a count (CCSDS 121.0-B-3, 3.4.3). */
const REST_OF_SEGMENT = 5
const BLOCKS_PER_SEGMENT = 64

export const szip: FilterCodec = {
  id: 4,
  takesAnyBytes: false,
  clientData: () => undefined,
  encode: () => undefined,
  decode(bytes, clientData, maxLength) {
    if (bytes.length < HEADER_LENGTH) throw new Error(`${bytes.length} bytes are too few for the length`)
    const length = new DataView(bytes.buffer, bytes.byteOffset, HEADER_LENGTH).getUint32(0, true)
    if (length > maxLength) throw new Error(`the header claims ${length} bytes`)
    const form = parseForm(clientData)
    const samples = new SampleWriter(length, form)
    decodeLines(new BitReader(bytes, HEADER_LENGTH), samples, form)
    return form.wordSize > 1 ? unshuffleBytes(samples.bytes, form.wordSize) : samples.bytes
  },
}

interface Form {
  readonly predicts: boolean
  readonly bigEndian: boolean
  /** Samples in a block. */
  readonly block: number
  /** Bits in a sample. */
  readonly bits: number
  /** Samples in a scanline, and blocks that hold them. */
  readonly line: number
  readonly blocksPerLine: number
  /** Bytes of a number that is split into bytes, or 1. */
  readonly wordSize: number
}

function parseForm(clientData: ClientData): Form {
  const [options = 0, block = 0, bitsPerPixel = 0, line = 0] = clientData
  const isWord = bitsPerPixel === 32 || bitsPerPixel === 64
  const bits = isWord ? 8 : bitsPerPixel
  const blocksPerLine = Math.ceil(line / block)
  if (bits < 1 || bits > 24) throw new Error(`szip with ${bitsPerPixel} bits in a sample is not supported`)
  if (block < 2 || block > MAX_BLOCK || block % 2 !== 0)
    throw new Error(`szip with ${block} samples in a block is not supported`)
  if (line < 1 || blocksPerLine > MAX_BLOCKS_PER_LINE)
    throw new Error(`szip with ${line} samples in a scanline is not supported`)
  return {
    predicts: (options & NN_OPTION) !== 0,
    bigEndian: (options & MSB_OPTION) !== 0,
    block,
    bits,
    line,
    blocksPerLine,
    wordSize: isWord ? bitsPerPixel / 8 : 1,
  }
}

/** Samples as bytes of 1, 2 or 4 each, up to the length of the chunk. */
class SampleWriter {
  readonly bytes: Uint8Array
  readonly #size: number
  readonly #bigEndian: boolean
  #at = 0

  constructor(length: number, { bits, bigEndian }: Form) {
    this.#size = bits > 16 ? 4 : bits > 8 ? 2 : 1
    this.#bigEndian = bigEndian
    if (length % this.#size !== 0)
      throw new Error(`${length} bytes is not a multiple of the sample size ${this.#size}`)
    this.bytes = new Uint8Array(length)
  }

  get left(): number {
    return (this.bytes.length - this.#at) / this.#size
  }

  write(sample: number): void {
    for (let i = 0; i < this.#size; i++) {
      this.bytes[this.#at + (this.#bigEndian ? this.#size - 1 - i : i)] = sample >>> (8 * i)
    }
    this.#at += this.#size
  }
}

function decodeLines(reader: BitReader, samples: SampleWriter, form: Form): void {
  const coded = new Uint32Array(form.blocksPerLine * form.block)
  while (samples.left > 0) {
    const count = Math.min(form.line, samples.left)
    decodeLine(reader, coded, count, form)
    if (form.predicts) undoPrediction(coded, form.bits)
    for (let i = 0; i < count; i++) samples.write(coded[i])
  }
}

/**
 * The blocks with the first `count` samples of a scanline. With prediction only the very first is the sample itself.
 */
function decodeLine(
  reader: BitReader,
  coded: Uint32Array,
  count: number,
  { bits, block, predicts }: Form,
): void {
  const idBits = bits > 16 ? 5 : bits > 8 ? 4 : 3
  const uncoded = 2 ** idBits - 1
  for (let offset = 0; offset < count; ) {
    const end = offset + block
    const id = reader.read(idBits)
    if (id === uncoded) {
      while (offset < end) coded[offset++] = reader.read(bits)
      continue
    }
    const isExtension = id === 0 && reader.read(1) === 1
    if (predicts && offset === 0) coded[offset++] = reader.read(bits)
    if (id > 0) {
      decodeSplit(reader, coded.subarray(offset, end), id - 1)
      offset = end
    } else if (isExtension) {
      decodePairs(reader, coded, offset, end)
      offset = end
    } else {
      const zeroEnd = end + (zeroBlocks(reader, end / block - 1, coded.length / block) - 1) * block
      coded.fill(0, offset, zeroEnd)
      offset = zeroEnd
    }
  }
}

/** Decodes samples: each without its `low` lowest bits in unary, then the lowest bits of all. */
function decodeSplit(reader: BitReader, coded: Uint32Array, low: number): void {
  for (let i = 0; i < coded.length; i++) coded[i] = reader.readZeros() << low
  if (low > 0) for (let i = 0; i < coded.length; i++) coded[i] += reader.read(low)
}

/** Decodes the second extension: two samples a and b as one number, (a + b)(a + b + 1) / 2 + b. */
function decodePairs(reader: BitReader, coded: Uint32Array, start: number, end: number): void {
  // In a block that begins with an unchanged sample, that sample takes the first half of the first pair, which is coded
  // as zero.
  for (let offset = start & ~1; offset < end; offset += 2) {
    const pair = reader.readZeros()
    let sum = 0
    let first = 0
    while (first + sum < pair) first += ++sum
    if (offset >= start) coded[offset] = sum - (pair - first)
    coded[offset + 1] = pair - first
  }
}

/** The number of blocks of zeros that begin at this block of a scanline of `total` blocks. */
function zeroBlocks(reader: BitReader, index: number, total: number): number {
  const left = total - index
  const code = reader.readZeros() + 1
  if (code === REST_OF_SEGMENT) return Math.min(left, BLOCKS_PER_SEGMENT - (index % BLOCKS_PER_SEGMENT))
  const count = code < REST_OF_SEGMENT ? code : code - 1
  if (count > left)
    throw new Error(`a run of ${count} blocks of zeros is longer than the ${left} left in its scanline`)
  return count
}

/**
 * Replaces differences by samples: each is the previous one plus a difference. Where the range of samples allows both
 * signs, differences 0, -1, 1, -2, 2, ... are coded as 0, 1, 2, 3, 4, ...; further ones have the only sign that is left
 * (CCSDS 121.0-B-3, 4.2.3).
 */
function undoPrediction(coded: Uint32Array, bits: number): void {
  const max = 2 ** bits - 1
  let sample = coded[0]
  for (let i = 1; i < coded.length; i++) {
    const mapped = coded[i]
    const reach = Math.min(sample, max - sample)
    const distance = (mapped + 1) >>> 1
    if (distance <= reach) sample += mapped % 2 === 0 ? distance : -distance
    else sample = sample <= max >> 1 ? mapped : max - mapped
    sample &= max
    coded[i] = sample
  }
}
