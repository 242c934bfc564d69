// The changes of a folder as a component has them.

import type { Hyperslab } from '@hyperslab/client'
import { useEffect, useState } from 'react'
import { watchWindow } from '../feed/window-place.ts'
import { type Connection, followFolder } from './changes.ts'

export function useChanges(client: Hyperslab, path: string, onChange: () => void): Connection {
  const [connection, onConnection] = useState<Connection>('connecting')
  useEffect(() => {
    const { window, close } = watchWindow()
    void followFolder(client, path, { onChange, onConnection }, window)
    return close
  }, [client, path, onChange])
  return connection
}
