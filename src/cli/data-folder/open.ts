// Opening the store of the settings, the engine of one, or its records alone: a data folder, the database that the setting
// `records` names, and the bucket that `blobs` names.

import { chmodSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openFilterThreads } from '../../chunks/filter-threads.ts'
import { systemClock, systemRandom } from '../../storage/clock.ts'
import type { Engine, KeyValue } from '../../storage/engine.ts'
import { type EngineOptions, openEngine, openRecords } from '../../storage/engines/open-engine.ts'
import { type OpenStore, openStore, type StoreOptions } from '../../storage/open-store.ts'
import { takeIdentity } from '../../storage/records/identity.ts'
import type { Settings } from '../settings/config.ts'
import { openFilesOfStorage } from '../settings/connection-limit.ts'
import { exitCodeOf, UsageError } from '../usage-error.ts'
import { prepareDataFolder, requireDataFolder } from './prepare-folder.ts'

/** Where a store is. */
export type StorePlaces = Pick<Settings, 'dataFolder'> &
  Partial<Pick<Settings, 'records' | 'blobs' | 'blobCacheSize'>>

type EngineReports = Pick<EngineOptions, 'report' | 'warn'>

type StoreOfEngineOptions = Pick<
  StoreOptions,
  'report' | 'maxSnapshotAgeSeconds' | 'maxWriteBytes' | 'mounts' | 'filterRunner' | 'sweeps'
> & { readonly warn?: (message: string) => void }

/** Opens the store; a missing data folder is created. */
export async function openStoreAt(
  places: StorePlaces,
  options: StoreOfEngineOptions = {},
): Promise<OpenStore> {
  return openStoreOn(await openEngineToUse(places), options)
}

/** Opens the engine of a store that is no copy from now on; a missing data folder is created. */
export async function openEngineToUse(places: StorePlaces, reports: EngineReports = {}): Promise<Engine> {
  prepareDataFolder(places.dataFolder)
  return openEngineAt(places, { prepare: takeIdentity, ...reports })
}

export function openStoreOn(engine: Engine, { warn, ...options }: StoreOfEngineOptions): OpenStore {
  return openStore(engine, {
    clock: systemClock(warn),
    random: systemRandom,
    ...options,
    filterRunner: options.filterRunner ?? openFilterThreads(),
  })
}

/** Opens the engine without a store on it; `prepare` is called with its records first. */
export async function openEngineAt(
  places: StorePlaces,
  { prepare, ...reports }: Pick<EngineOptions, 'prepare'> & EngineReports = {},
): Promise<Engine> {
  const { dataFolder, records = '', blobs = '', blobCacheSize = 0 } = places
  const cache = { folder: join(dataFolder, 'cache'), maxBytes: blobCacheSize }
  const isElsewhere = records !== '' && blobs !== ''
  return opening(isElsewhere ? undefined : dataFolder, () =>
    openEngine(
      { folder: dataFolder, records, blobs, ...(blobCacheSize > 0 && { cache }) },
      { openFiles: openFilesOfStorage(), ...reports, prepare: preparation(places, prepare) },
    ),
  )
}

/**
 * Opens the records of a store for as long as `work` takes, without its values: they may be far, and the key to them too. `prepare` is
 * called with the records first. A store that must exist is not made.
 */
export async function withRecordsAt<T>(
  places: StorePlaces,
  work: (keyValue: KeyValue) => Promise<T>,
  { prepare, mustExist = false }: Pick<EngineOptions, 'prepare' | 'mustExist'> = {},
): Promise<T> {
  const { dataFolder, records = '', blobs = '' } = places
  if (mustExist && records === '') requireDataFolder(dataFolder)
  const { keyValue, close } = await opening(records === '' ? dataFolder : undefined, () =>
    openRecords({ folder: dataFolder, records, blobs }, { mustExist, prepare: preparation(places, prepare) }),
  )
  try {
    return await work(keyValue)
  } finally {
    await close()
  }
}

/** `dataFolder`: undefined if nothing of what is opened is there. */
async function opening<T>(dataFolder: string | undefined, open: () => Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const message =
      dataFolder === undefined ? reason : `the data folder ${dataFolder} cannot be opened: ${reason}`
    throw new UsageError(message, exitCodeOf(error))
  }
}

function preparation(
  { dataFolder, records = '' }: StorePlaces,
  prepare: EngineOptions['prepare'],
): (keyValue: KeyValue) => Promise<void> {
  return async keyValue => {
    await prepare?.(keyValue)
    if (records !== '') return
    keepFromOthers(join(dataFolder, 'lmdb'))
  }
}

const OF_OTHERS = 0o077

/** The records have hashes of passwords and the secret of mounts, which no other user of the system may read. */
function keepFromOthers(folder: string): void {
  const { mode } = statSync(folder)
  if ((mode & OF_OTHERS) !== 0) chmodSync(folder, mode & ~OF_OTHERS & 0o777)
}
