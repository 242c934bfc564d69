// The numbers of a part of a line: those of all elements of each curve in it, and their integral by the axis.

import type { Domain } from '@hyperslab/client'
import type { PlotAxis } from '../../data/axis.ts'
import type { DimensionUse, View } from '../../view-address.ts'
import { useLoaded, useViewer } from '../../viewer-context.ts'
import type { DrawnCurve } from '../models/curves.ts'
import { colourOf, type LineSubject } from '../models/line.ts'
import { type Convert, numberOptions } from '../models/numbers.ts'
import { MeasurePanel, PendingPanel } from './MeasurePanel.tsx'
import { elementsWithin, type Mark, type Part } from './marks.ts'
import { NumbersTable, rowsOf } from './NumbersTable.tsx'
import { integralOf, type MeasuredRow, measuredRows, readElements, readMeasured } from './numbers.ts'

export interface IntervalPanelProps {
  readonly mark: Mark | undefined
  readonly change: (choices: Partial<View>) => void
  readonly subject: LineSubject
  /** Undefined: it is not known yet. */
  readonly x: PlotAxis | undefined
  readonly converters: readonly Convert[]
  /** The names of curves that are not drawn. */
  readonly hidden: readonly string[]
}

export function IntervalPanel({ mark, x, change, ...measured }: IntervalPanelProps) {
  if (mark?.kind !== 'interval') return null
  if (x === undefined) return <PendingPanel {...{ mark, change }} />
  return <Interval {...{ mark, x, change }} {...measured} />
}

interface IntervalProps extends IntervalPanelProps {
  readonly x: PlotAxis
  readonly mark: Extract<Mark, { readonly kind: 'interval' }>
}

function Interval({ mark, change, subject, x, converters, hidden }: IntervalProps) {
  const { contents } = useViewer()
  const { curves, uses, part } = subject
  const shown = curves.filter(({ label }) => !hidden.includes(label))
  const parts = shown.map(({ own }) => elementsWithin(mark.ends, own?.axis ?? x))
  const measure = (signal: AbortSignal) =>
    Promise.all(
      shown.map(async (curve, i) => {
        const convert = converters[curves.indexOf(curve)]
        const elements = parts[i]
        if (elements === undefined || convert === undefined) return []
        const { axis, domain } = curve.own ?? { axis: x, domain: contents.domain }
        return rowsOfCurve(domain, { curve, uses, part, elements, convert, x: axis }, signal)
      }),
    )
  const subjects = shown.map(({ dataset }) => [dataset.id, dataset.stamp])
  const { value, error } = useLoaded(measure, [JSON.stringify([subjects, uses, part, parts])])
  const columns = shown.map(({ label, meaning }, i) => ({
    label,
    colour: colourOf(curves.findIndex(curve => curve.label === label)),
    meaning,
    rows: value?.[i],
  }))
  const count = parts.reduce((sum, elements) => sum + (elements ? elements.stop - elements.start : 0), 0)
  const note =
    count === 0
      ? 'No element is in the interval.'
      : `${value ? 'Of' : 'Computing of'} all ${count.toLocaleString('en')} elements in the interval.`
  return (
    <MeasurePanel {...{ mark, change, error, note }} rows={rowsOf(columns)}>
      <div className="measure-result">
        <NumbersTable columns={columns} />
      </div>
    </MeasurePanel>
  )
}

interface MeasuredCurve {
  readonly curve: DrawnCurve
  readonly uses: readonly DimensionUse[]
  readonly part: LineSubject['part']
  readonly elements: Part
  readonly convert: Convert
  readonly x: PlotAxis
}

async function rowsOfCurve(
  domain: Domain,
  { curve, uses, part, elements, convert, x }: MeasuredCurve,
  signal: AbortSignal,
): Promise<readonly MeasuredRow[]> {
  const { dataset, meaning } = curve
  const select = curve.uses(uses).map(use => (use === 'x' ? elements : Number(use)))
  const selected = { dataset, select, numbers: numberOptions(curve, part) }
  const [measured, values] = await Promise.all([
    readMeasured(domain, selected, signal),
    readElements(domain, selected, convert, signal),
  ])
  const integral = values && integralOf(values, i => x.toCoordinate(elements.start + i))
  return [...measuredRows(measured, meaning.unpackPresent), { name: 'Integral', value: integral }]
}
