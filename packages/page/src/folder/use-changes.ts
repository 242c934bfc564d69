// The changes of a folder, told by the service while the page is in sight: a window that nobody sees has no connection.

import { type Hyperslab, RequestError } from '@hyperslab/client'
import { useEffect, useState } from 'react'
import { folderDomain } from '../shell/address.ts'

/** `lost`: the page tries to connect again. `none`: the service tells this user no changes. */
export type Connection = 'connecting' | 'live' | 'lost' | 'none'

/**
 * Calls `onChange` for each change of an entry of the folder, and when changes may have been missed. Changes below its
 * folders are theirs.
 */
export function useChanges(client: Hyperslab, path: string, onChange: () => void): Connection {
  const [connection, setConnection] = useState<Connection>('connecting')
  const isSeen = useIsSeen()
  useEffect(() => {
    if (!isSeen) return
    const abort = new AbortController()
    const { signal } = abort
    const onConnection = (isConnected: boolean) => setConnection(isConnected ? 'live' : 'lost')
    const follow = async () => {
      for await (const item of client.events(folderDomain(path), { signal, onConnection })) {
        if (item.type !== 'event' || isEntryOf(path, item.domain)) onChange()
      }
    }
    follow().catch((reason: unknown) => {
      if (signal.aborted) return
      // Without the feed, the folder is as it was when it was opened.
      setConnection('none')
      if (!(reason instanceof RequestError || reason instanceof TypeError)) throw reason
    })
    return () => abort.abort()
  }, [client, path, onChange, isSeen])
  return connection
}

/** Whether a changed domain or folder is in the folder, which ends with a slash, not deeper. */
function isEntryOf(path: string, changed: string): boolean {
  return changed.startsWith(path) && !changed.slice(path.length).includes('/')
}

function useIsSeen(): boolean {
  const [isSeen, setSeen] = useState(() => !document.hidden)
  useEffect(() => {
    const follow = () => setSeen(!document.hidden)
    document.addEventListener('visibilitychange', follow)
    return () => document.removeEventListener('visibilitychange', follow)
  }, [])
  return isSeen
}
