// Fixtures of the tests of engines: an engine for each test, and bytes that can be read.

import { withSnapshot as withSnapshotOf } from '@hyperslab/store/records'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type {
  Change,
  CommitResult,
  Engine,
  Entry,
  KeyRange,
  Snapshot,
} from '../../packages/store/interfaces/engine.ts'

/** An engine that is empty before each test of the suite; to be read within a test. */
export function engineForEachTest(open: () => Promise<Engine>): () => Engine {
  let engine: Engine | undefined
  const present = () => {
    if (engine === undefined) throw new Error('No engine outside a test')
    return engine
  }
  beforeAll(async () => {
    engine = await open()
  })
  // Emptied, not opened anew: that would take most of the time of the suite.
  afterEach(() => empty(present()))
  afterAll(() => present().close())
  return present
}

async function empty(engine: Engine): Promise<void> {
  await commit(engine, removeRange('', '\xff'.repeat(10)))
  const deletions: Promise<void>[] = []
  for await (const name of engine.blobs.list('')) deletions.push(engine.blobs.delete(name))
  await Promise.all(deletions)
}

/** Each character one byte. */
export function bytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'latin1'))
}

export function text(value: Uint8Array | undefined): string | undefined {
  return value === undefined ? undefined : Buffer.from(value).toString('latin1')
}

export function counter(value: Uint8Array | undefined): bigint | undefined {
  return value && new DataView(value.buffer, value.byteOffset, value.byteLength).getBigInt64(0, true)
}

export const set = (key: string, value: string): Change => ({
  op: 'set',
  key: bytes(key),
  value: bytes(value),
})
export const remove = (key: string): Change => ({ op: 'delete', key: bytes(key) })
export const removeRange = (start: string, end: string, limit?: number): Change => ({
  op: 'deleteRange',
  start: bytes(start),
  end: bytes(end),
  ...(limit !== undefined && { limit }),
})
export const add = (key: string, delta: number | bigint): Change => ({ op: 'add', key: bytes(key), delta })
export const max = (key: string, value: number): Change => ({ op: 'max', key: bytes(key), value })
/** `changes` gets the value as text. */
export const follow = (key: string, changes: (value: string | undefined) => readonly Change[]): Change => ({
  op: 'follow',
  key: bytes(key),
  changes: value => changes(text(value)),
})

export function commit(engine: Engine, ...changes: Change[]): Promise<CommitResult> {
  return engine.keyValue.commit({ expect: [], changes })
}

export function withSnapshot<T>(engine: Engine, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  return withSnapshotOf(engine.keyValue, work)
}

export function get(engine: Engine, key: string): Promise<string | undefined> {
  return withSnapshot(engine, async snapshot => text(await snapshot.get(bytes(key))))
}

/** The entries of a range as `key=value`. */
export async function entries(
  snapshot: Snapshot,
  start = '',
  end = '\xff\xff\xff',
  options: Pick<KeyRange, 'limit' | 'reverse'> = {},
): Promise<string[]> {
  const found: string[] = []
  for await (const entry of snapshot.range({ start: bytes(start), end: bytes(end), ...options })) {
    found.push(`${text(entry.key)}=${text(entry.value)}`)
  }
  return found
}

export function allEntries(engine: Engine): Promise<string[]> {
  return withSnapshot(engine, snapshot => entries(snapshot))
}

export async function collect(range: AsyncIterable<Entry>): Promise<Entry[]> {
  const found: Entry[] = []
  for await (const entry of range) found.push(entry)
  return found
}
