// The permissions of the user in a folder, so that the page offers only possible actions.

import { RequestError } from '@hyperslab/client'
import { useEffect, useState } from 'react'
import { folderDomain } from '../shell/address.ts'
import type { Session } from '../shell/session.ts'

export interface FolderPermissions {
  /** Permission to create domains and folders in it. */
  readonly create: boolean
  /** Permission to read the access control list, or to change it. */
  readonly access: boolean
}

const NOTHING: FolderPermissions = { create: false, access: false }
const ALL: FolderPermissions = { create: true, access: true }

/**
 * `path` ends with a slash. Undefined: not known yet, or no user has logged in where that is needed. They are requested
 * again when `version` changes.
 */
export function useFolderPermissions(
  { client, user, isOpen }: Session,
  path: string,
  version: number,
): FolderPermissions | undefined {
  const [permissions, setPermissions] = useState<FolderPermissions>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version is asked for like a new path
  useEffect(() => {
    if (user === undefined) {
      setPermissions(isOpen ? { create: true, access: false } : undefined)
      return
    }
    // The top level has no access control list: it is the administrators'.
    if (path === '/') {
      setPermissions({ create: user.isAdmin, access: false })
      return
    }
    const abort = new AbortController()
    const parameters = { user: user.name, domain: folderDomain(path), effective: 1 }
    client
      .request('GET /acls/{user}', parameters, { signal: abort.signal })
      .then(({ acl }) => setPermissions({ create: acl.create, access: acl.readACL }))
      .catch((reason: unknown) => {
        if (abort.signal.aborted) return
        // In a missing folder the user can create nothing. In one that the user may not read, it may be possible.
        const isGone = reason instanceof RequestError && (reason.status === 404 || reason.status === 410)
        setPermissions(isGone ? NOTHING : ALL)
      })
    return () => abort.abort()
  }, [client, user, isOpen, path, version])
  return permissions
}
