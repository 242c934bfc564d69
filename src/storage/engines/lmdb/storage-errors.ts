// Failures of the disk and of the system under the data folder. They are no defects of the service: the answer says that
// the storage failed, without paths, so that the caller can try again; the cause is for the log.

import { statfs } from 'node:fs/promises'
import { HyperslabError } from '../../../errors.ts'

/** LMDB extends its file by pages; with less than this it may fail for want of room. */
const SCARCE_BYTES = 1 << 20

/** What the system calls a full disk and a used-up quota. */
const FULL = ['ENOSPC', 'EDQUOT']

/** Failures that may pass, or that an operator can mend. What is absent is damage, and none of these. */
const FAILURES = [
  'EACCES',
  'EBUSY',
  'EFBIG',
  'EIO',
  'EMFILE',
  'ENFILE',
  'ENODEV',
  'ENOMEM',
  'ENXIO',
  'EPERM',
  'EROFS',
  'ESTALE',
  'ETIMEDOUT',
]

/** How LMDB begins the messages of these failures. */
const LMDB_MESSAGES: Readonly<Record<string, string>> = {
  'Cannot allocate memory': 'ENOMEM',
  'File too large': 'EFBIG',
  'Input/output error': 'EIO',
  'No space left on device': 'ENOSPC',
  'Disk quota exceeded': 'EDQUOT',
  'Operation not permitted': 'EPERM',
  'Permission denied': 'EACCES',
  'Read-only file system': 'EROFS',
  'Too many open files': 'EMFILE',
}

export function storageFull(cause: unknown): HyperslabError {
  return new HyperslabError('storage-full', 'the disk of the data folder is full; nothing was changed', {
    cause,
  })
}

/** The error for the caller: another one if a file could not be used for a reason that lies outside of the service. */
export function fileError(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (FULL.includes(code)) return storageFull(error)
  return FAILURES.includes(code) ? storageFailed(code, error) : error
}

/** The same for an error of LMDB, on a folder whose disk may be full: LMDB takes a write that was cut short for EIO. */
export async function recordsError(error: unknown, folder: string): Promise<unknown> {
  const message = error instanceof Error ? error.message : String(error)
  const code = Object.entries(LMDB_MESSAGES).find(([text]) => message.startsWith(text))?.[1]
  if (code === undefined) return error
  if (FULL.includes(code) || (code === 'EIO' && (await hasNoRoom(folder)))) return storageFull(error)
  return storageFailed(code, error)
}

function storageFailed(code: string, cause: unknown): HyperslabError {
  const message = `the storage of the service failed (${code}); its log has the cause: try again later`
  return new HyperslabError('storage-failed', message, { cause })
}

/** Whether the disk that holds the folder has next to no room left. */
async function hasNoRoom(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize < SCARCE_BYTES
}

export function isTableFull(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('MDB_READERS_FULL')
}

export function tooManySnapshots(limit: number, cause: unknown): HyperslabError {
  const message = `no more than ${limit} states of the data can be read at once: try again later`
  return new HyperslabError('too-many-snapshots', message, { cause })
}
