// The range of colours, or of the axis of a line: two handles over the histogram of the numbers, in the bar and, larger
// and with the ends as numbers, in a part that a button opens.

import { Icon } from '../../../common/Icon.tsx'
import { Popup } from '../../../common/Popup.tsx'
import type { Domain } from '../../drawing/scales.ts'
import type { ValueScale } from '../../view-address.ts'
import { EndField } from './EndField.tsx'
import { RangeSlider } from './RangeSlider.tsx'
import { endText, type Histogram, type Range, rangeOf, shownRange } from './range.ts'
import type { Colours } from './tools.ts'

export interface RangeToolProps {
  readonly dataDomain: Domain
  readonly range: Range | undefined
  readonly scale: ValueScale
  readonly histogram: Histogram | undefined
  readonly colours: Colours | undefined
  readonly change: (range: Range | undefined) => void
}

export function RangeTool({ dataDomain, range, scale, change, ...drawn }: RangeToolProps) {
  const [min, max] = range ?? [null, null]
  const { wanted, reason } = shownRange(range, dataDomain, scale)
  const [least, most] = dataDomain
  const put = (next: Range) => change(rangeOf(...next))
  const slider = (
    <RangeSlider
      {...{ dataDomain, scale, wanted }}
      {...drawn}
      putMin={next => put([next === least ? null : next, max])}
      putMax={next => put([min, next === most ? null : next])}
    />
  )
  return (
    <div className="range-tool">
      {slider}
      <Popup label="Edit range" title="Edit range" className="quiet" face={<Icon name="rename" />}>
        {slider}
        <RangeEnd name="Min" end={wanted[0]} isAuto={min === null} put={next => put([next, max])} />
        <RangeEnd name="Max" end={wanted[1]} isAuto={max === null} put={next => put([min, next])} />
        <p>
          Data: {endText(least)} to {endText(most)}
        </p>
        {reason === undefined ? null : <p className="error">{reason}</p>}
      </Popup>
    </div>
  )
}

interface RangeEndProps {
  readonly name: 'Min' | 'Max'
  readonly end: number
  /** The end is that of the data. */
  readonly isAuto: boolean
  readonly put: (end: number | null) => void
}

function RangeEnd({ name, end, isAuto, put }: RangeEndProps) {
  return (
    <EndField name={name} known={endText(end)} title={String(end)} className="range-end" put={put}>
      <button
        type="button"
        aria-label={`${name} of the data`}
        aria-pressed={isAuto}
        onClick={() => put(isAuto ? end : null)}
      >
        Of the data
      </button>
    </EndField>
  )
}
