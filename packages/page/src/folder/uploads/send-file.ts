// Sends one file: wholly or not at all, and only if no domain has its name.

import { type Hyperslab, RequestError } from '@hyperslab/client'
import { folderDomain, parentsOf } from '../../shell/address.ts'
import type { Relogin } from '../../shell/relogin.ts'
import type { Session } from '../../shell/session.ts'
import type { Loss, Upload } from './upload.ts'

/** Whom the upload is sent for, and `connect` for a client that reports the bytes that it has sent. */
export interface Sender {
  readonly session: Pick<Session, 'client' | 'user' | 'isOpen' | 'relogin'>
  readonly connect: (relogin: Relogin, onProgress: (bytes: number) => void) => Hyperslab
}

/** Sends a file and returns its losses; undefined: a domain exists already, and the file was not sent. */
export async function sendFile(
  { session: { client, user, isOpen, relogin }, connect }: Sender,
  { folder, path, file }: Upload,
  onProgress: (bytes: number) => void,
): Promise<readonly Loss[] | undefined> {
  if (user === undefined && !isOpen) throw new Error('log in to upload files')
  await requireReadable(file)
  // This is checked first, because the service can reject a long body only while it is sent.
  if (await isThere(client, path)) return undefined
  await createFolders(client, folder, path)
  try {
    const created = await connect(relogin, onProgress).domain(path).upload(file)
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
