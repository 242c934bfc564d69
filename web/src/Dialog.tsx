// A dialog above the page. The Escape key and the button close it.

import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'

export interface DialogProps {
  readonly title: string
  readonly close: () => void
  readonly children: ReactNode
}

export interface DialogButtonsProps {
  readonly cancel: () => void
  /** The text of the button that submits the form. */
  readonly submit: string
  readonly isRunning: boolean
  readonly isDangerous?: boolean
}

/** The end of a form in a dialog. */
export function DialogButtons({ cancel, submit, isRunning, isDangerous = false }: DialogButtonsProps) {
  return (
    <div className="buttons">
      <button type="button" onClick={cancel}>
        Cancel
      </button>
      <button type="submit" className={isDangerous ? 'danger' : undefined} disabled={isRunning}>
        {submit}
      </button>
    </div>
  )
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
