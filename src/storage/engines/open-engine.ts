// The engine of a store whose records are in a data folder or a database of PostgreSQL, and whose values are in a data folder or a bucket
// of S3. Where the two are apart, the place of the values is marked with the id of the store, so that no other store uses it.

import { systemRandom } from '../clock.ts'
import type { BlobsEngine, Engine, KeyValue, RecordsEngine } from '../engine.ts'
import { type Identity, makeIdentity, readIdentity, requirePlace } from '../records/identity.ts'
import {
  type LmdbEngineOptions,
  openFileBlobs,
  openFileBlobsToRead,
  openLmdbEngine,
  openLmdbRecords,
  openLmdbRecordsToRead,
  type ReadableRecords,
} from './data-folder.ts'
import { joinHalves } from './join-halves.ts'

export interface EnginePlaces {
  /** The data folder, which holds what is nowhere else. */
  readonly folder: string
  /** `postgres://user@host/database`; empty: the data folder. */
  readonly records: string
  /** `s3://bucket` or `s3://bucket/prefix`; empty: the data folder. */
  readonly blobs: string
  /** The folder of the cache of blobs in S3, and its bytes; absent: none. */
  readonly cache?: { readonly folder: string; readonly maxBytes: number }
}

export interface EngineOptions extends Pick<LmdbEngineOptions, 'openFiles'> {
  /** Called with the records before anything of the blobs is used. */
  readonly prepare?: (keyValue: KeyValue) => Promise<void>
  /** Called with failures of work in the background. Default: a warning of the process. */
  readonly report?: (error: unknown) => void
  /** Called with what an operator should know of the settings of a database. Default: nothing. */
  readonly warn?: (message: string) => void
  /** A database that holds no store is an error. Default: the store is made. */
  readonly mustExist?: boolean
}

/** Opens a store, and creates what is missing of it. Throws, with what is to be done, if a place belongs to another store. */
export async function openEngine(places: EnginePlaces, options: EngineOptions = {}): Promise<Engine> {
  const { folder, blobs, cache } = places
  if (isWholeFolder(places)) return prepared(await openLmdbEngine(folder, limitsOf(options)), options)
  const records = await openRecords(places, options)
  return joinHalves(records, async () => {
    const identity = await makeIdentity(records.keyValue, systemRandom)
    const values =
      blobs === ''
        ? await openFileBlobs(folder, identity.id, limitsOf(options))
        : await openBucket(identity, blobs, cache)
    try {
      await requirePlace(records.keyValue, values.place)
    } catch (error) {
      await values.close()
      throw error
    }
    return values
  })
}

/** A store that is there, for reading, also while it is served. Nothing of it is changed. */
export async function openEngineToRead({
  folder,
  records: database,
  blobs,
}: EnginePlaces): Promise<ReadableRecords & BlobsEngine> {
  const records =
    database === ''
      ? await openLmdbRecordsToRead(folder, { isWhole: blobs === '' })
      : await openDatabaseToRead(database)
  return joinHalves(records, async () => {
    if (blobs !== '') return (await import('./s3/open-s3-blobs.ts')).openS3Blobs(blobs)
    const identity = database === '' ? undefined : await readIdentity(records.keyValue)
    return openFileBlobsToRead(folder, identity?.id)
  })
}

function limitsOf({ openFiles }: EngineOptions): Pick<LmdbEngineOptions, 'openFiles'> {
  return openFiles === undefined ? {} : { openFiles }
}

/** The records of a store, without its values. Creates what is missing, unless the store must exist. */
export async function openRecords(
  places: Omit<EnginePlaces, 'cache'>,
  options: EngineOptions = {},
): Promise<RecordsEngine> {
  return prepared(await openUnprepared(places, options), options)
}

async function openUnprepared(
  places: Omit<EnginePlaces, 'cache'>,
  options: EngineOptions,
): Promise<RecordsEngine> {
  const { folder, records } = places
  if (isWholeFolder(places)) return openLmdbEngine(folder, limitsOf(options))
  if (records === '') return openLmdbRecords(folder, limitsOf(options))
  // Most services need none of it.
  const { openPostgresRecords } = await import('./postgres/open-postgres-records.ts')
  const { report, warn, mustExist = false } = options
  return openPostgresRecords(records, { mustExist, ...(report && { report }), ...(warn && { warn }) })
}

function isWholeFolder({ records, blobs }: Pick<EnginePlaces, 'records' | 'blobs'>): boolean {
  return records === '' && blobs === ''
}

async function openDatabaseToRead(address: string): Promise<ReadableRecords> {
  const { openPostgresRecordsToRead } = await import('./postgres/open-postgres-records.ts')
  return openPostgresRecordsToRead(address)
}

/** Closes the records when they cannot be used. */
async function prepared<Records extends RecordsEngine>(
  records: Records,
  { prepare }: EngineOptions,
): Promise<Records> {
  try {
    await prepare?.(records.keyValue)
    return records
  } catch (error) {
    await records.close()
    throw error
  }
}

interface PlacedBlobs extends BlobsEngine {
  /** The id of the place. */
  readonly place: string
}

async function openBucket(
  identity: Identity,
  address: string,
  cache: EnginePlaces['cache'],
): Promise<PlacedBlobs> {
  // Most services need none of it.
  const { openS3Blobs } = await import('./s3/open-s3-blobs.ts')
  const opened = await openS3Blobs(address, { ...(cache && { cache }) })
  try {
    const place = await opened.claim(identity)
    return { ...opened, place }
  } catch (error) {
    await opened.close()
    throw error
  }
}
