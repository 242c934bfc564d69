// Selected values without missing ones, or one part of complex ones, brought down in size before they are sent, and
// statistics of them.

import { type AbortCheck, isTurnOver, nextTurn, runInTurns } from '@hyperslab/base/bounded'
import { product } from '@hyperslab/model/dataset'
import { type Datatype, elementSize, type FloatType } from '@hyperslab/model/datatype'
import {
  loaderOf,
  type NumericType,
  planReduction,
  Reducer,
  type Reduction,
  type ReductionRequest,
  RUN,
  requireNumeric,
  type SingleName,
} from '@hyperslab/model/reduction'
import { type Elements, EMPTY_HEAP, type Piece } from '@hyperslab/model/values'
import type { Context } from '../context.ts'
import { type ComplexPart, PartMaker } from '../reduction/complex-part.ts'
import { MissingMarker, type MissingNumbers } from '../reduction/missing.ts'
import { Histogram, Summarizer, type Summary } from '../reduction/statistics.ts'
import { givenAs, type SelectedValues } from './values.ts'

/** Floats of which the missing ones are NaN. `type-unsupported` for values that are not numbers. */
export function markMissing(
  context: Pick<Context, 'signal'>,
  values: SelectedValues,
  numbers: MissingNumbers,
): SelectedValues & { readonly type: FloatType } {
  requireNumeric(values.type, 'missing')
  const { type } = values
  return changedValues(context, values, () => new MissingMarker(type, numbers))
}

/** Floats, one of each complex number. `type-unsupported` for other values. */
export function takePart(
  context: Pick<Context, 'signal'>,
  values: SelectedValues,
  part: ComplexPart,
): SelectedValues {
  return changedValues(context, values, () => new PartMaker(values.type, part))
}

interface Maker<Type extends Datatype> {
  readonly type: Type
  push(piece: Piece): Generator<Piece>
}

/** Values of another type, each of which is made of one; each reading has a maker of its own. */
export function changedValues<Type extends Datatype>(
  { signal }: Pick<Context, 'signal'>,
  values: SelectedValues,
  newMaker: () => Maker<Type>,
): SelectedValues & { readonly type: Type } {
  async function* made(): AsyncGenerator<Piece> {
    const maker = newMaker()
    for await (const piece of values.pieces) {
      for (const part of maker.push(piece)) {
        yield part
        signal.throwIfAborted()
        if (isTurnOver()) await nextTurn()
      }
    }
  }
  const { type } = newMaker()
  return { ...values, type, ...givenAs(type, made, signal) }
}

/**
 * Values of another type and shape, made while these are read. Throws what `planReduction` does. Those of a null
 * dataspace stay absent.
 */
export function reduceValues(
  { signal }: Pick<Context, 'signal'>,
  values: SelectedValues,
  request: ReductionRequest,
): SelectedValues {
  const { type, shape, pieces } = values
  if (shape === undefined) return values
  const reduction = planReduction(type, shape, request)
  return {
    ...values,
    ...reduction.result,
    ...givenAs(reduction.result.type, () => reduced(reduction, pieces, signal), signal),
  }
}

async function* reduced(
  reduction: Reduction,
  pieces: AsyncIterable<Piece>,
  signal: AbortCheck,
): AsyncGenerator<Elements> {
  const reducer = new Reducer(reduction)
  for await (const piece of pieces) {
    for (const part of reducer.push(piece)) {
      if (part) yield part
      // One piece may make any number of blocks.
      signal.throwIfAborted()
      if (isTurnOver()) await nextTurn()
    }
  }
}

/**
 * Values that are reduced in several ways in one reading, as doubles. Throws what `planReduction` does. The dataspace
 * must not be null.
 */
export async function reduceToNumbers(
  { signal }: Pick<Context, 'signal'>,
  values: SelectedValues,
  names: readonly SingleName[],
  factors: readonly number[],
): Promise<readonly Float64Array[]> {
  const { type, shape = [], pieces } = values
  const results = names.map(name => {
    const reduction = planReduction(type, shape, { name, factors })
    return { reducer: new Reducer(reduction), numbers: new NumberList(reduction.result) }
  })
  for await (const piece of pieces) {
    for (const { reducer, numbers } of results) {
      for (const part of reducer.push(piece)) {
        if (part) numbers.add(part)
        signal.throwIfAborted()
        if (isTurnOver()) await nextTurn()
      }
    }
  }
  return results.map(({ numbers }) => numbers.all)
}

/** The elements of a result as doubles. */
class NumberList {
  readonly all: Float64Array
  readonly #size: number
  readonly #load: ReturnType<typeof loaderOf>
  #length = 0

  constructor({ type, shape }: Reduction['result']) {
    this.all = new Float64Array(product(shape))
    this.#size = elementSize(type)
    this.#load = loaderOf(type)
  }

  add({ count, data }: Elements): void {
    for (let done = 0; done < count; done += RUN) {
      const length = Math.min(RUN, count - done)
      this.#load(data, done * this.#size, 0, length, this.all.subarray(this.#length))
      this.#length += length
    }
  }
}

/** A summary, and how many finite numbers are in each of some bins of equal width. */
export interface ValueStatistics extends Summary {
  /** Absent if no number is finite. */
  readonly histogram?: { readonly min: number; readonly max: number; readonly counts: readonly number[] }
}

/**
 * The most bytes of values that are kept for the histogram, which needs the extremes first; more are read twice.
 * @limit memory, bytes
 */
const MAX_HELD_BYTES = 2 ** 22

/**
 * `bins`: of the histogram; 0: there is none. Undefined: the dataspace is null. `type-unsupported` for values that are
 * not numbers.
 */
export async function summarizeValues(
  { type, shape, pieces }: SelectedValues,
  bins: number,
): Promise<ValueStatistics | undefined> {
  if (shape === undefined) return undefined
  requireNumeric(type, 'statistics')
  const held = new HeldPieces()
  const summarizer = await summarize(type, bins === 0 ? pieces : held.passing(pieces))
  const { range } = summarizer
  if (!range || bins === 0) return summarizer.result()
  const histogram = new Histogram(type, range.min, range.max, bins)
  for await (const piece of held.all ?? pieces) await runInTurns(histogram.push(piece))
  const { min, max, counts } = histogram
  return { ...summarizer.result(), histogram: { min, max, counts: Array.from(counts) } }
}

/** Copies of the pieces that passed, while they are few. */
class HeldPieces {
  #pieces: Piece[] | undefined = []
  #bytesLeft = MAX_HELD_BYTES

  async *passing(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
    for await (const piece of pieces) {
      this.#hold(piece)
      yield piece
    }
  }

  /** Undefined: they are too many. */
  get all(): readonly Piece[] | undefined {
    return this.#pieces
  }

  #hold(piece: Piece): void {
    const { data } = 'element' in piece ? piece.element : piece
    this.#bytesLeft -= data.length + PIECE_OVERHEAD
    if (this.#bytesLeft < 0) this.#pieces = undefined
    if (!this.#pieces) return
    const copied = { data: data.slice(), heap: EMPTY_HEAP }
    this.#pieces.push(
      'element' in piece
        ? { count: piece.count, element: { count: 1, ...copied } }
        : { count: piece.count, ...copied },
    )
  }
}

/** The memory of a piece beside its bytes, about. */
const PIECE_OVERHEAD = 200

/** The extremes of the finite numbers; undefined if there are none. */
export async function findRange(
  type: Datatype,
  pieces: AsyncIterable<Piece>,
): Promise<{ readonly min: number; readonly max: number } | undefined> {
  requireNumeric(type, 'a range')
  return (await summarize(type, pieces)).range
}

/** For each bound, the smallest number from it on; undefined: there is none. The dataspace must not be null. */
export async function leastFrom(
  { signal }: Pick<Context, 'signal'>,
  { type, pieces }: SelectedValues,
  bounds: readonly number[],
): Promise<readonly (number | undefined)[]> {
  requireNumeric(type, 'statistics')
  const load = loaderOf(type)
  const run = new Float64Array(RUN)
  const least = bounds.map((): number | undefined => undefined)
  const add = (count: number) => {
    for (let i = 0; i < count; i++) {
      const value = run[i]
      for (let b = 0; b < bounds.length; b++)
        if (value >= bounds[b] && !(value >= (least[b] ?? Number.NaN))) least[b] = value
    }
  }
  for await (const piece of pieces) {
    const { count, data } = 'element' in piece ? piece.element : piece
    for (let done = 0; done < count; done += RUN) {
      const length = Math.min(RUN, count - done)
      load(data, 0, done, length, run)
      add(length)
      signal.throwIfAborted()
      if (isTurnOver()) await nextTurn()
    }
  }
  return least
}

async function summarize(type: NumericType, pieces: AsyncIterable<Piece>): Promise<Summarizer> {
  const summarizer = new Summarizer(type)
  for await (const piece of pieces) await runInTurns(summarizer.push(piece))
  return summarizer
}
