// The part of a file that matters for joining it with others along a dimension that none of them has: its datasets, and
// its coordinate.

import { HyperslabError } from '@hyperslab/base/errors'
import type { FileAddress, FileLink, H5FileReader } from '@hyperslab/h5/reader'
import { MAX_RANK } from '@hyperslab/model/dataset'
import { hasReferences } from '@hyperslab/model/values'
import type { NewAxis } from '../definition.ts'
import {
  type CoordinateValue,
  type FoundDataset,
  findDatasets,
  jsonOf,
  type NewAxisOutline,
  type Outline,
  type OutlinedDataset,
} from './outline.ts'
import { shareDatasets } from './shared-parts.ts'

/** Reads the outline of a file for a new dimension. Throws `file-unreadable` if no dataset can have it. */
export async function readNewOutline(reader: H5FileReader, along: NewAxis): Promise<Outline> {
  const found = await findDatasets(reader)
  const { datasets: paths, name, coordinate: source } = along
  const scale = found.find(({ path, space }) => path === `/${name}` && space.dims.length === 0)
  const chosen = paths
    ? paths.flatMap(path => found.find(one => one.path === path) ?? [])
    : found.filter(({ isScale, type }) => !isScale && !hasReferences(type))
  const joined = new Set([...(scale ? [scale] : []), ...chosen])
  if (joined.size === 0)
    throw refused(
      paths ? `it has no dataset ${paths[0]}` : `it has no dataset that can have the new dimension ${name}`,
    )
  const numbers = found.flatMap(({ number }) => number ?? [])
  const newAxis: NewAxisOutline = {
    ...(scale && { scale: scale.address }),
    isTaken: !scale && (await linkIn(reader, reader.root, name)) !== undefined,
    ...(!scale && source?.kind === 'attribute' && { coordinate: await readAttribute(reader, source) }),
    ...(numbers.length > 0 && { number: Math.max(...numbers) + 1 }),
  }
  const value = scale && (await readScalar(reader, scale))
  return {
    datasets: shareDatasets(new Map([...joined].map(one => [one.path, withAxis(one)]))),
    extent: 1,
    newAxis,
    ...(scale &&
      typeof value !== 'string' &&
      value !== undefined && { coordinates: { path: scale.path, ends: [value, value] } }),
  }
}

/** The dataset as one coordinate of the new dimension. */
function withAxis({ path, address, type, space, isScale, names, meaning }: FoundDataset): OutlinedDataset {
  if (isScale) throw refused(`${path} is a dimension scale, which cannot have a new dimension`)
  if (hasReferences(type)) throw refused(`${path} has references, which lead to nothing in another file`)
  if (space.dims.length === MAX_RANK) throw refused(`${path} has ${MAX_RANK} dimensions, the most there are`)
  const { dims, maxdims = dims } = space
  const isAttached = dims.length === 0 || names.some(name => typeof name === 'object')
  return {
    address,
    type,
    space: { class: 'H5S_SIMPLE', dims: [1, ...dims], maxdims: [1, ...maxdims] },
    axis: 0,
    newAxis: isAttached ? 'scale' : 'label',
    meaning,
  }
}

async function readScalar(
  reader: H5FileReader,
  { address, path, type }: FoundDataset,
): Promise<CoordinateValue> {
  const value = await reader.readValues(address, [], [], () => undefined)
  return coordinateOf(path, { type, space: { class: 'H5S_SCALAR' }, value })
}

async function readAttribute(
  reader: H5FileReader,
  { object, name }: { readonly object: string; readonly name: string },
): Promise<CoordinateValue> {
  let address = reader.root
  for (const title of object.split('/').filter(one => one !== '')) {
    const { kind } = await reader.object(address)
    const link = kind === 'group' ? await linkIn(reader, address, title) : undefined
    if (link?.class !== 'H5L_TYPE_HARD') throw refused(`it has no object ${object}`)
    address = link.address
  }
  for await (const batch of reader.attributes(address, () => undefined)) {
    const attribute = batch.find(one => one.name === name)
    if (attribute) return coordinateOf(`the attribute ${name} of ${object}`, attribute)
  }
  throw refused(`${object} has no attribute ${name}`)
}

async function linkIn(
  reader: H5FileReader,
  group: FileAddress,
  title: string,
): Promise<FileLink | undefined> {
  for await (const batch of reader.links(group)) {
    const link = batch.find(one => one.title === title)
    if (link) return link
  }
  return undefined
}

/** A number or a string. */
function coordinateOf(label: string, value: Parameters<typeof jsonOf>[0]): CoordinateValue {
  const json = jsonOf(value)
  const one = Array.isArray(json) && json.length === 1 ? json[0] : json
  const { class: name } = value.type
  if (name === 'H5T_STRING' && typeof one === 'string') return one
  if (name === 'H5T_INTEGER' && (typeof one === 'number' || typeof one === 'bigint')) return BigInt(one)
  if (name === 'H5T_FLOAT' && typeof one === 'number' && Number.isFinite(one)) return one
  throw refused(`${label} is no coordinate: it must be one finite number or one string`)
}

function refused(reason: string): HyperslabError {
  return new HyperslabError('file-unreadable', reason)
}
