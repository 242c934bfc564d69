// What the page says and offers of a folder, without drawing it: the rows, what is said where there are none, and what
// the user may do.

import type { Api } from '@hyperslab/client'
import type { Session } from '../shell/session.ts'
import { arrange, type Order } from './arrange.ts'
import type { FolderPermissions } from './permissions.ts'

type Row = Api.ListedDomain

export interface FolderFacts {
  readonly session: Pick<Session, 'user' | 'share' | 'hasAccounts' | 'isOpen'>
  /** Ends with a slash. */
  readonly path: string
  /** Its files are served where they are, and no request changes them. */
  readonly isReadOnly: boolean
  /** Undefined: not known yet, or nobody has logged in where that is needed. */
  readonly permissions: FolderPermissions | undefined
  readonly rows: readonly Row[]
  readonly isComplete: boolean
  /** The list could not be read. */
  readonly hasFailed: boolean
}

export interface FolderChoices {
  /** A part of the names that are shown. */
  readonly filter: string
  readonly order: Order
  /** Paths. */
  readonly selection: ReadonlySet<string>
}

export interface FolderModel {
  readonly shown: readonly Row[]
  readonly selected: readonly Row[]
  /** The count of the entries in words. */
  readonly count: string
  /** Files can be uploaded, and folders created. */
  readonly takesFiles: boolean
  /** Entries can be renamed, moved, deleted, and selected for that. */
  readonly changes: boolean
  /** Its files can be read as one. */
  readonly joins: boolean
  /** The access to the folder can be seen. */
  readonly hasAccess: boolean
  /** The reason why the user can upload nothing. */
  readonly reason: string | undefined
  /** An invitation to log in, for windows with room. */
  readonly invitation: string | undefined
  /** What is said in the place of rows. */
  readonly empty: EmptyNote | undefined
  /** Rows are drawn, or their places while they are loaded. */
  readonly hasRows: boolean
  readonly isLoading: boolean
}

export interface EmptyNote {
  readonly icon: 'folder' | 'search'
  readonly title: string
  readonly lines: readonly string[]
  /** The filter hides all: a button shows them. */
  readonly isFiltered: boolean
}

export function folderModel(facts: FolderFacts, { filter, order, selection }: FolderChoices): FolderModel {
  const { session, isReadOnly, permissions, rows, isComplete, hasFailed } = facts
  const { user, share, hasAccounts, isOpen } = session
  const shown = arrange(rows, filter, order)
  const takesFiles = (permissions?.create ?? false) && !isReadOnly
  const mayChange = user !== undefined || isOpen
  const isInvited = user === undefined && !share && hasAccounts
  return {
    shown,
    selected: rows.filter(({ name }) => selection.has(name)),
    count: `${filter === '' ? '' : `${shown.length} of `}${rows.length} ${rows.length === 1 ? 'entry' : 'entries'}${
      isComplete || hasFailed ? '' : ' …'
    }`,
    takesFiles,
    changes: mayChange && !isReadOnly,
    joins: mayChange && isReadOnly && rows.length > 0,
    hasAccess: permissions?.access ?? false,
    reason: isReadOnly || user === undefined ? undefined : reasonOf(facts),
    invitation: isInvited && !isReadOnly ? 'Log in to upload files and to change this folder.' : undefined,
    empty: isComplete && shown.length === 0 ? emptyNote(facts, filter, takesFiles, isInvited) : undefined,
    hasRows: !isComplete || shown.length > 0,
    isLoading: !isComplete && rows.length === 0 && !hasFailed,
  }
}

/** The reason why a user cannot upload files to a folder or create folders in it; undefined: it is possible. */
function reasonOf({ path, permissions }: FolderFacts): string | undefined {
  if (permissions?.create !== false) return undefined
  if (path === '/') return 'Only administrators create folders here. Upload files to a folder of your own.'
  return 'You have no permission to upload files or to create folders here.'
}

function emptyNote(
  { session: { user, isOpen }, rows }: FolderFacts,
  filter: string,
  takesFiles: boolean,
  isInvited: boolean,
): EmptyNote {
  if (rows.length > 0)
    return { icon: 'search', title: `No name has “${filter}” in it`, lines: [], isFiltered: true }
  const part = user === undefined && !isOpen ? ' that everybody may see' : ''
  return {
    icon: 'folder',
    title: `There is nothing in this folder${part}`,
    lines: [
      ...(takesFiles ? ['Drop HDF5 files here to upload them, or press Upload files.'] : []),
      ...(isInvited ? ['Log in: there may be more that you may see.'] : []),
    ],
    isFiltered: false,
  }
}

/** Whether the folder takes what is dropped on it; other drops are left to the browser. */
export function takesDrop(
  { takesFiles }: Pick<FolderModel, 'takesFiles'>,
  types: readonly string[],
): boolean {
  return takesFiles && types.includes('Files')
}

/** What the menu of a row offers. */
export type RowAction = 'download' | 'share' | 'access' | 'rename' | 'move' | 'delete'

export function actionsFor(
  { class: kind }: Pick<Row, 'class'>,
  { user }: Pick<Session, 'user'>,
  { changes }: Pick<FolderModel, 'changes'>,
): readonly RowAction[] {
  return [
    ...(kind === 'domain' ? (['download'] as const) : []),
    ...(user === undefined ? [] : (['share', 'access'] as const)),
    ...(changes ? (['rename', 'move', 'delete'] as const) : []),
  ]
}
