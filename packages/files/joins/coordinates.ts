// Coordinates of files along the dimension: their order, and the elements that are taken of files that overlap.

import { isTurnOver, nextTurn, sortInTurns } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import type { H5FileReader } from '@hyperslab/h5/reader'
import { formatTime, momentOf } from '@hyperslab/meaning/meaning'
import { elementSize } from '@hyperslab/model/datatype'
import { compareUtf8 } from '@hyperslab/model/names'
import { dataViewOf, readFloat, readInteger } from '@hyperslab/model/values'
import type { JoinConflict } from '@hyperslab/store/store'
import { reportConflict } from './conflicts.ts'
import { type JoinRules, labelOf } from './definition.ts'
import { isNumber, isPacked, timeUnitsOf } from './meaning.ts'
import type { CoordinateValue, Outline, OutlinedDataset } from './outlines/outline.ts'
import { unpacker } from './packing.ts'

export interface JoinedSource {
  /** For messages and for the order by name. */
  readonly name: string
  readonly outline: Outline
  /** The part of the dimension that is taken of the file. Default: all. */
  readonly taken?: { readonly start: number; readonly count: number }
  /** In a dimension that the files do not have; absent: its number is the coordinate, or a dataset has it. */
  readonly coordinate?: NewCoordinateValue
  /** The reason why it cannot be read: it keeps its place, and has no datasets in its outline. Absent: it can be. */
  readonly failure?: HyperslabError
}

export interface NewCoordinateValue {
  readonly value: CoordinateValue
  /** True: it is in seconds since 1970. */
  readonly isTime: boolean
}

/** A coordinate in a form that is compared between files: a number, or the moment of a time. */
type Coordinate = number | bigint

/** The first and the last coordinate of a file. */
interface Range<Source> {
  readonly source: Source
  /** The dataset that has them. */
  readonly dataset: OutlinedDataset
  readonly first: Coordinate
  readonly last: Coordinate
  readonly text: string
}

type IsBefore = (a: Coordinate, b: Coordinate) => boolean
const RISING: IsBefore = (a, b) => a < b
const FALLING: IsBefore = (a, b) => a > b

/**
 * Sources of a scan in their order: by their coordinates if all have them, else by name, numbers in names as numbers.
 * Coordinates of two sources that overlap are a conflict (see `planJoin`), unless the rules say which ones to keep.
 */
export async function orderSources<Source extends JoinedSource>(
  { along, keep }: JoinRules,
  sources: readonly Source[],
  conflicts?: JoinConflict[],
): Promise<readonly Source[]> {
  const ranges = rangesOf(sources)
  if (!ranges) return sortInTurns([...sources], (a, b) => compareNames(a.name, b.name))
  const rising = ranges.find(({ first, last }) => first < last)
  const falling = ranges.find(({ first, last }) => first > last)
  if (falling && rising) {
    const files = [rising.source.name, falling.source.name]
    const reason = `the coordinates ${labelOf(along)} rise in ${files[0]} and fall in ${files[1]}`
    reportConflict(conflicts, { files, reason })
  }
  const isBefore = directionOf(ranges)
  const byFirst = (a: Range<Source>, b: Range<Source>) =>
    isBefore(a.first, b.first)
      ? -1
      : isBefore(b.first, a.first)
        ? 1
        : compareNames(a.source.name, b.source.name)
  const ordered = await sortInTurns([...ranges], byFirst)
  let furthest: Range<Source> | undefined
  for (const range of ordered) {
    if (furthest && !keep && !isBefore(furthest.last, range.first)) {
      const [one, two] = [furthest, range].map(({ source, text }) => `${source.name} (${text})`)
      const files = [furthest.source.name, range.source.name]
      reportConflict(conflicts, {
        files,
        reason: `the coordinates ${labelOf(along)} of ${one} and ${two} overlap`,
        ...(along.kind !== 'new' && { option: 'keep' }),
      })
    }
    if (!furthest || isBefore(furthest.last, range.last)) furthest = range
  }
  return ordered.map(({ source }) => source)
}

/** Whether all sources have coordinates that can be compared. */
export function haveCoordinates(sources: readonly JoinedSource[]): boolean {
  return rangesOf(sources) !== undefined
}

/** Calls the function with a reader of the file of a source. */
export type WithReader<Source> = <Result>(
  source: Source,
  use: (reader: H5FileReader) => Promise<Result>,
) => Promise<Result>

/**
 * The sources, which are in their order, with the parts that are taken of them. With `keep: first`, a file begins after
 * the coordinates of all files before it; with `last`, it ends before the first one of the next file.
 */
export async function cutOverlaps<Source extends JoinedSource>(
  { keep }: JoinRules,
  sources: readonly Source[],
  withReader: WithReader<Source>,
): Promise<readonly Source[]> {
  const ranges = keep && rangesOf(sources)
  if (!ranges) return sources
  const isBefore = directionOf(ranges)
  const cut: Source[] = []
  /** The coordinate up to which, or from which on, the files so far have all. */
  let bound: Coordinate | undefined
  for (const range of keep === 'first' ? ranges : ranges.toReversed()) {
    if (isTurnOver()) await nextTurn()
    const { source, first, last } = range
    const { extent } = source.outline
    const isWhole = bound === undefined || (keep === 'first' ? isBefore(bound, first) : isBefore(last, bound))
    if (isWhole || bound === undefined) cut.push(source)
    else {
      const end = bound
      const isCounted = (one: Coordinate) => isBefore(one, end) || (keep === 'first' && one === end)
      const key = `${keep} ${isBefore === FALLING ? 'falling' : 'rising'} ${bound}`
      const count = await countCoordinates(range, key, isCounted, isBefore, withReader)
      const taken = keep === 'first' ? { start: count, count: extent - count } : { start: 0, count }
      cut.push({ ...source, taken })
    }
    if (keep === 'last') bound = first
    else if (bound === undefined || isBefore(bound, last)) bound = last
  }
  return keep === 'first' ? cut : cut.reverse()
}

/** Coordinates of one file that are counted. @limit safety, coordinates */
const MAX_COORDINATES = 2 ** 24
/** Coordinates that are read at once. */
const BLOCK = 2 ** 16

/** The last count of the coordinates of each file, by what was counted: the same one is asked at every opening. */
const counts = new WeakMap<Outline, { readonly key: string; readonly count: number }>()

/** The number of coordinates of a file that are counted. Throws `file-unreadable` if they are in no order. */
async function countCoordinates<Source extends JoinedSource>(
  { source, dataset }: Range<Source>,
  key: string,
  isCounted: (one: Coordinate) => boolean,
  isBefore: IsBefore,
  withReader: WithReader<Source>,
): Promise<number> {
  const { outline, name } = source
  const counted = counts.get(outline)
  if (counted?.key === key) return counted.count
  const { path } = outline.coordinates ?? {}
  const [extent] = dataset.space.dims
  const refuse = (reason: string) => new HyperslabError('file-unreadable', `${path} in ${name} has ${reason}`)
  if (extent > MAX_COORDINATES) throw refuse(`more than ${MAX_COORDINATES} coordinates`)
  const { comparable } = formOf(dataset)
  let count = 0
  let last: Coordinate | undefined
  const add = (data: Uint8Array) => {
    const view = dataViewOf(data)
    for (let index = 0; index * elementSize(dataset.type) < data.length; index++) {
      const one = comparable(numberAt(dataset, view, index))
      if (last !== undefined && !isBefore(last, one)) throw refuse('coordinates that are not in order')
      if (isCounted(one)) count++
      last = one
    }
  }
  const { known } = outline
  if (known && known.path === path) add(known.data)
  else
    await withReader(source, async reader => {
      for (let start = 0; start < extent; start += BLOCK) {
        const length = Math.min(BLOCK, extent - start)
        add((await reader.readValues(dataset.address, [start], [length], () => undefined)).data)
        if (isTurnOver()) await nextTurn()
      }
    })
  counts.set(outline, { key, count })
  return count
}

function numberAt({ type }: OutlinedDataset, view: DataView, index: number): number | bigint {
  if (type.class === 'H5T_INTEGER') return readInteger(type, view, index * type.size)
  return isNumber(type) ? readFloat(type, view, index * type.size) : Number.NaN
}

/** Undefined: not all sources have coordinates that can be compared. */
function rangesOf<Source extends JoinedSource>(
  sources: readonly Source[],
): readonly Range<Source>[] | undefined {
  const ranges: Range<Source>[] = []
  for (const source of sources) {
    const { coordinates, datasets } = source.outline
    const dataset = coordinates && datasets.get(coordinates.path)
    if (!dataset) return undefined
    const { comparable, text } = formOf(dataset)
    const [first, last] = coordinates.ends.map(comparable)
    if (Number.isNaN(first) || Number.isNaN(last)) return undefined
    ranges.push({ source, dataset, first, last, text: coordinates.ends.map(text).join(' to ') })
  }
  return ranges
}

function directionOf(ranges: readonly Range<unknown>[]): IsBefore {
  return ranges.some(({ first, last }) => first > last) ? FALLING : RISING
}

/** Coordinates as numbers that are compared, NaN for missing ones, and as strings. */
function formOf(dataset: OutlinedDataset) {
  const unpack = isPacked(dataset) ? unpacker(dataset) : undefined
  const toValue = typeof unpack === 'function' ? unpack : (stored: Coordinate) => stored
  const units = timeUnitsOf(dataset)
  return {
    // Units may differ between files.
    comparable(stored: Coordinate): Coordinate {
      const value = toValue(stored)
      return units && (typeof value === 'bigint' || Number.isFinite(value)) ? momentOf(value, units) : value
    },
    text(stored: Coordinate): string {
      const value = toValue(stored)
      return (units && formatTime(value, units)) ?? String(value)
    },
  }
}

/** The same order on all machines, whatever their language. */
const NATURAL = new Intl.Collator('en', { numeric: true })

/** Numbers in names count as numbers: `run_9` is before `run_10`. */
export function compareNames(a: string, b: string): number {
  return NATURAL.compare(a, b) || compareUtf8(a, b)
}
