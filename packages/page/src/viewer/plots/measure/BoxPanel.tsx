// The numbers of a box of an image: those of all its elements, which the service computes.

import type { Api } from '@hyperslab/client'
import type { Ends } from '../../view-address.ts'
import { useLoaded, useViewer } from '../../viewer-context.ts'
import type { ImageGeometry } from '../models/geometry.ts'
import type { ImageSubject } from '../models/image.ts'
import { formatValue, numberOptions } from '../models/numbers.ts'
import { MeasurePanel } from './MeasurePanel.tsx'
import { elementsBetween, measuredPart } from './marks.ts'
import { NumbersTable, rowsOf } from './NumbersTable.tsx'
import { measuredRows, readMeasured } from './numbers.ts'
import type { ImagePanelProps } from './ProfilePanel.tsx'

/** The elements of the box along both axes; undefined: it is outside of the image. */
export function elementsOfBox([x0, y0, x1, y1]: Ends, { x, y }: ImageGeometry) {
  const columns = elementsBetween(x.toPosition(x0), x.toPosition(x1), x.length)
  const rows = elementsBetween(y.toPosition(y0), y.toPosition(y1), y.length)
  return columns && rows && { x: columns, y: rows }
}

export function BoxPanel({ mark, change, subject, geometry }: ImagePanelProps) {
  const elements = elementsOfBox(mark.ends, geometry)
  const { value, error } = useMeasured(subject, elements)
  const { meaning, label } = subject.plot
  const rows = value && measuredRows(value, meaning.unpackPresent)
  const columns = [{ label, colour: undefined, meaning, rows }]
  const count = (of: 'x' | 'y') =>
    (elements ? elements[of].stop - elements[of].start : 0).toLocaleString('en')
  const note =
    elements === undefined
      ? 'The box is outside of the image.'
      : `${rows ? 'Of' : 'Computing of'} all ${count('y')} × ${count('x')} elements whose middle is in the box.`
  const { histogram } = value?.statistics ?? {}
  return (
    <MeasurePanel {...{ mark, change, error, note }} rows={rowsOf(columns)}>
      <div className="measure-result">
        <NumbersTable columns={columns} />
        {histogram ? <Histogram {...histogram} unpack={meaning.unpackPresent} /> : null}
      </div>
    </MeasurePanel>
  )
}

function useMeasured(subject: ImageSubject, elements: ReturnType<typeof elementsOfBox>) {
  const { contents } = useViewer()
  const { dataset, plot, uses } = subject
  const part = measuredPart(subject)
  const read = async (signal: AbortSignal) => {
    if (elements === undefined) return undefined
    const select = uses.map(use =>
      use === 'x' || use === 'y' ? elements[use] : use === ':' ? undefined : use,
    )
    return readMeasured(contents.domain, { dataset, select, numbers: numberOptions(plot, part) }, signal)
  }
  return useLoaded(read, [JSON.stringify([dataset.id, part, uses, elements, dataset.stamp])])
}

type HistogramProps = NonNullable<Api.ValueStatistics['histogram']> & {
  readonly unpack: ImageSubject['plot']['meaning']['unpackPresent']
}

function Histogram({ min, max, counts, unpack }: HistogramProps) {
  const [from, to] = Array.from(unpack(Float64Array.of(min, max)), Number)
  const bars = from !== undefined && to !== undefined && from > to ? counts.toReversed() : counts
  const most = Math.max(1, ...counts)
  const ends = [from, to].map(Number).sort((one, other) => one - other)
  return (
    <figure
      className="measure-histogram"
      aria-label={`Distribution from ${formatValue(ends[0])} to ${formatValue(ends[1])}`}
    >
      <div>
        {bars.map((count, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: bins have no other name
          <span key={i} title={count.toLocaleString('en')} style={{ height: `${(100 * count) / most}%` }} />
        ))}
      </div>
      <figcaption>
        <span>{formatValue(ends[0])}</span>
        <span>{formatValue(ends[1])}</span>
      </figcaption>
    </figure>
  )
}
