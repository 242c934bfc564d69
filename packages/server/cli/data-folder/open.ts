// Opens the store of the settings, the engine of one, or its records alone. A store that cannot be opened is an error
// of the command.

import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { openFilterThreads } from '@hyperslab/store/chunks'
import type { Engine, KeyValue } from '@hyperslab/store/engines'
import {
  type EngineOptions,
  needsFolder,
  type OpenStore,
  openEngine,
  openRecords,
  openStore,
  ServiceEnded,
  type StoreLocation,
  type StoreOptions,
  storeClock,
  systemRandom,
} from '@hyperslab/store/engines'
import { openFilesOfStorage } from '../settings/connection-limit.ts'
import { exitCodeOf, UsageError } from '../usage-error.ts'
import { prepareDataFolder, requireDataFolder } from './prepare-folder.ts'

type StoreOfEngineOptions = Pick<
  StoreOptions,
  'report' | 'maxSnapshotAgeSeconds' | 'maxWriteBytes' | 'keptEvents' | 'mounts' | 'filterRunner' | 'sweeps'
> & { readonly warn?: (message: string) => void }

/**
 * Opens the engine of a store, which is no longer an unused copy; a missing data folder is created. By default a store
 * of an older format is refused.
 */
export async function openEngineToUse(
  location: StoreLocation & Pick<EngineOptions, 'blobCacheSize'>,
  options: Pick<EngineOptions, 'report' | 'warn' | 'throughService' | 'olderFormat'> = {},
): Promise<Engine> {
  prepareDataFolder(location.dataFolder)
  const { blobCacheSize = 0 } = location
  return openEngineAt(location, { use: 'store', blobCacheSize, olderFormat: 'refuse', ...options })
}

const ALL_EVENTS = { hours: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY }

/** Without `keptEvents` no event is removed: that is for the service, which has the settings of it. */
export function openStoreOn(engine: Engine, { warn, ...options }: StoreOfEngineOptions = {}): OpenStore {
  return openStore(engine, {
    clock: storeClock(SYSTEM_CLOCK, warn),
    random: systemRandom,
    keptEvents: ALL_EVENTS,
    report: warnOfFailure,
    ...options,
    filterRunner: options.filterRunner ?? openFilterThreads(),
  })
}

/** The command itself ends with the message that its service has ended. */
function warnOfFailure(error: unknown): void {
  if (!(error instanceof ServiceEnded)) process.emitWarning(error instanceof Error ? error : String(error))
}

/** Opens the engine of a store that may be a copy. */
export async function openEngineAt(location: StoreLocation, options: EngineOptions = {}): Promise<Engine> {
  return opening(needsFolder(location) ? location.dataFolder : undefined, () =>
    openEngine(location, { openFiles: openFilesOfStorage(), ...options }),
  )
}

/**
 * Opens the records of a store for as long as `work` takes, through a service that has them open, if there is one. The
 * values stay closed: they may be on another machine, and need a key. A store that must exist is not created.
 */
export async function withRecordsAt<T>(
  location: StoreLocation,
  work: (keyValue: KeyValue) => Promise<T>,
  options: Pick<EngineOptions, 'use' | 'mustExist' | 'olderFormat'> = {},
): Promise<T> {
  const folder = location.records.kind === 'folder' ? location.dataFolder : undefined
  if (options.mustExist && folder !== undefined) requireDataFolder(folder)
  const { keyValue, close } = await opening(folder, () =>
    openRecords(location, { throughService: true, olderFormat: 'refuse', ...options }),
  )
  try {
    return await work(keyValue)
  } finally {
    await close()
  }
}

/** Opens a store; `dataFolder` is undefined if no part of it is in that folder. */
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
