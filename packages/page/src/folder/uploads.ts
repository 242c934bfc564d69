// Uploads of files to a folder: some at once, each with its progress and its error. Each is sent wholly or not at all,
// and only if no domain has its name: trying again, or dropping the same files again, sends the missing ones.

import { type Hyperslab, RequestError } from '@hyperslab/client'
import { useCallback, useRef, useState } from 'react'
import { messageOf } from '../common/errors.ts'
import { folderDomain, parentsOf } from '../shell/address.ts'
import { connectUpload } from '../shell/connect.ts'
import type { Session } from '../shell/session.ts'
import type { DroppedFile } from './dropped-files.ts'
import { type Beginning, sentBytes } from './upload-total.ts'

interface Loss {
  readonly path: string
  readonly message: string
}

export interface Upload {
  readonly id: number
  /** The folder that it was dropped on; it ends with a slash. */
  readonly folder: string
  /** The path of the new domain. */
  readonly path: string
  readonly file: File
  /** The state; `there` means that a domain of that name existed already, so the file was not sent. */
  readonly state: 'waiting' | 'sending' | 'done' | 'there' | 'failed'
  /** Bytes. */
  readonly sent?: number | undefined
  readonly error?: string | undefined
  /** Losses of a file that is done. */
  readonly losses?: readonly Loss[]
}

/** Uploads at once: the service reads each file again after it has received it. */
const AT_ONCE = 2

export interface Uploads {
  readonly all: readonly Upload[]
  /** Files that have become domains since the page was opened. */
  readonly count: number
  readonly beginning: Beginning
  /** `folder` ends with a slash. Files for paths that are being uploaded are skipped. */
  add(files: readonly DroppedFile[], folder: string): void
  /** Tries the failed uploads of the list once more. */
  retry(uploads: readonly Upload[]): void
  /** Removes finished uploads from the list. */
  clear(): void
}

export function useUploads(session: Session): Uploads {
  const [all, setAll] = useState<readonly Upload[]>([])
  const [count, setCount] = useState(0)
  const queue = useRef<Upload[]>([])
  const running = useRef(0)
  const next = useRef(0)
  const beginning = useRef<Beginning>({ time: 0, sent: 0 })

  /** Uploads are added and changed while nothing is drawn: the list is that of the ref. */
  const list = useRef<readonly Upload[]>([])
  const update = useCallback((changed: (uploads: readonly Upload[]) => readonly Upload[]) => {
    list.current = changed(list.current)
    setAll(list.current)
  }, [])

  const change = useCallback(
    (id: number, changes: Partial<Upload>) => {
      update(uploads => uploads.map(upload => (upload.id === id ? { ...upload, ...changes } : upload)))
    },
    [update],
  )

  const start = useCallback(async () => {
    if (running.current >= AT_ONCE) return
    running.current++
    for (let upload = queue.current.shift(); upload; upload = queue.current.shift()) {
      const { id } = upload
      change(id, { state: 'sending', sent: undefined, error: undefined })
      try {
        const losses = await send(session, upload, sent => change(id, { sent }))
        change(id, losses ? { state: 'done', losses } : { state: 'there' })
        if (losses) setCount(before => before + 1)
      } catch (error) {
        change(id, { state: 'failed', error: messageOf(error) })
      }
    }
    running.current--
  }, [session, change])

  const enqueue = useCallback(
    (uploads: readonly Upload[]) => {
      if (running.current === 0)
        beginning.current = { time: performance.now(), sent: sentBytes(list.current) }
      queue.current.push(...uploads)
      for (let i = 0; i < AT_ONCE; i++) void start()
    },
    [start],
  )

  const retry = useCallback(
    (uploads: readonly Upload[]) => {
      const ids = new Set(uploads.map(({ id }) => id))
      const failed = list.current.filter(({ id, state }) => state === 'failed' && ids.has(id))
      for (const { id } of failed) change(id, { state: 'waiting' })
      enqueue(failed)
    },
    [change, enqueue],
  )

  return {
    all,
    count,
    beginning: beginning.current,
    add(files, folder) {
      const busy = new Set(list.current.filter(isBusy).map(({ path }) => path))
      const uploads = files
        .map(
          ({ path, file }): Upload => ({
            id: next.current++,
            folder,
            path: `${folder}${path}`,
            file,
            state: 'waiting',
          }),
        )
        .filter(({ path }) => !busy.has(path))
      const paths = new Set(uploads.map(({ path }) => path))
      // The outcome of an earlier upload to the same path is dropped.
      update(before => [...before.filter(({ path }) => !paths.has(path)), ...uploads])
      enqueue(uploads)
    },
    retry,
    clear() {
      update(uploads => uploads.filter(isBusy))
    },
  }
}

export function isBusy({ state }: Upload): boolean {
  return state === 'waiting' || state === 'sending'
}

/** Sends a file and returns its losses; undefined: a domain exists already, and the file was not sent. */
async function send(
  { client, user, isOpen, relogin }: Session,
  { folder, path, file }: Upload,
  onProgress: (bytes: number) => void,
): Promise<readonly Loss[] | undefined> {
  if (user === undefined && !isOpen) throw new Error('log in to upload files')
  await requireReadable(file)
  // This is checked first, because the service can reject a long body only while it is sent.
  if (await isThere(client, path)) return undefined
  await createFolders(client, folder, path)
  try {
    const created = await connectUpload(relogin, onProgress).domain(path).upload(file)
    return (created && 'warnings' in created && created.warnings) || []
  } catch (error) {
    // Another request was faster.
    if (error instanceof RequestError && error.status === 409 && (await isThere(client, path)))
      return undefined
    throw error
  }
}

/** Throws if the browser cannot read the file: it reads a file only in the state in which it was chosen. */
async function requireReadable(file: File): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer()
  } catch {
    throw new Error('the file has changed or is gone since it was chosen: choose it again')
  }
}

async function isThere(client: Hyperslab, path: string): Promise<boolean> {
  try {
    return 'root' in (await client.domain(path).describe())
  } catch (error) {
    // The upload reports the error.
    if (error instanceof RequestError) return false
    throw error
  }
}

/** Creates missing folders below `folder` that were dropped with the file. */
async function createFolders(client: Hyperslab, folder: string, path: string): Promise<void> {
  const below = parentsOf(path).slice(parentsOf(folder).length, -1)
  for (const { path } of below) {
    try {
      await client.request('PUT /', { domain: folderDomain(path) }, { body: { folder: true } })
    } catch (error) {
      if (!(error instanceof RequestError) || error.status !== 409) throw error
    }
  }
}
