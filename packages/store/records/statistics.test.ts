import { parseDomainPath } from '@hyperslab/model/names'
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
} from '../../../test/conformance/sample-objects.ts'
import { seededRandom, testClock } from '../../../test/engines/clock.ts'
import { openMemoryEngine } from '../../../test/engines/memory.ts'
import { withCounters } from '../../../test/engines/with-counters.ts'
import type { Engine } from '../interfaces/engine.ts'
import { type OpenStore, openStore } from '../open-store.ts'

const PATH = parseDomainPath('/counted')

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
    await writer.putLinks(root, hardLink('child', child.id))
    await writer.putLinks(child.id, softLink('soft'))
    await writer.putAttributes(small.id, attribute('a', [1, 2, 3]))
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

describe('what statistics cost', () => {
  it('is a few reads, however much there is', async () => {
    const engine = withCounters(openMemoryEngine())
    const sample = await sampleIn(engine)
    expect(await engine.count(() => statistics(sample.store))).toMatchObject({ keys: 9, ranges: 0 })
    expect(await engine.count(() => allocation(sample))).toMatchObject({ keys: 2, ranges: 0 })
  })

  it('is nothing for a value or attribute that is replaced by one of the same size, but for the time', async () => {
    const engine = withCounters(openMemoryEngine())
    const { store, small } = await sampleIn(engine)
    const replaced = await engine.count(() =>
      store.write(writer => writer.putAttributes(small.id, attribute('a', [4, 5, 6]))),
    )
    // The record, its position by creation given up and taken, the tombstone, the stamp, the time and the state of
    // the domain; the event.
    expect(replaced).toMatchObject({ changes: 7 })
    const values = await engine.count(() =>
      store.write(writer => writer.writeValues(small, all(small), inPieces(int32s([1, 2, 3, 4, 5, 6])))),
    )
    // For each of three chunks a `follow`, the record and the values; the stamp, the time and the state of the
    // domain; the event.
    expect(values).toMatchObject({ changes: 13, conflicts: 0 })
  })
})
