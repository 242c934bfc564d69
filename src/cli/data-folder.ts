// Opening the store of the settings, or the engine of one: a data folder, the database that the setting `records` names, and the bucket
// that `blobs` names.

import { join } from 'node:path'
import { openFilterThreads } from '../storage/chunks/filter-threads.ts'
import { systemClock, systemRandom } from '../storage/clock.ts'
import type { Engine } from '../storage/engine.ts'
import { type EngineOptions, openEngine } from '../storage/engines/open-engine.ts'
import { takeIdentity } from '../storage/identity.ts'
import { type OpenStore, openStore, type StoreOptions } from '../storage/open-store.ts'
import type { Settings } from './config.ts'
import { openFilesOfStorage } from './connection-limit.ts'
import { prepareDataFolder } from './prepare-folder.ts'
import { UsageError } from './usage-error.ts'

/** Where a store is. */
export type StorePlaces = Pick<Settings, 'dataFolder'> &
  Partial<Pick<Settings, 'records' | 'blobs' | 'blobCacheSize'>>

/** Opens the store; a missing data folder is created. */
export async function openStoreAt(
  places: StorePlaces,
  options: Pick<
    StoreOptions,
    'report' | 'maxSnapshotAgeSeconds' | 'maxWriteBytes' | 'mounts' | 'filterRunner' | 'sweeps'
  > = {},
): Promise<OpenStore> {
  prepareDataFolder(places.dataFolder)
  const { report } = options
  const engine = await openEngineAt(places, { prepare: takeIdentity, ...(report && { report }) })
  return openStore(engine, {
    clock: systemClock(),
    random: systemRandom,
    ...options,
    filterRunner: options.filterRunner ?? openFilterThreads(),
  })
}

/** Opens the engine without a store on it. */
export async function openEngineAt(
  { dataFolder, records = '', blobs = '', blobCacheSize = 0 }: StorePlaces,
  options: Pick<EngineOptions, 'prepare' | 'report'> = {},
): Promise<Engine> {
  const cache = { folder: join(dataFolder, 'cache'), maxBytes: blobCacheSize }
  try {
    return await openEngine(
      { folder: dataFolder, records, blobs, ...(blobCacheSize > 0 && { cache }) },
      { openFiles: openFilesOfStorage(), ...options },
    )
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(`the data folder ${dataFolder} cannot be opened: ${reason}`, 1)
  }
}
