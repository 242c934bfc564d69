// Long batches: other work runs while one is applied, and see nothing of it until it is committed.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Change, CommitResult, Engine, Entry } from '../../interfaces/engine.ts'
import { inFolder } from '../location.ts'
import { openEngine } from '../open-engine.ts'

let folder: string
let engine: Engine

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hyperslab-long-'))
  engine = await openEngine(inFolder(folder))
})
afterEach(async () => {
  await engine.close()
  await rm(folder, { recursive: true })
})

const COUNT = 50_000
const keyOf = (number: number): Buffer => Buffer.from(`key${String(number).padStart(6, '0')}`)
const VALUE = Buffer.from('value')
const ENTRIES: Entry[] = Array.from({ length: COUNT }, (_, number) => ({ key: keyOf(number), value: VALUE }))
const SETS: Change[] = ENTRIES.map(entry => ({ op: 'set', ...entry }))
const ALL = { start: keyOf(0), end: keyOf(COUNT) }

async function stored(): Promise<boolean[]> {
  const snapshot = engine.keyValue.snapshot()
  const values = await snapshot.getMany([keyOf(0), keyOf(COUNT / 2), keyOf(COUNT - 1)])
  snapshot.close()
  return values.map(value => value !== undefined)
}

/**
 * The state that other processes see, again and again until the work is done: all or nothing. Until shortly before the
 * end it is the old state, since the work is long; a commit is seen a moment before it is known to be durable.
 */
async function watched<T>(work: Promise<T>): Promise<T> {
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  const [before] = await stored()
  let turns = 0
  while (!isDone) {
    const [seen, ...others] = await stored()
    expect(others).toEqual([seen, seen])
    if (seen === before) turns++
    await setImmediate()
  }
  expect(turns).toBeGreaterThan(4)
  return done
}

function commit(changes: readonly Change[]): Promise<CommitResult> {
  return engine.keyValue.commit({ expect: [], changes })
}

it('many changes', async () => {
  const open = engine.keyValue.snapshot()
  expect(await watched(commit(SETS))).toEqual({ committed: true })
  expect(await stored()).toEqual([true, true, true])
  expect(await open.get(keyOf(7))).toBeUndefined()
  open.close()
})

it('a long range that is deleted', async () => {
  await commit([...SETS, { op: 'set', key: keyOf(COUNT), value: VALUE }])
  expect(await watched(commit([{ op: 'deleteRange', ...ALL }]))).toEqual({ committed: true })
  const snapshot = engine.keyValue.snapshot()
  const left: string[] = []
  for await (const { key } of snapshot.range({ start: keyOf(0), end: Buffer.from('l') })) {
    left.push(Buffer.from(key).toString())
  }
  snapshot.close()
  expect(left).toEqual([keyOf(COUNT).toString()])
})

it('many expectations, the last of which does not hold', async () => {
  await commit(SETS)
  const wrong = { key: keyOf(COUNT - 1), value: undefined }
  const keys = [...ENTRIES.slice(0, -1), wrong]
  const changes = [{ op: 'deleteRange', ...ALL }] as const
  const result = await watched(engine.keyValue.commit({ expect: keys, changes }))
  expect(result).toEqual({ committed: false, conflicts: [COUNT - 1] })
  const expectRange = { range: ALL, entries: ENTRIES.slice(0, -1) }
  expect(await watched(engine.keyValue.commit({ expect: [expectRange], changes }))).toEqual({
    committed: false,
    conflicts: [0],
  })
  expect(await stored()).toEqual([true, true, true])
})

it('one that fails at its end leaves nothing behind, and takes no other one with it', async () => {
  await commit([{ op: 'set', key: Buffer.from('text'), value: VALUE }])
  const failing = commit([...SETS, { op: 'add', key: Buffer.from('text'), delta: 1 }])
  const other = commit([{ op: 'set', key: Buffer.from('other'), value: VALUE }])
  await watched(expect(failing).rejects.toThrow('A counter has 8 bytes'))
  expect(await other).toEqual({ committed: true })
  expect(await stored()).toEqual([false, false, false])
  await commit(SETS)
  expect(await stored()).toEqual([true, true, true])
})

it('one that comes while another is applied sees what that one has done', async () => {
  const first = commit(SETS)
  await setImmediate()
  const second = engine.keyValue.commit({
    expect: [{ key: keyOf(COUNT - 1), value: VALUE }],
    changes: [{ op: 'delete', key: keyOf(COUNT - 1) }],
  })
  expect(await Promise.all([first, second])).toEqual([{ committed: true }, { committed: true }])
  expect(await stored()).toEqual([true, true, false])
})
