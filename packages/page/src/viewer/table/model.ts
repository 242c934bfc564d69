// What a table shows and does, without the page: its columns, its line of status, its cells, what a click on the head
// of a column does, and the addresses of its files.

import type { Datatype } from '@hyperslab/client'
import { formatElement } from '../meaning/values.ts'
import { type Column, valueIn } from './columns.ts'
import { MAX_ROWS, type RowOrder } from './rows.ts'
import type { TableState } from './state.ts'

export type CompoundType = Extract<Datatype, { class: 'H5T_COMPOUND' }>

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
  { fields }: Pick<CompoundType, 'fields'>,
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

/** Columns that are named; of more only the number. */
const NAMED_COLUMNS = 6

export function leftOutText(leftOut: readonly string[]): string {
  const more = leftOut.length - NAMED_COLUMNS
  const names = more > 0 ? [...leftOut.slice(0, NAMED_COLUMNS), `${more} more`] : leftOut
  return `Left out: ${names.join(', ')}.`
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
