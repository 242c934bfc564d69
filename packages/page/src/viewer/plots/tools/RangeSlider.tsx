// Two handles over the bars of a histogram: sliders of the browser, by pointer and by keys. The range changes when a
// handle is let go.

import { type ColourMap, INTERPOLATORS } from '@hyperslab/meaning/colour-maps'
import { useEffect, useId, useRef, useState } from 'react'
import type { Domain } from '../../drawing/scales.ts'
import type { ValueScale } from '../../view-address.ts'
import { NO_DOMAIN } from '../models/domains.ts'
import { endText, type Histogram, STEPS, type Track, trackOf } from './range.ts'
import type { Colours } from './tools.ts'

export interface RangeSliderProps {
  readonly dataDomain: Domain
  readonly scale: ValueScale
  readonly histogram: Histogram | undefined
  readonly colours: Colours | undefined
  readonly wanted: Domain
  readonly putMin: (end: number) => void
  readonly putMax: (end: number) => void
}

export function RangeSlider({
  dataDomain,
  scale,
  histogram,
  colours,
  wanted,
  putMin,
  putMax,
}: RangeSliderProps) {
  /** The ends while a handle moves. */
  const [moved, setMoved] = useState<Domain>()
  const [from, to] = moved ?? wanted
  const track = trackOf(dataDomain, wanted, scale)
  if (track === undefined) return null
  const put = (end: number, putEnd: (end: number) => void) => {
    setMoved(undefined)
    putEnd(end)
  }
  return (
    <div className="range-slider">
      <Bars {...{ track, histogram, colours }} ends={[from, to]} />
      <Handle
        name="Min"
        {...{ track, dataDomain }}
        end={from}
        move={next => setMoved([Math.min(next, to), to])}
        put={next => put(Math.min(next, to), putMin)}
      />
      <Handle
        name="Max"
        {...{ track, dataDomain }}
        end={to}
        move={next => setMoved([from, Math.max(next, from)])}
        put={next => put(Math.max(next, from), putMax)}
      />
    </div>
  )
}

interface HandleProps {
  readonly name: 'Min' | 'Max'
  readonly track: Track
  readonly dataDomain: Domain
  readonly end: number
  readonly move: (end: number) => void
  readonly put: (end: number) => void
}

/**
 * React has no event for a handle that was let go, and for a key that has moved it. While the range of the data is not
 * known there is nothing to choose.
 */
function Handle({ name, track, dataDomain, end, move, put }: HandleProps) {
  const input = useRef<HTMLInputElement>(null)
  const endOf = (place: number) => {
    const edge = name === 'Min' ? dataDomain[0] : dataDomain[1]
    // The end of the data has a place of its own.
    return Math.abs(place - track.placeOf(edge)) < 0.5 ? edge : track.endAt(place)
  }
  const latest = useRef(put)
  latest.current = () => put(endOf(input.current?.valueAsNumber ?? 0))
  useEffect(() => {
    const element = input.current
    const change = () => latest.current(0)
    element?.addEventListener('change', change)
    return () => element?.removeEventListener('change', change)
  }, [])
  return (
    <input
      ref={input}
      type="range"
      min={0}
      max={STEPS}
      step="any"
      value={track.placeOf(end)}
      disabled={dataDomain === NO_DOMAIN}
      aria-label={name}
      aria-valuetext={endText(end)}
      title={endText(end)}
      onChange={event => move(endOf(event.target.valueAsNumber))}
    />
  )
}

interface BarsProps {
  readonly track: Track
  readonly histogram: Histogram | undefined
  readonly colours: Colours | undefined
  readonly ends: Domain
}

/** Bars in the colours of their numbers. Few numbers are as easy to see as many. */
function Bars({ track, histogram, colours, ends }: BarsProps) {
  const id = useId()
  const [from, to] = ends.map(track.placeOf)
  return (
    <svg viewBox={`0 0 ${STEPS} 1`} preserveAspectRatio="none" aria-hidden="true">
      <linearGradient id={id} gradientUnits="userSpaceOnUse" x1={from} x2={to}>
        {stopsOf(colours).map((colour, i, { length }) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: colours keep their places
          <stop key={i} offset={i / (length - 1)} stopColor={colour} />
        ))}
      </linearGradient>
      <path className="range-data" d={histogram ? barsOf(histogram, track) : 'M0 0'} fill={`url(#${id})`} />
      <rect
        className="range-part"
        x={from}
        width={Math.max(0, (to ?? 0) - (from ?? 0))}
        y={0.9}
        height={0.1}
        fill={`url(#${id})`}
      />
    </svg>
  )
}

function barsOf({ values, bins }: Histogram, track: Track): string {
  const most = Math.log1p(Math.max(...values))
  const bars = values.map(
    (count, i) => `V${0.9 - (0.9 * Math.log1p(count)) / most}H${track.placeOf(bins[i + 1] ?? 0)}`,
  )
  return `M${track.placeOf(bins[0] ?? 0)} 0.9${bars.join('')}V0.9z`
}

const STOPS = 12

function stopsOf(colours: Colours | undefined): readonly string[] {
  const interpolate = colours && INTERPOLATORS[colours.value as ColourMap]
  if (!interpolate) return ['var(--accent)', 'var(--accent)']
  return Array.from({ length: STOPS + 1 }, (_, i) =>
    interpolate(colours.isInverted ? 1 - i / STOPS : i / STOPS),
  )
}
