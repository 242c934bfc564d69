// Two engines on one folder, whose transactions compete for the write lock: neither holds up this thread, and both get
// the lock.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Change, Engine } from '../../interfaces/engine.ts'
import { inFolder } from '../location.ts'
import { openEngine } from '../open-engine.ts'

let folder: string
let engines: readonly [Engine, Engine]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hyperslab-lock-'))
  engines = [await openEngine(inFolder(folder)), await openEngine(inFolder(folder))]
})
afterEach(async () => {
  for (const engine of engines) await engine.close()
  await rm(folder, { recursive: true })
})

const COUNTER = Buffer.from('counter')
const add: Change = { op: 'add', key: COUNTER, delta: 1 }
const commit = (engine: Engine, changes: readonly Change[] = [add]) =>
  engine.keyValue.commit({ expect: [], changes })

async function counter(): Promise<number | undefined> {
  const snapshot = engines[0].keyValue.snapshot()
  const value = await snapshot.get(COUNTER)
  snapshot.close()
  return value && Number(Buffer.from(value).readBigInt64LE())
}

it('a commit beside a long one of another engine waits for it, and this thread does not', async () => {
  const long = Array.from({ length: 20_000 }, (_, number): Change => {
    const key = Buffer.from(`key${number}`)
    return { op: 'set', key, value: key }
  })
  const [first, second] = engines
  const results = await Promise.all([commit(first, [...long, add]), commit(second), commit(first)])
  expect(results).toEqual([{ committed: true }, { committed: true }, { committed: true }])
  expect(await counter()).toBe(3)
})

it('an engine that commits again and again does not keep another one from committing', async () => {
  const [busy, other] = engines
  let isDone = false
  let count = 0
  const all = Promise.all(Array.from({ length: 5 }, () => commit(other))).finally(() => {
    isDone = true
  })
  while (!isDone) {
    await commit(busy)
    count++
  }
  await all
  expect(await counter()).toBe(count + 5)
})

it('batches that fail, change nothing or do not match leave the lock to others', async () => {
  const [first, second] = engines
  const failing: Change = { op: 'add', key: COUNTER, delta: 0.5 }
  await expect(commit(first, [add, failing])).rejects.toThrow('whole number')
  expect(await commit(first, [])).toEqual({ committed: true })
  const expected = { key: COUNTER, value: Buffer.from('other') }
  expect(await first.keyValue.commit({ expect: [expected], changes: [add] })).toEqual({
    committed: false,
    conflicts: [0],
  })
  expect(await counter()).toBeUndefined()
  await commit(second)
  expect(await counter()).toBe(1)
})
