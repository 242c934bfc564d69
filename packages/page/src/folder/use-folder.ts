// The entries of a folder: loaded page after page, names first, and again when something has changed.

import type { Api, Hyperslab } from '@hyperslab/client'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type Retry, useRetry } from '../common/use-retry.ts'
import { sizeOf } from './contents.ts'
import { type Connection, useChanges } from './use-changes.ts'

const PAGE_SIZE = 1000
/** The least time from a change to the list that shows it. */
const PAUSE_MS = 500
/** Times as long as the list takes, it is not read again. */
const PAUSE_FACTOR = 10

export interface FolderState {
  readonly rows: readonly Api.ListedDomain[]
  /** Undone by an upload, until its domain is listed: an empty folder does not say then that it is empty. */
  readonly isComplete: boolean
  readonly retry: Retry
  readonly reload: () => void
  readonly connection: Connection
}

const NO_ROWS: FolderState['rows'] = []

/** They are loaded again when the number of `uploads` grows. */
export function useFolder(client: Hyperslab, path: string, uploads: number): FolderState {
  const [state, setState] = useState({ rows: NO_ROWS, isComplete: false, uploads })
  const [changes, setChanges] = useState(0)
  const retry = useRetry(client)
  const { attempt, fail, succeed } = retry
  const [uploadsBefore] = useState(uploads)
  const reload = useCallback(() => setChanges(before => before + 1), [])
  const loadTime = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout>>()
  // Changes that come together are one, and a long list is read a small part of the time.
  const reloadSoon = useCallback(() => {
    timer.current ??= setTimeout(
      () => {
        timer.current = undefined
        reload()
      },
      Math.max(PAUSE_MS, PAUSE_FACTOR * loadTime.current),
    )
  }, [reload])
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (uploads !== uploadsBefore) reloadSoon()
  }, [uploads, uploadsBefore, reloadSoon])
  const connection = useChanges(client, path, reloadSoon)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt lists it again; uploads do so soon
  useEffect(() => {
    const abort = new AbortController()
    const { signal } = abort
    const list = async (verbose: boolean) => {
      const all: Api.ListedDomain[] = []
      // The list is shown each time that its length has doubled, because all are sorted each time.
      let nextShown = PAGE_SIZE
      for await (const row of client.folder(path, { pageSize: PAGE_SIZE, verbose, signal })) {
        all.push(row)
        // While it is read again, the old rows stay.
        if (verbose || changes > 0 || all.length < nextShown) continue
        setState({ rows: [...all], isComplete: false, uploads })
        nextShown = 2 * all.length
      }
      return all
    }
    const load = async () => {
      const start = performance.now()
      // Names come first. The sizes of stored domains take longer; those of mounted files come with the names.
      const rows = await list(false)
      const hasSizes = rows.every(row => row.class === 'folder' || sizeOf(row) !== undefined)
      if (hasSizes || changes === 0) setState({ rows, isComplete: true, uploads })
      if (!hasSizes) setState({ rows: await list(true), isComplete: true, uploads })
      loadTime.current = performance.now() - start
    }
    load().then(succeed, (error: unknown) => {
      if (signal.aborted) return
      setState(({ rows }) => ({ rows, isComplete: false, uploads }))
      fail(error)
    })
    return () => abort.abort()
  }, [client, path, changes, attempt, fail, succeed])
  const { rows } = state
  const isComplete = state.isComplete && state.uploads === uploads
  return { rows, isComplete, retry, reload, connection }
}
