// An engine with something done around each of its operations; the other wrappers are made of it.

import type { Engine, Snapshot } from '@hyperslab/store/engines'

/** `range` and `list` are the first step of reading them, `entry` and `blob` each later one. */
export type OperationName =
  | 'get'
  | 'getMany'
  | 'range'
  | 'entry'
  | 'commit'
  | 'put'
  | 'read'
  | 'size'
  | 'delete'
  | 'list'
  | 'blob'

/** Runs the operation, or does not; resolves or rejects in its place. */
export type Around = <T>(operation: OperationName, run: () => Promise<T>) => Promise<T>

export function aroundEngine(engine: Engine, around: Around): Engine {
  const { keyValue, blobs } = engine
  return {
    keyValue: {
      snapshot: () => aroundSnapshot(keyValue.snapshot(), around),
      commit: batch => around('commit', () => keyValue.commit(batch)),
      openSnapshots: () => keyValue.openSnapshots(),
      snapshotSlots: () => keyValue.snapshotSlots(),
      get process() {
        return keyValue.process
      },
      get newestTime() {
        return keyValue.newestTime
      },
      isAlive: process => keyValue.isAlive(process),
      get pollMilliseconds() {
        return keyValue.pollMilliseconds
      },
      get isSweeper() {
        return keyValue.isSweeper
      },
    },
    blobs: {
      put: (name, pieces) => around('put', () => blobs.put(name, pieces)),
      read: (name, offset, into) => around('read', () => blobs.read(name, offset, into)),
      readCompared: (name, offset, into) => around('read', () => blobs.readCompared(name, offset, into)),
      size: name => around('size', () => blobs.size(name)),
      hasChecksums: name => around('size', () => blobs.hasChecksums(name)),
      delete: name => around('delete', () => blobs.delete(name)),
      parallelism: blobs.parallelism,
      list: prefix => aroundEach(blobs.list(prefix), around, 'list', 'blob'),
    },
    maxKeyLength: engine.maxKeyLength,
    maxInlineBytes: engine.maxInlineBytes,
    close: () => engine.close(),
  }
}

function aroundSnapshot(snapshot: Snapshot, around: Around): Snapshot {
  return {
    get: key => around('get', () => snapshot.get(key)),
    getMany: keys => around('getMany', () => snapshot.getMany(keys)),
    range: range => aroundEach(snapshot.range(range), around, 'range', 'entry'),
    close: () => snapshot.close(),
    expire: reason => snapshot.expire(reason),
    get expired() {
      return snapshot.expired
    },
  }
}

async function* aroundEach<T>(
  items: AsyncIterable<T>,
  around: Around,
  first: OperationName,
  later: OperationName,
): AsyncIterable<T> {
  const iterator = items[Symbol.asyncIterator]()
  try {
    for (let operation = first; ; operation = later) {
      const step = await around(operation, () => iterator.next())
      if (step.done) return
      yield step.value
    }
  } finally {
    await iterator.return?.()
  }
}
