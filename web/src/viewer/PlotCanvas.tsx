// The canvas of a drawing with its axes, from @h5web/lib. Its camera follows the zoom of the address, and the address
// follows the camera.

import {
  type Aspect,
  type AxisConfig,
  DefaultInteractions,
  ResetZoomButton,
  useCameraState,
  useVisCanvasContext,
  VisCanvas,
} from '@h5web/lib'
import { useThree } from '@react-three/fiber'
import { type ReactNode, useEffect, useRef } from 'react'
import type { Span } from './view-address.ts'

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

export interface PlotCanvasProps {
  readonly title: string
  readonly aspect: Aspect
  readonly x: AxisConfig
  readonly y: AxisConfig
  readonly zoom: Zoom | undefined
  /** Lines keep all of y when only x is zoomed. */
  readonly isLine: boolean
  readonly onSight: (sight: Sight) => void
  readonly onZoom: (zoom: Zoom | undefined) => void
  readonly children: ReactNode
}

export function PlotCanvas({
  title,
  aspect,
  x,
  y,
  zoom,
  isLine,
  onSight,
  onZoom,
  children,
}: PlotCanvasProps) {
  return (
    <figure className="plot" aria-label={title} data-keep-canvas-colors>
      <VisCanvas title={title} aspect={aspect} abscissaConfig={x} ordinateConfig={y}>
        <DefaultInteractions />
        <ResetZoomButton />
        <ViewCamera zoom={zoom} isLine={isLine} onSight={onSight} onZoom={onZoom} />
        {children}
      </VisCanvas>
    </figure>
  )
}

/** Time without a movement after which the view is another one. */
const SETTLED_MS = 80

type ViewCameraProps = Pick<PlotCanvasProps, 'zoom' | 'isLine' | 'onSight' | 'onZoom'>

function ViewCamera({ zoom, isLine, onSight, onZoom }: ViewCameraProps) {
  const { getVisibleDomains, canvasSize, visSize, abscissaScale, ordinateScale } = useVisCanvasContext()
  const camera = useThree(state => state.camera)
  const advance = useThree(state => state.advance)
  /** The zoom that the camera has, as the address has it. */
  const own = useRef('null')
  const { width, height } = canvasSize
  const given = JSON.stringify(zoom ?? null)
  /** The axes for which the camera has its place. */
  const placed = useRef<readonly unknown[]>([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is the zoom
  useEffect(() => {
    const axes = [abscissaScale, ordinateScale, width, height]
    const isPlaced = given === own.current && (!zoom || axes.every((part, i) => part === placed.current[i]))
    placed.current = axes
    if (isPlaced) return
    const place = (span: Span | undefined, scale: (value: number) => number, most: number) => {
      const [from, to] = span ? span.map(scale) : [-most / 2, most / 2]
      if (from === undefined || to === undefined || !Number.isFinite(from) || !Number.isFinite(to))
        return [0, 1] as const
      return [(from + to) / 2, Math.min(1, Math.abs(to - from) / most)] as const
    }
    const move = () => {
      own.current = given
      const [centerX, scaleX] = place(zoom?.x, abscissaScale, width)
      const [centerY, scaleY] = place(zoom?.y, ordinateScale, height)
      camera.scale.set(scaleX, scaleY, 1)
      camera.position.set(scaleX < 1 ? centerX : 0, scaleY < 1 ? centerY : 0, camera.position.z)
      camera.updateMatrixWorld()
      // A frame at once: the canvas remembers the middle of the last one, and goes back there when it is drawn anew.
      advance(performance.now())
    }
    // After the canvas has put the camera to the former middle, as it does for other axes.
    const timer = setTimeout(move)
    return () => clearTimeout(timer)
  }, [given, camera, advance, abscissaScale, ordinateScale, width, height])

  const state = useCameraState(
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
    const [x, y, isZoomedX, isZoomedY] = JSON.parse(state) as [Span, Span, boolean, boolean]
    if (![...x, ...y].every(Number.isFinite)) return
    const settle = () => {
      const { onSight, onZoom, given } = latest.current
      // The camera is not yet where the address says.
      if (given !== own.current) return
      onSight({ x, y, width, height })
      const isZoomed = isZoomedX || isZoomedY
      const next: Zoom | undefined = isZoomed
        ? { x: shortened(x), ...((!isLine || isZoomedY) && { y: shortened(y) }) }
        : undefined
      const text = JSON.stringify(next ?? null)
      if (text === own.current) return
      own.current = text
      onZoom(next)
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
  }, [state, width, height, visSize.width, visSize.height, isLine])
  return null
}

/** The ends with as many digits as a screen shows. */
function shortened([from, to]: Span): Span {
  const step = 10 ** (Math.floor(Math.log10(Math.abs(to - from))) - 4)
  const round = (value: number) => Number((Math.round(value / step) * step).toPrecision(12))
  return [round(from), round(to)]
}
