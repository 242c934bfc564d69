import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import type { Engine } from '../../src/storage/engine.ts'
import { inFolder } from '../../src/storage/engines/location.ts'
import { openEngine } from '../../src/storage/engines/open-engine.ts'
import { describeRandomPrograms } from './engine-random.ts'

let folder: string
let lmdb: Engine

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hyperslab-random-'))
  lmdb = await openEngine(inFolder(folder))
})
afterAll(async () => {
  await lmdb.close()
  await rm(folder, { recursive: true })
})

describe('lmdb', () => describeRandomPrograms(() => lmdb, 40))
