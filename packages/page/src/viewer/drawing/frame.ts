// The place of a drawing on the screen: from the numbers of its axes to pixels, for a camera that sees all or a part.
// World coordinates are pixels of the whole drawing, whose middle is 0; y grows upwards. All is counted with 64 bits.

import type { ValueScale } from '../view-address.ts'
import { type Domain, scaleOf } from './scales.ts'

export interface Point {
  readonly x: number
  readonly y: number
}

export interface Size {
  readonly width: number
  readonly height: number
}

export interface FrameAxis {
  readonly domain: Domain
  readonly scale?: ValueScale | undefined
  /** The first end of the domain is on the right, or at the top. */
  readonly isFlipped?: boolean | undefined
}

export interface WorldAxis {
  readonly toWorld: (value: number) => number
  readonly toValue: (world: number) => number
}

/** The whole drawing. */
export interface Frame extends Size {
  readonly x: WorldAxis
  readonly y: WorldAxis
  /** Less than that of the place in one direction, if steps of both axes have the same length. */
  readonly whole: Size
  readonly isSquare: boolean
}

export interface Camera {
  /** The middle of what it sees. */
  readonly position: Point
  /** The parts of the place that it sees; at most 1: the whole drawing. */
  readonly scale: Point
}

export const WHOLE: Camera = { position: { x: 0, y: 0 }, scale: { x: 1, y: 1 } }

export function frameOf({ width, height }: Size, x: FrameAxis, y: FrameAxis, isSquare: boolean): Frame {
  const ratio = lengthOf(x.domain) / lengthOf(y.domain)
  const whole = !isSquare
    ? { width, height }
    : width / height > ratio
      ? { width: height * ratio, height }
      : { width, height: width / ratio }
  return { width, height, whole, isSquare, x: worldAxis(x, whole.width), y: worldAxis(y, whole.height) }
}

function lengthOf([from, to]: Domain): number {
  return Math.abs(to - from)
}

function worldAxis({ domain, scale = 'linear', isFlipped = false }: FrameAxis, length: number): WorldAxis {
  const { toPlace, toValue } = scaleOf(scale, domain)
  const step = isFlipped ? -length : length
  return {
    toWorld: value => (toPlace(value) - 0.5) * step,
    toValue: world => toValue(world / step + 0.5),
  }
}

export interface PixelAxis {
  /** Pixels from the left, or from the top. */
  readonly toPixel: (value: number) => number
  readonly toValue: (pixel: number) => number
}

export interface PixelAxes {
  readonly x: PixelAxis
  readonly y: PixelAxis
}

/** From numbers to the pixels that the camera has for them. */
export function pixelAxes({ x, y, width, height }: Frame, { position, scale }: Camera): PixelAxes {
  const axis = (axis: WorldAxis, middle: number, at: number, step: number): PixelAxis => ({
    toPixel: value => middle + (axis.toWorld(value) - at) / step,
    toValue: pixel => axis.toValue(at + (pixel - middle) * step),
  })
  return {
    x: axis(x, width / 2, position.x, scale.x),
    y: axis(y, height / 2, position.y, -scale.y),
  }
}

/** What the camera sees of each axis. */
export function seenDomains(frame: Frame, camera: Camera): { readonly x: Domain; readonly y: Domain } {
  const { x, y } = pixelAxes(frame, camera)
  return { x: [x.toValue(0), x.toValue(frame.width)], y: [y.toValue(frame.height), y.toValue(0)] }
}

export function worldAt({ width, height }: Frame, { position, scale }: Camera, pixel: Point): Point {
  return {
    x: position.x + (pixel.x - width / 2) * scale.x,
    y: position.y - (pixel.y - height / 2) * scale.y,
  }
}

/** Whether a pixel is within the whole drawing. */
export function isOnDrawing(frame: Frame, camera: Camera, pixel: Point): boolean {
  const { x, y } = worldAt(frame, camera, pixel)
  return Math.abs(x) <= frame.whole.width / 2 && Math.abs(y) <= frame.whole.height / 2
}

/** The camera goes no further than the drawing. */
export function keptWithin({ width, height, whole }: Frame, { position, scale }: Camera): Camera {
  return {
    scale,
    position: {
      x: within(position.x, width * scale.x, whole.width),
      y: within(position.y, height * scale.y, whole.height),
    },
  }
}

function within(middle: number, length: number, most: number): number {
  const room = Math.max(0, most - length) / 2
  return Math.min(room, Math.max(-room, middle))
}

/** The same middle and the same part of another frame. */
export function movedTo(frame: Frame, former: Frame, { position, scale }: Camera): Camera {
  const same = (axis: 'x' | 'y') => {
    const world = frame[axis].toWorld(former[axis].toValue(position[axis]))
    return Number.isFinite(world) ? world : 0
  }
  const both = Math.max(scale.x, scale.y)
  return keptWithin(frame, {
    position: { x: same('x'), y: same('y') },
    scale: frame.isSquare ? { x: both, y: both } : scale,
  })
}
