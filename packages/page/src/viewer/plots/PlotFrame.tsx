// The parts around a drawing: its tools, the dimensions, and what is drawn.

import {
  type ExportEntry,
  ExportMenu,
  type InteractionInfo,
  Separator,
  SnapshotBtn,
  Toolbar,
} from '@h5web/lib'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { messageOf } from '../../common/errors.ts'
import { mayPass } from '../../common/retry.ts'
import type { Area } from '../data/sight.ts'

const INTERACTIONS: readonly InteractionInfo[] = [
  { shortcut: 'Drag', description: 'Pan' },
  { shortcut: 'Wheel', description: 'Zoom' },
  { shortcut: 'Ctrl+Drag', description: 'Zoom to a part' },
  { shortcut: 'Alt+Wheel', description: 'Zoom in x' },
  { shortcut: 'Shift+Wheel', description: 'Zoom in y' },
  { shortcut: 'Ctrl+Alt+Drag', description: 'Zoom to a part of x' },
  { shortcut: 'Ctrl+Shift+Drag', description: 'Zoom to a part of y' },
]

export interface PlotFrameProps {
  readonly tools: readonly ReactNode[]
  readonly exports: readonly ExportEntry[]
  readonly isSlice: boolean
  readonly hasCanvas?: boolean
  readonly dimensions: ReactNode
  readonly follow?: ReactNode
  /** What is drawn, in a sentence. */
  readonly note: ReactNode
  /** One that may pass is shown above, with the button that tries again. */
  readonly error: unknown
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
  error,
  onArea,
  children,
}: PlotFrameProps) {
  const area = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (area.current) onArea?.(area.current.getBoundingClientRect())
  }, [onArea])
  return (
    <div className="plot-frame">
      <div className="plot-tools">
        <Toolbar {...(hasCanvas && { interactions: [...INTERACTIONS] })}>
          {tools.filter(Boolean)}
          {tools.some(Boolean) ? <Separator /> : null}
          {hasCanvas ? <SnapshotBtn /> : null}
          {exports.length > 0 ? <ExportMenu entries={[...exports]} isSlice={isSlice} /> : null}
        </Toolbar>
      </div>
      <div className="slice-row">
        {follow}
        {dimensions}
      </div>
      {error === undefined || mayPass(error) ? null : (
        <p role="alert" className="error">
          {messageOf(error)}
        </p>
      )}
      <div className="plot-area" ref={area}>
        {children}
      </div>
      {/* Its place is kept until there is one: a canvas of another size would read everything anew. */}
      {note === undefined && !hasCanvas ? null : (
        <p className="plot-note" role="status">
          {note}
        </p>
      )}
    </div>
  )
}
