import { parseDomainPath } from '@hyperslab/model/names'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  all,
  dataset,
  domain,
  group,
  hardLink,
  inPieces,
  int32s,
  newId,
  newRoot,
  readNumbers,
  softLink,
} from '../../test/conformance/sample-objects.ts'
import { expectSound } from '../../test/conformance/sound.ts'
import { seededRandom, testClock } from '../../test/engines/clock.ts'
import { openMemoryEngine } from '../../test/engines/memory.ts'
import { withCounters } from '../../test/engines/with-counters.ts'
import { withFaults } from '../../test/engines/with-faults.ts'
import { type CopyProgress, copyStore } from './copy-store.ts'
import type { Blobs, Engine } from './interfaces/engine.ts'
import { hexOf } from './key-range.ts'
import { type OpenStore, openStore } from './open-store.ts'
import { changeAccounts, readAccounts } from './records/accounts.ts'
import { beginCopy, endCopy, makeIdentity, readIdentity, takeIdentity } from './records/identity.ts'
import { followedKey } from './records/keys.ts'
import { makeMountSecret } from './records/mount-secret.ts'
import { encodeRecord } from './records/record.ts'
import { withSnapshot } from './records/with-snapshot.ts'

const random = seededRandom(11)
const root = newRoot()
const values = dataset(newId(root), { dims: [400], chunkDims: [100] })
const numbers = Array.from({ length: 400 }, (_, i) => i)

let source: Engine
let store: OpenStore
let target: Engine

const storeOn = (engine: Engine) =>
  openStore(engine, { clock: testClock(), random, sweeps: false, maxInlineBytes: 100 })

beforeEach(async () => {
  source = openMemoryEngine()
  target = openMemoryEngine()
  store = storeOn(source)
  await store.write(async writer => {
    await writer.putDomain(domain('/file', root))
    for (const object of [group(root), values]) await writer.createObject(object)
    await writer.putLinks(root, hardLink('values', values.id))
    await writer.writeValues(values, all(values), inPieces(int32s(numbers)))
  })
})

const copy = () => copyStore(source, target)
const read = (engine: Engine) => storeOn(engine).read(reader => readNumbers(reader, values))
const replace = (first: number) =>
  store.write(writer => writer.writeValues(values, all(values), inPieces(int32s(numbers.with(0, first)))))

async function names(engine: Engine): Promise<string[]> {
  const found: string[] = []
  for await (const name of engine.blobs.list('')) found.push(name)
  return found.sort()
}

function withBlobs(engine: Engine, changed: Partial<Blobs>): Engine {
  const { blobs } = engine
  const same: Blobs = {
    parallelism: blobs.parallelism,
    list: prefix => blobs.list(prefix),
    size: name => blobs.size(name),
    hasChecksums: name => blobs.hasChecksums(name),
    read: (name, offset, into) => blobs.read(name, offset, into),
    readCompared: (name, offset, into) => blobs.readCompared(name, offset, into),
    put: (name, pieces) => blobs.put(name, pieces),
    delete: name => blobs.delete(name),
  }
  return { ...engine, blobs: { ...same, ...changed } }
}

describe('copyStore', () => {
  it('copies all records as they are, and the blobs', async () => {
    const { records, changedRecords, blobs, copiedBytes } = await copy()
    expect([blobs, copiedBytes]).toEqual([4, 1600])
    expect(changedRecords).toBe(records)
    expect(await read(target)).toEqual(numbers)
    expect(await names(target)).toEqual(await names(source))
    await expectSound(target)
    const status = (engine: Engine) => storeOn(engine).read(reader => reader.status(values.id))
    expect(await status(target)).toEqual(await status(source))
  })

  it('copies accounts and the secret of mounts; what has accounts is no place for a copy', async () => {
    await changeAccounts(source.keyValue, random, ({ users }) =>
      users.set('ann', { hash: 'hash', admin: true }),
    )
    const secret = await makeMountSecret(source.keyValue, random)
    await copy()
    expect((await readAccounts(target.keyValue)).users.get('ann')).toMatchObject({
      hash: 'hash',
    })
    expect(hexOf(await makeMountSecret(target.keyValue, random))).toBe(hexOf(secret))
    await expectSound(target)
    const other = openMemoryEngine()
    await changeAccounts(other.keyValue, random, ({ users }) => users.set('bob', { hash: '', admin: false }))
    await expect(beginCopy(other.keyValue, random, 'ab'.repeat(16))).rejects.toThrow('holds another store')
  })

  it('of a copy that is there changes only what differs', async () => {
    await copy()
    await store.write(writer => writer.putLinks(root, softLink('new')))
    const { copiedBytes, changedRecords } = await copy()
    expect(copiedBytes).toBe(0)
    // A few records of the link, its group and the domain.
    expect(changedRecords).toBeLessThan(9)
    expect(await copy()).toMatchObject({ changedRecords: 0, copiedBytes: 0 })
  })

  it('removes what the source no longer has', async () => {
    await copy()
    await replace(-1)
    while (await store.sweeper.sweepGarbage());
    await copy()
    expect(await names(target)).toEqual(await names(source))
    expect((await read(target))[0]).toBe(-1)
    await expectSound(target)
  })

  it('copies one state of a source that goes on to change', async () => {
    let isFirst = true
    const progress = ({ phase }: CopyProgress): void => {
      if (phase !== 'values' || !isFirst) return
      isFirst = false
      void replace(-1)
    }
    await copyStore(source, target, { progress })
    expect(await read(target)).toEqual(numbers)
    await expectSound(target)
  })

  it('goes on where it was broken off', async () => {
    let left = 3
    const breaking = withFaults(target, operation =>
      operation === 'put' && left-- === 0 ? 'before' : undefined,
    )
    await expect(copyStore(source, breaking)).rejects.toThrow('put')
    const counting = withCounters(target)
    await copyStore(source, counting)
    expect(counting.counters.blobPuts).toBe(1)
    expect(await read(target)).toEqual(numbers)
  })

  it('finds a blob that is not the same and copies it again, and one that was cut short', async () => {
    await copy()
    const [first, second] = await names(target)
    await target.blobs.delete(first)
    await target.blobs.put(first, [new Uint8Array(400)])
    await target.blobs.delete(second)
    await target.blobs.put(second, [new Uint8Array(399)])
    await copy()
    expect(await read(target)).toEqual(numbers)
  })

  it('fails if a blob cannot be made the same', async () => {
    const [first] = await names(source)
    const { blobs } = target
    const put: Blobs['put'] = (name, pieces) =>
      blobs.put(name, name === first ? [new Uint8Array(400)] : pieces)
    await expect(copyStore(source, withBlobs(target, { put }))).rejects.toThrow(
      `differs from the store in the values ${first}`,
    )
  })

  it('copies no blob of a write that comes after the copied state, nor one that a record does not name', async () => {
    const before = await names(source)
    await source.blobs.put('ab/cd', [new Uint8Array(8)])
    async function* list(prefix: string) {
      await replace(-1)
      yield* source.blobs.list(prefix)
    }
    await copyStore(withBlobs(source, { list }), target)
    expect((await names(source)).length).toBeGreaterThan(before.length + 1)
    expect(await names(target)).toEqual(before)
    await expectSound(target)
    // An older copy may have them.
    await target.blobs.put('ab/cd', [new Uint8Array(8)])
    await copy()
    expect(await names(target)).not.toContain('ab/cd')
    expect((await read(target))[0]).toBe(-1)
  })

  it('leaves a blob that is deleted while it is compared', async () => {
    const { blobs } = source
    const [first] = await names(source)
    const readCompared: Blobs['readCompared'] = async (name, offset, into) => {
      if (name === first && (await target.blobs.size(name)) !== undefined) await blobs.delete(name)
      return blobs.readCompared(name, offset, into)
    }
    await copyStore(withBlobs(source, { readCompared }), target)
    expect(await names(source)).not.toContain(first)
    expect(await storeOn(target).read(reader => readNumbers(reader, values))).toEqual(numbers)
  })

  it('ends when it is aborted', async () => {
    const signal = AbortSignal.abort(new Error('interrupted'))
    await expect(copyStore(source, target, { signal })).rejects.toThrow('interrupted')
  })
})

describe('the identity of a store', () => {
  it('is made once, also by two processes at the same moment', async () => {
    const made = await Promise.all([1, 2, 3].map(seed => makeIdentity(source.keyValue, seededRandom(seed))))
    expect(new Set(made.map(({ id }) => id)).size).toBe(1)
    expect(made[0].id).toMatch(/^[0-9a-f]{32}$/)
    await expectSound(source)
  })

  it('says that a copy is not complete, then that it is, and nothing once it is used', async () => {
    const { id } = await makeIdentity(source.keyValue, random)
    const own = await beginCopy(target.keyValue, random, id)
    expect(own).not.toBe(id)
    await expect(takeIdentity(target.keyValue)).rejects.toThrow('not complete')
    await copy()
    await endCopy(target.keyValue)
    expect(await beginCopy(target.keyValue, random, id)).toBe(own)
    await expect(takeIdentity(target.keyValue)).rejects.toThrow('not complete')
    await copy()
    await endCopy(target.keyValue)
    await takeIdentity(target.keyValue)
    expect(await readIdentity(target.keyValue)).toEqual({ id: own })
    await expect(beginCopy(target.keyValue, random, id)).rejects.toThrow('has been served since')
  })

  it('refuses to copy into a store that is used, into itself, or into the copy of another one', async () => {
    const { id } = await makeIdentity(source.keyValue, random)
    await expect(beginCopy(source.keyValue, random, id)).rejects.toThrow('onto itself')
    await beginCopy(target.keyValue, random, id)
    await copy()
    await expect(beginCopy(target.keyValue, random, 'ab'.repeat(16))).rejects.toThrow('holds another store')
    const other = openMemoryEngine()
    await copyStore(source, other)
    await expect(beginCopy(other.keyValue, random, id)).rejects.toThrow('holds another store')
  })

  it('is nothing that a store has to have', async () => {
    await takeIdentity(source.keyValue)
    expect(await readIdentity(source.keyValue)).toBeUndefined()
  })
})

it('leaves out the mounted files that the feed follows', async () => {
  const key = followedKey(parseDomainPath('/m/a'))
  const value = encodeRecord({ path: '/m/a' })
  await source.keyValue.commit({ expect: [], changes: [{ op: 'set', key, value }] })
  await copy()
  expect(await withSnapshot(source.keyValue, snapshot => snapshot.get(key))).toEqual(value)
  expect(await withSnapshot(target.keyValue, snapshot => snapshot.get(key))).toBeUndefined()
})
