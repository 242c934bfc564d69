// One column of a table against another one: points, at most as many as a browser draws quickly.

import { useMemo, useState } from 'react'
import { messageOf } from '../../common/errors.ts'
import type { Sight, Zoom } from '../data/sight.ts'
import type { ColourScale } from '../drawing/colours.ts'
import { ColourBar } from '../plots/ColourBar.tsx'
import { NOT_CUT } from '../plots/models/colour-range.ts'
import { domainsOf } from '../plots/models/domains.ts'
import {
  boundsOfPoints,
  type Points,
  placesOfPoints,
  pointsLayer,
  pointsText,
  scatterTip,
} from '../plots/models/scatter.ts'
import { PlotCanvas } from '../plots/PlotCanvas.tsx'
import { Tip } from '../plots/Tip.tsx'
import { useLoaded } from '../viewer-context.ts'
import type { Column } from './columns.ts'
import type { TableSource } from './rows.ts'

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
        return source.column(column, filter, { limit, step }, signal)
      }
      const [abscissas, ordinates] = await Promise.all([read(x), x === y ? undefined : read(y)])
      return pointsOf(abscissas, ordinates ?? abscissas)
    },
    [source, x, y, filter, count],
  )
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
      {value && value.x.length > 0 ? (
        <ColumnPoints key={`${names} ${value.x.length}`} points={value} names={names} />
      ) : error === undefined ? (
        <p className="note">{value ? 'No row has two finite numbers.' : 'Loading …'}</p>
      ) : null}
    </section>
  )
}

interface ColumnPointsProps {
  readonly points: Points
  readonly names: ColumnPlotProps['names']
}

/** The canvas, and the bar of its colours. */
function ColumnPoints({ points, names: [x, y] }: ColumnPointsProps) {
  const [zoom, setZoom] = useState<Zoom>()
  const [sight, setSight] = useState<Sight>()
  const colours: ColourScale = useMemo(() => {
    const { domain } = domainsOf(boundsOfPoints(points), 'linear', undefined)
    return { domain, scale: 'linear', gamma: 1, map: 'Viridis', isInverted: false }
  }, [points])
  const layers = useMemo(() => [pointsLayer(points, colours)], [points, colours])
  const ends = placesOfPoints(points)
  if (ends === undefined) return null
  return (
    <div className="column-points">
      <PlotCanvas
        title=""
        aspect="auto"
        x={{ domain: ends.x, label: x, hasGrid: true }}
        y={{ domain: ends.y, label: y, hasGrid: true }}
        layers={layers}
        values={pointsText(points, y, boundsOfPoints(points))}
        zoom={zoom}
        isLine={false}
        onSight={setSight}
        onZoom={setZoom}
        tipAt={(atX, atY) => {
          const tip = sight && scatterTip(points, [atX, atY], sight, { x: { label: x }, y: { label: y } })
          return tip && <Tip {...tip} label={y} />
        }}
      />
      <ColourBar {...colours} label={y} isCut={NOT_CUT} />
    </div>
  )
}

/** The pairs of finite numbers. */
function pointsOf(abscissas: ArrayLike<unknown>, ordinates: ArrayLike<unknown>): Points {
  const [x, y]: [number[], number[]] = [[], []]
  for (let i = 0; i < Math.min(abscissas.length, ordinates.length); i++) {
    const [a, b] = [Number(abscissas[i]), Number(ordinates[i])]
    if (!Number.isFinite(a) || !Number.isFinite(b)) continue
    x.push(a)
    y.push(b)
  }
  const values = Float64Array.from(y)
  return { x: Float64Array.from(x), y: values, values }
}
