// The domains and folders in a folder as a table, sorted and filtered. All are loaded, page after page; only rows in
// sight are drawn, so that a hundred thousand stay usable. Files that are dropped on it become domains.

import { type UIEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Api, Hyperslab } from '../../../client/index.ts'
import { AccessTable } from '../AccessTable.tsx'
import { folderDomain, nameOf, type Place } from '../address.ts'
import { Dialog } from '../Dialog.tsx'
import { messageOf } from '../errors.ts'
import { formatSize, formatTime } from '../format.ts'
import { Link } from '../Link.tsx'
import type { Session } from '../session.ts'
import { TryAgain } from '../TryAgain.tsx'
import { useRetry } from '../use-retry.ts'
import { objectsOf, sizeOf } from './contents.ts'
import { chosenFiles, droppedFiles } from './dropped-files.ts'
import { ItemDialog } from './ItemDialog.tsx'
import { NewFolder } from './NewFolder.tsx'
import { Thumbnail } from './Thumbnail.tsx'
import type { Uploads } from './uploads.ts'
import { useFolderPermissions } from './use-permissions.ts'

export interface FolderTableProps {
  readonly session: Session
  /** Ends with a slash. */
  readonly path: string
  readonly uploads: Uploads
  readonly go: (place: Place) => void
}

type Row = Api.ListedDomain

interface Column {
  readonly title: string
  readonly className?: string
  /** Rows are sorted by it. */
  readonly key: (row: Row) => string | number
}

const COLUMNS: readonly Column[] = [
  { title: 'Name', key: row => nameOf(row.name) },
  { title: 'Owner', className: 'wide', key: row => row.owner },
  { title: 'Size', className: 'number', key: row => sizeOf(row) ?? -1 },
  { title: 'Objects', className: 'number wide', key: row => objectsOf(row) ?? -1 },
  { title: 'Last change', className: 'wide', key: row => row.lastModified },
]

const ROW_HEIGHT = 36
const PICTURE_ROW_HEIGHT = 92
/** Rows that are drawn above and below the visible ones. */
const MARGIN = 20
const PAGE_SIZE = 1000

export function FolderTable({ session, path, uploads, go }: FolderTableProps) {
  const { rows, isComplete, retry, reload } = useFolder(session.client, path, uploads.count)
  const [dialog, setDialog] = useState<'folder' | 'access' | Row>()
  const [accessChanges, setAccessChanges] = useState(0)
  const permissions = useFolderPermissions(session, path, accessChanges)
  const takesFiles = permissions?.create ?? false
  const [isTarget, setTarget] = useState(false)
  const [hasPictures, setPictures] = useState(false)
  const rowHeight = hasPictures ? PICTURE_ROW_HEIGHT : ROW_HEIGHT
  const fileInput = useRef<HTMLInputElement>(null)
  const [filter, setFilter] = useState('')
  const [sort, setSort] = useState({ column: 0, isDescending: false })
  const [view, setView] = useState({ top: 0, height: 1000 })
  const shown = useMemo(() => arrange(rows, filter, sort.column, sort.isDescending), [rows, filter, sort])
  const first = Math.max(0, Math.floor(view.top / rowHeight) - MARGIN)
  const last = Math.min(shown.length, Math.ceil((view.top + view.height) / rowHeight) + MARGIN)
  const look = ({ currentTarget: { scrollTop, clientHeight } }: UIEvent<HTMLElement>) =>
    setView({ top: scrollTop, height: clientHeight })
  const closeDialog = () => setDialog(undefined)
  return (
    <section
      className={isTarget ? 'folder target' : 'folder'}
      aria-label={`Contents of ${path}`}
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
        <input
          type="search"
          aria-label="Filter by name"
          placeholder="Filter"
          value={filter}
          onChange={event => setFilter(event.target.value)}
        />
        <span role="status">
          {filter === '' ? '' : `${shown.length} of `}
          {rows.length} {rows.length === 1 ? 'entry' : 'entries'}
          {isComplete || retry.failure !== undefined ? '' : ' …'}
        </span>
        <label>
          <input
            type="checkbox"
            checked={hasPictures}
            onChange={event => setPictures(event.target.checked)}
          />{' '}
          Pictures
        </label>
        <span className="buttons">
          {session.user === undefined ? 'Log in to upload files and to change this folder.' : null}
          {permissions?.create === false ? <span>{reasonOf(path)}</span> : null}
          {takesFiles ? (
            <>
              <input
                ref={fileInput}
                type="file"
                multiple
                hidden
                accept=".h5,.hdf5,.he5,.hdf,.nc,.nc4,.cdf,.nxs,.mat"
                onChange={({ currentTarget }) => {
                  uploads.add(chosenFiles(currentTarget.files ?? new DataTransfer().files), path)
                  currentTarget.value = ''
                }}
              />
              <button type="button" onClick={() => fileInput.current?.click()}>
                Upload files
              </button>
              <button type="button" onClick={() => setDialog('folder')}>
                New folder
              </button>
            </>
          ) : null}
          {permissions?.access ? (
            <button type="button" onClick={() => setDialog('access')}>
              Access
            </button>
          ) : null}
        </span>
      </div>
      <TryAgain retry={retry} message={messageOf(retry.failure)} />
      {isComplete && rows.length === 0 ? (
        <p className="note">
          There is nothing in this folder that you may see.{' '}
          {takesFiles ? 'Drop HDF5 files here to upload them.' : ''}
        </p>
      ) : null}
      {dialog === 'folder' ? (
        <NewFolder session={session} parent={path} close={closeDialog} onDone={reload} />
      ) : null}
      {dialog === 'access' ? (
        <Dialog
          title={`Access to ${path}`}
          close={() => {
            closeDialog()
            // The change may affect the user's own permissions.
            setAccessChanges(before => before + 1)
          }}
        >
          <AccessTable client={session.client} path={folderDomain(path)} />
        </Dialog>
      ) : null}
      {typeof dialog === 'object' ? (
        <ItemDialog session={session} item={dialog} close={closeDialog} onChange={reload} />
      ) : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be in reach of the keyboard */}
      <section className="rows" onScroll={look} tabIndex={0} aria-label="Entries">
        <table aria-rowcount={shown.length + 1}>
          <thead>
            <tr aria-rowindex={1}>
              {COLUMNS.map(({ title, className }, column) => (
                <th
                  key={title}
                  className={className}
                  aria-sort={sort.column !== column ? 'none' : sort.isDescending ? 'descending' : 'ascending'}
                >
                  <button
                    type="button"
                    onClick={() =>
                      setSort({ column, isDescending: sort.column === column && !sort.isDescending })
                    }
                  >
                    {title}
                    <span aria-hidden="true">
                      {sort.column !== column ? '' : sort.isDescending ? ' ↓' : ' ↑'}
                    </span>
                  </button>
                </th>
              ))}
              <th>
                <span className="hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            <Spacer height={first * rowHeight} />
            {shown.slice(first, last).map((row, i) => (
              <tr key={row.name} aria-rowindex={first + i + 2} style={{ height: rowHeight }}>
                <td className="name">
                  {hasPictures && row.class === 'domain' ? (
                    <Thumbnail client={session.client} path={row.name} />
                  ) : (
                    <span aria-hidden="true">{row.class === 'folder' ? '▸' : '▦'} </span>
                  )}
                  <Link to={placeOf(row)} go={go}>
                    {nameOf(row.name)}
                  </Link>
                </td>
                <td className="wide">{row.owner}</td>
                <td className="number">{text(sizeOf(row), formatSize)}</td>
                <td className="number wide">{text(objectsOf(row), String)}</td>
                <td className="wide">{formatTime(row.lastModified)}</td>
                <td>
                  <button
                    type="button"
                    aria-label={`Actions for ${nameOf(row.name)}`}
                    onClick={() => setDialog(row)}
                  >
                    ⋯
                  </button>
                </td>
              </tr>
            ))}
            <Spacer height={(shown.length - last) * rowHeight} />
          </tbody>
        </table>
      </section>
    </section>
  )
}

/** The reason why a user cannot upload files to a folder or create folders in it. */
function reasonOf(path: string): string {
  if (path === '/') return 'Only administrators create folders here. Upload files to a folder of your own.'
  return 'You have no permission to upload files or to create folders here.'
}

/** A space that replaces rows that are not drawn. */
function Spacer({ height }: { readonly height: number }) {
  return height > 0 ? <tr style={{ height }} /> : null
}

function placeOf({ class: kind, name }: Row): Place {
  return kind === 'folder'
    ? { kind: 'folder', path: `${name}/` }
    : { kind: 'domain', path: name, object: '/' }
}

function text(value: number | undefined, format: (value: number) => string): string {
  return value === undefined ? '' : format(value)
}

/** The entries of a folder while they are loaded; loaded again when the number of `uploads` grows. */
function useFolder(client: Hyperslab, path: string, uploads: number) {
  const [state, setState] = useState<{
    readonly rows: readonly Row[]
    readonly isComplete: boolean
  }>({ rows: [], isComplete: false })
  const [changes, setChanges] = useState(0)
  const retry = useRetry(client)
  const { attempt, fail, succeed } = retry
  const [uploadsBefore] = useState(uploads)
  const version = changes + uploads - uploadsBefore
  const reload = useCallback(() => setChanges(before => before + 1), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt lists the folder again
  useEffect(() => {
    const abort = new AbortController()
    const { signal } = abort
    const load = async () => {
      // Names come first. The counts of each domain take longer, because those of mounted files must be computed.
      for (const verbose of version === 0 ? [false, true] : [true]) {
        const all: Row[] = []
        // The list is shown each time that its length has doubled, because all are sorted each time.
        let nextShown = PAGE_SIZE
        for await (const row of client.folder(path, { pageSize: PAGE_SIZE, verbose, signal })) {
          all.push(row)
          // While it is read again, the old rows stay.
          if (verbose || all.length < nextShown) continue
          setState({ rows: [...all], isComplete: false })
          nextShown = 2 * all.length
        }
        setState({ rows: all, isComplete: true })
      }
    }
    load().then(succeed, (error: unknown) => {
      if (signal.aborted) return
      setState(({ rows }) => ({ rows, isComplete: false }))
      fail(error)
    })
    return () => abort.abort()
  }, [client, path, version, attempt, fail, succeed])
  return { ...state, retry, reload }
}

function arrange(
  rows: readonly Row[],
  filter: string,
  column: number,
  isDescending: boolean,
): readonly Row[] {
  const wanted = filter.toLowerCase()
  const { key } = COLUMNS[column]
  const found = rows.filter(row => nameOf(row.name).toLowerCase().includes(wanted))
  const compare = (a: Row, b: Row) => {
    const [x, y] = [key(a), key(b)]
    const order = typeof x === 'number' && typeof y === 'number' ? x - y : NAMES.compare(String(x), String(y))
    return order || NAMES.compare(a.name, b.name)
  }
  found.sort((a, b) => (isDescending ? compare(b, a) : compare(a, b)))
  return found
}

const NAMES = new Intl.Collator(undefined, { numeric: true })
