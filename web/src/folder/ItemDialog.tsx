// The actions on a domain or folder of the table: download, rename, delete, change access.

import { useState } from 'react'
import type { Api } from '../../../client/index.ts'
import { AccessTable } from '../AccessTable.tsx'
import { Alert } from '../Alert.tsx'
import { nameOf } from '../address.ts'
import { Dialog, DialogButtons } from '../Dialog.tsx'
import { downloadDomain } from '../download.ts'
import { formatSize } from '../format.ts'
import type { Session } from '../session.ts'
import { type Action, useAction } from '../use-action.ts'
import { objectsOf, sizeOf } from './contents.ts'

export interface ItemDialogProps {
  readonly session: Session
  readonly item: Api.ListedDomain
  readonly close: () => void
  /** Called when the contents of the folder have changed. */
  readonly onChange: () => void
}

const TITLES = {
  actions: (name: string) => name,
  rename: (name: string) => `Rename ${name}`,
  delete: (name: string) => `Delete ${name}?`,
  access: (name: string) => `Access to ${name}`,
}

export function ItemDialog({ session, item, close, onChange }: ItemDialogProps) {
  const [action, run] = useAction()
  const [part, setPart] = useState<keyof typeof TITLES>('actions')
  const { name: path } = item
  const isDomain = item.class === 'domain'
  const finish = (change: () => Promise<void>) =>
    run(async () => {
      await change()
      onChange()
      close()
    })
  return (
    // Each part is a dialog of its own, whose first control gets the focus.
    <Dialog key={part} title={TITLES[part](nameOf(path))} close={close}>
      {part === 'actions' ? (
        <div className="actions">
          {isDomain ? (
            <button type="button" onClick={() => run(() => downloadDomain(session, path))}>
              Download as .h5
            </button>
          ) : null}
          {session.user === undefined ? (
            <p>Log in to rename or delete it, and to see who may use it.</p>
          ) : (
            <>
              <button type="button" onClick={() => setPart('rename')}>
                Rename …
              </button>
              <button type="button" onClick={() => setPart('access')}>
                Access …
              </button>
              <button type="button" onClick={() => setPart('delete')}>
                Delete …
              </button>
            </>
          )}
          <Alert message={action.error} />
        </div>
      ) : null}
      {part === 'rename' ? (
        <Rename
          path={path}
          action={action}
          cancel={close}
          rename={to =>
            finish(async () => {
              await session.client.request('PUT /', { domain: to }, { body: { moved_from: path } })
            })
          }
        />
      ) : null}
      {part === 'delete' ? (
        <Delete
          item={item}
          action={action}
          cancel={close}
          remove={() =>
            finish(async () => {
              await session.client.request('DELETE /', { domain: path })
            })
          }
        />
      ) : null}
      {part === 'access' ? <AccessTable client={session.client} path={path} /> : null}
    </Dialog>
  )
}

interface RenameProps {
  readonly path: string
  readonly action: Action
  readonly cancel: () => void
  readonly rename: (to: string) => Promise<void>
}

function Rename({ path, action: { isRunning, error }, cancel, rename }: RenameProps) {
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        const to = String(new FormData(event.currentTarget).get('path'))
        void rename(to.startsWith('/') ? to : path.slice(0, path.lastIndexOf('/') + 1) + to)
      }}
    >
      <label>
        New name or path
        <input
          name="path"
          defaultValue={path}
          required
          autoComplete="off"
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      </label>
      <Alert message={error} />
      <DialogButtons cancel={cancel} submit="Rename" isRunning={isRunning} />
    </form>
  )
}

interface DeleteProps {
  readonly item: Api.ListedDomain
  readonly action: Action
  readonly cancel: () => void
  readonly remove: () => Promise<void>
}

function Delete({ item, action: { isRunning, error }, cancel, remove }: DeleteProps) {
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        void remove()
      }}
    >
      <p>{goes(item)} There is no way to get it back.</p>
      <Alert message={error} />
      <DialogButtons cancel={cancel} submit="Delete" isRunning={isRunning} isDangerous />
    </form>
  )
}

/** The contents that a deletion removes, in words. */
function goes(item: Api.ListedDomain): string {
  if (item.class === 'folder') return `The folder ${item.name} goes, if it is empty.`
  const objects = objectsOf(item)
  const size = sizeOf(item)
  const contents = objects === undefined ? '' : ` with ${objects} ${objects === 1 ? 'object' : 'objects'}`
  return `The domain ${item.name} goes${contents}${size === undefined ? '' : `, ${formatSize(size)}`}.`
}
