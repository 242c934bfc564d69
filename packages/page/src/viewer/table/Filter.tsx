// The condition for the rows of a table: as text in the query language of the service, and three fields that write it.

import { type FormEvent, useEffect, useId, useMemo, useState } from 'react'
import { messageOf } from '../../common/errors.ts'
import { type Column, isComparable } from './columns.ts'
import { COMPARISONS, type Comparison, conditionOf, joined, namesOf } from './query.ts'

/** Names of an enum that are offered; others can be typed. */
const MAX_NAMES = 200

interface FilterProps {
  readonly columns: readonly Column[]
  readonly filter: string
  readonly apply: (filter: string) => void
  readonly error: unknown
}

export function Filter({ columns, filter, apply, error }: FilterProps) {
  const [text, setText] = useState(filter)
  useEffect(() => setText(filter), [filter])
  const comparable = useMemo(() => columns.filter(isComparable), [columns])
  const [name, setName] = useState('')
  const [comparison, setComparison] = useState<Comparison>('==')
  const [value, setValue] = useState('')
  const column = comparable.find(column => column.name === name) ?? comparable[0]
  const condition = column && conditionOf(column, comparison, value)
  const names = column ? namesOf(column.type).slice(0, MAX_NAMES) : []
  const namesId = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    apply(text.trim())
  }
  const add = (event: FormEvent) => {
    event.preventDefault()
    if (condition === undefined) return
    apply(joined(text, condition))
    setValue('')
  }
  return (
    <div className="table-filter">
      <form onSubmit={submit}>
        <input
          type="search"
          aria-label="Rows for which"
          placeholder="Rows for which … such as temp > 20 AND station == 'N1'"
          value={text}
          onChange={event => setText(event.target.value)}
        />
        <button type="submit">Filter</button>
        {filter === '' ? null : (
          <button type="button" onClick={() => apply('')}>
            All rows
          </button>
        )}
      </form>
      {column ? (
        <form onSubmit={add} aria-label="Add a condition">
          <select aria-label="Column" value={column.name} onChange={event => setName(event.target.value)}>
            {comparable.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
          <select
            aria-label="Comparison"
            value={comparison}
            onChange={event => setComparison(event.target.value as Comparison)}
          >
            {COMPARISONS.map(one => (
              <option key={one}>{one}</option>
            ))}
          </select>
          <input
            aria-label="Value"
            list={names.length > 0 ? namesId : undefined}
            value={value}
            onChange={event => setValue(event.target.value)}
          />
          {names.length > 0 ? (
            <datalist id={namesId}>
              {names.map(name => (
                <option key={name}>{name}</option>
              ))}
            </datalist>
          ) : null}
          <button type="submit" disabled={condition === undefined}>
            Add
          </button>
        </form>
      ) : null}
      {error === undefined ? null : (
        <p role="alert" className="error">
          {messageOf(error)}
        </p>
      )}
    </div>
  )
}
