// The permissions of the user in a folder, so that the page offers only possible actions.

import { RequestError } from '@hyperslab/client'
import { folderDomain } from '../shell/address.ts'
import type { Session } from '../shell/session.ts'

export interface FolderPermissions {
  /** Permission to create domains and folders in it. */
  readonly create: boolean
  /** Permission to read the access control list, or to change it. */
  readonly access: boolean
}

/** `path` ends with a slash. Undefined: no user has logged in where that is needed. */
export async function folderPermissions(
  { client, user, isOpen }: Pick<Session, 'client' | 'user' | 'isOpen'>,
  path: string,
  signal: AbortSignal,
): Promise<FolderPermissions | undefined> {
  if (user === undefined) return isOpen ? { create: true, access: false } : undefined
  // The top level has no access control list: it is the administrators'.
  if (path === '/') return { create: user.isAdmin, access: false }
  const parameters = { user: user.name, domain: folderDomain(path), effective: 1 }
  try {
    const { acl } = await client.request('GET /acls/{user}', parameters, { signal })
    return { create: acl.create, access: acl.readACL }
  } catch (error) {
    // In a missing folder the user can create nothing. In one that the user may not read, it may be possible.
    const isGone = error instanceof RequestError && (error.status === 404 || error.status === 410)
    return { create: !isGone, access: !isGone }
  }
}
