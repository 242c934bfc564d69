// The dialog that creates a folder.

import { Alert } from '../common/Alert.tsx'
import { Dialog, DialogButtons } from '../common/Dialog.tsx'
import { useAction } from '../common/use-action.ts'
import type { Session } from '../shell/session.ts'

export interface NewFolderProps {
  readonly session: Session
  /** Of the folder that gets it; ends with a slash. */
  readonly parent: string
  readonly near: Element
  readonly close: () => void
  readonly onDone: () => void
}

export function NewFolder({ session: { client }, parent, near, close, onDone }: NewFolderProps) {
  const [{ isRunning, error }, run] = useAction()
  return (
    <Dialog title={`New folder in ${parent}`} near={near} close={close}>
      <form
        onSubmit={event => {
          event.preventDefault()
          const name = String(new FormData(event.currentTarget).get('name'))
          void run(async () => {
            await client.request('PUT /', { domain: `${parent}${name}` }, { body: { folder: true } })
            onDone()
            close()
          })
        }}
      >
        <label>
          Name <input name="name" required pattern="[^\/\\]+" title="without slashes" autoComplete="off" />
        </label>
        <Alert message={error} />
        <DialogButtons cancel={close} submit="Create" isRunning={isRunning} />
      </form>
    </Dialog>
  )
}
