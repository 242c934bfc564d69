// Numbers as a TIFF image (TIFF Revision 6.0; BigTIFF from 4 GiB on): a directory, then the elements as they are
// stored, in one strip, in the byte order of their type.

import { product } from '@hyperslab/model/dataset'
import { type Datatype, elementSize } from '@hyperslab/model/datatype'
import { integerOf } from '@hyperslab/model/values'
import { imageMatrix } from './extents.ts'
import { countedShape, type Format, storedElements } from './format.ts'

/**
 * The bytes before the elements, which follow row by row. Throws `format-unsupported` unless the values are a matrix of
 * at least one number.
 */
export function encodeTiffHeader(type: Datatype, shape: readonly number[]): Uint8Array {
  const { type: numeric, rows, columns } = imageMatrix(type, shape, 'TIFF', MAX_SIDE)
  const size = elementSize(numeric)
  const byteCount = rows * columns * size
  const isBig = byteCount > MAX_CLASSIC
  const number = numeric.class === 'H5T_FLOAT' ? numeric : integerOf(numeric)
  const isLittleEndian = number.order === 'LE'
  const sizes = isBig ? BIG : CLASSIC
  const resolution = sizes.head + sizes.count + TAGS * sizes.entry + sizes.offset
  const length = resolution + 2 * RATIONAL_BYTES
  // In the order of their numbers (section 2).
  const entries: readonly Entry[] = [
    [256, LONG, columns],
    [257, LONG, rows],
    // Bits of a sample, no compression, 0 is black.
    [258, SHORT, size * 8],
    [259, SHORT, 1],
    [262, SHORT, 1],
    // One strip: its offset, samples of a pixel, its rows, its bytes.
    [273, isBig ? LONG8 : LONG, length],
    [277, SHORT, 1],
    [278, LONG, rows],
    [279, isBig ? LONG8 : LONG, byteCount],
    // The resolution is the same in both directions and has no unit.
    [282, RATIONAL, resolution],
    [283, RATIONAL, resolution + RATIONAL_BYTES],
    [296, SHORT, 1],
    // Unsigned, signed, or floats.
    [339, SHORT, number.class === 'H5T_FLOAT' ? 3 : number.signed ? 2 : 1],
  ]
  const header = new Uint8Array(length)
  const view = new DataView(header.buffer)
  const writeOffset = (offset: number, value: number) =>
    isBig
      ? view.setBigUint64(offset, BigInt(value), isLittleEndian)
      : view.setUint32(offset, value, isLittleEndian)
  header.set(isLittleEndian ? [0x49, 0x49] : [0x4d, 0x4d])
  view.setUint16(2, isBig ? 43 : 42, isLittleEndian)
  if (isBig) view.setUint16(4, 8, isLittleEndian)
  writeOffset(sizes.head - sizes.offset, sizes.head)
  if (isBig) view.setBigUint64(sizes.head, BigInt(TAGS), isLittleEndian)
  else view.setUint16(sizes.head, TAGS, isLittleEndian)
  for (const [index, [tag, form, value]] of entries.entries()) {
    const offset = sizes.head + sizes.count + index * sizes.entry
    view.setUint16(offset, tag, isLittleEndian)
    view.setUint16(offset + 2, form, isLittleEndian)
    writeOffset(offset + 4, 1)
    const valueAt = offset + 4 + sizes.offset
    // Short values are on the left of their field.
    const isOffset = form === LONG8 || form === RATIONAL
    if (form === SHORT) view.setUint16(valueAt, value, isLittleEndian)
    else if (isOffset) writeOffset(valueAt, value)
    else view.setUint32(valueAt, value, isLittleEndian)
  }
  for (let position = resolution; position < length; position += 4)
    view.setUint32(position, 1, isLittleEndian)
  return header
}

/** Tag, form, value. */
type Entry = readonly [number, number, number]

const SHORT = 3
const LONG = 4
const RATIONAL = 5
const LONG8 = 16
const RATIONAL_BYTES = 8
const TAGS = 13
/** Bytes of the header, of the number of entries, of an entry, and of an offset. */
const CLASSIC = { head: 8, count: 2, entry: 12, offset: 4 } as const
const BIG = { head: 16, count: 8, entry: 20, offset: 8 } as const
/**
 * Bytes of a classic file: its offsets have 32 bits; the bytes before the elements are shorter than the difference.
 * @limit format, bytes
 */
const MAX_CLASSIC = 2 ** 32 - 2 ** 10
/** Pixels of width and height, which have 32 bits. @limit format, pixels */
const MAX_SIDE = 2 ** 32 - 1

export const tiff: Format = {
  contentType: 'image/tiff',
  extension: '.tiff',
  description: 'A matrix of numbers as an image that has the numbers themselves.',
  rows: 'no',
  encode(values) {
    const shape = countedShape(values)
    return storedElements(encodeTiffHeader(values.type, shape), product(shape), values)
  },
}
