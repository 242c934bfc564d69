// Virtual datasets: their elements are elements of other datasets. Selections are arithmetic, dimension by dimension:
// the part of a mapping in a box is an interval of positions along each dimension, and the same interval in the source.

import { type ByteGate, inParallel, isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import type { HyperslabError } from '@hyperslab/base/errors'
import { product } from '@hyperslab/model/dataset'
import { type Datatype, isSameType } from '@hyperslab/model/datatype'
import { type Elements, ElementsBuilder, repeatElement } from '@hyperslab/model/values'
import type { Box, ConvertNumber } from '../../file-reader.ts'
import { damaged } from '../../format/errors.ts'
import { decodeName } from '../../format/messages/names.ts'
import type { RegularDimension } from '../../format/selection.ts'
import type { VirtualMapping } from '../../format/virtual-layout.ts'
import { elementConversion } from '../elements/element-conversion.ts'
import { type AxisSet, axesOf, regularAxis, unsupportedMapping } from './axis-set.ts'
import { copyInOrder } from './virtual-rows.ts'
import {
  beyondExtents,
  isOfUnreadable,
  missingSource,
  namesOf,
  type OpenSource,
  positionsIn,
  type Target,
  type VirtualSource,
} from './virtual-source.ts'
import { copyWindows, segmentsOf } from './virtual-windows.ts'
import type { VirtualWork } from './virtual-work.ts'

/** A mapping of a virtual dataset, or of a part of a joined one. */
export interface SourceMapping extends VirtualMapping {
  readonly convert?: ConvertNumber
  /** Present: it cannot be read, for this reason. */
  readonly failure?: HyperslabError
  /** The source, if it need not be opened. */
  readonly known?: VirtualSource
}

export interface VirtualDataset {
  readonly type: Datatype
  readonly dims: readonly number[]
  readonly fillValue: Elements | undefined
  readonly mappings: readonly SourceMapping[]
  /** Present: no two mappings have a common element, and it admits those that are read at once. */
  readonly gate?: ByteGate
  /** True: elements of sources that cannot be read are the fill value. Default: they are an error. */
  readonly fillsUnreadable?: boolean | undefined
}

/** Sources that a joined dataset reads at once. @limit memory, files */
export const PARTS_AT_ONCE = 8

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
  const { mappings, gate } = dataset
  const read = async (mapping: SourceMapping) => {
    work.use(1)
    if (isTurnOver()) await nextTurn()
    await readMapping(dataset, mapping, { box, builder, work }, open)
  }
  if (gate) await inParallel(mappings, PARTS_AT_ONCE, mapping => gate.pass(1, () => read(mapping)))
  else for (const mapping of mappings) await read(mapping)
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
    const { convert: _, known: _known, ...unread } = mapping
    await readMapping(dataset, unread, { box, builder, work }, opened)
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

async function readMapping(
  dataset: VirtualDataset,
  mapping: SourceMapping,
  target: Target,
  open: OpenSource,
): Promise<void> {
  const { box, work } = target
  const axes = targetAxes(mapping, dataset.dims)
  if (positionsIn(axes, box).some(({ first, end }) => first >= end)) return
  if (!isPattern(mapping)) {
    try {
      const { failure, known } = mapping
      if (failure) throw failure
      const source = known ?? (await open(...namesOf(mapping, 0)))
      if (!source) throw missingSource(namesOf(mapping, 0))
      await readSource(dataset, mapping, source, axes, target)
    } catch (error) {
      if (!isOfUnreadable(error)) throw error
      const [file] = namesOf(mapping, 0)
      const isNamed = file === '.' || error.message.includes(file)
      if (!dataset.fillsUnreadable) throw isNamed ? error : error.within(file)
      // Throws if the work was too much: that is no fault of the source.
      work.use(1)
    }
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

async function readSource(
  dataset: VirtualDataset,
  mapping: SourceMapping,
  stored: VirtualSource,
  axes: readonly AxisSet[],
  target: Target,
): Promise<void> {
  const { box } = target
  const source = converted(stored, dataset.type, mapping.convert)
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
function converted(
  source: VirtualSource,
  type: Datatype,
  convert: ConvertNumber | undefined,
): VirtualSource | undefined {
  const { type: stored, read } = source
  if (isSameType(stored, type) && !convert) return source
  const conversion = elementConversion(stored, type, convert)
  return conversion && { ...source, type, read: async box => conversion(await read(box)) }
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

function blockDimension({ target }: VirtualMapping, d: number): RegularDimension {
  if ('regular' in target && target.regular[d].block !== undefined) return target.regular[d]
  throw unsupportedMapping('has a pattern of names and blocks without end')
}
