// A folder: its entries, sorted and filtered, what the user may do with them, and a place for files that are dropped.

import type { Api } from '@hyperslab/client'
import { useMemo, useRef, useState } from 'react'
import { AccessTable } from '../account/AccessTable.tsx'
import { ShareDialog } from '../account/ShareDialog.tsx'
import { Alert } from '../common/Alert.tsx'
import { Dialog } from '../common/Dialog.tsx'
import { downloadDomain } from '../common/download.ts'
import { messageOf } from '../common/errors.ts'
import { Icon } from '../common/Icon.tsx'
import type { MenuItem } from '../common/Menu.tsx'
import { TryAgain } from '../common/TryAgain.tsx'
import { useAction } from '../common/use-action.ts'
import { folderDomain, type Place } from '../shell/address.ts'
import type { Session } from '../shell/session.ts'
import { arrange, BY_NAME } from './arrange.ts'
import { chosenFiles, droppedFiles } from './dropped-files.ts'
import { ItemDialog } from './ItemDialog.tsx'
import type { ItemAction } from './item-action.ts'
import { NewFolder } from './NewFolder.tsx'
import { Rows } from './Rows.tsx'
import { useFolder } from './use-folder.ts'
import { useFolderPermissions } from './use-permissions.ts'
import type { Uploads } from './use-uploads.ts'

export interface FolderTableProps {
  readonly session: Session
  /** Ends with a slash. */
  readonly path: string
  /** Its files are served where they are, and no request changes them. */
  readonly isReadOnly: boolean
  readonly uploads: Uploads
  readonly go: (place: Place) => void
}

type Row = Api.ListedDomain

type OpenDialog = { readonly near: Element } & (
  | { readonly action: 'new-folder' | 'folder-access' }
  | { readonly action: 'share'; readonly path: string }
  | { readonly action: ItemAction; readonly items: readonly Row[] }
)

const NOTHING_SELECTED: ReadonlySet<string> = new Set()

export function FolderTable({ session, path, isReadOnly, uploads, go }: FolderTableProps) {
  const { user, hasAccounts, isOpen } = session
  const { rows, isComplete, retry, reload, connection } = useFolder(session.client, path, uploads.count)
  const [dialog, setDialog] = useState<OpenDialog>()
  const [accessChanges, setAccessChanges] = useState(0)
  const permissions = useFolderPermissions(session, path, accessChanges)
  const takesFiles = (permissions?.create ?? false) && !isReadOnly
  const changes = (user !== undefined || isOpen) && !isReadOnly
  const [isTarget, setTarget] = useState(false)
  const [hasPictures, setPictures] = useState(false)
  const [filter, setFilter] = useState('')
  const [order, setOrder] = useState(BY_NAME)
  const [selection, setSelection] = useState(NOTHING_SELECTED)
  const [download, run] = useAction()
  const shown = useMemo(() => arrange(rows, filter, order), [rows, filter, order])
  const selected = rows.filter(({ name }) => selection.has(name))
  const closeDialog = () => setDialog(undefined)
  const actionsFor = (row: Row): readonly MenuItem[] => {
    const open = (action: ItemAction) => (near: Element) => setDialog({ action, items: [row], near })
    return [
      ...(row.class === 'domain'
        ? [
            {
              text: 'Download',
              icon: 'download' as const,
              act: () => void run(() => downloadDomain(session, row.name)),
            },
          ]
        : []),
      ...(user === undefined
        ? []
        : [
            {
              text: 'Share …',
              icon: 'link' as const,
              act: (near: Element) => setDialog({ action: 'share', path: row.name, near }),
            },
            { text: 'Access …', icon: 'access' as const, act: open('access') },
          ]),
      ...(changes
        ? [
            { text: 'Rename …', icon: 'rename' as const, act: open('rename') },
            { text: 'Move …', icon: 'move' as const, act: open('move') },
            { text: 'Delete …', icon: 'delete' as const, isDangerous: true, act: open('delete') },
          ]
        : []),
    ]
  }
  const reason = isReadOnly ? undefined : reasonOf(path, permissions?.create)
  return (
    <section
      className={isTarget ? 'folder target' : 'folder'}
      aria-label={`Contents of ${path}`}
      data-connection={connection}
      onDragOver={event => {
        if (!takesFiles || !event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setTarget(true)
      }}
      onDragLeave={() => setTarget(false)}
      onDrop={event => {
        if (!takesFiles) return
        event.preventDefault()
        setTarget(false)
        void droppedFiles(event.dataTransfer).then(files => uploads.add(files, path))
      }}
    >
      <div className="tools">
        <span className="search">
          <Icon name="search" />
          <input
            type="search"
            aria-label="Filter by name"
            placeholder="Filter by name"
            value={filter}
            onChange={event => setFilter(event.target.value)}
          />
          <kbd className="wide">/</kbd>
        </span>
        <span className="muted" role="status">
          {filter === '' ? '' : `${shown.length} of `}
          {rows.length} {rows.length === 1 ? 'entry' : 'entries'}
          {isComplete || retry.failure !== undefined ? '' : ' …'}
        </span>
        {connection === 'lost' ? (
          <span className="badge bad" role="status">
            Connection lost: the list may be old
          </span>
        ) : null}
        {selected.length > 0 && changes ? (
          <SelectionBar
            count={selected.length}
            open={(action, near) => setDialog({ action, items: selected, near })}
            clear={() => setSelection(NOTHING_SELECTED)}
          />
        ) : (
          <span className="buttons">
            {user === undefined && !session.share && hasAccounts && !isReadOnly ? (
              <span className="muted wide">Log in to upload files and to change this folder.</span>
            ) : null}
            {user === undefined || reason === undefined ? null : <span className="muted">{reason}</span>}
            <button
              type="button"
              aria-label="Pictures"
              aria-pressed={hasPictures}
              onClick={() => setPictures(!hasPictures)}
            >
              <Icon name="picture" />
              <span className="wide">Pictures</span>
            </button>
            {permissions?.access ? (
              <button
                type="button"
                aria-label="Access"
                onClick={({ currentTarget }) => setDialog({ action: 'folder-access', near: currentTarget })}
              >
                <Icon name="access" />
                <span className="wide">Access</span>
              </button>
            ) : null}
            {takesFiles ? (
              <button
                type="button"
                onClick={({ currentTarget }) => setDialog({ action: 'new-folder', near: currentTarget })}
              >
                <Icon name="plus" />
                New folder
              </button>
            ) : null}
            {takesFiles ? <UploadButton uploads={uploads} path={path} /> : null}
          </span>
        )}
      </div>
      <TryAgain retry={retry} message={messageOf(retry.failure)} />
      {download.error === undefined ? null : <Alert message={download.error} />}
      <DialogOf
        session={session}
        path={path}
        dialog={dialog}
        close={closeDialog}
        onChange={() => {
          setSelection(NOTHING_SELECTED)
          reload()
        }}
        // The change may affect the user's own permissions.
        onAccess={() => setAccessChanges(before => before + 1)}
      />
      {isComplete && rows.length === 0 ? (
        <div className="empty">
          <Icon name="folder" />
          <h2>
            There is nothing in this folder{user === undefined && !isOpen ? ' that everybody may see' : ''}
          </h2>
          {takesFiles ? <p>Drop HDF5 files here to upload them, or press Upload files.</p> : null}
          {user === undefined && !session.share && hasAccounts ? (
            <p>Log in: there may be more that you may see.</p>
          ) : null}
        </div>
      ) : null}
      {isComplete && rows.length > 0 && shown.length === 0 ? (
        <div className="empty">
          <Icon name="search" />
          <h2>No name has “{filter}” in it</h2>
          <button type="button" onClick={() => setFilter('')}>
            Show all
          </button>
        </div>
      ) : null}
      {isComplete && shown.length === 0 ? null : (
        <Rows
          client={session.client}
          rows={shown}
          isLoading={!isComplete && rows.length === 0 && retry.failure === undefined}
          hasPictures={hasPictures}
          order={order}
          onOrder={setOrder}
          selection={changes ? selection : undefined}
          onSelect={setSelection}
          actionsFor={actionsFor}
          go={go}
        />
      )}
    </section>
  )
}

interface DialogOfProps {
  readonly session: Session
  readonly path: string
  readonly dialog: OpenDialog | undefined
  readonly close: () => void
  readonly onChange: () => void
  readonly onAccess: () => void
}

function DialogOf({ session, path, dialog, close, onChange, onAccess }: DialogOfProps) {
  if (dialog === undefined) return null
  const { near } = dialog
  switch (dialog.action) {
    case 'new-folder':
      return <NewFolder session={session} parent={path} near={near} close={close} onDone={onChange} />
    case 'folder-access':
      return (
        <Dialog
          title={`Access to ${path}`}
          near={near}
          close={() => {
            close()
            onAccess()
          }}
        >
          <AccessTable session={session} path={folderDomain(path)} />
        </Dialog>
      )
    case 'share':
      return <ShareDialog session={session} path={dialog.path} near={near} close={close} />
    default:
      return <ItemDialog session={session} {...dialog} close={close} onChange={onChange} />
  }
}

interface SelectionBarProps {
  readonly count: number
  readonly open: (action: ItemAction, near: Element) => void
  readonly clear: () => void
}

/** Actions on the selected rows. */
function SelectionBar({ count, open, clear }: SelectionBarProps) {
  return (
    <span className="buttons" role="toolbar" aria-label="Selected entries">
      <strong>{count} selected</strong>
      <button type="button" onClick={({ currentTarget }) => open('access', currentTarget)}>
        <Icon name="access" />
        Access
      </button>
      <button type="button" onClick={({ currentTarget }) => open('move', currentTarget)}>
        <Icon name="move" />
        Move
      </button>
      <button
        type="button"
        className="dangerous"
        onClick={({ currentTarget }) => open('delete', currentTarget)}
      >
        <Icon name="delete" />
        Delete
      </button>
      <button type="button" className="quiet" aria-label="Select nothing" onClick={clear}>
        <Icon name="close" />
      </button>
    </span>
  )
}

function UploadButton({ uploads, path }: { readonly uploads: Uploads; readonly path: string }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept=".h5,.hdf5,.he5,.hdf,.nc,.nc4,.cdf,.nxs,.mat"
        onChange={({ currentTarget }) => {
          uploads.add(chosenFiles(currentTarget.files ?? new DataTransfer().files), path)
          currentTarget.value = ''
        }}
      />
      <button type="button" className="primary" onClick={() => input.current?.click()}>
        <Icon name="upload" />
        Upload files
      </button>
    </>
  )
}

/** The reason why a user cannot upload files to a folder or create folders in it; undefined: it is possible. */
function reasonOf(path: string, mayCreate: boolean | undefined): string | undefined {
  if (mayCreate !== false) return undefined
  if (path === '/') return 'Only administrators create folders here. Upload files to a folder of your own.'
  return 'You have no permission to upload files or to create folders here.'
}
