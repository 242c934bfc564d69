// Values that are gone from the disk, as the caller and the log get them.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testClock } from '../../../test/engines/clock.ts'
import { openStore } from '../open-store.ts'
import { inFolder } from './location.ts'
import { openEngine } from './open-engine.ts'

it('a blob that is gone is values-damaged: the answer and the log name it, and when to try again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hyperslab-damaged-'))
  const reported: unknown[] = []
  const engine = await openEngine(inFolder(folder))
  const store = openStore(engine, {
    clock: testClock(),
    random: length => new Uint8Array(length),
    sweeps: false,
    report: error => reported.push(error),
  })
  const lost = store.read(() => engine.blobs.read('ab/01', 0, new Uint8Array(1)))
  const error = {
    code: 'values-damaged',
    kind: 'busy',
    retryAfter: 60,
    message: expect.stringContaining('There is no blob ab/01'),
  }
  await expect(lost).rejects.toMatchObject(error)
  expect(reported).toEqual([expect.objectContaining(error)])
  await store.close()
  await rm(folder, { recursive: true })
})
