// A button that opens a part with controls beside it. The Escape key and a click elsewhere close it.

import type { ReactNode } from 'react'
import { type Opened, useOpener, usePopover } from './use-popover.ts'

export interface PopupProps {
  /** The name of the part, and of the button where its contents do not say it. */
  readonly label: string
  readonly className?: string
  /** The contents of the button. */
  readonly face: ReactNode
  readonly title?: string
  readonly children: ReactNode
}

export function Popup({ label, className, face, title, children }: PopupProps) {
  const { opener, opened } = useOpener('dialog')
  return (
    <>
      <button {...opener} className={className} title={title} aria-label={label}>
        {face}
      </button>
      {opened ? (
        <OpenPopup {...opened} label={label}>
          {children}
        </OpenPopup>
      ) : null}
    </>
  )
}

type OpenPopupProps = Opened & Pick<PopupProps, 'label' | 'children'>

function OpenPopup({ id, label, anchor, close, children }: OpenPopupProps) {
  const part = usePopover(anchor, ':is(input:checked, input:not([type=radio]), select, button)', close)
  return (
    <div ref={part} id={id} className="popup" role="dialog" aria-label={label} tabIndex={-1}>
      {children}
    </div>
  )
}
