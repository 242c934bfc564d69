// A data folder as a store.

import { systemClock, systemRandom } from '../storage/clock.ts'
import { openLmdbEngine } from '../storage/engines/lmdb/open.ts'
import { type OpenStore, openStore } from '../storage/open-store.ts'

/** Opens the data folder, and makes it if it is not there. */
export async function openDataFolder(folder: string, report?: (error: unknown) => void): Promise<OpenStore> {
  const engine = await openLmdbEngine(folder)
  return openStore(engine, { clock: systemClock(), random: systemRandom, ...(report && { report }) })
}
