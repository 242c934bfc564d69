// The coordinates that a selection has along one dimension, in order, numbered from 0: its positions. A regular
// hyperslab stays arithmetic, however many elements it has.

import { HyperslabError } from '@hyperslab/base/errors'
import { firstIndex, product } from '@hyperslab/model/dataset'
import type { Block } from '@hyperslab/model/values'
import type { FileSelection, RegularDimension } from '../../format/selection.ts'

/** Adjacent coordinates, and adjacent positions. */
export interface AxisRun {
  readonly coordinate: number
  readonly position: number
  readonly length: number
}

export interface AxisSet {
  /** Infinite: unlimited. */
  readonly size: number
  /** Positions of coordinates below this one. */
  positionsBefore(coordinate: number): number
  /** The runs of positions from `first` on, `end` excluded. */
  runs(first: number, end: number): Iterable<AxisRun>
}

/** `count` blocks of `block` coordinates, both perhaps infinite. */
export function regularAxis(start: number, stride: number, count: number, block: number): AxisSet {
  const isDense = count === 1 || block === Number.POSITIVE_INFINITY || stride === block
  const size = count * block
  return {
    size,
    positionsBefore(coordinate) {
      const along = Math.max(0, coordinate - start)
      if (isDense) return Math.min(along, size)
      const blocks = Math.floor(along / stride)
      return blocks >= count ? size : blocks * block + Math.min(block, along - blocks * stride)
    },
    *runs(first, end) {
      for (let position = first; position < end; ) {
        const index = isDense ? 0 : Math.floor(position / block)
        const within = position - index * (isDense ? 0 : block)
        const length = isDense ? end - position : Math.min(end - position, block - within)
        yield { coordinate: start + index * stride + within, position, length }
        position += length
      }
    },
  }
}

/** Blocks in order, which do not overlap. */
function listedAxis(blocks: readonly Interval[]): AxisSet {
  const firsts: number[] = []
  let size = 0
  for (const { length } of blocks) {
    firsts.push(size)
    size += length
  }
  return {
    size,
    positionsBefore(coordinate) {
      const index = firstIndex(blocks, ({ start }) => start > coordinate) - 1
      return index < 0 ? 0 : firsts[index] + Math.min(blocks[index].length, coordinate - blocks[index].start)
    },
    *runs(first, end) {
      let index = firstIndex(firsts, position => position > first) - 1
      for (let position = first; position < end; index++) {
        const within = position - firsts[index]
        const length = Math.min(end - position, blocks[index].length - within)
        yield { coordinate: blocks[index].start + within, position, length }
        position += length
      }
    },
  }
}

/** The selection of a dataspace of extents `dims`, dimension by dimension. */
export function axesOf(selection: FileSelection, dims: readonly number[]): readonly AxisSet[] {
  if (selection.selectType === 'H5S_SEL_ALL') return dims.map(extent => regularAxis(0, extent, 1, extent))
  if (selection.selectType === 'H5S_SEL_NONE') return dims.map(() => regularAxis(0, 1, 0, 1))
  if ('regular' in selection) return selection.regular.map(regularAxisOf)
  if ('blocks' in selection) return blockAxes(selection.blocks)
  throw unsupportedMapping('selects single points')
}

function regularAxisOf({ start, stride, count, block }: RegularDimension): AxisSet {
  return regularAxis(start, stride, count ?? Number.POSITIVE_INFINITY, block ?? Number.POSITIVE_INFINITY)
}

/** Axes by their list of blocks: each box of the dataset needs them. */
const axesOfBlocks = new WeakMap<readonly Block[], readonly AxisSet[]>()

/** The axes of a list of blocks that is a grid: each block along one dimension occurs with each along the others. */
function blockAxes(blocks: readonly Block[]): readonly AxisSet[] {
  const known = axesOfBlocks.get(blocks)
  if (known) return known
  const starts = blocks[0].first.map((_, d) => {
    const lengths = new Map(blocks.map(({ first, last }) => [first[d], last[d] - first[d] + 1]))
    return [...lengths].map(([start, length]) => ({ start, length })).sort((a, b) => a.start - b.start)
  })
  const isInOrder = starts.every(axis =>
    axis.every(({ start }, i) => i === 0 || start >= axis[i - 1].start + axis[i - 1].length),
  )
  if (!isInOrder || !isGrid(blocks, starts))
    throw unsupportedMapping('selects blocks that do not form a grid')
  const axes = starts.map(listedAxis)
  axesOfBlocks.set(blocks, axes)
  return axes
}

interface Interval {
  readonly start: number
  readonly length: number
}

function isGrid(blocks: readonly Block[], axes: readonly (readonly Interval[])[]): boolean {
  if (blocks.length !== product(axes.map(({ length }) => length))) return false
  const indexes = axes.map(axis => new Map(axis.map(({ start }, index) => [start, index])))
  const isMet = new Uint8Array(blocks.length)
  for (const { first, last } of blocks) {
    let position = 0
    for (const [d, start] of first.entries()) {
      const index = indexes[d].get(start) ?? 0
      if (last[d] - start + 1 !== axes[d][index].length) return false
      position = position * axes[d].length + index
    }
    isMet[position] = 1
  }
  return !isMet.includes(0)
}

export function unsupportedMapping(mapping: string): HyperslabError {
  return new HyperslabError(
    'type-unsupported',
    `a mapping of the virtual dataset ${mapping}, which is not supported`,
  )
}
