// A curve at the resolution of the screen: the least and the greatest element of each block, so that no peak is lost;
// all elements where they have room. Where many elements must be read, they come tile by tile: until then the former
// line has their place, or a line through few of the elements.

import type { Elements } from '@hyperslab/client'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { DimensionUse, Span } from '../view-address.ts'
import { useViewer } from '../viewer-context.ts'
import {
  type BlockSelection,
  type DrawnDataset,
  type Extent,
  elementsOf,
  extentFor,
  LINE_TILE,
  pointsOf,
  READ_AT_ONCE,
  tilesOf,
} from './blocks.ts'
import type { StoredShape } from './contents.ts'
import { drawInParts, type Progress, Tiles } from './tiles.ts'

/** Points of a curve from the left to the right. */
export interface CurvePoints {
  readonly extent: Extent
  /** The middle of the element or block of each point, counted in elements. */
  readonly positions: Float64Array
  readonly values: Float64Array
  /** Undefined: all tiles are read. */
  readonly progress: Progress | undefined
}

export interface CurveRequest {
  readonly dataset: StoredShape & DrawnDataset
  readonly uses: readonly DimensionUse[]
  /** Makes the numbers that are drawn. It stays the same function. */
  readonly convert: (elements: Elements) => Float64Array
  /** Whether blocks have extremes: complex numbers have none, of them the first of each block is drawn. */
  readonly hasExtremes: boolean
  readonly sight: Span | undefined
  /** The width of the canvas in pixels; undefined: not known yet. */
  readonly width: number | undefined
}

export interface LoadedCurve {
  readonly points: CurvePoints | undefined
  readonly overview: CurvePoints | undefined
  readonly isComplete: boolean
  readonly error: unknown
}

/** Points for each pixel: a block has two. */
const DENSITY = 2

const NOTHING: LoadedCurve = { points: undefined, overview: undefined, isComplete: false, error: undefined }

/** The curves, in the order of the requests. */
export function useCurves(requests: readonly CurveRequest[]): readonly LoadedCurve[] {
  const { contents, retry } = useViewer()
  const { attempt, fail } = retry
  const tiles = useMemo(() => new Tiles(contents.domain), [contents])
  const [curves, setCurves] = useState<readonly LoadedCurve[]>([])
  const wanted = JSON.stringify(
    requests.map(({ dataset, uses, sight, width, hasExtremes }) => {
      const extent = width === undefined ? undefined : lineExtent(dataset, uses, sight, width)
      return [dataset.id, dataset.stamp, dataset.shape, uses, hasExtremes, extent]
    }),
  )
  const latest = useRef(requests)
  latest.current = requests
  const last = useRef(curves)
  last.current = curves
  const shown = useRef<readonly string[]>([])
  /** The data whose overviews were drawn. */
  const drawn = useRef<{ readonly text: string; readonly convert: CurveRequest['convert'] }[]>([])
  const converts = requests.map(({ convert }) => convert)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text says what is wanted
  useEffect(() => {
    const abort = new AbortController()
    const { signal } = abort
    // The curves of other data go.
    const subjects = latest.current.map(({ dataset, uses }) => JSON.stringify([dataset.id, uses]))
    const former = shown.current
    shown.current = subjects
    const states = latest.current.map(({ dataset: { stamp, shape }, convert }, i) => ({
      convert,
      text: `${subjects[i]} ${stamp} ${shape}`,
    }))
    setCurves(before =>
      subjects.map((subject, i) => ({
        ...(former[i] === subject && before[i] ? before[i] : NOTHING),
        isComplete: false,
      })),
    )
    latest.current.forEach((request, i) => {
      const set = (change: Partial<LoadedCurve>) => {
        if (!signal.aborted) setCurves(before => before.with(i, { ...(before[i] ?? NOTHING), ...change }))
      }
      const state = states[i]
      const { text, convert } = drawn.current[i] ?? {}
      const hasOverview = state !== undefined && text === state.text && convert === state.convert
      const { stamp } = request.dataset
      const { points, overview } = (former[i] === subjects[i] && last.current[i]) || NOTHING
      const earlier = convert === request.convert ? points && withSurroundings(points, overview) : undefined
      loadCurve(tiles, request, stamp, signal, hasOverview, earlier, set).then(
        () => {
          if (!signal.aborted && state) drawn.current[i] = state
        },
        (error: unknown) => {
          set({ error, isComplete: true })
          if (!signal.aborted) fail(error)
        },
      )
    })
    return () => abort.abort()
  }, [wanted, ...converts, tiles, attempt, fail])
  return requests.map((_, i) => curves[i] ?? NOTHING)
}

async function loadCurve(
  tiles: Tiles,
  { dataset, uses, convert, hasExtremes, sight, width }: CurveRequest,
  stamp: number,
  signal: AbortSignal,
  hasOverview: boolean,
  earlier: CurvePoints | undefined,
  set: (change: Partial<LoadedCurve>) => void,
): Promise<void> {
  const shape = dataset.shape ?? []
  const length = shape[uses.indexOf('x')] ?? 0
  if (width === undefined || length === 0) return
  const select = (x: Extent): BlockSelection =>
    uses.map(use => (use === 'x' ? x : use === ':' ? undefined : Number(use)))
  const read = async (x: Extent, value: 'minmax' | 'first') =>
    convert((await tiles.read(dataset, stamp, select(x), value, signal)).data)
  const draw = async (extent: Extent, show: (points: CurvePoints) => void) => {
    const pointsOf = async (tile: Extent) => {
      if (extent.block === 1 || !hasExtremes) return singlePoints(tile, await read(tile, 'first'))
      return doublePoints(tile, await read(tile, 'minmax'))
    }
    const tileParts = ordered(extent, dataset.filteredChunk?.[uses.indexOf('x')])
    const parts: (CurvePoints | undefined)[] = []
    const begin = (before: CurvePoints | undefined) => {
      for (const [i, tile] of tileParts.entries()) parts[i] = before && within(before, tile)
    }
    begin(earlier)
    const hasSample =
      earlier === undefined &&
      !dataset.filteredChunk &&
      hasExtremes &&
      elementsOf(shape, select(extent)) > READ_AT_ONCE
    await drawInParts(tileParts, {
      sample: hasSample ? async () => begin(singlePoints(extent, await read(extent, 'first'))) : undefined,
      read: async (tile, i) => {
        parts[i] = await pointsOf(tile)
      },
      show: progress => show(joinedPoints(extent, parts, progress)),
    })
  }
  const extent = lineExtent(dataset, uses, sight, width)
  const isAll = extent.stop - extent.start >= length
  await draw(extent, points => set({ points, error: undefined, ...(isAll && { overview: points }) }))
  // An address may lead to a part: the other axis spans all.
  if (!isAll && !hasOverview) {
    const whole = lineExtent(dataset, uses, undefined, width)
    await draw(whole, overview => set({ overview }))
  }
  set({ isComplete: true })
}

function lineExtent(
  { shape, filteredChunk }: StoredShape,
  uses: readonly DimensionUse[],
  sight: Span | undefined,
  width: number,
): Extent {
  const dimension = uses.indexOf('x')
  return extentFor(shape?.[dimension] ?? 0, sight, width * DENSITY, LINE_TILE, filteredChunk?.[dimension])
}

function ordered(extent: Extent, chunk: number | undefined): readonly Extent[] {
  return [...tilesOf(extent, LINE_TILE, chunk)].sort((one, other) => one.start - other.start)
}

function joined(parts: readonly Float64Array[]): Float64Array {
  const [first] = parts
  if (parts.length === 1 && first) return first
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

function joinedPoints(
  extent: Extent,
  parts: readonly (CurvePoints | undefined)[],
  progress: Progress | undefined,
): CurvePoints {
  const known = parts.filter(part => part !== undefined)
  return {
    extent,
    positions: joined(known.map(({ positions }) => positions)),
    values: joined(known.map(({ values }) => values)),
    progress,
  }
}

/** The points of a part of the line. */
function within({ positions, values, progress }: CurvePoints, extent: Extent): CurvePoints {
  const [first, last] = [indexFrom(positions, extent.start), indexFrom(positions, extent.stop)]
  return {
    extent,
    positions: positions.subarray(first, last),
    values: values.subarray(first, last),
    progress,
  }
}

/** The index of the first position that is not before another one. */
function indexFrom(positions: Float64Array, start: number): number {
  const at = positions.findIndex(position => position >= start)
  return at === -1 ? positions.length : at
}

function singlePoints(extent: Extent, values: Float64Array): CurvePoints {
  const positions = Float64Array.from(
    { length: Math.min(values.length, pointsOf(extent)) },
    (_, i) => extent.start + i * extent.block,
  )
  return { extent, positions, values, progress: undefined }
}

/** The least of each block at its beginning, the greatest in its middle: the line between them covers all. */
export function doublePoints(extent: Extent, extremes: Float64Array): CurvePoints {
  const positions = extremes.map((_, i) => extent.start + (i / 2) * extent.block)
  // An extreme may be a number that stands for a missing one: the other one of its block takes its place.
  const values = extremes.map((value, i) => (Number.isNaN(value) ? (extremes[i ^ 1] ?? value) : value))
  return { extent, positions, values, progress: undefined }
}

/** The points in sight, and outside of them those of all: panning shows something at once. */
export function withSurroundings(points: CurvePoints, overview: CurvePoints | undefined): CurvePoints {
  if (overview === undefined || overview === points) return points
  const first = indexFrom(overview.positions, points.extent.start)
  const last = indexFrom(overview.positions, points.extent.stop)
  return {
    ...points,
    positions: joined([
      overview.positions.subarray(0, first),
      points.positions,
      overview.positions.subarray(last),
    ]),
    values: joined([overview.values.subarray(0, first), points.values, overview.values.subarray(last)]),
  }
}
