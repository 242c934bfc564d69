// What the camera does for a gesture: which gesture it is by the keys that are held, and where the camera goes.

import { type Camera, type Frame, keptWithin, type Point, worldAt } from './frame.ts'

/** The part that a step of the wheel leaves. */
const WHEEL_STEP = 0.95
/** The part of the drawing that is the least one: numbers of 64 bits tell its points apart. */
const LEAST_PART = 1e-12
/** Pixels that a part must be long to become the view. */
const LEAST_SELECTION = 20

export interface HeldKeys {
  readonly ctrlKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

/** The axes that a part is chosen of. */
export type SelectedAxes = 'x' | 'y' | 'both'

/** The part that a drag chooses; undefined: it moves the drawing. Axes are zoomed apart only where points may be. */
export function selectionFor(
  { ctrlKey, altKey, shiftKey }: HeldKeys,
  isSquare: boolean,
): SelectedAxes | undefined {
  if (!ctrlKey) return undefined
  return isSquare ? 'both' : altKey ? 'x' : shiftKey ? 'y' : 'both'
}

/** The camera after a step of the wheel at a pixel. */
export function wheeled(
  frame: Frame,
  camera: Camera,
  pixel: Point,
  { isCloser, altKey, shiftKey }: Omit<HeldKeys, 'ctrlKey'> & { readonly isCloser: boolean },
): Camera {
  const factor = isCloser ? WHEEL_STEP : 1 / WHEEL_STEP
  const [hasX, hasY] = frame.isSquare || (!altKey && !shiftKey) ? [true, true] : [altKey, !altKey]
  return zoomedAt(frame, camera, pixel, { x: hasX ? factor : 1, y: hasY ? factor : 1 })
}

/** What is at the pixel stays there. */
export function zoomedAt(frame: Frame, camera: Camera, pixel: Point, factors: Point): Camera {
  const world = worldAt(frame, camera, pixel)
  const part = (axis: 'x' | 'y') => Math.min(1, Math.max(LEAST_PART, camera.scale[axis] * factors[axis]))
  const scale = { x: part('x'), y: part('y') }
  const middle = (axis: 'x' | 'y') =>
    world[axis] + ((camera.position[axis] - world[axis]) * scale[axis]) / camera.scale[axis]
  return keptWithin(frame, { scale, position: { x: middle('x'), y: middle('y') } })
}

/** A place of the drawing, in world coordinates, comes to a pixel. */
export function panned(frame: Frame, camera: Camera, world: Point, pixel: Point): Camera {
  const { position, scale } = camera
  const there = worldAt(frame, camera, pixel)
  return keptWithin(frame, {
    scale,
    position: { x: position.x + world.x - there.x, y: position.y + world.y - there.y },
  })
}

/** The camera after two fingers went from two pixels to two others. */
export function pinched(
  frame: Frame,
  camera: Camera,
  from: readonly [Point, Point],
  to: readonly [Point, Point],
): Camera {
  const middle = ([one, other]: readonly [Point, Point]) => ({
    x: (one.x + other.x) / 2,
    y: (one.y + other.y) / 2,
  })
  const length = ([one, other]: readonly [Point, Point]) =>
    Math.max(LEAST_SELECTION, Math.hypot(other.x - one.x, other.y - one.y))
  const factor = length(from) / length(to)
  const world = worldAt(frame, camera, middle(from))
  return panned(frame, zoomedAt(frame, camera, middle(from), { x: factor, y: factor }), world, middle(to))
}

/** Pixels by which a line may miss the direction of an axis. */
const STRAIGHT = 4

/** The end of a line that is drawn from a pixel: straight along an axis if it nearly is. */
export function straightened(from: Point, to: Point): Point {
  if (Math.abs(to.y - from.y) <= STRAIGHT) return { x: to.x, y: from.y }
  return Math.abs(to.x - from.x) <= STRAIGHT ? { x: from.x, y: to.y } : to
}

export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

export interface Selection {
  /** The part that the user has drawn. */
  readonly drawn: Box
  /** The part that will be seen. */
  readonly seen: Box
  readonly isLarge: boolean
}

/** The part between two pixels, with all of an axis that is not chosen. Squares stay squares: more is seen then. */
export function selectedBox(frame: Frame, axes: SelectedAxes, from: Point, to: Point): Selection {
  const { width, height, isSquare } = frame
  const end = { x: Math.min(width, Math.max(0, to.x)), y: Math.min(height, Math.max(0, to.y)) }
  const drawn = {
    left: axes === 'y' ? 0 : Math.min(from.x, end.x),
    right: axes === 'y' ? width : Math.max(from.x, end.x),
    top: axes === 'x' ? 0 : Math.min(from.y, end.y),
    bottom: axes === 'x' ? height : Math.max(from.y, end.y),
  }
  const [across, down] = [drawn.right - drawn.left, drawn.bottom - drawn.top]
  const isLarge =
    axes === 'both' ? across + down >= LEAST_SELECTION : Math.min(across, down) >= LEAST_SELECTION
  return { drawn, seen: isSquare ? expanded(drawn, frame) : drawn, isLarge }
}

/** A box of the shape of the place, and within it. */
function expanded({ left, top, right, bottom }: Box, { width, height }: Frame): Box {
  const part = Math.max((right - left) / width, (bottom - top) / height)
  const side = (from: number, to: number, most: number) => {
    const length = part * most
    const start = Math.min(most - length, Math.max(0, (from + to - length) / 2))
    return [start, start + length] as const
  }
  const [newLeft, newRight] = side(left, right, width)
  const [newTop, newBottom] = side(top, bottom, height)
  return { left: newLeft, top: newTop, right: newRight, bottom: newBottom }
}

/** The camera that sees the part. */
export function zoomedTo(frame: Frame, camera: Camera, { left, top, right, bottom }: Box): Camera {
  const part = (length: number, most: number, scale: number) =>
    Math.max(LEAST_PART, (Math.max(length, 1) / most) * scale)
  return keptWithin(frame, {
    position: worldAt(frame, camera, { x: (left + right) / 2, y: (top + bottom) / 2 }),
    scale: {
      x: part(right - left, frame.width, camera.scale.x),
      y: part(bottom - top, frame.height, camera.scale.y),
    },
  })
}
