// Points in a body as JSON text (classic 7.9; hsds-values 7.4 and 8). They go straight into an array of doubles,
// because there may be millions of them.

import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt, type JsonValue } from './json.ts'
import { JsonCursor, OUT_OF_BYTES } from './json-cursor.ts'
import { floatsTaker, MAX_NUMBER_TEXT } from './json-numbers.ts'
import type { MemoryCount } from './json-parser.ts'
import { CLOSE, COMMA, OPEN } from './json-syntax.ts'

interface Points {
  readonly kind: 'points'
  readonly rank?: number
  readonly coordinates: Float64Array
}

/**
 * An array of numbers for rank 1, of arrays of n numbers for rank n, and n is at least `minRank`.
 */
export async function pointsFromJson(
  text: AsyncIterable<Uint8Array>,
  minRank: 1 | 2,
  memory?: MemoryCount,
): Promise<Points> {
  const reader = new PointReader(minRank, memory)
  for await (const piece of text) reader.push(piece)
  return reader.finish()
}

/** Node's machines are little-endian, so these are the doubles of a `Float64Array`. */
const takeDoubles = floatsTaker({ class: 'H5T_FLOAT', size: 8, order: 'LE' })

/** An array of doubles that grows. */
class Coordinates {
  #numbers = new Float64Array(64)
  #view = new DataView(this.#numbers.buffer)
  #length = 0
  readonly #memory: MemoryCount | undefined

  constructor(memory: MemoryCount | undefined) {
    this.#memory = memory
  }

  /** Adds the numbers at the cursor, which only commas separate, up to the room. Returns their number, at least 1. */
  take(cursor: JsonCursor): number {
    if (this.#length === this.#numbers.length) this.#grow()
    const numbers = this.#numbers
    const from = this.#length
    const taken = takeDoubles(cursor, this.#view, 8 * from, numbers.length - from)
    if (taken === 0) {
      // The last few bytes of a piece are read with the next piece, in the fast way.
      if (cursor.isShort(MAX_NUMBER_TEXT)) throw OUT_OF_BYTES
      numbers[this.#length++] = wholeNumber(cursor.json(), '"points"')
      return 1
    }
    this.#length += taken
    for (let i = from; i < this.#length; i++) {
      // The test of most numbers is inlined, because a call for each is slow.
      if (!(Number.isSafeInteger(numbers[i]) && numbers[i] > 0))
        numbers[i] = wholeNumber(numbers[i], '"points"')
    }
    return taken
  }

  #grow(): void {
    this.#memory?.take(this.#numbers.byteLength)
    const grown = new Float64Array(2 * this.#length)
    grown.set(this.#numbers)
    this.#numbers = grown
    this.#view = new DataView(grown.buffer)
  }

  used(): Float64Array {
    return this.#numbers.subarray(0, this.#length)
  }
}

/** The tokens that may come next. An item is a point or, within a point, a coordinate. */
type ExpectedToken = 'start' | 'item-or-end' | 'item' | 'separator' | 'end'

class PointReader {
  readonly #minRank: number
  readonly #cursor = new JsonCursor()
  readonly #coordinates: Coordinates
  #expected: ExpectedToken = 'start'
  /** Undefined: the points are numbers, or there is none yet. */
  #rank: number | undefined
  #points = 0
  /** Coordinates so far of the point that has begun; undefined: none has. */
  #taken: number | undefined

  constructor(minRank: number, memory: MemoryCount | undefined) {
    this.#minRank = minRank
    this.#coordinates = new Coordinates(memory)
  }

  /** The piece may be overwritten afterwards. */
  push(text: Uint8Array): void {
    if (!this.#cursor.append(text)) return
    this.#read()
    this.#cursor.keepRest()
  }

  finish(): Points {
    this.#cursor.complete()
    this.#read()
    const coordinates = this.#coordinates.used()
    if (this.#points === 0) return { kind: 'points', coordinates }
    return { kind: 'points', rank: this.#rank ?? 1, coordinates }
  }

  /** Reads until the text that has arrived is used up. */
  #read(): void {
    try {
      while (this.#expected !== 'end') this.#step()
      if (!this.#cursor.isAtEnd()) throw this.#cursor.unexpected('the end')
    } catch (error) {
      if (error === OUT_OF_BYTES) return
      const isSyntax = error instanceof HyperslabError && error.code === 'malformed-json'
      throw isSyntax ? error.within('in the member "points"') : error
    }
  }

  #step(): void {
    const cursor = this.#cursor
    const code = cursor.next()
    if (this.#expected === 'separator') {
      if (code !== COMMA && code !== CLOSE) throw cursor.unexpected('"," or "]"')
      cursor.index++
      if (code === COMMA) this.#expected = 'item'
      else this.#close()
    } else if (this.#expected === 'start') {
      if (code !== OPEN) throw malformedPoints(`${excerpt(cursor.json())} is not an array`)
      cursor.index++
      this.#expected = 'item-or-end'
    } else if (code === CLOSE && this.#expected === 'item-or-end') {
      cursor.index++
      this.#close()
    } else if (code === OPEN && this.#taken === undefined) {
      cursor.index++
      this.#beginPoint()
    } else {
      this.#takeNumbers()
    }
  }

  /** Coordinates of the point that has begun, or points of rank 1. */
  #takeNumbers(): void {
    if (this.#taken !== undefined) {
      this.#taken += this.#coordinates.take(this.#cursor)
    } else if (this.#rank === undefined) {
      this.#points += this.#coordinates.take(this.#cursor)
    } else {
      throw malformedPoints(`point ${this.#points} is ${excerpt(this.#cursor.json())}, others are arrays`)
    }
    this.#expected = 'separator'
  }

  #beginPoint(): void {
    if (this.#rank === undefined && this.#points > 0) {
      throw malformedPoints(`point ${this.#points} is an array, others are numbers`)
    }
    this.#taken = 0
    this.#expected = 'item-or-end'
  }

  /** The array of points ends, or the point that has begun. */
  #close(): void {
    if (this.#taken === undefined) {
      this.#expected = 'end'
      return
    }
    this.#rank ??= this.#taken
    if (this.#rank === 0) throw malformedPoints('a point must have coordinates')
    if (this.#rank < this.#minRank) throw malformedPoints('points of rank 1 must be numbers, not arrays')
    if (this.#taken !== this.#rank) {
      throw malformedPoints(
        `point 0 has ${this.#rank} coordinates, point ${this.#points} has ${this.#taken}: all must have the ` +
          'same number',
      )
    }
    this.#points++
    this.#taken = undefined
    this.#expected = 'separator'
  }
}

function malformedPoints(rule: string): HyperslabError {
  return new HyperslabError('malformed-selection', `"points" must be an array of points: ${rule}`)
}

/** `name` is what the number belongs to, for the message of the error. */
export function wholeNumber(json: JsonValue, name: string): number {
  if (typeof json === 'bigint' || (typeof json === 'number' && Math.abs(json) > Number.MAX_SAFE_INTEGER)) {
    throw new HyperslabError('selection-out-of-bounds', `${name} holds ${json}, which is beyond 2^53 - 1`)
  }
  if (typeof json !== 'number' || !Number.isInteger(json)) {
    throw new HyperslabError('malformed-selection', `${name} must hold whole numbers only`)
  }
  return json === 0 ? 0 : json
}
