// The permissions of the user in a folder, so that the page offers only possible actions.

import { folderDomain } from '../shell/address.ts'
import { rightsIn } from '../shell/rights.ts'
import type { Session } from '../shell/session.ts'

export interface FolderPermissions {
  /** Permission to create domains and folders in it. */
  readonly create: boolean
  /** Permission to read the access control list, or to change it. */
  readonly access: boolean
}

/** `path` ends with a slash. Undefined: no user has logged in where that is needed. */
export async function folderPermissions(
  session: Pick<Session, 'client' | 'user' | 'isOpen'>,
  path: string,
  signal: AbortSignal,
): Promise<FolderPermissions | undefined> {
  const { user } = session
  // The top level has no access control list: it is the administrators'.
  if (path === '/' && user !== undefined) return { create: user.isAdmin, access: false }
  const rights = await rightsIn(session, folderDomain(path), signal)
  return rights && { create: rights.create, access: rights.readACL }
}
