// Checks a SelectionRequest against a dataspace: the resulting Selection is inside the extents, which is not checked
// again. Rules: classic 7.9, 7.10 and 15.2; hsds-values 9.

import { HyperslabError } from '@hyperslab/base/errors'
import type { Dataspace } from '@hyperslab/model/dataset'
import {
  type Hyperslab,
  type Lists,
  type Points,
  type Selection,
  selectionCount,
} from '@hyperslab/model/selection'
import type { RangeItem, SelectionRequest } from './request.ts'

/** A null dataspace has nothing to select: `null-dataspace`. */
export function resolveSelection(request: SelectionRequest, space: Dataspace): Selection {
  if (space.class === 'H5S_NULL') {
    throw new HyperslabError('null-dataspace', 'a null dataspace has no elements to select')
  }
  if (space.class === 'H5S_SCALAR') return resolveScalar(request)
  const { dims } = space
  switch (request.kind) {
    case 'all':
      return all(dims)
    case 'select':
      return resolveSelect(request, dims)
    case 'hyperslab':
      return resolveHyperslab(request, dims)
    case 'points':
      return resolvePoints(request, dims)
  }
}

/** A scalar has one element and rank 0, so it has no points. */
function resolveScalar(request: SelectionRequest): Selection {
  if (request.kind === 'hyperslab' || request.kind === 'points') {
    const names = request.kind === 'points' ? 'points' : 'start, stop and step'
    throw new HyperslabError('malformed-selection', `a scalar dataset has no dimensions: leave out ${names}`)
  }
  if (request.kind === 'select' && request.grammar === 'lists') {
    const count = selectionCount(resolveSelect(request, [1]))
    if (count !== 1) {
      throw new HyperslabError(
        'malformed-selection',
        `select names ${count} elements, a scalar dataset has one`,
      )
    }
  }
  return all([])
}

function all(dims: readonly number[]): Hyperslab {
  const ones = dims.map(() => 1)
  return { kind: 'hyperslab', start: dims.map(() => 0), stride: ones, count: dims, block: ones }
}

type RequestOf<K extends SelectionRequest['kind']> = Extract<SelectionRequest, { kind: K }>

function resolveSelect({ items, grammar }: RequestOf<'select'>, dims: readonly number[]): Hyperslab | Lists {
  checkRank('select', items.length, dims)
  const ranges: Range[] = []
  const listed: number[] = []
  const lists: Float64Array[] = []
  items.forEach((item, dimension) => {
    if (item instanceof Float64Array) {
      checkList(item, dimension, dims[dimension])
      listed.push(dimension)
      lists.push(item)
    } else {
      ranges.push(resolveRange(item, dimension, dims[dimension], grammar === 'ranges'))
    }
  })
  const rest = hyperslab(ranges)
  return lists.length === 0 ? rest : { kind: 'lists', listed, coordinates: paired(lists), rest }
}

interface Range {
  readonly start: number
  readonly stop: number
  readonly step: number
}

function resolveRange(item: RangeItem, dimension: number, extent: number, mayBeEmpty: boolean): Range {
  const { start = 0, stop = extent, step = 1 } = item
  if (step < 1) {
    throw new HyperslabError(
      'malformed-selection',
      `select: the step ${step} of dimension ${dimension} must be at least 1`,
    )
  }
  checkBounds('select', dimension, start >= 0 && start <= extent, `start ${start}`, extent)
  // Clients that count steps (PureHDF) end a range where the next step would be: clients 9.2.
  const last = mayBeEmpty ? extent : start + Math.ceil((extent - start) / step) * step
  checkBounds('select', dimension, stop <= Math.max(extent, last), `stop ${stop}`, extent)
  const isWhole = item.start === undefined && item.stop === undefined
  if (start >= stop && !isWhole && !mayBeEmpty) {
    throw new HyperslabError(
      'malformed-selection',
      `select: the range ${start}:${stop} of dimension ${dimension} is empty`,
    )
  }
  return { start, stop: Math.min(stop, extent), step }
}

function checkList(list: Float64Array, dimension: number, extent: number): void {
  for (const coordinate of list) {
    checkBounds('select', dimension, coordinate >= 0 && coordinate < extent, coordinate, extent)
  }
}

/** The coordinates of all lists, those of one position side by side. */
function paired(lists: readonly Float64Array[]): Float64Array {
  const [{ length }] = lists
  if (lists.some(list => list.length !== length)) {
    throw new HyperslabError(
      'malformed-selection',
      `select: lists of coordinates must have the same length, not ${lists.map(list => list.length).join(', ')}`,
    )
  }
  const coordinates = new Float64Array(length * lists.length)
  lists.forEach((list, i) => {
    for (let position = 0; position < length; position++)
      coordinates[position * lists.length + i] = list[position]
  })
  return coordinates
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

function hyperslab(ranges: readonly Range[]): Hyperslab {
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
  if (coordinates.length % dims.length !== 0) {
    throw new HyperslabError(
      'malformed-selection',
      `points: ${coordinates.length} coordinates is not a multiple of the rank ${dims.length}`,
    )
  }
  dims.forEach((extent, dimension) => {
    for (let i = dimension; i < coordinates.length; i += dims.length) {
      const coordinate = coordinates[i]
      if (coordinate >= 0 && coordinate < extent) continue
      checkBounds(`point ${Math.floor(i / dims.length)}`, dimension, false, coordinate, extent)
    }
  })
  return { kind: 'points', rank: dims.length, coordinates }
}

function checkRank(name: string, rank: number, dims: readonly number[]): void {
  if (rank === dims.length) return
  throw new HyperslabError(
    'malformed-selection',
    `${name} names ${rank} dimension(s), the dataset has ${dims.length}`,
  )
}

function checkBounds(
  name: string,
  dimension: number,
  holds: boolean,
  actual: number | string,
  extent: number,
): void {
  if (holds) return
  throw new HyperslabError(
    'selection-out-of-bounds',
    `${name}: ${actual} is out of bounds in dimension ${dimension} of extent ${extent}`,
  )
}
