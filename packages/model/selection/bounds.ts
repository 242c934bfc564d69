// The smallest box around the elements of a selection.

import type { Hyperslab, Selection } from './selection.ts'

/** The elements from `start` on, below `stop`, in each dimension; of a scalar both are empty. */
export interface Bounds {
  readonly start: readonly number[]
  readonly stop: readonly number[]
}

/** Undefined: nothing is selected. */
export function boundsOf(selection: Selection): Bounds | undefined {
  switch (selection.kind) {
    case 'hyperslab':
      return boundsOfHyperslab(selection)
    case 'points': {
      const { rank, coordinates } = selection
      return boundsOfColumns(coordinates, rank)
    }
    case 'lists': {
      const { listed, coordinates, rest } = selection
      const columns = boundsOfColumns(coordinates, listed.length)
      const others = boundsOfHyperslab(rest)
      if (columns === undefined || others === undefined) return undefined
      const start = [...others.start]
      const stop = [...others.stop]
      for (const [column, dimension] of listed.entries()) {
        start.splice(dimension, 0, columns.start[column])
        stop.splice(dimension, 0, columns.stop[column])
      }
      return { start, stop }
    }
  }
}

/** The smallest box around both, of the same rank. */
export function joinBounds(a: Bounds, b: Bounds): Bounds {
  return {
    start: a.start.map((start, d) => Math.min(start, b.start[d])),
    stop: a.stop.map((stop, d) => Math.max(stop, b.stop[d])),
  }
}

function boundsOfHyperslab({ start, stride, count, block }: Hyperslab): Bounds | undefined {
  if (count.some((blocks, d) => blocks * block[d] === 0)) return undefined
  return { start, stop: start.map((first, d) => first + (count[d] - 1) * stride[d] + block[d]) }
}

/** Coordinates of `rank` columns, one point after another. */
function boundsOfColumns(coordinates: Float64Array, rank: number): Bounds | undefined {
  if (coordinates.length === 0) return undefined
  const start = new Array<number>(rank).fill(Number.POSITIVE_INFINITY)
  const stop = new Array<number>(rank).fill(0)
  for (let i = 0; i < coordinates.length; i++) {
    const column = i % rank
    start[column] = Math.min(start[column], coordinates[i])
    stop[column] = Math.max(stop[column], coordinates[i] + 1)
  }
  return { start, stop }
}
