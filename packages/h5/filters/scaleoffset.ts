// HDF5's scale-offset filter (id 6): numbers less the smallest of them, in as few bits as the largest difference needs,
// one after another without gaps (bit-stream.ts). Floats are multiplied by a power of ten and rounded before, which is
// the loss that a dataset with this filter accepts (H5Z_SO_FLOAT_DSCALE). An element that is the fill value has all
// bits set.
//
// A chunk: the count of bits (4 bytes), the size of the minimum (1 byte, always 8), the minimum (8 bytes; a float as it
// is), 8 zeros, the packed numbers and one byte more than whole bytes need; little-endian. With as many bits as the
// type has, the elements follow as they are; such a chunk is read, but not written. Client data: the scale type and
// factor, elements in a chunk, class, size, sign, order, whether there is a fill value, that value in 12 words
// (H5Zscaleoffset.c).
//
// Chunks that libhdf5 would silently change are stored here without the filter: those with integers that do not fit the
// requested bits, with NaN or with infinities. Integers of 64 bits are two halves, so that no number is boxed.

import type { JsonObject } from '@hyperslab/model/json'
import { BitReader, BitWriter } from './bit-stream.ts'
import { wholeOption } from './client-data.ts'
import type { ChunkForm, ClientData, FilterCodec } from './filter.ts'

const FLOAT_DSCALE = 0
const INTEGER_SCALE = 2
const INTEGER_CLASS = 0
const FLOAT_CLASS = 1
const LITTLE_ENDIAN = 0
const BIG_ENDIAN = 1
const CLIENT_DATA_COUNT = 20
const FILL_VALUE_AT = 8

const HEADER_SIZE = 21
const MINIMUM_SIZE = 8
const MINIMUM_AT = 5

export const scaleoffset: FilterCodec = {
  id: 6,
  takesAnyBytes: false,
  isLossy: true,
  clientData: clientDataOf,
  encode(bytes, clientData) {
    const form = parse(clientData)
    if (bytes.length !== form.count * form.size || form.count === 0) return undefined
    const elements = reversed(bytes, form)
    return isWide(form) ? encodeWide(elements, form) : encodeNumbers(elements, form)
  },
  decode(bytes, clientData, maxLength) {
    const form = parse(clientData)
    const length = form.count * form.size
    if (length > maxLength)
      throw new Error(`${form.count} elements take ${length} bytes, more than ${maxLength}`)
    if (form.factor === form.size * 8 && !form.isFloat) return bytes
    if (bytes.length < HEADER_SIZE) throw new Error(`${bytes.length} bytes are too few for the header`)
    const header = new DataView(bytes.buffer, bytes.byteOffset, HEADER_SIZE)
    const bits = header.getUint32(0, true)
    if (bits > form.size * 8) throw new Error(`${bits} bits for elements of ${form.size} bytes`)
    if ((bytes.length - HEADER_SIZE) * 8 < form.count * bits) {
      throw new Error(`${bytes.length} bytes do not hold ${form.count} elements of ${bits} bits`)
    }
    if (bits === form.size * 8) return reversed(bytes.slice(HEADER_SIZE, HEADER_SIZE + length), form)
    const minimum = new DataView(new ArrayBuffer(MINIMUM_SIZE))
    for (let i = 0; i < Math.min(bytes[4], MINIMUM_SIZE); i++) minimum.setUint8(i, bytes[MINIMUM_AT + i])
    const reader = new BitReader(bytes, HEADER_SIZE)
    const elements = new Uint8Array(length)
    if (isWide(form)) decodeWide(reader, bits, minimum, elements, form)
    else decodeNumbers(reader, bits, minimum, elements, form)
    return reversed(elements, form)
  },
}

/** The scale types that libhdf5 applies, by name and by number; H5Z_SO_FLOAT_ESCALE was never made. */
const INTEGER_SCALES: readonly unknown[] = [undefined, 'H5Z_SO_INT', INTEGER_SCALE]
const FLOAT_SCALES: readonly unknown[] = [undefined, 'H5Z_SO_FLOAT_DSCALE', FLOAT_DSCALE]

/**
 * The client data; undefined for types other than integers and floats of 32 or 64 bits, and for floats without a scale.
 */
function clientDataOf(
  options: JsonObject,
  { type, chunkDims, fillValue }: ChunkForm,
): ClientData | undefined {
  const factor = wholeOption(options, 'scaleOffset', 0, 2 ** 31 - 1)
  const isFloat = type.class === 'H5T_FLOAT'
  if (!isFloat && type.class !== 'H5T_INTEGER') return undefined
  if (!(isFloat ? FLOAT_SCALES : INTEGER_SCALES).includes(options.get('scaleType'))) return undefined
  if (isFloat ? type.size === 2 || factor === undefined : (factor ?? 0) > type.size * 8) return undefined
  const values = new Array<number>(CLIENT_DATA_COUNT).fill(0)
  values[0] = isFloat ? FLOAT_DSCALE : INTEGER_SCALE
  values[1] = (factor ?? 0) >>> 0
  values[2] = chunkDims.reduce((count, extent) => count * extent, 1)
  values[3] = isFloat ? FLOAT_CLASS : INTEGER_CLASS
  values[4] = type.size
  values[5] = isFloat || !type.signed ? 0 : 1
  values[6] = type.order === 'LE' ? LITTLE_ENDIAN : BIG_ENDIAN
  values[7] = 1
  for (let i = 0; fillValue && i < type.size; i++) {
    const byte = fillValue[type.order === 'LE' ? i : type.size - 1 - i]
    values[FILL_VALUE_AT + (i >> 2)] += byte * 2 ** ((i % 4) * 8)
  }
  return values
}

interface Form {
  readonly isFloat: boolean
  /** Floats: the number of decimal places. Integers: the bits of each, or 0 for the needed number. */
  readonly factor: number
  readonly count: number
  readonly size: number
  readonly signed: boolean
  readonly bigEndian: boolean
  /** The fill value, little-endian. */
  readonly fill: DataView | undefined
}

function parse(clientData: ClientData): Form {
  const [scaleType, scaleFactor, count, elementClass, size, sign, order, hasFill] = clientData
  const isFloat = elementClass === FLOAT_CLASS
  if (clientData.length !== CLIENT_DATA_COUNT) throw new Error(`client data of ${clientData.length} values`)
  if (!(isFloat ? [4, 8] : [1, 2, 4, 8]).includes(size)) throw new Error(`elements of ${size} bytes`)
  if (scaleType !== (isFloat ? FLOAT_DSCALE : INTEGER_SCALE)) throw new Error(`a scale of type ${scaleType}`)
  const factor = isFloat ? scaleFactor | 0 : Math.max(scaleFactor | 0, 0)
  if (!isFloat && factor > size * 8) throw new Error(`${factor} bits for elements of ${size} bytes`)
  const fill = new DataView(new ArrayBuffer(8))
  fill.setUint32(0, clientData[FILL_VALUE_AT], true)
  fill.setUint32(4, clientData[FILL_VALUE_AT + 1], true)
  return {
    isFloat,
    factor,
    count,
    size,
    signed: sign === 1,
    bigEndian: order === BIG_ENDIAN,
    fill: hasFill === 1 ? fill : undefined,
  }
}

/** True when numbers do not hold all values exactly. */
function isWide({ isFloat, size }: Form): boolean {
  return !isFloat && size === 8
}

/** Big-endian elements as little-endian ones, or back; other elements as they are. */
function reversed(bytes: Uint8Array, { size, bigEndian }: Form): Uint8Array {
  if (!bigEndian || size === 1) return bytes
  const result = new Uint8Array(bytes.length)
  for (let offset = 0; offset < bytes.length; offset += size) {
    for (let i = 0; i < size; i++) result[offset + i] = bytes[offset + size - 1 - i]
  }
  return result
}

type Numbers =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array

/** Memory is shared where its alignment allows that. */
function asNumbers(bytes: Uint8Array, { isFloat, size, signed, count }: Form): Numbers {
  const { buffer, byteOffset } = bytes.byteOffset % size === 0 ? bytes : bytes.slice()
  if (isFloat)
    return size === 4
      ? new Float32Array(buffer, byteOffset, count)
      : new Float64Array(buffer, byteOffset, count)
  switch (size) {
    case 1:
      return signed ? new Int8Array(buffer, byteOffset, count) : new Uint8Array(buffer, byteOffset, count)
    case 2:
      return signed ? new Int16Array(buffer, byteOffset, count) : new Uint16Array(buffer, byteOffset, count)
    default:
      return signed ? new Int32Array(buffer, byteOffset, count) : new Uint32Array(buffer, byteOffset, count)
  }
}

/** A number in the type's own form at the start of 8 bytes. */
function numberIn(bytes: DataView, form: Form): number {
  return asNumbers(new Uint8Array(bytes.buffer), { ...form, count: 1 })[0]
}

/**
 * The conversion of floats to whole numbers: times `power`, rounded. Like libhdf5, it calculates in the precision of
 * the type.
 */
interface Scale {
  readonly single: boolean
  readonly power: number
  /** Numbers nearer to the fill value than this count as the fill value. */
  readonly tolerance: number
}

function scaleOf({ isFloat, size, factor }: Form): Scale {
  const single = isFloat && size === 4
  const decimals = isFloat ? factor : 0
  const power = rounded(Number(`1e${decimals}`), single)
  return { single, power, tolerance: rounded(Number(`1e${-decimals}`), single) }
}

function rounded(value: number, single: boolean): number {
  return single ? Math.fround(value) : value
}

/** Nearest integer to value * power - base, which is not negative. */
function scaled(value: number, base: number, { power, single }: Scale): number {
  return Math.round(rounded(rounded(value * power, single) - base, single))
}

function isNear(value: number, fill: number, { tolerance, single }: Scale): boolean {
  return Math.abs(rounded(value - fill, single)) < tolerance
}

const BLOCK_LENGTH = 1024

/** Numbers of any type in blocks that share one memory, so that fast loops process one type only. */
function* blocksOf(numbers: Numbers): Iterable<Float64Array> {
  const block = new Float64Array(BLOCK_LENGTH)
  for (let start = 0; start < numbers.length; start += BLOCK_LENGTH) {
    const part = numbers.subarray(start, start + BLOCK_LENGTH)
    block.set(part)
    yield block.subarray(0, part.length)
  }
}

/** The smallest and the largest number that is not the fill value. Undefined: some number is not finite. */
function extremes(numbers: Numbers, fill: number, scale: Scale): { min: number; max: number } | undefined {
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  for (const block of blocksOf(numbers)) {
    for (let i = 0; i < block.length; i++) {
      const value = block[i]
      if (!Number.isFinite(value)) return undefined
      if (isNear(value, fill, scale)) continue
      if (value < min) min = value
      if (value > max) max = value
    }
  }
  return min > max ? { min: 0, max: 0 } : { min, max }
}

function encodeNumbers(bytes: Uint8Array, form: Form): Uint8Array | undefined {
  const numbers = asNumbers(bytes, form)
  const scale = scaleOf(form)
  // No number is near NaN.
  const fill = form.fill ? numberIn(form.fill, form) : Number.NaN
  const found = extremes(numbers, fill, scale)
  if (!found) return undefined
  const { min, max } = found
  const base = rounded(min * scale.power, scale.single)
  const range = scaled(max, base, scale)
  const bits = Number.isFinite(range) ? bitsFor(BigInt(range), form) : undefined
  if (bits === undefined) return undefined
  const writer = startChunk(bits, form)
  const header = new DataView(writer.bytes.buffer)
  if (!form.isFloat) header.setBigInt64(MINIMUM_AT, BigInt(min), true)
  else if (form.size === 4) header.setFloat32(MINIMUM_AT, min, true)
  else header.setFloat64(MINIMUM_AT, min, true)
  for (const block of blocksOf(numbers)) {
    for (let i = 0; i < block.length; i++) {
      const value = block[i]
      if (isNear(value, fill, scale)) {
        writer.writeLong(-1, -1, bits)
        continue
      }
      const difference = scaled(value, base, scale)
      writer.writeLong(difference / 2 ** 32, difference, bits)
    }
  }
  return writer.finish()
}

function decodeNumbers(
  reader: BitReader,
  bits: number,
  minimum: DataView,
  elements: Uint8Array,
  form: Form,
): void {
  const numbers = asNumbers(elements, form)
  const { power, single } = scaleOf(form)
  const min = numberIn(minimum, form)
  const fill = form.fill ? numberIn(form.fill, form) : 0
  const onesHigh = ones(bits - 32)
  const onesLow = ones(bits)
  const block = new Float64Array(BLOCK_LENGTH)
  for (let start = 0; start < numbers.length; start += BLOCK_LENGTH) {
    const count = Math.min(BLOCK_LENGTH, numbers.length - start)
    for (let i = 0; i < count; i++) {
      const high = bits > 32 ? reader.readWord(bits - 32) : 0
      const low = reader.readWord(Math.min(bits, 32))
      const isFill = form.fill !== undefined && high === onesHigh && low === onesLow
      const difference = rounded(high * 2 ** 32 + (low >>> 0), single)
      block[i] = isFill ? fill : rounded(difference / power, single) + min
    }
    numbers.set(block.subarray(0, count), start)
  }
}

/** Words of `elements`: the low half of each is at 2i, the high half after it. */
function asWords(elements: Uint8Array): Int32Array {
  const { buffer, byteOffset, length } = elements.byteOffset % 4 === 0 ? elements : elements.slice()
  return new Int32Array(buffer, byteOffset, length / 4)
}

function encodeWide(elements: Uint8Array, form: Form): Uint8Array | undefined {
  const words = asWords(elements)
  const fillLow = form.fill?.getInt32(0, true)
  const fillHigh = form.fill?.getInt32(4, true)
  /** Makes unsigned high halves compare as signed ones. */
  const flip = form.signed ? 0 : 0x80000000 | 0
  let min = -1
  let max = -1
  const less = (a: number, b: number) => {
    const highA = words[a + 1] ^ flip
    const highB = words[b + 1] ^ flip
    return highA === highB ? words[a] >>> 0 < words[b] >>> 0 : highA < highB
  }
  for (let offset = 0; offset < words.length; offset += 2) {
    if (words[offset] === fillLow && words[offset + 1] === fillHigh) continue
    if (min < 0 || less(offset, min)) min = offset
    if (max < 0 || less(max, offset)) max = offset
  }
  const minLow = min < 0 ? 0 : words[min]
  const minHigh = min < 0 ? 0 : words[min + 1]
  const range =
    min < 0 ? 0n : BigInt.asUintN(64, toLong(words[max], words[max + 1]) - toLong(minLow, minHigh))
  const bits = bitsFor(range, form)
  if (bits === undefined) return undefined
  const writer = startChunk(bits, form)
  const header = new DataView(writer.bytes.buffer)
  header.setInt32(MINIMUM_AT, minLow, true)
  header.setInt32(MINIMUM_AT + 4, minHigh, true)
  for (let position = 0; position < words.length; position += 2) {
    const low = words[position]
    const high = words[position + 1]
    if (low === fillLow && high === fillHigh) {
      writer.writeLong(-1, -1, bits)
      continue
    }
    const borrow = low >>> 0 < minLow >>> 0 ? 1 : 0
    writer.writeLong(high - minHigh - borrow, low - minLow, bits)
  }
  return writer.finish()
}

function decodeWide(
  reader: BitReader,
  bits: number,
  minimum: DataView,
  elements: Uint8Array,
  form: Form,
): void {
  const words = asWords(elements)
  const minLow = minimum.getInt32(0, true)
  const minHigh = minimum.getInt32(4, true)
  const fillLow = form.fill?.getInt32(0, true) ?? 0
  const fillHigh = form.fill?.getInt32(4, true) ?? 0
  const onesHigh = ones(bits - 32)
  const onesLow = ones(bits)
  for (let offset = 0; offset < words.length; offset += 2) {
    const high = bits > 32 ? reader.readWord(bits - 32) : 0
    const low = reader.readWord(Math.min(bits, 32))
    if (form.fill && high === onesHigh && low === onesLow) {
      words[offset] = fillLow
      words[offset + 1] = fillHigh
      continue
    }
    words[offset] = low + minLow
    words[offset + 1] = high + minHigh + ((low >>> 0) + (minLow >>> 0) >= 2 ** 32 ? 1 : 0)
  }
}

function toLong(low: number, high: number): bigint {
  return (BigInt(high) << 32n) | BigInt(low >>> 0)
}

/** The lowest `bits` bits of a word as ones, in a 32-bit integer. */
function ones(bits: number): number {
  if (bits <= 0) return 0
  return bits >= 32 ? -1 : 2 ** bits - 1
}

/**
 * Bits for differences up to `range`, and for the fill value, which takes the highest number. Undefined: all bits of
 * the type, or more than requested.
 */
function bitsFor(range: bigint, { isFloat, factor, size, fill }: Form): number | undefined {
  const highest = fill ? range + 1n : range
  const needed = highest === 0n ? 0 : highest.toString(2).length
  const bits = isFloat || factor === 0 ? needed : factor
  return needed <= bits && bits < size * 8 ? bits : undefined
}

function startChunk(bits: number, { count }: Form): BitWriter {
  const writer = new BitWriter(HEADER_SIZE + Math.floor((count * bits) / 8) + 1, HEADER_SIZE)
  const header = new DataView(writer.bytes.buffer)
  header.setUint32(0, bits, true)
  header.setUint8(4, MINIMUM_SIZE)
  return writer
}
