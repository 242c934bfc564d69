// Virtual datasets: their elements are elements of other datasets. Selections are arithmetic, dimension by dimension:
// the part of a mapping in a box is an interval of positions along each dimension, and the same interval in the source.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { coordinatesWithin, product } from '@hyperslab/model/dataset'
import type { Datatype } from '@hyperslab/model/datatype'
import { isSameType } from '@hyperslab/model/datatype'
import { type ChunkPart, rowMajorStrides } from '@hyperslab/model/selection'
import type { Elements } from '@hyperslab/model/values'
import { ElementsBuilder, repeatElement } from '@hyperslab/model/values'
import type { Box } from '../../file-reader.ts'
import { damaged } from '../../format/errors.ts'
import { decodeName } from '../../format/messages/names.ts'
import type { RegularDimension } from '../../format/selection.ts'
import type { VirtualMapping } from '../../format/virtual-layout.ts'
import { convertNumbers, isNumberType } from '../elements/number-conversion.ts'
import { type AxisSet, axesOf, regularAxis, unsupportedMapping } from './axis-set.ts'
import { runsOfBox } from './box-runs.ts'
import { ELEMENTS_OF_STEP, STEPS_OF_READ, type VirtualWork } from './virtual-work.ts'

/** A dataset that a mapping names. */
export interface VirtualSource {
  readonly type: Datatype
  readonly dims: readonly number[]
  readonly read: (box: Box) => Promise<Elements>
  /** Throws if some of its values are known to be missing without reading them. Absent: this is not checked. */
  readonly requireValues?: () => Promise<void>
}

/** Opens a source by the names of its file, `.` for the same file, and of its dataset. Undefined: it does not exist. */
export type OpenSource = (file: string, dataset: string) => Promise<VirtualSource | undefined>

export interface VirtualDataset {
  readonly type: Datatype
  readonly dims: readonly number[]
  readonly fillValue: Elements | undefined
  readonly mappings: readonly VirtualMapping[]
}

/**
 * Elements that are read together with unneeded ones between them: at most this multiple of the needed ones, or this
 * number.
 * @limit memory, times
 */
const MAX_WASTE = 4
const FEW_ELEMENTS = 4096

/** Segments of one dimension that are in memory at once. @limit memory, segments */
const MAX_SEGMENTS = 4096
/** Blocks that are copied at once: this takes some milliseconds. @limit safety, blocks */
const MAX_BLOCKS = 4096

/** Called with the number of a block whose source is missing, and where the block begins. */
type MissingBlock = (block: number, start: number) => void

/**
 * The extents in effect: an unlimited mapping reaches as far as its sources do. `onMissing` is called for the source of
 * a pattern of names with which the mapping ends, if it is the first, or the dataset had a block of it when it was
 * written.
 */
export async function virtualExtents(
  dims: readonly number[],
  mappings: readonly VirtualMapping[],
  open: OpenSource,
  work: VirtualWork,
  onMissing: (file: string, dataset: string) => void = () => {},
): Promise<readonly number[]> {
  const ends = dims.map(() => 0)
  const isUnlimited = dims.map(() => false)
  for (const mapping of mappings) {
    work.use(1)
    if (isTurnOver()) await nextTurn()
    const target = targetAxes(mapping, dims)
    for (const [d, axis] of target.entries()) {
      const lacking: MissingBlock = (block, start) => {
        if (block === 0 || start < dims[d]) onMissing(...namesOf(mapping, block))
      }
      isUnlimited[d] ||= axis.size === Number.POSITIVE_INFINITY
      const reach =
        axis.size === Number.POSITIVE_INFINITY ? await reachOf(mapping, d, open, lacking) : axis.size
      if (reach === undefined) ends[d] = Math.max(ends[d], dims[d])
      else if (reach > 0) {
        for (const { coordinate } of axis.runs(reach - 1, reach)) ends[d] = Math.max(ends[d], coordinate + 1)
      }
    }
  }
  return dims.map((extent, d) => (isUnlimited[d] ? ends[d] : extent))
}

/**
 * Positions along the unlimited dimension `d` of the mapping that its sources have. Undefined: the source is missing,
 * so the stored extents stay, and reading the values reports it.
 */
async function reachOf(
  mapping: VirtualMapping,
  d: number,
  open: OpenSource,
  onMissing: MissingBlock,
): Promise<number | undefined> {
  if (isPattern(mapping)) {
    const { start, stride, block = 1 } = blockDimension(mapping, d)
    let sources = 0
    while (await open(...namesOf(mapping, sources))) sources++
    onMissing(sources, start + sources * stride)
    return sources * block
  }
  const source = await open(...namesOf(mapping, 0))
  return source && unlimitedReach(axesOf(mapping.source, source.dims), source.dims)
}

/**
 * Positions of the unlimited dimension that are within the extents; of a limited selection all that it has along the
 * first.
 */
function unlimitedReach(axes: readonly AxisSet[], dims: readonly number[]): number {
  const unlimited = axes.findIndex(({ size }) => size === Number.POSITIVE_INFINITY)
  return unlimited === -1 ? (axes[0]?.size ?? 0) : axes[unlimited].positionsBefore(dims[unlimited])
}

/** The elements of the box; those that no mapping has are the fill value. */
export async function readVirtual(
  dataset: VirtualDataset,
  box: Box,
  open: OpenSource,
  work: VirtualWork,
): Promise<Elements> {
  const builder = new ElementsBuilder(dataset.type, product(box.count))
  builder.fill(dataset.fillValue)
  for (const mapping of dataset.mappings) {
    work.use(1)
    if (isTurnOver()) await nextTurn()
    await readMapping(dataset, mapping, { box, builder, work }, open)
  }
  return builder.finish()
}

/** Throws if a source is missing, or does not fit its mapping. Values are not read. */
export async function requireSources(
  dataset: VirtualDataset,
  open: OpenSource,
  work: VirtualWork,
): Promise<void> {
  const opened: OpenSource = async (file, path) => {
    const source = await open(file, path)
    if (!source) return undefined
    await source.requireValues?.()
    return { ...source, read: async ({ count }) => repeatElement(source.type, undefined, product(count)) }
  }
  for (const mapping of dataset.mappings) {
    work.use(1)
    if (isTurnOver()) await nextTurn()
    const box = lastElement(targetAxes(mapping, dataset.dims), dataset.dims)
    if (!box) continue
    const builder = new ElementsBuilder(dataset.type, 1)
    await readMapping(dataset, mapping, { box, builder, work }, opened)
  }
}

/** The last element of a selection within the extents; undefined: it has none there. */
function lastElement(axes: readonly AxisSet[], dims: readonly number[]): Box | undefined {
  const start: number[] = []
  for (const [d, axis] of axes.entries()) {
    const count = axis.positionsBefore(dims[d])
    if (count === 0) return undefined
    for (const { coordinate } of axis.runs(count - 1, count)) start.push(coordinate)
  }
  return { start, count: start.map(() => 1) }
}

/** The box that is read, and the memory for it. */
interface Target {
  readonly box: Box
  readonly builder: ElementsBuilder
  readonly work: VirtualWork
}

async function readMapping(
  dataset: VirtualDataset,
  mapping: VirtualMapping,
  target: Target,
  open: OpenSource,
): Promise<void> {
  const { box, work } = target
  const axes = targetAxes(mapping, dataset.dims)
  if (positionsIn(axes, box).some(({ first, end }) => first >= end)) return
  if (!isPattern(mapping)) {
    const source = await open(...namesOf(mapping, 0))
    if (!source) throw missingSource(namesOf(mapping, 0))
    await readSource(dataset, mapping, source, axes, target)
    return
  }
  // Each source has one block of the unlimited dimension.
  const d = axes.findIndex(({ size }) => size === Number.POSITIVE_INFINITY)
  if (d === -1) throw unsupportedMapping('has a pattern of names and no unlimited selection')
  const { start, stride, block } = blockDimension(mapping, d)
  const end = box.start[d] + box.count[d]
  for (
    let index = Math.max(0, Math.floor((box.start[d] - start) / stride));
    start + index * stride < end;
    index++
  ) {
    work.use(1)
    if (isTurnOver()) await nextTurn()
    const blockAxis = regularAxis(start + index * stride, stride, 1, block ?? 1)
    const blockAxes = axes.with(d, blockAxis)
    if (positionsIn(blockAxes, box).some(({ first, end: last }) => first >= last)) continue
    const source = await open(...namesOf(mapping, index))
    // The mapping ends where a source is missing.
    if (!source) return
    await readSource(dataset, mapping, source, blockAxes, target)
  }
}

interface Interval {
  readonly first: number
  readonly end: number
}

function positionsIn(axes: readonly AxisSet[], { start, count }: Box): readonly Interval[] {
  return axes.map((axis, d) => ({
    first: axis.positionsBefore(start[d]),
    end: axis.positionsBefore(start[d] + count[d]),
  }))
}

/** Adjacent elements of a dimension of the box and of the source. */
interface Segment {
  readonly target: number
  readonly source: number
  readonly length: number
}

async function readSource(
  dataset: VirtualDataset,
  mapping: VirtualMapping,
  stored: VirtualSource,
  axes: readonly AxisSet[],
  target: Target,
): Promise<void> {
  const { box } = target
  const source = converted(stored, dataset.type)
  if (!source)
    throw unsupportedMapping(`names ${decodeName(mapping.dataset).text}, which has another datatype`)
  const sourceAxes = axesOf(mapping.source, source.dims)
  if (sourceAxes.length !== source.dims.length) {
    const rule = `a selection has ${sourceAxes.length} dimensions, its dataset ${source.dims.length}`
    throw damaged('the list of virtual mappings', undefined, rule)
  }
  const pairs = pairAxes(axes, sourceAxes)
  if (!pairs) return copyInOrder({ mapping, source, axes, sourceAxes, ...target })
  const positions = positionsIn(axes, box)
  const cuts = axes.map((axis, d) => {
    const other = pairs[d]
    const from = other === undefined ? undefined : sourceAxes[other]
    const limit = other === undefined ? 1 : sourceAxes[other].positionsBefore(source.dims[other])
    const { first, end } = positions[d]
    const isUnlimited = axis.size === Number.POSITIVE_INFINITY
    if (end > limit && !isUnlimited) throw beyondExtents(mapping)
    return () => segmentsOf(axis, from, first, Math.min(end, limit), box.start[d])
  })
  const fixed = sourceAxes.map(axis => {
    const [run] = axis.runs(0, 1)
    return run.coordinate
  })
  if (fixed.some((coordinate, e) => !pairs.includes(e) && coordinate >= source.dims[e]))
    throw beyondExtents(mapping)
  await copyWindows({ source, pairs, fixed, ...target }, cuts)
}

/** The source with its elements converted to `type`; undefined: there is no conversion. */
function converted(source: VirtualSource, type: Datatype): VirtualSource | undefined {
  const { type: stored, read } = source
  if (isSameType(stored, type)) return source
  if (!isNumberType(stored) || !isNumberType(type)) return undefined
  return { ...source, type, read: async box => convertNumbers(stored, type, await read(box)) }
}

/**
 * The dimension of the source that runs along each dimension of the target: dimensions with a single position are
 * skipped; the others must agree, or there are no pairs. Undefined: a single position.
 */
function pairAxes(
  target: readonly AxisSet[],
  source: readonly AxisSet[],
): readonly (number | undefined)[] | undefined {
  const long = (axes: readonly AxisSet[]) => axes.map((_, d) => d).filter(d => axes[d].size !== 1)
  const [inTarget, inSource] = [long(target), long(source)]
  const isSame =
    inTarget.length === inSource.length &&
    inTarget.every((d, i) => target[d].size === source[inSource[i]].size)
  if (!isSame) return undefined
  return target.map((_, d) => {
    const at = inTarget.indexOf(d)
    return at === -1 ? undefined : inSource[at]
  })
}

/** The segments of both sets, cut where either has a gap; a number of segments at once. */
function* segmentsOf(
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

async function copyWindows(copy: Copy, cuts: readonly CutAxis[]): Promise<void> {
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

interface ReshapedCopy extends Target {
  readonly mapping: VirtualMapping
  readonly source: VirtualSource
  readonly axes: readonly AxisSet[]
  readonly sourceAxes: readonly AxisSet[]
}

/**
 * Elements of the target with adjacent positions in the row-major order of its selection, and adjacent boxStrides in
 * the box.
 */
interface Row {
  readonly position: number
  readonly index: number
  readonly length: number
}

/** Rows that are copied together. @limit safety, rows */
const MAX_ROWS = 4096

/**
 * Copies between selections of different shapes with the same number of elements, which correspond in row-major order.
 */
async function copyInOrder(copy: ReshapedCopy): Promise<void> {
  const { mapping, source, axes, sourceAxes, box, work } = copy
  const count = product(axes.map(({ size }) => size))
  const sourceCount = product(sourceAxes.map(({ size }) => size))
  if (!(Number.isFinite(count) && count === sourceCount)) {
    throw unsupportedMapping('selects elements in another shape than its source has')
  }
  if (sourceAxes.some((axis, e) => axis.positionsBefore(source.dims[e]) < axis.size)) {
    throw beyondExtents(mapping)
  }
  let rows: Row[] = []
  let needed = 0
  for (const row of rowsInOrder(axes, box)) {
    work.use(1)
    const [first = row] = rows
    const enclosed = row.position + row.length - first.position
    const isWaste = enclosed > Math.max(FEW_ELEMENTS, MAX_WASTE * (needed + row.length))
    if (isWaste || rows.length === MAX_ROWS) {
      await copyRows(copy, rows)
      rows = []
      needed = 0
    }
    rows.push(row)
    needed += row.length
  }
  await copyRows(copy, rows)
}

/** The rows in the order of their positions. */
function* rowsInOrder(axes: readonly AxisSet[], box: Box): Generator<Row> {
  const strides = rowMajorStrides(axes.map(({ size }) => size))
  const boxStrides = rowMajorStrides(box.count)
  const positions = positionsIn(axes, box)
  const last = axes.length - 1
  for (const at of coordinatesWithin(positions.slice(0, last).map(({ first, end }) => end - first))) {
    let position = 0
    let index = 0
    for (const [d, offset] of at.entries()) {
      const axisPosition = positions[d].first + offset
      const [{ coordinate }] = axes[d].runs(axisPosition, axisPosition + 1)
      position += axisPosition * strides[d]
      index += (coordinate - box.start[d]) * boxStrides[d]
    }
    for (const run of axes[last].runs(positions[last].first, positions[last].end)) {
      const boxIndex = index + run.coordinate - box.start[last]
      yield { position: position + run.position, index: boxIndex, length: run.length }
    }
  }
}

/** Reads the elements that enclose the positions of the rows. */
async function copyRows(copy: ReshapedCopy, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return
  const { source, sourceAxes, builder, work } = copy
  const { position: first } = rows[0]
  const { position, length } = rows[rows.length - 1]
  const sizes = sourceAxes.map(({ size }) => size)
  let start = first
  for (const intervals of boxesInOrder(sizes, first, position + length)) {
    if (isTurnOver()) await nextTurn()
    const count = intervals.map(({ first, end }) => end - first)
    const zeros = count.map(() => 0)
    const part = new ElementsBuilder(source.type, product(count))
    const cuts = intervals.map(
      ({ first, end }, e) =>
        () =>
          segmentsOf(regularAxis(0, 1, 1, sizes[e]), sourceAxes[e], first, end, first),
    )
    const own = { source, pairs: count.map((_, e) => e), fixed: zeros, box: { start: zeros, count } }
    await copyWindows({ ...own, builder: part, work }, cuts)
    builder.gather(partOfRows(rows, start, product(count)), part.finish())
    start += product(count)
  }
}

/** The elements of the rows among `count` elements whose positions begin at `start`. */
function partOfRows(rows: readonly Row[], start: number, count: number): ChunkPart {
  return {
    chunk: [],
    count,
    covers: false,
    first: 0,
    end: count,
    runs(visit) {
      for (const { position, index, length } of rows) {
        const from = Math.max(position, start)
        const to = Math.min(position + length, start + count)
        if (from < to) visit(from - start, 1, index + from - position, to - from)
      }
    },
  }
}

/** Cuts positions in the row-major order of a shape into boxes: the intervals of each along the dimensions. */
function* boxesInOrder(shape: readonly number[], first: number, end: number): Generator<readonly Interval[]> {
  const [, ...inner] = shape
  const stride = product(inner)
  for (let offset = first; offset < end; ) {
    const index = Math.floor(offset / stride)
    const within = offset - index * stride
    const whole = Math.floor((end - offset) / stride)
    if (within === 0 && whole > 0) {
      yield [{ first: index, end: index + whole }, ...inner.map(size => ({ first: 0, end: size }))]
      offset += whole * stride
    } else {
      const next = Math.min(end, (index + 1) * stride)
      for (const rest of boxesInOrder(inner, within, within + next - offset)) {
        yield [{ first: index, end: index + 1 }, ...rest]
      }
      offset = next
    }
  }
}

function targetAxes({ target }: VirtualMapping, dims: readonly number[]): readonly AxisSet[] {
  const axes = axesOf(target, dims)
  if (axes.length === dims.length) return axes
  const rule = `a selection has ${axes.length} dimensions, the dataset ${dims.length}`
  throw damaged('the list of virtual mappings', undefined, rule)
}

/** `%b` represents the number of a block, `%%` a percent sign. */
function isPattern({ file, dataset }: VirtualMapping): boolean {
  return [file, dataset].some(name => decodeName(name).text.replaceAll('%%', '').includes('%b'))
}

function namesOf({ file, dataset }: VirtualMapping, block: number): [file: string, dataset: string] {
  const nameOf = (bytes: Uint8Array) =>
    decodeName(bytes).text.replace(/%%|%b/g, found => (found === '%b' ? String(block) : '%'))
  return [nameOf(file), nameOf(dataset)]
}

function blockDimension({ target }: VirtualMapping, d: number): RegularDimension {
  if ('regular' in target && target.regular[d].block !== undefined) return target.regular[d]
  throw unsupportedMapping('has a pattern of names and blocks without end')
}

function missingSource([file, dataset]: readonly [string, string]): HyperslabError {
  const location = file === '.' ? '' : ` in ${file}`
  return new HyperslabError(
    'file-unreadable',
    `the source ${dataset}${location} is missing, or outside of the folder whose files may be read`,
  )
}

function beyondExtents(mapping: VirtualMapping): HyperslabError {
  const [file, dataset] = namesOf(mapping, 0)
  return new HyperslabError(
    'file-unreadable',
    `the source ${dataset} in ${file} is smaller than its selection`,
  )
}
