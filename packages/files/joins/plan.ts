// The plan of a joined domain: which elements of which file are where along the dimension. Everything that would make
// wrong values of right ones is a conflict, with the files and the dataset that do not agree.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import type { FileAddress, JoinedDataset } from '@hyperslab/h5/reader'
import type { TimeConversion } from '@hyperslab/meaning/meaning'
import { type SimpleDataspace, UNLIMITED } from '@hyperslab/model/dataset'
import type { Datatype } from '@hyperslab/model/datatype'
import type { JoinConflict } from '@hyperslab/store/store'
import { commonType, nameOfType, timeType } from './common-type.ts'
import { reportConflict } from './conflicts.ts'
import type { JoinedSource } from './coordinates.ts'
import type { JoinRules } from './definition.ts'
import { areEqual, type ConvertNumber, isNumber, isPacked, missingNumbers, timeUnitsOf } from './meaning.ts'
import { type OutlinedDataset, PACKING_ATTRIBUTES, TIME_ATTRIBUTES } from './outlines/outline.ts'
import { HIDDEN_ATTRIBUTES, namedFill, notANumber, typeOfValues, unpacker } from './packing.ts'
import { isSame, timeConverter, timesInFirst, typeOfTimes } from './times.ts'

type JoinedPart = JoinedDataset['parts'][number]

/** Joined datasets that the first file lacks: each is looked for in all files. @limit safety, datasets */
const MAX_LATE_DATASETS = 1000

/** A joined dataset, and the source that has it first: the other objects of its file are around it. */
export interface PlannedDataset<Source extends JoinedSource = JoinedSource> {
  readonly joined: JoinedDataset
  readonly source: Source
  /** Its address in the file of the source. */
  readonly address: FileAddress
}

/**
 * The joined datasets by path; `files` are the names by which the reader opens the sources. Throws `file-unreadable`
 * where sources do not agree; with a list for conflicts, these are added to it, and the plan has the sources that agree
 * with the first one that has the dataset.
 */
export async function planJoin<Source extends JoinedSource>(
  definition: JoinRules,
  sources: readonly Source[],
  files: readonly string[],
  conflicts?: JoinConflict[],
): Promise<ReadonlyMap<string, PlannedDataset<Source>>> {
  const first = sources.find(({ failure }) => !failure)
  if (first && definition.check) await compareOthers(first, sources, conflicts)
  const joining = { definition, sources, files, conflicts }
  const planned = new Map<string, PlannedDataset<Source>>()
  let late = 0
  for (const source of sources) {
    if (isTurnOver()) await nextTurn()
    const { name, outline } = source
    for (const [path, dataset] of outline.datasets) {
      if (planned.has(path)) continue
      if (source !== first && ++late > MAX_LATE_DATASETS) {
        const reason = `${first?.name} lacks more than ${MAX_LATE_DATASETS} datasets of the others`
        reportConflict(conflicts, { files: [], reason })
        return planned
      }
      if (first && source !== first && isCoordinate(path, outline, definition)) {
        const reason = `${name} has the coordinates ${path}, and ${first.name} has not`
        reportConflict(conflicts, { files: [first.name, name], object: path, reason })
        continue
      }
      const joined = await joinDataset(path, { ...dataset, file: name }, joining)
      planned.set(path, { joined, source, address: dataset.address })
    }
  }
  return planned
}

/** Whether the dataset has the coordinates of the dimension: fill values would be none. */
function isCoordinate(path: string, { coordinates }: JoinedSource['outline'], { along }: JoinRules): boolean {
  return path === coordinates?.path || (along.kind === 'new' && path === `/${along.name}`)
}

/** Reports the datasets of the first source that are not joined, and differ in others. */
async function compareOthers(
  first: JoinedSource,
  sources: readonly JoinedSource[],
  conflicts: JoinConflict[] | undefined,
): Promise<void> {
  const expected = first.outline.others
  for (const { name, outline, failure } of sources) {
    if (isTurnOver()) await nextTurn()
    // Equal ones are one object.
    if (failure || !expected || outline.others === expected) continue
    for (const [path, { form, values }] of expected) {
      const other = outline.others?.get(path)
      if (other?.form === form && other.values === values) continue
      const part = other?.form === form ? 'values' : 'types or extents'
      const rule = other ? `has other ${part} in ${name} than in ${first.name}` : `is not in ${name}`
      reportConflict(conflicts, { files: [first.name, name], object: path, reason: `${path} ${rule}` })
    }
  }
}

interface Joining {
  readonly definition: JoinRules
  readonly sources: readonly JoinedSource[]
  readonly files: readonly string[]
  readonly conflicts: JoinConflict[] | undefined
}

/** A dataset with the name of its file. */
interface DatasetOfFile extends OutlinedDataset {
  readonly file: string
}

/** How the dataset of a file becomes one with that of the first file. */
interface Fit {
  /** A type for the elements of all files so far. */
  readonly type: Datatype
  /** Present: its times are in other units. */
  readonly times?: TimeConversion
  /** Present: its numbers stand for these values. */
  readonly unpack?: ConvertNumber
}

/** The reason why a dataset does not fit. */
type Misfit = Pick<JoinConflict, 'reason' | 'option'>

interface Member extends Omit<Fit, 'type'> {
  readonly part: JoinedPart
  readonly dataset: OutlinedDataset
}

async function joinDataset(path: string, first: DatasetOfFile, joining: Joining): Promise<JoinedDataset> {
  const { definition, sources, files, conflicts } = joining
  const { axis } = first
  const isUnpacked = await mustUnpack(path, first, joining)
  const fillsUnreadable = definition.missing === 'fill'
  const members: Member[] = []
  let { type } = first
  let length = 0
  /** The length that members have. */
  let filled = 0
  for (const [i, source] of sources.entries()) {
    if (isTurnOver()) await nextTurn()
    const { name, outline, failure, taken = { start: 0, count: outline.extent } } = source
    const place = { file: files[i], dataset: path, start: length, count: taken.count, sourceStart: 0 }
    if (failure && taken.count > 0) members.push({ part: { ...place, failure }, dataset: first })
    if (failure) filled += taken.count
    const dataset = outline.datasets.get(path)
    const fit = dataset && fitOf(path, type, first, { ...dataset, file: name }, isUnpacked)
    if (fit && 'reason' in fit) reportConflict(conflicts, { files: [first.file, name], object: path, ...fit })
    else if (fit) {
      const { type: common, ...conversions } = fit
      type = common
      // A dataset that is shorter than its dimension has fill values behind its end, as in netCDF.
      const count = Math.min(dataset.space.dims[axis] - taken.start, taken.count)
      const part = { file: files[i], dataset: path, start: length, count, sourceStart: taken.start }
      if (count > 0) members.push({ part, dataset, ...conversions })
      filled += Math.max(count, 0)
    }
    length += taken.count
  }
  return {
    space: longer(first.space, axis, length),
    axis,
    ...(first.newAxis && { newAxis: first.newAxis }),
    ...(fillsUnreadable && { fillsUnreadable }),
    ...joinMembers(first, type, members, { isUnpacked, fillsUnreadable, hasGaps: filled < length }),
  }
}

/** Whether numbers are unpacked, since they stand for other values in another file. */
async function mustUnpack(path: string, first: OutlinedDataset, { definition, sources }: Joining) {
  if (!definition.unpack || !isNumber(first.type)) return false
  for (const { outline } of sources) {
    if (isTurnOver()) await nextTurn()
    const dataset = outline.datasets.get(path)
    if (!dataset) continue
    const names = isPacked(dataset) ? [...PACKING_ATTRIBUTES, ...TIME_ATTRIBUTES] : PACKING_ATTRIBUTES
    if (!areEqual(names, first, dataset)) return true
  }
  return false
}

/** Nanoseconds of the smallest unit of times of which integers are floats too. */
const MILLISECOND = 1_000_000

function isCoarseTime(dataset: OutlinedDataset): boolean {
  const units = timeUnitsOf(dataset)
  return units !== undefined && Number(units.unit) >= MILLISECOND
}

function fitOf(
  path: string,
  type: Datatype,
  first: DatasetOfFile,
  other: DatasetOfFile,
  isUnpacked: boolean,
): Fit | Misfit {
  const [across, otherAcross] = [first, other].map(
    ({ space, axis }) => `[${space.dims.with(axis, 0).join()}] along ${axis}`,
  )
  if (across !== otherAcross) {
    const [shape, otherShape] = [first, other].map(
      ({ space, newAxis }) => `[${space.dims.slice(newAxis ? 1 : 0).join()}]`,
    )
    return { reason: `${path} has the extents ${shape} in ${first.file} and ${otherShape} in ${other.file}` }
  }
  const areTimes = [first, other].every(isCoarseTime)
  const common = commonType(type, other.type) ?? (areTimes ? timeType(type, other.type) : undefined)
  if (!common) {
    const [one, two] = [type, other.type].map(nameOfType)
    const types = `the type ${one} in ${first.file} and ${two} in ${other.file}`
    return { reason: `${path} has ${types}, which no type has in common` }
  }
  const times = isUnpacked || !isPacked(other) ? timesInFirst(other, first) : undefined
  const converted: readonly string[] = [
    ...(times ? TIME_ATTRIBUTES : []),
    ...(isUnpacked ? PACKING_ATTRIBUTES : []),
  ]
  for (const name of new Set([...first.meaning.keys(), ...other.meaning.keys()])) {
    const [one, two] = [first, other].map(({ meaning }) => meaning.get(name) ?? 'absent')
    if (one === two || converted.includes(name)) continue
    const reason = `the attribute ${name} of ${path} is ${one} in ${first.file} and ${two} in ${other.file}`
    const isOfPacking = PACKING_ATTRIBUTES.some(one => one === name) && isNumber(type)
    return { reason, ...(isOfPacking && { option: 'unpack' as const }) }
  }
  const fit = { type: common, ...(times && !isSame(times) && { times }) }
  if (!isUnpacked) return fit
  const unpack = unpacker(other)
  return typeof unpack === 'string'
    ? { reason: `${path} in ${other.file} cannot be unpacked: ${unpack}` }
    : { ...fit, unpack }
}

/** The parts, with conversions where their numbers have other meanings, and the type that holds all. */
function joinMembers(
  first: OutlinedDataset,
  type: Datatype,
  members: readonly Member[],
  {
    isUnpacked,
    fillsUnreadable,
    hasGaps,
  }: Readonly<Record<'isUnpacked' | 'fillsUnreadable' | 'hasGaps', boolean>>,
): Omit<JoinedDataset, 'space' | 'axis' | 'newAxis'> {
  const datasets = members.map(({ dataset }) => dataset)
  const values = isUnpacked ? typeOfValues(type, datasets) : type
  const conversions = members.flatMap(({ times }) => times ?? [])
  const joined = conversions.length > 0 ? typeOfTimes(values, conversions) : values
  const missing = new Set(isUnpacked ? [] : missingNumbers(first.meaning))
  const parts = members.map(member => {
    const convert = converterOf(member, joined, missing)
    return convert ? { ...member.part, convert } : member.part
  })
  // The fill value of integers may not be a float; and clients know a fill value by the attribute only.
  const isNewFloat = isUnpacked || type.class === 'H5T_INTEGER'
  const isFilled = fillsUnreadable || hasGaps
  const isUnnamed = isFilled && !first.meaning.has('_FillValue')
  const isFilledWithNaN = joined.class === 'H5T_FLOAT' && (isNewFloat || isUnnamed)
  const named = isFilled && isNumber(joined) ? namedFill(joined, first.meaning) : undefined
  const fillValue = isFilledWithNaN ? notANumber(joined) : named
  const fill = fillValue ? { fillValue } : {}
  return { type: joined, parts, ...fill, ...(isUnpacked && { hiddenAttributes: HIDDEN_ATTRIBUTES }) }
}

function converterOf(
  { times, unpack }: Member,
  type: Datatype,
  missing: ReadonlySet<number | bigint>,
): ConvertNumber | undefined {
  const toFirst = times && timeConverter(times, type, missing)
  if (!unpack || !toFirst) return unpack ?? toFirst
  return stored => toFirst(unpack(stored))
}

/** The dataspace with another extent, which can grow, since files can come. */
function longer(
  { dims, maxdims = dims, ...space }: SimpleDataspace,
  axis: number,
  length: number,
): SimpleDataspace {
  return { ...space, dims: dims.with(axis, length), maxdims: maxdims.with(axis, UNLIMITED) }
}
