// Numbers drawn as an image in memory: a field in colours, an image of colours as they are, or a line as the band
// between its smallest and its largest numbers, so that no peak is lost.

import { type ColourMap, coloursOf } from '@hyperslab/meaning/colour-maps'
import { encodePixels, type PixelForm } from './png.ts'

export const SCALES = ['linear', 'log', 'sqrt', 'symlog'] as const
export type Scale = (typeof SCALES)[number]

/** The range of numbers that is shown, and how they lie in it. An absent end is that of the finite numbers. */
export interface Axis {
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly scale: Scale
}

/** Rows of numbers, each of which is drawn `width` points wide and `height` high. */
export interface DrawnField {
  readonly rows: number
  readonly columns: number
  readonly width: number
  readonly height: number
}

/** An image, whose points are bytes of a palette, or four bytes each. */
interface Drawing extends PixelForm {
  readonly lines: Iterable<Uint8Array>
}

const COLOURS = 255
const TRANSPARENT = 255
/** Visible on white and on black. */
const LINE_COLOUR = [0x3b, 0x7d, 0xd8]
const LINE_WIDTH = 1.5

/** The bytes of the drawing as a PNG. */
export async function encodeDrawing({ lines, ...form }: Drawing): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of encodePixels(form, lines)) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** A colour for each number; NaN is transparent, and numbers beyond the range get its nearest colour. */
export function drawField(
  field: DrawnField,
  numbers: Float64Array,
  axis: Axis & { readonly map: ColourMap },
): Drawing {
  const place = placeOn(axis, numbers)
  const { columns } = field
  const rowOf = (row: number) =>
    Uint8Array.from({ length: columns }, (_, column) => {
      const fraction = place(numbers[row * columns + column])
      return Number.isNaN(fraction) ? TRANSPARENT : Math.min(COLOURS - 1, Math.floor(fraction * COLOURS))
    })
  const rgb = coloursOf(axis.map, COLOURS)
  const palette = new Uint8Array(4 * 256)
  for (let i = 0; i < COLOURS; i++) palette.set([...rgb.subarray(3 * i, 3 * i + 3), 255], 4 * i)
  return { ...sizeOf(field), palette, lines: enlarged(field, 1, rowOf) }
}

/** Red, green and blue of each point, and alpha if there are four `channels`, from 0 to 255. */
export function drawColours(field: DrawnField, channels: number, numbers: Float64Array): Drawing {
  const { columns } = field
  const rowOf = (row: number) => {
    const points = new Uint8Array(4 * columns).fill(255)
    for (let column = 0; column < columns; column++) {
      const from = (row * columns + column) * channels
      for (let c = 0; c < channels; c++) points[4 * column + c] = Math.round(numbers[from + c])
    }
    return points
  }
  return { ...sizeOf(field), lines: enlarged(field, 4, rowOf) }
}

function sizeOf({ rows, columns, width, height }: DrawnField): { rows: number; columns: number } {
  return { rows: rows * height, columns: columns * width }
}

/** The lines of an image: each row when it is taken, so that other requests run meanwhile. */
function* enlarged(
  { rows, columns, width, height }: DrawnField,
  size: number,
  rowOf: (row: number) => Uint8Array,
): Generator<Uint8Array> {
  for (let row = 0; row < rows; row++) {
    const points = rowOf(row)
    const line = new Uint8Array(1 + columns * width * size)
    for (let i = 0; i < columns * width; i++) {
      const from = Math.floor(i / width) * size
      for (let byte = 0; byte < size; byte++) line[1 + i * size + byte] = points[from + byte]
    }
    for (let i = 0; i < height; i++) yield line
  }
}

/** The numbers of a line, or the smallest and the largest of each of its parts. */
export interface Band {
  readonly low: Float64Array
  readonly high: Float64Array
}

/** A line from the left to the right, on a transparent ground; it has a gap where a number is NaN. */
export function drawLine(
  { columns, rows }: Omit<PixelForm, 'palette'>,
  { low, high }: Band,
  axis: Axis,
): Drawing {
  const place = placeOn(axis, low, high)
  const spans = new Spans(columns)
  const { length } = low
  const distance = length > 1 ? (columns - 1) / (length - 1) : 0
  const offset = length > 1 ? 0.5 : columns / 2
  let before: readonly [low: number, high: number] = [Number.NaN, Number.NaN]
  for (let i = 0; i < length; i++) {
    const here = [place(low[i]), place(high[i])] as const
    if (Number.isNaN(here[0])) {
      before = here
      continue
    }
    const x = offset + i * distance
    spans.add(x, here, x, here)
    if (!Number.isNaN(before[0])) spans.add(x - distance, before, x, here)
    before = here
  }
  const palette = new Uint8Array(4 * 256)
  for (let i = 0; i < 256; i++) palette.set([...LINE_COLOUR, i], 4 * i)
  return { columns, rows, palette, lines: spans.paint(rows) }
}

/** The part of each column of an image that a band covers, from 0, its bottom, to 1. */
class Spans {
  readonly #low: Float64Array
  readonly #high: Float64Array

  constructor(columns: number) {
    this.#low = new Float64Array(columns).fill(Number.POSITIVE_INFINITY)
    this.#high = new Float64Array(columns).fill(Number.NEGATIVE_INFINITY)
  }

  /** Adds the band between two positions. */
  add(from: number, start: readonly [number, number], to: number, end: readonly [number, number]): void {
    const last = Math.min(this.#low.length - 1, Math.floor(to))
    for (let column = Math.floor(from); column <= last; column++) {
      for (const x of [Math.max(from, column), Math.min(to, column + 1)]) {
        const part = to > from ? (x - from) / (to - from) : 0
        this.#low[column] = Math.min(this.#low[column], start[0] + part * (end[0] - start[0]))
        this.#high[column] = Math.max(this.#high[column], start[1] + part * (end[1] - start[1]))
      }
    }
  }

  /** The rows of the image, a byte for each point: how much of it is covered. */
  *paint(rows: number): Generator<Uint8Array> {
    const columns = this.#low.length
    const height = rows - LINE_WIDTH
    const tops = this.#high.map(high => (1 - high) * height)
    const bottoms = this.#low.map(low => (1 - low) * height + LINE_WIDTH)
    for (let row = 0; row < rows; row++) {
      const line = new Uint8Array(1 + columns)
      for (let column = 0; column < columns; column++) {
        const covered = Math.min(row + 1, bottoms[column]) - Math.max(row, tops[column])
        if (covered > 0) line[column + 1] = Math.round(255 * covered)
      }
      yield line
    }
  }
}

/**
 * The place of a number between the ends of the axis, from 0 to 1; NaN has none. If all numbers are the same, it is
 * the beginning for a field and the middle for a line.
 */
function placeOn({ min, max, scale }: Axis, ...numbers: readonly Float64Array[]): (value: number) => number {
  const least = LEAST[scale]
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const some of numbers) {
    for (const value of some) {
      if (!Number.isFinite(value) || value < least) continue
      if (value < low) low = value
      if (value > high) high = value
    }
  }
  const [first, last] = [placeIn(scale, min ?? low), placeIn(scale, max ?? high)]
  // Halves of large numbers do not overflow; those of the smallest would lose digits.
  const part = Math.abs(first) > 1 || Math.abs(last) > 1 ? 0.5 : 1
  const extent = last * part - first * part
  const equal = numbers.length > 1 ? 0.5 : 0
  return value => {
    if (Number.isNaN(value)) return Number.NaN
    const place = placeIn(scale, value)
    if (!(extent > 0)) return place === first ? equal : place < first ? 0 : 1
    return Math.min(1, Math.max(0, (place * part - first * part) / extent))
  }
}

/** The smallest number that a scale has a place for. */
export const LEAST: Readonly<Record<Scale, number>> = {
  linear: Number.NEGATIVE_INFINITY,
  log: Number.MIN_VALUE,
  sqrt: 0,
  symlog: Number.NEGATIVE_INFINITY,
}

/** The number on the scale. Numbers that the scale has no place for are below all others. */
function placeIn(scale: Scale, value: number): number {
  if (scale === 'linear') return value
  if (scale === 'symlog') return Math.sign(value) * Math.log1p(Math.abs(value))
  if (value < LEAST[scale]) return Number.NEGATIVE_INFINITY
  return scale === 'sqrt' ? Math.sqrt(value) : Math.log(value)
}
