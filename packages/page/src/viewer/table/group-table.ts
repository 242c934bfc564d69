// Groups whose members are the columns of one table: NWB (`DynamicTable`), AnnData (`dataframe`), frames of pandas, and
// by choice measurements of NeXus and the features of 10x. What is no column of the table is left out, and named.

import type { DatasetShape, Datatype } from '@hyperslab/client'
import type { Field } from '@hyperslab/client/elements'
import { textsOf } from '@hyperslab/meaning/meaning'
import { type Contents, childPath, type Entity, textOf } from '../data/contents.ts'
import { formatElement } from '../meaning/values.ts'

/** How the values of a column are stored. */
export type Stored =
  /** One element for each row, or a row of elements; `at`: one of these. */
  | { readonly kind: 'plain'; readonly dataset: DatasetShape; readonly at?: number }
  /** The end of the list of each row in another dataset: shown is the number of its values. */
  | { readonly kind: 'ends'; readonly dataset: DatasetShape }
  /** Positions in a list of names; negative: none. */
  | { readonly kind: 'codes'; readonly dataset: DatasetShape; readonly names: readonly string[] }
  /** Values beside a dataset of booleans that say which are missing. */
  | { readonly kind: 'masked'; readonly dataset: DatasetShape; readonly mask: DatasetShape }

export interface GroupColumn {
  /** The name of the column, and the type of its values. */
  readonly field: Field
  readonly description: string | undefined
  readonly stored: Stored
}

export interface GroupTable {
  /** The number of rows. */
  readonly count: number
  readonly columns: readonly GroupColumn[]
  /** Whether the group is a table before all else. */
  readonly isDefault: boolean
  /** What is left out, and why: `a (5 rows)`. */
  readonly leftOut: readonly string[]
}

/** Members of a group that are looked at for columns. @limit safety, members */
const MAX_MEMBERS = 2000
/** Elements of a row of one dataset that are columns of their own. @limit memory, columns */
const MAX_WIDTH = 32
/** Names of a column of codes that are read. @limit memory, names */
const MAX_CATEGORIES = 65_536

const COUNT: Datatype = { class: 'H5T_INTEGER', base: 'H5T_STD_I64LE' }
const TEXT: Datatype = { class: 'H5T_STRING', length: 'H5T_VARIABLE' }

/** Undefined: the group is no table of these kinds, or it is not known whether it is. */
export async function groupTableOf(
  contents: Contents,
  group: Entity,
  kinds: 'default' | 'all',
): Promise<GroupTable | undefined> {
  const form = FORMS.find(({ fits }) => group.kind === 'group' && fits(group))
  if (form === undefined || (kinds === 'default' && !form.isDefault)) return undefined
  try {
    const found = await form.find(new Members(contents, group))
    const table = found && tableOf(found, form.isDefault)
    return table && table.columns.length >= form.least ? table : undefined
  } catch {
    return undefined
  }
}

/** Whether a group says itself that it is a table. */
export function isTableGroup(group: Entity): boolean {
  return FORMS.some(({ isDefault, fits }) => isDefault && fits(group))
}

interface Form {
  readonly isDefault: boolean
  /** The least number of columns. */
  readonly least: number
  readonly fits: (group: Entity) => boolean
  readonly find: (members: Members) => Promise<FoundColumns | undefined>
}

const FORMS: readonly Form[] = [
  {
    isDefault: true,
    least: 1,
    fits: group => group.attributes.has('colnames') && group.attributes.has('neurodata_type'),
    find: members => namedColumns(members, ['id', ...(textsOf(members.group.attributes, 'colnames') ?? [])]),
  },
  {
    isDefault: true,
    least: 1,
    fits: group => textOf(group, 'encoding-type') === 'dataframe',
    find: members => namedColumns(members, namesOfFrame(members.group)),
  },
  {
    isDefault: true,
    least: 1,
    fits: group => textOf(group, 'pandas_type') === 'frame',
    find: frameOfPandas,
  },
  {
    isDefault: false,
    least: 2,
    fits: group =>
      ['NXcollection', 'NXdata'].includes(textOf(group, 'NX_class') ?? '') || group.name === 'features',
    find: async members => ({ columns: await membersOfOneDimension(members), isByMost: true }),
  },
]

function namesOfFrame(group: Entity): readonly string[] {
  const index = textOf(group, '_index')
  const names = textsOf(group.attributes, 'column-order') ?? []
  return index === undefined || names.includes(index) ? names : [index, ...names]
}

/** A column, or the reason why there is none. */
type Found = GroupColumn | { readonly name: string; readonly reason: string }

interface FoundColumns {
  readonly columns: readonly Found[]
  /** The number of rows is that of most columns, not that of the first one. */
  readonly isByMost?: boolean
}

class Members {
  readonly contents: Contents
  readonly group: Entity
  #titles: Promise<ReadonlySet<string>> | undefined

  constructor(contents: Contents, group: Entity) {
    this.contents = contents
    this.group = group
  }

  titles(): Promise<ReadonlySet<string>> {
    this.#titles ??= this.contents
      .firstMembers(this.group, MAX_MEMBERS)
      .then(members => new Set(members.map(({ title }) => title)))
    return this.#titles
  }

  /** Undefined: there is none, or it cannot be read. */
  async at(...names: readonly string[]): Promise<Entity | undefined> {
    const path = names.reduce(childPath, this.group.path)
    return this.contents.at(path).catch(() => undefined)
  }

  /** The elements of a dataset as texts. */
  async texts({ dataset }: Entity): Promise<readonly string[]> {
    if (dataset === undefined) return []
    const { data } = await this.contents.domain.read(dataset)
    return Array.from(data as ArrayLike<unknown>, value => formatElement(dataset.type, value))
  }
}

async function namedColumns(members: Members, names: readonly string[]): Promise<FoundColumns> {
  const titles = await members.titles()
  const known = [...new Set(names)].filter(name => name !== 'id' || titles.has(name)).slice(0, MAX_MEMBERS)
  return { columns: await Promise.all(known.map(name => columnAt(members, titles, name))) }
}

async function columnAt(members: Members, titles: ReadonlySet<string>, name: string): Promise<Found> {
  if (!titles.has(name)) return { name, reason: 'not there' }
  let ends = name
  while (titles.has(`${ends}_index`)) ends = `${ends}_index`
  const [entity, last] = await Promise.all([members.at(name), ends === name ? undefined : members.at(ends)])
  if (entity === undefined) return { name, reason: 'not readable' }
  if (last?.dataset) {
    const field = { name: `${name} (count)`, type: COUNT }
    return { field, description: descriptionOf(entity), stored: { kind: 'ends', dataset: last.dataset } }
  }
  if (entity.dataset) return plainColumn(entity, entity.dataset)
  const [codes, categories, values, mask] = await Promise.all(
    ['codes', 'categories', 'values', 'mask'].map(part => members.at(name, part)),
  )
  const description = descriptionOf(entity)
  if (codes?.dataset && categories?.dataset) {
    if ((categories.dataset.shape?.[0] ?? 0) > MAX_CATEGORIES)
      return {
        field: { name, type: codes.dataset.type },
        description,
        stored: { kind: 'plain', dataset: codes.dataset },
      }
    const stored = { kind: 'codes', dataset: codes.dataset, names: await members.texts(categories) } as const
    return { field: { name, type: TEXT }, description, stored }
  }
  if (values?.dataset && mask?.dataset) {
    const stored = { kind: 'masked', dataset: values.dataset, mask: mask.dataset } as const
    return { field: { name, type: values.dataset.type }, description, stored }
  }
  return { name, reason: 'no column' }
}

function plainColumn(entity: Entity, dataset: DatasetShape): Found {
  const { name } = entity
  const [, width = 1, ...more] = dataset.shape ?? []
  if (dataset.shape === undefined || dataset.shape.length === 0) return { name, reason: 'no rows' }
  if (more.length > 0 || width > MAX_WIDTH || width === 0)
    return { name, reason: `${dataset.shape.slice(1).join(' × ')} values in a row` }
  const type: Datatype =
    dataset.shape.length === 1 ? dataset.type : { class: 'H5T_ARRAY', base: dataset.type, dims: [width] }
  return { field: { name, type }, description: descriptionOf(entity), stored: { kind: 'plain', dataset } }
}

function descriptionOf(entity: Entity): string | undefined {
  const description = textOf(entity, 'description') ?? textOf(entity, 'long_name')
  const units = textOf(entity, 'units') ?? textOf(entity, 'unit')
  return [description, units && `in ${units}`].filter(Boolean).join(', ') || undefined
}

/** The datasets of one dimension, whatever their names. */
async function membersOfOneDimension(members: Members): Promise<readonly Found[]> {
  const entities = await Promise.all(Array.from(await members.titles(), title => members.at(title)))
  return entities.flatMap(entity => {
    const { dataset } = entity ?? {}
    return entity && dataset?.shape?.length === 1 && dataset.shape[0] !== 0
      ? [plainColumn(entity, dataset)]
      : []
  })
}

/** A frame in the form `fixed`: an index, and blocks of columns of one type. */
async function frameOfPandas(members: Members): Promise<FoundColumns> {
  const titles = await members.titles()
  const blocks = [...titles].flatMap(title => /^(block\d+)_values$/.exec(title)?.[1] ?? [])
  const [order, index, ...found] = await Promise.all([
    members.at('axis0'),
    members.at('axis1'),
    ...blocks.map(async block => {
      const [items, values] = await Promise.all([members.at(`${block}_items`), members.at(`${block}_values`)])
      return { names: items ? await members.texts(items) : [], dataset: values?.dataset }
    }),
  ])
  const columns = found.flatMap(({ names, dataset }) =>
    names.map((name, at): Found => {
      const isPlain = dataset?.shape?.length === 2 && dataset.type.class !== 'H5T_VLEN'
      if (!dataset || !isPlain) return { name, reason: 'not plain' }
      return {
        field: { name, type: dataset.type },
        description: undefined,
        stored: { kind: 'plain', dataset, at },
      }
    }),
  )
  const names = order ? await members.texts(order) : []
  const place = (one: Found) => names.indexOf(nameOf(one))
  const sorted = columns.toSorted((a, b) => place(a) - place(b))
  return { columns: index?.dataset ? [plainColumn(index, index.dataset), ...sorted] : sorted }
}

function nameOf(found: Found): string {
  return 'field' in found ? found.field.name : found.name
}

function rowsOf({ stored: { dataset } }: GroupColumn): number {
  return dataset.shape?.[0] ?? 0
}

/** The columns of one length. */
function tableOf({ columns, isByMost = false }: FoundColumns, isDefault: boolean): GroupTable | undefined {
  const found = columns.filter(column => 'field' in column)
  const [first] = found
  if (first === undefined) return undefined
  const counts = new Map<number, number>()
  for (const column of found) counts.set(rowsOf(column), (counts.get(rowsOf(column)) ?? 0) + 1)
  // The first of those that most have.
  const [most = 0] = [...counts].reduce((best, one) => (one[1] > best[1] ? one : best))
  const count = isByMost || first.field.name !== 'id' ? most : rowsOf(first)
  const leftOut = columns.flatMap(column =>
    !('field' in column)
      ? [`${column.name} (${column.reason})`]
      : rowsOf(column) === count
        ? []
        : [`${column.field.name} (${rowsOf(column).toLocaleString('en')} rows)`],
  )
  return { count, columns: found.filter(column => rowsOf(column) === count), isDefault, leftOut }
}
