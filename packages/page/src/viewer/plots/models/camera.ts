// Where the camera of a drawing goes for the zoom of the address, and the zoom that the address has for what the camera
// sees, without a canvas.

import type { Zoom } from '../../data/sight.ts'
import type { Span } from '../../view-address.ts'

export interface CanvasPlace {
  /** From an axis to pixels, of which 0 is the middle. */
  readonly abscissaScale: (value: number) => number
  readonly ordinateScale: (value: number) => number
  /** Pixels of the canvas. */
  readonly width: number
  readonly height: number
  /** Pixels of the whole drawing. */
  readonly visSize: { readonly width: number; readonly height: number }
  /** Undefined: points need not be squares. */
  readonly visRatio: number | undefined
}

export interface CameraPlace {
  readonly position: Point
  /** At most 1: the whole drawing. */
  readonly scale: Point
}

interface Point {
  readonly x: number
  readonly y: number
}

export function cameraPlace(zoom: Zoom | undefined, canvas: CanvasPlace): CameraPlace {
  const { abscissaScale, ordinateScale, width, height, visSize, visRatio } = canvas
  const [centerX, lengthX] = centred(zoom?.x, abscissaScale, width)
  const [centerY, lengthY] = centred(zoom?.y, ordinateScale, height)
  // Points that are squares stay squares on a canvas of another shape than that of the zoom.
  const both = Math.max(lengthX, lengthY)
  const scale = visRatio === undefined ? { x: lengthX, y: lengthY } : { x: both, y: both }
  const position = {
    x: within(centerX, width * scale.x, visSize.width),
    y: within(centerY, height * scale.y, visSize.height),
  }
  return { position, scale }
}

/** The middle of a span in pixels, and its length as a part of the canvas. */
function centred(
  span: Span | undefined,
  scale: (value: number) => number,
  most: number,
): readonly [center: number, length: number] {
  const [from, to] = span ? span.map(scale) : [-most / 2, most / 2]
  if (from === undefined || to === undefined || !Number.isFinite(from) || !Number.isFinite(to)) return [0, 1]
  return [(from + to) / 2, Math.min(1, Math.abs(to - from) / most)]
}

/** The canvas goes no further than the drawing. */
function within(center: number, length: number, most: number): number {
  const room = Math.max(0, most - length) / 2
  return Math.min(room, Math.max(-room, center))
}

/** The place of the camera: without the last digits, which differ when the canvas computes the same place again. */
export function placeText({ position, scale }: CameraPlace): string {
  const parts = [position.x.toFixed(3), position.y.toFixed(3), scale.x.toPrecision(9), scale.y.toPrecision(9)]
  return parts.join(' ')
}

/** What the camera sees, and on which axes it sees a part. */
export type Seen = readonly [x: Span, y: Span, isZoomedX: boolean, isZoomedY: boolean]

/** Lines keep all of y when only x is zoomed. */
export function seenZoom([x, y, isZoomedX, isZoomedY]: Seen, isLine: boolean): Zoom | undefined {
  if (!isZoomedX && !isZoomedY) return undefined
  return { x: shortened(x), ...((!isLine || isZoomedY) && { y: shortened(y) }) }
}

/** The ends with as many digits as a screen shows. */
function shortened([from, to]: Span): Span {
  const step = 10 ** (Math.floor(Math.log10(Math.abs(to - from))) - 4)
  const round = (value: number) => Number((Math.round(value / step) * step).toPrecision(12))
  return [round(from), round(to)]
}

/** The zoom of the camera and that of the address, which follow each other. They are compared as texts. */
export class CameraZoom {
  /** The zoom that the camera has, as the address has it. */
  #own = 'null'
  /** The place that the address gave to the camera: as long as the user leaves it there, the address stays. */
  #placed = ''
  /** The axes for which the camera has its place. */
  #axes: readonly unknown[] = []

  /** Whether the camera must go to the zoom of the address: that is another one, or the axes are others. */
  mustMove(given: string, axes: readonly unknown[]): boolean {
    const areSame = given === 'null' || axes.every((part, i) => part === this.#axes[i])
    this.#axes = axes
    return given !== this.#own || !areSame
  }

  /** The camera is where the address says. */
  moved(given: string, place: CameraPlace): void {
    this.#own = given
    this.#placed = placeText(place)
  }

  /** Whether the camera is where the address says, or will be in a moment. */
  isAt(given: string): boolean {
    return given === this.#own
  }

  /** The zoom that the address gets, if the user has moved the camera; undefined: the address stays. */
  settled(place: CameraPlace, zoom: Zoom | undefined): { readonly zoom: Zoom | undefined } | undefined {
    const text = JSON.stringify(zoom ?? null)
    if (placeText(place) === this.#placed || text === this.#own) return undefined
    this.#own = text
    this.#placed = ''
    return { zoom }
  }
}
