// The changes of a folder while the page is in sight: a window that nobody sees has no connection.

import type { Hyperslab } from '@hyperslab/client'
import { useEffect, useState } from 'react'
import { type Connection, followFolder } from './changes.ts'

export function useChanges(client: Hyperslab, path: string, onChange: () => void): Connection {
  const [connection, onConnection] = useState<Connection>('connecting')
  const isSeen = useIsSeen()
  useEffect(() => {
    if (!isSeen) return
    const abort = new AbortController()
    void followFolder(client, path, { onChange, onConnection }, abort.signal)
    return () => abort.abort()
  }, [client, path, onChange, isSeen])
  return connection
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
