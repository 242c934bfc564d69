// One column of a table against another one: points, at most as many as a browser draws quickly.

import { getDomain, ScaleType, ScatterVis } from '@h5web/lib'
import ndarray from 'ndarray'
import { useMemo } from 'react'
import { messageOf } from '../../common/errors.ts'
import { useLoaded } from '../viewer-context.ts'
import type { Column } from './columns.ts'
import { columnValues, type TableSource } from './rows.ts'

/** Points of a plot of two columns that are drawn. @limit safety, points */
const MAX_POINTS = 50_000

export interface ColumnPlotProps {
  readonly source: TableSource
  readonly columns: readonly Column[]
  /** The condition of the rows; empty: all. */
  readonly filter: string
  /** The number of rows. */
  readonly count: number
  readonly names: readonly [x: string, y: string]
  readonly close: () => void
}

export function ColumnPlot({ source, columns, filter, count, names, close }: ColumnPlotProps) {
  const [x, y] = names.map(name => columns.find(column => column.name === name))
  const step = filter === '' ? Math.max(1, Math.ceil(count / MAX_POINTS)) : 1
  const { value, error } = useLoaded(
    async signal => {
      if (!x || !y) throw new Error('The table has no such columns.')
      const read = (column: Column) => {
        const limit = Math.min(MAX_POINTS, Math.ceil(count / step))
        return columnValues(source, column, filter, { limit, step }, signal)
      }
      const [abscissas, ordinates] = await Promise.all([read(x), x === y ? undefined : read(y)])
      return pointsOf(abscissas, ordinates ?? abscissas)
    },
    [source, x, y, filter, count],
  )
  const domain = useMemo(() => value && getDomain(value.y), [value])
  const note =
    step > 1
      ? `One of each ${step} rows is drawn.`
      : count > MAX_POINTS
        ? `The first ${MAX_POINTS.toLocaleString('en')} rows are drawn.`
        : 'All rows are drawn.'
  return (
    <section className="column-plot" aria-label={`${names[1]} against ${names[0]}`}>
      <p className="plot-note">
        {note}{' '}
        <button type="button" onClick={close}>
          Close the plot
        </button>
      </p>
      {error === undefined ? null : (
        <p role="alert" className="error">
          {messageOf(error)}
        </p>
      )}
      {value && domain ? (
        <ScatterVis
          key={`${names} ${value.x.length}`}
          className="plot"
          abscissaParams={{ label: names[0], value: value.x }}
          ordinateParams={{ label: names[1], value: value.y }}
          dataArray={ndarray(value.y)}
          domain={domain}
          scaleType={ScaleType.Linear}
          colorMap="Viridis"
          showGrid
          size={6}
        />
      ) : error === undefined ? (
        <p className="note">{value ? 'No row has two finite numbers.' : 'Loading …'}</p>
      ) : null}
    </section>
  )
}

/** The pairs of finite numbers. */
function pointsOf(abscissas: ArrayLike<unknown>, ordinates: ArrayLike<unknown>) {
  const [x, y]: [number[], number[]] = [[], []]
  for (let i = 0; i < Math.min(abscissas.length, ordinates.length); i++) {
    const [a, b] = [Number(abscissas[i]), Number(ordinates[i])]
    if (!Number.isFinite(a) || !Number.isFinite(b)) continue
    x.push(a)
    y.push(b)
  }
  return { x: Float64Array.from(x), y: Float64Array.from(y) }
}
