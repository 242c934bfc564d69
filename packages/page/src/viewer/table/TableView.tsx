// A dataset of compounds as a table: columns for all that is nested, sorted and filtered, drawn column against column,
// and saved. Its state is in the address.

import './table.css'
import type { Datatype } from '@hyperslab/client'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { messageOf } from '../../common/errors.ts'
import { usePart } from '../../common/part.ts'
import { formatDatatype } from '../code/datatype-text.ts'
import { Dimensions } from '../Dimensions.tsx'
import type { StoredShape } from '../data/contents.ts'
import type { Plot } from '../data/plot.ts'
import { slicedBy } from '../data/slice.ts'
import { useSelection } from '../data/use-selection.ts'
import { DRAWINGS } from '../drawings-part.ts'
import { formatElement } from '../meaning/values.ts'
import { useLoaded, useViewer } from '../viewer-context.ts'
import type { ViewProps } from '../views.ts'
import { type Column, columnsOf, isDrawable, valueIn } from './columns.ts'
import { Filter } from './Filter.tsx'
import { Grid } from './Grid.tsx'
import { findRows, MAX_ROWS, type RowOrder, rowCount, type TableSource } from './rows.ts'
import { formatTableState, parseTableState, type TableState } from './state.ts'
import { ColumnChoice, PlotChoice, SaveLinks } from './TableTools.tsx'
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
  readonly dataset: StoredShape
  readonly type: CompoundType
}

function Table({ plot, dataset, type, view, change, onShow }: TableProps) {
  const { contents, retry } = useViewer()
  const drawings = usePart(DRAWINGS, retry)
  const { shape = [], stamp } = dataset
  const { path } = plot.signal
  const uses = slicedBy(plot, view, { axes: ['x'] })
  const select = useSelection(uses)
  useEffect(() => onShow(path, select), [onShow, path, select])
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
  const isFound = found.error === undefined
  const reason = emptyReason({ columns: shown.length, whole, found: found.value?.count })
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
        {isFound
          ? statusOf({ whole, order: found.value, isLoading: found.isLoading, filter, sort, isDescending })
          : ''}
      </p>
      {error === undefined ? null : (
        <p role="alert" className="error">
          {messageOf(error)}
        </p>
      )}
      {state.plot && found.value && isFound && drawings ? (
        <drawings.ColumnPlot
          source={source}
          columns={columns}
          filter={filter}
          count={count}
          names={state.plot}
          close={() => update({ plot: undefined })}
        />
      ) : null}
      {!isFound ? null : reason ? (
        <p className="note">{reason}</p>
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

interface TableSize {
  readonly columns: number
  readonly whole: number
  /** Undefined: it is not known yet. */
  readonly found: number | undefined
}

/** Undefined: there is something to show. */
function emptyReason({ columns, whole, found }: TableSize): string | undefined {
  if (whole === 0) return 'The table has no rows: an extent is 0.'
  if (columns === 0) return 'No column is chosen.'
  return found === 0 ? 'The condition holds for no row.' : undefined
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
    <button
      type="button"
      className={isDrawable(column) ? 'column-head number' : 'column-head'}
      title={`${name}: sort`}
      onClick={sort}
    >
      <span className="column-name">
        {name}
        {sorted === undefined ? '' : sorted === 'ascending' ? ' ▲' : ' ▼'}
      </span>
      <span className="column-type">{formatDatatype(type)}</span>
    </button>
  )
}
