import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Engine } from '@hyperslab/store/engines'
import { inFolder, openEngine } from '@hyperslab/store/engines'
import { afterAll, beforeAll, describe } from 'vitest'
import { openServedEngine } from '../engines/served.ts'
import { describeRandomPrograms } from './engine-random.ts'

const engines: Record<string, (folder: string) => Promise<Engine>> = {
  lmdb: folder => openEngine(inFolder(folder)),
  'lmdb through a service': openServedEngine,
}

describe.each(Object.entries(engines))('%s', (_, open) => {
  let folder: string
  let engine: Engine

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hyperslab-random-'))
    engine = await open(folder)
  })
  afterAll(async () => {
    await engine.close()
    await rm(folder, { recursive: true })
  })

  describeRandomPrograms(() => engine, 40)
})
