// Failures of LMDB, which tells only a message, as failures of the storage.

import { statfs } from 'node:fs/promises'
import { HyperslabError } from '../../../errors.ts'
import { FULL, storageFailed, storageFull } from '../system-errors.ts'

/** LMDB extends its file by pages; with less than this it may fail for want of room. */
const SCARCE_BYTES = 1 << 20

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

/** The same for an error of LMDB, on a folder whose disk may be full: LMDB takes a write that was cut short for EIO. */
export async function recordsError(error: unknown, folder: string): Promise<unknown> {
  const message = error instanceof Error ? error.message : String(error)
  const code = Object.entries(LMDB_MESSAGES).find(([text]) => message.startsWith(text))?.[1]
  if (code === undefined) return error
  if (FULL.includes(code) || (code === 'EIO' && (await hasNoRoom(folder)))) return storageFull(error)
  return storageFailed(code, error)
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
