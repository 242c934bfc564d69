// The range of colours, or of the axis of a line: a slider, and a popup with its histogram and its ends as numbers.

import {
  type ColorScaleType,
  type Domain,
  DomainSlider,
  Histogram,
  type HistogramParams,
  ToggleBtn,
} from '@h5web/lib'
import { useEffect, useId, useRef, useState } from 'react'
import { Icon } from '../../../common/Icon.tsx'
import { usePopover } from '../../../common/use-popover.ts'
import { endText, parseEnd, type Range, rangeOf, shownRange } from './range.ts'

export interface RangeToolProps {
  readonly dataDomain: Domain
  readonly range: Range | undefined
  readonly scale: ColorScaleType
  readonly histogram?: HistogramParams | undefined
  readonly change: (range: Range | undefined) => void
}

export function RangeTool({ dataDomain, range, scale, histogram, change }: RangeToolProps) {
  const [min, max] = range ?? [null, null]
  const { wanted, safe, errors, reason } = shownRange(range, dataDomain, scale)
  /** The range while a thumb moves. */
  const [moved, setMoved] = useState<Domain>()
  const [isOpen, setOpen] = useState(false)
  const tool = useRef<HTMLDivElement>(null)
  const id = useId()
  const put = (next: Range) => {
    setMoved(undefined)
    change(rangeOf(...next))
  }
  const value = moved ?? wanted
  return (
    <div className="range-tool" ref={tool}>
      <DomainSlider
        value={value}
        dataDomain={dataDomain}
        safeVisDomain={safe}
        scaleType={scale}
        errors={errors}
        isAutoMin={min === null}
        isAutoMax={max === null}
        onChange={setMoved}
        onAfterChange={(isMin, isMax) => put([isMin ? value[0] : min, isMax ? value[1] : max])}
      />
      <button
        type="button"
        className="range-button"
        aria-label="Edit range"
        title="Edit range"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(true)}
      >
        <Icon name="rename" />
      </button>
      {isOpen && tool.current ? (
        <Popup id={id} anchor={tool.current} close={() => setOpen(false)}>
          {histogram ? (
            <Histogram
              {...histogram}
              dataDomain={dataDomain}
              value={value}
              scaleType={scale}
              onChangeMin={next => put([next, max])}
              onChangeMax={next => put([min, next])}
            />
          ) : null}
          <EndField name="Min" end={value[0]} isAuto={min === null} put={next => put([next, max])} />
          <EndField name="Max" end={value[1]} isAuto={max === null} put={next => put([min, next])} />
          <DataRange domain={dataDomain} reason={reason} />
        </Popup>
      ) : null}
    </div>
  )
}

interface DataRangeProps {
  readonly domain: Domain
  readonly reason: string | undefined
}

/** The range of the data, and the reason why it is used instead of that of the user. */
function DataRange({ domain, reason }: DataRangeProps) {
  const [least, most] = domain.map(endText)
  return (
    <>
      <p>
        Data: {least} to {most}
      </p>
      {reason === undefined ? null : <p className="error">{reason}</p>}
    </>
  )
}

interface PopupProps {
  readonly id: string
  readonly anchor: Element
  readonly close: () => void
  readonly children: React.ReactNode
}

function Popup({ id, anchor, close, children }: PopupProps) {
  const popup = usePopover(anchor, 'input', close)
  return (
    <div ref={popup} id={id} className="range-popup" role="dialog" aria-label="Range">
      {children}
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
      <ToggleBtn label="Of the data" small value={isAuto} onToggle={() => put(isAuto ? end : null)} />
    </form>
  )
}
