// Permission checks: the rules of specification 5, as pure functions. The access control list of the object and that of
// the root group are read in the order of 5.4. One rule serves both dialects: the items of user groups (`g:NAME`, of
// the object's list or, if it names none of the caller's groups, of the root's) only add to what `default` grants, and
// where the objects of a domain have no lists, the root group's list alone decides.

import { HyperslabError } from '@hyperslab/base/errors'
import type { DomainPath, ObjectId, ObjectKind } from '@hyperslab/model/names'
import {
  type Acl,
  type AclItem,
  DEFAULT_USER,
  PERMISSIONS,
  type Permission,
  type Permissions,
} from '@hyperslab/model/names'
import type { DomainEntry } from '@hyperslab/store/store'
import type { Caller, Context, OpenDomain } from '../context.ts'
import { isInScope, requireInScope } from './scope.ts'

export const ALL_PERMISSIONS: Permissions = permissionsOf(() => true)
export const NO_PERMISSIONS: Permissions = permissionsOf(() => false)
export const READ_ONLY_PERMISSIONS: Permissions = permissionsOf(permission => permission === 'read')

const GROUP_PREFIX = 'g:'

/** The six permissions, each as `grants` says. */
export function permissionsOf(grants: (permission: Permission) => boolean): Permissions {
  return {
    create: grants('create'),
    read: grants('read'),
    update: grants('update'),
    delete: grants('delete'),
    readACL: grants('readACL'),
    updateACL: grants('updateACL'),
  }
}

/**
 * The part of a caller that access control lists name; a caller without a name has only the permissions of `default`.
 */
export type Subject = Pick<Caller, 'name' | 'groups'>

/**
 * The item that decides the permissions of a user; the fallback has the name `default` too (classic 10.2). Does not
 * check whether the user is an administrator.
 */
export function effectiveItem(
  subject: Subject,
  objectAcl: Acl,
  rootAcl: Acl,
  fallback: Permissions,
): AclItem {
  return (
    ownItem(subject, objectAcl) ?? // 5.4, rule 1
    ownItem(subject, rootAcl) ?? // rule 2
    withGroups(
      defaultItem(objectAcl) ?? // rule 3
        defaultItem(rootAcl) ?? { userName: DEFAULT_USER, ...fallback }, // rules 4 and 5
      groupItems(subject, objectAcl) ?? groupItems(subject, rootAcl) ?? [],
    )
  )
}

/** No user has the name `default` or `g:NAME`, even if a token contains it: these names represent many users. */
function ownItem({ name }: Subject, acl: Acl): AclItem | undefined {
  if (name === undefined || name === DEFAULT_USER || name.startsWith(GROUP_PREFIX)) return undefined
  return acl.find(item => item.userName === name)
}

function defaultItem(acl: Acl): AclItem | undefined {
  return acl.find(item => item.userName === DEFAULT_USER)
}

/** The items of the subject's groups, or undefined when the list has none. */
function groupItems({ groups }: Subject, acl: Acl): readonly AclItem[] | undefined {
  const items = acl.filter(({ userName }) => groups.some(group => userName === GROUP_PREFIX + group))
  return items.length === 0 ? undefined : items
}

/** Group items add to the permissions of `default`, they never remove any (common 8). */
function withGroups(item: AclItem, groups: readonly AclItem[]): AclItem {
  if (groups.length === 0) return item
  return {
    userName: item.userName,
    ...permissionsOf(permission => item[permission] || groups.some(group => group[permission])),
  }
}

/** The permissions where no item matches: those of the setting, or none in a closed domain. */
export function fallbackOf(context: Context, domain: OpenDomain): Permissions {
  return domain.entry.closed ? NO_PERMISSIONS : context.settings.defaultAcl
}

/** The part of an object that permission checks read. */
export interface ProtectedObject {
  readonly acl: Acl
  readonly kind?: ObjectKind
  readonly id?: ObjectId
}

/** The permissions of a caller where these lists apply. A share gives no more than to read. */
export function heldPermissions(
  caller: Caller,
  objectAcl: Acl,
  rootAcl: Acl,
  fallback: Permissions,
): Permissions {
  const { sharedBy } = caller
  const subject = sharedBy ?? caller
  const held = subject.admin ? ALL_PERMISSIONS : effectiveItem(subject, objectAcl, rootAcl, fallback)
  return sharedBy ? (held.read ? READ_ONLY_PERMISSIONS : NO_PERMISSIONS) : held
}

/** One permission, or several of which one is enough. */
type Requirement = Permission | readonly Permission[]

function grants(permissions: Permissions, needed: Requirement): boolean {
  return typeof needed === 'string' ? permissions[needed] : needed.some(one => permissions[one])
}

/** True when the caller has the permission on the object; without one, on the root group. */
export function hasPermission(
  context: Context,
  needed: Requirement,
  domain: OpenDomain,
  object: ProtectedObject = domain.root,
): boolean {
  const { caller } = context
  if (!isInScope(caller, domain.entry.path)) return false
  // A joined domain shows no more than its files do; its owner may read it or not, and delete it in any case.
  if (needed === 'read' && !mayReadFiles(context, domain.entry)) return false
  const fallback = fallbackOf(context, domain)
  return grants(heldPermissions(caller, object.acl, domain.root.acl, fallback), needed)
}

/** Throws unless the caller has the permission. */
export function requirePermission(
  context: Context,
  needed: Requirement,
  domain: OpenDomain,
  object: ProtectedObject = domain.root,
): void {
  requireInScope(context.caller, domain.entry.path)
  if (hasPermission(context, needed, domain, object)) return
  throw denied(context, needed, `${describeProtected(object, domain)} the domain ${domain.entry.path}`)
}

/** True when the list of a folder grants the permission; `acl` undefined: neither it nor a folder above has a list. */
export function hasFolderPermission(context: Context, needed: Requirement, acl: Acl | undefined): boolean {
  const { caller, settings } = context
  const [list, fallback] = acl ? [acl, NO_PERMISSIONS] : [[], settings.defaultAcl]
  return grants(heldPermissions(caller, list, list, fallback), needed)
}

/** Whether lists of the folder above name the entry: a mounted file or folder only to callers that may read it. */
export function isListed(context: Context, { mounted, acl }: DomainEntry): boolean {
  return !mounted || hasFolderPermission(context, 'read', acl)
}

/** The entry in lists of the folder above: of a joined domain only what of its files the caller may read. */
export function asListed(context: Context, entry: DomainEntry): DomainEntry {
  if (entry.join === undefined || mayReadFiles(context, entry)) return entry
  const { damage: _, fileSize: __, fileCount: ___, ...rest } = entry
  return rest
}

function mayReadFiles(context: Context, { fileLists = [], sourceLists = [] }: DomainEntry): boolean {
  const { caller, settings } = context
  return (
    fileLists.every(list => hasFolderPermission(context, 'read', list)) &&
    sourceLists.every(({ acl, closed }) =>
      grants(heldPermissions(caller, acl, acl, closed ? NO_PERMISSIONS : settings.defaultAcl), 'read'),
    )
  )
}

/** Throws unless the list of the folder grants the permission. */
export function requireFolderPermission(
  context: Context,
  needed: Requirement,
  folder: DomainPath,
  acl: Acl | undefined,
): void {
  requireInScope(context.caller, folder)
  if (!hasFolderPermission(context, needed, acl)) throw denied(context, needed, `the folder ${folder}`)
}

/** Throws unless the caller is an administrator; `problem` completes "only an administrator may ...". */
export function requireAdmin(context: Context, problem: string): void {
  const { admin, name } = context.caller
  if (admin) return
  throw new HyperslabError(
    name === undefined ? 'not-authenticated' : 'permission-denied',
    `only an administrator may ${problem}`,
  )
}

/** Every write to the content of a domain checks this before any list (classic 3.2). */
export function requireWritable({ entry }: OpenDomain): void {
  requireDeletable(entry)
  requireStoredContents(entry)
}

/** Throws for a joined domain: only its name and the list of its root group can be changed. */
export function requireStoredContents({ path, join }: DomainEntry): void {
  if (join === undefined) return
  const message = `${path} is made of other files, and can only be read`
  throw new HyperslabError('domain-read-only', message, { subject: path })
}

/** A domain that can be deleted with its contents. */
export function requireDeletable(entry: DomainEntry): void {
  requireStored(entry)
  const { path, readOnly } = entry
  if (readOnly) {
    throw new HyperslabError('domain-read-only', `the domain ${path} is read-only`, { subject: path })
  }
}

/**
 * Throws for a mounted domain or folder, and for a table of contents: no caller can change it, its list, its name or
 * its contents.
 */
export function requireStored({ path, root, mounted, computed }: DomainEntry): void {
  if (computed) {
    const message = `the table of contents of ${path} can only be read: it follows the domains and folders there`
    throw new HyperslabError('domain-read-only', message, { subject: path })
  }
  if (!mounted) return
  const problem =
    root === undefined
      ? 'a folder of mounted files, which can only be read'
      : 'a mounted file, which can only be read'
  throw new HyperslabError('domain-read-only', `${path} is ${problem}`, { subject: path })
}

function describeProtected(object: ProtectedObject, domain: OpenDomain): string {
  if (object.id === undefined || object.id === domain.root.id) return 'the root group of'
  return `the ${object.kind ?? 'object'} ${object.id} of`
}

/** Specification 5.2: 401 for callers without credentials, 403 for authenticated ones. */
export function denied(context: Context, needed: Requirement, target: string): HyperslabError {
  const { name, sharedBy } = context.caller
  if (sharedBy) return shareNotFound()
  const permission = typeof needed === 'string' ? needed : needed.join('" or "')
  return name === undefined
    ? new HyperslabError('not-authenticated', `"${permission}" on ${target} is not public: send credentials`)
    : new HyperslabError('permission-denied', `${name} has no permission "${permission}" on ${target}`)
}

/** The answer to a share that shows nothing, or not this: nobody learns why. */
export function shareNotFound(): HyperslabError {
  const message = 'this address shows nothing: it is unknown, or it was for a time that is over'
  return new HyperslabError('share-not-found', message)
}

/** True when the item grants nothing. */
export function grantsNothing(item: AclItem): boolean {
  return PERMISSIONS.every(permission => !item[permission])
}
