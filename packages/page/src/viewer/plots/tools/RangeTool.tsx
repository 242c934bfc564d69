// The range of colours, or of the axis of a line: two handles over the histogram of the numbers, in the bar and, larger
// and with the ends as numbers, in a part that a button opens.

import { useEffect, useState } from 'react'
import { Icon } from '../../../common/Icon.tsx'
import { Popup } from '../../../common/Popup.tsx'
import type { Domain } from '../../drawing/scales.ts'
import type { ValueScale } from '../../view-address.ts'
import { RangeSlider } from './RangeSlider.tsx'
import { endText, type Histogram, parseEnd, type Range, rangeOf, shownRange } from './range.ts'
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
        <EndField name="Min" end={wanted[0]} isAuto={min === null} put={next => put([next, max])} />
        <EndField name="Max" end={wanted[1]} isAuto={max === null} put={next => put([min, next])} />
        <p>
          Data: {endText(least)} to {endText(most)}
        </p>
        {reason === undefined ? null : <p className="error">{reason}</p>}
      </Popup>
    </div>
  )
}

interface EndFieldProps {
  readonly name: 'Min' | 'Max'
  readonly end: number
  /** The end is that of the data. */
  readonly isAuto: boolean
  readonly put: (end: number | null) => void
}

function EndField({ name, end, isAuto, put }: EndFieldProps) {
  const known = endText(end)
  const [text, setText] = useState(known)
  useEffect(() => setText(known), [known])
  const number = parseEnd(text)
  return (
    <form
      className="range-end"
      onSubmit={event => {
        event.preventDefault()
        if (number !== undefined && text !== known) put(number)
      }}
    >
      <label>
        {name}
        <input
          inputMode="decimal"
          value={text}
          title={String(end)}
          aria-invalid={number === undefined}
          onChange={event => setText(event.target.value)}
          onBlur={event => event.currentTarget.form?.requestSubmit()}
        />
      </label>
      <button
        type="button"
        aria-label={`${name} of the data`}
        aria-pressed={isAuto}
        onClick={() => put(isAuto ? end : null)}
      >
        Of the data
      </button>
    </form>
  )
}
