// The canvas of a drawing with its axes, from @h5web/lib. Its camera follows the zoom of the address, and the address
// follows the camera.

import { type Aspect, type AxisConfig, DefaultInteractions, ResetZoomButton, VisCanvas } from '@h5web/lib'
import { type ReactNode, useLayoutEffect, useMemo, useSyncExternalStore } from 'react'
import type { Span } from '../view-address.ts'
import { axisFormat, spacedFormat } from './models/ticks.ts'
import { ViewCamera, type ViewCameraProps } from './ViewCamera.tsx'

export interface PlotCanvasProps extends ViewCameraProps {
  readonly title: string
  readonly aspect: Aspect
  readonly x: AxisConfig
  readonly y: AxisConfig
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
