// The camera of a drawing, for a component: it follows the zoom of the address, and the address follows it.

import { type MutableRefObject, useEffect, useReducer, useRef, useState } from 'react'
import type { Sight, Zoom } from '../data/sight.ts'
import { type Camera, type Frame, seenDomains } from '../drawing/frame.ts'
import { CameraZoom } from './models/camera.ts'

export interface CameraProps {
  readonly zoom: Zoom | undefined
  /** Lines keep all of y when only x is zoomed. */
  readonly isLine: boolean
  readonly onSight: (sight: Sight) => void
  readonly onZoom: (zoom: Zoom | undefined) => void
}

/** Time without a movement after which the view is another one. */
const SETTLED_MS = 80

export interface View {
  /** Undefined: there is no place for the drawing yet. */
  readonly frame: Frame | undefined
  /** The latest one: several movements may come before the drawing follows. */
  readonly camera: () => Camera
  readonly move: (camera: Camera) => void
  /** Moves it to a place that was chosen: no other movement follows. */
  readonly jump: (camera: Camera) => void
}

export function useCamera(frame: Frame | undefined, props: CameraProps): View {
  const [state] = useState(() => new CameraZoom())
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const camera = frame ? state.follow(frame, props.zoom) : state.camera
  /** Whether the next sight waits for nothing, as the first one does. */
  const isChosen = useRef(true)
  useSeen(state, frame, camera, props, isChosen)
  const [movements] = useState(() => {
    const move = (next: Camera) => {
      state.move(next)
      redraw()
    }
    const jump = (next: Camera) => {
      isChosen.current = true
      move(next)
    }
    return { camera: () => state.camera, move, jump }
  })
  return { frame, ...movements }
}

/** Says what the camera sees, and changes the address when the user has moved it. */
function useSeen(
  state: CameraZoom,
  frame: Frame | undefined,
  camera: Camera,
  props: CameraProps,
  isChosen: MutableRefObject<boolean>,
): void {
  const sight = frame && { ...seenDomains(frame, camera), width: frame.width, height: frame.height }
  const latest = useRef({ props, sight })
  latest.current = { props, sight }
  const seen = JSON.stringify(sight)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is what the camera sees
  useEffect(() => {
    if (sight === undefined || ![...sight.x, ...sight.y].every(Number.isFinite)) return
    const settle = () => {
      const { props, sight } = latest.current
      if (sight) props.onSight(sight)
      const next = state.settled(props.isLine)
      if (next) props.onZoom(next.zoom)
    }
    if (isChosen.current) {
      isChosen.current = false
      settle()
      return
    }
    const timer = setTimeout(settle, SETTLED_MS)
    return () => clearTimeout(timer)
  }, [state, seen, props.isLine, isChosen])
}
