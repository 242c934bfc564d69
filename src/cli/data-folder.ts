// Opening a data folder as a store, or as the engine of one.

import { openFilterThreads } from '../storage/chunks/filter-threads.ts'
import { systemClock, systemRandom } from '../storage/clock.ts'
import type { Engine, KeyValue } from '../storage/engine.ts'
import { openLmdbEngine } from '../storage/engines/data-folder.ts'
import { takeIdentity } from '../storage/identity.ts'
import { type OpenStore, openStore, type StoreOptions } from '../storage/open-store.ts'
import { openFilesOfStorage } from './connection-limit.ts'
import { prepareDataFolder } from './prepare-folder.ts'
import { UsageError } from './usage-error.ts'

/** Opens the data folder; a missing one is created. */
export async function openDataFolder(
  folder: string,
  options: Pick<
    StoreOptions,
    'report' | 'maxSnapshotAgeSeconds' | 'maxWriteBytes' | 'mounts' | 'filterRunner'
  > = {},
): Promise<OpenStore> {
  prepareDataFolder(folder)
  const engine = await openFolderEngine(folder, takeIdentity)
  return openStore(engine, {
    clock: systemClock(),
    random: systemRandom,
    ...options,
    filterRunner: options.filterRunner ?? openFilterThreads(),
  })
}

/** Opens the data folder without a store on it; `use` is called with its records first. */
export async function openFolderEngine(
  folder: string,
  use: (keyValue: KeyValue) => Promise<void> = async () => {},
): Promise<Engine> {
  try {
    const engine = await openLmdbEngine(folder, { openFiles: openFilesOfStorage() })
    try {
      await use(engine.keyValue)
      return engine
    } catch (error) {
      await engine.close()
      throw error
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(`the data folder ${folder} cannot be opened: ${reason}`, 1)
  }
}
