// The axes of a dataset: for each dimension its name, and its coordinates with their units, read as they are needed.
// They come from dimension scales (DIMENSION_LIST), netCDF (_Netcdf4Dimid), NeXus (@axes, @AXISNAME_indices), CF
// (`coordinates`), names of dimensions (_ARRAY_DIMENSIONS) and labels (DIMENSION_LABELS), in this order.
//
// describeAxes always returns one axis for each dimension. What cannot be used (an axis of another length, a reference
// that leads nowhere) is replaced by indexes, and `problems` says so. Axes of axes are not looked at, so references may
// be cyclic. Few requests are sent: those for all axes at the same time. Letters of netCDF are strings (letters.ts).

import { type DatasetShape, RequestError } from '@hyperslab/client'
import { extentsOf, parseDatatype } from '@hyperslab/client/elements'
import {
  type AxisRole,
  chosenScale,
  growsDown,
  isOnlyName,
  isScale,
  labelOf,
  numbersOf,
  roleOf,
  textOf,
  textsOf,
  type ValueMeaning,
} from '@hyperslab/meaning/meaning'
import { type Contents, type Entity, parentPath } from '../data/contents.ts'
import { type Attributes, type DomainSource, readAttributes } from './attributes.ts'
import { Coordinates } from './coordinates.ts'
import { datasetId, joinLetters, mayBeLetters, type ShownDataset } from './letters.ts'
import { meaningOf } from './values.ts'

/** A dataset with its attributes. */
export interface DatasetAt {
  readonly path: string
  readonly dataset: ShownDataset
  readonly attributes: Attributes
}

export interface Axis {
  /** The name of the dimension, such as `time`; `D0` without one. */
  readonly name: string
  /** For a drawing: `Pressure (hPa)`. */
  readonly label: string
  readonly length: number
  /** The dataset that has the coordinates; undefined: indexes are shown. */
  readonly source: DatasetAt | undefined
  readonly meaning: ValueMeaning | undefined
  readonly role: AxisRole | undefined
  /** Greater coordinates are lower in a drawing: depths and pressures. */
  readonly growsDown: boolean
  readonly coordinates: Coordinates
}

export interface DatasetAxes {
  /** One for each dimension. */
  readonly axes: readonly Axis[]
  /** The dataset as it is shown: strings of letters lack the last dimension. */
  readonly shown: ShownDataset
  /** Coordinates that are not those of one dimension: scalars, or longitudes of a curved grid. */
  readonly others: readonly DatasetAt[]
  /** The plane that coordinates of the axes are in (CF 5.6). */
  readonly gridMapping: Attributes | undefined
  readonly problems: readonly string[]
}

/** Datasets that one dataset names as its coordinates. @limit safety, datasets */
const MAX_COORDINATES = 64
/** Members of a group that are looked through for the dimensions of netCDF. @limit safety, datasets */
const MAX_SIBLINGS = 500

/** The axis that a dataset is for a dimension of this length. Rejects with the reason why it is none. */
export async function axisAt(
  source: Contents,
  path: string,
  length: number,
  signal: AbortSignal,
): Promise<Axis> {
  const found = await source.at(path)
  if (!isDataset(found)) throw new Error(`${path} is no dataset`)
  const at = await withStrings(source, found, signal)
  const problems: string[] = []
  const axis = typeof at === 'string' ? undefined : axisOf(source, path, length, at, problems)
  if (axis?.source === undefined) throw new Error(problems[0] ?? `${path} has no coordinates`)
  return axis
}

/** How a dimension names its coordinates. */
interface Hint {
  readonly id?: string
  /** Relative to the group of the dataset, or in a group above. */
  readonly name?: string
}

/** Rejects if the service does not answer; otherwise whatever the metadata is. */
export async function describeAxes(
  source: Contents,
  { path, dataset, attributes }: DatasetAt,
  signal?: AbortSignal,
): Promise<DatasetAxes> {
  const { shape = [] } = dataset
  if (shape.length === 0 && !attributes.has('coordinates'))
    return { axes: [], shown: dataset, others: [], gridMapping: undefined, problems: [] }
  const problems: string[] = []
  const hints: (Hint | undefined)[] = shape.map(() => undefined)
  const fill = (found: readonly (Hint | undefined)[]) => {
    for (const [d, hint] of found.entries()) if (d < hints.length) hints[d] ??= hint
  }
  fill(scaleHints(dataset, attributes, problems))
  if (hints.includes(undefined)) fill(await netcdfHints(source, path, attributes, signal))
  if (hints.includes(undefined)) fill(splitNames(textsOf(attributes, 'axes')))
  if (hints.includes(undefined)) fill(await nexusHints(source, path))
  if (hints.includes(undefined)) fill(splitNames(textsOf(attributes, '_ARRAY_DIMENSIONS')))
  const named = namesIn(textOf(attributes, 'coordinates')).slice(0, MAX_COORDINATES)
  const names = named.length > 0 ? named : placesOfEos(path)
  // `crs`, or `crs: x y`.
  const mapping = textOf(attributes, 'grid_mapping')?.split(/[\s:]/)[0]
  const [found, [mapped, ...others]] = await Promise.all([
    findAll(source, path, hints, signal),
    findAll(
      source,
      path,
      [mapping, ...names].map(name => (name ? { name } : undefined)),
      signal,
    ),
  ])
  const labels = textsOf(attributes, 'DIMENSION_LABELS')
  const rest = others.flatMap(other =>
    typeof other === 'object' && other.dataset.id !== dataset.id ? [other] : [],
  )
  const wrfTimes = await timesOfWrf(source, { path, dataset, attributes }, found, signal)
  const axes = shape.map((length, d) => {
    const own = found[d]
    const hint = hints[d]
    if (typeof own === 'string') problems.push(`The axis of dimension ${d} is not there: ${own}`)
    const name = labels?.[d] || hint?.name || `D${d}`
    const isFound = typeof own === 'object'
    if (isFound && !isOnlyName(own.attributes)) return axisOf(source, name, length, own, problems)
    const other = rest.find(other => isOnlyOf(other, d, shape)) ?? wrfTimes[d] ?? own
    return typeof other === 'object'
      ? axisOf(source, name, length, other, problems)
      : indexAxis(source, name, length)
  })
  const used = new Set(axes.map(axis => axis.source?.dataset.id))
  const lastScale = found.at(-1)
  const shown =
    typeof lastScale === 'object' ? await joinLetters(source, dataset, lastScale.attributes, signal) : dataset
  return {
    axes,
    shown,
    others: rest.filter(other => !used.has(other.dataset.id)),
    gridMapping: typeof mapped === 'object' ? mapped.attributes : undefined,
    problems,
  }
}

/** Axes that are indexes, for a dataset whose attributes are not known. */
export function indexAxes(source: DomainSource, dataset: DatasetShape): DatasetAxes {
  const axes = (dataset.shape ?? []).map((length, d) => indexAxis(source, `D${d}`, length))
  return { axes, shown: dataset, others: [], gridMapping: undefined, problems: [] }
}

/** The references of HDF5's dimension scales; a scale of one dimension is its own. */
function scaleHints(dataset: DatasetShape, attributes: Attributes, problems: string[]): (Hint | undefined)[] {
  const rank = dataset.shape?.length ?? 0
  const list = attributes.get('DIMENSION_LIST')
  if (list?.data === undefined) {
    return isScale(attributes) && rank === 1 ? [{ id: dataset.id }] : []
  }
  const dimensions = Array.from(list.data as ArrayLike<unknown>)
  if (dimensions.length !== rank) {
    problems.push(
      `DIMENSION_LIST has ${dimensions.length} dimensions, the dataset has ${rank}: it is ignored`,
    )
    return []
  }
  return dimensions.map(references => {
    const list = Array.isArray(references) ? references : [references]
    const id = datasetId(list[chosenScale(list.length)])
    return id === undefined ? undefined : { id }
  })
}

/** A coordinate of several dimensions in netCDF is a scale itself, and names its dimensions by number. */
async function netcdfHints(
  contents: Contents,
  path: string,
  attributes: Attributes,
  signal: AbortSignal | undefined,
): Promise<readonly (Hint | undefined)[]> {
  const { client, domain } = contents
  const dimensions = numbersOf(attributes, '_Netcdf4Coordinates')
  if (dimensions === undefined) return []
  const { object: parent } = await contents.at(parentPath(path))
  const ids: string[] = []
  for await (const link of domain.links(parent.id, { ...(signal && { signal }) })) {
    if (link.class === 'H5L_TYPE_HARD' && link.collection === 'datasets') ids.push(link.id)
    if (ids.length >= MAX_SIBLINGS) break
  }
  if (ids.length === 0) return []
  const parameters = { id: parent.id, domain: domain.pathOf(parent.id), IncludeData: 1, max_data_size: 16 }
  const body = { obj_ids: ids }
  const answer = await client.request('POST /groups/{id}/attributes', parameters, { body, signal })
  // Of one id it is a list.
  const lists = Array.isArray(answer.attributes) ? { [ids[0] ?? '']: answer.attributes } : answer.attributes
  const byNumber = new Map<number, string>()
  for (const [id, items] of Object.entries(lists)) {
    const item = Array.isArray(items) ? items.find(({ name }) => name === '_Netcdf4Dimid') : undefined
    if (item && 'value' in item) byNumber.set(Number(item.value), id)
  }
  return dimensions.map(number => {
    const id = byNumber.get(Number(number))
    return id === undefined ? undefined : { id }
  })
}

/** NeXus: the group of a signal names its axes. */
async function nexusHints(contents: Contents, path: string): Promise<readonly (Hint | undefined)[]> {
  const { attributes: group } = await contents.at(parentPath(path))
  const own = path.slice(path.lastIndexOf('/') + 1)
  if (textOf(group, 'NX_class') === 'NXlog') return own === 'value' ? [{ name: 'time' }] : []
  const signals = [textOf(group, 'signal') ?? '', ...(textsOf(group, 'auxiliary_signals') ?? [])]
  if (!signals.some(name => own === name || own === `${name}_errors`) && own !== 'errors') return []
  return nexusAxes(group)
}

/** For each dimension the axis that the attributes of a group of NeXus name. */
export function nexusAxes(group: Attributes): readonly (Hint | undefined)[] {
  const hints: (Hint | undefined)[] = []
  for (const [position, hint] of splitNames(textsOf(group, 'axes')).entries()) {
    if (hint === undefined) continue
    const [index = position, ...more] = numbersOf(group, `${hint.name}_indices`) ?? []
    // An axis of several dimensions has no coordinate for an index of one of them.
    const dimension = Number(index)
    if (more.length === 0 && dimension >= 0 && dimension < 32) hints[dimension] ??= hint
  }
  return Array.from(hints)
}

/** Names in a list, or in one string as older files have them: `[y,x]`, `y:x`. */
function splitNames(list: readonly string[] | undefined): readonly (Hint | undefined)[] {
  const [only = '', ...more] = list ?? []
  const names =
    list === undefined || more.length > 0 ? (list ?? []) : only.replace(/^\[|\]$/g, '').split(/[:,]/)
  return names
    .slice(0, 32)
    .map(name => name.trim())
    .map(name => (name === '' || name === '.' ? undefined : { name }))
}

function namesIn(text: string | undefined): readonly string[] {
  return text?.split(/\s+/).filter(name => name !== '' && name !== '.') ?? []
}

/** HDF-EOS5: the places of the data of a swath are in another group beside them. */
function placesOfEos(path: string): readonly string[] {
  const swath = /^(.*)\/Data Fields\/[^/]+$/.exec(path)?.[1]
  return swath === undefined
    ? []
    : ['Latitude', 'Longitude'].map(name => `${swath}/Geolocation Fields/${name}`)
}

/** The datasets of hints: undefined without a hint, a string with the reason why one is not there. */
async function findAll(
  source: Contents,
  path: string,
  hints: readonly (Hint | undefined)[],
  signal: AbortSignal | undefined,
): Promise<readonly (DatasetAt | string | undefined)[]> {
  return Promise.all(
    hints.map(async hint => {
      if (hint === undefined) return undefined
      if (hint.id !== undefined) return withStrings(source, await findById(source, hint.id, signal), signal)
      const found = await Promise.all(placesOf(path, hint.name ?? '').map(place => optional(source, place)))
      const at = found.find(isDataset)
      // A dimension may have a name and no coordinates.
      return at && withStrings(source, at, signal)
    }),
  )
}

/** Coordinates that are stored as letters are strings. */
async function withStrings(
  source: Contents,
  at: DatasetAt | string,
  signal: AbortSignal | undefined,
): Promise<DatasetAt | string> {
  if (typeof at === 'string' || !mayBeLetters(at.dataset)) return at
  const { path, dataset, attributes } = at
  const scales = scaleHints(dataset, attributes, [])
  const hints = scales.length > 0 ? scales : await netcdfHints(source, path, attributes, signal)
  const id = hints[(dataset.shape?.length ?? 0) - 1]?.id
  const scale = id === undefined || id === dataset.id ? undefined : await findById(source, id, signal)
  if (scale === undefined || typeof scale === 'string') return at
  return { ...at, dataset: await joinLetters(source, dataset, scale.attributes, signal) }
}

/** A name is looked for in the group of the dataset, then in the groups above (CF 2.7). */
function placesOf(path: string, name: string): readonly string[] {
  if (name.startsWith('/')) return [name]
  const groups = parentPath(path).split('/').filter(Boolean)
  return Array.from({ length: Math.min(groups.length, 16) + 1 }, (_, up) =>
    ['', ...groups.slice(0, groups.length - up), name].join('/'),
  )
}

/** The object at a path; undefined: nothing is there. */
async function optional(contents: Contents, path: string): Promise<Entity | undefined> {
  try {
    return await contents.at(path)
  } catch (error) {
    if (error instanceof RequestError) return undefined
    throw error
  }
}

function isDataset(entity: Entity | undefined): entity is Entity & DatasetAt {
  return entity?.dataset !== undefined
}

/** The dataset of an id in the domain; a string: the reason why it is not there. */
export async function findById(
  source: DomainSource,
  id: string,
  signal: AbortSignal | undefined,
): Promise<DatasetAt | string> {
  const parameters = { id, domain: source.domain.pathOf(id), getalias: 1 }
  try {
    const [object, attributes] = await Promise.all([
      source.client.request('GET /datasets/{id}', parameters, { signal }),
      readAttributes(source, id, signal),
    ])
    const { type, shape, alias: [path = ''] = [] } = object
    return { path, dataset: { id, type: parseDatatype(type), shape: extentsOf(shape) }, attributes }
  } catch (error) {
    // The reference leads nowhere.
    if (error instanceof RequestError && (error.status === 404 || error.status === 410))
      return 'its scale is deleted'
    throw error
  }
}

function axisOf(
  source: DomainSource,
  fallback: string,
  length: number,
  at: DatasetAt,
  problems: string[],
): Axis {
  const { path, dataset, attributes } = at
  const hasOnlyName = isOnlyName(attributes)
  const ownName =
    path.slice(path.lastIndexOf('/') + 1) || (hasOnlyName ? '' : textOf(attributes, 'NAME')) || ''
  const name = ownName || fallback
  if (hasOnlyName) return indexAxis(source, name, length)
  const { shape = [] } = dataset
  const [count = 1] = shape
  const isUsable = shape.length <= 1 && (count === length || count === length + 1)
  if (!isUsable) {
    const extents = shape.length > 1 ? `is of the shape ${shape.join(' x ')}` : `has ${count} values`
    problems.push(`The axis ${name} ${extents}, the dimension has ${length}: indexes are shown instead.`)
    return indexAxis(source, name, length)
  }
  const meaning = meaningOf(dataset.type, attributes)
  problems.push(...meaning.problems.map(problem => `The axis ${name}: ${problem}.`))
  const role = roleOf(attributes, meaning)
  return {
    name,
    label: labelOf(name, meaning),
    length,
    source: at,
    meaning,
    role,
    growsDown: growsDown(attributes, role),
    coordinates: new Coordinates(source.domain, { length, dataset, meaning, role }),
  }
}

function indexAxis({ domain }: DomainSource, name: string, length: number): Axis {
  const coordinates = new Coordinates(domain, { length })
  return {
    name,
    label: name,
    length,
    source: undefined,
    meaning: undefined,
    role: undefined,
    growsDown: false,
    coordinates,
  }
}

/** The model WRF names no coordinates: those of its dimension `Time` are the dates in the dataset `Times`. */
async function timesOfWrf(
  source: Contents,
  { path, dataset }: DatasetAt,
  found: readonly (DatasetAt | string | undefined)[],
  signal: AbortSignal | undefined,
): Promise<readonly (DatasetAt | undefined)[]> {
  const isTime = (at: DatasetAt | string | undefined) =>
    typeof at === 'object' && isOnlyName(at.attributes) && /(^|\/)Time$/.test(at.path)
  if (!found.some(isTime)) return []
  const [times] = await findAll(source, path, [{ name: 'Times' }], signal)
  const areDates = typeof times === 'object' && times.dataset.letters !== undefined
  return areDates && times.dataset.id !== dataset.id ? found.map(at => (isTime(at) ? times : undefined)) : []
}

/** Whether coordinates named by CF can be those of dimension `d`: no other dimension has their length. */
function isOnlyOf({ dataset: { shape } }: DatasetAt, d: number, extents: readonly number[]): boolean {
  const [length, ...more] = shape ?? []
  return (
    more.length === 0 && length === extents[d] && extents.filter(extent => extent === length).length === 1
  )
}
