// A dialog above the page. The Escape key and the button close it.

import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'

export interface DialogProps {
  readonly title: string
  readonly close: () => void
  readonly children: ReactNode
}

/** It is open as long as it is drawn. */
export function Dialog({ title, close, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  // Closed before it leaves the page, so that the focus goes back to where it was.
  useLayoutEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      onCancel={event => {
        event.preventDefault()
        close()
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
      <button type="button" className="close" aria-label="Close" onClick={close}>
        ✕
      </button>
    </dialog>
  )
}
