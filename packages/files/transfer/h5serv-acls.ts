// The access control lists of a file that h5serv has served, with the names of users in the place of their numbers. A
// list is taken over whole or not at all, because a domain must not be more open than it was in h5serv.

import { HyperslabError } from '@hyperslab/base/errors'
import type { FileAddress } from '@hyperslab/h5/reader'
import { type Acl, type AclItem, DEFAULT_USER } from '@hyperslab/model/names'
import { type SourceFile, tableAttempt } from './found-objects.ts'
import { type NumberedItem, TABLE_PATH } from './h5serv-table.ts'

/** The users that h5serv knows by numbers. */
export interface ListUsers {
  /** The names by the numbers of h5serv's password file; absent: there is no such file. */
  readonly names?: ReadonlyMap<number, string>
}

/**
 * The lists by the addresses of their objects. `users` absent: they are left out, with a warning. Throws when a list
 * cannot be read, or names users by numbers and there is no password file.
 */
export async function readAcls(
  file: SourceFile,
  users: ListUsers | undefined,
): Promise<ReadonlyMap<FileAddress, Acl>> {
  const { reader, table, losses, signal } = file
  const acls = new Map<FileAddress, Acl>()
  if (!table.isThere) return acls
  for (const name of await table.strangers(tableAttempt(file))) {
    losses.add(
      `${TABLE_PATH}/${name}`,
      'it is left out: a group of this name in the root group is the table of h5serv',
    )
  }
  const lists = await table.lists(work => {
    signal.throwIfAborted()
    return users ? work() : tableAttempt(file)(work)
  })
  if (!users) {
    if (lists.size > 0)
      losses.add(
        TABLE_PATH,
        'its access control lists are left out: only "hyperslab import" into a data folder takes them over',
      )
    return acls
  }
  for (const [address, items] of lists) {
    const named: AclItem[] = []
    for (const item of items) {
      const userName = nameOf(item, users, reader.pathOf(address))
      const { user: _, ...flags } = item
      if (userName !== undefined) named.push({ userName, ...flags })
      else
        losses.add(
          reader.pathOf(address),
          `the item of the user ${item.user} in its access control list is left out: the password file has no user of this number`,
        )
    }
    acls.set(address, named)
  }
  return acls
}

/** Undefined: there is a password file, and it has no such user. */
function nameOf({ user }: NumberedItem, { names }: ListUsers, path: string): string | undefined {
  if (user === 0) return DEFAULT_USER
  if (names) return names.get(user)
  throw new HyperslabError(
    'file-unreadable',
    `the access control list of ${path} names the user ${user} of h5serv's password file: give this file with --password-file`,
  )
}
