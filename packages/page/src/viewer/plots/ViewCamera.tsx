// The camera of a canvas: it follows the zoom of the address, and the address follows it.

import { useCameraState, useVisCanvasContext } from '@h5web/lib'
import { useThree } from '@react-three/fiber'
import { useEffect, useRef, useState } from 'react'
import type { Sight, Zoom } from '../data/sight.ts'
import { CameraZoom, cameraPlace, type Seen, seenZoom } from './models/camera.ts'

export interface ViewCameraProps {
  readonly zoom: Zoom | undefined
  /** Lines keep all of y when only x is zoomed. */
  readonly isLine: boolean
  readonly onSight: (sight: Sight) => void
  readonly onZoom: (zoom: Zoom | undefined) => void
}

/** Time without a movement after which the view is another one. */
const SETTLED_MS = 80

export function ViewCamera(props: ViewCameraProps) {
  const [state] = useState(() => new CameraZoom())
  useGivenZoom(state, props.zoom)
  useSeenZoom(state, props)
  return null
}

/** Moves the camera to the zoom of the address. */
function useGivenZoom(state: CameraZoom, zoom: Zoom | undefined): void {
  const { canvasSize, visSize, visRatio, abscissaScale, ordinateScale } = useVisCanvasContext()
  const { width, height } = canvasSize
  const camera = useThree(state => state.camera)
  const advance = useThree(state => state.advance)
  const given = JSON.stringify(zoom ?? null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is the zoom
  useEffect(() => {
    if (!state.mustMove(given, [abscissaScale, ordinateScale, width, height])) return
    const move = () => {
      const canvas = { abscissaScale, ordinateScale, width, height, visSize, visRatio }
      const { position, scale } = cameraPlace(zoom, canvas)
      camera.scale.set(scale.x, scale.y, 1)
      camera.position.x = position.x
      camera.position.y = position.y
      camera.updateMatrixWorld()
      state.moved(given, camera)
      // A frame at once: the canvas remembers the middle of the last one, and goes back there when it is drawn anew.
      advance(performance.now())
    }
    // After the canvas has put the camera to the former middle, as it does for other axes.
    const timer = setTimeout(move)
    return () => clearTimeout(timer)
  }, [given, camera, advance, abscissaScale, ordinateScale, width, height])
}

/** Says what the camera sees, and changes the address when the user has moved it. */
function useSeenZoom(state: CameraZoom, { zoom, isLine, onSight, onZoom }: ViewCameraProps): void {
  const { getVisibleDomains, canvasSize, visSize } = useVisCanvasContext()
  const { width, height } = canvasSize
  const camera = useThree(state => state.camera)
  const given = JSON.stringify(zoom ?? null)
  const text = useCameraState(
    camera => {
      const { xVisibleDomain, yVisibleDomain } = getVisibleDomains(camera)
      return JSON.stringify([xVisibleDomain, yVisibleDomain, camera.scale.x < 1, camera.scale.y < 1])
    },
    [getVisibleDomains],
  )
  const isFirst = useRef(true)
  const latest = useRef({ onSight, onZoom, given })
  latest.current = { onSight, onZoom, given }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the size of the drawing is another sight
  useEffect(() => {
    // The text is what the camera sees.
    const seen = JSON.parse(text) as Seen
    const [x, y] = seen
    if (![...x, ...y].every(Number.isFinite)) return
    const settle = () => {
      const { onSight, onZoom, given } = latest.current
      if (!state.isAt(given)) return
      onSight({ x, y, width, height })
      const next = state.settled(camera, seenZoom(seen, isLine))
      if (next) onZoom(next.zoom)
    }
    // The first sight waits for nothing; the camera is where the address says in the next frame.
    if (isFirst.current) {
      isFirst.current = false
      if (given === 'null') {
        latest.current.onSight({ x, y, width, height })
        return
      }
    }
    const timer = setTimeout(settle, SETTLED_MS)
    return () => clearTimeout(timer)
  }, [text, given, width, height, visSize.width, visSize.height, isLine])
}
