// Copies between selections of the same shape: along each dimension segments of the box and of the source, in windows
// of segments that are in memory at once.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { coordinatesWithin, product } from '@hyperslab/model/dataset'
import type { ChunkPart } from '@hyperslab/model/selection'
import type { AxisSet } from './axis-set.ts'
import { runsOfBox } from './box-runs.ts'
import type { Target, VirtualSource } from './virtual-source.ts'
import { ELEMENTS_OF_STEP, STEPS_OF_READ } from './virtual-work.ts'

/**
 * Elements that are read together with unneeded ones between them: at most this multiple of the needed ones, or this
 * number.
 * @limit memory, times
 */
export const MAX_WASTE = 4

export const FEW_ELEMENTS = 4096

/** Segments of one dimension that are in memory at once. @limit memory, segments */
const MAX_SEGMENTS = 4096

/** Blocks that are copied at once: this takes some milliseconds. @limit safety, blocks */
const MAX_BLOCKS = 4096

/** Adjacent elements of a dimension of the box and of the source. */
interface Segment {
  readonly target: number
  readonly source: number
  readonly length: number
}

/** The segments of both sets, cut where either has a gap; a number of segments at once. */
export function* segmentsOf(
  target: AxisSet,
  source: AxisSet | undefined,
  first: number,
  end: number,
  origin: number,
): Generator<readonly Segment[]> {
  let segments: Segment[] = []
  for (const run of target.runs(first, end)) {
    const from = source
      ? source.runs(run.position, run.position + run.length)
      : [{ coordinate: 0, position: run.position, length: run.length }]
    for (const { coordinate, position, length } of from) {
      segments.push({ target: run.coordinate + position - run.position - origin, source: coordinate, length })
      if (segments.length < MAX_SEGMENTS) continue
      yield segments
      segments = []
    }
  }
  if (segments.length > 0) yield segments
}

/** Segments of a dimension, some at a time. */
type CutAxis = () => Iterable<readonly Segment[]>

/** Segments of each dimension with those of each other one. */
function* windowsOf([cut, ...others]: readonly CutAxis[]): Generator<readonly (readonly Segment[])[]> {
  if (cut === undefined) {
    yield []
    return
  }
  for (const segments of cut()) for (const rest of windowsOf(others)) yield [segments, ...rest]
}

interface Copy extends Target {
  readonly source: VirtualSource
  readonly pairs: readonly (number | undefined)[]
  /** The coordinate of the source along the dimensions that no dimension of the target runs along. */
  readonly fixed: readonly number[]
}

export async function copyWindows(copy: Copy, cuts: readonly CutAxis[]): Promise<void> {
  for (const segments of windowsOf(cuts)) {
    copy.work.use(segments.reduce((sum, axis) => sum + axis.length, 0))
    await copySegments(copy, segments)
  }
}

/** Reads the box that encloses the segments; in parts if most of it is not needed, or if they are many. */
async function copySegments(copy: Copy, segments: readonly (readonly Segment[])[]): Promise<void> {
  const { source, pairs, fixed, box, builder, work } = copy
  const lengths = segments.map(axis => axis.reduce((sum, { length }) => sum + length, 0))
  const needed = product(lengths)
  const starts = segments.map(axis => axis[0].source)
  const counts = segments.map((axis, d) => {
    const last = axis[axis.length - 1]
    return pairs[d] === undefined ? 1 : last.source + last.length - starts[d]
  })
  const enclosed = product(counts)
  const blocks = product(segments.map(axis => axis.length))
  const isWasteful = enclosed > Math.max(FEW_ELEMENTS, MAX_WASTE * needed)
  if (isWasteful || blocks > MAX_BLOCKS) {
    const share = (d: number) => (isWasteful && segments[d].length > 1 ? counts[d] / lengths[d] : 0)
    const widest = segments.reduce((most, axis, d) => {
      const isWider = share(d) === share(most) ? axis.length > segments[most].length : share(d) > share(most)
      return isWider ? d : most
    }, 0)
    const half = Math.ceil(segments[widest].length / 2)
    await copySegments(copy, segments.with(widest, segments[widest].slice(0, half)))
    await copySegments(copy, segments.with(widest, segments[widest].slice(half)))
    return
  }
  work.use(STEPS_OF_READ + blocks + Math.ceil(enclosed / ELEMENTS_OF_STEP))
  if (isTurnOver()) await nextTurn()
  const inTarget = fixed.map((_, e) => pairs.indexOf(e))
  const elements = await source.read({
    start: fixed.map((coordinate, e) => (inTarget[e] === -1 ? coordinate : starts[inTarget[e]])),
    count: inTarget.map(d => (d === -1 ? 1 : counts[d])),
  })
  const part: ChunkPart = {
    chunk: [],
    count: needed,
    covers: false,
    first: 0,
    end: elements.count,
    runs(visit) {
      for (const offset of coordinatesWithin(segments.map(axis => axis.length))) {
        const block = offset.map((index, d) => segments[d][index])
        const extents = block.map(({ length }) => length)
        const from = block.map(({ source: at }, d) => (pairs[d] === undefined ? 0 : at - starts[d]))
        const to = block.map(({ target }) => target)
        const runs = runsOfBox(extents, counts, from, box.count, to)
        runs.each(0, runs.count, (at, into) => visit(at, 1, into, runs.length))
      }
    },
  }
  builder.gather(part, elements)
}
