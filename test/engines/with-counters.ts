// An engine that counts what it is asked for, so that "this request costs two reads" can be asserted.

import type { Engine, Snapshot } from '@hyperslab/store/engines'

interface Counters {
  snapshots: number
  /** Calls of `get` and `getMany`, and the keys they asked for. */
  gets: number
  keys: number
  ranges: number
  entries: number
  /** Commits that were tried, and those of them that found a conflict. */
  commits: number
  conflicts: number
  changes: number
  blobPuts: number
  blobBytesWritten: number
  blobReads: number
  blobBytesRead: number
  blobDeletes: number
  blobLists: number
}

export interface CountingEngine extends Engine {
  /** Changes as the engine is used. */
  readonly counters: Counters
  /** The cost of `work`, if nothing else uses the engine meanwhile. */
  count(work: () => Promise<unknown>): Promise<Counters>
}

export function withCounters(engine: Engine): CountingEngine {
  const counters = noCounts()
  const { keyValue, blobs } = engine
  const counted = async (read: Promise<number>): Promise<number> => {
    counters.blobReads++
    const count = await read
    counters.blobBytesRead += count
    return count
  }
  return {
    keyValue: {
      snapshot() {
        counters.snapshots++
        return countedSnapshot(keyValue.snapshot(), counters)
      },
      async commit(batch) {
        counters.commits++
        const result = await keyValue.commit(batch)
        if (result.committed) counters.changes += batch.changes.length
        else counters.conflicts++
        return result
      },
      openSnapshots: () => keyValue.openSnapshots(),
      snapshotSlots: () => keyValue.snapshotSlots(),
      get process() {
        return keyValue.process
      },
      get pollMilliseconds() {
        return keyValue.pollMilliseconds
      },
      get isSweeper() {
        return keyValue.isSweeper
      },
      get newestTime() {
        return keyValue.newestTime
      },
      isAlive: process => keyValue.isAlive(process),
    },
    blobs: {
      put(name, pieces) {
        counters.blobPuts++
        if (!(Symbol.asyncIterator in pieces))
          for (const piece of pieces) counters.blobBytesWritten += piece.length
        return blobs.put(name, pieces)
      },
      read: (name, offset, into) => counted(blobs.read(name, offset, into)),
      readCompared: (name, offset, into) => counted(blobs.readCompared(name, offset, into)),
      // Not counted: only checks of the store ask.
      size: name => blobs.size(name),
      hasChecksums: name => blobs.hasChecksums(name),
      delete(name) {
        counters.blobDeletes++
        return blobs.delete(name)
      },
      parallelism: blobs.parallelism,
      list(prefix) {
        counters.blobLists++
        return blobs.list(prefix)
      },
    },
    maxKeyLength: engine.maxKeyLength,
    maxInlineBytes: engine.maxInlineBytes,
    close: () => engine.close(),
    counters,
    async count(work) {
      const before = { ...counters }
      await work()
      return difference(counters, before)
    },
  }
}

function countedSnapshot(snapshot: Snapshot, counters: Counters): Snapshot {
  return {
    get(key) {
      counters.gets++
      counters.keys++
      return snapshot.get(key)
    },
    getMany(keys) {
      counters.gets++
      counters.keys += keys.length
      return snapshot.getMany(keys)
    },
    async *range(range) {
      counters.ranges++
      for await (const entry of snapshot.range(range)) {
        counters.entries++
        yield entry
      }
    },
    close: () => snapshot.close(),
    expire: reason => snapshot.expire(reason),
    get expired() {
      return snapshot.expired
    },
  }
}

function noCounts(): Counters {
  return {
    snapshots: 0,
    gets: 0,
    keys: 0,
    ranges: 0,
    entries: 0,
    commits: 0,
    conflicts: 0,
    changes: 0,
    blobPuts: 0,
    blobBytesWritten: 0,
    blobReads: 0,
    blobBytesRead: 0,
    blobDeletes: 0,
    blobLists: 0,
  }
}

function difference(after: Counters, before: Counters): Counters {
  const result = noCounts()
  for (const name of Object.keys(result) as (keyof Counters)[]) result[name] = after[name] - before[name]
  return result
}
