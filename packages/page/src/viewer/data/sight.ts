// What is in sight of a drawing. The canvas says it as soon as it is drawn. Until then it follows from the address and
// from the size of the place of the canvas, so that the first points are requested while the canvas starts.

import type { Span } from '../view-address.ts'

export interface Sight {
  /** In the coordinates of the axes. */
  readonly x: Span
  readonly y: Span
  readonly width: number
  readonly height: number
}

export interface Zoom {
  readonly x: Span
  readonly y?: Span | undefined
}

export interface Area {
  readonly width: number
  readonly height: number
}

/** Pixels of the area that the points do not have: axes without names, and the bar of the colours. */
const AROUND = { width: 120, height: 50 }
const BAR_WIDTH = 96

/** Undefined: only the canvas knows. Without a zoom the spans mean nothing. */
export function expectedSight(area: Area, zoom: Zoom | undefined, hasBar: boolean): Sight | undefined {
  const width = area.width - AROUND.width - (hasBar ? BAR_WIDTH : 0)
  const height = area.height - AROUND.height
  if (width <= 0 || height <= 0) return undefined
  const { x = [0, 1], y = [0, 1] } = zoom ?? {}
  return { x, y, width, height }
}
