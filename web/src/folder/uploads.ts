// Uploads of files to a folder: some at once, each with its progress and its error. A failed one can be tried again.

import { useCallback, useRef, useState } from 'react'
import { type Hyperslab, RequestError } from '../../../client/index.ts'
import { folderDomain, parentsOf } from '../address.ts'
import { connectUpload } from '../connect.ts'
import { messageOf } from '../errors.ts'
import type { Session } from '../session.ts'
import type { DroppedFile } from './dropped-files.ts'

interface Loss {
  readonly path: string
  readonly message: string
}

export interface Upload {
  readonly id: number
  /** That it was dropped on; it ends with a slash. */
  readonly folder: string
  /** Of the new domain. */
  readonly path: string
  readonly file: File
  readonly state: 'waiting' | 'sending' | 'done' | 'failed'
  /** Bytes. */
  readonly sent?: number | undefined
  readonly error?: string | undefined
  /** What was left out of a file that is done. */
  readonly losses?: readonly Loss[]
}

/** The service reads each file once more when it is there. */
const AT_ONCE = 2

export interface Uploads {
  readonly all: readonly Upload[]
  /** Those that have become domains since the page was opened. */
  readonly count: number
  /** `folder` ends with a slash. */
  add(files: readonly DroppedFile[], folder: string): void
  retry(upload: Upload): void
  /** Takes those that are done or failed off the list. */
  clear(): void
}

export function useUploads(session: Session): Uploads {
  const [all, setAll] = useState<readonly Upload[]>([])
  const [count, setCount] = useState(0)
  const queue = useRef<Upload[]>([])
  const running = useRef(0)
  const next = useRef(0)

  const change = useCallback((id: number, changes: Partial<Upload>) => {
    setAll(uploads => uploads.map(upload => (upload.id === id ? { ...upload, ...changes } : upload)))
  }, [])

  const start = useCallback(async () => {
    if (running.current >= AT_ONCE) return
    running.current++
    for (let upload = queue.current.shift(); upload; upload = queue.current.shift()) {
      const { id } = upload
      change(id, { state: 'sending', sent: undefined, error: undefined })
      try {
        const losses = await send(session, upload, sent => change(id, { sent }))
        change(id, { state: 'done', losses })
        setCount(before => before + 1)
      } catch (error) {
        change(id, { state: 'failed', error: messageOf(error) })
      }
    }
    running.current--
  }, [session, change])

  const enqueue = useCallback(
    (uploads: readonly Upload[]) => {
      queue.current.push(...uploads)
      for (let i = 0; i < AT_ONCE; i++) void start()
    },
    [start],
  )

  return {
    all,
    count,
    add(files, folder) {
      const uploads = files.map(
        ({ path, file }): Upload => ({
          id: next.current++,
          folder,
          path: `${folder}${path}`,
          file,
          state: 'waiting',
        }),
      )
      setAll(before => [...before, ...uploads])
      enqueue(uploads)
    },
    retry(upload) {
      change(upload.id, { state: 'waiting' })
      enqueue([upload])
    },
    clear() {
      setAll(uploads => uploads.filter(({ state }) => state === 'waiting' || state === 'sending'))
    },
  }
}

async function send(
  { client, user }: Session,
  { folder, path, file }: Upload,
  onProgress: (bytes: number) => void,
): Promise<readonly Loss[]> {
  if (user === undefined) throw new Error('log in to upload files')
  await createFolders(client, folder, path)
  const created = await connectUpload(user.authorization, onProgress).domain(path).upload(file)
  return (created && 'warnings' in created && created.warnings) || []
}

/** Creates the folders below `folder` that were dropped with the file, where they are not there. */
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
