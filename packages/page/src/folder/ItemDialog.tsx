// The dialogs about entries of the table: rename one, move, delete or share any number of them.

import { AccessTable } from '../account/AccessTable.tsx'
import { Alert } from '../common/Alert.tsx'
import { Dialog, DialogButtons } from '../common/Dialog.tsx'
import { useAction } from '../common/use-action.ts'
import {
  deleteItems,
  deletionText,
  dialogTitle,
  folderOf,
  type ItemDialogProps,
  moveItems,
  VERBS,
} from './item-action.ts'
import { SeveralAccess } from './SeveralAccess.tsx'

export function ItemDialog(props: ItemDialogProps) {
  const { session, action, items, near, close } = props
  const [item] = items
  return (
    <Dialog title={dialogTitle(action, items)} near={near} close={close}>
      {action === 'rename' || action === 'move' ? <MoveForm {...props} /> : null}
      {action === 'delete' ? <DeleteForm {...props} /> : null}
      {action === 'access' && items.length === 1 && item ? (
        <AccessTable session={session} path={item.name} />
      ) : null}
      {action === 'access' && items.length > 1 ? <SeveralAccess {...props} /> : null}
    </Dialog>
  )
}

/** A new path for one, or another folder for any number. */
function MoveForm({ session, action, items, close, onChange }: ItemDialogProps) {
  const [{ isRunning, error }, run] = useAction()
  const [item] = items
  if (item === undefined) return null
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        const text = String(new FormData(event.currentTarget).get('path'))
        void run(async () => {
          try {
            await moveItems(session, action, items, text)
          } finally {
            onChange()
          }
          close()
        })
      }}
    >
      <label>
        {action === 'move' ? 'To the folder' : 'New name or path'}
        <input
          name="path"
          defaultValue={action === 'move' ? folderOf(item.name) : item.name}
          required
          pattern={action === 'move' ? '/.*' : undefined}
          title={action === 'move' ? 'a path that begins with a slash' : undefined}
          autoComplete="off"
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      </label>
      <Alert message={error} />
      <DialogButtons cancel={close} submit={VERBS[action]} isRunning={isRunning} />
    </form>
  )
}

function DeleteForm({ session, items, close, onChange }: ItemDialogProps) {
  const [{ isRunning, error }, run] = useAction()
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        void run(async () => {
          try {
            await deleteItems(session.client, items)
          } finally {
            onChange()
          }
          close()
        })
      }}
    >
      <p>{deletionText(items)}</p>
      <Alert message={error} />
      <DialogButtons cancel={close} submit="Delete" isRunning={isRunning} isDangerous />
    </form>
  )
}
