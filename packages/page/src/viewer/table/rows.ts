// The rows of a table: all, or those that a condition finds, in the order of the dataset or of one column. The service
// finds, and sends the values of one column; the page sorts these, so both are bounded. Rows themselves are read in
// pages, when they are in sight. Where the values come from is the source's business: a dataset of compounds
// (`compound-source.ts`), or a group of datasets (`group-source.ts`).

import type { DatasetShape, Elements } from '@hyperslab/client'
import type { Field } from '@hyperslab/client/elements'
import { type Column, rowBytes } from './columns.ts'
import { orderOf } from './sort.ts'

export type Row = readonly unknown[]

export interface TableSource {
  /** The columns at the top. */
  readonly fields: readonly Field[]
  /** All rows. */
  readonly count: number
  /** Positions of the rows for which a condition holds: one more than MAX_ROWS at most. */
  readonly find: (filter: string, signal: AbortSignal | undefined) => Promise<Float64Array>
  /** The values of one column. */
  readonly column: (
    column: Column,
    filter: string,
    part: ColumnPart,
    signal?: AbortSignal,
  ) => Promise<Elements>
  /** The dataset of compounds that the rows are; absent: they cannot be changed. */
  readonly dataset?: Pick<DatasetShape, 'id'>
  /** The selection of the row at a position in it; undefined: the dataset is a scalar. */
  readonly select?: (position: number) => string | undefined
  /** Rows as lists of the values of `members`, in the order of the fields. */
  readonly rows: (
    range: RowRange,
    members: ReadonlySet<string>,
    signal: AbortSignal | undefined,
  ) => Promise<readonly Row[]>
}

export interface RowRequest {
  /** A condition; empty: all rows. */
  readonly filter: string
  readonly sort: Column | undefined
  readonly isDescending: boolean
}

export interface RowOrder {
  readonly count: number
  /** The positions of the rows in the dataset; undefined: all in their order. */
  readonly positions: Float64Array | undefined
  /** Whether the condition holds for more rows than are counted. */
  readonly isCut: boolean
}

/** Rows of a column that are read: each `step`th, or the first `limit` that a condition finds. */
export interface ColumnPart {
  readonly limit: number
  readonly step?: number
}

/** `count` rows from the position `first` on; or those at the positions. */
export interface RowRange {
  readonly first: number
  readonly count: number
  readonly positions: Float64Array | undefined
}

/** Rows that a condition finds or that are sorted. @limit memory, rows */
export const MAX_ROWS = 4_000_000
/** Bytes of the values of the column that rows are sorted by. @limit memory, bytes */
const MAX_COLUMN_BYTES = 268_435_456
/** Rows of one request. */
export const PAGE_ROWS = 200

export async function findRows(
  source: TableSource,
  request: RowRequest,
  signal?: AbortSignal,
): Promise<RowOrder> {
  const { filter, sort, isDescending } = request
  const found = filter.trim() === '' ? undefined : await source.find(filter, signal)
  const count = found?.length ?? source.count
  const isCut = count > MAX_ROWS
  const matched = isCut ? found?.subarray(0, MAX_ROWS) : found
  if (sort === undefined)
    return { count: matched?.length ?? count, positions: matched, isCut: isCut && matched !== undefined }
  if (isCut || rowBytes(sort.member.type) * count > MAX_COLUMN_BYTES) {
    const rows = MAX_ROWS.toLocaleString('en')
    throw new Error(`The page sorts at most ${rows} rows and 256 MiB of one column: filter the rows first.`)
  }
  const values = await source.column(sort, filter, { limit: count }, signal)
  if (values.length !== count) throw new Error('The rows have changed while they were sorted: try again.')
  const order = orderOf(values, isDescending)
  const positions = Float64Array.from(order, at => matched?.[at] ?? at)
  return { count, positions, isCut: false }
}

/** Rows from a position in the order on. */
export async function readRows(
  source: TableSource,
  { count, positions }: RowOrder,
  first: number,
  members: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<readonly Row[]> {
  const rows = Math.min(PAGE_ROWS, count - first)
  if (rows <= 0) return []
  const range = { first, count: rows, positions: positions?.subarray(first, first + rows) }
  return source.rows(range, members, signal)
}
