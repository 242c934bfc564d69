// The access control lists of objects and of folders; `/acls` of a domain is the list of its root group. Lists can be
// changed in a read-only domain too, because they grant access to it.

import { HyperslabError } from '@hyperslab/base/errors'
import {
  type Acl,
  type AclItem,
  DEFAULT_USER,
  type DomainPath,
  type ObjectReference,
  type Permission,
  type Permissions,
} from '@hyperslab/model/names'
import {
  effectiveItem,
  fallbackOf,
  grantsNothing,
  heldPermissions,
  NO_PERMISSIONS,
  permissionsOf,
  requireFolderPermission,
  requireStored,
  requireStoredContents,
} from './access/access.ts'
import type { Context, OpenDomain, WriteContext } from './context.ts'
import { mayCreateIn } from './domains/domain-creation.ts'
import { type OpenFolder, openDomainOrFolder } from './domains/domains.ts'
import { openObject } from './objects/objects.ts'
import { requireItemName } from './user-names.ts'

/** Items of an access control list: each request to the domain reads them. @limit safety, items */
export const MAX_ITEMS = 1000

/** A change of one item: flags that it does not name stay, or are false in a new item. */
export interface AclChange {
  readonly userName: string
  readonly permissions: Partial<Permissions>
}

/** An item before and after a change; absent: there was none, or there is none now. */
export interface ChangedItem {
  readonly userName: string
  readonly before?: Permissions
  readonly after?: Permissions
}

/** The owner of a list. */
export type AclOwner =
  | { readonly domain: OpenDomain; readonly object: ObjectReference }
  | { readonly folder: OpenFolder }

/** The owner of the list of a path: the root group of a domain, or a folder. */
export async function findAclOwner(context: Context, path: DomainPath): Promise<AclOwner> {
  const opened = await openDomainOrFolder(context, path)
  return 'root' in opened
    ? { domain: opened, object: { kind: 'group', id: opened.root.id } }
    : { folder: opened }
}

/** Throws unless the caller has the permission on the domain or folder, or one of several. */
export async function requirePathAccess(
  context: Context,
  path: DomainPath,
  permission: Permission | readonly Permission[],
): Promise<void> {
  await openList(context, await findAclOwner(context, path), permission)
}

/**
 * The items of that object or folder, in the order of their creation; `inherited`: followed by those of the root group
 * that apply to the object too.
 */
export async function listAcl(
  context: Context,
  listed: AclOwner,
  { inherited = false }: { readonly inherited?: boolean } = {},
): Promise<Acl> {
  const { acl, rootAcl } = await openList(context, listed, 'readACL')
  if (!inherited) return acl
  const named = new Set(acl.map(item => item.userName))
  return [...acl, ...rootAcl.filter(item => !named.has(item.userName))]
}

/**
 * The user's item. Without one: the user's permissions with the name of the item that grants them (classic 10.2), or
 * with `items: 'stored'` an error; then `read` is enough for the caller's own item and that of `default` (hsds-objects
 * 9).
 */
export async function getAclItem(
  context: Context,
  listed: AclOwner,
  userName: string,
  { items = 'effective' }: { readonly items?: 'effective' | 'stored' } = {},
): Promise<AclItem> {
  const { caller, settings } = context
  const isOpen = items === 'stored' && (userName === DEFAULT_USER || userName === caller.name)
  const list = await openList(context, listed, isOpen ? ['readACL', 'read'] : 'readACL')
  const own =
    list.acl.find(item => item.userName === userName) ?? list.rootAcl.find(item => item.userName === userName)
  if (own) return own
  if (items === 'stored') throw noItem(list.target, userName)
  if (!isKnown(context, userName)) {
    throw new HyperslabError('user-not-found', `there is no user "${userName}"`, { subject: userName })
  }
  const groups = userName === caller.name ? caller.groups : (settings.groupsOf?.(userName) ?? [])
  return effectiveItem({ name: userName, groups }, list.acl, list.rootAcl, list.fallback)
}

/**
 * The permissions of the caller, as an item: also those of an administrator, and without an item for the caller.
 * Mounted objects can only be read (hsds-objects 9).
 */
export async function getOwnPermissions(context: Context, listed: AclOwner): Promise<AclItem> {
  const { caller } = context
  const { acl, rootAcl, fallback } = await openList(context, listed, ['readACL', 'read'])
  const { entry } = 'folder' in listed ? listed.folder : listed.domain
  const granted = heldPermissions(caller, acl, rootAcl, fallback)
  const create = 'folder' in listed ? mayCreateIn(context, listed.folder.acl) : granted.create
  const held: Permissions = { ...granted, create }
  const isForReading = entry.mounted || caller.scope?.writes === false
  return {
    userName: caller.name ?? DEFAULT_USER,
    ...permissionsOf(permission => held[permission] && (!isForReading || READING.has(permission))),
  }
}

const READING: ReadonlySet<Permission> = new Set(['read', 'readACL'])

/**
 * Sets several items at once: all of them or none. Items of users that `changes` does not name stay (classic 10.4).
 * With `names: 'any'` a name need not be known: some users are known only to the identity provider.
 */
export async function putAclItems(
  context: WriteContext,
  listed: AclOwner,
  changes: readonly AclChange[],
  { names = 'known' }: { readonly names?: 'known' | 'any' } = {},
): Promise<readonly ChangedItem[]> {
  const { acl, origin, store } = await openList(context, listed, 'updateACL')
  const list = withItems(context, acl, changes, { origin, names })
  await store(context, list.acl)
  return list.changed
}

/** A list after changes of its items, and these changes. */
export interface ChangedList {
  readonly acl: Acl
  readonly changed: readonly ChangedItem[]
}

/** The list with the items of the changes; `origin` is the domain or folder of the request. */
export function withItems(
  context: Context,
  acl: Acl,
  changes: readonly AclChange[],
  { origin, names }: { readonly origin: DomainPath; readonly names: 'known' | 'any' },
): ChangedList {
  // A Map keeps an existing item in its place and puts a new one last.
  const items = new Map(acl.map(item => [item.userName, item]))
  const changed: ChangedItem[] = []
  for (const { userName, permissions } of changes) {
    const item = items.get(userName)
    if (!item) requireItemName(userName)
    if (!item && names === 'known') requireKnownName(context, userName)
    const merged = permissionsOf(permission => permissions[permission] ?? item?.[permission] ?? false)
    items.set(userName, { userName, ...merged, origin })
    changed.push({ userName, ...(item && { before: item }), after: merged })
  }
  if (items.size > MAX_ITEMS) {
    throw new HyperslabError(
      'malformed-acl',
      `an access control list has at most ${MAX_ITEMS} items, not ${items.size}: a group of users (g:NAME) ` +
        'counts as one item',
    )
  }
  return { acl: [...items.values()], changed }
}

/** Throws unless a user or a group of users has the name, or an identity provider may know it. */
export function requireKnownName(context: Context, name: string): void {
  if (isKnown(context, name)) return
  throw new HyperslabError(
    'acl-user-unknown',
    `there is no user "${name}": only known users and groups (g:NAME) can get permissions`,
    { subject: name },
  )
}

/** Removes an item: the caller that it named has the permissions of everybody else from then on. */
export async function deleteAclItem(
  context: WriteContext,
  listed: AclOwner,
  userName: string,
): Promise<readonly ChangedItem[]> {
  const { acl, target, store } = await openList(context, listed, 'updateACL')
  const before = acl.find(item => item.userName === userName)
  if (before === undefined) throw noItem(target, userName)
  await store(
    context,
    acl.filter(item => item !== before),
  )
  return [{ userName, before }]
}

function noItem(target: string, userName: string): HyperslabError {
  const message = `the access control list of the ${target} has no item of "${userName}"`
  return new HyperslabError('acl-not-found', message, { subject: userName })
}

/** A list, the list of the root group that is read after it, and the permissions if neither has an item. */
interface OpenList {
  readonly acl: Acl
  readonly rootAcl: Acl
  readonly fallback: Permissions
  /** The name of the target in messages. */
  readonly target: string
  readonly origin: DomainPath
  readonly store: (context: WriteContext, acl: Acl) => Promise<void>
}

/** The list; throws unless the caller has the permission, or one of several. */
function openList(
  context: Context,
  listed: AclOwner,
  needed: Permission | readonly Permission[],
): Promise<OpenList> {
  const changes = typeof needed === 'string' && needed !== 'readACL'
  if (changes) requireStored('folder' in listed ? listed.folder.entry : listed.domain.entry)
  if (changes && 'domain' in listed && listed.object.id !== listed.domain.root.id)
    requireStoredContents(listed.domain.entry)
  if ('folder' in listed) {
    requireFolderPermission(context, needed, listed.folder.entry.path, listed.folder.acl)
    return Promise.resolve(folderList(context, listed.folder))
  }
  return objectList(context, listed.domain, listed.object, needed)
}

async function objectList(
  context: Context,
  domain: OpenDomain,
  { kind, id }: ObjectReference,
  needed: Permission | readonly Permission[],
): Promise<OpenList> {
  const { acl } = await openObject(context, domain, kind, id, needed)
  return {
    acl,
    rootAcl: domain.root.acl,
    fallback: fallbackOf(context, domain),
    target: `domain ${domain.entry.path}`,
    origin: domain.entry.path,
    async store({ writer, now }, changed) {
      await writer.setAcl(id, changed)
      // A domain's list is that of its root group, so the domain has changed (hsds-objects 1.8).
      if (id === domain.root.id) await writer.putDomain({ ...domain.entry, lastModified: now })
    },
  }
}

/** A folder without a list of its own shows the one that applies to it, and gets its own when that is changed. */
function folderList(context: Context, { entry, acl }: OpenFolder): OpenList {
  const items = acl ?? unlisted(context)
  return {
    acl: items,
    rootAcl: items,
    fallback: NO_PERMISSIONS,
    target: `folder ${entry.path}`,
    origin: entry.path,
    store: ({ writer, now }, changed) => writer.putDomain({ ...entry, acl: changed, lastModified: now }),
  }
}

/** The permissions when no folder has a list, as a list, so that the first change to it removes no permission. */
export function unlisted({ settings: { defaultAcl, newDomains } }: Context): Acl {
  const create = defaultAcl.create && newDomains === 'anyone'
  const item = { userName: DEFAULT_USER, ...defaultAcl, create }
  return grantsNothing(item) ? [] : [item]
}

function isKnown(context: Context, userName: string): boolean {
  return userName === DEFAULT_USER || context.settings.isKnownUser(userName)
}
