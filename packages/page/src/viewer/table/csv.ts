// A table of separate datasets as CSV, made by the page: the service makes files of one dataset only.

import { formatElement } from '../meaning/values.ts'
import { type Column, valueIn } from './columns.ts'
import type { RowOrder, TableSource } from './rows.ts'

/** Values in a file that the page makes. @limit memory, values */
const MAX_VALUES = 10_000_000
/** Values of one request. @limit memory, values */
const VALUES_AT_ONCE = 200_000

/** Rows of one request that are not beside each other. @limit memory, rows */
const POSITIONS_AT_ONCE = 5000

/** The rows that are shown, in their order. Rejects if they are too many. */
export async function csvOf(
  source: TableSource,
  { count, positions }: Pick<RowOrder, 'count' | 'positions'>,
  columns: readonly Column[],
  signal?: AbortSignal,
): Promise<Blob> {
  const { fields } = source
  if (count * columns.length > MAX_VALUES)
    throw new Error(
      `The page saves at most ${MAX_VALUES.toLocaleString('en')} values: choose fewer columns or rows.`,
    )
  const members = new Set(columns.map(({ member }) => member.name))
  const places = columns.map(({ member }) => fields.indexOf(member))
  const most = Math.max(1, Math.floor(VALUES_AT_ONCE / Math.max(1, columns.length)))
  const rowsAtOnce = positions ? Math.min(most, POSITIONS_AT_ONCE) : most
  const parts = [`${columns.map(({ name }) => quoted(name)).join(',')}\r\n`]
  for (let first = 0; first < count; first += rowsAtOnce) {
    const stop = Math.min(first + rowsAtOnce, count)
    const range = { first, count: stop - first, positions: positions?.subarray(first, stop) }
    const rows = await source.rows(range, members, signal)
    const lines = rows.map(row => columns.map((column, i) => cellOf(column, row[places[i] ?? -1])).join(','))
    parts.push(`${lines.join('\r\n')}\r\n`)
  }
  return new Blob(parts, { type: 'text/csv' })
}

const EXACT = { number: String, isWhole: true }

function cellOf(column: Column, member: unknown): string {
  const value = valueIn(column, member)
  return value === undefined ? '' : quoted(formatElement(column.type, value, EXACT))
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
