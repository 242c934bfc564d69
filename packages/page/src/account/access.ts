// The access control list of a domain or folder, without drawing it: its rows, its changes, and which of them are asked
// about first.

import { type Api, type Hyperslab, RequestError } from '@hyperslab/client'
import type { User } from '../shell/session.ts'

type Client = Pick<Hyperslab, 'request'>

export const PERMISSIONS = [
  ['read', 'Read'],
  ['create', 'Create'],
  ['update', 'Update'],
  ['delete', 'Delete'],
  ['readACL', 'See access'],
  ['updateACL', 'Change access'],
] as const

export type Permissions = Pick<Api.AclItem, (typeof PERMISSIONS)[number][0]>

/** The name in lists that means everybody else, also without login. */
const EVERYBODY = 'default'

const NOTHING: Permissions = {
  read: false,
  create: false,
  update: false,
  delete: false,
  readACL: false,
  updateACL: false,
}

export interface AccessRow {
  readonly name: string
  readonly title: string
  /** The name of the row in the labels of its boxes. */
  readonly subject: string
  readonly permissions: Permissions
  readonly isRemovable: boolean
}

/** Everybody has the first row, also where the list does not have one. */
export function accessRows(items: readonly Api.AclItem[], own: string | undefined): readonly AccessRow[] {
  const everybody = items.find(({ userName }) => userName === EVERYBODY)
  return [
    {
      name: EVERYBODY,
      title: 'Everybody, without login',
      subject: 'everybody',
      permissions: everybody ?? NOTHING,
      isRemovable: false,
    },
    ...items
      .filter(({ userName }) => userName !== EVERYBODY)
      .map(item => ({
        name: item.userName,
        title: item.userName === own ? `${item.userName} (you)` : item.userName,
        subject: item.userName,
        permissions: item,
        isRemovable: true,
      })),
  ]
}

/** A change of one row. */
export type AccessChange =
  | { readonly act: 'set'; readonly name: string; readonly permissions: Partial<Permissions> }
  | { readonly act: 'add'; readonly name: string }
  | { readonly act: 'remove'; readonly name: string }

/** What is asked before a change, and the text of the button that confirms it. */
export interface Doubt {
  readonly question: string
  readonly answer: string
}

export interface AccessFacts {
  readonly user: User | undefined
  readonly items: readonly Api.AclItem[]
  /** The users and groups of the service; undefined: it does not tell them. */
  readonly names: ReadonlySet<string> | undefined
}

/** Users are asked about their own permissions, which they may not be able to take back, and about unknown names. */
export function doubtAbout(change: AccessChange, { user, items, names }: AccessFacts): Doubt | undefined {
  const { name } = change
  const isOwn = name === user?.name && !user.isAdmin
  switch (change.act) {
    case 'set': {
      const lost = PERMISSIONS.find(([permission]) => change.permissions[permission] === false)
      if (!isOwn || lost === undefined) return undefined
      const question = `This is your own permission (${lost[1]}). Without it you may not be able to get it back.`
      return { question, answer: 'Give it up' }
    }
    case 'remove': {
      if (!isOwn) return undefined
      const question = 'This is your own row. Without it you may not be able to get your permissions back.'
      return { question, answer: 'Remove it' }
    }
    case 'add': {
      const isKnown = names === undefined || names.has(name) || items.some(item => item.userName === name)
      if (isKnown) return undefined
      const question = `There is no user or group ${name} in the accounts of this service.`
      return { question, answer: 'The identity provider has it' }
    }
  }
}

export async function listAccess(
  client: Client,
  path: string,
  signal?: AbortSignal,
): Promise<readonly Api.AclItem[]> {
  return (await client.request('GET /acls', { domain: path }, { signal })).acls
}

/** Changes a row and returns the list then. */
export async function changeAccess(
  client: Client,
  path: string,
  change: AccessChange,
): Promise<readonly Api.AclItem[]> {
  const row = { user: change.name, domain: path }
  if (change.act === 'remove') await client.request('DELETE /acls/{user}', row)
  else {
    const body = change.act === 'add' ? { read: true } : change.permissions
    await client.request('PUT /acls/{user}', row, { body })
  }
  return listAccess(client, path)
}

/** The users and groups that lists may name; undefined: the service does not tell this user. */
export async function knownNames(
  client: Client,
  signal: AbortSignal,
): Promise<ReadonlySet<string> | undefined> {
  try {
    const { users } = await client.request('GET /users', {}, { signal })
    const groups = users.flatMap(user => user.groups.map(group => `g:${group}`))
    return new Set([...users.map(({ name }) => name), ...groups])
  } catch (error) {
    // Users who may not see the others type the names.
    if (signal.aborted || error instanceof RequestError) return undefined
    throw error
  }
}
