// What the user does with entries of a folder in a dialog, and what the dialog gets.

import { type Api, type Hyperslab, RequestError } from '@hyperslab/client'
import { formatSize } from '../common/format.ts'
import type { KeptPlaces } from '../kept/kept-places.ts'
import { folderPath, nameOf } from '../shell/address.ts'
import type { Session } from '../shell/session.ts'
import { objectsOf, sizeOf } from './contents.ts'
import { actOnEach } from './several.ts'

type Client = Pick<Hyperslab, 'request'>
type Item = Api.ListedDomain

export type ItemAction = 'rename' | 'move' | 'delete' | 'access'

export interface ItemDialogProps {
  readonly session: Session
  readonly action: ItemAction
  /** One or more. */
  readonly items: readonly Api.ListedDomain[]
  /** The button that opened it. */
  readonly near: Element
  readonly close: () => void
  /** Called when the contents of the folder have changed. */
  readonly onChange: () => void
}

export const VERBS: Readonly<Record<ItemAction, string>> = {
  rename: 'Rename',
  move: 'Move',
  delete: 'Delete',
  access: 'Access to',
}

export function dialogTitle(action: ItemAction, items: readonly Item[]): string {
  const [item] = items
  const subject = items.length === 1 && item ? nameOf(item.name) : `${items.length} entries`
  return `${VERBS[action]} ${subject}${action === 'delete' ? '?' : ''}`
}

/** The folder of an entry, which ends with a slash. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

/** Moves each to another folder, or renames one to a name or path. The lists of files follow. */
export function moveItems(
  { client, kept }: { readonly client: Client; readonly kept: Pick<KeptPlaces, 'move'> | undefined },
  action: ItemAction,
  items: readonly Item[],
  text: string,
): Promise<void> {
  const pathFor = (name: string) => {
    if (action === 'move') return `${folderPath(text)}${nameOf(name)}`
    return text.startsWith('/') ? text : folderOf(name) + text
  }
  return actOnEach(items, async ({ name }) => {
    await client.request('PUT /', { domain: pathFor(name) }, { body: { moved_from: name } })
    kept?.move(name, pathFor(name))
  })
}

export function deleteItems(client: Client, items: readonly Item[]): Promise<void> {
  return actOnEach(items, ({ name }) => client.request('DELETE /', { domain: name }))
}

const READ = { read: true, create: false, update: false, delete: false, readACL: false, updateACL: false }

/** What several entries are given at once: the words, and the permissions; undefined: the row goes. */
export const ACCESS_CHOICES = {
  Read: READ,
  'Read and change': { ...READ, create: true, update: true, delete: true },
  'Everything, also access': {
    read: true,
    create: true,
    update: true,
    delete: true,
    readACL: true,
    updateACL: true,
  },
  'No row: those of everybody and of groups': undefined,
}

export type AccessChoice = keyof typeof ACCESS_CHOICES

/** Gives a user or group the same permissions on each. */
export function giveAccess(
  client: Client,
  items: readonly Item[],
  user: string,
  choice: AccessChoice,
): Promise<void> {
  const body = ACCESS_CHOICES[choice]
  return actOnEach(items, async ({ name: domain }) => {
    if (body !== undefined) return client.request('PUT /acls/{user}', { user, domain }, { body })
    try {
      await client.request('DELETE /acls/{user}', { user, domain })
    } catch (error) {
      // There is no such row already.
      if (!(error instanceof RequestError && error.status === 404)) throw error
    }
  })
}

/** What a deletion removes, and what stays. */
export function deletionText(items: readonly Item[]): string {
  const joined = items.filter(item => item.joined)
  const others = items.filter(item => !item.joined)
  return [
    ...(others.length > 0 ? [`${lossOf(others)} There is no way to get it back.`] : []),
    ...(joined.length > 1 ? [`${joined.length} joined domains go. Their files stay.`] : []),
    ...(joined.length === 1 ? [`The joined domain ${joined[0]?.name} goes. Its files stay.`] : []),
  ].join(' ')
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
  return `${parts.join(' and ')} go.`
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
