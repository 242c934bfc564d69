// The bar of colours beside an image: the values at its ends and at ticks, and what they are.

import { INTERPOLATORS } from '@hyperslab/meaning/colour-maps'
import type { ColourScale } from '../drawing/colours.ts'
import { scaleOf } from '../drawing/scales.ts'
import { axisFormat, formatEnd } from '../drawing/tick-text.ts'
import { ticksOf } from '../drawing/ticks.ts'

export interface ColourBarProps extends ColourScale {
  /** Nothing is known of the values yet, or there are none: the bar is empty, and keeps its place. */
  readonly isEmpty?: boolean
  /** The name of the values, with their units. */
  readonly label: string
  /** Whether numbers lie outside of its ends: they have the colours of these. */
  readonly isCut: { readonly low: boolean; readonly high: boolean }
}

/** The least distance of two ticks, as a part of the bar. */
const LEAST_DISTANCE = 0.06
const TICKS = 6
/** Colours between which CSS mixes. */
const STOPS = 33

export function ColourBar({ label, isCut, isEmpty = false, ...colours }: ColourBarProps) {
  const { domain, isInverted, map } = colours
  const interpolate = INTERPOLATORS[map]
  const isOne = domain[0] === domain[1]
  const [least, most] = isOne ? ['−∞', '+∞'] : domain.map(end => formatEnd(end, domain))
  // One colour is for what is less than the only value, the other one for it and for more.
  const ticks = isOne ? [{ text: formatEnd(domain[0], domain), place: 0.5 }] : placedTicks(colours)
  const gradient = gradientOf(part => interpolate(isInverted ? 1 - part : part), isOne)
  return (
    <figure className="colour-bar" style={isEmpty ? { visibility: 'hidden' } : undefined}>
      <p title={isCut.high ? 'More has this colour too.' : `Max: ${most}`}>
        {isCut.high ? `≥ ${most}` : most}
      </p>
      <div className="colours" style={{ backgroundImage: gradient }} data-keep-colors>
        {ticks.map(({ text, place }) => (
          <span key={place} className="colour-tick" style={{ bottom: `${100 * place}%` }}>
            {text}
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
function placedTicks({ domain, scale, gamma }: ColourScale) {
  const { toPlace } = scaleOf(scale, domain, gamma)
  const format = axisFormat(domain, scale)
  const shown: { readonly text: string; readonly place: number }[] = []
  for (const tick of ticksOf(domain, scale, TICKS)) {
    const [place, text] = [toPlace(tick), format(tick)]
    const last = shown.at(-1)?.place ?? Number.NEGATIVE_INFINITY
    if (text === '' || !(place >= 0 && place <= 1) || place - last < LEAST_DISTANCE) continue
    shown.push({ text, place })
  }
  return shown
}

/** The colours from the least to the greatest place, as CSS has them; two of them, if there is one value. */
function gradientOf(colourAt: (place: number) => string, isOne: boolean): string {
  const [first, last] = [colourAt(0), colourAt(1)]
  const stops = isOne
    ? [first, `${first} 50%`, `${last} 50%`, last]
    : Array.from({ length: STOPS }, (_, i) => colourAt(i / (STOPS - 1)))
  return `linear-gradient(to top, ${stops.join(', ')})`
}
