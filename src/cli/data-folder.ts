// Opening a data folder as a store.

import { openFilterThreads } from '../storage/chunks/filter-threads.ts'
import { systemClock, systemRandom } from '../storage/clock.ts'
import { openLmdbEngine } from '../storage/engines/data-folder.ts'
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
  const openFiles = openFilesOfStorage()
  const engine = await openLmdbEngine(folder, { openFiles }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(`the data folder ${folder} cannot be opened: ${reason}`, 1)
  })
  return openStore(engine, {
    clock: systemClock(),
    random: systemRandom,
    ...options,
    filterRunner: options.filterRunner ?? openFilterThreads(),
  })
}
