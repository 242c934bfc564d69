// The access control lists of objects; `/acls` of a domain is the list of its root group. Lists can be changed in a
// read-only domain too: they say who may read it.

import { HyperslabError } from '../errors.ts'
import { type Acl, type AclItem, DEFAULT_USER, type Permissions } from '../hdf5/acl.ts'
import type { ObjectReference } from '../hdf5/object-id.ts'
import { effectiveItem, fallbackOf, permissionsOf } from './access.ts'
import type { Context, OpenDomain, WriteContext } from './context.ts'
import { openObject } from './objects.ts'

/** What is to change about one item: flags not named stay, or are false in a new item. */
export interface AclChange {
  readonly userName: string
  readonly permissions: Partial<Permissions>
}

/** The items defined on that object, in the order of their definition. */
export async function listAcl(context: Context, domain: OpenDomain, object: ObjectReference): Promise<Acl> {
  const { acl } = await openObject(context, domain, object.kind, object.id, 'readACL')
  return acl
}

/**
 * The user's item. If there is none: what counts for him and the name of the item that says so (contract 10, 10.2),
 * or with `items: 'stored'` an error; then `read` is enough for one's own item and that of `default` (20, section 9).
 */
export async function getAclItem(
  context: Context,
  domain: OpenDomain,
  object: ObjectReference,
  userName: string,
  { items = 'effective' }: { readonly items?: 'effective' | 'stored' } = {},
): Promise<AclItem> {
  const isOpen = items === 'stored' && (userName === DEFAULT_USER || userName === context.caller.name)
  const { acl } = await openObject(context, domain, object.kind, object.id, isOpen ? 'read' : 'readACL')
  const own =
    acl.find(item => item.userName === userName) ?? domain.root.acl.find(item => item.userName === userName)
  if (own) return own
  if (items === 'stored') {
    const message = `the domain ${domain.entry.path} has no item of "${userName}"`
    throw new HyperslabError('acl-not-found', message, { subject: userName })
  }
  if (!isKnown(context, userName)) {
    throw new HyperslabError('user-not-found', `there is no user "${userName}"`, { subject: userName })
  }
  const groups = context.settings.groupsOf?.(userName) ?? []
  return effectiveItem({ name: userName, groups }, acl, domain.root.acl, fallbackOf(context, domain))
}

/** Sets several items at once: all of them or none. Items of users not named stay (contract 00, decision 19). */
export async function putAclItems(
  context: WriteContext,
  domain: OpenDomain,
  object: ObjectReference,
  changes: readonly AclChange[],
): Promise<void> {
  const { acl, id } = await openObject(context, domain, object.kind, object.id, 'updateACL')
  // A Map keeps an existing item in its place and puts a new one last.
  const items = new Map(acl.map(item => [item.userName, item]))
  for (const { userName, permissions } of changes) {
    const item = items.get(userName)
    if (!item && !isKnown(context, userName)) {
      throw new HyperslabError('acl-user-unknown', `there is no user "${userName}" to give permissions to`, {
        subject: userName,
      })
    }
    const merged = permissionsOf(permission => permissions[permission] ?? item?.[permission] ?? false)
    items.set(userName, { userName, ...merged })
  }
  await context.writer.setAcl(id, [...items.values()])
  if (id === domain.root.id) {
    // A domain's list is that of its root group, so the domain has changed (contract 20, 1.8).
    await context.writer.putDomain({ ...domain.entry, lastModified: context.now })
  }
}

function isKnown(context: Context, userName: string): boolean {
  return userName === DEFAULT_USER || context.settings.isKnownUser(userName)
}
