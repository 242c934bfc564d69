// The gestures on a drawing: drag, wheel, two fingers, and the choice of a part. They are handlers of the place of the
// layers.

import { type MutableRefObject, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { type Camera, type Point, pixelAxes, worldAt } from '../drawing/frame.ts'
import {
  panned,
  pinched,
  type SelectedAxes,
  type Selection,
  selectedBox,
  selectionFor,
  straightened,
  wheeled,
  zoomedTo,
} from '../drawing/gestures.ts'
import type { View } from './use-camera.ts'

interface Drag {
  readonly from: Point
  /** The place of the drawing that is there. */
  readonly world: Point
  /** The part that is chosen; undefined: the drawing moves. */
  readonly axes: SelectedAxes | undefined
  readonly pointer: number
}

export interface Gestures {
  readonly handlers: {
    readonly onPointerDown: (event: PointerEvent) => void
    readonly onPointerMove: (event: PointerEvent) => void
    readonly onPointerUp: (event: PointerEvent) => void
    readonly onPointerCancel: (event: PointerEvent) => void
    readonly onPointerLeave: (event: PointerEvent) => void
  }
  /** The part that is being chosen. */
  readonly selection: Selection | undefined
  /** Where the pointer is while nothing is done with it. */
  readonly pointer: Point | undefined
}

/** What a drag draws instead of moving the drawing: a mark between two points, as the axes count. */
export interface Marking {
  /** Lines along an axis are straight. */
  readonly isStraightened: boolean
  readonly draw: (from: Point, to: Point, isDone: boolean) => void
}

type Place = RefObject<HTMLElement>

export function useGestures(place: Place, view: View, marking: Marking | undefined): Gestures {
  const latest = useRef({ ...view, marking })
  latest.current = { ...view, marking }
  const [state] = useState(() => new GestureState(() => latest.current))
  const [shown, show] = useState<Pick<Gestures, 'selection' | 'pointer'>>({
    selection: undefined,
    pointer: undefined,
  })
  const [handlers] = useState(() => handlersOf(state, show))
  useWheel(place, latest)
  useCancel(state, show)
  return { handlers, ...shown }
}

/** Pixels that a mark must be long. */
const LEAST_MARK = 3

type MarkedView = View & { readonly marking: Marking | undefined }

type Latest = () => MarkedView

type Show = (shown: Pick<Gestures, 'selection' | 'pointer'>) => void

/** The pointers that are down, and what they do. */
class GestureState {
  readonly latest: Latest
  drag: Drag | undefined
  readonly #fingers = new Map<number, Point>()
  /** Where they were when the last one came, and the camera then. */
  #pinch: { readonly camera: Camera; readonly from: ReadonlyMap<number, Point> } | undefined

  constructor(latest: Latest) {
    this.latest = latest
  }

  down(event: PointerEvent): void {
    const { frame, camera } = this.latest()
    if (frame === undefined || event.button !== 0) return
    const from = pointOf(event)
    this.#fingers.set(event.pointerId, from)
    this.#pinch = { camera: camera(), from: new Map(this.#fingers) }
    const axes = selectionFor(event, frame.isSquare)
    this.drag = { from, world: worldAt(frame, camera(), from), axes, pointer: event.pointerId }
  }

  /** The part that is being chosen, if one is. */
  move(event: PointerEvent): Selection | undefined {
    const { frame, camera, move } = this.latest()
    const at = pointOf(event)
    if (frame === undefined || !this.#fingers.has(event.pointerId)) return undefined
    this.#fingers.set(event.pointerId, at)
    const [from, to] = [this.#pinch?.from, this.#fingers].map(points => [...(points?.values() ?? [])])
    if (this.#pinch && isPair(from) && isPair(to)) move(pinched(frame, this.#pinch.camera, from, to))
    else if (this.drag?.axes) return this.selection(event)
    else if (this.drag && this.latest().marking) this.#mark(at, false)
    else if (this.drag) move(panned(frame, camera(), this.drag.world, at))
    return undefined
  }

  /** Draws the mark that ends at a pixel. A click draws none. */
  #mark(to: Point, isDone: boolean): void {
    const { frame, camera, marking } = this.latest()
    const { from } = this.drag ?? {}
    if (frame === undefined || marking === undefined || from === undefined) return
    if (Math.hypot(to.x - from.x, to.y - from.y) < LEAST_MARK) return
    const { x, y } = pixelAxes(frame, camera())
    const valuesAt = (pixel: Point) => ({ x: x.toValue(pixel.x), y: y.toValue(pixel.y) })
    marking.draw(valuesAt(from), valuesAt(marking.isStraightened ? straightened(from, to) : to), isDone)
  }

  /** Undefined: there is none, or its keys are no longer held. */
  selection(event: PointerEvent): Selection | undefined {
    const { frame } = this.latest()
    const { axes, from } = this.drag ?? {}
    if (frame === undefined || axes === undefined || from === undefined) return undefined
    if (selectionFor(event, frame.isSquare) !== axes) return undefined
    return selectedBox(frame, axes, from, pointOf(event))
  }

  up(event: PointerEvent): void {
    const { frame, camera, jump } = this.latest()
    const selection = this.selection(event)
    if (this.#fingers.size === 1 && this.drag?.axes === undefined) this.#mark(pointOf(event), true)
    this.cancel(event.pointerId)
    if (frame && selection?.isLarge) jump(zoomedTo(frame, camera(), selection.seen))
  }

  cancel(pointer: number): void {
    this.#fingers.delete(pointer)
    this.#pinch = undefined
    this.drag = undefined
  }
}

function isPair(points: readonly Point[] | undefined): points is [Point, Point] {
  return points?.length === 2
}

function pointOf({ nativeEvent }: PointerEvent): Point {
  return { x: nativeEvent.offsetX, y: nativeEvent.offsetY }
}

function handlersOf(state: GestureState, show: Show): Gestures['handlers'] {
  const nothing = { selection: undefined, pointer: undefined }
  const end = (event: PointerEvent) => {
    event.currentTarget.releasePointerCapture(event.pointerId)
  }
  return {
    onPointerDown: event => {
      event.currentTarget.setPointerCapture(event.pointerId)
      state.down(event)
      show(nothing)
    },
    onPointerMove: event => {
      const selection = state.move(event)
      show({ selection, pointer: event.buttons === 0 ? pointOf(event) : undefined })
    },
    onPointerUp: event => {
      state.up(event)
      end(event)
      show({ selection: undefined, pointer: pointOf(event) })
    },
    onPointerCancel: event => {
      state.cancel(event.pointerId)
      show(nothing)
    },
    // A finger leaves with the end of its touch: what it has touched stays told.
    onPointerLeave: ({ pointerType }) => {
      if (pointerType === 'mouse') show(nothing)
    },
  }
}

/** The page does not scroll with the wheel: React's own handlers could not say so. */
function useWheel(place: Place, latest: MutableRefObject<MarkedView>): void {
  useEffect(() => {
    const element = place.current
    const turn = (event: WheelEvent) => {
      event.preventDefault()
      const { frame, camera, move } = latest.current
      // With Shift a browser may take the wheel for one that goes to the side.
      const step = event.deltaY || event.deltaX
      if (frame === undefined || step === 0) return
      const pixel = { x: event.offsetX, y: event.offsetY }
      const { altKey, shiftKey } = event
      move(wheeled(frame, camera(), pixel, { altKey, shiftKey, isCloser: step < 0 }))
    }
    element?.addEventListener('wheel', turn, { passive: false })
    return () => element?.removeEventListener('wheel', turn)
  }, [place, latest])
}

/** Escape and the menu of the mouse give up a part. */
function useCancel(state: GestureState, show: Show): void {
  useEffect(() => {
    const cancel = (event: Event) => {
      const { drag } = state
      if (!drag?.axes) return
      event.preventDefault()
      state.cancel(drag.pointer)
      show({ selection: undefined, pointer: undefined })
    }
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Escape') cancel(event)
    }
    window.addEventListener('keydown', press)
    window.addEventListener('contextmenu', cancel)
    return () => {
      window.removeEventListener('keydown', press)
      window.removeEventListener('contextmenu', cancel)
    }
  }, [state, show])
}
