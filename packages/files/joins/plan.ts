// The plan of a joined domain: which elements of which file are where along the dimension. Everything that would make
// wrong values of right ones is a conflict, with the files and the dataset that do not agree.

import { isTurnOver, nextTurn, sortInTurns } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import type { FileAddress, JoinedDataset } from '@hyperslab/h5/reader'
import { formatTime, momentOf, type TimeConversion } from '@hyperslab/meaning/meaning'
import { type SimpleDataspace, UNLIMITED } from '@hyperslab/model/dataset'
import { type Datatype, isSameType } from '@hyperslab/model/datatype'
import { compareUtf8 } from '@hyperslab/model/names'
import type { JoinConflict } from '@hyperslab/store/store'
import { isSame, timeConverter, timesInFirst, timeUnitsOf, typeOfTimes } from './conversions.ts'
import { type JoinDefinition, labelOf } from './definition.ts'
import { type CoordinateValue, type Outline, type OutlinedDataset, TIME_ATTRIBUTES } from './outline.ts'

export interface JoinedSource {
  /** For messages and for the order by name. */
  readonly name: string
  readonly outline: Outline
  /** In a dimension that the files do not have; absent: its number is the coordinate, or a dataset has it. */
  readonly coordinate?: Coordinate
}

export interface Coordinate {
  readonly value: CoordinateValue
  /** True: it is in seconds since 1970. */
  readonly isTime: boolean
}

/** Conflicts that are listed: one family of files can have millions. @limit memory, conflicts */
const MAX_CONFLICTS = 100

/** Lists the conflict; without a list, it is the error `file-unreadable`. */
export function reportConflict(conflicts: JoinConflict[] | undefined, conflict: JoinConflict): void {
  if (!conflicts)
    throw new HyperslabError('file-unreadable', `the files cannot be joined: ${conflict.reason}`)
  if (conflicts.length < MAX_CONFLICTS) conflicts.push(conflict)
}

type JoinedPart = JoinedDataset['parts'][number]

/**
 * The joined datasets of the first source by address; `files` are the names by which it opens the sources. Throws
 * `file-unreadable` where sources do not agree; with a list for conflicts, these are added to it, and the plan has the
 * sources that agree with the first.
 */
export async function planJoin(
  { along }: Pick<JoinDefinition, 'along'>,
  sources: readonly JoinedSource[],
  files: readonly string[],
  conflicts?: JoinConflict[],
): Promise<ReadonlyMap<FileAddress, JoinedDataset>> {
  const [first, ...others] = sources
  for (const { name, outline } of others) {
    if (isTurnOver()) await nextTurn()
    for (const path of outline.datasets.keys()) {
      if (first.outline.datasets.has(path)) continue
      const reason = `${name} has the dataset ${path} along ${labelOf(along)}, and ${first.name} has not`
      reportConflict(conflicts, { files: [first.name, name], object: path, reason })
    }
  }
  const planned = new Map<FileAddress, JoinedDataset>()
  for (const [path, dataset] of first.outline.datasets)
    planned.set(dataset.address, await joinDataset(path, dataset, sources, files, conflicts))
  return planned
}

/** A part of a joined dataset, and its dataset. */
interface Member {
  readonly part: JoinedPart
  readonly dataset: OutlinedDataset
  /** Present: its times are other numbers than those of the first file. */
  readonly times?: TimeConversion
}

async function joinDataset(
  path: string,
  first: OutlinedDataset,
  sources: readonly JoinedSource[],
  files: readonly string[],
  conflicts: JoinConflict[] | undefined,
): Promise<JoinedDataset> {
  const { axis } = first
  const members: Member[] = []
  let { type } = first
  let length = 0
  for (const [i, { name, outline }] of sources.entries()) {
    if (isTurnOver()) await nextTurn()
    const dataset = outline.datasets.get(path)
    const names = [sources[0].name, name] as const
    const common = dataset && commonType(type, dataset.type)
    const times = dataset && timesInFirst(dataset, first)
    const reason =
      dataset &&
      (differenceOf(path, [first, dataset], names, times ? TIME_ATTRIBUTES : []) ??
        (common ? undefined : `${path} in ${name} has a type that does not fit that in ${names[0]}`))
    if (reason !== undefined) reportConflict(conflicts, { files: names, object: path, reason })
    else if (dataset && common) {
      type = common
      // A dataset that is shorter than its dimension has fill values behind its end, as in netCDF.
      const count = dataset.space.dims[axis]
      const part = { file: files[i], dataset: path, start: length, count, sourceStart: 0 }
      if (count > 0) members.push({ part, dataset, ...(times && !isSame(times) && { times }) })
    }
    length += outline.extent
  }
  const { newAxis } = first
  const space = longer(first.space, axis, length)
  return { space, axis, ...(newAxis && { newAxis }), ...joinMembers(type, members) }
}

/** The parts, with conversions where their numbers have other meanings, and the type that holds them. */
function joinMembers(type: Datatype, members: readonly Member[]): Pick<JoinedDataset, 'type' | 'parts'> {
  const conversions = members.flatMap(({ times }) => times ?? [])
  if (conversions.length === 0) return { type, parts: members.map(({ part }) => part) }
  const joined = typeOfTimes(type, conversions)
  const parts = members.map(({ part, dataset, times }) =>
    times ? { ...part, convert: timeConverter(times, joined, dataset.meaning) } : part,
  )
  return { type: joined, parts }
}

/** The dataspace with another extent, which can grow, since files can come. */
function longer(
  { dims, maxdims = dims, ...space }: SimpleDataspace,
  axis: number,
  length: number,
): SimpleDataspace {
  return { ...space, dims: dims.with(axis, length), maxdims: maxdims.with(axis, UNLIMITED) }
}

/** The extents or the attribute in which a dataset differs between two files; undefined: it fits. */
function differenceOf(
  path: string,
  datasets: readonly [OutlinedDataset, OutlinedDataset],
  names: readonly [string, string],
  converted: readonly string[],
): string | undefined {
  const [across, otherAcross] = datasets.map(
    ({ space, axis }) => `[${space.dims.with(axis, 0).join()}] along ${axis}`,
  )
  if (across !== otherAcross) {
    const [shape, otherShape] = datasets.map(
      ({ space, newAxis }) => `[${space.dims.slice(newAxis ? 1 : 0).join()}]`,
    )
    return `${path} has the extents ${shape} in ${names[0]} and ${otherShape} in ${names[1]}`
  }
  for (const name of new Set(datasets.flatMap(({ meaning }) => [...meaning.keys()]))) {
    const [one, two] = datasets.map(({ meaning }) => meaning.get(name) ?? 'absent')
    if (one !== two && !converted.includes(name))
      return `the attribute ${name} of ${path} is ${one} in ${names[0]} and ${two} in ${names[1]}`
  }
  return undefined
}

/** Bits of integers that floats of a size in bytes hold exactly: those of the significand (IEEE 754). */
const SIGNIFICANDS = { 2: 11, 4: 24, 8: 53 } as const

/** The smallest of both types, or a larger one, that holds all numbers of both. Undefined: there is none. */
export function commonType(a: Datatype, b: Datatype): Datatype | undefined {
  if (isSameType(a, b)) return a
  if (a.class === 'H5T_FLOAT' && b.class === 'H5T_FLOAT')
    return a.size >= b.size ? a : { ...b, order: a.order }
  if (a.class === 'H5T_INTEGER' && b.class === 'H5T_INTEGER') {
    if (isPartial(a) || isPartial(b)) return undefined
    if (a.signed === b.signed) return a.size >= b.size ? a : { ...b, order: a.order }
    const [signed, unsigned] = a.signed ? [a.size, b.size] : [b.size, a.size]
    const size = Math.max(signed, 2 * unsigned)
    return isIntegerSize(size) ? { class: 'H5T_INTEGER', size, signed: true, order: a.order } : undefined
  }
  const [integer, float] = a.class === 'H5T_INTEGER' ? [a, b] : [b, a]
  if (integer.class !== 'H5T_INTEGER' || float.class !== 'H5T_FLOAT' || isPartial(integer)) return undefined
  const bits = 8 * integer.size - (integer.signed ? 1 : 0)
  const size = ([2, 4, 8] as const).find(size => size >= float.size && bits <= SIGNIFICANDS[size])
  return size && { class: 'H5T_FLOAT', size, order: float.order }
}

/** Whether an integer does not use all bits of its bytes. */
function isPartial({ precision, offset }: Extract<Datatype, { class: 'H5T_INTEGER' }>): boolean {
  return precision !== undefined || offset !== undefined
}

function isIntegerSize(size: number): size is 1 | 2 | 4 | 8 {
  return [1, 2, 4, 8].includes(size)
}

/**
 * Sources of a scan in their order: by their coordinates if all have them, else by name, numbers in names as numbers.
 * Coordinates of two sources that overlap are a conflict (see `planJoin`).
 */
export async function orderSources<Source extends JoinedSource>(
  dimension: string,
  sources: readonly Source[],
  conflicts?: JoinConflict[],
): Promise<readonly Source[]> {
  const ranges = sources.flatMap(source => rangeOf(source) ?? [])
  if (ranges.length < sources.length) return sortInTurns([...sources], (a, b) => compareNames(a.name, b.name))
  const ordered = await sortInTurns(
    ranges,
    (a, b) => compare(a.least, b.least) || compareNames(a.source.name, b.source.name),
  )
  for (const [i, range] of ordered.entries()) {
    const before = ordered[i - 1]
    if (!before || before.greatest < range.least) continue
    const files = [before.source.name, range.source.name]
    const [one, two] = [before, range].map(({ source, text }) => `${source.name} (${text})`)
    reportConflict(conflicts, { files, reason: `the coordinates ${dimension} of ${one} and ${two} overlap` })
  }
  const inOrder = ordered.map(({ source }) => source)
  const falling = ordered.find(({ isFalling }) => isFalling)
  const rising = ordered.find(({ isRising }) => isRising)
  if (falling && rising) {
    const files = [rising.source.name, falling.source.name]
    const reason = `the coordinates ${dimension} rise in ${files[0]} and fall in ${files[1]}`
    reportConflict(conflicts, { files, reason })
  }
  return falling ? inOrder.reverse() : inOrder
}

function rangeOf<Source extends JoinedSource>(source: Source) {
  const { coordinates, datasets } = source.outline
  if (!coordinates) return undefined
  const dataset = datasets.get(coordinates.path)
  const units = dataset && timeUnitsOf(dataset)
  // Times of all files are compared as moments, since their units may differ.
  const [first, last] = coordinates.ends.map(end => (units ? momentOf(end, units) : end))
  const [from, to] = coordinates.ends.map(end => (units && formatTime(end, units)) ?? String(end))
  const [least, greatest] = first < last ? [first, last] : [last, first]
  const text = first < last ? `${from} to ${to}` : `${to} to ${from}`
  return { source, least, greatest, isRising: first < last, isFalling: first > last, text }
}

function compare(a: number | bigint, b: number | bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The same order on all machines, whatever their language. */
const NATURAL = new Intl.Collator('en', { numeric: true })

/** Numbers in names count as numbers: `run_9` is before `run_10`. */
export function compareNames(a: string, b: string): number {
  return NATURAL.compare(a, b) || compareUtf8(a, b)
}
