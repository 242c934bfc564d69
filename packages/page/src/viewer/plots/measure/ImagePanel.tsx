// What was measured of an image: a profile or a box.

import { BoxPanel } from './BoxPanel.tsx'
import { PendingPanel } from './MeasurePanel.tsx'
import { type ImagePanelProps, type MeasuredImage, ProfilePanel } from './ProfilePanel.tsx'
import type { MarkState } from './use-mark.ts'

interface MarkedImageProps extends Pick<ImagePanelProps, 'change'>, Pick<MarkState, 'mark'> {
  /** Undefined: the axes are not known yet. */
  readonly measured: MeasuredImage | undefined
}

export function ImagePanel({ mark, change, measured }: MarkedImageProps) {
  if (mark === undefined || mark.kind === 'interval') return null
  if (measured === undefined) return <PendingPanel mark={mark} change={change} />
  const Panel = mark.kind === 'profile' ? ProfilePanel : BoxPanel
  return <Panel {...{ mark, change }} {...measured} />
}
