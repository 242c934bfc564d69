// A dataset of compounds, or a group of columns, as a table: columns for all that is nested, sorted and filtered, drawn
// column against column, and saved. Its state is in the address.

import { formatDatatype } from '@hyperslab/client/elements'
import './table.css'
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import { messageOf } from '../../common/errors.ts'
import type { Loaded } from '../../common/loader.ts'
import { usePart } from '../../common/part.ts'
import { Dimensions } from '../Dimensions.tsx'
import type { Entity, StoredShape } from '../data/contents.ts'
import type { Plot } from '../data/plot.ts'
import { slicedBy } from '../data/slice.ts'
import { useSelection } from '../data/use-selection.ts'
import { DRAWINGS } from '../drawings-part.ts'
import { useRowEdit } from '../edit/use-row-edit.ts'
import { useLoaded, useViewer } from '../viewer-context.ts'
import type { ViewProps } from '../views/view.ts'
import { type Column, columnsOf, isDrawable } from './columns.ts'
import { sourceOf } from './compound-source.ts'
import { Filter } from './Filter.tsx'
import { Grid } from './Grid.tsx'
import { groupSource } from './group-source.ts'
import type { GroupTable } from './group-table.ts'
import {
  type CompoundType,
  cellText,
  emptyReason,
  leftOutText,
  nextSort,
  shownColumns,
  sortOf,
  statusOf,
} from './model.ts'
import { findRows, type RowOrder, type TableSource } from './rows.ts'
import { formatTableState, parseTableState, type TableState } from './state.ts'
import { ColumnChoice, PlotChoice, SaveCsv, SaveLinks } from './TableTools.tsx'
import { useColumnsInSight, useRows } from './use-rows.ts'

const COLUMN_WIDTH = 176

export function TableView({ entity, plot, table, ...props }: ViewProps) {
  const dataset = plot?.signal.dataset
  if (entity.kind === 'group' && table) return <OfGroup entity={entity} table={table} {...props} />
  if (plot === undefined || dataset?.shape === undefined || dataset.type.class !== 'H5T_COMPOUND') return null
  return <OfCompounds plot={plot} dataset={dataset} type={dataset.type} {...props} />
}

type ChoiceProps = Pick<ViewProps, 'view' | 'change' | 'onShow'>

interface CompoundsProps extends ChoiceProps {
  readonly plot: Plot
  readonly dataset: StoredShape
  readonly type: CompoundType
}

function OfCompounds({ plot, dataset, type, view, change, onShow }: CompoundsProps) {
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
  const save: SaveTools = ({ shown, state, isSorted }) => (
    <SaveLinks source={source} filter={state.filter} shown={shown} isSorted={isSorted} />
  )
  return (
    <Table path={path} source={source} view={view} change={change} save={save}>
      <Dimensions dimensions={plot.axes} uses={uses} axes={['x']} change={slice => change({ slice })} />
    </Table>
  )
}

interface GroupProps extends ChoiceProps {
  readonly entity: Entity
  readonly table: GroupTable
}

function OfGroup({ entity, table, view, change, onShow }: GroupProps) {
  const { contents } = useViewer()
  const { path } = entity
  useEffect(() => onShow(path, undefined), [onShow, path])
  const source = useMemo(() => groupSource(contents.domain, table), [contents, table])
  const descriptions = useMemo(
    () => new Map(table.columns.map(({ field, description }) => [field.name, description])),
    [table],
  )
  return (
    <Table
      path={path}
      source={source}
      view={view}
      change={change}
      descriptions={descriptions}
      save={({ shown, order }) => <SaveCsv {...{ source, shown, order }} name={entity.name} />}
    >
      {table.leftOut.length > 0 ? <p className="plot-note">{leftOutText(table.leftOut)}</p> : null}
    </Table>
  )
}

type SaveTools = (
  parts: Pick<PartProps, 'shown' | 'state'> & {
    readonly isSorted: boolean
    readonly order: RowOrder | undefined
  },
) => ReactNode

interface TableProps extends Pick<ViewProps, 'view' | 'change'> {
  readonly path: string
  readonly source: TableSource
  readonly save: SaveTools
  /** Of columns, by their names. */
  readonly descriptions?: ReadonlyMap<string, string | undefined>
  readonly children: ReactNode
}

function Table({ path, source, view, change, save, descriptions, children }: TableProps) {
  const columns = useMemo(() => columnsOf(source.fields), [source.fields])
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
  const status = statusOf({ whole: source.count, order, isLoading, filter, sort, isDescending })
  const parts = { source, columns, shown, state, update, found }
  return (
    <div className="table-view">
      <Filter columns={columns} filter={filter} apply={filter => update({ filter })} error={found.error} />
      <Tools {...parts} goTo={row => setTarget({ row })}>
        {save({ shown, state, order, isSorted: sort !== undefined })}
      </Tools>
      {children}
      <p className="plot-note" role="status">
        {found.error === undefined ? status : ''}
      </p>
      <Rows {...parts} path={path} descriptions={descriptions} target={target} />
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
  readonly goTo: (row: number) => void
  readonly children: ReactNode
}

function Tools({ columns, state, update, found, goTo, children }: ToolsProps) {
  const count = found.value?.count ?? 0
  return (
    <div className="table-tools">
      <ColumnChoice columns={columns} hidden={state.hidden} choose={hidden => update({ hidden })} />
      <PlotChoice columns={columns} plot={state.plot} choose={plot => update({ plot })} />
      {children}
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
  readonly descriptions: TableProps['descriptions']
  readonly target: { readonly row: number } | undefined
}

/** The rows, and the drawing of two columns above them; nothing if they could not be found. */
function Rows({ source, columns, shown, state, update, found, path, descriptions, target }: RowsProps) {
  const drawings = usePart(DRAWINGS, useViewer().retry)
  const [seen, seeColumns] = useColumnsInSight(shown)
  const members = useMemo(() => new Set(seen.map(({ member }) => member.name)), [seen])
  const { row, see, error } = useRows(source, found.value, members)
  const edit = useRowEdit(source, path)
  const { count = 0, positions } = found.value ?? {}
  const isFound = found.error === undefined
  const reason = emptyReason({ columns: shown.length, whole: source.count, found: found.value?.count })
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
          columnHead={at => (
            <ColumnHead
              column={shown[at]}
              description={descriptions?.get(shown[at]?.member.name ?? '')}
              state={state}
              update={update}
            />
          )}
          sortOf={at => sortOf(shown[at], state)}
          isNumeric={at => shown[at] !== undefined && isDrawable(shown[at])}
          cell={(at, column) => cellText(row(at), shown[column], source)}
          edit={edit && ((at, column) => edit(positions?.[at] ?? at, shown[column]))}
          onSight={see}
          onColumns={seeColumns}
          target={target}
        />
      )}
    </>
  )
}

interface ColumnHeadProps {
  readonly column: Column | undefined
  readonly description: string | undefined
  readonly state: TableState
  readonly update: (part: Partial<TableState>) => void
}

function ColumnHead({ column, description, state, update }: ColumnHeadProps) {
  if (column === undefined) return null
  const { name, type } = column
  const sorted = sortOf(column, state)
  return (
    <button
      type="button"
      className={isDrawable(column) ? 'column-head number' : 'column-head'}
      title={description === undefined ? `${name}: sort` : `${name}: ${description}`}
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
