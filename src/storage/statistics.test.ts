import { describe, expect, it } from 'vitest'
import {
  all,
  attribute,
  dataset,
  domain,
  group,
  hardLink,
  inPieces,
  int32s,
  newId,
  newRoot,
  softLink,
} from '../../test/conformance/sample-objects.ts'
import { seededRandom, testClock } from '../../test/engines/clock.ts'
import { openMemoryEngine } from '../../test/engines/memory.ts'
import { withCounters } from '../../test/engines/with-counters.ts'
import { parseDomainPath } from '../hdf5/domain-path.ts'
import type { Change, Engine } from './engine.ts'
import { type OpenStore, openStore } from './open-store.ts'
import { contentsRange } from './records/keys.ts'

const PATH = parseDomainPath('/counted')
const OTHER = parseDomainPath('/other-name')

async function sampleIn(engine: Engine) {
  const store = openStore(engine, { clock: testClock(), random: seededRandom(1), sweeps: false })
  const root = newRoot()
  const [child, small, large] = [
    group(newId(root)),
    dataset(newId(root), { dims: [6], chunkDims: [2] }),
    dataset(newId(root), { dims: [40_000], chunkDims: [20_000] }),
  ]
  await store.write(async writer => {
    await writer.putDomain(domain(PATH, root))
    for (const object of [group(root), child, small, large]) await writer.createObject(object)
    await writer.putLink(root, hardLink('child', child.id))
    await writer.putLink(child.id, softLink('soft'))
    await writer.putAttribute(small.id, attribute('a', [1, 2, 3]))
    for (const into of [small, large]) {
      await writer.writeValues(
        into,
        all(into),
        inPieces(int32s(new Array(into === small ? 6 : 40_000).fill(1))),
      )
    }
  })
  return { store, root, child, small, large }
}

type Sample = Awaited<ReturnType<typeof sampleIn>>

const statistics = (store: OpenStore) => store.read(reader => reader.statistics(PATH))
const allocation = ({ store, small }: Sample) => store.read(reader => reader.allocation(small.id))

describe('a domain from before anything was counted', () => {
  /** As a release without counters left it. */
  async function oldSample() {
    const engine = openMemoryEngine()
    const sample = await sampleIn(engine)
    const before = await statistics(sample.store)
    const changes: Change[] = []
    const snapshot = engine.keyValue.snapshot()
    for await (const { key } of snapshot.range(contentsRange(sample.root))) {
      const [section, part] = [key[9], key[18]].map(code => String.fromCharCode(code))
      if (section === 's' || (section === 'o' && 'KVM'.includes(part))) changes.push({ op: 'delete', key })
    }
    snapshot.close()
    expect(changes.length).toBeGreaterThan(10)
    await engine.keyValue.commit({ expect: [], changes })
    return { ...sample, before }
  }

  /** Something of everything that is counted. */
  async function change({ store, root, child, small, large }: Sample): Promise<void> {
    await store.write(async writer => {
      await writer.writeValues(large, all(large), inPieces(int32s(new Array(40_000).fill(2))))
      await writer.deleteLink(child.id, 'soft')
      await writer.putLink(root, softLink('new'))
      await writer.putAttribute(small.id, attribute('a', [1]))
      await writer.createObject(dataset(newId(root), { dims: [9], chunkDims: [3] }))
    })
    await store.write(writer => writer.deleteObject(small.id, { links: true }))
  }

  it('is counted by walking, and after countContents from counters', async () => {
    const sample = await oldSample()
    const { store, root, before } = sample
    expect(await statistics(store)).toEqual(before)
    expect(await allocation(sample)).toEqual({ chunks: 3, bytes: 24 })
    await store.write(writer => writer.countContents(root))
    expect(await statistics(store)).toEqual(before)
    expect(await allocation(sample)).toEqual({ chunks: 3, bytes: 24 })
    // A second time changes nothing.
    await store.write(writer => writer.countContents(root))
    expect(await statistics(store)).toEqual(before)
  })

  it.each(['before', 'while', 'after'])('is exact when it changes %s it is counted', async when => {
    const twin = await sampleIn(openMemoryEngine())
    await change(twin)
    const expected = await statistics(twin.store)

    const sample = await oldSample()
    const { store, root } = sample
    if (when === 'before') await change(sample)
    let runs = 0
    await store.write(async writer => {
      await writer.countContents(root)
      if (runs++ === 0 && when === 'while') await change(sample)
    })
    if (when === 'after') await change(sample)
    const { lastModified, ...counts } = (await statistics(store)) ?? {}
    expect({ ...counts, lastModified: expected?.lastModified }).toEqual(expected)
    // An object that has gone is a conflict.
    expect(runs).toBe(when === 'while' ? 2 : 1)
  })

  it('has one name, or one more than it was given since', async () => {
    const { store, root } = await oldSample()
    const nameCount = () => store.read(reader => reader.nameCount(root))
    expect(await nameCount()).toBe(1)
    await store.write(writer => writer.putDomain(domain(OTHER, root)))
    expect(await nameCount()).toBe(2)
    await store.write(writer => writer.countContents(root))
    expect(await nameCount()).toBe(2)
    await store.write(writer => writer.deleteDomain(PATH))
    expect(await store.read(reader => reader.object(root))).toBeDefined()
    await store.write(writer => writer.deleteDomain(OTHER))
    expect(await store.read(reader => reader.object(root))).toBeUndefined()
  })

  it('goes with its name', async () => {
    const { store, root } = await oldSample()
    await store.write(writer => writer.deleteDomain(PATH))
    expect(await store.read(reader => reader.object(root))).toBeUndefined()
  })
})

describe('what statistics cost', () => {
  it('is a few reads, however much there is', async () => {
    const engine = withCounters(openMemoryEngine())
    const sample = await sampleIn(engine)
    expect(await engine.count(() => statistics(sample.store))).toMatchObject({ keys: 10, ranges: 0 })
    expect(await engine.count(() => allocation(sample))).toMatchObject({ keys: 3, ranges: 0 })
  })

  it('is nothing for a value or attribute that is replaced by one of the same size, but for the time', async () => {
    const engine = withCounters(openMemoryEngine())
    const { store, small } = await sampleIn(engine)
    const replaced = await engine.count(() =>
      store.write(writer => writer.putAttribute(small.id, attribute('a', [4, 5, 6]))),
    )
    // The record, its place by creation given up and taken, the tombstone, the stamp, the time of the domain.
    expect(replaced).toMatchObject({ changes: 5 })
    const values = await engine.count(() =>
      store.write(writer => writer.writeValues(small, all(small), inPieces(int32s([1, 2, 3, 4, 5, 6])))),
    )
    // Of three chunks what follows, the record and the values; the stamp, the time of the domain.
    expect(values).toMatchObject({ changes: 11, conflicts: 0 })
  })
})
