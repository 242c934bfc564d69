// A curve at the resolution of the screen: the least and the greatest element of each block, so that no peak is lost;
// all elements where they have room. Where many elements must be read, they come tile by tile: until then the former
// line has their place, or a line through few of the elements.

import type { Elements } from '@hyperslab/client'
import { productOf } from '@hyperslab/client/elements'
import type { DimensionUse, Span } from '../view-address.ts'
import {
  type BlockSelection,
  type DrawnDataset,
  type Extent,
  elementsOf,
  extentFor,
  LINE_TILE,
  pointsOf,
  READ_AT_ONCE,
  type SampledChunk,
  SHARES,
  sampledChunks,
  tilesOf,
} from './blocks.ts'
import type { StoredShape } from './contents.ts'
import { drawInParts, type Progress, type Tiles } from './tiles.ts'

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
  /** Whether blocks have extremes; of others the first element of each block is drawn. */
  readonly hasExtremes: boolean
  readonly sight: Span | undefined
  /** The width of the canvas in pixels; undefined: not known yet. */
  readonly width: number | undefined
  /** Those of another file; absent: those of the file that is shown. */
  readonly tiles?: Tiles | undefined
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

/** A curve of the latest requests. */
interface CurveState {
  /** The dataset and the slice. */
  readonly subject: string
  readonly loaded: LoadedCurve
  /** The data whose overview was drawn. */
  readonly drawn?: { readonly data: string; readonly convert: CurveRequest['convert'] }
}

/** The curves of the latest requests. `changed` is called when there are others. */
export class CurvesLoader {
  readonly #changed: () => void
  #states: readonly CurveState[] = []

  constructor(changed: () => void) {
    this.#changed = changed
  }

  /** In the order of the requests. */
  curvesOf(requests: readonly CurveRequest[]): readonly LoadedCurve[] {
    return requests.map((_, i) => this.#states[i]?.loaded ?? NOTHING)
  }

  /** Begins to read. Returns the function that gives up. */
  load(tiles: Tiles, requests: readonly CurveRequest[], fail: (error: unknown) => void): () => void {
    const abort = new AbortController()
    const { signal } = abort
    const former = this.#states
    this.#states = requests.map(({ dataset, uses }, i) => {
      const subject = JSON.stringify([dataset.id, dataset.numbers, uses])
      const before = former[i]
      // The curves of other data go.
      const loaded = before?.subject === subject ? before.loaded : NOTHING
      return { ...before, subject, loaded: { ...loaded, isComplete: false } }
    })
    this.#changed()
    for (const [i, request] of requests.entries()) {
      const change = (next: (state: CurveState) => CurveState) => {
        const state = this.#states[i]
        if (signal.aborted || state === undefined) return
        this.#states = this.#states.with(i, next(state))
        this.#changed()
      }
      const set = (next: Partial<LoadedCurve>) =>
        change(state => ({ ...state, loaded: { ...state.loaded, ...next } }))
      const { convert, dataset, width } = request
      const { subject, loaded, drawn } = this.#states[i] ?? { subject: '', loaded: NOTHING }
      const data = `${subject} ${dataset.stamp} ${dataset.shape}`
      const { points, overview } = loaded
      loadCurve({
        tiles: request.tiles ?? tiles,
        request,
        signal,
        hasOverview: drawn?.data === data && drawn.convert === convert,
        earlier: drawn?.convert === convert && points ? withSurroundings(points, overview) : undefined,
        set,
      }).then(
        () => {
          if (width !== undefined) change(state => ({ ...state, drawn: { data, convert } }))
        },
        (error: unknown) => {
          set({ error, isComplete: true })
          if (!signal.aborted) fail(error)
        },
      )
    }
    return () => abort.abort()
  }
}

/** Another text if other elements are wanted. */
export function wantedOf(requests: readonly CurveRequest[]): string {
  return JSON.stringify(
    requests.map(({ dataset, uses, sight, width, hasExtremes }) => {
      const extent = width === undefined ? undefined : lineExtent(dataset, uses, sight, width)
      return [dataset.id, dataset.numbers, dataset.stamp, dataset.shape, uses, hasExtremes, extent]
    }),
  )
}

interface CurveSteps {
  readonly tiles: Tiles
  readonly request: CurveRequest
  readonly signal: AbortSignal
  readonly hasOverview: boolean
  /** The points that are shown until others come. */
  readonly earlier: CurvePoints | undefined
  readonly set: (change: Partial<LoadedCurve>) => void
}

async function loadCurve(steps: CurveSteps): Promise<void> {
  const { request, hasOverview, set } = steps
  const { dataset, uses, sight, width } = request
  const length = dataset.shape?.[uses.indexOf('x')] ?? 0
  if (width === undefined || length === 0) return
  const extent = lineExtent(dataset, uses, sight, width)
  const isAll = extent.stop - extent.start >= length
  await drawCurve(steps, extent, points =>
    set({ points, error: undefined, ...(isAll && { overview: points }) }),
  )
  // An address may lead to a part: the other axis spans all.
  if (!isAll && !hasOverview)
    await drawCurve(steps, lineExtent(dataset, uses, undefined, width), overview => set({ overview }))
  set({ isComplete: true })
}

async function drawCurve(
  { tiles, request, signal, earlier }: CurveSteps,
  extent: Extent,
  show: (points: CurvePoints) => void,
): Promise<void> {
  const { dataset, uses, convert, hasExtremes } = request
  const { shape = [], stamp, filteredChunk } = dataset
  const select = (x: Extent): BlockSelection =>
    uses.map(use => (use === 'x' ? x : use === ':' ? undefined : Number(use)))
  const read = async (x: Extent, value: 'minmax' | 'first') =>
    convert((await tiles.read(dataset, stamp, select(x), value, signal)).data)
  const tileParts = ordered(extent, filteredChunk?.[uses.indexOf('x')])
  let parts = tileParts.map(tile => earlier && within(earlier, tile))
  const hasSample = earlier === undefined && hasExtremes && elementsOf(shape, select(extent)) > READ_AT_ONCE
  const readChunk = async ({ box: [box], place: [place] }: SampledChunk) =>
    box && place && doublePoints(place, await read(box, 'minmax'))
  const readSample = async (share: number) => {
    if (!filteredChunk) return singlePoints(extent, await read(extent, 'first'))
    const chunk = filteredChunk[uses.indexOf('x')] ?? 1
    const chunks = sampledChunks([extent], [chunk], productOf(filteredChunk), share)
    return joinedPoints(extent, await Promise.all(chunks.map(readChunk)), undefined)
  }
  const sampleOf = (share: number) => async () => {
    const points = await readSample(share)
    parts = tileParts.map(tile => within(points, tile))
  }
  await drawInParts(
    [...tileParts.entries()],
    {
      samples: hasSample ? (filteredChunk ? SHARES : [1]).map(sampleOf) : [],
      read: async ([i, tile]) => {
        parts[i] =
          extent.block === 1 || !hasExtremes
            ? singlePoints(tile, await read(tile, 'first'))
            : doublePoints(tile, await read(tile, 'minmax'))
      },
      show: progress => show(joinedPoints(extent, parts, progress)),
    },
    tiles.screen,
  )
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

export function singlePoints(extent: Extent, values: Float64Array): CurvePoints {
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
