// Selections of a dataset that are written.

import type { Hyperslab } from '@hyperslab/model/selection'
import type { SourceDataset } from '../source.ts'

/** All elements of a dataset. */
export function wholeOf({ space }: SourceDataset): Hyperslab {
  const dims = space.class === 'H5S_SIMPLE' ? space.dims : []
  return box(
    dims.map(() => 0),
    dims,
  )
}

export function box(start: readonly number[], count: readonly number[]): Hyperslab {
  const ones = count.map(() => 1)
  return { kind: 'hyperslab', start, stride: ones, count, block: ones }
}
