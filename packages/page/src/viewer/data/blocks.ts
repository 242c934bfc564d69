// Elements at the resolution of the screen: along each drawn dimension a power of two of them becomes one point. Points
// are read in tiles whose places do not depend on what is in sight, so that the browser keeps their answers, and moving
// on by a little requests little.

import type { DatasetShape, Domain, Elements, NumberOptions, Selection } from '@hyperslab/client'
import { productOf } from '@hyperslab/client/elements'
import type { Reduction, Span } from '../view-address.ts'

/** The elements of one dimension that are drawn, in blocks. `start` is a multiple of the block. */
export interface Extent {
  readonly start: number
  readonly stop: number
  /** The number of elements that become one point; a power of two. */
  readonly block: number
}

/** The sides of tiles: `elements`, but between the least and the most points; all are powers of two. */
export interface TileSize {
  readonly leastPoints: number
  readonly mostPoints: number
  readonly elements: number
}

/** So few elements that the first tiles come soon, and so many that there are not hundreds of requests. */
export const IMAGE_TILE: TileSize = { leastPoints: 128, mostPoints: 512, elements: 2 ** 12 }
export const LINE_TILE: TileSize = { leastPoints: 256, mostPoints: 2048, elements: 2 ** 23 }

/**
 * The elements along the side of a tile. `chunk`: those of a chunk that is decoded as a whole: tiles end where chunks
 * end if they can.
 */
export function sideOf(
  { leastPoints, mostPoints, elements }: TileSize,
  block: number,
  chunk: number | undefined,
): number {
  const side = Math.min(Math.max(elements, leastPoints * block), mostPoints * block)
  const step = chunk === undefined ? block : leastCommonMultiple(block, chunk)
  return step > side ? side : side - (side % step)
}

/** `power` is a power of two. */
function leastCommonMultiple(power: number, number: number): number {
  let common = 1
  while (common < power && number % (2 * common) === 0) common *= 2
  return (power / common) * number
}

export function pointsOf({ start, stop, block }: Extent): number {
  return Math.ceil((stop - start) / block)
}

/**
 * The elements to read of a dimension of `length` so that those in `seen` have about one point for each pixel: whole
 * tiles of it. Undefined `seen`: all.
 */
export function extentFor(
  length: number,
  seen: Span | undefined,
  pixels: number,
  tile: TileSize,
  chunk?: number,
): Extent {
  return extentOf(length, seen, blockOf(length, seen, pixels), tile, chunk)
}

/** The block with which the elements in `seen` have about one point for each pixel. */
export function blockOf(length: number, seen: Span | undefined, pixels: number): number {
  const [first, last] = indexesOf(length, seen)
  return blockFor(last - first, pixels)
}

function indexesOf(length: number, seen: Span | undefined): readonly [first: number, last: number] {
  const [from, to] = seen ? ordered(seen) : [0, length]
  const first = clamp(Math.floor(from), 0, length)
  return [first, clamp(Math.ceil(to), first, length)]
}

/** The elements to read for those in `seen`, in blocks of this length. */
export function extentOf(
  length: number,
  seen: Span | undefined,
  block: number,
  tile: TileSize,
  chunk?: number,
): Extent {
  const [first, last] = indexesOf(length, seen)
  const step = sideOf(tile, block, chunk)
  return {
    start: Math.min(Math.floor(first / step) * step, Math.max(0, length - 1)),
    stop: Math.min(length, Math.max(1, Math.ceil(last / step)) * step),
    block,
  }
}

/** The power of two that brings `count` elements nearest to `pixels`, but never below two thirds of them. */
function blockFor(count: number, pixels: number): number {
  const ratio = count / Math.max(1, pixels)
  return ratio <= 1.5 ? 1 : 2 ** Math.floor(Math.log2(ratio / 1.5) + 1)
}

/** The tiles of an extent, `times` as long as others are, those in the middle first. */
export function tilesOf(
  { start, stop, block }: Extent,
  tile: TileSize,
  chunk?: number,
  times = 1,
): readonly Extent[] {
  const step = times * sideOf(tile, block, chunk)
  const tiles: Extent[] = []
  for (let at = Math.floor(start / step) * step; at < stop; at += step)
    tiles.push({ start: Math.max(at, start), stop: Math.min(at + step, stop), block })
  const middle = (start + stop) / 2
  const distance = (extent: Extent) => Math.abs((extent.start + extent.stop) / 2 - middle)
  return tiles.sort((a, b) => distance(a) - distance(b))
}

/**
 * The way in which the elements of a block become its point; `first` reads only that one, `minmax` makes two numbers.
 */
export type BlockValue = Reduction | 'minmax'

/** A part of a dataset in blocks: an index, an extent, or all of a dimension that is not drawn. */
export type BlockSelection = readonly (number | Extent | undefined)[]

export interface Blocks {
  readonly shape: readonly number[]
  /** Row by row. Integers of 64 bits are as they come, too. */
  readonly data: Elements
}

/** A dataset, of whose numbers some may stand for no value: they are drawn as NaN. Complex ones have parts. */
export interface DrawnDataset extends DatasetShape {
  readonly numbers?: NumberOptions
}

export async function readBlocks(
  domain: Domain,
  dataset: DrawnDataset,
  selection: BlockSelection,
  value: BlockValue,
  signal: AbortSignal,
): Promise<Blocks> {
  const isStrided = value === 'first'
  const select: Selection = selection.map(part => {
    if (typeof part !== 'object') return part
    const { start, stop, block } = part
    return { start, stop, ...(isStrided && block > 1 && { step: block }) }
  })
  const factors = selection.map(part => (typeof part === 'object' ? part.block : 1))
  const options = { select, signal, ...dataset.numbers }
  if (isStrided || factors.every(factor => factor === 1)) return domain.read(dataset, options)
  return domain.read(dataset, { ...options, reduce: `${value}:${factors.join(',')}` })
}

/**
 * Elements that are drawn without a sample before: a server reduces about as many in a third of a second.
 * @limit safety, elements
 */
export const READ_AT_ONCE = 2 ** 26

/**
 * Chunks that are read before all of data whose chunks are decoded as a whole, and their elements: a server takes less
 * than a second for them.
 * @limit safety, chunks
 */
const SAMPLE_CHUNKS = 64
/** @limit safety, elements */
const SAMPLE_ELEMENTS = 2 ** 24

/** Samples of chunks that are drawn one after another: the first one has a quarter of the chunks. */
export const SHARES = [4, 1] as const

/** A chunk that stands for a part of the data. */
export interface SampledChunk {
  /** What is read, as one block along each dimension. */
  readonly box: readonly Extent[]
  /** What it stands for: one point. */
  readonly place: readonly Extent[]
}

/**
 * Chunks at equal distances, in the order of their places. `chunk`: its extents along these dimensions. `share`: as
 * many times fewer, which are among those of a smaller share.
 */
export function sampledChunks(
  extents: readonly Extent[],
  chunk: readonly number[],
  chunkElements: number,
  share = 1,
): readonly SampledChunk[] {
  const most = Math.max(1, Math.floor(Math.min(SAMPLE_CHUNKS, SAMPLE_ELEMENTS / chunkElements) / share))
  const distances = extents.map((_, d) => chunk[d] ?? 1)
  const counts = () => extents.map(({ start, stop }, d) => Math.ceil((stop - start) / (distances[d] ?? 1)))
  // Half of the longest dimension at a time, as long as there are too many.
  for (let now = counts(); productOf(now) > most; now = counts()) {
    const longest = now.indexOf(Math.max(...now))
    distances[longest] = 2 * (distances[longest] ?? 1)
  }
  const places = extents.map(({ start, stop }, d) => {
    const [length, distance] = [chunk[d] ?? 1, distances[d] ?? 1]
    const count = Math.ceil((stop - start) / distance)
    return Array.from({ length: count }, (_, i) => {
      const from = start + i * distance
      const [to, end] = [Math.min(stop, from + length), Math.min(stop, from + distance)]
      return {
        box: { start: from, stop: to, block: to - from },
        place: { start: from, stop: end, block: distance },
      }
    })
  })
  return places.reduce<readonly SampledChunk[]>(
    (chunks, along) =>
      chunks.flatMap(({ box, place }) =>
        along.map(one => ({ box: [...box, one.box], place: [...place, one.place] })),
      ),
    [{ box: [], place: [] }],
  )
}

/** Elements of the selection, not points. */
export function elementsOf(shape: readonly number[], selection: BlockSelection): number {
  return productOf(
    selection.map((part, d) => {
      if (typeof part === 'number') return 1
      return part ? part.stop - part.start : (shape[d] ?? 1)
    }),
  )
}

function ordered([a, b]: Span): Span {
  return a < b ? [a, b] : [b, a]
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}
