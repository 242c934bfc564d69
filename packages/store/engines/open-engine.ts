// Opens the engine of a store at a location: records and blobs are opened where they are, and joined. If the two are in
// different locations, that of the values is marked with the id of the store, so that no other store uses it.

import { join } from 'node:path'
import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { systemRandom } from '../clock.ts'
import type { Blobs, BlobsEngine, Engine, KeyValue, RecordsEngine } from '../interfaces/engine.ts'
import { noteAllFolders } from '../records/folders.ts'
import {
  type Identity,
  makeIdentity,
  readIdentity,
  requireValuesLocation,
  takeIdentity,
} from '../records/identity.ts'
import {
  type FolderOptions,
  type LocatedBlobs,
  openFolderBlobs,
  openFolderRecords,
  openFolderRecordsToRead,
  openServedRecords,
  type ReadableRecords,
} from './data-folder.ts'
import { joinHalves } from './join-halves.ts'
import { isInFolder, type StoreLocation } from './location.ts'
import { ServedKeyValue } from './served/served-key-value.ts'

export interface EngineOptions extends FolderOptions {
  /** The store, or its records alone, will be used, so it is no longer an unused copy. Absent: it may be a copy. */
  readonly use?: 'store' | 'records'
  /** Called with failures of work in the background. Default: a warning of the process. */
  readonly report?: (error: unknown) => void
  /** A database that holds no store is an error. Default: the store is created. */
  readonly mustExist?: boolean
  /** Records in a folder that a service has open are used through the service. Default: they are opened beside it. */
  readonly throughService?: boolean
  /** Bytes of blobs in S3 that are kept in the data folder. Default: none. */
  readonly blobCacheSize?: number
}

/** Opens a store, and creates missing parts of it. If a location belongs to another store, throws with the remedy. */
export async function openEngine(location: StoreLocation, options: EngineOptions = {}): Promise<Engine> {
  const records = await openRecords(location, options)
  const { keyValue } = records
  return joinHalves(records, async () => {
    const opened = await openBlobs(location, keyValue, options)
    return keyValue instanceof ServedKeyValue
      ? { ...opened, blobs: putAfterSnapshots(opened.blobs, keyValue) }
      : opened
  })
}

/** Opens an existing store for reading, also while it is served. Nothing of it is changed. */
export async function openEngineToRead(location: StoreLocation): Promise<ReadableRecords & BlobsEngine> {
  const { dataFolder, records: recordsLocation, blobs } = location
  const records =
    recordsLocation.kind === 'folder'
      ? await openFolderRecordsToRead(dataFolder, contentsOf(location))
      : await (await postgres()).openPostgresRecords(recordsLocation.address, {
          toRead: true,
          report: () => undefined,
        })
  return joinHalves<ReadableRecords>(records, async () => {
    if (blobs.kind === 's3') return (await s3()).openS3Blobs(blobs.address)
    const identity = recordsLocation.kind === 'folder' ? undefined : await readIdentity(records.keyValue)
    return openFolderBlobs(dataFolder, identity ? valuesOf(identity) : {}, { mustExist: true })
  })
}

/** Opens the records of a store, without its values. Missing parts are created, unless the store must exist. */
export async function openRecords(
  location: StoreLocation,
  options: EngineOptions = {},
): Promise<RecordsEngine> {
  const { dataFolder, records: recordsLocation } = location
  const { use, report, warn, mustExist = false, throughService = false, olderFormat } = options
  const records =
    recordsLocation.kind === 'folder'
      ? (throughService && (await openServedRecords(dataFolder, contentsOf(location)))) ||
        (await openFolderRecords(dataFolder, contentsOf(location), options))
      : await (await postgres()).openPostgresRecords(recordsLocation.address, {
          mustExist,
          toRead: olderFormat === 'keep',
          ...(olderFormat && { olderFormat }),
          ...(report && { report }),
          ...(warn && { warn }),
        })
  try {
    await prepareUse(records.keyValue, use)
    return records
  } catch (error) {
    await records.close()
    throw error
  }
}

async function prepareUse(keyValue: KeyValue, use: EngineOptions['use']): Promise<void> {
  if (use === undefined) return
  await takeIdentity(keyValue)
  if (use === 'store')
    await noteAllFolders(keyValue, Math.max(SYSTEM_CLOCK.now() * 1000, keyValue.newestTime))
}

/** A blob is put when the service has opened the snapshots that keep the sweeper from deleting it. */
function putAfterSnapshots(blobs: Blobs, keyValue: ServedKeyValue): Blobs {
  return {
    parallelism: blobs.parallelism,
    put: async (name, pieces) => {
      await keyValue.opened()
      await blobs.put(name, pieces)
    },
    read: (name, offset, into) => blobs.read(name, offset, into),
    readCompared: (name, offset, into) => blobs.readCompared(name, offset, into),
    size: name => blobs.size(name),
    hasChecksums: name => blobs.hasChecksums(name),
    delete: name => blobs.delete(name),
    list: prefix => blobs.list(prefix),
  }
}

async function openBlobs(
  location: StoreLocation,
  keyValue: KeyValue,
  options: EngineOptions,
): Promise<BlobsEngine> {
  if (isInFolder(location)) return openFolderBlobs(location.dataFolder, {}, options)
  const identity = await makeIdentity(keyValue, systemRandom)
  const values = await openLocatedBlobs(location, identity, options)
  try {
    await requireValuesLocation(keyValue, values.locationId)
    return values
  } catch (error) {
    await values.close()
    throw error
  }
}

async function openLocatedBlobs(
  { dataFolder, blobs }: StoreLocation,
  identity: Identity,
  options: EngineOptions,
): Promise<LocatedBlobs> {
  if (blobs.kind === 'folder') return openFolderBlobs(dataFolder, valuesOf(identity), options)
  const { blobCacheSize: maxBytes = 0, warn } = options
  const opened = await (await s3()).openS3Blobs(
    blobs.address,
    maxBytes > 0 ? { cache: { folder: join(dataFolder, 'cache'), maxBytes, ...(warn && { warn }) } } : {},
  )
  try {
    return { ...opened, locationId: await opened.claim(identity) }
  } catch (error) {
    await opened.close()
    throw error
  }
}

/** The description of a data folder with the records. */
function contentsOf({ blobs }: StoreLocation) {
  return blobs.kind === 'folder' ? {} : ({ holds: 'records' } as const)
}

/** The description of a data folder with the values of a store whose records are elsewhere. */
function valuesOf({ id }: Identity) {
  return { holds: 'blobs', store: id } as const
}

// These modules are loaded when they are needed: most services need none of them.

function postgres() {
  return import('./postgres/open-postgres-records.ts')
}

function s3() {
  return import('./s3/open-s3-blobs.ts')
}
