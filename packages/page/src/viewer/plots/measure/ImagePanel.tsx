// What was measured of an image: a profile or a box.

import { BoxPanel } from './BoxPanel.tsx'
import { type ImagePanelProps, ProfilePanel } from './ProfilePanel.tsx'
import type { MarkState } from './use-mark.ts'

export function ImagePanel({ mark, ...props }: Omit<ImagePanelProps, 'mark'> & Pick<MarkState, 'mark'>) {
  if (mark?.kind === 'profile') return <ProfilePanel mark={mark} {...props} />
  return mark?.kind === 'box' ? <BoxPanel mark={mark} {...props} /> : null
}
