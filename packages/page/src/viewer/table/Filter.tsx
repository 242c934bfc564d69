// The condition for the rows of a table: as text in the query language of the service, and three fields that write it.

import { type FormEvent, useEffect, useId, useMemo, useState } from 'react'
import { messageOf } from '../../common/errors.ts'
import { type Column, isComparable } from './columns.ts'
import { COMPARISONS, type Comparison, conditionOf, joined, namesOf } from './query.ts'

/** Names of an enum that are offered; others can be typed. @limit memory, names */
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
  const submit = (event: FormEvent) => {
    event.preventDefault()
    apply(text.trim())
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
      <Condition columns={columns} add={condition => apply(joined(text, condition))} />
      {error === undefined ? null : (
        <p role="alert" className="error">
          {messageOf(error)}
        </p>
      )}
    </div>
  )
}

interface ConditionProps {
  readonly columns: readonly Column[]
  readonly add: (condition: string) => void
}

/** A column, a comparison and a value, if there is a column that can be compared. */
function Condition({ columns, add }: ConditionProps) {
  const comparable = useMemo(() => columns.filter(isComparable), [columns])
  const [name, setName] = useState('')
  const [comparison, setComparison] = useState<Comparison>('==')
  const [value, setValue] = useState('')
  const namesId = useId()
  const column = comparable.find(column => column.name === name) ?? comparable[0]
  if (column === undefined) return null
  const condition = conditionOf(column, comparison, value)
  const names = namesOf(column.type).slice(0, MAX_NAMES)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (condition === undefined) return
    add(condition)
    setValue('')
  }
  return (
    <form onSubmit={submit} aria-label="Add a condition">
      <select aria-label="Column" value={column.name} onChange={event => setName(event.target.value)}>
        <Options texts={comparable.map(({ name }) => name)} />
      </select>
      <select
        aria-label="Comparison"
        value={comparison}
        onChange={event => setComparison(event.target.value as Comparison)}
      >
        <Options texts={COMPARISONS} />
      </select>
      <input
        aria-label="Value"
        list={names.length > 0 ? namesId : undefined}
        value={value}
        onChange={event => setValue(event.target.value)}
      />
      {names.length > 0 ? (
        <datalist id={namesId}>
          <Options texts={names} />
        </datalist>
      ) : null}
      <button type="submit" disabled={condition === undefined}>
        Add
      </button>
    </form>
  )
}

function Options({ texts }: { readonly texts: readonly string[] }) {
  return texts.map(text => <option key={text}>{text}</option>)
}
