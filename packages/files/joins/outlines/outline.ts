// The part of a file that matters for joining it with others: its datasets that have the dimension, their types and
// extents, and the attributes that change the meaning of numbers.

import { HyperslabError } from '@hyperslab/base/errors'
import type {
  FileAddress,
  FileAttribute,
  FileDataset,
  H5FileReader,
  JoinedDataset,
  ReferenceResolver,
} from '@hyperslab/h5/reader'
import { memberPath } from '@hyperslab/h5/reader'
import { extentsOf, type SimpleDataspace } from '@hyperslab/model/dataset'
import type { Datatype } from '@hyperslab/model/datatype'
import { elementsToJson, type JsonOutput, stringifyJson } from '@hyperslab/model/json'
import { idFromHex, type ObjectId } from '@hyperslab/model/names'
import {
  dataViewOf,
  PREFIXED_REFERENCES,
  readFloat,
  readInteger,
  scalesOfList,
} from '@hyperslab/model/values'
import { type AxisOfFiles, labelOf } from '../definition.ts'
import { type OutlinedObject, walkObjects } from '../objects/walk-objects.ts'
import { shareDatasets, shareValue } from './shared-parts.ts'

export interface Outline {
  /** The datasets that have the dimension, by path. */
  readonly datasets: ReadonlyMap<string, OutlinedDataset>
  /** The length of the dimension: that of the longest of these datasets. */
  readonly extent: number
  /** Absent: there are no coordinates, or they are not numbers. */
  readonly coordinates?: OutlinedCoordinates
  /** Present: no dataset has the dimension in the file. */
  readonly newAxis?: NewAxisOutline
  /** All coordinates, if they are few. */
  readonly known?: KnownCoordinates
  /** The other datasets by path, if they are compared. */
  readonly others?: ReadonlyMap<string, ComparedDataset>
  /** All objects by address, a group before its members; of a union. */
  readonly objects?: ReadonlyMap<FileAddress, OutlinedObject>
}

export interface ComparedDataset {
  /** Equal for equal types and shapes. */
  readonly form: string
  /** Equal for equal values; absent: they are not compared. */
  readonly values?: string
}

export interface OutlinedCoordinates {
  /** The dataset that has them. */
  readonly path: string
  /** The first and the last one. */
  readonly ends: readonly [number | bigint, number | bigint]
}

/** The parts of a file that matter for a dimension that it does not have. */
export interface NewAxisOutline {
  /** The scalar dataset with its coordinate. */
  readonly scale?: FileAddress
  /** Whether the root group has another object of its name. */
  readonly isTaken: boolean
  /** The coordinate that an attribute gives. */
  readonly coordinate?: CoordinateValue
  /** The first number that no dimension has; absent: the file is none of netCDF-4. */
  readonly number?: number
}

/** A bigint is a whole number. */
export type CoordinateValue = number | bigint | string

export interface OutlinedDataset {
  readonly address: FileAddress
  readonly type: Datatype
  readonly space: SimpleDataspace
  /** The dimension of the dataset that is the one of the outline. */
  readonly axis: number
  /** Present: `space` has the dimension, with one coordinate, and the dataset has not. */
  readonly newAxis?: JoinedDataset['newAxis']
  /** The attributes by which two equal numbers can mean different values, as JSON. */
  readonly meaning: ReadonlyMap<string, string>
  /** Present: its chunks have the storage form of its elements. */
  readonly storage?: DatasetStorage
}

type KnownCoordinates = { readonly path: string } & NonNullable<JoinedDataset['parts'][number]['known']>

export interface DatasetStorage extends NonNullable<JoinedDataset['chunks']> {
  /** Equal for chunks that are decoded alike, and have the same elements where none is stored. */
  readonly key: string
}

/** Attributes by which numbers become times (CF 1.11: 3.1, 4.4.1). */
export const TIME_ATTRIBUTES = ['units', 'calendar'] as const
/** Attributes by which stored numbers stand for others, or for missing ones (CF 1.11: 2.5.1, 8.1). */
export const PACKING_ATTRIBUTES = [
  'scale_factor',
  'add_offset',
  '_Unsigned',
  '_FillValue',
  'missing_value',
] as const
const MEANING: readonly string[] = [...TIME_ATTRIBUTES, ...PACKING_ATTRIBUTES]

/** Reads the outline of a file for a dimension. Throws `file-unreadable` if no dataset has it. */
export async function readOutline(reader: H5FileReader, along: AxisOfFiles): Promise<Outline> {
  const found = await findDatasets(reader)
  const scales = along.kind === 'named' ? scalesOf(along.name, found) : scalesAt(along.axes, found)
  const datasets = new Map<string, OutlinedDataset>()
  for (const one of found) {
    const axes = one.names.flatMap((name, d) => {
      const isLabel = typeof name === 'string' && along.kind === 'named' && name === along.name
      return isLabel || (typeof name === 'object' && scales.has(name.scale)) ? [d] : []
    })
    if (scales.has(one.address) && one.space.dims.length > 0) axes.unshift(0)
    const given = along.kind === 'axes' ? along.axes.get(one.path) : undefined
    if (given !== undefined) axes.unshift(given)
    if (new Set(axes).size > 1)
      throw new HyperslabError('file-unreadable', `${one.path} has the dimension ${labelOf(along)} twice`)
    const [axis] = axes
    if (axis === undefined) continue
    const { address, type, space, meaning, storage } = one
    datasets.set(one.path, { address, type, space, axis, meaning, ...(storage && { storage }) })
  }
  for (const one of found) addUnitsOfBounds(datasets, one)
  if (datasets.size === 0) {
    const rule = `no dataset has the dimension ${labelOf(along)}${dimensionsIn(found)}`
    throw new HyperslabError('file-unreadable', rule)
  }
  const extent = Math.max(...[...datasets.values()].map(({ space, axis }) => space.dims[axis]))
  const scale = found.find(one => scales.has(one.address))
  const coordinates = scale && !scale.isOnlyName ? await readEnds(reader, scale) : undefined
  const known = coordinates && scale && (await readFew(reader, scale))
  return {
    datasets: shareDatasets(datasets),
    extent,
    ...(coordinates && { coordinates }),
    ...(known && { known }),
  }
}

/** Dimensions that a message names. */
const NAMED_DIMENSIONS = 10

/** The names of the dimensions that there are, for a message. */
function dimensionsIn(found: readonly FoundDataset[]): string {
  const names = found.flatMap(({ isScale, title, names }) => [
    ...(isScale ? [title] : []),
    ...names.filter(name => typeof name === 'string'),
  ])
  const first = [...new Set(names)].slice(0, NAMED_DIMENSIONS)
  return first.length > 0 ? `; it has ${first.join(', ')}` : ''
}

/** The dimension scales of this title. */
function scalesOf(title: string, found: readonly FoundDataset[]): ReadonlySet<FileAddress> {
  return new Set(found.filter(one => one.isScale && one.title === title).map(({ address }) => address))
}

/** The dimension scales of these dimensions. Throws `file-unreadable` for a dimension that a dataset has not. */
function scalesAt(
  axes: ReadonlyMap<string, number>,
  found: readonly FoundDataset[],
): ReadonlySet<FileAddress> {
  const scales = new Set<FileAddress>()
  for (const { path, address, space, isScale, names } of found) {
    const axis = axes.get(path)
    if (axis === undefined) continue
    const rank = space.dims.length
    if (axis >= rank) {
      const rule = `${path} has ${rank} dimensions, so there is no ${path}#${axis}`
      throw new HyperslabError('file-unreadable', rule)
    }
    const name = names[axis]
    if (typeof name === 'object') scales.add(name.scale)
    else if (isScale && axis === 0) scales.add(address)
  }
  return scales
}

/** Times and their bounds, which have no attributes of their own, are numbers of the same units (CF 7.1). */
function addUnitsOfBounds(
  datasets: Map<string, OutlinedDataset>,
  { path, bounds, meaning }: FoundDataset,
): void {
  const boundsPath = bounds === undefined ? '' : memberPath(parentPath(path), bounds)
  const dataset = datasets.get(boundsPath)
  if (!dataset || dataset.meaning.has('units')) return
  const added = TIME_ATTRIBUTES.flatMap(name => {
    const value = meaning.get(name)
    return value === undefined ? [] : [[name, value] as const]
  })
  datasets.set(boundsPath, { ...dataset, meaning: new Map([...added, ...dataset.meaning]) })
}

/** The path of the group of a dataset. */
function parentPath(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/'
}

/** A name of a dimension, or the scale that gives it one. */
type DimensionName = string | { readonly scale: FileAddress } | undefined

export interface FoundDataset {
  readonly address: FileAddress
  readonly path: string
  readonly title: string
  readonly storage?: DatasetStorage
  readonly type: Datatype
  /** A scalar has no dimensions. */
  readonly space: SimpleDataspace
  readonly isScale: boolean
  /** True: it is a scale without values of its own (netCDF-4). */
  readonly isOnlyName: boolean
  readonly names: readonly DimensionName[]
  /** The number of the dimension whose scale it is (netCDF-4). */
  readonly number?: number
  readonly meaning: ReadonlyMap<string, string>
  /** The name of the dataset beside it that has the bounds of its cells. */
  readonly bounds: string | undefined
}

/** The datasets along hard links, each by the first path to it, without those that have a null dataspace. */
export async function findDatasets(reader: H5FileReader): Promise<readonly FoundDataset[]> {
  const found = await walkObjects(reader, async ({ address, path, title, kind }) => {
    if (kind !== 'dataset') return []
    const dataset = await reader.dataset(address)
    const { type, space } = dataset
    if (space.class === 'H5S_NULL') return []
    const simple = { ...space, class: 'H5S_SIMPLE', dims: extentsOf(space) } as const
    const parts = {
      ...(await readDimensions(reader, address)),
      ...(await readStorage(reader, address, dataset)),
    }
    return [{ address, path, title, type, space: simple, ...parts }]
  })
  return found.flat()
}

async function readStorage(
  reader: H5FileReader,
  address: FileAddress,
  { creationProperties }: FileDataset,
): Promise<Pick<FoundDataset, 'storage'>> {
  const stored = await reader.storedBytes?.(address)
  if (stored?.layout !== 'chunked') return {}
  const { chunkDims, filters } = stored
  const { fillValue } = creationProperties
  const key = JSON.stringify([chunkDims, filters, fillValue && Buffer.from(fillValue.data).toString('hex')])
  return { storage: { key, chunkDims, filters: filters.map(({ id, clientData }) => ({ id, clientData })) } }
}

const ROOT = '0'.repeat(16)
/** References name the addresses of their objects. */
const byAddress: ReferenceResolver = address => ({
  kind: 'dataset',
  id: idFromHex(ROOT + Number(address).toString(16).padStart(16, '0')),
})
const addressOf = (id: ObjectId): FileAddress => String(Number.parseInt(id.slice(16), 16))

export async function readDimensions(
  reader: H5FileReader,
  address: FileAddress,
): Promise<Pick<FoundDataset, 'isScale' | 'isOnlyName' | 'names' | 'number' | 'meaning' | 'bounds'>> {
  const meaning = new Map<string, string>()
  let isScale = false
  let isOnlyName = false
  let bounds: string | undefined
  let names: readonly DimensionName[] = []
  let labels: readonly DimensionName[] = []
  let number: number | undefined
  for await (const attributes of reader.attributes(address, byAddress)) {
    for (const attribute of attributes) {
      const { name, type, value } = attribute
      if (name === 'CLASS') isScale = textOf(attribute) === 'DIMENSION_SCALE'
      else if (name === 'NAME') isOnlyName = textOf(attribute)?.startsWith(NO_VARIABLE) ?? false
      else if (name === 'DIMENSION_LIST' && value)
        names = scalesOfList(type, value).map(id => id && { scale: addressOf(id) })
      else if (name === 'DIMENSION_LABELS') labels = textsOf(attribute)
      else if (name === '_Netcdf4Dimid') number = numberOf(attribute)
      else if (name === 'bounds' || name === 'climatology') bounds = textOf(attribute)
      else if (MEANING.includes(name)) meaning.set(name, stringifyJson(jsonOf(attribute) ?? null))
    }
  }
  return {
    isScale,
    isOnlyName,
    names: names.length > 0 ? names : labels,
    ...(number !== undefined && { number }),
    meaning,
    bounds,
  }
}

/** The beginning of NAME of a scale that netCDF-4 has made for a dimension without coordinates. */
const NO_VARIABLE = 'This is a netCDF dimension but not a netCDF variable'

const STYLE = { references: PREFIXED_REFERENCES, nonFinite: 'bare', float32: 'widened' } as const

export function jsonOf({
  type,
  space,
  value,
}: Pick<FileAttribute, 'type' | 'space' | 'value'>): JsonOutput | undefined {
  return value && elementsToJson(type, extentsOf(space), value, STYLE)
}

function textOf(attribute: FileAttribute): string | undefined {
  const json = attribute.type.class === 'H5T_STRING' ? jsonOf(attribute) : undefined
  return typeof json === 'string' ? json : undefined
}

function numberOf(attribute: FileAttribute): number | undefined {
  const json = attribute.type.class === 'H5T_INTEGER' ? jsonOf(attribute) : undefined
  return typeof json === 'number' ? json : undefined
}

function textsOf(attribute: FileAttribute): readonly (string | undefined)[] {
  const json = attribute.type.class === 'H5T_STRING' ? jsonOf(attribute) : undefined
  return Array.isArray(json) ? json.map(one => (typeof one === 'string' && one !== '' ? one : undefined)) : []
}

/** Coordinates of one file that are kept: whole axes are read often, and would need all files. @limit memory, count */
const MAX_KNOWN = 512

/** All numbers of a dataset of one dimension; undefined: they are too many. */
async function readFew(
  reader: H5FileReader,
  { address, path, type, space }: FoundDataset,
): Promise<Outline['known']> {
  if (space.dims[0] > MAX_KNOWN) return undefined
  const { data } = await reader.readValues(address, [0], space.dims, () => undefined)
  // A view would keep the memory around it.
  return { ...shareValue({ path, type }), data: data.slice() }
}

/** The first and the last number of a dataset of one dimension; undefined: it has none. */
async function readEnds(
  reader: H5FileReader,
  { address, path, type, space }: FoundDataset,
): Promise<OutlinedCoordinates | undefined> {
  const [extent] = space.dims
  if (space.dims.length !== 1 || extent === 0) return undefined
  const numberAt = async (at: number) => {
    const { data } = await reader.readValues(address, [at], [1], () => undefined)
    return elementOf(type, data)
  }
  const [first, last] = [await numberAt(0), await numberAt(extent - 1)]
  return first === undefined || last === undefined ? undefined : { path, ends: [first, last] }
}

/** The number of an element; undefined: it is none, or not finite. */
function elementOf(type: Datatype, data: Uint8Array): number | bigint | undefined {
  if (type.class === 'H5T_INTEGER') return readInteger(type, dataViewOf(data), 0)
  const number = type.class === 'H5T_FLOAT' ? readFloat(type, dataViewOf(data), 0) : Number.NaN
  return Number.isFinite(number) ? number : undefined
}
