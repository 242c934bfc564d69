// The numbers that were measured of one or several curves, or of a box.

import type { ValueMeaning } from '@hyperslab/meaning/meaning'
import { formatValue } from '../models/numbers.ts'
import type { MeasuredRow } from './numbers.ts'
import type { Rows } from './rows.ts'

export interface MeasuredColumn {
  readonly label: string
  readonly colour: string | undefined
  readonly meaning: ValueMeaning
  /** Undefined: they are computed. */
  readonly rows: readonly MeasuredRow[] | undefined
}

export function NumbersTable({ columns }: { readonly columns: readonly MeasuredColumn[] }) {
  const names = namesOf(columns)
  return (
    <div className="measure-numbers">
      <table>
        {columns.length > 1 ? (
          <thead>
            <tr>
              <td />
              {columns.map(({ label, colour }) => (
                <th key={label} scope="col">
                  <span style={{ color: colour }}>■</span> {label}
                </th>
              ))}
            </tr>
          </thead>
        ) : null}
        <tbody>
          {names.map(name => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {columns.map(column => (
                <td key={column.label}>{textOf(column, name)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function namesOf(columns: readonly MeasuredColumn[]): readonly string[] {
  return [...new Set(columns.flatMap(({ rows }) => rows?.map(({ name }) => name) ?? []))]
}

function textOf({ rows, meaning }: MeasuredColumn, name: string): string {
  const row = rows?.find(row => row.name === name)
  if (row?.value === undefined) return '—'
  if (row.isValue && meaning.kind === 'time') return meaning.formatUnpacked(row.value)
  return typeof row.value === 'bigint' ? String(row.value) : formatValue(row.value)
}

/** The same table with all digits. */
export function rowsOf(columns: readonly MeasuredColumn[]): Rows | undefined {
  const names = namesOf(columns)
  if (names.length === 0) return undefined
  const head = ['', ...columns.map(({ label }) => label)]
  return [
    head,
    ...names.map(name => [name, ...columns.map(({ rows }) => rows?.find(row => row.name === name)?.value)]),
  ]
}
