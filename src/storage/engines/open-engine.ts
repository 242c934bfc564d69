// The engine of a store whose records are in a data folder, and whose values are there or in a bucket of S3. The bucket is marked
// with the id of the store, so that no other store uses it.

import { systemRandom } from '../clock.ts'
import type { Engine, KeyValue, RecordsEngine } from '../engine.ts'
import { makeIdentity } from '../identity.ts'
import { type LmdbEngineOptions, openLmdbEngine, openLmdbRecords } from './data-folder.ts'

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
  if (blobs === '') {
    const engine = await openLmdbEngine(folder, limits)
    return prepared(engine, async () => {
      await prepare?.(engine.keyValue)
      return engine
    })
  }
  const records = await openLmdbRecords(folder, limits)
  return prepared(records, async () => {
    await prepare?.(records.keyValue)
    return withS3Blobs(records, blobs, cache)
  })
}

/** Closes the records when the rest of the engine cannot be opened. */
async function prepared(records: RecordsEngine, open: () => Promise<Engine>): Promise<Engine> {
  try {
    return await open()
  } catch (error) {
    await records.close()
    throw error
  }
}

async function withS3Blobs(
  records: RecordsEngine,
  address: string,
  cache: EnginePlaces['cache'],
): Promise<Engine> {
  // Most services need none of it.
  const { openS3Blobs } = await import('./s3/open-s3-blobs.ts')
  const { id } = await makeIdentity(records.keyValue, systemRandom)
  const opened = await openS3Blobs(address, { ...(cache && { cache }) })
  try {
    await opened.claim(id)
  } catch (error) {
    await opened.close()
    throw error
  }
  return {
    ...records,
    blobs: opened.blobs,
    async close() {
      await records.close()
      await opened.close()
    },
  }
}
