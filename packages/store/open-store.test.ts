import { HyperslabError } from '@hyperslab/base/errors'
import type { ObjectId } from '@hyperslab/model/names'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  all,
  box,
  collect,
  dataset,
  group,
  inPieces,
  int32s,
  newId,
  newRoot,
  readNumbers,
  softLink,
} from '../../test/conformance/sample-objects.ts'
import { seededRandom, testClock } from '../../test/engines/clock.ts'
import { openMemoryEngine } from '../../test/engines/memory.ts'
import { withCounters } from '../../test/engines/with-counters.ts'
import { type FaultPlan, withFaults } from '../../test/engines/with-faults.ts'
import type { Engine } from './interfaces/engine.ts'
import type { Dataset } from './interfaces/store.ts'
import { type OpenStore, openStore, type StoreOptions } from './open-store.ts'
import { MAX_KEY_LENGTH } from './records/keys.ts'

/** Stores that share an engine must not draw the same names of blobs. */
let seed = 0

function open(engine: Engine = openMemoryEngine(), options: Partial<StoreOptions> = {}): OpenStore {
  return openStore(engine, { clock: testClock(), random: seededRandom(++seed), sweeps: false, ...options })
}

async function newGroup(store: OpenStore): Promise<ObjectId> {
  const root = newRoot()
  await store.write(writer => writer.createObject(group(root)))
  return root
}

it('an engine whose keys are too short for the records is rejected', () => {
  const engine = { ...openMemoryEngine(), maxKeyLength: MAX_KEY_LENGTH - 1 }
  expect(() => open(engine)).toThrow(`${MAX_KEY_LENGTH - 1} bytes, but records need up to ${MAX_KEY_LENGTH}`)
})

describe('writes that meet', () => {
  it('a writer that is always too late gives up after ten seconds of trying again', async () => {
    const clock = testClock()
    const store = open(openMemoryEngine(), { clock })
    const owner = await newGroup(store)
    let runs = 0
    const attempt = store.write(async writer => {
      runs++
      await writer.status(owner)
      await store.write(other => other.putLinks(owner, softLink(`n${runs}`)))
      await writer.setAcl(owner, [])
      clock.advance(3_000_000)
    })
    await expect(attempt).rejects.toMatchObject({ code: 'storage-conflict' })
    expect(runs).toBe(6)
  })

  it('a write is later than those before it, also those of a process whose clock is ahead', async () => {
    const engine = openMemoryEngine()
    const clock = testClock()
    clock.set(3600e6)
    const ahead = open(engine, { clock })
    const behind = open(engine)
    const owner = await newGroup(ahead)
    const times: number[] = []
    for (const store of [ahead, behind, ahead, behind]) {
      await store.write(writer => writer.putLinks(owner, softLink(`n${times.length}`)))
      times.push((await store.read(reader => reader.status(owner))).lastModified)
    }
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
    expect(behind.now()).toBeGreaterThan(times[3])
  })

  it('each run has a new time', async () => {
    const store = open()
    const owner = await newGroup(store)
    let runs = 0
    await store.write(async writer => {
      await writer.link(owner, 'a')
      if (runs++ === 0) await store.write(other => other.putLinks(owner, softLink('a')))
      await writer.putLinks(owner, softLink('b'))
    })
    const { lastModified } = await store.read(reader => reader.status(owner))
    expect(runs).toBe(2)
    expect(lastModified).toBeGreaterThan(1_600_000_000_000_000)
  })
})

describe('closing', () => {
  it('waits for what is under way and refuses what comes after', async () => {
    const store = open()
    const owner = await newGroup(store)
    let finish = (): void => {}
    const reading = store.read(async reader => {
      await new Promise<void>(resolve => {
        finish = resolve
      })
      return reader.object(owner)
    })
    const closing = store.close()
    await expect(store.read(async () => 1)).rejects.toThrow('closed')
    await expect(store.write(async () => 1)).rejects.toThrow('closed')
    finish()
    expect(await reading).toBeDefined()
    await closing
  })
})

type Fault = ReturnType<FaultPlan>

/** Fails the nth operation of the kinds that change something; `isOver` when there were fewer. */
function failingAt(position: number, fault: Fault): { plan: FaultPlan; isOver: () => boolean } {
  let seen = 0
  const plan: FaultPlan = operation => {
    const changes = operation === 'commit' || operation === 'put'
    return changes && seen++ === position ? fault : undefined
  }
  return { plan, isOver: () => seen <= position }
}

const DATA = dataset(newId(newRoot()), { dims: [40], maxdims: ['H5S_UNLIMITED'], chunkDims: [10] })
const OLD = new Array<number>(40).fill(1)

/** A store with a written dataset, on an engine that then fails where the plan says. */
async function prepared(): Promise<{ engine: Engine; options: Partial<StoreOptions> }> {
  const engine = openMemoryEngine()
  const options = {
    maxInlineBytes: 10,
    maxOpenBytes: 20,
    pieceBytes: 24,
    clock: testClock(Date.now() * 1000),
  }
  const store = open(engine, options)
  await store.write(async writer => {
    await writer.createObject(DATA)
    await writer.writeValues(DATA, all(DATA), inPieces(int32s(OLD)))
  })
  return { engine, options }
}

const blobsOf = async (engine: Engine): Promise<string[]> => (await collect(engine.blobs.list(''))).sort()

describe('a failure of the engine', () => {
  const program = async (store: OpenStore): Promise<void> => {
    await store.write(async writer => {
      await writer.createObject(group(newId(DATA.id)))
      await writer.writeValues(DATA, box([5], [30]), inPieces(int32s(new Array(30).fill(2)), 3))
    })
  }
  const NEW = [...OLD.slice(0, 5), ...new Array<number>(30).fill(2), ...OLD.slice(0, 5)]

  it.each(['before', 'after'] as const)(
    'at any change, %s it is done, leaves the old or the new state',
    async fault => {
      let outcomes = ''
      for (let position = 0; ; position++) {
        const { engine, options } = await prepared()
        const { plan, isOver } = failingAt(position, fault)
        const blobsBefore = await blobsOf(engine)
        const result = await program(open(withFaults(engine, plan), options)).catch((error: unknown) => error)
        if (isOver()) {
          expect(result).toBeUndefined()
          break
        }
        expect(result).toMatchObject({ name: 'InjectedFault' })
        // A store that is opened anew, like after a restart.
        const store = open(engine, options)
        const { numbers, groups } = await store.read(async reader => ({
          numbers: await readNumbers(reader, DATA),
          groups: await collect(reader.objects(DATA.id, 'group')),
        }))
        const isNew = groups.length > 0
        expect(numbers).toEqual(isNew ? NEW : OLD)
        outcomes += isNew ? 'N' : 'o'
        const left = (await blobsOf(engine)).filter(name => !blobsBefore.includes(name))
        // Until a commit was tried, nothing of a failed write stays.
        const isBeforeCommit = position < 5
        if (isBeforeCommit && fault === 'before') expect(left).toEqual([])
      }
      // The last change of all is the commit.
      expect(outcomes).toMatch(fault === 'before' ? /^o+$/ : /^o+N$/)
    },
  )

  it('whatever it leaves behind is swept, and what is needed is not', async () => {
    for (let position = 0; ; position++) {
      const { engine, options } = await prepared()
      const { plan, isOver } = failingAt(position, 'after')
      await program(open(withFaults(engine, plan), options)).catch(() => {})
      if (isOver()) break
      const clock = testClock(Date.now() * 1000)
      const store = open(engine, { ...options, clock })
      for (let hour = 0; hour < 3; hour++) {
        clock.advance(3600_000_000)
        await store.sweeper.sweepGarbage()
        await store.sweeper.findOrphans()
      }
      expect(await blobsOf(engine)).toHaveLength(4)
      expect(await store.read(reader => readNumbers(reader, DATA))).toHaveLength(40)
    }
  })

  it('that keeps blobs from being deleted is reported, and hides nothing', async () => {
    const reported: unknown[] = []
    const { engine, options } = await prepared()
    const failing = withFaults(engine, operation => (operation === 'delete' ? 'before' : undefined))
    const store = open(failing, { ...options, report: error => reported.push(error) })
    const failure = new Error('the work fails')
    const attempt = store.write(async writer => {
      await writer.writeValues(DATA, box([0], [10]), inPieces(int32s(OLD.slice(0, 10))))
      throw failure
    })
    await expect(attempt).rejects.toBe(failure)
    expect(reported).toHaveLength(1)
  })
})

describe('what operations cost', () => {
  const counted = () => {
    const engine = withCounters(openMemoryEngine())
    return { engine, store: open(engine) }
  }

  it('reading one link costs the same in a group of 10 and of 5000', async () => {
    const { engine, store } = counted()
    const [small, large] = [await newGroup(store), await newGroup(store)]
    await store.write(async writer => {
      for (let i = 0; i < 10; i++) await writer.putLinks(small, softLink(`n${i}`))
      for (let i = 0; i < 5000; i++) await writer.putLinks(large, softLink(`n${i}`))
    })
    const read = (owner: ObjectId) => () => store.read(reader => reader.link(owner, 'n7'))
    const costs = await engine.count(read(small))
    expect(costs).toMatchObject({ snapshots: 1, gets: 1, keys: 1, ranges: 0 })
    expect(await engine.count(read(large))).toEqual(costs)
  })

  it('a page costs one range of its own length', async () => {
    const { engine, store } = counted()
    const owner = await newGroup(store)
    await store.write(async writer => {
      for (let i = 0; i < 500; i++) await writer.putLinks(owner, softLink(`n${i}`))
    })
    const page = { marker: 'n250', limit: 20 }
    const costs = await engine.count(() => store.read(reader => collect(reader.links(owner, page))))
    expect(costs).toMatchObject({ gets: 0, ranges: 1, entries: 20 })
  })

  it('a domain entry, an object and a status cost one get each', async () => {
    const { engine, store } = counted()
    const owner = await newGroup(store)
    for (const read of [
      () => store.read(reader => reader.object(owner)),
      () => store.read(reader => reader.status(owner)),
      () => store.read(reader => reader.wasDeleted({ object: owner })),
    ]) {
      expect(await engine.count(read)).toMatchObject({ gets: 1, ranges: 0 })
    }
  })

  /** 8 x 8 chunks of 16 KiB of elements, all of them blobs. */
  async function grid(store: OpenStore): Promise<Dataset> {
    const created = dataset(newId(newRoot()), { dims: [1024, 1024], chunkDims: [128, 128] })
    await store.write(async writer => {
      await writer.createObject(created)
      await writer.writeValues(created, all(created), inPieces(int32s(new Array(2 ** 20).fill(1)), 5000))
    })
    return created
  }

  it('reading one row reads its chunks, and of each the row', async () => {
    const engine = withCounters(openMemoryEngine())
    const store = open(engine, { maxInlineBytes: 0 })
    const from = await grid(store)
    const row = () => store.read(reader => readNumbers(reader, from, box([5, 0], [1, 1024])))
    expect(await engine.count(row)).toMatchObject({ blobReads: 8, blobBytesRead: 4096, gets: 1, keys: 8 })
    const element = () => store.read(reader => readNumbers(reader, from, box([5, 9], [1, 1])))
    expect(await engine.count(element)).toMatchObject({ blobReads: 1, blobBytesRead: 4 })
  })

  it('a write that covers its chunks reads no values; one that does not reads those of its chunks', async () => {
    const engine = withCounters(openMemoryEngine())
    const store = open(engine, { maxInlineBytes: 0 })
    const into = await grid(store)
    const write = (start: number[], extents: number[]) => () =>
      store.write(writer =>
        writer.writeValues(
          into,
          box(start, extents),
          inPieces(int32s(new Array(extents[0] * extents[1]).fill(2))),
        ),
      )
    const covering = await engine.count(write([128, 0], [128, 256]))
    expect(covering).toMatchObject({ blobReads: 0, blobPuts: 2, commits: 1, conflicts: 0 })
    const touching = await engine.count(write([0, 0], [1, 256]))
    expect(touching).toMatchObject({ blobReads: 2, blobPuts: 2, commits: 1 })
  })

  it('whatever crosses many chunks at once is spilled once, and memory stays bounded', async () => {
    const engine = withCounters(openMemoryEngine())
    const store = open(engine, { maxInlineBytes: 0, maxOpenBytes: 100_000, pieceBytes: 10_000 })
    const into = dataset(newId(newRoot()), { dims: [128, 1024], chunkDims: [128, 8] })
    await store.write(writer => writer.createObject(into))
    const numbers = Array.from({ length: 128 * 1024 }, (_, i) => i)
    const costs = await engine.count(() =>
      store.write(writer => writer.writeValues(into, all(into), inPieces(int32s(numbers), 3000))),
    )
    const bytes = numbers.length * 4
    expect(costs.blobBytesWritten).toBeGreaterThan(bytes)
    expect(costs.blobBytesWritten).toBeLessThanOrEqual(2 * bytes)
    expect(costs.blobBytesRead).toBeLessThanOrEqual(bytes)
    expect(await blobsOf(engine)).toHaveLength(128)
    expect(await store.read(reader => readNumbers(reader, into))).toEqual(numbers)
  })

  it('what a buffer held before never shows: outside the extents there is the fill value', async () => {
    const store = open(openMemoryEngine(), { maxInlineBytes: 0, pieceBytes: 10_000 })
    const chunkDims = [128, 192]
    const [first, second] = [newId(newRoot()), newId(newRoot())]
    const write = (into: Dataset, count: number, number: number) =>
      store.write(async writer => {
        await writer.createObject(into)
        await writer.writeValues(into, all(into), inPieces(int32s(new Array(count).fill(number)), 3000))
      })
    await write(dataset(first, { dims: [128, 192], chunkDims }), 128 * 192, 1)
    const smaller = dataset(second, { dims: [127, 191], maxdims: [128, 192], chunkDims })
    await write(smaller, 127 * 191, 2)
    await store.write(writer => writer.setExtents(smaller, [128, 192]))
    const grown = dataset(second, { dims: [128, 192], chunkDims })
    const numbers = await store.read(reader => readNumbers(reader, grown))
    expect(numbers).toEqual(numbers.map((_, i) => (i % 192 < 191 && i < 127 * 192 ? 2 : 0)))
  })

  it('writers of different chunks do not conflict, in any order', async () => {
    const { engine, store } = counted()
    const into = dataset(newId(newRoot()), { dims: [100], chunkDims: [10] })
    await store.write(writer => writer.createObject(into))
    const costs = await engine.count(() =>
      Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          store.write(writer =>
            writer.writeValues(into, box([10 * i + 2], [5]), inPieces(int32s([1, 1, 1, 1, 1]))),
          ),
        ),
      ),
    )
    expect(costs).toMatchObject({ commits: 10, conflicts: 0 })
  })
})

describe('what takes longer than a state may be read', () => {
  const HOUR = 3600e6
  const RIGHTS = { create: true, read: true, update: true, delete: true, readACL: true, updateACL: true }
  const ITEM = { userName: 'ann', ...RIGHTS }
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  async function scene() {
    const engine = openMemoryEngine()
    const clock = testClock()
    const store = open(engine, { clock, maxInlineBytes: 0 })
    const into = dataset(newId(newRoot()), { dims: [4], chunkDims: [2] })
    await store.write(async writer => {
      await writer.createObject(into)
      await writer.writeValues(into, all(into), inPieces(int32s([1, 2, 3, 4])))
    })
    const replace = (): Promise<void> =>
      store.write(writer => writer.writeValues(into, all(into), inPieces(int32s([5, 6, 7, 8]))))
    const letPass = async (microseconds: number): Promise<void> => {
      clock.advance(microseconds)
      await vi.advanceTimersByTimeAsync(1000)
      // Work that begins then ends.
      for (let turn = 0; turn < 5; turn++) await new Promise(resolve => setImmediate(resolve))
    }
    const sweep = async (): Promise<void> => {
      for (let round = 0; round < 3; round++) await store.sweeper.sweepGarbage()
    }
    return { engine, store, into, replace, letPass, sweep }
  }

  it('a read is ended with the reason, whatever it meets, and what was kept for it goes', async () => {
    const { engine, store, into, replace, letPass, sweep } = await scene()
    const ended = store.read(async reader => {
      await letPass(HOUR / 2)
      expect(store.figures).toMatchObject({ open: 1, oldestSeconds: 1800, tooOld: 0 })
      await replace()
      const younger = store.read(async other => {
        await letPass(HOUR / 2 + 1000)
        await sweep()
        expect(await collect(engine.blobs.list(''))).toHaveLength(2)
        return readNumbers(other, into)
      })
      expect(await younger).toEqual([5, 6, 7, 8])
      expect(store.figures).toMatchObject({ open: 1, oldestSeconds: 0, tooOld: 1 })
      await reader.object(into.id).catch(() => undefined)
      throw new Error('there is no blob')
    })
    await expect(ended).rejects.toMatchObject({ code: 'snapshot-too-old' })
    await expect(ended).rejects.toThrow('max_snapshot_age (3600 s)')
    expect(store.figures).toMatchObject({ open: 0, oldestSeconds: 0, tooOld: 1 })
  })

  it('a read that needs nothing more ends well', async () => {
    const { store, letPass } = await scene()
    expect(await store.read(() => letPass(2 * HOUR).then(() => 'done'))).toBe('done')
  })

  it('a write goes on with a newer state, and is committed', async () => {
    const { store, into, replace, letPass, sweep, engine } = await scene()
    const other = await newGroup(store)
    await store.write(
      async writer => {
        await writer.writeValues(into, box([0], [2]), inPieces(int32s([9, 9])))
        for (let hour = 0; hour < 3; hour++) {
          await letPass(1.1 * HOUR)
          // Others write what this one has not read, or can merge.
          await store.write(w => w.putLinks(other, softLink(`n${hour}`)))
          await sweep()
        }
        await replace()
        expect(store.figures.oldestSeconds).toBeLessThan(3600)
        expect(await writer.link(other, 'n1')).toBeDefined()
      },
      { once: true },
    )
    expect(await store.read(reader => readNumbers(reader, into))).toEqual([9, 9, 7, 8])
    await sweep()
    expect(await collect(engine.blobs.list(''))).toHaveLength(2)
    expect(store.figures.tooOld).toBe(0)
  })

  it('a write fails as soon as it reads on, if what it has read is another now', async () => {
    const { store, into, letPass } = await scene()
    const other = await newGroup(store)
    const write = store.write(
      async writer => {
        await writer.writeValues(into, box([0], [2]), inPieces(int32s([9, 9])))
        await store.write(w => w.setAcl(into.id, [ITEM]))
        await letPass(1.1 * HOUR)
        await writer.object(other)
        throw new Error('it reads on')
      },
      { once: true },
    )
    await expect(write).rejects.toMatchObject({ code: 'storage-conflict' })
    expect(await store.read(reader => readNumbers(reader, into))).toEqual([1, 2, 3, 4])
  })
})

describe('a disk that is full', () => {
  const FULL = new HyperslabError('storage-full', 'the disk is full')

  /** A store on an engine with room for a number of blobs. */
  async function scene(room: number, fails: 'put' | 'commit' = 'put') {
    const memory = openMemoryEngine()
    let blobs = 0
    let isFull = false
    const engine = withFaults(memory, operation => (operation === fails && isFull ? FULL : undefined))
    const { put, delete: remove } = engine.blobs
    Object.assign(engine.blobs, {
      put(name: string, pieces: readonly Uint8Array[]) {
        isFull = blobs >= room
        return put(name, pieces).then(() => void blobs++)
      },
      delete: (name: string) => remove(name).then(() => void blobs--),
    })
    const reported: unknown[] = []
    const report = (error: unknown) => reported.push(error)
    const store = open(engine, { sweeps: true, maxInlineBytes: 0, report })
    const into = dataset(newId(newRoot()), { dims: [4], chunkDims: [2] })
    await store.write(async writer => {
      await writer.createObject(into)
      await writer.writeValues(into, all(into), inPieces(int32s([1, 2, 3, 4])))
    })
    const replace = (numbers: number[], once: boolean): Promise<void> =>
      store.write(writer => writer.writeValues(into, all(into), inPieces(int32s(numbers))), { once })
    return { store, into, replace, reported }
  }

  it.each([true, false])('a write is tried again when garbage could go (read only once: %s)', async once => {
    const { store, into, replace } = await scene(4)
    await replace([5, 6, 7, 8], once)
    await replace([9, 9, 9, 9], once)
    expect(await store.read(reader => readNumbers(reader, into))).toEqual([9, 9, 9, 9])
    await store.close()
  })

  it('it fails when a reader still needs what could go, or nothing can', async () => {
    const { store, into, replace } = await scene(4)
    await store.read(async reader => {
      await replace([5, 6, 7, 8], true)
      await expect(replace([9, 9, 9, 9], true)).rejects.toBe(FULL)
      expect(await readNumbers(reader, into)).toEqual([1, 2, 3, 4])
    })
    await store.close()
    const small = await scene(2)
    await expect(small.replace([5, 6, 7, 8], false)).rejects.toBe(FULL)
    expect(small.reported).toEqual([FULL])
    await small.store.close()
  })
})

it('a failure of the storage is reported with its cause, the same once in a while', async () => {
  const failure = new HyperslabError('storage-failed', 'the storage failed (EIO)', {
    cause: new Error('EIO'),
  })
  const told: unknown[] = []
  const clock = testClock()
  let isFailing = false
  const engine = withFaults(openMemoryEngine(), operation =>
    isFailing && (operation === 'get' || operation === 'commit') ? failure : undefined,
  )
  const store = open(engine, { clock, report: error => told.push(error) })
  const owner = await newGroup(store)
  isFailing = true
  for (let attempt = 0; attempt < 3; attempt++) {
    await expect(store.read(reader => reader.object(owner))).rejects.toBe(failure)
    await expect(store.write(writer => writer.setAcl(owner, []))).rejects.toBe(failure)
  }
  expect(told).toEqual([failure])
  clock.advance(60e6)
  await expect(store.read(reader => reader.object(owner))).rejects.toBe(failure)
  expect(told).toEqual([failure, failure])
})
