// The bar of colours beside a drawing: the values at its ends and at ticks, and its colours.

import { INTERPOLATORS } from '@hyperslab/meaning/colour-maps'
import type { ColourScale } from '../../drawing/colours.ts'
import { scaleOf } from '../../drawing/scales.ts'
import { axisFormat, formatEnd } from '../../drawing/tick-text.ts'
import { ticksOf } from '../../drawing/ticks.ts'

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

export function partsOfBar({ isCut, ...colours }: ColourBarProps) {
  const { domain, isInverted, map } = colours
  const interpolate = INTERPOLATORS[map]
  const isOne = domain[0] === domain[1]
  const [least, most] = isOne ? ['−∞', '+∞'] : domain.map(end => formatEnd(end, domain))
  return {
    isOne,
    least: `${isCut.low ? '≤ ' : ''}${least}`,
    most: `${isCut.high ? '≥ ' : ''}${most}`,
    // One colour is for what is less than the only value, the other one for it and for more.
    ticks: isOne ? [{ text: formatEnd(domain[0], domain), place: 0.5 }] : placedTicks(colours),
    /** From 0 to 1. */
    colourAt: (place: number) => interpolate(isInverted ? 1 - place : place),
  }
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
