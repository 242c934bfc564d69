// The canvas of a drawing with its axes. Its camera follows the zoom of the address, and the address follows the
// camera. It is painted at most once in a frame of the screen, and the whole picture is on it.

import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { describeScene } from '../drawing/describe.ts'
import { type Camera, frameOf, type Size, WHOLE } from '../drawing/frame.ts'
import { paintScene } from '../drawing/paint.ts'
import { type Layer, type Look, placeOfLayers, type Scene, type SceneAxis } from '../drawing/scene.ts'
import { canvasOf } from './figure/canvas-image.ts'
import { useFigureDrawing } from './figure/figure.ts'
import { type Guides, PlotPointer, type TipAt } from './PlotPointer.tsx'
import { AxisButtons, type AxisMenuProps, namedAxes } from './tools/AxisButtons.tsx'
import { type CameraProps, useCamera } from './use-camera.ts'
import type { Marking } from './use-gestures.ts'

export interface PlotCanvasProps extends CameraProps {
  readonly title: string
  readonly aspect: 'equal' | 'auto'
  readonly x: SceneAxis
  readonly y: SceneAxis
  /** They stay the same as long as nothing in them changes. */
  readonly layers: readonly Layer[]
  /** What is said of the numbers to people who do not see them. */
  readonly values: string
  /** Lines through the pointer; undefined: none. */
  readonly guides?: Guides
  readonly tipAt?: TipAt
  /** Absent: nothing is chosen on the axes. */
  readonly mapping?: AxisMenuProps | undefined
  /** Absent: a drag moves the drawing. */
  readonly marking?: Marking | undefined
}

export function PlotCanvas({ title, aspect, layers, values, ...props }: PlotCanvasProps) {
  const { x, y, guides, tipAt, marking, mapping } = props
  const id = useId()
  const figure = useRef<HTMLElement>(null)
  const size = useSize(figure)
  const isSquare = aspect === 'equal'
  // The title is above the tools; a figure has its own.
  const scene = { title: '', ...namedAxes({ x, y }, mapping?.menus), layers }
  const place = size && placeOfLayers(size, scene)
  const frame = useFrame(place, scene, isSquare)
  const view = useCamera(frame, props)
  const camera = view.camera()
  const canvas = usePainted({ scene, size, camera, isSquare })
  useFigureDrawing({ scene: { title, x, y, layers }, size, camera, isSquare })
  return (
    <figure ref={figure} className="plot" aria-label={title} aria-describedby={id} data-keep-canvas-colors>
      <canvas ref={canvas} aria-hidden />
      {place && frame ? (
        <>
          {mapping ? <AxisButtons {...mapping} scene={scene} place={place} /> : null}
          <PlotPointer {...{ view, place, guides, tipAt, marking }} />
          {camera.scale.x < 1 || camera.scale.y < 1 ? (
            <button
              type="button"
              className="reset-zoom"
              style={{ left: place.left + place.width, top: place.top + place.height }}
              onClick={() => view.jump(WHOLE)}
            >
              Reset zoom
            </button>
          ) : null}
          <figcaption id={id} className="hidden">
            {describeScene(scene, frame, camera, values)}
          </figcaption>
        </>
      ) : null}
    </figure>
  )
}

/** The same frame as long as the size of the place and the ends of the axes are the same. */
function useFrame(place: Size | undefined, { x, y }: Pick<Scene, 'x' | 'y'>, isSquare: boolean) {
  const ends = [x, y].map(({ domain, scale, isFlipped }) => [...domain, scale, isFlipped])
  const text = JSON.stringify([place?.width, place?.height, ends, isSquare])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is all that the frame is made of
  return useMemo(() => place && frameOf(place, x, y, isSquare), [text])
}

/** The size of an element; undefined: it is not known yet, or there is none. */
function useSize(element: { readonly current: Element | null }): Size | undefined {
  const [size, setSize] = useState<Size>()
  useLayoutEffect(() => {
    const found = element.current
    if (found === null) return
    const measure = () => {
      const { width, height } = found.getBoundingClientRect()
      setSize(before => (before?.width === width && before.height === height ? before : { width, height }))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(found)
    return () => observer.disconnect()
  }, [element])
  return size && size.width > 0 && size.height > 0 ? size : undefined
}

interface Painted {
  readonly scene: Scene
  readonly size: Size | undefined
  readonly camera: Camera
  readonly isSquare: boolean
}

/** A canvas that has the scene in the next frame of the screen. */
function usePainted({ scene, size, camera, isSquare }: Painted) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const latest = useRef({ scene, size, camera, isSquare })
  latest.current = { scene, size, camera, isSquare }
  const [painter] = useState(() => new Painter(() => canvas.current && paint(canvas.current, latest.current)))
  const { title, x, y, layers } = scene
  const text = JSON.stringify([title, x, y])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another of them is another picture
  useLayoutEffect(
    () => painter.request(),
    [painter, text, x.format, y.format, layers, size, camera, isSquare],
  )
  useEffect(() => painter.watch(), [painter])
  return canvas
}

function paint(canvas: HTMLCanvasElement, { scene, size, camera, isSquare }: Painted): void {
  const surface = canvas.getContext('2d')
  if (surface === null || size === undefined) return
  const ratio = Math.min(3, window.devicePixelRatio)
  const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)]
  // Another size clears the canvas, and takes its time.
  if (canvas.width !== width) canvas.width = width
  if (canvas.height !== height) canvas.height = height
  // As large as its pixels: a part of one would blur the texts.
  canvas.style.width = `${width / ratio}px`
  canvas.style.height = `${height / ratio}px`
  surface.setTransform(ratio, 0, 0, ratio, 0, 0)
  paintScene(surface, scene, { size, camera, isSquare, look: lookOf(canvas, ratio), imageOf: canvasOf })
}

/** The colours and letters that CSS gives to the canvas. */
function lookOf(canvas: HTMLCanvasElement, ratio: number): Look {
  const style = getComputedStyle(canvas)
  return { text: style.color, muted: style.borderTopColor, family: style.fontFamily, ratio }
}

/** Paints at most once in a frame of the screen. */
class Painter {
  readonly #paint: () => void
  #frame: number | undefined

  constructor(paint: () => void) {
    this.#paint = paint
  }

  readonly request = (): void => {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined
      this.#paint()
    })
  }

  /** Paints again in other colours, until it is called back. */
  watch(): () => void {
    const dark = matchMedia('(prefers-color-scheme: dark)')
    dark.addEventListener('change', this.request)
    return () => {
      dark.removeEventListener('change', this.request)
      if (this.#frame !== undefined) cancelAnimationFrame(this.#frame)
      this.#frame = undefined
    }
  }
}
