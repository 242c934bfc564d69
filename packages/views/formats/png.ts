// Numbers as a PNG image (Portable Network Graphics Specification, third edition): 255 colours, and one that is
// transparent, for NaN. The image is made row by row and compressed while it is sent, in bounded memory.

import { pipeline, Readable } from 'node:stream'
import { crc32, createDeflate } from 'node:zlib'
import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { type ColourMap, coloursOf } from '@hyperslab/meaning/colour-maps'
import { type Datatype, elementSize } from '@hyperslab/model/datatype'
import { loaderOf, RUN } from '@hyperslab/model/reduction'
import type { Piece } from '@hyperslab/model/values'
import { imageMatrix, type Matrix } from './extents.ts'
import { countedShape, type Format, type Range } from './format.ts'

/**
 * The matrix of an image of such values. Throws `format-unsupported` unless they are a matrix of at least one number.
 */
export function pngMatrix(type: Datatype, shape: readonly number[]): Matrix {
  return imageMatrix(type, shape, 'PNG', MAX_SIDE)
}

export const png: Format = {
  contentType: 'image/png',
  extension: '.png',
  description: 'A matrix of numbers as an image, a colour for each; NaN is transparent.',
  rows: 'no',
  encode(values) {
    const { type, pieces, image } = values
    const matrix = pngMatrix(type, countedShape(values))
    async function* bytes(): AsyncGenerator<Uint8Array> {
      const range = (await image.range()) ?? { min: 0, max: 0 }
      yield* encodePng(matrix, pieces, { ...range, map: image.map })
    }
    return { bytes: bytes() }
  },
}

/** The numbers of the range get the first and the last colour; others get the nearest of these. */
export interface Colours extends Range {
  readonly map: ColourMap
}

const COLOURS = 255
/** The entry of the palette for NaN. */
const TRANSPARENT = 255
const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
/** A width or a height has 31 bits (clause 11.2.1). @limit format, pixels */
const MAX_SIDE = 2 ** 31 - 1
/** Numbers that get their colours between two checks of the clock. */
const STEP = 16 * RUN
/** Compressed bytes in a chunk of the file. */
const CHUNK = 64 * 1024

/** The image of a matrix. Pieces are the receiver's own. */
export function encodePng(
  matrix: Matrix,
  pieces: AsyncIterable<Piece>,
  colours: Colours,
): AsyncGenerator<Uint8Array> {
  const palette = new Uint8Array(4 * (COLOURS + 1))
  const rgb = coloursOf(colours.map, COLOURS)
  for (let i = 0; i < COLOURS; i++) palette.set([...rgb.subarray(3 * i, 3 * i + 3), 255], 4 * i)
  const { rows, columns } = matrix
  return encodePixels({ rows, columns, palette }, rowsOf(matrix, pieces, colours))
}

/** The size of an image, and the colours of its points. */
export interface PixelForm {
  readonly rows: number
  readonly columns: number
  /** Red, green, blue and alpha of 256 colours, and a point is a byte. Absent: a point is these four bytes. */
  readonly palette?: Uint8Array
}

/** The image of rows, each after the number of its filter, which is 0: none (clause 7.3). */
export async function* encodePixels(
  form: PixelForm,
  rows: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const deflate = createDeflate({ level: 3, chunkSize: CHUNK })
  // An error of the source becomes one of the stream, which is read below; when the reader stops, the source ends.
  pipeline(Readable.from(rows, { objectMode: false }), deflate, () => {})
  let isBegun = false
  for await (const bytes of deflate) {
    // Reading begins before anything is sent, so that values that cannot be read give an error answer.
    if (!isBegun) yield* headOf(form)
    isBegun = true
    yield chunkOf('IDAT', bytes)
  }
  yield chunkOf('IEND', new Uint8Array(0))
}

/** The bytes before the numbers. */
function* headOf({ rows, columns, palette }: PixelForm): Generator<Uint8Array> {
  yield SIGNATURE
  const header = new Uint8Array(13)
  const view = new DataView(header.buffer)
  view.setUint32(0, columns)
  view.setUint32(4, rows)
  // 8 bits, a palette or colours with alpha; deflate, filters by row, not interlaced.
  header.set([8, palette ? 3 : 6, 0, 0, 0], 8)
  yield chunkOf('IHDR', header)
  if (!palette) return
  yield chunkOf(
    'PLTE',
    palette.filter((_, i) => i % 4 !== 3),
  )
  yield chunkOf(
    'tRNS',
    palette.filter((_, i) => i % 4 === 3),
  )
}

/** The bytes of the rows. */
async function* rowsOf(
  { type, columns }: Matrix,
  pieces: AsyncIterable<Piece>,
  { min, max }: Colours,
): AsyncGenerator<Uint8Array> {
  const size = elementSize(type)
  const load = loaderOf(type)
  const run = new Float64Array(RUN)
  // Halves do not overflow. If all numbers are the same, they get the first colour.
  const scale = max > min ? COLOURS / (max / 2 - min / 2) : 0
  let column = 0
  for await (const piece of pieces) {
    const { count } = piece
    for (let first = 0; first < count; first += STEP) {
      const end = Math.min(count, first + STEP)
      const bytes = new Uint8Array(end - first + Math.ceil((end - first) / columns) + 1)
      let length = 0
      if ('element' in piece) {
        load(piece.element.data, 0, 0, 1, run)
        const colour = colourOf(run[0], min, scale)
        for (let left = end - first; left > 0; ) {
          if (column === 0) bytes[length++] = 0
          const pixels = Math.min(left, columns - column)
          bytes.fill(colour, length, length + pixels)
          length += pixels
          left -= pixels
          column = (column + pixels) % columns
        }
        yield bytes.subarray(0, length)
        if (isTurnOver()) await nextTurn()
        continue
      }
      for (let from = first; from < end; from += RUN) {
        const numbers = Math.min(RUN, end - from)
        load(piece.data, from * size, 0, numbers, run)
        for (let i = 0; i < numbers; i++) {
          if (column === 0) bytes[length++] = 0
          bytes[length++] = colourOf(run[i], min, scale)
          if (++column === columns) column = 0
        }
      }
      yield bytes.subarray(0, length)
      if (isTurnOver()) await nextTurn()
    }
  }
}

function colourOf(value: number, min: number, scale: number): number {
  if (Number.isNaN(value)) return TRANSPARENT
  const colour = Math.floor((value / 2 - min / 2) * scale)
  // A number that is not above 0 is below the range, or NaN: the product of an infinite number and a scale of 0.
  if (!(colour > 0)) return 0
  return colour < COLOURS ? colour : COLOURS - 1
}

/** Length, type, bytes, checksum (clause 5.3). */
function chunkOf(type: string, bytes: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(bytes.length + 12)
  const view = new DataView(chunk.buffer)
  view.setUint32(0, bytes.length)
  for (let i = 0; i < 4; i++) chunk[4 + i] = type.charCodeAt(i)
  chunk.set(bytes, 8)
  view.setUint32(8 + bytes.length, crc32(chunk.subarray(4, 8 + bytes.length)))
  return chunk
}
