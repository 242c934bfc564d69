// The order of the entries of a folder, and the filter by name.

import type { Api } from '@hyperslab/client'
import { nameOf } from '../shell/address.ts'
import { sizeOf } from './contents.ts'

type Row = Api.ListedDomain

export interface Column {
  readonly title: string
  readonly className?: string
  /** Rows are sorted by it. */
  readonly key: (row: Row) => string | number
}

const NAME: Column = { title: 'Name', key: row => nameOf(row.name) }

const OWNER: Column = { title: 'Owner', className: 'wide', key: row => row.owner }

export const COLUMNS: readonly Column[] = [
  NAME,
  OWNER,
  { title: 'Size', className: 'number wide', key: row => sizeOf(row) ?? -1 },
  { title: 'Last change', className: 'wide', key: row => row.lastModified },
]

/** The columns that say something: without accounts nothing has an owner. */
export function columnsFor(rows: readonly Row[]): readonly Column[] {
  return rows.some(({ owner }) => owner !== '') ? COLUMNS : COLUMNS.filter(column => column !== OWNER)
}

export interface Order {
  readonly column: Column
  readonly isDescending: boolean
}

export const BY_NAME: Order = { column: NAME, isDescending: false }

const NAMES = new Intl.Collator(undefined, { numeric: true })

/** By name, folders come first. */
export function arrange(
  rows: readonly Row[],
  filter: string,
  { column, isDescending }: Order,
): readonly Row[] {
  const wanted = filter.toLowerCase()
  const rank = (row: Row) => (column === NAME && row.class === 'folder' ? 0 : 1)
  const compare = (a: Row, b: Row) => {
    const [x, y] = [column.key(a), column.key(b)]
    const order = typeof x === 'number' && typeof y === 'number' ? x - y : NAMES.compare(String(x), String(y))
    return order || NAMES.compare(a.name, b.name)
  }
  return rows
    .filter(row => nameOf(row.name).toLowerCase().includes(wanted))
    .sort((a, b) => rank(a) - rank(b) || (isDescending ? compare(b, a) : compare(a, b)))
}
