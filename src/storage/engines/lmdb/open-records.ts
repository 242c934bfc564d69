// Opening of a folder in LMDB.

import { existsSync } from 'node:fs'
import { link, mkdtemp, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { KeyValue } from '../../engine.ts'
import { hasCode } from '../files/blobs.ts'
import { open as openLmdb } from './lmdb.ts'
import { requireSoundPages, requireWholeFile } from './pages.ts'
import { MAX_READERS } from './reader-table.ts'
import type { Database } from './scan.ts'
import { beginReading, LmdbSnapshot } from './snapshot.ts'
import { readingError } from './storage-errors.ts'

export function openDatabase(folder: string, readOnly = false): Database {
  return openLmdb<Uint8Array, Uint8Array>({
    path: folder,
    noSubdir: false,
    encoding: 'binary',
    keyEncoding: 'binary',
    maxReaders: MAX_READERS,
    overlappingSync: false,
    eventTurnBatching: false,
    readOnly,
  })
}

/**
 * The records for reading, also beside processes that write. Of the files only `lock.mdb` is written: LMDB keeps its
 * table of readers in it, and creates it if it is missing.
 */
export function openRecordsToRead(folder: string): Pick<KeyValue, 'snapshot'> & { close(): Promise<void> } {
  requireWholeFile(folder)
  const db = openDatabase(folder, true)
  checkPages(db, folder, Number.POSITIVE_INFINITY)
  return {
    snapshot: () => new LmdbSnapshot(db, () => {}),
    close: () => db.close(),
  }
}

/**
 * At its start the engine reads all pages of a file up to this size, which takes a tenth of a second; of a larger one
 * it reads the first pages.
 */
export const MAX_CHECKED_BYTES = 2 ** 24

/** Throws `records-damaged` if a page is damaged. */
export function checkPages(db: Database, folder: string, mostBytes: number): void {
  try {
    const state = beginReading(db)
    try {
      requireSoundPages(folder, mostBytes)
    } finally {
      state.done()
    }
  } catch (error) {
    // The first error is reported.
    db.close().catch(() => undefined)
    throw readingError(error)
  }
}

/**
 * Creates the file if it does not exist, so that it appears with its first pages: an empty file is never new, but has
 * been cut short. Another process may be doing the same.
 */
export async function createRecords(folder: string): Promise<void> {
  if (existsSync(join(folder, FILE))) return
  const own = await mkdtemp(join(folder, 'new-'))
  try {
    await openDatabase(own).close()
    const file = await open(join(own, FILE), 'r')
    await file.sync().finally(() => file.close())
    await link(join(own, FILE), join(folder, FILE)).catch((error: unknown) => {
      if (existsSync(join(folder, FILE))) return undefined
      // File systems without links, such as exFAT, are not shared by several servers.
      if (hasCode(error, 'EPERM', 'ENOTSUP')) return rename(join(own, FILE), join(folder, FILE))
      throw error
    })
  } finally {
    await rm(own, { recursive: true })
  }
}

const FILE = 'data.mdb'
