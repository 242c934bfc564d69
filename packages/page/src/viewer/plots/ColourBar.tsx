// The bar of colours beside an image: the values at its ends and at ticks, and what they are.

import { getLinearGradient } from '@h5web/lib'
import { type ColourMap, INTERPOLATORS } from '@hyperslab/meaning/colour-maps'
import type { Span } from '../view-address.ts'
import { formatEnd, placeOnScale, tickFormat, ticksBetween } from './models/ticks.ts'

export interface ColourBarProps {
  readonly domain: Span
  readonly scale: string
  /** The exponent of the scale `gamma`. */
  readonly gamma: number
  readonly colorMap: ColourMap
  readonly isInverted: boolean
  /** The name of the values, with their units. */
  readonly label: string
  /** Whether numbers lie outside of its ends: they have the colours of these. */
  readonly isCut: { readonly low: boolean; readonly high: boolean }
}

/** The least distance of two ticks, as a part of the bar. */
const LEAST_DISTANCE = 0.06

export function ColourBar({ domain, scale, gamma, colorMap, isInverted, label, isCut }: ColourBarProps) {
  const interpolate = INTERPOLATORS[colorMap]
  const isOne = domain[0] === domain[1]
  const [least, most] = isOne ? ['−∞', '+∞'] : domain.map(end => formatEnd(end, domain))
  const format = tickFormat(domain)
  // One colour is for what is less than the only value, the other one for it and for more.
  const ticks = isOne ? [{ tick: domain[0], place: 0.5 }] : placedTicks(domain, scale, gamma)
  const gradient = getLinearGradient(part => interpolate(isInverted ? 1 - part : part), 'top', isOne)
  return (
    <figure className="colour-bar">
      <p title={isCut.high ? 'More has this colour too.' : `Max: ${most}`}>
        {isCut.high ? `≥ ${most}` : most}
      </p>
      <div className="colours" style={{ backgroundImage: gradient }} data-keep-colors>
        {ticks.map(({ tick, place }) => (
          <span key={tick} className="colour-tick" style={{ bottom: `${100 * place}%` }}>
            {isOne ? formatEnd(tick, domain) : format(tick)}
          </span>
        ))}
      </div>
      <p title={isCut.low ? 'Less has this colour too.' : `Min: ${least}`}>
        {isCut.low ? `≤ ${least}` : least}
      </p>
      <figcaption title={label}>{label}</figcaption>
    </figure>
  )
}

/** Ticks that have room beside each other. */
function placedTicks(domain: Span, scale: string, gamma: number) {
  const placeOf = placeOnScale(domain, scale, gamma)
  const shown: { readonly tick: number; readonly place: number }[] = []
  for (const tick of ticksBetween(domain, scale, 6)) {
    const place = placeOf(tick)
    const last = shown.at(-1)?.place ?? Number.NEGATIVE_INFINITY
    if (place === undefined || place < 0 || place > 1 || place - last < LEAST_DISTANCE) continue
    shown.push({ tick, place })
  }
  return shown
}
