// Opening of a folder in LMDB, to commit or only to read. LMDB itself compares nothing: here the file is checked, the
// number of the newest state is put right, and processes are refused that LMDB cannot tell from each other.

import { existsSync } from 'node:fs'
import { link, mkdtemp, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import type { KeyValue } from '../../interfaces/engine.ts'
import { hasCode } from '../files/blobs.ts'
import { ABORT, isRepaired, open as openLmdb } from './lmdb.ts'
import { requireSoundPages, requireWholeFile } from './pages.ts'
import { foreignProcesses, requireOwnProcesses } from './process-locks.ts'
import { MAX_READERS, readReaderTable } from './reader-table.ts'
import type { Database } from './scan.ts'
import { beginReading, LmdbSnapshot } from './snapshot.ts'
import { StateNumbers } from './state-numbers.ts'
import { readingError } from './storage-errors.ts'
import { openGuarded } from './write-lock.ts'

/** A folder that is open in LMDB. */
interface OpenFolder {
  /** The database for snapshots. */
  readonly reading: Database
  /** Undefined: on a file system on which nothing can be written, LMDB reads without locks. */
  readonly numbers: StateNumbers | undefined
  close(): Promise<void>
}

/** A folder that is open to commit. */
export interface OpenRecords extends OpenFolder {
  /** The database for commits: while its transaction is open, all reads through it are in that transaction. */
  readonly writing: Database
  readonly numbers: StateNumbers
}

/**
 * Opens a folder to commit. Throws `records-damaged` if the file has been cut short or is otherwise damaged. Ends the
 * process if another one holds the write lock for the given time.
 */
export async function openRecords(folder: string, milliseconds: number): Promise<OpenRecords> {
  requireWholeFile(folder)
  return openAgain(async () => {
    const { reading, writing, numbers } = openGuarded(milliseconds, () => {
      const reading = openDatabase(folder)
      const writing = openDatabase(folder)
      const numbers = new StateNumbers(folder)
      putNumberRight(writing, numbers)
      return { reading, writing, numbers }
    })
    const close = async () => {
      await writing.close()
      await reading.close()
      numbers.close()
    }
    await checkOpened({ reading, numbers, close }, folder, MAX_CHECKED_BYTES)
    return { reading, writing, numbers, close }
  })
}

/**
 * The records for reading, also beside processes that write. Of the files only `lock.mdb` is written: LMDB keeps its
 * table of readers in it, and creates it if it is missing.
 */
export async function openRecordsToRead(
  folder: string,
): Promise<Pick<KeyValue, 'snapshot'> & { close(): Promise<void> }> {
  requireWholeFile(folder)
  return openAgain(async () => {
    const reading = openDatabase(folder, true)
    const numbers = openNumbers(folder)
    const close = async () => {
      await reading.close()
      numbers?.close()
    }
    await checkOpened({ reading, numbers, close }, folder, Number.POSITIVE_INFINITY)
    return { snapshot: () => new LmdbSnapshot(reading, numbers, () => {}), close }
  })
}

function openNumbers(folder: string): StateNumbers | undefined {
  try {
    return new StateNumbers(folder)
  } catch (error) {
    if (hasCode(error, 'EROFS', 'EACCES', 'EPERM', 'ENOENT')) return undefined
    throw error
  }
}

function openDatabase(folder: string, readOnly = false): Database {
  const db = openLmdb<Uint8Array, Uint8Array>({
    path: folder,
    noSubdir: false,
    encoding: 'binary',
    keyEncoding: 'binary',
    maxReaders: MAX_READERS,
    overlappingSync: false,
    eventTurnBatching: false,
    readOnly,
  })
  return db as Database
}

/** The number of times that a folder without usable locks is opened. */
const OPENINGS = 20
const PAUSE_MILLISECONDS = 20

/**
 * LMDB's messages when the last other user of a folder has closed it meanwhile, and with it the locks for which this
 * process waited (ITS#9278; our build of LMDB does not), or was killed when it had not yet made them. The files
 * themselves have been checked.
 */
const NO_LOCKS = /^(Invalid argument|MDB_INVALID|MDB_VERSION_MISMATCH)/

/**
 * Opens a folder; again if its locks are not usable. The pauses are random, so that one of several processes finds it
 * closed, and makes new locks.
 */
async function openAgain<T>(open: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await open()
    } catch (error) {
      const hasNoLocks = error instanceof Error && NO_LOCKS.test(error.message)
      if (!hasNoLocks || attempt === OPENINGS) throw error
      // lmdb-js closes a folder that it has failed to open when its object is collected; until then it stays as it is.
      collectGarbage()
      await SYSTEM_CLOCK.sleep(Math.random() * PAUSE_MILLISECONDS * attempt)
    }
  }
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

/**
 * Puts the number of the newest state right, which this opening or another one may have set back, before anything is
 * read.
 */
function putNumberRight(db: Database, numbers: StateNumbers): void {
  let isRight = false
  while (!isRight) {
    db.transactionSync(() => {
      isRight = numbers.confirmBase(db.getWriteTxnId())
      return ABORT
    })
  }
}

/**
 * At its start the engine reads all pages of a file up to this size, which takes a tenth of a second; of a larger one
 * it reads the first pages.
 * @limit safety, bytes
 */
const MAX_CHECKED_BYTES = 2 ** 24

/** Closes the folder, and throws, if a page is damaged or a process has it open that is not known here. */
async function checkOpened(
  { reading, numbers, close }: OpenFolder,
  folder: string,
  mostBytes: number,
): Promise<void> {
  const listProcesses = () => {
    reading.readerCheck()
    return readReaderTable(reading.readerList()).processes
  }
  try {
    // LMDB could not begin to read, and lmdb-js would not say why. Our build has removed the rows of dead processes.
    const hasOwnId = isRepaired && numbers?.isFirst && listProcesses().has(String(process.pid))
    if (hasOwnId) throw foreignProcesses([String(process.pid)])
    const state = beginReading(reading, numbers)
    try {
      requireSoundPages(folder, mostBytes)
      if (numbers) requireOwnProcesses(folder, listProcesses)
    } finally {
      state.done()
    }
  } catch (error) {
    await close()
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
