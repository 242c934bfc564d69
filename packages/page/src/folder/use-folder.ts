// The entries of a folder as a component has them.

import type { Hyperslab } from '@hyperslab/client'
import { useCallback, useEffect, useState } from 'react'
import { later } from '../common/clock.ts'
import { type Retry, useRetry } from '../common/use-retry.ts'
import type { Connection } from './changes.ts'
import { type Listed, listedAfter, listFolder, NOTHING_LISTED, ReloadTimer } from './listing.ts'
import { useChanges } from './use-changes.ts'

export interface FolderState extends Listed {
  readonly retry: Retry
  readonly reload: () => void
  readonly connection: Connection
}

/** They are loaded again when the number of `uploads` grows. */
export function useFolder(client: Hyperslab, path: string, uploads: number): FolderState {
  const [state, setState] = useState({ ...NOTHING_LISTED, uploads })
  const [changes, setChanges] = useState(0)
  const retry = useRetry(client)
  const { attempt, fail, succeed } = retry
  const [uploadsBefore] = useState(uploads)
  const reload = useCallback(() => setChanges(before => before + 1), [])
  const [timer] = useState(() => new ReloadTimer(reload, later))
  useEffect(() => timer.stop, [timer])
  useEffect(() => {
    if (uploads !== uploadsBefore) timer.soon()
  }, [uploads, uploadsBefore, timer])
  const connection = useChanges(client, path, timer.soon)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt lists it again; uploads do so soon
  useEffect(() => {
    const abort = new AbortController()
    const load = async () => {
      const start = performance.now()
      for await (const listed of listFolder(client, path, changes > 0, abort.signal))
        setState({ ...listed, uploads })
      timer.took(performance.now() - start)
    }
    load().then(succeed, (error: unknown) => {
      if (abort.signal.aborted) return
      setState(({ rows }) => ({ rows, isComplete: false, uploads }))
      fail(error)
    })
    return () => abort.abort()
  }, [client, path, changes, attempt, fail, succeed, timer])
  return { ...listedAfter(state, state.uploads, uploads), retry, reload, connection }
}
