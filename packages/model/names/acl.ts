// Access control lists: items of a user name and six permissions (specification 2.3, 5.1). `default` is every user that
// the list does not name; `g:NAME` is every member of a group of users.

import type { DomainPath } from './domain-path.ts'

export const PERMISSIONS = ['create', 'read', 'update', 'delete', 'readACL', 'updateACL'] as const
export type Permission = (typeof PERMISSIONS)[number]
export type Permissions = Readonly<Record<Permission, boolean>>

export interface AclItem extends Permissions {
  readonly userName: string
  /** The domain or folder on which a request put the item; inherited with it. */
  readonly origin?: DomainPath
}

/** Items in the order of their first definition. Each user name occurs once. */
export type Acl = readonly AclItem[]

export const DEFAULT_USER = 'default'

/** The name of callers without login; their item is that of `default`. */
export const ANONYMOUS_USER = 'anonymous'

/** Whether the name represents all users, in any capitalisation. */
export function isNameOfEverybody(name: string): boolean {
  return [DEFAULT_USER, ANONYMOUS_USER].includes(name.toLowerCase())
}

/** The most characters of the name of an account. */
export const ACCOUNT_NAME_LENGTH = 64
const ACCOUNT_NAME = new RegExp(`^[A-Za-z0-9_.@-]{1,${ACCOUNT_NAME_LENGTH}}$`)
/** The rule of `isAccountName`, which follows "must" in messages. */
export const ACCOUNT_NAME_RULE = `have 1 to ${ACCOUNT_NAME_LENGTH} letters, digits or characters of _ . - @`

/** Whether an account can have the name: in the records, or at an identity provider. */
export function isAccountName(name: string): boolean {
  return ACCOUNT_NAME.test(name)
}

/** Whether the name represents several users, or looks like one that does; no user can have such a name. */
export function isNameOfMany(name: string): boolean {
  return isNameOfEverybody(name) || name.startsWith('g:')
}
