import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inFolder, openEngine } from '@hyperslab/store/engines'
import { afterAll } from 'vitest'
import { openMemoryEngine } from '../engines/memory.ts'
import { withCounters } from '../engines/with-counters.ts'
import { withFaults } from '../engines/with-faults.ts'
import { withLatency } from '../engines/with-latency.ts'
import { makesAllRuns } from '../fixtures/property-runs.ts'
import { describeStore } from './store.ts'

const folders: string[] = []

async function openTemporary() {
  const folder = await mkdtemp(join(tmpdir(), 'hyperslab-store-'))
  folders.push(folder)
  return openEngine(inFolder(folder))
}

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true })
})

describeStore('a store in memory', async () => openMemoryEngine())
describeStore('a store in LMDB', openTemporary)
// All wrappers at once: none of them may change what the store does. The law of the engine finds all but rare
// defects.
if (makesAllRuns)
  describeStore('a store behind counters, faults that never come and latency', async () =>
    withCounters(
      withFaults(withLatency(openMemoryEngine(), { seed: 5, maxMilliseconds: 1 }), () => undefined),
    ),
  )
