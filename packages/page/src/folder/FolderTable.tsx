// A folder: its entries, sorted and filtered, what the user may do with them, and a place for files that are dropped.

import type { Api } from '@hyperslab/client'
import { type DragEvent, useMemo, useState } from 'react'
import { Alert } from '../common/Alert.tsx'
import { downloadDomain } from '../common/download.ts'
import { messageOf } from '../common/errors.ts'
import { Icon } from '../common/Icon.tsx'
import type { MenuItem } from '../common/Menu.tsx'
import { TryAgain } from '../common/TryAgain.tsx'
import { useAction } from '../common/use-action.ts'
import type { Place } from '../shell/address.ts'
import type { Session } from '../shell/session.ts'
import { BY_NAME } from './arrange.ts'
import { FolderDialog, type OpenDialog } from './FolderDialog.tsx'
import { FolderTools } from './FolderTools.tsx'
import {
  actionsFor,
  type EmptyNote,
  type FolderModel,
  folderModel,
  type RowAction,
  takesDrop,
} from './model.ts'
import { Rows } from './Rows.tsx'
import { type DroppedFile, droppedFiles } from './uploads/dropped-files.ts'
import type { Uploads } from './uploads/use-uploads.ts'
import { useFolder } from './use-folder.ts'
import { useFolderPermissions } from './use-permissions.ts'

export interface FolderTableProps {
  readonly session: Session
  /** Ends with a slash. */
  readonly path: string
  /** Its files are served where they are, and no request changes them. */
  readonly isReadOnly: boolean
  readonly uploads: Uploads
  readonly go: (place: Place) => void
}

const NOTHING_SELECTED: ReadonlySet<string> = new Set()

const ITEMS: Readonly<Record<RowAction, Omit<MenuItem, 'act'>>> = {
  download: { text: 'Download', icon: 'download' },
  share: { text: 'Share …', icon: 'link' },
  access: { text: 'Access …', icon: 'access' },
  rename: { text: 'Rename …', icon: 'rename' },
  move: { text: 'Move …', icon: 'move' },
  delete: { text: 'Delete …', icon: 'delete', isDangerous: true },
}

export function FolderTable(props: FolderTableProps) {
  const { session, path, uploads, go } = props
  const { folder, filter, setFilter, order, setOrder, selection, setSelection, ...list } =
    useFolderView(props)
  const [dialog, setDialog] = useState<OpenDialog>()
  const [hasPictures, setPictures] = useState(false)
  const [download, run] = useAction()
  const upload = (files: readonly DroppedFile[]) => uploads.add(files, path)
  const act = (row: Api.ListedDomain, action: RowAction, near: Element) => {
    if (action === 'download') void run(() => downloadDomain(session, row.name))
    else setDialog({ action, items: [row], near })
  }
  const menuOf = (row: Api.ListedDomain): readonly MenuItem[] =>
    actionsFor(row, session, folder).map(action => ({
      ...ITEMS[action],
      act: near => act(row, action, near),
    }))
  return (
    <section
      {...useDrop(folder, upload)}
      aria-label={`Contents of ${path}`}
      data-connection={list.connection}
    >
      <FolderTools
        folder={folder}
        filter={filter}
        setFilter={setFilter}
        hasPictures={hasPictures}
        setPictures={setPictures}
        isLost={list.connection === 'lost'}
        open={(action, near) => setDialog({ action, items: folder.selected, near })}
        clear={list.clear}
        upload={upload}
      />
      <TryAgain retry={list.retry} message={messageOf(list.retry.failure)} />
      {download.error === undefined ? null : <Alert message={download.error} />}
      <FolderDialog
        {...{ session, path, dialog, go }}
        rows={folder.shown}
        close={() => setDialog(undefined)}
        onChange={list.change}
        onAccess={list.changeAccess}
      />
      {folder.empty ? <Empty note={folder.empty} showAll={() => setFilter('')} /> : null}
      {folder.hasRows ? (
        <Rows
          {...session}
          rows={folder.shown}
          isLoading={folder.isLoading}
          order={order}
          onOrder={setOrder}
          selection={folder.changes || folder.joins ? selection : undefined}
          onSelect={setSelection}
          {...{ hasPictures, menuOf, go }}
        />
      ) : null}
    </section>
  )
}

/** The folder as its model has it, with the choices of the user. */
function useFolderView({ session, path, isReadOnly, uploads }: FolderTableProps) {
  const { rows, isComplete, retry, reload, connection } = useFolder(session.client, path, uploads.count)
  const [accessChanges, setAccessChanges] = useState(0)
  const permissions = useFolderPermissions(session, path, accessChanges)
  const [filter, setFilter] = useState('')
  const [order, setOrder] = useState(BY_NAME)
  const [selection, setSelection] = useState(NOTHING_SELECTED)
  const hasFailed = retry.failure !== undefined
  const folder = useMemo(() => {
    const facts = { session, path, isReadOnly, permissions, rows, isComplete, hasFailed }
    return folderModel(facts, { filter, order, selection })
  }, [session, path, isReadOnly, permissions, rows, isComplete, hasFailed, filter, order, selection])
  const clear = () => setSelection(NOTHING_SELECTED)
  const change = () => {
    clear()
    reload()
  }
  // A change of the access may affect the user's own permissions.
  const changeAccess = () => setAccessChanges(before => before + 1)
  const choices = { filter, setFilter, order, setOrder, selection, setSelection, clear }
  return { folder, retry, connection, change, changeAccess, ...choices }
}

/** The class and the listeners of a place for files that are dropped. */
function useDrop(folder: FolderModel, upload: (files: readonly DroppedFile[]) => void) {
  const [isTarget, setTarget] = useState(false)
  return {
    className: isTarget ? 'folder target' : 'folder',
    onDragOver: (event: DragEvent) => {
      if (!takesDrop(folder, event.dataTransfer.types)) return
      event.preventDefault()
      setTarget(true)
    },
    onDragLeave: () => setTarget(false),
    onDrop: (event: DragEvent) => {
      if (!takesDrop(folder, event.dataTransfer.types)) return
      event.preventDefault()
      setTarget(false)
      void droppedFiles(event.dataTransfer).then(upload)
    },
  }
}

function Empty({ note, showAll }: { readonly note: EmptyNote; readonly showAll: () => void }) {
  return (
    <div className="empty">
      <Icon name={note.icon} />
      <h2>{note.title}</h2>
      {note.lines.map(line => (
        <p key={line}>{line}</p>
      ))}
      {note.isFiltered ? (
        <button type="button" onClick={showAll}>
          Show all
        </button>
      ) : null}
    </div>
  )
}
