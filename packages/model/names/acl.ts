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
