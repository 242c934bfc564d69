// Applies the patches of a chunk to its elements. Only this file does so.

import type { ChunkPart } from '@hyperslab/model/selection'
import type { ElementsBuilder } from '@hyperslab/model/values'
import type { Patch } from './chunk-index.ts'

/**
 * Applies the patches, in their order, to the elements of the chunk from `first` on, up to the length of the builder.
 */
export async function applyPatches(
  builder: ElementsBuilder,
  first: number,
  patches: AsyncIterable<Patch>,
): Promise<void> {
  for await (const { runs, elements, from, fields } of patches) {
    builder.scatter(partWithin(runs, from, first, first + builder.capacity), elements, fields)
  }
}

/**
 * The elements of runs between two offsets of the chunk, as a part whose offsets count from `from` and from `first`.
 */
function partWithin(runs: readonly number[], from: number, first: number, end: number): ChunkPart {
  return {
    chunk: [],
    count: 0,
    covers: false,
    first: 0,
    end: end - first,
    runs(visit) {
      visitWithin(runs, first, end, (offset, stride, number, length) => {
        visit(offset - first, stride, number - from, length)
      })
    },
  }
}

/** The numbers, in the order of the runs, of their elements between two offsets of the chunk. */
export function numbersWithin(
  runs: readonly number[],
  first: number,
  end: number,
): { readonly from: number; readonly to: number } | undefined {
  let from = Infinity
  let to = 0
  visitWithin(runs, first, end, (_offset, _stride, number, length) => {
    from = Math.min(from, number)
    to = number + length
  })
  return from < to ? { from, to } : undefined
}

/** Calls `visit` with the offset, the stride, the number of the first element, and the length. */
function visitWithin(
  runs: readonly number[],
  first: number,
  end: number,
  visit: (offset: number, stride: number, number: number, length: number) => void,
): void {
  let number = 0
  for (let i = 0; i < runs.length; i += 3) {
    const [offset, stride, length] = [runs[i], runs[i + 1], runs[i + 2]]
    const from = Math.max(0, Math.ceil((first - offset) / stride))
    const to = Math.min(length, Math.ceil((end - offset) / stride))
    if (from < to) visit(offset + from * stride, stride, number + from, to - from)
    number += length
  }
}
