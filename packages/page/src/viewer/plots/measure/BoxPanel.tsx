// The numbers of a box of an image: those of all its elements, which the service computes.

import type { Api } from '@hyperslab/client'
import type { Ends } from '../../view-address.ts'
import { useLoaded, useViewer } from '../../viewer-context.ts'
import type { ImageGeometry } from '../models/geometry.ts'
import { formatValue, numberOptions } from '../models/numbers.ts'
import { channelsOf, type MeasuredChannel, type MeasuredSubject } from './channels.ts'
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
  const channels = channelsOf(subject)
  const { value: found, error } = useMeasured(subject, channels, elements)
  const { meaning } = subject.plot
  const columns = channels.map(({ label, colour }, i) => {
    const measured = found?.[i]
    return { label, colour, meaning, rows: measured && measuredRows(measured, meaning.unpackPresent) }
  })
  const count = (of: 'x' | 'y') =>
    (elements ? elements[of].stop - elements[of].start : 0).toLocaleString('en')
  const note =
    elements === undefined
      ? 'The box is outside of the image.'
      : `${found ? 'Of' : 'Computing of'} all ${count('y')} × ${count('x')} elements whose middle is in the box.`
  return (
    <MeasurePanel {...{ mark, change, error, note }} rows={rowsOf(columns)}>
      <div className="measure-result">
        <NumbersTable columns={columns} />
        {found?.map(({ statistics: { histogram } }, i) =>
          histogram ? (
            <Histogram
              key={channels[i]?.label}
              {...histogram}
              colour={channels[i]?.colour}
              unpack={meaning.unpackPresent}
            />
          ) : null,
        )}
      </div>
    </MeasurePanel>
  )
}

function useMeasured(
  subject: MeasuredSubject,
  channels: readonly MeasuredChannel[],
  elements: ReturnType<typeof elementsOfBox>,
) {
  const { contents } = useViewer()
  const { dataset, plot, uses } = subject
  const part = measuredPart(subject)
  const read = async (signal: AbortSignal) => {
    if (elements === undefined) return undefined
    const numbers = numberOptions(plot, part)
    return Promise.all(
      channels.map(({ uses }) => {
        const select = uses.map(use =>
          use === 'x' || use === 'y' ? elements[use] : use === ':' ? undefined : use,
        )
        return readMeasured(contents.domain, { dataset, select, numbers }, signal)
      }),
    )
  }
  return useLoaded(read, [JSON.stringify([dataset.id, part, uses, elements, dataset.stamp])])
}

type HistogramProps = NonNullable<Api.ValueStatistics['histogram']> & {
  readonly colour: string | undefined
  readonly unpack: MeasuredSubject['plot']['meaning']['unpackPresent']
}

function Histogram({ min, max, counts, colour, unpack }: HistogramProps) {
  const [from, to] = Array.from(unpack(Float64Array.of(min, max)), Number)
  const bars = from !== undefined && to !== undefined && from > to ? counts.toReversed() : counts
  const most = Math.max(1, ...counts)
  const styleOf = (count: number) => ({ height: `${(100 * count) / most}%`, background: colour })
  const ends = [from, to].map(Number).sort((one, other) => one - other)
  return (
    <figure
      className="measure-histogram"
      aria-label={`Distribution from ${formatValue(ends[0])} to ${formatValue(ends[1])}`}
    >
      <div>
        {bars.map((count, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: bins have no other name
          <span key={i} title={count.toLocaleString('en')} style={styleOf(count)} />
        ))}
      </div>
      <figcaption>
        <span>{formatValue(ends[0])}</span>
        <span>{formatValue(ends[1])}</span>
      </figcaption>
    </figure>
  )
}
