// One number of each complex one: its amplitude, phase, real or imaginary part.

import { HyperslabError } from '@hyperslab/base/errors'
import { complexPart, type Datatype, elementSize, type FloatType } from '@hyperslab/model/datatype'
import { loaderOf, RUN } from '@hyperslab/model/reduction'
import { type Elements, EMPTY_HEAP, type Piece } from '@hyperslab/model/values'

type MakeNumber = (real: number, imaginary: number) => number

const PARTS = {
  amplitude: absolute,
  /** Radians from -pi to pi. */
  phase: (real: number, imaginary: number) => Math.atan2(imaginary, real),
  real: (real: number) => real,
  imaginary: (_: number, imaginary: number) => imaginary,
} satisfies Record<string, MakeNumber>

export type ComplexPart = keyof typeof PARTS

export const COMPLEX_PARTS = Object.keys(PARTS) as readonly ComplexPart[]

/** The function of Node is ten times slower, and needed only where a square is beyond what a double can be. */
function absolute(real: number, imaginary: number): number {
  const square = real * real + imaginary * imaginary
  return square > 1e-290 && square < Number.POSITIVE_INFINITY
    ? Math.sqrt(square)
    : Math.hypot(real, imaginary)
}

/** Elements between two steps. */
const STEP = 4 * RUN

export class PartMaker {
  /** The type of the two floats, or the next longer one that typed arrays have. */
  readonly type: FloatType
  readonly #load: ReturnType<typeof loaderOf>
  readonly #make: MakeNumber

  /** Throws `type-unsupported` unless the elements are complex numbers. */
  constructor(source: Datatype, part: ComplexPart) {
    const float = complexPart(source)
    if (float === undefined) {
      const rule = `part=${part} needs complex numbers: these values are ${source.class}`
      throw new HyperslabError('type-unsupported', rule)
    }
    this.type = { class: 'H5T_FLOAT', size: elementSize(float) <= 4 ? 4 : 8, order: 'LE' }
    this.#load = loaderOf(float)
    this.#make = PARTS[part]
  }

  /** Between two steps, other work may run. */
  *push(piece: Piece): Generator<Piece> {
    if ('element' in piece) {
      yield { count: piece.count, element: this.#made(piece.element, 0, 1) }
      return
    }
    for (let first = 0; first < piece.count; first += STEP)
      yield this.#made(piece, first, Math.min(STEP, piece.count - first))
  }

  #made({ data }: Elements, first: number, count: number): Elements {
    const [parts, make] = [new Float64Array(2 * count), this.#make]
    for (let done = 0; done < parts.length; done += RUN)
      this.#load(data, 0, 2 * first + done, Math.min(RUN, parts.length - done), parts.subarray(done))
    const numbers = this.type.size === 4 ? new Float32Array(count) : new Float64Array(count)
    for (let i = 0; i < count; i++) numbers[i] = make(parts[2 * i], parts[2 * i + 1])
    return { count, data: new Uint8Array(numbers.buffer), heap: EMPTY_HEAP }
  }
}
