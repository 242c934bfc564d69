// Patches of a chunk laid over its elements. Only this file knows how.

import type { ChunkPart } from '../hdf5/selection/selection.ts'
import type { ElementsBuilder } from '../hdf5/values/elements-builder.ts'
import type { Patch } from './chunk-index.ts'

/** Lays the patches, in their order, over the elements of the chunk from `first` on, as many as the builder holds. */
export function applyPatches(builder: ElementsBuilder, first: number, patches: readonly Patch[]): void {
  for (const { runs, elements, fields } of patches) {
    builder.scatter(partWithin(runs, first, first + builder.capacity), elements, fields)
  }
}

/** What runs have between two offsets of the chunk, as a part whose offsets count from the first of these. */
function partWithin(runs: readonly number[], first: number, end: number): ChunkPart {
  return {
    chunk: [],
    count: 0,
    covers: false,
    first: 0,
    end: end - first,
    runs(visit) {
      let at = 0
      for (let i = 0; i < runs.length; i += 3) {
        const [offset, stride, length] = [runs[i], runs[i + 1], runs[i + 2]]
        const from = Math.max(0, Math.ceil((first - offset) / stride))
        const to = Math.min(length, Math.ceil((end - offset) / stride))
        if (from < to) visit(offset + from * stride - first, stride, at + from, to - from)
        at += length
      }
    },
  }
}
