// Points as a body has them: JSON text (classic 7.9; hsds-values 7.4 and 8) or bytes (hsds-values 8). They go straight
// into an array of doubles, because there may be millions of them.

import { HyperslabError } from '../../errors.ts'
import { excerpt } from '../json.ts'
import { type MemoryCount, parseJson } from '../json-parser.ts'
import { CLOSE, COMMA, isBlank, OPEN } from '../json-syntax.ts'
import { wholeNumber } from './parse.ts'
import type { SelectionGrammar, SelectionRequest } from './request.ts'

/** An array of numbers for rank 1, of arrays of n numbers for rank n; the grammar `ranges` has no arrays of 1 number. */
export async function pointsFromJson(
  text: AsyncIterable<Uint8Array>,
  grammar: SelectionGrammar,
  memory?: MemoryCount,
): Promise<SelectionRequest> {
  const scanner = new PointScanner(grammar === 'ranges' ? 2 : 1, memory)
  for await (const piece of text) scanner.push(piece)
  return scanner.finish()
}

/**
 * Unsigned 64-bit integers, little-endian, one point after another; their rank is that of the dataset. They are
 * `length` bytes, in pieces of whole integers. Integers beyond 2^53 become doubles beyond 2^53, where no extent reaches.
 */
export async function pointsFromBytes(
  pieces: AsyncIterable<Uint8Array>,
  length: number,
): Promise<SelectionRequest> {
  if (length % 8 !== 0) {
    throw new HyperslabError(
      'malformed-selection',
      `points as bytes are unsigned 64-bit integers: ${length} bytes are no multiple of 8`,
    )
  }
  const coordinates = new Float64Array(length / 8)
  let filled = 0
  for await (const bytes of pieces) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (let at = 0; at < bytes.length; at += 8) {
      coordinates[filled++] = view.getUint32(at + 4, true) * 2 ** 32 + view.getUint32(at, true)
    }
  }
  return { kind: 'points', coordinates }
}

/** An array of doubles that grows. */
class Coordinates {
  #numbers = new Float64Array(64)
  #length = 0
  readonly #memory: MemoryCount | undefined

  constructor(memory: MemoryCount | undefined) {
    this.#memory = memory
  }

  add(number: number): void {
    if (this.#length === this.#numbers.length) {
      this.#memory?.take(this.#numbers.byteLength)
      const grown = new Float64Array(2 * this.#length)
      grown.set(this.#numbers)
      this.#numbers = grown
    }
    this.#numbers[this.#length++] = number
  }

  used(): Float64Array {
    return this.#numbers.subarray(0, this.#length)
  }
}

const ZERO = 0x30
/** Longer numbers are no coordinates, or written with needless zeros. */
const MAX_NUMBER_LENGTH = 64
/** So many decimal digits are exact as a double. */
const EXACT_DIGITS = 15

/** What may come next. `point` is an array of coordinates. */
type State = 'start' | 'first' | 'item' | 'after-item' | 'coordinate' | 'after-coordinate' | 'end'

class PointScanner {
  readonly #minRank: number
  readonly #coordinates: Coordinates
  #state: State = 'start'
  /** Undefined: the points are numbers, or there is none yet. */
  #rank: number | undefined
  #points = 0
  /** Coordinates of the point that has begun. */
  #taken = 0
  /** The text of a number that has begun. */
  readonly #number = new Uint8Array(MAX_NUMBER_LENGTH)
  #numberLength = 0

  constructor(minRank: number, memory: MemoryCount | undefined) {
    this.#minRank = minRank
    this.#coordinates = new Coordinates(memory)
  }

  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at++) {
      const code = bytes[at]
      if (isOfNumber(code)) {
        if (this.#numberLength === MAX_NUMBER_LENGTH)
          throw malformedPoints(`a number must have at most ${MAX_NUMBER_LENGTH} characters`)
        this.#number[this.#numberLength++] = code
      } else {
        if (this.#numberLength > 0) this.#endNumber()
        if (!isBlank(code)) this.#takeSign(code)
      }
    }
  }

  finish(): SelectionRequest {
    if (this.#state !== 'end') throw malformedPoints('the array does not end')
    const coordinates = this.#coordinates.used()
    if (this.#points === 0) return { kind: 'points', coordinates }
    return { kind: 'points', rank: this.#rank ?? 1, coordinates }
  }

  #takeSign(code: number): void {
    const state = this.#state
    if (code === OPEN && state === 'start') this.#state = 'first'
    else if (code === OPEN && (state === 'first' || state === 'item')) this.#beginPoint()
    else if (code === CLOSE && (state === 'first' || state === 'after-item')) this.#state = 'end'
    else if (code === CLOSE && state === 'after-coordinate') this.#endPoint()
    else if (code === COMMA && state === 'after-item') this.#state = 'item'
    else if (code === COMMA && state === 'after-coordinate') this.#state = 'coordinate'
    else throw malformedPoints(`found ${excerpt(String.fromCharCode(code))} among the points`)
  }

  #endNumber(): void {
    const state = this.#state
    if (state === 'coordinate') {
      this.#taken++
      this.#state = 'after-coordinate'
    } else if ((state === 'first' || state === 'item') && this.#rank === undefined) {
      this.#points++
      this.#state = 'after-item'
    } else {
      throw malformedPoints(`point ${this.#points} is a number, others are arrays`)
    }
    this.#coordinates.add(this.#value())
    this.#numberLength = 0
  }

  #value(): number {
    const length = this.#numberLength
    let value = 0
    let at = 0
    for (; at < length; at++) {
      const digit = this.#number[at] - ZERO
      if (digit < 0 || digit > 9) break
      value = value * 10 + digit
    }
    const isPlain = at === length && length <= EXACT_DIGITS && (length === 1 || this.#number[0] !== ZERO)
    return isPlain ? value : wholeNumber(parseJson(this.#number.subarray(0, length)), '"points"')
  }

  #beginPoint(): void {
    if (this.#rank === undefined && this.#points > 0) {
      throw malformedPoints(`point ${this.#points} is an array, others are numbers`)
    }
    this.#taken = 0
    this.#state = 'coordinate'
  }

  #endPoint(): void {
    this.#rank ??= this.#taken
    if (this.#rank < this.#minRank) throw malformedPoints('points of rank 1 must be numbers, not arrays')
    if (this.#taken !== this.#rank) {
      throw malformedPoints(
        `point 0 has ${this.#rank} coordinates, point ${this.#points} has ${this.#taken}: all must have the same number`,
      )
    }
    this.#points++
    this.#state = 'after-item'
  }
}

/** Digits and the other characters that numbers are written with. */
function isOfNumber(code: number): boolean {
  return (
    (code >= ZERO && code <= ZERO + 9) ||
    code === 0x2d ||
    code === 0x2b ||
    code === 0x2e ||
    (code | 0x20) === 0x65
  )
}

function malformedPoints(rule: string): HyperslabError {
  return new HyperslabError('malformed-selection', `"points" must be an array of points: ${rule}`)
}
