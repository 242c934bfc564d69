// A dialog above the page: beside what it concerns, or in the middle. The Escape key and the button close it.

import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { Icon } from './Icon.tsx'
import { keepNear } from './near.ts'

export interface DialogProps {
  readonly title: string
  /** The button that opened it, or the row that it is about: the dialog is beside it where the window is wide. */
  readonly near?: Element | undefined
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
export function Dialog({ title, near, close, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  // Closed before it leaves the page, so that the focus goes back to where it was.
  useLayoutEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    const leave = dialog && near?.isConnected ? keepNear(dialog, near) : undefined
    return () => {
      leave?.()
      dialog?.close()
    }
  }, [near])
  return (
    <dialog
      ref={element}
      className={near === undefined ? undefined : 'near'}
      aria-labelledby={id}
      onCancel={event => {
        event.preventDefault()
        close()
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
      <button type="button" className="close quiet" aria-label="Close" onClick={close}>
        <Icon name="close" />
      </button>
    </dialog>
  )
}
