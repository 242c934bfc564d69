// The default engine: a folder with records in LMDB and blobs in files. Several processes may have it open at once. The
// blobs may be elsewhere. A folder looks like this:
//   hyperslab.json {"format": 7}; written first, so it describes all that is beside it. With "holds": "records", the
//   blobs
//                    are elsewhere; with "blobs", the records are
//   lmdb/ data.mdb and lock.mdb; in lmdb/commands/, the sockets by which commands use the records through a service
//   blobs/ a file per blob, its name's slashes as folders

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { access, mkdir, readdir, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { createFile, replaceFile } from '@hyperslab/base/files'
import type { BlobsEngine, KeyValue, RecordsEngine } from '../interfaces/engine.ts'
import { FileBlobs, hasCode } from './files/blobs.ts'
import { syncDirectory } from './files/directories.ts'
import { keepFromOthers } from './files/private-folder.ts'
import { endProcess } from './lmdb/end-process.ts'
import { LmdbKeyValue } from './lmdb/key-value.ts'
import { createRecords, openRecords, openRecordsToRead } from './lmdb/open-records.ts'
import { requireSoundPages, requireWholeFile } from './lmdb/pages.ts'
import { MAX_KEY_LENGTH } from './lmdb/scan.ts'
import { recordsDamaged } from './lmdb/storage-errors.ts'
import { type ServedRecords, serveRecords } from './served/serve-records.ts'
import { connectToService, type ServedKeyValue } from './served/served-key-value.ts'
import { connectToAll } from './served/sockets.ts'

const RECORDS = 'lmdb'
const BLOBS = 'blobs'

/** Another process holds LMDB's write lock for the time of its commit: seconds on a slow disk. */
const LOCK_WAIT_MILLISECONDS = 10_000

/**
 * Bytes of a value that is a record: longer ones are read and written as fast in files of their own as in LMDB.
 * @limit speed, bytes, bench/results.md#062-limits-of-speed
 */
const MAX_INLINE_BYTES = 2 ** 16

/**
 * The format must get a new number whenever a change of the stored data would make another version of the program read
 * them wrongly.
 */
const FORMAT = 7
/**
 * Formats without checksums of blobs, without patches of chunks, without notes of folders, without events, or without
 * quotas. Such a folder can be read, and gets the current format when it is served or imported into.
 */
const OLDER_FORMATS: readonly unknown[] = [2, 3, 4, 5, 6]
const LOCATION_ID_BYTES = 16

export interface FolderOptions {
  /** The time after which a commit, or the opening, is taken to be stuck; 30 seconds by default. */
  readonly commitDeadlineMilliseconds?: number
  /**
   * The time for which a commit waits for the write lock of another process before it is rejected; 10 seconds by
   * default.
   */
  readonly lockWaitMilliseconds?: number
  /** Called when a commit does not end, or the store is broken; by default the process ends. */
  readonly onStuck?: (reason: string) => void
  /** Called with warnings for the operator. Default: nothing is called. */
  readonly warn?: (message: string) => void
  /** Files of values that may be open at once, two at least; by default there is no limit. */
  readonly openFiles?: number
  /** Default: it is raised. */
  readonly olderFormat?: OlderFormat
}

/**
 * The fate of a store of an older format: it keeps it, because nothing is written that needs the current one; or it is
 * refused; or it gets the current one, which `warn` says and earlier versions cannot open.
 */
export type OlderFormat = 'keep' | 'refuse' | 'raise'

/** Opens the records in a data folder; missing parts of it are created. */
export async function openFolderRecords(
  folder: string,
  contents: Contents,
  options: FolderOptions = {},
): Promise<RecordsEngine> {
  const root = await openFolder(folder, contents, options)
  const records = join(root, RECORDS)
  // The records come first, because another process may be creating the same store in this order.
  if (
    contents.holds === undefined &&
    (await isFilled(join(root, BLOBS))) &&
    !existsSync(join(records, 'data.mdb'))
  )
    throw recordsDamaged('the file is missing')
  await createFolder(records)
  await keepFromOthers(records, options.warn ?? ignore)
  await createRecords(records)
  const deadline = {
    milliseconds: options.commitDeadlineMilliseconds ?? 30_000,
    onStuck: options.onStuck ?? endProcess,
  }
  const keyValue = new LmdbKeyValue(await openRecords(records, deadline.milliseconds), {
    folder: records,
    deadline,
    lockWaitMilliseconds: options.lockWaitMilliseconds ?? LOCK_WAIT_MILLISECONDS,
    ...(options.warn && { warn: options.warn }),
  })
  await syncDirectory(records)
  return {
    keyValue,
    recordBytes: () => keyValue.bytes(),
    processes: () => keyValue.processes(),
    maxKeyLength: MAX_KEY_LENGTH,
    maxInlineBytes: MAX_INLINE_BYTES,
    close: () => keyValue.close(),
  }
}

/**
 * Lets commands use the records that this process has opened in the folder. Undefined: that is not possible here.
 * Throws if the socket for it cannot be made.
 */
export function serveFolderRecords(folder: string, keyValue: KeyValue): Promise<ServedRecords | undefined> {
  return serveRecords(join(resolve(folder), RECORDS), keyValue, FORMAT)
}

/** The records in a data folder through a service that has it open. Undefined: there is none. */
export async function openServedRecords(
  folder: string,
  contents: Contents,
): Promise<(RecordsEngine & { readonly keyValue: ServedKeyValue }) | undefined> {
  const root = resolve(folder)
  const keyValue = await connectToService(join(root, RECORDS), FORMAT)
  if (keyValue === undefined) return undefined
  try {
    await requireFolder(folder, contents)
  } catch (error) {
    await keyValue.close()
    throw error
  }
  return {
    keyValue,
    maxKeyLength: MAX_KEY_LENGTH,
    maxInlineBytes: MAX_INLINE_BYTES,
    close: () => keyValue.close(),
  }
}

/** Opens the records in an existing data folder, for reading; other processes may have it open. */
export async function openFolderRecordsToRead(folder: string, contents: Contents): Promise<ReadableRecords> {
  const records = join(await requireFolder(folder, contents), RECORDS)
  const served = await openServedRecords(folder, contents)
  if (served !== undefined) {
    await checkServedPages(records, served)
    return served
  }
  // LMDB would create a missing folder, and its message about a missing file does not name the file.
  await access(join(records, 'data.mdb'))
  const keyValue = await openRecordsToRead(records)
  return { keyValue, close: () => keyValue.close() }
}

/** Throws `records-damaged` if a page is damaged, before the service reads it, which could end the service. */
async function checkServedPages(
  records: string,
  { keyValue, close }: { readonly keyValue: ServedKeyValue; close(): Promise<void> },
): Promise<void> {
  try {
    requireWholeFile(records)
    const snapshot = keyValue.snapshot()
    await keyValue.opened()
    requireSoundPages(records, Number.POSITIVE_INFINITY)
    snapshot.close()
  } catch (error) {
    await close()
    throw error
  }
}

/** Blobs, and the id of their location; an empty id: the records are in the same folder. */
export interface LocatedBlobs extends BlobsEngine {
  readonly locationId: string
}

/** Opens the blobs in a data folder. Missing parts of it are created, unless it must exist. */
export async function openFolderBlobs(
  folder: string,
  contents: Contents,
  {
    openFiles,
    warn = ignore,
    mustExist = false,
    ...options
  }: Pick<FolderOptions, 'openFiles' | 'olderFormat' | 'warn'> & { readonly mustExist?: boolean } = {},
): Promise<LocatedBlobs> {
  const open = mustExist ? requireFolder : openFolder
  const root = await open(folder, contents, { ...options, warn })
  const files = join(root, BLOBS)
  if (!mustExist) {
    await createFolder(files)
    await keepFromOthers(files, warn)
  }
  const { place } = parseFormat((await readFormat(root)) ?? '')
  const blobs = new FileBlobs(files, openFiles)
  return { blobs, locationId: typeof place === 'string' ? place : '', close: () => blobs.close() }
}

/** The records of a store, for reading. */
export interface ReadableRecords {
  readonly keyValue: Pick<KeyValue, 'snapshot'>
  close(): Promise<void>
}

/** The contents of a data folder, which `hyperslab.json` describes beside the format. */
export interface Contents {
  /** Absent: a whole store. */
  readonly holds?: 'records' | 'blobs'
  /** The id of the store that a folder of `blobs` belongs to. */
  readonly store?: string
}

/** Opens or creates the folder with the file that describes it, and returns its path. */
async function openFolder(
  folder: string,
  contents: Contents,
  options: Pick<FolderOptions, 'olderFormat' | 'warn'>,
): Promise<string> {
  const root = resolve(folder)
  await createFolder(root)
  // The file comes first, because another process may be creating the same folder in this order.
  const hasData = (await isFilled(join(root, RECORDS))) || (await isFilled(join(root, BLOBS)))
  const path = formatFile(root)
  let text = await readFormat(root)
  if (text === undefined) {
    if (hasData)
      throw new Error(`${root} holds data but no hyperslab.json: it is not a data folder of Hyperslab`)
    createFile(path, `${JSON.stringify({ format: FORMAT, ...contents, ...newLocation(contents) })}\n`, 0o666)
    // Another process may have written the file meanwhile.
    text = await readFormat(root)
  }
  checkFormat(path, text ?? '', contents)
  const { format } = parseFormat(text ?? '')
  if (format !== FORMAT && options.olderFormat !== 'keep') await raiseFormat(root, Number(format), options)
  return root
}

/**
 * The format is written before the first blob with checksums and the first patch. Other processes that do this at the
 * same time write the same bytes.
 */
async function raiseFormat(
  root: string,
  older: number,
  { olderFormat = 'raise', warn = ignore }: Pick<FolderOptions, 'olderFormat' | 'warn'>,
): Promise<void> {
  const path = formatFile(root)
  if (olderFormat === 'refuse') throw new Error(refusedFormat(path, older, FORMAT))
  const services = await connectToAll(join(root, RECORDS))
  for (const socket of services) socket.destroy()
  const written = parseFormat((await readFormat(root)) ?? '')
  // Another process of this version may have done it meanwhile.
  if (written.format === FORMAT) return
  if (services.length > 0)
    throw new Error(
      `a service of an earlier version has ${root} open: end it, so that the format can be raised`,
    )
  replaceFile(path, `${JSON.stringify({ ...written, format: FORMAT })}\n`, 0o666)
  warn(raisedFormat(root, older, FORMAT))
}

export function refusedFormat(place: string, older: number, current: number): string {
  return (
    `${place} has the format ${older}, and this version writes the format ${current}, which earlier versions cannot ` +
    'read: back it up, and raise it with `hyperslab serve --upgrade true`'
  )
}

export function raisedFormat(place: string, older: number, current: number): string {
  return `${place} had the format ${older} and has the format ${current} now: earlier versions cannot open it any more`
}

/** A random id by which a store recognizes the folder that has only its values. */
function newLocation({ holds }: Contents): { readonly place?: string } {
  return holds === 'blobs' ? { place: randomBytes(LOCATION_ID_BYTES).toString('hex') } : {}
}

async function requireFolder(folder: string, contents: Contents): Promise<string> {
  const root = resolve(folder)
  const text = await readFormat(root)
  if (text === undefined)
    throw new Error(`${root} holds no hyperslab.json: it is not a data folder of Hyperslab`)
  checkFormat(formatFile(root), text, contents)
  return root
}

/** Creates the folder, and those above it that are missing, durably. */
async function createFolder(path: string): Promise<void> {
  const firstCreated = await mkdir(path, { recursive: true })
  if (firstCreated === undefined) return
  for (let created = path; ; created = dirname(created)) {
    await syncDirectory(dirname(created))
    if (created === firstCreated) return
  }
}

/** For callers that have no operator to warn. */
function ignore(): void {}

function formatFile(root: string): string {
  return join(root, 'hyperslab.json')
}

/** The text of hyperslab.json; undefined: the folder has no such file. */
async function readFormat(root: string): Promise<string | undefined> {
  try {
    return await readFile(formatFile(root), 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function checkFormat(path: string, text: string, expected: Contents): void {
  const { format, holds, store } = parseFormat(text)
  if (typeof format !== 'number')
    throw new Error(`${path} should hold {"format": ${FORMAT}} but holds ${text}`)
  if (format !== FORMAT && !OLDER_FORMATS.includes(format)) {
    const version = format > FORMAT ? 'a newer' : 'an older'
    throw new Error(
      `${path} names the format ${format}, but this version of Hyperslab reads the format ${FORMAT}: use ` +
        `${version} version`,
    )
  }
  if (holds !== expected.holds) throw new Error(otherContents(holds))
  if (store !== expected.store)
    throw new Error('the folder holds the values of another store than the setting "records" names')
}

/** The contents of a folder, and the settings for it, in words. */
function otherContents(holds: unknown): string {
  if (holds === 'records')
    return 'the folder holds only the records of a store: the setting "blobs" must say where its values are'
  if (holds === 'blobs')
    return 'the folder holds only the values of a store: the setting "records" must say where its records are'
  return 'the folder holds a whole store: leave out the settings "records" and "blobs", or move the store with hyperslab copy'
}

/** The members of the JSON object; none if the text is not a JSON object. */
function parseFormat(text: string): Partial<Record<'format' | 'holds' | 'store' | 'place', unknown>> {
  try {
    const content: unknown = JSON.parse(text)
    return content !== null && typeof content === 'object' ? content : {}
  } catch {
    return {}
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
