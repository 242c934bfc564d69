// The place of the layers, as the pointer finds it: gestures, lines through the pointer, the text beside it, and the
// part that is being chosen.

import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { isOnDrawing, type Point, pixelAxes } from '../drawing/frame.ts'
import type { Box, Selection } from '../drawing/gestures.ts'
import type { Place } from '../drawing/scene.ts'
import type { View } from './use-camera.ts'
import { type Marking, useGestures } from './use-gestures.ts'

/** The text for the numbers of the axes at the pointer; nothing: there is none. */
export type TipAt = (x: number, y: number) => ReactNode

export type Guides = 'both' | 'vertical'

interface PlotPointerProps {
  readonly view: View
  readonly place: Place
  readonly guides: Guides | undefined
  readonly tipAt: TipAt | undefined
  readonly marking: Marking | undefined
}

export function PlotPointer({ view, place, guides, tipAt, marking }: PlotPointerProps) {
  const surface = useRef<HTMLDivElement>(null)
  const { handlers, selection, pointer } = useGestures(surface, view, marking)
  const isOn = view.frame && pointer && isOnDrawing(view.frame, view.camera(), pointer)
  return (
    <div ref={surface} className="plot-surface" data-marking={marking && true} style={place} {...handlers}>
      {view.frame && pointer && isOn ? (
        <>
          {guides ? <span className="plot-guide" style={{ left: pointer.x, top: 0, bottom: 0 }} /> : null}
          {guides === 'both' ? (
            <span className="plot-guide" style={{ top: pointer.y, left: 0, right: 0 }} />
          ) : null}
          {tipAt ? <PlotTip {...{ view, place, pointer, tipAt }} /> : null}
        </>
      ) : null}
      {selection ? <SelectedPart {...selection} /> : null}
    </div>
  )
}

/** Pixels between the pointer and its text. */
const TIP_DISTANCE = 10

interface PlotTipProps {
  readonly view: View
  readonly place: Place
  readonly pointer: Point
  readonly tipAt: TipAt
}

function PlotTip({ view: { frame, camera }, place, pointer, tipAt }: PlotTipProps) {
  const box = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const { offsetWidth: width = 0, offsetHeight: height = 0 } = box.current ?? {}
    setSize(before => (before.width === width && before.height === height ? before : { width, height }))
  })
  if (frame === undefined) return null
  const { x, y } = pixelAxes(frame, camera())
  const text = tipAt(x.toValue(pointer.x), y.toValue(pointer.y))
  if (!text) return null
  // On the other side of the pointer where there is no room.
  const at = (pixel: number, length: number, most: number) =>
    pixel + TIP_DISTANCE + length > most ? Math.max(0, pixel - TIP_DISTANCE - length) : pixel + TIP_DISTANCE
  const style = {
    left: at(pointer.x, size.width, place.width),
    top: at(pointer.y, size.height, place.height),
  }
  return (
    <div ref={box} className="plot-tip" style={style}>
      {text}
    </div>
  )
}

/** What is chosen, and around it what will be seen. */
function SelectedPart({ drawn, seen, isLarge }: Selection) {
  return (
    <>
      <span className="plot-selection" data-large={isLarge} style={styleOf(drawn)} />
      {seen === drawn ? null : <span className="plot-selection" data-around style={styleOf(seen)} />}
    </>
  )
}

function styleOf({ left, top, right, bottom }: Box) {
  return { left, top, width: right - left, height: bottom - top }
}
