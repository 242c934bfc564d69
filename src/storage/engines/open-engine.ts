// The engine of a store whose records are in a data folder, and whose values are there or in a bucket of S3. The bucket is marked
// with the id of the store, so that no other store uses it.

import { systemRandom } from '../clock.ts'
import type { BlobsEngine, Engine, KeyValue, RecordsEngine } from '../engine.ts'
import { makeIdentity } from '../identity.ts'
import { type LmdbEngineOptions, openLmdbEngine, openLmdbRecords } from './data-folder.ts'
import { joinHalves } from './join-halves.ts'

export interface EnginePlaces {
  /** The data folder. */
  readonly folder: string
  /** `s3://bucket` or `s3://bucket/prefix`; empty: the data folder. */
  readonly blobs: string
  /** The folder of the cache of blobs in S3, and its bytes; absent: none. */
  readonly cache?: { readonly folder: string; readonly maxBytes: number }
}

export interface EngineOptions extends Pick<LmdbEngineOptions, 'openFiles'> {
  /** Called with the records before anything of the blobs is used. */
  readonly prepare?: (keyValue: KeyValue) => Promise<void>
}

/** Opens a store, and creates what is missing of it. Throws, with what is to be done, if a place belongs to another store. */
export async function openEngine(
  { folder, blobs, cache }: EnginePlaces,
  { openFiles, prepare }: EngineOptions = {},
): Promise<Engine> {
  const limits = openFiles === undefined ? {} : { openFiles }
  if (blobs === '') return prepared(await openLmdbEngine(folder, limits), prepare)
  const records = await prepared(await openLmdbRecords(folder, limits), prepare)
  return joinHalves(records, () => openBucket(records.keyValue, blobs, cache))
}

/** Closes the records when they cannot be used. */
async function prepared<Records extends RecordsEngine>(
  records: Records,
  prepare: EngineOptions['prepare'],
): Promise<Records> {
  try {
    await prepare?.(records.keyValue)
    return records
  } catch (error) {
    await records.close()
    throw error
  }
}

async function openBucket(
  keyValue: KeyValue,
  address: string,
  cache: EnginePlaces['cache'],
): Promise<BlobsEngine> {
  // Most services need none of it.
  const { openS3Blobs } = await import('./s3/open-s3-blobs.ts')
  const { id } = await makeIdentity(keyValue, systemRandom)
  const opened = await openS3Blobs(address, { ...(cache && { cache }) })
  try {
    await opened.claim(id)
    return opened
  } catch (error) {
    await opened.close()
    throw error
  }
}
