// A button for an action that cannot be undone: it asks beside itself first.

import { useState } from 'react'
import { Alert } from '../common/Alert.tsx'
import { Dialog, DialogButtons } from '../common/Dialog.tsx'
import { useAction } from '../common/use-action.ts'

export interface ConfirmButtonProps {
  readonly text: string
  /** The name of the button, where others have the same text. */
  readonly label: string
  /** A sentence that says what the action does. */
  readonly consequence: string
  readonly act: () => Promise<void>
}

export function ConfirmButton({ text, label, consequence, act }: ConfirmButtonProps) {
  const [near, setNear] = useState<Element>()
  const [{ isRunning, error }, run] = useAction()
  const close = () => setNear(undefined)
  return (
    <>
      <button type="button" aria-label={label} onClick={({ currentTarget }) => setNear(currentTarget)}>
        {text}
      </button>
      {near === undefined ? null : (
        <Dialog title={`${label}?`} near={near} close={close}>
          <form
            onSubmit={event => {
              event.preventDefault()
              void run(async () => {
                await act()
                close()
              })
            }}
          >
            <p>{consequence}</p>
            <Alert message={error} />
            <DialogButtons cancel={close} submit={text} isRunning={isRunning} isDangerous />
          </form>
        </Dialog>
      )}
    </>
  )
}
