// Elements that another dataset says to be bad, as the pixel mask of a detector does for each of its images: they
// become NaN, which counts as absent in reductions and statistics.

import { elementSize, type FloatType } from '@hyperslab/model/datatype'
import { loaderOf, type NumericType, RUN } from '@hyperslab/model/reduction'
import { type Elements, EMPTY_HEAP, type Piece } from '@hyperslab/model/values'

/** Bits that are set where an element of a mask is not 0. */
export class Mask {
  readonly length: number
  readonly #bits: Uint8Array
  readonly #load: ReturnType<typeof loaderOf>
  readonly #run = new Float64Array(RUN)
  #filled = 0

  constructor(type: NumericType, length: number) {
    this.length = length
    this.#bits = new Uint8Array(Math.ceil(length / 8))
    this.#load = loaderOf(type)
  }

  /** Takes the next elements of the mask. Between two steps, other work may run. */
  *fill(piece: Piece): Generator<undefined> {
    const run = this.#run
    const isEqual = 'element' in piece
    if (isEqual) {
      this.#load(piece.element.data, 0, 0, 1, run)
      run.fill(run[0])
    }
    for (let done = 0; done < piece.count; done += RUN) {
      const length = Math.min(RUN, piece.count - done)
      if (!isEqual) this.#load(piece.data, 0, done, length, run)
      for (let i = 0; i < length; i++) if (run[i] !== 0) this.#set(this.#filled + i)
      this.#filled += length
      yield undefined
    }
  }

  has(index: number): boolean {
    return ((this.#bits[index >> 3] >> (index & 7)) & 1) === 1
  }

  /** The end of the elements from `start` on that are all bad or all good, at most `end`. */
  endOfRun(start: number, end: number): number {
    const isBad = this.has(start)
    const same = isBad ? 255 : 0
    let index = start + 1
    while (index < end) {
      if ((index & 7) === 0 && this.#bits[index >> 3] === same) index += 8
      else if (this.has(index) === isBad) index++
      else break
    }
    return Math.min(index, end)
  }

  #set(index: number): void {
    this.#bits[index >> 3] |= 1 << (index & 7)
  }
}

/** Floats in the order of their elements, which the mask covers once or several times, one after another. */
export class MaskMarker {
  readonly type: FloatType
  readonly #mask: Mask
  readonly #nan: Elements
  #at = 0

  constructor(type: FloatType, mask: Mask) {
    this.type = type
    this.#mask = mask
    const { buffer } = elementSize(type) === 4 ? Float32Array.of(Number.NaN) : Float64Array.of(Number.NaN)
    this.#nan = { count: 1, data: new Uint8Array(buffer), heap: EMPTY_HEAP }
  }

  /** Changes the elements of the piece. Between two steps, other work may run. */
  *push(piece: Piece): Generator<Piece> {
    if ('element' in piece) yield* this.#pushEqual(piece.count, piece.element)
    else {
      const { count, data } = piece
      const isSingle = elementSize(this.type) === 4
      const numbers = isSingle
        ? new Float32Array(data.buffer, data.byteOffset, count)
        : new Float64Array(data.buffer, data.byteOffset, count)
      for (let i = 0; i < numbers.length; i++) {
        if (this.#mask.has(this.#at)) numbers[i] = Number.NaN
        this.#moveBy(1)
      }
      yield piece
    }
  }

  *#pushEqual(count: number, element: Elements): Generator<Piece> {
    for (let left = count; left > 0; ) {
      const isBad = this.#mask.has(this.#at)
      const end = this.#mask.endOfRun(this.#at, Math.min(this.#mask.length, this.#at + left))
      const length = end - this.#at
      yield { count: length, element: isBad ? this.#nan : element }
      this.#moveBy(length)
      left -= length
    }
  }

  #moveBy(count: number): void {
    this.#at += count
    if (this.#at === this.#mask.length) this.#at = 0
  }
}
