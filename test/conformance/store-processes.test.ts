// Two processes with a store on one data folder, of which one is stopped (SIGSTOP) while it reads or writes, as a
// machine may stop a container: what the other one sweeps meanwhile is nothing that the first one needs.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Engine } from '@hyperslab/store/engines'
import {
  inFolder,
  type OpenStore,
  openEngine,
  openStore,
  storeClock,
  systemRandom,
} from '@hyperslab/store/engines'
import type { Dataset } from '@hyperslab/store/store'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { LONG_WRITE_RANGE } from '../../packages/store/records/keys.ts'
import {
  all,
  collect,
  dataset,
  domain,
  group,
  inPieces,
  int32s,
  newId,
  newRoot,
  readNumbers,
} from './sample-objects.ts'

const CHILD = fileURLToPath(new URL('store-child.mjs', import.meta.url))

let folder: string
let engine: Engine
let store: OpenStore
let into: Dataset
let other: ChildProcess

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hyperslab-store-processes-'))
  engine = await openEngine(inFolder(folder))
  store = openStore(engine, { clock: storeClock(), random: systemRandom, sweeps: false, maxInlineBytes: 0 })
  const root = newRoot()
  into = dataset(newId(root), { dims: [4], chunkDims: [2] })
  await store.write(async writer => {
    await writer.putDomain(domain('/d', root))
    await writer.createObject(group(root))
    await writer.createObject(into)
    await writer.writeValues(into, all(into), inPieces(int32s([1, 2, 3, 4])))
  })
})
afterEach(async () => {
  if (other.exitCode === null && other.signalCode === null) {
    const gone = once(other, 'exit')
    other.kill('SIGKILL')
    await gone
  }
  await store.close()
  await rm(folder, { recursive: true })
})

async function message(): Promise<Record<string, unknown>> {
  const [received] = await once(other, 'message')
  return received
}

/** The other process has begun the task and waits for `end`. */
async function begin(task: 'read' | 'write', maxSnapshotAgeSeconds = 3600): Promise<void> {
  other = fork(CHILD, [folder, String(maxSnapshotAgeSeconds)], { serialization: 'advanced' })
  expect(await message()).toEqual({ ready: true })
  const parameters = [into, all(into), ...(task === 'write' ? [int32s([5, 6, 7, 8])] : [])]
  other.send({ task, parameters })
  expect(await message()).toEqual({ begun: true })
}

async function end(): Promise<Record<string, unknown>> {
  const ended = message()
  other.kill('SIGCONT')
  other.send({ end: true })
  return ended
}

async function sweep(): Promise<void> {
  for (let round = 0; round < 4; round++) {
    await store.sweeper.findOrphans()
    await store.sweeper.sweepGarbage()
  }
}

const replace = (): Promise<void> =>
  store.write(writer => writer.writeValues(into, all(into), inPieces(int32s([9, 9, 9, 9]))))
const blobCount = async (): Promise<number> => (await collect(engine.blobs.list(''))).length
const numbers = (): Promise<number[]> => store.read(reader => readNumbers(reader, into))

it('a reader that was stopped reads on what has been replaced', async () => {
  await begin('read')
  other.kill('SIGSTOP')
  await replace()
  await sweep()
  const { result } = await end()
  const bytes = Uint8Array.from(result as number[])
  expect([...new Int32Array(bytes.buffer)]).toEqual([1, 2, 3, 4])
  await sweep()
  expect(await blobCount()).toBe(2)
})

it('an upload that was stopped keeps what it has sent', async () => {
  await begin('write')
  other.kill('SIGSTOP')
  await replace()
  await sweep()
  expect(await end()).toEqual({ result: undefined })
  await sweep()
  expect([await numbers(), await blobCount()]).toEqual([[5, 6, 7, 8], 2])
})

it('an upload that goes on with a newer state does so too, and what it leaves when it is killed goes', async () => {
  await begin('write', 0.001)
  const isLong = async (): Promise<boolean> => {
    const snapshot = engine.keyValue.snapshot()
    const records = await collect(snapshot.range(LONG_WRITE_RANGE))
    snapshot.close()
    return records.length > 0
  }
  while (!(await isLong())) await pause(10)
  await replace()
  // States that it does not need are removed: it reads no old state.
  while ((await blobCount()) > 4) {
    await sweep()
    await pause(10)
  }
  other.kill('SIGSTOP')
  await sweep()
  expect(await end()).toEqual({ result: undefined })
  expect(await numbers()).toEqual([5, 6, 7, 8])
  expect(await isLong()).toBe(false)

  await begin('write', 0.001)
  while (!(await isLong())) await pause(10)
  const gone = once(other, 'exit')
  other.kill('SIGKILL')
  await gone
  await sweep()
  expect([await numbers(), await blobCount(), await isLong()]).toEqual([[5, 6, 7, 8], 2, false])
})

it('a write that is taken for dead fails, and what it would have named is not there', async () => {
  await begin('write', 0.001)
  const { keyValue } = engine
  const isAlive = keyValue.isAlive.bind(keyValue)
  keyValue.isAlive = async () => false
  while ((await blobCount()) > 2) {
    await sweep()
    await pause(10)
  }
  keyValue.isAlive = isAlive
  expect(await end()).toEqual({ failed: 'storage-conflict' })
  expect(await numbers()).toEqual([1, 2, 3, 4])
})
