// The coordinates of files in a dimension that none of them has: where they come from, the order that they give the
// files, and the dimension scale that is made of them.

import { isTurnOver, nextTurn, sortInTurns } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import type { JoinedObjects } from '@hyperslab/h5/reader'
import type { Datatype } from '@hyperslab/model/datatype'
import { elementPiecesFromJson } from '@hyperslab/model/json'
import { linkTitle } from '@hyperslab/model/names'
import { ElementsBuilder, PREFIXED_REFERENCES } from '@hyperslab/model/values'
import { refused } from './conflicts.ts'
import { compareNames, type JoinedSource, type NewCoordinateValue, orderSources } from './coordinates.ts'
import type { JoinSource, NewAxis } from './definition.ts'
import { parseNamePattern } from './name-pattern.ts'

type NewDimension = NonNullable<JoinedObjects['dimension']>

/**
 * The files of one source of a definition with their coordinates, and in the order of these. Throws `file-unreadable`
 * for a file that has none.
 */
export async function orderByCoordinate<File extends JoinedSource>(
  along: NewAxis,
  source: JoinSource,
  files: readonly File[],
): Promise<readonly File[]> {
  if (files.some(({ outline }) => outline.newAxis?.scale !== undefined)) {
    const given =
      source.kind === 'file' ? source.coordinate : source.kind === 'scan' ? source.pattern : undefined
    if (given === undefined) return orderSources({ along }, files)
    throw refused(`${files[0].name} has the dataset /${along.name}, and the definition other coordinates`)
  }
  const coordinateOf = coordinatesBy(along, source)
  const placed: File[] = []
  for (const file of files) {
    if (isTurnOver()) await nextTurn()
    const coordinate = coordinateOf(file)
    placed.push(coordinate ? { ...file, coordinate } : file)
  }
  return sortInTurns(placed, (a, b) => compare(a.coordinate, b.coordinate) || compareNames(a.name, b.name))
}

/** The coordinate of a file; undefined: it is the number of the file. */
function coordinatesBy(
  along: NewAxis,
  source: JoinSource,
): (file: JoinedSource) => NewCoordinateValue | undefined {
  const { coordinate = { kind: 'number' } } = along
  const given = source.kind === 'file' ? source.coordinate : undefined
  if (given !== undefined) return () => ({ value: given, isTime: false })
  const own = source.kind === 'scan' ? source.pattern : undefined
  const pattern = own ?? (coordinate.kind === 'name' ? coordinate.pattern : undefined)
  if (pattern !== undefined) return coordinatesInNames(pattern)
  return ({ outline }) => {
    const value = outline.newAxis?.coordinate
    return value === undefined ? undefined : { value, isTime: false }
  }
}

function coordinatesInNames(pattern: string): (file: JoinedSource) => NewCoordinateValue {
  const parsed = parseNamePattern(pattern)
  if (typeof parsed === 'string') throw refused(parsed)
  return ({ name }) => {
    const coordinate = parsed(name.slice(name.lastIndexOf('/') + 1))
    if (coordinate) return coordinate
    throw refused(`the name of ${name} has no coordinate of the form ${pattern}`)
  }
}

/** Numbers before strings, both in their order. */
function compare(a: NewCoordinateValue | undefined, b: NewCoordinateValue | undefined): number {
  if (!a || !b) return 0
  const [one, two] = [a.value, b.value]
  if (typeof one === 'string' && typeof two === 'string') return compareNames(one, two)
  if (typeof one === 'string' || typeof two === 'string') return typeof one === 'string' ? 1 : -1
  return one < two ? -1 : one > two ? 1 : 0
}

/** The dimension of the files in their order. Throws `file-unreadable` if two have the same coordinate. */
export async function newDimension(along: NewAxis, files: readonly JoinedSource[]): Promise<NewDimension> {
  const { name, datasets = [] } = along
  requireTitle(name)
  const [first] = files
  const { isTaken, scale, number } = first.outline.newAxis ?? {}
  const absent = datasets.find(path => !files.some(({ outline }) => outline.datasets.has(path)))
  if (absent !== undefined) throw refused(`no file has the dataset ${absent}`)
  if (isTaken)
    throw refused(`${first.name} has the object /${name}, which is not the coordinate, since it is no scalar`)
  const rest = { name, ...(number !== undefined && { number }) }
  if (scale === undefined) return { ...rest, scale: await newScale(name, files) }
  const without = files.find(({ outline }) => outline.newAxis?.scale === undefined)
  if (without)
    throw refused(`${without.name} has no scalar /${name}, which is the coordinate in ${first.name}`)
  return { ...rest, scale }
}

/** Throws unless a link can have the name. HDF5 follows no link that is named `.`. */
function requireTitle(name: string): void {
  try {
    if (linkTitle(name) !== '.') return
  } catch (error) {
    if (error instanceof HyperslabError) throw refused(error.message)
    throw error
  }
  throw refused('a dimension cannot have the name "."')
}

async function newScale(
  name: string,
  files: readonly JoinedSource[],
): Promise<Exclude<NewDimension['scale'], string>> {
  const [first] = files
  const given = files.map(({ coordinate }, i) => coordinate?.value ?? BigInt(i))
  const type = typeOf(given)
  const values: (number | bigint | string)[] = []
  const owners = new Map<number | bigint | string, string>()
  for (const [i, file] of files.entries()) {
    if (isTurnOver()) await nextTurn()
    if (kindOf(file) !== kindOf(first)) {
      const kinds = `${kindOf(first)} in ${first.name} and ${kindOf(file)} in ${file.name}`
      throw refused(`the coordinate ${name} is ${kinds}`)
    }
    const value = type.class === 'H5T_FLOAT' ? Number(given[i]) : given[i]
    const owner = owners.get(value)
    if (owner !== undefined) throw refused(`${owner} and ${file.name} have the same ${name}: ${value}`)
    owners.set(value, file.name)
    values.push(value)
  }
  const attributes = first.coordinate?.isTime ? TIME_ATTRIBUTES : new Map<string, string>()
  const elements = new ElementsBuilder(type, values.length)
  let end = 0
  for (const piece of elementPiecesFromJson(type, [values.length], values, PREFIXED_REFERENCES)) {
    if (isTurnOver()) await nextTurn()
    elements.copy(piece, 0, end, piece.count)
    end += piece.count
  }
  return { type, values: elements.finish(), attributes }
}

/** Times count in the calendar of their digits. */
const TIME_ATTRIBUTES: ReadonlyMap<string, string> = new Map([
  ['units', 'seconds since 1970-01-01'],
  ['calendar', 'proleptic_gregorian'],
])

function kindOf({ coordinate }: JoinedSource): string {
  if (coordinate?.isTime) return 'a time'
  return typeof coordinate?.value === 'string' ? 'a string' : 'a number'
}

/** Whole numbers are integers, unless one among them is none, or is too large. */
function typeOf(values: readonly (number | bigint | string)[]): Datatype {
  if (typeof values[0] === 'string')
    return {
      class: 'H5T_STRING',
      length: 'H5T_VARIABLE',
      charSet: 'H5T_CSET_UTF8',
      strPad: 'H5T_STR_NULLTERM',
    }
  const isWhole = (value: unknown) => typeof value === 'bigint' && BigInt.asIntN(64, value) === value
  return values.every(isWhole)
    ? { class: 'H5T_INTEGER', size: 8, signed: true, order: 'LE' }
    : { class: 'H5T_FLOAT', size: 8, order: 'LE' }
}
