// A button that opens a part with controls beside it. The Escape key and a click elsewhere close it.

import { type ReactNode, useId, useRef, useState } from 'react'
import { usePopover } from './use-popover.ts'

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
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        title={title}
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(true)}
      >
        {face}
      </button>
      {isOpen && button.current ? (
        <OpenPopup id={id} label={label} anchor={button.current} close={() => setOpen(false)}>
          {children}
        </OpenPopup>
      ) : null}
    </>
  )
}

interface OpenPopupProps extends Pick<PopupProps, 'label' | 'children'> {
  readonly id: string
  readonly anchor: Element
  readonly close: () => void
}

function OpenPopup({ id, label, anchor, close, children }: OpenPopupProps) {
  const part = usePopover(anchor, ':is(input:checked, input:not([type=radio]), select, button)', close)
  return (
    <div ref={part} id={id} className="popup" role="dialog" aria-label={label} tabIndex={-1}>
      {children}
    </div>
  )
}
