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
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import type { Sight, Zoom } from '../data/sight.ts'
import type { Span } from '../view-address.ts'
import { axisFormat, spacedFormat } from './models/ticks.ts'

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
  const formatX = useMemo(() => x.formatTick && spacedFormat(x.formatTick), [x.formatTick])
  const abscissa = useAxisConfig({ ...x, ...(formatX && { formatTick: formatX }) }, zoom?.x)
  const ordinate = useAxisConfig(y, zoom?.y)
  const content = useMemo(() => new Content(), [])
  useLayoutEffect(() =>
    content.set(
      <>
        <ViewCamera zoom={zoom} isLine={isLine} onSight={onSight} onZoom={onZoom} />
        {children}
      </>,
    ),
  )
  // With each new element the canvas goes back to where it was in the last frame, and draws one more frame.
  const canvas = useMemo(
    () => (
      <VisCanvas title={title} aspect={aspect} abscissaConfig={abscissa} ordinateConfig={ordinate}>
        <DefaultInteractions />
        <ResetZoomButton />
        <ContentOf content={content} />
      </VisCanvas>
    ),
    [title, aspect, abscissa, ordinate, content],
  )
  return (
    <figure className="plot" aria-label={title} data-keep-canvas-colors>
      {canvas}
    </figure>
  )
}

/** The same configuration as long as nothing in it changes. */
function useAxisConfig(config: AxisConfig, zoomed: Span | undefined): AxisConfig {
  const { visDomain, formatTick, scaleType, ...others } = config
  const [from, to] = visDomain
  // The canvas has another scale for each other array.
  const domain: [number, number] = useMemo(() => [from, to], [from, to])
  const [seenFrom, seenTo] = zoomed ?? visDomain
  const format = useMemo(
    () => formatTick ?? axisFormat([seenFrom, seenTo], scaleType),
    [formatTick, seenFrom, seenTo, scaleType],
  )
  const { showGrid, isIndexAxis, label, flip } = others
  // biome-ignore lint/correctness/useExhaustiveDependencies: the parts of the others: they are a new object each time
  return useMemo(
    () => ({ ...others, visDomain: domain, formatTick: format, ...(scaleType && { scaleType }) }),
    [domain, format, scaleType, showGrid, isIndexAxis, label, flip],
  )
}

/** The drawing on a canvas, which stays the same while this changes. */
class Content {
  node: ReactNode
  readonly #watchers = new Set<() => void>()

  set(node: ReactNode): void {
    this.node = node
    for (const watcher of this.#watchers) watcher()
  }

  readonly watch = (watcher: () => void) => {
    this.#watchers.add(watcher)
    return () => {
      this.#watchers.delete(watcher)
    }
  }
}

function ContentOf({ content }: { readonly content: Content }) {
  return useSyncExternalStore(content.watch, () => content.node)
}

/** Time without a movement after which the view is another one. */
const SETTLED_MS = 80

type ViewCameraProps = Pick<PlotCanvasProps, 'zoom' | 'isLine' | 'onSight' | 'onZoom'>

function ViewCamera({ zoom, isLine, onSight, onZoom }: ViewCameraProps) {
  const { getVisibleDomains, canvasSize, visSize, visRatio, abscissaScale, ordinateScale } =
    useVisCanvasContext()
  const camera = useThree(state => state.camera)
  const advance = useThree(state => state.advance)
  /** The zoom that the camera has, as the address has it. */
  const own = useRef('null')
  /** The place that the address gave to the camera: as long as the user leaves it there, the address stays. */
  const placed = useRef('')
  const { width, height } = canvasSize
  const given = JSON.stringify(zoom ?? null)
  /** The axes for which the camera has its place. */
  const known = useRef<readonly unknown[]>([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is the zoom
  useEffect(() => {
    const axes = [abscissaScale, ordinateScale, width, height]
    const isPlaced = given === own.current && (!zoom || axes.every((part, i) => part === known.current[i]))
    known.current = axes
    if (isPlaced) return
    const place = (span: Span | undefined, scale: (value: number) => number, most: number) => {
      const [from, to] = span ? span.map(scale) : [-most / 2, most / 2]
      if (from === undefined || to === undefined || !Number.isFinite(from) || !Number.isFinite(to))
        return [0, 1] as const
      return [(from + to) / 2, Math.min(1, Math.abs(to - from) / most)] as const
    }
    /** The canvas goes no further than the drawing. */
    const within = (center: number, length: number, most: number) => {
      const room = Math.max(0, most - length) / 2
      return Math.min(room, Math.max(-room, center))
    }
    const move = () => {
      own.current = given
      const [centerX, lengthX] = place(zoom?.x, abscissaScale, width)
      const [centerY, lengthY] = place(zoom?.y, ordinateScale, height)
      // Points that are squares stay squares on a canvas of another shape than that of the zoom.
      const both = Math.max(lengthX, lengthY)
      const [scaleX, scaleY] = visRatio === undefined ? [lengthX, lengthY] : [both, both]
      camera.scale.set(scaleX, scaleY, 1)
      camera.position.x = within(centerX, width * scaleX, visSize.width)
      camera.position.y = within(centerY, height * scaleY, visSize.height)
      camera.updateMatrixWorld()
      placed.current = placeOf(camera)
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
      if (placeOf(camera) === placed.current) return
      const isZoomed = isZoomedX || isZoomedY
      const next: Zoom | undefined = isZoomed
        ? { x: shortened(x), ...((!isLine || isZoomedY) && { y: shortened(y) }) }
        : undefined
      const text = JSON.stringify(next ?? null)
      if (text === own.current) return
      own.current = text
      placed.current = ''
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
  }, [state, given, width, height, visSize.width, visSize.height, isLine])
  return null
}

/** The place of the camera: without the last digits, which differ when the canvas computes the same place again. */
function placeOf({ position, scale }: { readonly position: Point; readonly scale: Point }): string {
  const parts = [position.x.toFixed(3), position.y.toFixed(3), scale.x.toPrecision(9), scale.y.toPrecision(9)]
  return parts.join(' ')
}

interface Point {
  readonly x: number
  readonly y: number
}

/** The ends with as many digits as a screen shows. */
function shortened([from, to]: Span): Span {
  const step = 10 ** (Math.floor(Math.log10(Math.abs(to - from))) - 4)
  const round = (value: number) => Number((Math.round(value / step) * step).toPrecision(12))
  return [round(from), round(to)]
}
