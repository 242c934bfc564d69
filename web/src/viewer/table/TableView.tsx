// A dataset of compounds as a table: columns for all that is nested, sorted and filtered, drawn column against column,
// and saved. Its state is in the address.

import './table.css'
import { type FormEvent, useCallback, useEffect, useMemo, useState } from 'react'
import type { DatasetShape, Datatype } from '../../../../client/index.ts'
import { formatSelection } from '../../../../client/selection.ts'
import { messageOf } from '../../errors.ts'
import { Dimensions } from '../Dimensions.tsx'
import { formatDatatype } from '../datatype-text.ts'
import { formatElement } from '../meaning/values.ts'
import type { Plot } from '../plot.ts'
import { slicedBy } from '../slice.ts'
import { useSelection } from '../use-selection.ts'
import { useLoaded, useViewer } from '../viewer-context.ts'
import type { ViewProps } from '../views.ts'
import { ColumnPlot } from './ColumnPlot.tsx'
import { type Column, canName, columnsOf, isComparable, isDrawable, valueIn } from './columns.ts'
import { Grid } from './Grid.tsx'
import { COMPARISONS, type Comparison, conditionOf, joined } from './query.ts'
import { findRows, MAX_ROWS, type RowOrder, rowCount, rowDimension, type TableSource } from './rows.ts'
import { formatTableState, parseTableState, type TableState } from './state.ts'
import { useRows } from './use-rows.ts'

type CompoundType = Extract<Datatype, { class: 'H5T_COMPOUND' }>

const COLUMN_WIDTH = 176

export function TableView({ plot, view, change, onShow }: ViewProps) {
  const dataset = plot?.signal.dataset
  if (plot === undefined || dataset?.shape === undefined || dataset.type.class !== 'H5T_COMPOUND') return null
  return (
    <Table plot={plot} dataset={dataset} type={dataset.type} view={view} change={change} onShow={onShow} />
  )
}

interface TableProps extends Pick<ViewProps, 'view' | 'change' | 'onShow'> {
  readonly plot: Plot
  readonly dataset: DatasetShape
  readonly type: CompoundType
}

function Table({ plot, dataset, type, view, change, onShow }: TableProps) {
  const { contents } = useViewer()
  const { shape = [] } = dataset
  const { path } = plot.signal
  const uses = slicedBy(plot, view, { axes: ['x'] })
  const select = useSelection(uses)
  useEffect(() => onShow(path, select), [onShow, path, select])
  const stamp = contents.changesOf(dataset.id)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another stamp has other rows
  const source = useMemo((): TableSource => {
    const slice = shape.map((_, d) => select?.[d])
    return { client: contents.client, domain: contents.domain, dataset, fields: type.fields, slice }
  }, [contents, dataset.id, shape.join(), select, stamp])
  const columns = useMemo(() => columnsOf(type.fields), [type])
  const state = useMemo(() => parseTableState(view.table), [view.table])
  const update = useCallback(
    (part: Partial<TableState>) => change({ table: formatTableState({ ...state, ...part }) }),
    [change, state],
  )
  const sort = columns.find(({ name }) => name === state.sort)
  const { filter, isDescending } = state
  const found = useLoaded(
    signal => findRows(source, { filter, sort, isDescending }, signal),
    [source, filter, sort, isDescending],
  )
  const shown = useMemo(() => {
    const hidden = new Set(state.hidden)
    return columns.filter(({ name }) => !hidden.has(name))
  }, [columns, state.hidden])
  const members = useMemo(() => new Set(shown.map(({ member }) => member.name)), [shown])
  const { row, see, error } = useRows(source, found.value, members)
  const [target, setTarget] = useState<{ readonly row: number }>()
  const whole = rowCount(source)
  const count = found.value?.count ?? 0
  const positions = found.value?.positions
  const isEmpty = shown.length === 0 || whole === 0
  return (
    <div className="table-view">
      <Filter columns={columns} filter={filter} apply={filter => update({ filter })} error={found.error} />
      <div className="table-tools">
        <ColumnChoice columns={columns} hidden={state.hidden} choose={hidden => update({ hidden })} />
        <PlotChoice columns={columns} plot={state.plot} choose={plot => update({ plot })} />
        <SaveLinks source={source} filter={filter} shown={shown} isSorted={sort !== undefined} />
        <label>
          Go to row{' '}
          <input
            type="number"
            min={0}
            max={Math.max(0, count - 1)}
            onChange={event => {
              const row = event.target.valueAsNumber
              if (Number.isInteger(row)) setTarget({ row })
            }}
          />
        </label>
      </div>
      <Dimensions dimensions={plot.axes} uses={uses} axes={['x']} change={slice => change({ slice })} />
      <p className="plot-note" role="status">
        {statusOf({ whole, order: found.value, isLoading: found.isLoading, filter, sort, isDescending })}
      </p>
      {error === undefined ? null : (
        <p role="alert" className="error">
          {messageOf(error)}
        </p>
      )}
      {state.plot && found.value && found.error === undefined ? (
        <ColumnPlot
          source={source}
          columns={columns}
          filter={filter}
          count={count}
          names={state.plot}
          close={() => update({ plot: undefined })}
        />
      ) : null}
      {isEmpty ? (
        <p className="note">
          {whole === 0 ? 'The table has no rows: an extent is 0.' : 'No column is chosen.'}
        </p>
      ) : (
        <Grid
          label={`Rows of ${path}`}
          rowCount={count}
          columnCount={shown.length}
          columnWidth={COLUMN_WIDTH}
          rowHead={at => (positions?.[at] ?? at).toLocaleString('en')}
          columnHead={at => <ColumnHead column={shown[at]} state={state} update={update} />}
          sortOf={at => sortOf(shown[at], state)}
          isNumeric={at => shown[at] !== undefined && isDrawable(shown[at])}
          cell={(at, column) => cellText(row(at), shown[column], type)}
          onSight={see}
          target={target}
        />
      )}
    </div>
  )
}

function cellText(row: readonly unknown[] | undefined, column: Column | undefined, type: CompoundType) {
  if (row === undefined || column === undefined) return undefined
  return formatElement(column.type, valueIn(column, row[type.fields.indexOf(column.member)]))
}

function sortOf(column: Column | undefined, { sort, isDescending }: TableState) {
  if (column === undefined || column.name !== sort) return undefined
  return isDescending ? 'descending' : 'ascending'
}

interface Status {
  readonly whole: number
  readonly order: RowOrder | undefined
  readonly isLoading: boolean
  readonly filter: string
  readonly sort: Column | undefined
  readonly isDescending: boolean
}

function statusOf({ whole, order, isLoading, filter, sort, isDescending }: Status): string {
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

interface ColumnHeadProps {
  readonly column: Column | undefined
  readonly state: TableState
  readonly update: (part: Partial<TableState>) => void
}

/** The first click sorts, the second one in the other direction, the third one as in the dataset. */
function ColumnHead({ column, state, update }: ColumnHeadProps) {
  if (column === undefined) return null
  const { name, type } = column
  const sorted = sortOf(column, state)
  const sort = () =>
    update(
      sorted === 'descending'
        ? { sort: undefined, isDescending: false }
        : { sort: name, isDescending: sorted !== undefined },
    )
  return (
    <button type="button" className="column-head" title={`${name}: sort`} onClick={sort}>
      <span className="column-name">
        {name}
        {sorted === undefined ? '' : sorted === 'ascending' ? ' ▲' : ' ▼'}
      </span>
      <span className="column-type">{formatDatatype(type)}</span>
    </button>
  )
}

interface FilterProps {
  readonly columns: readonly Column[]
  readonly filter: string
  readonly apply: (filter: string) => void
  readonly error: unknown
}

function Filter({ columns, filter, apply, error }: FilterProps) {
  const [text, setText] = useState(filter)
  useEffect(() => setText(filter), [filter])
  const comparable = useMemo(() => columns.filter(isComparable), [columns])
  const [name, setName] = useState('')
  const [comparison, setComparison] = useState<Comparison>('==')
  const [value, setValue] = useState('')
  const column = comparable.find(column => column.name === name) ?? comparable[0]
  const condition = column && conditionOf(column, comparison, value)
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
          <input aria-label="Value" value={value} onChange={event => setValue(event.target.value)} />
          <button
            type="submit"
            disabled={
              condition === undefined ||
              (value === '' && condition !== undefined && !condition.endsWith("''"))
            }
          >
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

interface ColumnChoiceProps {
  readonly columns: readonly Column[]
  readonly hidden: readonly string[]
  readonly choose: (hidden: readonly string[]) => void
}

function ColumnChoice({ columns, hidden, choose }: ColumnChoiceProps) {
  const isHidden = new Set(hidden)
  const count = columns.filter(({ name }) => !isHidden.has(name)).length
  return (
    <details className="column-choice">
      <summary>
        Columns ({count} of {columns.length})
      </summary>
      <div>
        <button type="button" onClick={() => choose([])}>
          All
        </button>
        <button type="button" onClick={() => choose(columns.map(({ name }) => name))}>
          None
        </button>
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

function PlotChoice({ columns, plot, choose }: PlotChoiceProps) {
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

interface SaveLinksProps {
  readonly source: TableSource
  readonly filter: string
  readonly shown: readonly Column[]
  readonly isSorted: boolean
}

/** The service makes the files: of the rows that the filter finds, and the members of the shown columns. */
function SaveLinks({ source, filter, shown, isSorted }: SaveLinksProps) {
  const { client, domain, dataset, fields, slice } = source
  const members = [...new Set(shown.map(({ member }) => member.name))]
  const isPart = members.length > 0 && members.length < fields.length && canName(members)
  const addressOf = (format: 'csv' | 'arrow') =>
    client.url('GET /datasets/{id}/value', {
      id: dataset.id,
      domain: domain.pathOf(dataset.id),
      format,
      ...(rowDimension(source) >= 0 && { select: formatSelection(slice) }),
      ...(isPart && { fields: members.join(':') }),
      ...(filter !== '' && { query: filter }),
    })
  return (
    <span
      className="save-links"
      title={isSorted ? 'Files have the rows in the order of the dataset.' : undefined}
    >
      Save as{' '}
      <a href={addressOf('csv')} download>
        CSV
      </a>{' '}
      <a href={addressOf('arrow')} download>
        Arrow
      </a>
      {isSorted ? ' (not sorted)' : ''}
    </span>
  )
}
