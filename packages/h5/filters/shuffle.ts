// HDF5's shuffle filter (id 2): the first bytes of all elements, then all second bytes, and so on; bytes that make no
// whole element follow as they are. It compresses nothing, but puts similar bytes together for the filters after it.
//
// The bytes of one position in the element are a plane: to shuffle is to transpose a matrix of bytes. Where planes
// begin at whole words, elements of 2 bytes and of multiples of 4 go through 32-bit integers, four times as fast:
// squares of 4x4 bytes are transposed in registers. Node's machines are little-endian, and so are these integers.

import type { FilterCodec } from './filter.ts'

export const shuffle: FilterCodec = {
  id: 2,
  takesAnyBytes: false,
  clientData: (_options, { elementSize }) => [elementSize],
  encode: (bytes, [size]) => shuffleBytes(bytes, size),
  decode: (bytes, [size], _maxLength, into) => unshuffleBytes(bytes, size, into),
}

/** The bytes, shuffled as elements of `size` bytes; `bytes` itself when nothing moves. */
export function shuffleBytes(bytes: Uint8Array, size: number): Uint8Array {
  const count = countElements(bytes, size)
  if (size === 1 || count <= 1) return bytes
  const result = new Uint8Array(bytes.length)
  if (goesByWords(size, count)) {
    const elements = asWords(bytes, size * count)
    const planes = asWords(result, size * count)
    if (size === 2) splitPairs(elements, planes)
    else {
      for (let word = 0; word < size / 4; word++) {
        transposeSquares(squaresOfElements(elements, size, word), squaresOfPlanes(planes, count, word), count)
      }
    }
  } else {
    transposeBytes(bytes, count, size, result)
  }
  result.set(bytes.subarray(size * count), size * count)
  return result
}

/** Returns the bytes that `shuffleBytes` got; in `into` if it has their length. */
export function unshuffleBytes(bytes: Uint8Array, size: number, into?: Uint8Array): Uint8Array {
  const count = countElements(bytes, size)
  if (size === 1 || count <= 1) return bytes
  const fits = into?.length === bytes.length && into.byteOffset % 4 === 0
  const result = fits ? into : new Uint8Array(bytes.length)
  if (goesByWords(size, count)) {
    const planes = asWords(bytes, size * count)
    const elements = asWords(result, size * count)
    if (size === 2) joinPairs(planes, elements)
    else {
      for (let word = 0; word < size / 4; word++) {
        transposeSquares(squaresOfPlanes(planes, count, word), squaresOfElements(elements, size, word), count)
      }
    }
  } else {
    transposeBytes(bytes, size, count, result)
  }
  result.set(bytes.subarray(size * count), size * count)
  return result
}

function countElements(bytes: Uint8Array, size: number): number {
  if (!(size > 0)) throw new Error(`shuffle of elements of ${size} bytes is not supported`)
  return Math.floor(bytes.length / size)
}

/** Transposes row-major `rows` x `columns` bytes to `columns` x `rows`. */
function transposeBytes(bytes: Uint8Array, rows: number, columns: number, result: Uint8Array): void {
  for (let column = 0, to = 0; column < columns; column++) {
    for (let row = 0, from = column; row < rows; row++, from += columns) result[to++] = bytes[from]
  }
}

function goesByWords(size: number, count: number): boolean {
  return (size === 2 || size % 4 === 0) && count % 4 === 0
}

/** The first `length` bytes as integers; a copy of them when they do not begin at a whole word. */
export function asWords(bytes: Uint8Array, length: number): Int32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice(0, length)
  return new Int32Array(aligned.buffer, aligned.byteOffset, length / 4)
}

/**
 * The positions of squares: the four words of the first from `start` on, `stride` apart; each further square `step`
 * later.
 */
interface Squares {
  readonly words: Int32Array
  readonly start: number
  readonly stride: number
  readonly step: number
}

/** The squares of one word of each element. */
function squaresOfElements(words: Int32Array, size: number, word: number): Squares {
  return { words, start: word, stride: size / 4, step: size }
}

/** The squares of the four planes that get this word of each element. */
function squaresOfPlanes(words: Int32Array, count: number, word: number): Squares {
  return { words, start: word * count, stride: count / 4, step: 1 }
}

/** Transposes four bytes of each of `count` elements. Words a b c d become a0b0c0d0, a1b1c1d1, a2b2c2d2, a3b3c3d3. */
function transposeSquares(source: Squares, target: Squares, count: number): void {
  const { words: read, stride: readStride, step: readStep } = source
  const { words: write, stride: writeStride, step: writeStep } = target
  let from = source.start
  let to = target.start
  for (let square = 0; square < count / 4; square++) {
    const a = read[from]
    const b = read[from + readStride]
    const c = read[from + 2 * readStride]
    const d = read[from + 3 * readStride]
    const ab02 = (a & 0x00ff00ff) | ((b & 0x00ff00ff) << 8)
    const ab13 = ((a >>> 8) & 0x00ff00ff) | (b & 0xff00ff00)
    const cd02 = (c & 0x00ff00ff) | ((d & 0x00ff00ff) << 8)
    const cd13 = ((c >>> 8) & 0x00ff00ff) | (d & 0xff00ff00)
    write[to] = (ab02 & 0xffff) | (cd02 << 16)
    write[to + writeStride] = (ab13 & 0xffff) | (cd13 << 16)
    write[to + 2 * writeStride] = (ab02 >>> 16) | (cd02 & 0xffff0000)
    write[to + 3 * writeStride] = (ab13 >>> 16) | (cd13 & 0xffff0000)
    from += readStep
    to += writeStep
  }
}

/** Splits elements of 2 bytes: words a0a1b0b1 c0c1d0d1 become a0b0c0d0 of one plane and a1b1c1d1 of the other. */
function splitPairs(elements: Int32Array, planes: Int32Array): void {
  const length = elements.length / 2
  for (let i = 0; i < length; i++) {
    const ab = elements[2 * i]
    const cd = elements[2 * i + 1]
    planes[i] = swapMiddle((ab & 0x00ff00ff) | ((cd & 0x00ff00ff) << 8))
    planes[i + length] = swapMiddle(((ab >>> 8) & 0x00ff00ff) | (cd & 0xff00ff00))
  }
}

function joinPairs(planes: Int32Array, elements: Int32Array): void {
  const length = elements.length / 2
  for (let i = 0; i < length; i++) {
    const first = swapMiddle(planes[i])
    const second = swapMiddle(planes[i + length])
    elements[2 * i] = (first & 0x00ff00ff) | ((second & 0x00ff00ff) << 8)
    elements[2 * i + 1] = ((first >>> 8) & 0x00ff00ff) | (second & 0xff00ff00)
  }
}

/** Bytes 0 1 2 3 become 0 2 1 3. */
function swapMiddle(word: number): number {
  return (word & 0xff0000ff) | ((word >>> 8) & 0xff00) | ((word << 8) & 0xff0000)
}
