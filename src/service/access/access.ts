// Who may do what: the rules of specification 5, as pure functions. A list of the object and a list of the root group
// are asked in the order of 5.4; one rule serves both dialects, because groups of users (`g:NAME`, of the object's list
// or, if it names none of the caller's, of the root's) only add to what `default` grants, and a domain whose objects
// have no lists is decided by its root alone.

import { HyperslabError } from '../../errors.ts'
import {
  type Acl,
  type AclItem,
  DEFAULT_USER,
  PERMISSIONS,
  type Permission,
  type Permissions,
} from '../../hdf5/acl.ts'
import type { ObjectId, ObjectKind } from '../../hdf5/object-id.ts'
import type { Caller, Context, OpenDomain } from '../context.ts'

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

/** A user as the lists see him: nobody in particular when he has no name. */
export type Subject = Pick<Caller, 'name' | 'groups'>

/**
 * What the lists say of a user, by the name of the item that says it: `default` for the fallback too (classic 10.2).
 * Whether he is an administrator is not asked here.
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

/** Nobody is called `default` or `g:NAME`, whatever a token says: these names mean many. */
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

/** Groups add to what everybody may do, they never take away (common 8). */
function withGroups(everybody: AclItem, groups: readonly AclItem[]): AclItem {
  if (groups.length === 0) return everybody
  return {
    userName: everybody.userName,
    ...permissionsOf(permission => everybody[permission] || groups.some(item => item[permission])),
  }
}

/** What counts where no item matches: the setting, or nothing in a closed domain. */
export function fallbackOf(context: Context, domain: OpenDomain): Permissions {
  return domain.entry.closed ? NO_PERMISSIONS : context.settings.defaultAcl
}

/** An object of a domain as the lists see it. */
export interface Guarded {
  readonly acl: Acl
  readonly kind?: ObjectKind
  readonly id?: ObjectId
}

/** A permission, or several of which one is enough. */
type Needed = Permission | readonly Permission[]

function grants(permissions: Permissions, needed: Needed): boolean {
  return typeof needed === 'string' ? permissions[needed] : needed.some(one => permissions[one])
}

/** True when the caller has the permission on the object; without one, on the root group. */
export function hasPermission(
  context: Context,
  needed: Needed,
  domain: OpenDomain,
  object: Guarded = domain.root,
): boolean {
  const { caller } = context
  if (caller.admin) return true
  const fallback = fallbackOf(context, domain)
  return grants(effectiveItem(caller, object.acl, domain.root.acl, fallback), needed)
}

/** Denies unless the caller has it. */
export function requirePermission(
  context: Context,
  needed: Needed,
  domain: OpenDomain,
  object: Guarded = domain.root,
): void {
  if (hasPermission(context, needed, domain, object)) return
  throw denied(context, needed, `${placeOf(object, domain)} the domain ${domain.entry.path}`)
}

/** True when the list of a folder grants the permission; `acl` undefined: no folder on the way has a list. */
export function hasFolderPermission(context: Context, needed: Needed, acl: Acl | undefined): boolean {
  const { caller, settings } = context
  if (caller.admin) return true
  return grants(acl ? effectiveItem(caller, acl, acl, NO_PERMISSIONS) : settings.defaultAcl, needed)
}

/** Denies unless it does. */
export function requireFolderPermission(
  context: Context,
  needed: Needed,
  folder: string,
  acl: Acl | undefined,
): void {
  if (!hasFolderPermission(context, needed, acl)) throw denied(context, needed, `the folder ${folder}`)
}

/** Denies unless the caller is an administrator; `what` completes "only an administrator may ...". */
export function requireAdmin(context: Context, what: string): void {
  const { admin, name } = context.caller
  if (admin) return
  throw new HyperslabError(
    name === undefined ? 'not-authenticated' : 'permission-denied',
    `only an administrator may ${what}`,
  )
}

/** Every write of a domain's content asks this before any list (classic 3.2). */
export function requireWritable(domain: OpenDomain): void {
  const { path, readOnly } = domain.entry
  if (readOnly) {
    throw new HyperslabError('domain-read-only', `the domain ${path} is read-only`, { subject: path })
  }
}

function placeOf(object: Guarded, domain: OpenDomain): string {
  if (object.id === undefined || object.id === domain.root.id) return 'the root group of'
  return `the ${object.kind ?? 'object'} ${object.id} of`
}

/** Specification 5.2: 401 is for those who have not said who they are, 403 for those who have. */
export function denied(context: Context, needed: Needed, place: string): HyperslabError {
  const { name } = context.caller
  const permission = typeof needed === 'string' ? needed : needed.join('" or "')
  return name === undefined
    ? new HyperslabError(
        'not-authenticated',
        `"${permission}" on ${place} is not open to everybody: identify yourself`,
      )
    : new HyperslabError('permission-denied', `${name} has no permission "${permission}" on ${place}`)
}

/** True when the item grants nothing. */
export function grantsNothing(item: AclItem): boolean {
  return PERMISSIONS.every(permission => !item[permission])
}
