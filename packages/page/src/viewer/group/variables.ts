// What a list says of the variables of netCDF, CF and HDF5's dimension scales beside their shapes: the names of their
// dimensions, their units, and what they are. All comes with the objects of the list: no member takes a request of its
// own.

import { chosenScale, isScale, textOf, textsOf } from '@hyperslab/meaning/meaning'
import { type Contents, type Entity, type Member, pathsTo } from '../data/contents.ts'
import { datasetId } from '../meaning/letters.ts'

export interface Variable {
  readonly description: string | undefined
  readonly units: string | undefined
  /** `time × latitude`; a dimension without a name has its length. */
  readonly dimensions: string | undefined
}

/** A column of the list, and its head. */
export const VARIABLE_COLUMNS = {
  description: 'Description',
  units: 'Units',
  dimensions: 'Dimensions',
} as const
export type VariableColumn = keyof typeof VARIABLE_COLUMNS

export interface Variables {
  readonly byPath: ReadonlyMap<string, Variable>
  /** Those that some member has. */
  readonly columns: readonly VariableColumn[]
}

export const NO_VARIABLES: Variables = { byPath: new Map(), columns: [] }

/** The variables among members of a group, which are requested with the rows of the list. */
export async function variablesOf(
  contents: Contents,
  group: string,
  members: readonly Member[],
): Promise<Variables> {
  const found = await Promise.allSettled(members.map(({ path }) => contents.at(path)))
  const entities = found.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
  const names = await scaleNames(contents, group, entities)
  const byPath = new Map(entities.map(entity => [entity.path, variableOf(entity, names)]))
  // The keys are those of the columns.
  const columns = (Object.keys(VARIABLE_COLUMNS) as VariableColumn[]).filter(column =>
    [...byPath.values()].some(variable => variable[column] !== undefined),
  )
  return { byPath, columns }
}

/** The names of dimension scales by their ids, from the lists of the group and, if need be, of the groups above. */
async function scaleNames(
  contents: Contents,
  group: string,
  entities: readonly Entity[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  const missing = new Set(entities.flatMap(entity => scalesOf(entity) ?? []))
  for (const path of [group, ...pathsTo(group).toReversed()]) {
    if (missing.size === 0) break
    const list = contents.members(path)
    await list.done.catch(() => undefined)
    for (const { id, title } of list.members) if (id !== undefined && missing.delete(id)) names.set(id, title)
  }
  return names
}

/** The ids of the scales of the dimensions; an empty string: a dimension has none. */
export function scalesOf({
  dataset,
  attributes,
}: Pick<Entity, 'dataset' | 'attributes'>): readonly string[] | undefined {
  const list = attributes.get('DIMENSION_LIST')?.data
  if (dataset?.shape === undefined || list?.length !== dataset.shape.length) return undefined
  return Array.from(list as ArrayLike<unknown>, references => {
    const ids = Array.isArray(references) ? references : [references]
    return datasetId(ids[chosenScale(ids.length)]) ?? ''
  })
}

export function variableOf(
  entity: Pick<Entity, 'name' | 'dataset' | 'attributes'>,
  names: ReadonlyMap<string, string>,
): Variable {
  const { name, dataset, attributes } = entity
  if (dataset === undefined) return { description: undefined, units: undefined, dimensions: undefined }
  const description = ['long_name', 'standard_name', 'description'].map(attribute =>
    textOf(attributes, attribute),
  )
  return {
    description: description.find(text => text !== undefined && text !== ''),
    units: textOf(attributes, 'units') || undefined,
    dimensions: dimensionsOf(dataset.shape ?? [], {
      own: isScale(attributes) && dataset.shape?.length === 1 ? [name] : undefined,
      scales: scalesOf(entity)?.map(id => names.get(id)),
      listed: textsOf(attributes, '_ARRAY_DIMENSIONS') ?? textsOf(attributes, 'DIMENSION_LABELS'),
    }),
  }
}

/** Names of dimensions, the best first; each is a list with one for each dimension, or nothing. */
interface DimensionNames {
  readonly own: readonly string[] | undefined
  readonly scales: readonly (string | undefined)[] | undefined
  readonly listed: readonly string[] | undefined
}

function dimensionsOf(shape: readonly number[], names: DimensionNames): string | undefined {
  const found = shape.map((_, d) => names.scales?.[d] ?? names.own?.[d] ?? (names.listed?.[d] || undefined))
  if (found.every(name => name === undefined)) return undefined
  return found.map((name, d) => name ?? String(shape[d])).join(' × ')
}
