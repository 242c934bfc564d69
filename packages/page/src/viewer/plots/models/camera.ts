// Where the camera of a drawing goes for the zoom of the address, and the zoom that the address has for what the camera
// sees, without a canvas.

import type { Zoom } from '../../data/sight.ts'
import { type Camera, type Frame, keptWithin, movedTo, seenDomains, WHOLE } from '../../drawing/frame.ts'
import type { Span } from '../../view-address.ts'

export function cameraPlace(zoom: Zoom | undefined, frame: Frame): Camera {
  const [centerX, lengthX] = centred(zoom?.x, frame.x.toWorld, frame.width)
  const [centerY, lengthY] = centred(zoom?.y, frame.y.toWorld, frame.height)
  // Points that are squares stay squares on a canvas of another shape than that of the zoom.
  const both = Math.max(lengthX, lengthY)
  const scale = frame.isSquare ? { x: both, y: both } : { x: lengthX, y: lengthY }
  return keptWithin(frame, { position: { x: centerX, y: centerY }, scale })
}

/** The middle of a span in pixels, and its length as a part of the canvas. */
function centred(
  span: Span | undefined,
  toWorld: (value: number) => number,
  most: number,
): readonly [center: number, length: number] {
  const [from, to] = span ? span.map(toWorld) : [-most / 2, most / 2]
  if (from === undefined || to === undefined || !Number.isFinite(from) || !Number.isFinite(to)) return [0, 1]
  return [(from + to) / 2, Math.min(1, Math.abs(to - from) / most)]
}

/** The place of the camera: without the last digits, which differ when it is computed again. */
export function placeText({ position, scale }: Camera): string {
  const parts = [position.x.toFixed(3), position.y.toFixed(3), scale.x.toPrecision(9), scale.y.toPrecision(9)]
  return parts.join(' ')
}

/** The part that the camera sees; undefined: all. Lines keep all of y when only x is zoomed. */
export function seenZoom(frame: Frame, camera: Camera, isLine: boolean): Zoom | undefined {
  const [isZoomedX, isZoomedY] = [camera.scale.x < 1, camera.scale.y < 1]
  if (!isZoomedX && !isZoomedY) return undefined
  const { x, y } = seenDomains(frame, camera)
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
  #camera = WHOLE
  #frame: Frame | undefined
  /** The latest zoom of the address. */
  #given = 'null'
  /** The zoom that the camera has, as the address has it. */
  #own = 'null'
  /** The place that the address gave to the camera: as long as the user leaves it there, the address stays. */
  #placed = ''
  /** The user has moved it, and the address will follow in a moment. */
  #isMoved = false

  get camera(): Camera {
    return this.#camera
  }

  /** The camera for what is drawn now: it goes to another zoom of the address, and stays at its place otherwise. */
  follow(frame: Frame, zoom: Zoom | undefined): Camera {
    const given = JSON.stringify(zoom ?? null)
    const former = this.#frame
    const isGiven = given !== this.#given && given !== this.#own
    // In another frame the address says more than the place: that is of the former shape.
    const isPlaced = frame !== former && given !== 'null' && given === this.#own && !this.#isMoved
    this.#frame = frame
    this.#given = given
    if (isGiven || isPlaced) {
      this.#camera = cameraPlace(zoom, frame)
      this.#isMoved = false
      this.#own = given
      this.#placed = placeText(this.#camera)
    } else if (former && frame !== former) this.#camera = movedTo(frame, former, this.#camera)
    return this.#camera
  }

  /** The user has moved the camera. */
  move(camera: Camera): void {
    this.#camera = camera
    this.#isMoved = true
  }

  /** The zoom that the address gets, if the user has moved the camera; undefined: the address stays. */
  settled(isLine: boolean): { readonly zoom: Zoom | undefined } | undefined {
    if (this.#frame === undefined) return undefined
    this.#isMoved = false
    const zoom = seenZoom(this.#frame, this.#camera, isLine)
    const text = JSON.stringify(zoom ?? null)
    if (placeText(this.#camera) === this.#placed || text === this.#own) return undefined
    this.#own = text
    this.#placed = ''
    return { zoom }
  }
}
