// The tools of a table: which columns it has, which two are drawn, and files of it.

import { useMemo, useState } from 'react'
import { messageOf } from '../../common/errors.ts'
import { type Column, isDrawable } from './columns.ts'
import { type CompoundTable, fileAddress } from './compound-source.ts'
import { csvOf } from './csv.ts'
import type { RowOrder, TableSource } from './rows.ts'
import type { TableState } from './state.ts'

interface ColumnChoiceProps {
  readonly columns: readonly Column[]
  readonly hidden: readonly string[]
  readonly choose: (hidden: readonly string[]) => void
}

export function ColumnChoice({ columns, hidden, choose }: ColumnChoiceProps) {
  const isHidden = new Set(hidden)
  const count = columns.filter(({ name }) => !isHidden.has(name)).length
  return (
    <details
      className="column-choice"
      onKeyDown={event => {
        const { currentTarget: details } = event
        if (event.key !== 'Escape' || !details.open) return
        details.open = false
        details.querySelector('summary')?.focus()
      }}
    >
      <summary>
        Columns ({count} of {columns.length})
      </summary>
      <div>
        <p>
          <button type="button" onClick={() => choose([])}>
            All
          </button>
          <button type="button" onClick={() => choose(columns.map(({ name }) => name))}>
            None
          </button>
        </p>
        {columns.map(({ name }) => (
          <label key={name}>
            <input
              type="checkbox"
              checked={!isHidden.has(name)}
              onChange={() =>
                choose(isHidden.has(name) ? hidden.filter(one => one !== name) : [...hidden, name])
              }
            />{' '}
            {name}
          </label>
        ))}
      </div>
    </details>
  )
}

interface PlotChoiceProps {
  readonly columns: readonly Column[]
  readonly plot: TableState['plot']
  readonly choose: (plot: TableState['plot']) => void
}

export function PlotChoice({ columns, plot, choose }: PlotChoiceProps) {
  const drawable = useMemo(() => columns.filter(isDrawable), [columns])
  const [first, second = first] = drawable
  if (first === undefined || second === undefined) return null
  if (plot === undefined)
    return (
      <button type="button" onClick={() => choose([first.name, second.name])}>
        Plot columns
      </button>
    )
  const choice = (label: string, value: string, set: (name: string) => void) => (
    <label>
      {label}{' '}
      <select aria-label={`Column for ${label}`} value={value} onChange={event => set(event.target.value)}>
        {drawable.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  )
  const [x, y] = plot
  return (
    <>
      {choice('x', x, name => choose([name, y]))}
      {choice('y', y, name => choose([x, name]))}
    </>
  )
}

interface SaveCsvProps {
  readonly source: TableSource
  /** Undefined: it is not known yet. */
  readonly order: RowOrder | undefined
  readonly shown: readonly Column[]
  /** Of the file. */
  readonly name: string
}

/** A file that the page makes, of the rows that are shown, in their order. */
export function SaveCsv({ source, order, shown, name }: SaveCsvProps) {
  const [state, setState] = useState<{ readonly isSaving: boolean; readonly error?: unknown }>({
    isSaving: false,
  })
  const save = async () => {
    if (order === undefined) return
    setState({ isSaving: true })
    try {
      const link = document.createElement('a')
      link.href = URL.createObjectURL(await csvOf(source, order, shown))
      link.download = `${name}.csv`
      link.click()
      setTimeout(() => URL.revokeObjectURL(link.href))
      setState({ isSaving: false })
    } catch (error) {
      setState({ isSaving: false, error })
    }
  }
  return (
    <>
      <button
        type="button"
        disabled={state.isSaving || shown.length === 0 || order === undefined}
        onClick={save}
      >
        {state.isSaving ? 'Saving …' : 'Save as CSV'}
      </button>
      {state.error === undefined ? null : (
        <span role="alert" className="error">
          {messageOf(state.error)}
        </span>
      )}
    </>
  )
}

interface SaveLinksProps {
  readonly source: CompoundTable
  readonly filter: string
  readonly shown: readonly Column[]
  readonly isSorted: boolean
}

export function SaveLinks({ source, filter, shown, isSorted }: SaveLinksProps) {
  const addressOf = (format: 'csv' | 'arrow') => fileAddress(source, filter, shown, format)
  return (
    <span
      className="save-links"
      title={isSorted ? 'Files have the rows in the order of the dataset.' : undefined}
    >
      Save as{' '}
      <a href={addressOf('csv')} download rel="nofollow">
        CSV
      </a>{' '}
      <a href={addressOf('arrow')} download rel="nofollow">
        Arrow
      </a>
      {isSorted ? ' (not sorted)' : ''}
    </span>
  )
}
