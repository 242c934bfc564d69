// What a table shows and does, without the page: its columns, its line of status, its cells, what a click on the head
// of a column does, and the addresses of its files.

import type { Datatype, Selection } from '@hyperslab/client'
import { formatSelection } from '@hyperslab/client/elements'
import type { Contents, StoredShape } from '../data/contents.ts'
import { formatElement } from '../meaning/values.ts'
import { type Column, canName, valueIn } from './columns.ts'
import { MAX_ROWS, type RowOrder, rowDimension, type TableSource } from './rows.ts'
import type { TableState } from './state.ts'

export type CompoundType = Extract<Datatype, { class: 'H5T_COMPOUND' }>

export function sourceOf(
  { client, domain }: Pick<Contents, 'client' | 'domain'>,
  dataset: StoredShape,
  { fields }: CompoundType,
  select: Selection | undefined,
): TableSource {
  return { client, domain, dataset, fields, slice: (dataset.shape ?? []).map((_, d) => select?.[d]) }
}

export function shownColumns(columns: readonly Column[], hidden: readonly string[]): readonly Column[] {
  const names = new Set(hidden)
  return columns.filter(({ name }) => !names.has(name))
}

export interface TableSize {
  readonly columns: number
  readonly whole: number
  /** Undefined: it is not known yet. */
  readonly found: number | undefined
}

/** Undefined: there is something to show. */
export function emptyReason({ columns, whole, found }: TableSize): string | undefined {
  if (whole === 0) return 'The table has no rows: an extent is 0.'
  if (columns === 0) return 'No column is chosen.'
  return found === 0 ? 'The condition holds for no row.' : undefined
}

export function cellText(
  row: readonly unknown[] | undefined,
  column: Column | undefined,
  { fields }: CompoundType,
): string | undefined {
  if (row === undefined || column === undefined) return undefined
  return formatElement(column.type, valueIn(column, row[fields.indexOf(column.member)]))
}

export type Sorted = 'ascending' | 'descending' | undefined

export function sortOf(
  column: Column | undefined,
  { sort, isDescending }: Pick<TableState, 'sort' | 'isDescending'>,
): Sorted {
  if (column === undefined || column.name !== sort) return undefined
  return isDescending ? 'descending' : 'ascending'
}

/** The first click sorts, the second one in the other direction, the third one as in the dataset. */
export function nextSort(name: string, sorted: Sorted): Pick<TableState, 'sort' | 'isDescending'> {
  return sorted === 'descending'
    ? { sort: undefined, isDescending: false }
    : { sort: name, isDescending: sorted !== undefined }
}

export interface Status {
  readonly whole: number
  readonly order: RowOrder | undefined
  readonly isLoading: boolean
  readonly filter: string
  readonly sort: Pick<Column, 'name'> | undefined
  readonly isDescending: boolean
}

export function statusOf({ whole, order, isLoading, filter, sort, isDescending }: Status): string {
  const rows = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'row' : 'rows'}`
  if (isLoading) return sort ? `Sorting by ${sort.name} …` : filter === '' ? 'Loading …' : 'Searching …'
  if (order === undefined) return rows(whole)
  const matching = order.isCut
    ? `The first ${rows(MAX_ROWS)} for which the condition holds`
    : filter === ''
      ? rows(order.count)
      : `${rows(order.count)} of ${whole.toLocaleString('en')}`
  if (sort === undefined) return `${matching}, in the order of the dataset.`
  return `${matching}, sorted by ${sort.name}, ${isDescending ? 'greatest' : 'least'} first.`
}

/** The service makes the files: of the rows that the filter finds, and the members of the shown columns. */
export function fileAddress(
  source: TableSource,
  filter: string,
  shown: readonly Column[],
  format: 'csv' | 'arrow',
): string {
  const { client, domain, dataset, fields, slice } = source
  const members = [...new Set(shown.map(({ member }) => member.name))]
  const isPart = members.length > 0 && members.length < fields.length && canName(members)
  return client.url('GET /datasets/{id}/value', {
    id: dataset.id,
    domain: domain.pathOf(dataset.id),
    format,
    ...(rowDimension(source) >= 0 && { select: formatSelection(slice) }),
    ...(isPart && { fields: members.join(':') }),
    ...(filter !== '' && { query: filter }),
  })
}
