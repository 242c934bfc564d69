// The dialogs about entries of the table: rename one, move, delete or share any number of them.

import type { Api } from '@hyperslab/client'
import { AccessTable } from '../account/AccessTable.tsx'
import { Alert } from '../common/Alert.tsx'
import { Dialog, DialogButtons } from '../common/Dialog.tsx'
import { formatSize } from '../common/format.ts'
import { useAction } from '../common/use-action.ts'
import { folderPath, nameOf } from '../shell/address.ts'
import { objectsOf, sizeOf } from './contents.ts'
import type { ItemDialogProps } from './item-action.ts'
import { SeveralAccess } from './SeveralAccess.tsx'
import { actOnEach } from './several.ts'

type Item = Api.ListedDomain

const VERBS = { rename: 'Rename', move: 'Move', delete: 'Delete', access: 'Access to' }

export function ItemDialog(props: ItemDialogProps) {
  const { session, action, items, near, close } = props
  const [item] = items
  const subject = items.length === 1 && item ? nameOf(item.name) : `${items.length} entries`
  const title = `${VERBS[action]} ${subject}${action === 'delete' ? '?' : ''}`
  return (
    <Dialog title={title} near={near} close={close}>
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
  const folder = item.name.slice(0, item.name.lastIndexOf('/') + 1)
  const pathFor = ({ name }: Item, text: string) => {
    if (action === 'move') return `${folderPath(text)}${nameOf(name)}`
    return text.startsWith('/') ? text : folder + text
  }
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        const text = String(new FormData(event.currentTarget).get('path'))
        void run(async () => {
          try {
            await actOnEach(items, item =>
              session.client.request(
                'PUT /',
                { domain: pathFor(item, text) },
                { body: { moved_from: item.name } },
              ),
            )
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
          defaultValue={action === 'move' ? folder : item.name}
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
            await actOnEach(items, ({ name }) => session.client.request('DELETE /', { domain: name }))
          } finally {
            onChange()
          }
          close()
        })
      }}
    >
      <p>{lossOf(items)} There is no way to get it back.</p>
      <Alert message={error} />
      <DialogButtons cancel={close} submit="Delete" isRunning={isRunning} isDangerous />
    </form>
  )
}

/** The contents that a deletion removes, in words. */
function lossOf(items: readonly Item[]): string {
  const [item] = items
  if (items.length === 1 && item) {
    if (item.class === 'folder') return `The folder ${item.name} goes, if it is empty.`
    const objects = objectsOf(item)
    const contents = objects === undefined ? '' : ` with ${countOf(objects, 'object')}`
    const size = sizeOf(item)
    return `The domain ${item.name} goes${contents}${size === undefined ? '' : `, ${formatSize(size)}`}.`
  }
  const folders = items.filter(item => item.class === 'folder').length
  const domains = items.length - folders
  const total = items.reduce((sum, item) => sum + (sizeOf(item) ?? 0), 0)
  const parts = [
    ...(domains > 0 ? [`${countOf(domains, 'domain')}, ${formatSize(total)},`] : []),
    ...(folders > 0 ? [`${countOf(folders, 'folder')}, if empty,`] : []),
  ]
  return `${parts.join(' and ')} ${items.length === 1 ? 'goes' : 'go'}.`
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
