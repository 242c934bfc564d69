// The default engine: a folder with records in LMDB and blobs in files. Several processes may have it open at once.
// A folder looks like this:
//   hyperslab.json   {"format": 2}; written first, so what lies beside it is known
//   lmdb/            data.mdb and lock.mdb
//   blobs/           a file per blob, its name's slashes as folders

import { access, mkdir, readdir, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { replaceFile } from '../../durable-file.ts'
import type { Engine, KeyValue } from '../engine.ts'
import { FileBlobs, hasCode } from './files/blobs.ts'
import { syncDirectory } from './files/directories.ts'
import { LmdbKeyValue, openRecordsToRead } from './lmdb/key-value.ts'
import { MAX_KEY_LENGTH } from './lmdb/scan.ts'
import { endProcess } from './lmdb/watchdog.ts'

/** Other processes hold LMDB's write lock for as long as a commit takes, seconds on a slow disk. */
const LOCK_WAIT_MILLISECONDS = 10_000

/** Larger values are read and written as fast in files of their own as in LMDB. */
const MAX_INLINE_BYTES = 2 ** 16

/** To be raised whenever the stored data changes so that another version of the program would read it wrongly. */
const FORMAT = 2

export interface LmdbEngineOptions {
  /** How long a commit, or opening, may take before the process is taken to be stuck; 30 seconds by default. */
  readonly commitDeadlineMilliseconds?: number
  /** How long a commit waits for another process to release the write lock before it is rejected; 10 seconds by default. */
  readonly lockWaitMilliseconds?: number
  /** Called when a commit does not end, or the store broke; by default the process ends. */
  readonly onStuck?: (reason: string) => void
  /** Files of values that may be open at once, two at least; by default as many as there are. */
  readonly openFiles?: number
}

/** Opens the data folder, and creates what is missing of it. */
export async function openLmdbEngine(folder: string, options: LmdbEngineOptions = {}): Promise<Engine> {
  const root = resolve(folder)
  await createFolder(root)
  await checkOrWriteFormat(root)
  const records = join(root, 'lmdb')
  const blobFiles = join(root, 'blobs')
  await createFolder(records)
  await createFolder(blobFiles)
  const deadline = {
    milliseconds: options.commitDeadlineMilliseconds ?? 30_000,
    onStuck: options.onStuck ?? endProcess,
  }
  const keyValue = new LmdbKeyValue(records, deadline, options.lockWaitMilliseconds ?? LOCK_WAIT_MILLISECONDS)
  await syncDirectory(records)
  const blobs = new FileBlobs(blobFiles, options.openFiles)
  return {
    keyValue,
    blobs,
    maxKeyLength: MAX_KEY_LENGTH,
    maxInlineBytes: MAX_INLINE_BYTES,
    async close() {
      await keyValue.close()
      await blobs.close()
    },
  }
}

/** What can be read of a data folder. */
export interface ReadableEngine extends Pick<Engine, 'blobs' | 'close'> {
  readonly keyValue: Pick<KeyValue, 'snapshot'>
}

/** Opens a data folder that is there, for reading; other processes may have it open. */
export async function openLmdbEngineToRead(folder: string): Promise<ReadableEngine> {
  const root = resolve(folder)
  const text = await readFormat(root)
  if (text === undefined)
    throw new Error(`${root} holds no hyperslab.json: it is not a data folder of Hyperslab`)
  checkFormat(formatFile(root), text)
  const records = join(root, 'lmdb')
  // LMDB would make a missing folder, and what it says of a missing file does not name it.
  await access(join(records, 'data.mdb'))
  const keyValue = openRecordsToRead(records)
  const blobs = new FileBlobs(join(root, 'blobs'))
  return {
    keyValue,
    blobs,
    async close() {
      await keyValue.close()
      await blobs.close()
    },
  }
}

/** With the folders above it that are missing, durably. */
async function createFolder(path: string): Promise<void> {
  const firstCreated = await mkdir(path, { recursive: true })
  if (firstCreated === undefined) return
  for (let created = path; ; created = dirname(created)) {
    await syncDirectory(dirname(created))
    if (created === firstCreated) return
  }
}

async function checkOrWriteFormat(root: string): Promise<void> {
  // In this order, since another process may be creating the same folder and writes the format before the rest.
  const hasData = (await isFilled(join(root, 'lmdb'))) || (await isFilled(join(root, 'blobs')))
  const path = formatFile(root)
  const text = await readFormat(root)
  if (text === undefined && hasData)
    throw new Error(`${root} holds data but no hyperslab.json: it is not a data folder of Hyperslab`)
  if (text === undefined) replaceFile(path, `${JSON.stringify({ format: FORMAT })}\n`, 0o666)
  else checkFormat(path, text)
}

function formatFile(root: string): string {
  return join(root, 'hyperslab.json')
}

/** Undefined: the folder has no such file. */
async function readFormat(root: string): Promise<string | undefined> {
  try {
    return await readFile(formatFile(root), 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function checkFormat(path: string, text: string): void {
  const format = formatIn(text)
  if (typeof format !== 'number')
    throw new Error(`${path} should hold {"format": ${FORMAT}} but holds ${text}`)
  if (format === FORMAT) return
  const version = format > FORMAT ? 'a newer' : 'an older'
  throw new Error(
    `${path} names the format ${format}, but this version of Hyperslab reads the format ${FORMAT}: use ${version} version`,
  )
}

function formatIn(text: string): unknown {
  try {
    const content: unknown = JSON.parse(text)
    return content !== null && typeof content === 'object' && 'format' in content ? content.format : undefined
  } catch {
    return undefined
  }
}

async function isFilled(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length > 0
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}
