// Numbers that stand for no value, such as -9999 or all above 100, become NaN, which counts as absent in reductions and
// statistics.

import { elementSize, type FloatType } from '@hyperslab/model/datatype'
import { loaderOf, type NumericType, RUN } from '@hyperslab/model/reduction'
import {
  type Elements,
  EMPTY_HEAP,
  integerOf,
  type Piece,
  readFloat,
  readInteger,
  writeFloat,
} from '@hyperslab/model/values'

/** A number of a request: a bigint only beyond +-2^53. */
type GivenNumber = number | bigint

export interface MissingNumbers {
  readonly missing?: readonly GivenNumber[] | undefined
  /** All numbers outside are missing; an absent bound is no bound. */
  readonly valid?:
    | { readonly min?: GivenNumber | undefined; readonly max?: GivenNumber | undefined }
    | undefined
}

/** Elements between two steps. */
const STEP = 8 * RUN

export class MissingMarker {
  /** A float that holds all numbers of the elements, but for integers of 64 bits, which are rounded. */
  readonly type: FloatType
  readonly #source: NumericType
  readonly #load: ReturnType<typeof loaderOf>
  readonly #missing: readonly GivenNumber[]
  readonly #min: GivenNumber
  readonly #max: GivenNumber

  constructor(source: NumericType, { missing = [], valid = {} }: MissingNumbers) {
    const size = elementSize(source)
    const isSingle = source.class === 'H5T_FLOAT' ? size <= 4 : size <= 2
    this.type = { class: 'H5T_FLOAT', size: isSingle ? 4 : 8, order: 'LE' }
    this.#source = source
    this.#load = loaderOf(source)
    const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = valid
    this.#missing = missing.map(number => rounded(source, number))
    this.#min = rounded(source, min)
    this.#max = rounded(source, max)
  }

  /** Between two steps, other work may run. */
  *push(piece: Piece): Generator<Piece> {
    if ('element' in piece) {
      yield { count: piece.count, element: this.#marked(piece.element, 0, 1) }
      return
    }
    for (let first = 0; first < piece.count; first += STEP)
      yield this.#marked(piece, first, Math.min(STEP, piece.count - first))
  }

  #marked({ data }: Elements, first: number, count: number): Elements {
    const numbers = new Float64Array(count)
    for (let done = 0; done < count; done += RUN)
      this.#load(data, 0, first + done, Math.min(RUN, count - done), numbers.subarray(done))
    if (this.#isWide) this.#markWide(data, first, numbers)
    else this.#mark(numbers)
    const { buffer } = this.type.size === 4 ? new Float32Array(numbers) : numbers
    return { count, data: new Uint8Array(buffer), heap: EMPTY_HEAP }
  }

  /** Integers that no double holds exactly. */
  get #isWide(): boolean {
    return this.#source.class !== 'H5T_FLOAT' && elementSize(this.#source) === 8
  }

  #mark(numbers: Float64Array): void {
    const [min, max] = [Number(this.#min), Number(this.#max)]
    for (let i = 0; i < numbers.length; i++) {
      const number = numbers[i]
      if (number < min || number > max) numbers[i] = Number.NaN
    }
    for (const missing of this.#missing)
      for (let i = 0; i < numbers.length; i++) if (numbers[i] === missing) numbers[i] = Number.NaN
  }

  #markWide(data: Uint8Array, first: number, numbers: Float64Array): void {
    const source = this.#source
    if (source.class === 'H5T_FLOAT') return
    const type = integerOf(source)
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
    for (let i = 0; i < numbers.length; i++) {
      const number = readInteger(type, view, (first + i) * 8)
      if (number < this.#min || number > this.#max || this.#missing.includes(number)) numbers[i] = Number.NaN
    }
  }
}

/** The nearest number of a float type: a file that says 1e20 has elements of 1.00000002004e20. */
function rounded(type: NumericType, number: GivenNumber): GivenNumber {
  if (type.class !== 'H5T_FLOAT') return number
  const view = new DataView(new ArrayBuffer(8))
  writeFloat(type, view, 0, Number(number))
  return readFloat(type, view, 0)
}
