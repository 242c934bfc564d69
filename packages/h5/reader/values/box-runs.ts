// A box of a row-major array as runs of adjacent elements, and the copy of a box from one array to another.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { product } from '@hyperslab/model/dataset'
import { rowMajorStrides } from '@hyperslab/model/selection'

/** The elements of a box in two arrays, as runs with their offsets in each, all of `length` elements. */
export interface BoxRuns {
  readonly length: number
  /** Runs of the box. */
  readonly count: number
  /** Calls `visit` with the offsets, in elements, of runs from `first` on, `end` excluded, in order. */
  readonly each: (first: number, end: number, visit: (from: number, to: number) => void) => void
}

/** The same box at two positions, one in an array of extents `fromDims`, one in an array of extents `toDims`. */
export function runsOfBox(
  count: readonly number[],
  fromDims: readonly number[],
  fromStart: readonly number[],
  toDims: readonly number[],
  toStart: readonly number[],
): BoxRuns {
  // Dimensions that are whole in both arrays make the runs longer.
  let outer = count.length
  let length = 1
  let isWhole = true
  while (outer > 0 && isWhole) {
    outer--
    length *= count[outer]
    isWhole = count[outer] === fromDims[outer] && count[outer] === toDims[outer]
  }
  const [fromStrides, toStrides] = [rowMajorStrides(fromDims), rowMajorStrides(toDims)]
  const offsetOf = (strides: readonly number[], start: readonly number[]) =>
    start.reduce((offset, coordinate, d) => offset + coordinate * strides[d], 0)
  const [fromBase, toBase] = [offsetOf(fromStrides, fromStart), offsetOf(toStrides, toStart)]
  const runs = count.includes(0) ? 0 : product(count.slice(0, outer))
  return {
    length,
    count: runs,
    each(first, end, visit) {
      const coordinates = new Array<number>(outer).fill(0)
      let [from, to] = [fromBase, toBase]
      let rest = first
      for (let d = outer - 1; d >= 0; d--) {
        coordinates[d] = rest % count[d]
        rest = Math.floor(rest / count[d])
        from += coordinates[d] * fromStrides[d]
        to += coordinates[d] * toStrides[d]
      }
      for (let run = first; run < end; run++) {
        visit(from, to)
        for (let d = outer - 1; d >= 0; d--) {
          from += fromStrides[d]
          to += toStrides[d]
          if (++coordinates[d] < count[d]) break
          from -= count[d] * fromStrides[d]
          to -= count[d] * toStrides[d]
          coordinates[d] = 0
        }
      }
    },
  }
}

/** Below this a loop is faster than `set` with a view. */
const LOOP_LIMIT = 32

/** Copies all runs; elements have `size` bytes. */
export function copyRuns(runs: BoxRuns, size: number, source: Uint8Array, target: Uint8Array): void {
  copySome(runs, size, source, target, 0, runs.count)
}

/** Runs that are copied in one turn of the event loop. @limit safety, runs */
const MAX_RUNS = 16_384
/** Bytes that are copied in one turn of the event loop. @limit safety, bytes */
const MAX_BYTES = 2 ** 20

/** Copies the runs of a box of megabytes, in several turns of the event loop. */
export async function copyRunsInTurns(
  runs: BoxRuns,
  size: number,
  source: Uint8Array,
  target: Uint8Array,
): Promise<void> {
  const some = Math.max(1, Math.min(MAX_RUNS, Math.floor(MAX_BYTES / (runs.length * size))))
  for (let first = 0; first < runs.count; first += some) {
    if (isTurnOver()) await nextTurn()
    copySome(runs, size, source, target, first, Math.min(runs.count, first + some))
  }
}

function copySome(
  runs: BoxRuns,
  size: number,
  source: Uint8Array,
  target: Uint8Array,
  first: number,
  end: number,
): void {
  const length = runs.length * size
  runs.each(first, end, (from, to) => {
    const [read, write] = [from * size, to * size]
    if (length > LOOP_LIMIT) target.set(source.subarray(read, read + length), write)
    else for (let i = 0; i < length; i++) target[write + i] = source[read + i]
  })
}
