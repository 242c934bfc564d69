// The permissions of the user in a folder as a component has them.

import { useEffect, useState } from 'react'
import type { Session } from '../shell/session.ts'
import { type FolderPermissions, folderPermissions } from './permissions.ts'

/** Undefined: not known yet, or not at all. They are requested again when `version` changes. */
export function useFolderPermissions(
  { client, user, isOpen }: Session,
  path: string,
  version: number,
): FolderPermissions | undefined {
  const [permissions, setPermissions] = useState<FolderPermissions>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version is asked for like a new path
  useEffect(() => {
    const abort = new AbortController()
    void folderPermissions({ client, user, isOpen }, path, abort.signal).then(found => {
      if (!abort.signal.aborted) setPermissions(found)
    })
    return () => abort.abort()
  }, [client, user, isOpen, path, version])
  return permissions
}
