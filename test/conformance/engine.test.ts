// The conformance suite on every engine; behind the wrappers on memory, and on every engine where all runs are made.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Engine } from '@hyperslab/store/engines'
import { inFolder, openEngine } from '@hyperslab/store/engines'
import { afterAll } from 'vitest'
import { tracedEngine } from '../../packages/store/trace.ts'
import { openMemoryEngine } from '../engines/memory.ts'
import { openServedEngine } from '../engines/served.ts'
import { withCounters } from '../engines/with-counters.ts'
import { withFaults } from '../engines/with-faults.ts'
import { withLatency } from '../engines/with-latency.ts'
import { makesAllRuns } from '../fixtures/property-runs.ts'
import { describeEngine } from './engine.ts'

const folders: string[] = []
afterAll(() => Promise.all(folders.map(folder => rm(folder, { recursive: true }))))

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hyperslab-engine-'))
  folders.push(folder)
  return folder
}

const engines: Record<string, () => Promise<Engine>> = {
  memory: async () => openMemoryEngine(),
  lmdb: async () => openEngine(inFolder(await newFolder())),
  'lmdb through a service': async () => openServedEngine(await newFolder()),
}

/** All wrappers at once: none of them may change what the engine does. */
const wrapped = (engine: Engine): Engine =>
  tracedEngine(
    withCounters(withFaults(withLatency(engine, { seed: 1, maxMilliseconds: 1.5 }), () => undefined)),
    { now: () => 0, add: () => undefined },
  )

for (const [name, open] of Object.entries(engines)) {
  describeEngine(name, open)
  // Wrappers know nothing of the engine behind them: one tells the law, but for rare defects.
  if (name === 'memory' || makesAllRuns)
    describeEngine(`${name} behind traces, counters, faults that never come and latency`, async () =>
      wrapped(await open()),
    )
}
