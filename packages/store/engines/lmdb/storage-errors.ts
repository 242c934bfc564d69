// Failures of LMDB, which have only a message, as failures of the storage.

import { statfs } from 'node:fs/promises'
import { HyperslabError } from '@hyperslab/base/errors'
import { FULL, storageFailed, storageFull } from '../system-errors.ts'

/** LMDB extends its file by pages; with less free space than this it may fail. */
const SCARCE_BYTES = 1 << 20

/** The beginnings of LMDB's messages about damaged pages. */
const DAMAGE = /^(MDB_CORRUPTED|MDB_PAGE_NOTFOUND|MDB_INVALID|MDB_VERSION_MISMATCH|MDB_CURSOR_FULL)/

/** The error of a store whose records cannot all be read. `problem` describes the damage in the file of the records. */
export function recordsDamaged(problem: string, cause?: unknown): HyperslabError {
  const message =
    `the records of the store are damaged (data.mdb: ${problem}): restore the data folder from a copy that ` +
    'hyperslab copy has made, ' +
    'or from a backup'
  return new HyperslabError('records-damaged', message, { cause })
}

/** The error for the caller: a new one if LMDB has found damage. */
export function readingError(error: unknown): unknown {
  const message = error instanceof Error ? error.message : String(error)
  return DAMAGE.test(message) ? recordsDamaged(message, error) : error
}

/** The beginnings of LMDB's messages about these failures. */
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
  if (code === undefined) return readingError(error)
  if (FULL.includes(code) || (code === 'EIO' && (await hasNoRoom(folder)))) return storageFull(error)
  return storageFailed(code, error)
}

/** Whether the disk of the folder is almost full. */
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
