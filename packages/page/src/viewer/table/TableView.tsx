// A dataset of compounds as a table: columns for all that is nested, sorted and filtered, drawn column against column,
// and saved. Its state is in the address.

import './table.css'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { messageOf } from '../../common/errors.ts'
import type { Loaded } from '../../common/loader.ts'
import { usePart } from '../../common/part.ts'
import { formatDatatype } from '../code/datatype-text.ts'
import { Dimensions } from '../Dimensions.tsx'
import type { StoredShape } from '../data/contents.ts'
import type { Plot } from '../data/plot.ts'
import { slicedBy } from '../data/slice.ts'
import { useSelection } from '../data/use-selection.ts'
import { DRAWINGS } from '../drawings-part.ts'
import { useLoaded, useViewer } from '../viewer-context.ts'
import type { ViewProps } from '../views/view.ts'
import { type Column, columnsOf, isDrawable } from './columns.ts'
import { Filter } from './Filter.tsx'
import { Grid } from './Grid.tsx'
import {
  type CompoundType,
  cellText,
  emptyReason,
  nextSort,
  shownColumns,
  sortOf,
  sourceOf,
  statusOf,
} from './model.ts'
import { findRows, type RowOrder, rowCount, type TableSource } from './rows.ts'
import { formatTableState, parseTableState, type TableState } from './state.ts'
import { ColumnChoice, PlotChoice, SaveLinks } from './TableTools.tsx'
import { useRows } from './use-rows.ts'

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
  const { contents } = useViewer()
  const { path } = plot.signal
  const uses = slicedBy(plot, view, { axes: ['x'] })
  const select = useSelection(uses)
  useEffect(() => onShow(path, select), [onShow, path, select])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another stamp has other rows
  const source = useMemo(
    () => sourceOf(contents, dataset, type, select),
    [contents, dataset.id, dataset.shape?.join(), select, dataset.stamp],
  )
  const columns = useMemo(() => columnsOf(type.fields), [type])
  const state = useMemo(() => parseTableState(view.table), [view.table])
  const update = useCallback(
    (part: Partial<TableState>) => change({ table: formatTableState({ ...state, ...part }) }),
    [change, state],
  )
  const shown = useMemo(() => shownColumns(columns, state.hidden), [columns, state.hidden])
  const sort = columns.find(({ name }) => name === state.sort)
  const { filter, isDescending } = state
  const found = useLoaded(
    signal => findRows(source, { filter, sort, isDescending }, signal),
    [source, filter, sort, isDescending],
  )
  const [target, setTarget] = useState<{ readonly row: number }>()
  const { value: order, isLoading } = found
  const status = statusOf({ whole: rowCount(source), order, isLoading, filter, sort, isDescending })
  const parts = { source, columns, shown, state, update, found }
  return (
    <div className="table-view">
      <Filter columns={columns} filter={filter} apply={filter => update({ filter })} error={found.error} />
      <Tools {...parts} isSorted={sort !== undefined} goTo={row => setTarget({ row })} />
      <Dimensions dimensions={plot.axes} uses={uses} axes={['x']} change={slice => change({ slice })} />
      <p className="plot-note" role="status">
        {found.error === undefined ? status : ''}
      </p>
      <Rows {...parts} path={path} type={type} target={target} />
    </div>
  )
}

interface PartProps {
  readonly source: TableSource
  readonly columns: readonly Column[]
  readonly shown: readonly Column[]
  readonly state: TableState
  readonly update: (part: Partial<TableState>) => void
  readonly found: Loaded<RowOrder>
}

interface ToolsProps extends PartProps {
  readonly isSorted: boolean
  readonly goTo: (row: number) => void
}

function Tools({ source, columns, shown, state, update, found, isSorted, goTo }: ToolsProps) {
  const count = found.value?.count ?? 0
  return (
    <div className="table-tools">
      <ColumnChoice columns={columns} hidden={state.hidden} choose={hidden => update({ hidden })} />
      <PlotChoice columns={columns} plot={state.plot} choose={plot => update({ plot })} />
      <SaveLinks source={source} filter={state.filter} shown={shown} isSorted={isSorted} />
      <label>
        Go to row{' '}
        <input
          type="number"
          min={0}
          max={Math.max(0, count - 1)}
          onChange={event => {
            const row = event.target.valueAsNumber
            if (Number.isInteger(row)) goTo(row)
          }}
        />
      </label>
    </div>
  )
}

interface RowsProps extends PartProps {
  readonly path: string
  readonly type: CompoundType
  readonly target: { readonly row: number } | undefined
}

/** The rows, and the drawing of two columns above them; nothing if they could not be found. */
function Rows({ source, columns, shown, state, update, found, path, type, target }: RowsProps) {
  const drawings = usePart(DRAWINGS, useViewer().retry)
  const members = useMemo(() => new Set(shown.map(({ member }) => member.name)), [shown])
  const { row, see, error } = useRows(source, found.value, members)
  const { count = 0, positions } = found.value ?? {}
  const isFound = found.error === undefined
  const reason = emptyReason({ columns: shown.length, whole: rowCount(source), found: found.value?.count })
  return (
    <>
      {error === undefined ? null : (
        <p role="alert" className="error">
          {messageOf(error)}
        </p>
      )}
      {state.plot && found.value && isFound && drawings ? (
        <drawings.ColumnPlot
          source={source}
          columns={columns}
          filter={state.filter}
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
    </>
  )
}

interface ColumnHeadProps {
  readonly column: Column | undefined
  readonly state: TableState
  readonly update: (part: Partial<TableState>) => void
}

function ColumnHead({ column, state, update }: ColumnHeadProps) {
  if (column === undefined) return null
  const { name, type } = column
  const sorted = sortOf(column, state)
  return (
    <button
      type="button"
      className={isDrawable(column) ? 'column-head number' : 'column-head'}
      title={`${name}: sort`}
      onClick={() => update(nextSort(name, sorted))}
    >
      <span className="column-name">
        {name}
        {sorted === undefined ? '' : sorted === 'ascending' ? ' ▲' : ' ▼'}
      </span>
      <span className="column-type">{formatDatatype(type)}</span>
    </button>
  )
}
