// The parts around a drawing: one bar of its tools and dimensions, and what is drawn.

import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { messageOf } from '../../common/errors.ts'
import { mayPass } from '../../common/retry.ts'
import type { ExportEntry } from '../data/exports.ts'
import type { Area } from '../data/sight.ts'
import type { Reading } from '../data/use-reading.ts'
import { type Figure, FigureContext } from './figure/figure.ts'
import { FrameTools } from './tools/FrameTools.tsx'
import { ReadingButton } from './tools/ReadingButton.tsx'

export interface PlotFrameProps {
  readonly tools: ReactNode
  readonly exports: readonly ExportEntry[]
  readonly isSlice: boolean
  readonly hasCanvas?: boolean
  readonly dimensions: ReactNode
  readonly follow?: ReactNode
  /** What is drawn, in a sentence. */
  readonly note: ReactNode
  /** While what is drawn comes in parts. */
  readonly reading?: Reading | undefined
  /** One that may pass is shown above, with the button that tries again. */
  readonly error: unknown
  /** What was measured, below the drawing or beside it. */
  readonly measured?: ReactNode
  /** Called once with the size of the place for the drawing. */
  readonly onArea?: (area: Area) => void
  readonly children: ReactNode
}

export function PlotFrame({
  tools,
  exports,
  isSlice,
  hasCanvas = true,
  dimensions,
  follow,
  note,
  reading,
  error,
  measured,
  onArea,
  children,
}: PlotFrameProps) {
  const frame = useRef<HTMLDivElement>(null)
  const area = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (area.current) onArea?.(area.current.getBoundingClientRect())
  }, [onArea])
  const [figure] = useState<Figure>(() => ({ drawing: undefined, second: undefined, bar: undefined }))
  return (
    <FigureContext.Provider value={figure}>
      <div className="plot-frame" ref={frame}>
        <section className="plot-bar" aria-label="Tools">
          {dimensions}
          {follow}
          {tools}
          <FrameTools {...{ frame, exports, isSlice, hasCanvas }} />
        </section>
        {error === undefined || mayPass(error) ? null : (
          <p role="alert" className="error">
            {messageOf(error)}
          </p>
        )}
        <div className="plot-parts">
          <div className="plot-area" ref={area}>
            {children}
          </div>
          {measured}
        </div>
        {/* Its place is kept until there is one: a canvas of another size would read everything anew. */}
        {note === undefined && !hasCanvas ? null : (
          <p className="plot-note" role="status">
            {note}
            <ReadingButton reading={reading} />
          </p>
        )}
      </div>
    </FigureContext.Provider>
  )
}
