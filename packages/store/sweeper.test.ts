import type { ObjectId } from '@hyperslab/model/names'
import { describe, expect, it } from 'vitest'
import {
  all,
  attribute,
  box,
  collect,
  dataset,
  domain,
  group,
  hardLink,
  inPieces,
  int32s,
  newId,
  newRoot,
  numbersOf,
  readNumbers,
  softLink,
  wholeValue,
} from '../../test/conformance/sample-objects.ts'
import { expectSound, findingsIn } from '../../test/conformance/sound.ts'
import { seededRandom, testClock } from '../../test/engines/clock.ts'
import { openMemoryEngine } from '../../test/engines/memory.ts'
import type { Engine } from './interfaces/engine.ts'
import type { Dataset } from './interfaces/store.ts'
import { type OpenStore, openStore } from './open-store.ts'
import {
  contentsRange,
  longWriteKey,
  memberTombstonesRange,
  objectPartRange,
  objectRange,
} from './records/keys.ts'
import { noteGarbage } from './transaction/garbage.ts'
import { Transaction } from './transaction/transaction.ts'

const MINUTE = 60 * 1e6

/** Two stores on one engine, as in two processes, each with a clock of its own. */
function scene(maxInlineBytes = 0) {
  const engine = openMemoryEngine()
  const [clock, otherClock] = [testClock(), testClock(1_900_000_000_000_000)]
  const options = { sweeps: false, maxInlineBytes }
  const store = openStore(engine, { ...options, clock, random: seededRandom(1) })
  const other = openStore(engine, { ...options, clock: otherClock, random: seededRandom(2) })
  return { engine, clock, otherClock, store, other }
}

async function written(store: OpenStore): Promise<Dataset> {
  const root = newRoot()
  const into = dataset(newId(root), { dims: [4], chunkDims: [2], maxdims: ['H5S_UNLIMITED'] })
  await store.write(async writer => {
    await writer.putDomain(domain('/d', root))
    await writer.createObject(group(root))
    await writer.createObject(into)
    await writer.writeValues(into, all(into), inPieces(int32s([1, 2, 3, 4])))
  })
  return into
}

const replace = (store: OpenStore, into: Dataset, numbers = [5, 6, 7, 8]): Promise<void> =>
  store.write(writer => writer.writeValues(into, all(into), inPieces(int32s(numbers))))

const blobCount = async (engine: Engine): Promise<number> => (await collect(engine.blobs.list(''))).length

async function recordCount(engine: Engine, range: { start: Uint8Array; end: Uint8Array }): Promise<number> {
  const snapshot = engine.keyValue.snapshot()
  const entries = await collect(snapshot.range(range))
  snapshot.close()
  return entries.length
}

/** Sweeps three times, which is enough for blobs that are noted one by one. */
async function sweep(...stores: OpenStore[]): Promise<void> {
  for (let round = 0; round < 3; round++) {
    for (const { sweeper } of stores) {
      while (await sweeper.removeRemains());
      await sweeper.sweepGarbage()
      await sweeper.findOrphans()
    }
  }
}

describe('the sweeper', () => {
  it.each<[string, (store: OpenStore, into: Dataset) => Promise<void>, number]>([
    [
      'values that were replaced',
      (store, into) => store.write(w => w.writeValues(into, box([0], [1]), inPieces(int32s([9])))),
      2,
    ],
    ['values that were cut off', (store, into) => store.write(w => w.setExtents(into, [2])), 1],
    [
      'values of a deleted dataset',
      (store, into) => store.write(w => w.deleteObject(into.id, { links: true })),
      0,
    ],
    ['values that were dropped', (store, into) => store.write(w => w.markUnreadable(into.id, 'damaged')), 0],
    ['values of a deleted domain', store => store.write(w => w.deleteDomain(domain('/d').path)), 0],
    [
      'large values of attributes of a deleted object',
      async (store, into) => {
        await store.write(w => w.putAttributes(into.id, attribute('a', [1, 2, 3])))
        await store.write(w => w.deleteObject(into.id, { links: true }))
      },
      0,
    ],
    [
      'large values of attributes that were replaced or deleted',
      async (store, into) => {
        for (const name of ['a', 'a', 'b']) await store.write(w => w.putAttributes(into.id, attribute(name)))
        await store.write(w => w.deleteAttribute(into.id, 'b'))
      },
      3,
    ],
    ['values of an import that failed', (store, into) => store.write(w => w.dropContents(into.id)), 0],
  ])(
    'removes %s when no reader is left that may need them, whatever the clocks say',
    async (_name, change, left) => {
      const { engine, clock, store, other } = scene()
      const into = await written(store)
      await sweep(store, other)
      expect(await blobCount(engine)).toBe(2)
      await other.read(async reader => {
        await change(store, into)
        const before = await blobCount(engine)
        for (const step of [24 * 60 * MINUTE, -365 * 24 * 60 * MINUTE]) {
          clock.set(step)
          await sweep(store)
          expect(await blobCount(engine)).toBe(before)
        }
        expect(await readNumbers(reader, into)).toEqual([1, 2, 3, 4])
      })
      await sweep(store)
      expect(await blobCount(engine)).toBe(left)
    },
  )

  it('never deletes what a record names, however it was noted', async () => {
    const { engine, store } = scene()
    const into = await written(store)
    const names = await collect(engine.blobs.list(''))
    const prefixes = [`${into.id.slice(0, 16)}/`, `${into.id.slice(0, 16)}/${into.id.slice(16)}/`]
    const changes = [noteGarbage([...names, ...prefixes], seededRandom(7))]
    await engine.keyValue.commit({ expect: [], changes })
    await sweep(store)
    expect(await store.read(reader => readNumbers(reader, into))).toEqual([1, 2, 3, 4])
    expect(await blobCount(engine)).toBe(2)
  })

  it('keeps what is written to an object whose id was used before, and removes what that one had', async () => {
    const { engine, store } = scene()
    const into = await written(store)
    await store.write(writer => writer.deleteObject(into.id, { links: true }))
    await store.write(async writer => {
      await writer.createObject(into)
      await writer.writeValues(into, all(into), inPieces(int32s([5, 6, 7, 8])))
      // No record names the blob yet.
      await sweep(store)
    })
    await sweep(store)
    expect(await store.read(reader => readNumbers(reader, into))).toEqual([5, 6, 7, 8])
    expect(await blobCount(engine)).toBe(2)
  })

  it('removes the large value of an attribute that was put but never named, and no other', async () => {
    const { engine, store } = scene()
    const { id } = await written(store)
    await store.write(writer => writer.putAttributes(id, attribute('a')))
    // A blob of a writer that died before its commit.
    await engine.blobs.put(`${id.slice(0, 16)}/${newId(id).slice(16)}/0100${'ab'.repeat(8)}`, [])
    expect(await blobCount(engine)).toBe(4)
    await sweep(store)
    expect(await blobCount(engine)).toBe(3)
    await store.read(async reader => {
      const found = await reader.attribute(id, 'a')
      const value = found && (await wholeValue(found.type, found.value))
      expect(value && numbersOf(value)).toEqual([1])
    })
  })

  it('knows the values of a chunk that several writers replaced at the same time', async () => {
    const { engine, store, other } = scene()
    const into = await written(store)
    const replaceAnd = (by: OpenStore, meanwhile: () => Promise<void>) =>
      by.write(async writer => {
        await writer.writeValues(into, all(into), inPieces(int32s([5, 6, 7, 8])))
        await meanwhile()
      })
    await replaceAnd(store, () => replaceAnd(other, () => replaceAnd(store, async () => {})))
    await sweep(store)
    expect(await blobCount(engine)).toBe(2)
    expect(await store.read(reader => readNumbers(reader, into))).toEqual([5, 6, 7, 8])
  })

  it('handles each garbage once', async () => {
    const { engine, store } = scene()
    const into = await written(store)
    await replace(store, into)
    await store.sweeper.sweepGarbage()
    expect(await blobCount(engine)).toBe(2)
    let deletions = 0
    const blobs = { ...engine.blobs, delete: async () => void deletions++ }
    Object.assign(engine, { blobs })
    expect(await store.sweeper.sweepGarbage()).toBe(false)
    expect(deletions).toBe(0)
  })

  it('removes what was put but never named, also spilled values, and leaves the blobs of others', async () => {
    const { engine, store } = scene()
    const into = await written(store)
    const folder = `${into.id.slice(0, 16)}/${into.id.slice(16)}`
    await engine.blobs.put(`${folder}/0100${'ab'.repeat(8)}`, [])
    await engine.blobs.put(`${folder}/ff${'ab'.repeat(8)}`, [])
    await engine.blobs.put('abcdef', [])
    await store.sweeper.sweepGarbage()
    expect(await blobCount(engine)).toBe(5)
    await sweep(store)
    expect(await blobCount(engine)).toBe(3)
    expect(await store.read(reader => readNumbers(reader, into))).toEqual([1, 2, 3, 4])
  })

  it('makes room for a write that met a full disk, and says when there is nothing to delete', async () => {
    const { engine, store } = scene()
    const into = await written(store)
    expect(await store.sweeper.makeRoom(async () => {})).toBe(false)
    await store.write(writer => writer.deleteObject(into.id, { links: true }))
    expect(await store.sweeper.makeRoom(async () => {})).toBe(true)
    expect(await blobCount(engine)).toBe(0)
  })

  it('runs on a timer, and stops when the store is closed', async () => {
    const engine = openMemoryEngine()
    const store = openStore(engine, { clock: testClock(), random: seededRandom(1), maxInlineBytes: 0 })
    const into = await written(store)
    await replace(store, into)
    await expect.poll(() => blobCount(engine)).toBe(2)
    await store.close()
  })
})

describe('what a write has put and not named', () => {
  it('is kept as long as the write runs', async () => {
    const { engine, store, other } = scene()
    const into = await written(store)
    for (const writing of [store, other]) {
      await writing.write(async writer => {
        await writer.writeValues(into, all(into), inPieces(int32s([5, 6, 7, 8])))
        await sweep(store, other)
      })
      expect(await store.read(reader => readNumbers(reader, into))).toEqual([5, 6, 7, 8])
    }
    await sweep(store)
    expect(await blobCount(engine)).toBe(2)
  })

  const NAME = `${'0'.repeat(16)}/${'1'.repeat(16)}/01${'ab'.repeat(8)}`
  const change = (transaction: Transaction): void => transaction.set(Buffer.from('k'), Buffer.from('v'))

  it('is kept when the write goes on with a newer state, until it ends', async () => {
    const { engine, clock, store } = scene()
    const transaction = new Transaction({ engine, clock, random: seededRandom(3) })
    await transaction.putBlob(NAME, [])
    await written(store)
    await transaction.renew()
    await sweep(store)
    await transaction.renew()
    await sweep(store)
    expect(await blobCount(engine)).toBe(3)
    change(transaction)
    expect(await transaction.commit(() => false)).toBe(true)
    await transaction.end()
    await sweep(store)
    expect(await blobCount(engine)).toBe(2)
    expect(await recordCount(engine, { start: longWriteKey(new Uint8Array(0)), end: Buffer.from('q') })).toBe(
      0,
    )
  })

  it('goes with its process, and a write that was taken for dead cannot name it any more', async () => {
    const { engine, clock, store } = scene()
    const transaction = new Transaction({ engine, clock, random: seededRandom(3) })
    await transaction.putBlob(NAME, [])
    await transaction.renew()
    await store.sweeper.findOrphans()
    await store.sweeper.sweepGarbage()
    await written(store)
    // Blobs that a process read are no longer kept once it is dead.
    await transaction.renew()
    const { isAlive } = engine.keyValue
    engine.keyValue.isAlive = async () => false
    await sweep(store)
    engine.keyValue.isAlive = isAlive
    expect(await blobCount(engine)).toBe(2)
    change(transaction)
    expect(await transaction.commit(() => true)).toBe(false)
    await transaction.end()
  })
})

it('removes all at once what a process leaves that ends', async () => {
  const { engine, store } = scene()
  const into = await written(store)
  await replace(store, into)
  expect(await blobCount(engine)).toBe(4)
  await store.sweeper.sweepAll()
  expect(await blobCount(engine)).toBe(2)
  await store.write(writer => writer.deleteDomain(domain('/d').path))
  await store.sweeper.sweepAll()
  expect(await blobCount(engine)).toBe(0)
})

describe('imports', () => {
  async function begun(store: OpenStore): Promise<ObjectId> {
    const root = newRoot()
    await store.write(async writer => {
      await writer.createObject(group(root))
      await writer.renewUnfinished(root, store.now())
    })
    return root
  }

  it('what one leaves that was killed is dropped an hour later, and the import must not go on then', async () => {
    const { engine, otherClock, store, other } = scene()
    const root = await begun(store)
    const into = dataset(newId(root), { dims: [4], chunkDims: [2] })
    await other.sweeper.dropUnfinished()
    otherClock.advance(50 * MINUTE)
    await store.write(async writer => {
      await writer.renewUnfinished(root, store.now())
      await writer.createObject(into)
      await writer.writeValues(into, all(into), inPieces(int32s([1, 2, 3, 4])))
    })
    await other.sweeper.dropUnfinished()
    otherClock.advance(50 * MINUTE)
    await other.sweeper.dropUnfinished()
    expect(await store.read(reader => reader.object(into.id))).toEqual(into)
    otherClock.advance(11 * MINUTE)
    await other.sweeper.dropUnfinished()
    expect(await store.read(reader => reader.object(into.id))).toBeUndefined()
    expect(await store.read(reader => reader.object(root))).toBeUndefined()
    await expect(store.write(writer => writer.renewUnfinished(root, store.now()))).rejects.toThrow('dropped')
    await sweep(other)
    expect(await blobCount(engine)).toBe(0)
  })

  it('what one leaves whose process has died is dropped in the second round, at once', async () => {
    const { engine, store, other } = scene()
    const root = await begun(store)
    await other.sweeper.dropUnfinished()
    await other.sweeper.dropUnfinished()
    expect(await store.read(reader => reader.object(root))).toBeDefined()
    engine.keyValue.isAlive = async () => false
    const second = await begun(store)
    await other.sweeper.dropUnfinished()
    expect(await store.read(reader => reader.object(root))).toBeUndefined()
    expect(await store.read(reader => reader.object(second))).toBeDefined()
    await store.write(writer => writer.renewUnfinished(second, store.now()))
    await other.sweeper.dropUnfinished()
    expect(await store.read(reader => reader.object(second))).toBeDefined()
    await other.sweeper.dropUnfinished()
    expect(await store.read(reader => reader.object(second))).toBeUndefined()
  })

  it('no setting of a clock makes one seem dead', async () => {
    const { clock, otherClock, store, other } = scene()
    const root = await begun(store)
    await other.sweeper.dropUnfinished()
    otherClock.set(24 * 60 * MINUTE)
    clock.set(-24 * 60 * MINUTE)
    otherClock.advance(59 * MINUTE)
    await other.sweeper.dropUnfinished()
    expect(await store.read(reader => reader.object(root))).toBeDefined()
  })

  it('what became a domain is kept, also one that does while it is looked at', async () => {
    const { engine, otherClock, store, other } = scene()
    const [early, late] = [await begun(store), await begun(store)]
    await store.write(writer => writer.putDomain(domain('/early', early)))
    await other.sweeper.dropUnfinished()
    otherClock.advance(61 * MINUTE)
    const commit = engine.keyValue.commit.bind(engine.keyValue)
    let isLate = true
    engine.keyValue.commit = async batch => {
      if (isLate) {
        isLate = false
        await store.write(writer => writer.putDomain(domain('/late', late)))
      }
      return commit(batch)
    }
    await other.sweeper.dropUnfinished()
    expect(isLate).toBe(false)
    for (const root of [early, late]) {
      expect(await store.read(reader => reader.object(root))).toBeDefined()
    }
  })

  it('no other records are touched: an import may take long to fill a domain that has no entry', async () => {
    const { engine, clock, store } = scene()
    const into = dataset(newId(newRoot()), { dims: [2], chunkDims: [2] })
    await store.write(async writer => {
      await writer.createObject(into)
      await writer.writeValues(into, all(into), inPieces(int32s([1, 2])))
    })
    clock.advance(24 * 60 * MINUTE)
    await store.sweeper.dropUnfinished()
    await sweep(store)
    expect(await blobCount(engine)).toBe(1)
    expect(await store.read(reader => readNumbers(reader, into))).toEqual([1, 2])
  })
})

describe('what held much', () => {
  /** More than go with one commit (`PIECE_RECORDS` of remains.ts). */
  const MANY = 1200

  /** A group with many links, to others and to itself, many attributes, and many links that were deleted. */
  async function large(store: OpenStore): Promise<{ root: ObjectId; id: ObjectId; target: ObjectId }> {
    const root = newRoot()
    const [id, target] = [newId(root), newId(root)]
    await store.write(async writer => {
      await writer.putDomain(domain('/large', root))
      for (const each of [root, id, target]) await writer.createObject(group(each))
      await writer.putLinks(root, hardLink('large', id))
      for (let i = 0; i < MANY; i++) await writer.putLinks(id, hardLink(`link${i}`, i % 2 ? target : id))
      for (let i = 0; i < MANY; i++) await writer.putAttributes(id, attribute(`attribute${i}`))
      for (let i = 0; i < MANY; i++) await writer.putLinks(id, softLink(`gone${i}`))
      for (let i = 0; i < MANY; i++) await writer.deleteLink(id, `gone${i}`)
    })
    return { root, id, target }
  }

  it('an object goes by one small commit, is gone at once for everybody, and its parts follow', async () => {
    const { engine, store, other } = scene()
    const { root, id, target } = await large(store)
    let most = 0
    let commits = 0
    const commit = engine.keyValue.commit.bind(engine.keyValue)
    engine.keyValue.commit = batch => {
      commits++
      most = Math.max(most, batch.changes.length + batch.expect.length)
      return commit(batch)
    }
    await other.read(async before => {
      await store.write(async writer => {
        await writer.deleteObject(id, { links: true })
        expect(await collect(writer.links(id))).toEqual([])
      })
      expect(most).toBeLessThan(50)
      await store.read(async reader => {
        expect(await reader.object(id)).toBeUndefined()
        expect(await reader.wasDeleted({ object: id })).toBe(true)
        expect(await reader.link(root, 'large')).toBeUndefined()
        expect(await collect(reader.objects(root, 'group'))).toEqual([root, target].sort())
        expect(await reader.statistics(domain('/large').path)).toMatchObject({ groups: 2 })
      })
      await sweep(store)
      // A read that has begun before still sees all of it.
      expect(await collect(before.links(id))).toHaveLength(MANY)
    })
    expect(most).toBeLessThan(2.5 * MANY)
    expect(await recordCount(engine, objectRange(id))).toBe(0)
    expect(await store.read(reader => collect(reader.linksTo(target)))).toEqual([])
    // The target's own record, stamp and nothing else.
    expect(await recordCount(engine, objectRange(target))).toBe(2)
    expect(await recordCount(engine, { start: Buffer.from('r'), end: Buffer.from('s') })).toBe(0)
    // The values of its attributes were large; nothing is left of them either.
    const snapshot = engine.keyValue.snapshot()
    const left = await collect(snapshot.range(contentsRange(root)))
    snapshot.close()
    expect(
      left.filter(({ key }) => key[9] === 0x6f && 'kvKV'.includes(String.fromCharCode(key[18]))),
    ).toEqual([])
    await sweep(store)
    expect(await blobCount(engine)).toBe(0)
    // Not one for each value of an attribute.
    expect(commits).toBeLessThan(MANY / 10)
  })

  it('a domain goes by one small commit, and what it held follows', async () => {
    const { engine, store } = scene()
    const { root, id } = await large(store)
    await store.write(writer => writer.deleteDomain(domain('/large').path))
    expect(await recordCount(engine, contentsRange(root))).toBeGreaterThan(MANY)
    await store.read(async reader => {
      expect(await reader.object(root)).toBeUndefined()
      expect(await reader.nameCount(root)).toBe(0)
      expect(await collect(reader.objects(root, 'group'))).not.toContain(root)
    })
    await sweep(store)
    expect(await recordCount(engine, contentsRange(root))).toBe(0)
    expect(await store.read(reader => reader.object(id))).toBeUndefined()
  })

  it('between the pieces a check finds nothing wrong', async () => {
    const { engine, store } = scene()
    const { id, target } = await large(store)
    await store.write(writer => writer.deleteObject(id, { links: false }))
    await store.write(writer => writer.deleteObject(target, { links: true }))
    const commit = engine.keyValue.commit.bind(engine.keyValue)
    let pieces = 0
    engine.keyValue.commit = async batch => {
      const result = await commit(batch)
      if (pieces++ % 20 === 0) await expectSound(engine)
      return result
    }
    await sweep(store)
    expect(pieces).toBeGreaterThan(10)
    expect((await findingsIn(engine)).map(({ kind }) => kind)).toEqual(['dangling-link'])
  })

  it('an id is not used again before all of it is gone, and then nothing of the old shows', async () => {
    const { store } = scene()
    const { root, id } = await large(store)
    await store.write(writer => writer.deleteObject(id, { links: false }))
    const create = () => store.write(writer => writer.createObject(group(id)))
    await expect(create()).rejects.toMatchObject({ code: 'still-deleting', subject: id })
    await sweep(store)
    await create()
    await store.read(async reader => {
      expect(await collect(reader.links(id))).toEqual([])
      expect(await reader.wasDeleted({ group: id, title: 'gone7' })).toBe(false)
    })
    await store.write(writer => writer.deleteDomain(domain('/large').path))
    await store.write(writer => writer.createObject(group(root)))
    expect(await store.read(reader => collect(reader.objects(root, 'group')))).toEqual([root])
  })

  it('what little is left goes with the write that uses the id again', async () => {
    const { engine, store } = scene(1000)
    const { id } = await large(store)
    await store.write(writer => writer.deleteObject(id, { links: false }))
    const most = await Promise.all(
      [objectRange(id), memberTombstonesRange(id)].map(async range => {
        return { op: 'deleteRange', ...range, limit: (await recordCount(engine, range)) - 300 } as const
      }),
    )
    // The state in which a sweeper that was interrupted leaves the object.
    await engine.keyValue.commit({ expect: [], changes: most })
    expect(await recordCount(engine, objectRange(id))).toBeGreaterThan(0)
    await store.write(writer => writer.createObject(group(id)))
    expect(await store.read(reader => collect(reader.links(id)))).toEqual([])
    await store.write(writer => writer.putLinks(id, softLink('new')))
    await sweep(store)
    expect(await store.read(reader => collect(reader.links(id)))).toHaveLength(1)
    expect(await recordCount(engine, memberTombstonesRange(id))).toBe(0)
  })

  it('a link from what was deleted is none any more for a request that deletes its target', async () => {
    const { engine, store } = scene()
    const { root, id, target } = await large(store)
    await store.write(writer => writer.deleteObject(id, { links: false }))
    await store.write(writer => writer.deleteObject(target, { links: true }))
    await sweep(store)
    // From the root group's link, which dangles.
    expect(await recordCount(engine, objectRange(id))).toBe(1)
    expect(await recordCount(engine, objectPartRange(id, 'backLink'))).toBe(1)
    expect(await recordCount(engine, objectRange(target))).toBe(0)
    expect(await store.read(reader => reader.status(id))).toMatchObject({ linkCount: 0, lastModified: 0 })
    expect(await store.read(reader => reader.statistics(domain('/large').path))).toMatchObject({ groups: 1 })
    expect(await store.read(reader => collect(reader.objects(root, 'group')))).toEqual([root])
  })

  it('goes on where another sweeper has ended', async () => {
    const { engine, store, other } = scene()
    const { root } = await large(store)
    await store.write(writer => writer.deleteDomain(domain('/large').path))
    const commit = engine.keyValue.commit.bind(engine.keyValue)
    let left = 3
    engine.keyValue.commit = async batch => {
      if (left-- === 0) throw new Error('the process ends')
      return commit(batch)
    }
    await expect(store.sweeper.removeRemains()).rejects.toThrow('the process ends')
    expect(await recordCount(engine, contentsRange(root))).toBeGreaterThan(0)
    await Promise.all([store, other].map(({ sweeper }) => sweeper.removeRemains()))
    await sweep(other)
    expect(await recordCount(engine, contentsRange(root))).toBe(0)
  })
})

it('rests longer and longer while there is nothing to remove, and a second after a change', async () => {
  const rests: number[] = []
  let round: (() => void) | undefined
  const clock = {
    ...testClock(),
    after(milliseconds: number, work: () => void) {
      rests.push(milliseconds)
      round = work
      return () => {}
    },
  }
  const store = openStore(openMemoryEngine(), { clock, random: seededRandom(1) })
  for (let i = 1; i <= 9; i++) {
    expect(rests).toHaveLength(i)
    round?.()
    await expect.poll(() => rests.length).toBe(i + 1)
  }
  expect(rests.at(-1)).toBe(64_000)
  await store.write(async writer => {
    const root = newRoot()
    await writer.createObject(group(root))
    await writer.putDomain(domain('/d', root))
  })
  expect(rests.at(-1)).toBe(1000)
  await store.close()
})
