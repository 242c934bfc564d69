// A drawing: its axes, and the layers between them, in the numbers of the axes. It is painted by paint.ts, for any
// camera, size and look.

import type { ValueScale } from '../view-address.ts'
import type { FrameAxis } from './frame.ts'
import type { Pixels } from './surface.ts'

export interface SceneAxis extends FrameAxis {
  readonly scale?: ValueScale | undefined
  readonly label?: string | undefined
  readonly hasGrid: boolean
  /** Nothing is known of the numbers yet, or there are none: the axis has no ticks. */
  readonly isEmpty?: boolean | undefined
  /** There are ticks beyond its ends, too. */
  readonly goesOn?: boolean | undefined
  /** Only whole numbers have a tick. */
  readonly isIndex?: boolean | undefined
  /** The function that writes a number; undefined: as the ticks need it. */
  readonly format?: ((value: number) => string) | undefined
}

/** A picture between two numbers of each axis. Its first row is at the first one of y. */
export interface PictureLayer extends Pixels {
  readonly kind: 'picture'
  /** The numbers of the points: of those that share a pixel, the greatest is seen; absent: any of them. */
  readonly numbers?: Float64Array | undefined
  readonly x: readonly [from: number, to: number]
  readonly y: readonly [from: number, to: number]
}

export interface CurveLayer {
  readonly kind: 'curve'
  readonly x: Float64Array
  readonly y: Float64Array
  /** One for each point: the bar goes as far to both sides. */
  readonly errors?: Float64Array | undefined
  readonly colour: string
  /** Pixels; 1 by default. */
  readonly width?: number
  readonly hasLine: boolean
  readonly hasPoints: boolean
}

export interface PointsLayer {
  readonly kind: 'points'
  readonly x: Float64Array
  readonly y: Float64Array
  /** Four bytes of each point, in one number. */
  readonly colours: Uint32Array
  /** Pixels. */
  readonly size: number
}

export type Layer = PictureLayer | CurveLayer | PointsLayer

export interface Scene {
  readonly title: string
  readonly x: SceneAxis
  readonly y: SceneAxis
  /** From the lowest to the topmost one. */
  readonly layers: readonly Layer[]
}

/** The colours of CSS and the letters of what is around the layers. */
export interface Look {
  readonly text: string
  readonly muted: string
  /** Names of fonts, as CSS has them. */
  readonly family: string
  /** Pixels of the screen for one of the drawing. */
  readonly ratio: number
}

/** Room around the layers, in pixels. */
const MARGINS = { left: 80, right: 24, top: 16, bottom: 34 }
/** More of it for a title, and for the name of an axis. */
const TITLE_HEIGHT = 28
const LABEL_HEIGHT = 24
/** From the layers to the middle of the name of an axis. */
export const LABEL_DISTANCE = { x: 40, y: 86 }

export interface Place {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** The place of the layers in a drawing of this size. */
export function placeOfLayers(
  { width, height }: { readonly width: number; readonly height: number },
  { title, x, y }: Pick<Scene, 'title' | 'x' | 'y'>,
): Place {
  const left = MARGINS.left + (y.label ? LABEL_HEIGHT : 0)
  const top = MARGINS.top + (title ? TITLE_HEIGHT : 0)
  const bottom = MARGINS.bottom + (x.label ? LABEL_HEIGHT : 0)
  return {
    left,
    top,
    width: Math.max(1, width - left - MARGINS.right),
    height: Math.max(1, height - top - bottom),
  }
}
