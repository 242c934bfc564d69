// Checks a SelectionRequest against a dataspace: the Selection that comes out lies inside the extents, and nobody
// after this checks again. Rules: contract 10, 7.9, 7.10 and 15.2.

import { HyperslabError } from '../../errors.ts'
import type { Dataspace } from '../dataspace.ts'
import type { SelectionRequest } from './request.ts'
import type { Hyperslab, Points, Selection } from './selection.ts'

/** What dialects do differently. */
export interface SelectionRules {
  /** Whether `a:b` with a >= b selects nothing (classic) or is an error (contract 30, 9.1). Default: allowed. */
  readonly emptyRanges?: 'allowed' | 'refused'
}

/**
 * A scalar has one element and rank 0: `select` is ignored there (contract 10, 7.8), while `start`, `stop`, `step`
 * and `points` are errors. A null dataspace has nothing to select: `null-dataspace`.
 */
export function resolveSelection(
  request: SelectionRequest,
  space: Dataspace,
  rules: SelectionRules = {},
): Selection {
  if (space.class === 'H5S_NULL') {
    throw new HyperslabError('null-dataspace', 'a null dataspace has no elements that could be selected')
  }
  if (space.class === 'H5S_SCALAR') return resolveScalar(request)
  const { dims } = space
  switch (request.kind) {
    case 'all':
      return all(dims)
    case 'select':
      return resolveSelect(request, dims, rules)
    case 'hyperslab':
      return resolveHyperslab(request, dims)
    case 'points':
      return resolvePoints(request, dims)
  }
}

function resolveScalar(request: SelectionRequest): Selection {
  if (request.kind === 'hyperslab' || request.kind === 'points') {
    const asked = request.kind === 'points' ? 'points' : 'start, stop and step'
    throw new HyperslabError('malformed-selection', `a scalar dataset has no dimensions: no ${asked}`)
  }
  return all([])
}

function all(dims: readonly number[]): Hyperslab {
  const ones = dims.map(() => 1)
  return { kind: 'hyperslab', start: dims.map(() => 0), stride: ones, count: dims, block: ones }
}

type RequestOf<K extends SelectionRequest['kind']> = Extract<SelectionRequest, { kind: K }>

function resolveSelect({ items }: RequestOf<'select'>, dims: readonly number[], rules: SelectionRules) {
  checkRank('select', items.length, dims)
  return hyperslab(
    dims.map((extent, dimension) => {
      const { start = 0, stop = extent, step = 1 } = items[dimension]
      checkBounds('select', dimension, start <= extent, `start ${start}`, extent)
      checkBounds('select', dimension, stop <= extent, `stop ${stop}`, extent)
      const whole = items[dimension].start === undefined && items[dimension].stop === undefined
      if (start >= stop && !whole && rules.emptyRanges === 'refused') {
        throw new HyperslabError(
          'malformed-selection',
          `select: the range ${start}:${stop} of dimension ${dimension} is empty`,
        )
      }
      return { start, stop, step }
    }),
  )
}

function resolveHyperslab(request: RequestOf<'hyperslab'>, dims: readonly number[]): Selection {
  for (const name of ['start', 'stop', 'step'] as const) {
    if (request[name]) checkRank(`"${name}"`, request[name].length, dims)
  }
  return hyperslab(
    dims.map((extent, dimension) => {
      const start = request.start?.[dimension] ?? 0
      const stop = request.stop?.[dimension] ?? extent
      const step = request.step?.[dimension] ?? 1
      checkBounds('"start"', dimension, start >= 0 && start < extent, start, extent)
      checkBounds('"stop"', dimension, stop <= extent, stop, extent)
      checkBounds('"step"', dimension, step >= 1 && step <= extent, step, extent)
      if (stop <= start) {
        throw new HyperslabError(
          'malformed-selection',
          `"stop" ${stop} must be greater than "start" ${start} in dimension ${dimension}`,
        )
      }
      return { start, stop, step }
    }),
  )
}

function hyperslab(ranges: readonly { start: number; stop: number; step: number }[]): Hyperslab {
  const count = ranges.map(({ start, stop, step }) => Math.max(0, Math.ceil((stop - start) / step)))
  return {
    kind: 'hyperslab',
    start: ranges.map(range => range.start),
    stride: ranges.map(range => range.step),
    count,
    block: ranges.map(() => 1),
  }
}

function resolvePoints({ rank, coordinates }: RequestOf<'points'>, dims: readonly number[]): Points {
  if (rank !== undefined) checkRank('"points"', rank, dims)
  for (let i = 0; i < coordinates.length; i++) {
    const extent = dims[i % dims.length]
    if (coordinates[i] < 0 || coordinates[i] >= extent) {
      checkBounds(`point ${Math.floor(i / dims.length)}`, i % dims.length, false, coordinates[i], extent)
    }
  }
  return { kind: 'points', rank: dims.length, coordinates }
}

function checkRank(name: string, given: number, dims: readonly number[]): void {
  if (given === dims.length) return
  throw new HyperslabError(
    'malformed-selection',
    `${name} names ${given} dimension(s), the dataset has ${dims.length}`,
  )
}

function checkBounds(
  name: string,
  dimension: number,
  holds: boolean,
  found: number | string,
  extent: number,
): void {
  if (holds) return
  throw new HyperslabError(
    'selection-out-of-bounds',
    `${name}: ${found} is out of bounds in dimension ${dimension} of extent ${extent}`,
  )
}
