// Counts stay exact with writers at the same time: random writers on a few objects, chunks of changing size replaced by
// all of them, and in the end a check of all that is in the engine, which counts it anew. The seed is printed.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HyperslabError } from '@hyperslab/base/errors'
import type { ObjectId } from '@hyperslab/model/names'
import { type DomainPath, parseDomainPath } from '@hyperslab/model/names'
import type { Elements } from '@hyperslab/model/values'
import type { Engine } from '@hyperslab/store/engines'
import { inFolder, type OpenStore, openEngine, openStore, storeClock } from '@hyperslab/store/engines'
import type { Dataset, Writer } from '@hyperslab/store/store'
import { afterAll, describe, expect, it } from 'vitest'
import { contentsRange } from '../../packages/store/records/keys.ts'
import {
  all,
  attribute,
  box,
  dataset,
  domain,
  group,
  hardLink,
  inPieces,
  int32s,
  newId,
  newRoot,
  oneFor,
  SHUFFLE_DEFLATE,
  softLink,
  TEXT,
  texts,
} from '../conformance/sample-objects.ts'
import { expectSound } from '../conformance/sound.ts'
import { seededNumbers, seededRandom } from '../engines/clock.ts'
import { openMemoryEngine } from '../engines/memory.ts'
import { withLatency } from '../engines/with-latency.ts'

const SEED = Number(process.env.HYPERSLAB_STATISTICS_SEED ?? Date.now() % 2 ** 31)
const WRITERS = 8
const WRITES = 25

const folder = await mkdtemp(join(tmpdir(), 'hyperslab-statistics-'))
afterAll(() => rm(folder, { recursive: true }))

/** A domain with two groups and three datasets, of which the numbers are stored in any size. */
class Playground {
  readonly root = newRoot()
  readonly path: DomainPath
  readonly names: readonly DomainPath[]
  readonly #objects = [
    group(newId(this.root)),
    dataset(newId(this.root), { dims: [6], chunkDims: [2], maxdims: ['H5S_UNLIMITED'] }),
    dataset(newId(this.root), { type: TEXT, dims: [4], chunkDims: [4], maxdims: ['H5S_UNLIMITED'] }),
    dataset(newId(this.root), { dims: [400], chunkDims: [200], filters: SHUFFLE_DEFLATE }),
  ]
  readonly #next: () => number

  constructor(seed: number) {
    this.#next = seededNumbers(seed)
    this.path = parseDomainPath(`/playground${seed}`)
    this.names = [1, 2].map(name => parseDomainPath(`/playground${seed}-${name}`))
  }

  begin(store: OpenStore): Promise<void> {
    return store.write(async writer => {
      await writer.putDomain(domain(this.path, this.root))
      for (const object of [group(this.root), ...this.#objects]) await writer.createObject(object)
    })
  }

  /** Something that one writer does; drawn now, so that it is the same when it has to be done again. */
  draw(): (writer: Writer) => Promise<unknown> {
    const number = (below: number): number => Math.floor(this.#next() * below)
    const object = this.#objects[number(this.#objects.length)]
    const [what, a, b] = [number(12), number(5), number(40)]
    const name = `name${a}`
    if (what === 0) return writer => writer.putDomain(domain(this.names[a % 2], this.root))
    if (what === 1) return writer => writer.deleteDomain(this.names[a % 2])
    return async writer => {
      const there = await writer.object(object.id)
      if (what === 2)
        return there ? writer.deleteObject(object.id, { links: a > 2 }) : writer.createObject(object)
      if (!there) return writer.createObject(object)
      if (what === 3) return writer.putAttributes(object.id, attribute(name, new Array(b).fill(7)))
      if (what === 4) return writer.deleteAttribute(object.id, name)
      if (what === 5) return writer.setAcl(object.id, [])
      if (there.kind !== 'dataset') {
        if (what === 6) return writer.deleteLink(object.id, name)
        return writer.putLinks(object.id, b % 2 ? hardLink(name, this.root) : softLink(name))
      }
      if (what === 6) return writer.markUnreadable(object.id, 'lost')
      if (what === 7 && there.space.class === 'H5S_SIMPLE' && there.space.maxdims)
        return writer.setExtents(there, [a])
      return writeSome(writer, there, a, b)
    }
  }
}

/** All values or a few, of a length or a compressibility that `number` decides. */
function writeSome(writer: Writer, into: Dataset, few: number, number: number): Promise<void> {
  const extent = into.space.class === 'H5S_SIMPLE' ? into.space.dims[0] : 1
  const selection = few > 2 ? all(into) : box([0], [Math.min(few, extent)])
  const count = few > 2 ? extent : Math.min(few, extent)
  const values = Array.from({ length: count }, (_, i) => (i % (number + 1)) * 12345)
  if (number % 3 === 0) return writer.writeValues(into, selection, oneFor(count, oneOf(into, few)))
  const elements =
    into.type === TEXT || into.type.class === 'H5T_STRING'
      ? texts(values.map(value => 'x'.repeat(value % 97)))
      : int32s(values)
  return writer.writeValues(into, selection, inPieces(elements))
}

/** An element that a record holds, or one that is too long for that. */
function oneOf({ type }: Dataset, number: number): Elements {
  return type.class === 'H5T_STRING' ? texts(['x'.repeat(number * 1500)]) : int32s([number])
}

describe.each<[string, () => Promise<Engine>]>([
  ['in memory', async () => withLatency(openMemoryEngine(), { seed: SEED, maxMilliseconds: 1 })],
  ['in LMDB', () => openEngine(inFolder(folder))],
])('%s', (_, open) => {
  it(`what is counted is what there is, whatever ${WRITERS} writers do at the same time, seed ${SEED}`, async () => {
    const engine = await open()
    const random = seededRandom(SEED)
    const store = openStore(engine, { clock: storeClock(), random, sweeps: false, maxInlineBytes: 100 })
    for (let round = 0; round < 3; round++) {
      const playground = new Playground(SEED + round)
      const { root, path, names } = playground
      await playground.begin(store)
      const write = async (): Promise<void> => {
        for (let done = 0; done < WRITES; done++) await store.write(playground.draw()).catch(ignoreConflict)
      }
      await Promise.all(Array.from({ length: WRITERS }, write))
      await expectSound(engine)
      await store.read(async reader => {
        const statistics = await reader.statistics(path)
        let [groups, datasets, logicalBytes] = [0, 0, 0]
        for await (const id of reader.objects(root, 'group')) if (id) groups++
        for await (const id of reader.objects(root, 'dataset')) {
          datasets++
          const object = await reader.object(id)
          const [extent] =
            object?.kind === 'dataset' && object.space.class === 'H5S_SIMPLE' ? object.space.dims : []
          logicalBytes += extent * (object?.kind === 'dataset' && object.type.class === 'H5T_INTEGER' ? 4 : 8)
        }
        expect(statistics).toMatchObject({ groups, datasets, logicalBytes, datatypes: 0 })
        const there = await Promise.all([path, ...names].map(name => reader.domain(name)))
        expect(await reader.nameCount(root)).toBe(there.filter(entry => entry !== undefined).length)
      })
      for (const name of [...names, path]) await store.write(writer => writer.deleteDomain(name))
      expect(await contentsOf(engine, root)).toBe(0)
    }
    await store.close()
  })
})

/** Writers that meet too often get an error; what they wanted is not done. */
function ignoreConflict(error: unknown): void {
  if (!(error instanceof HyperslabError) || error.code !== 'storage-conflict') throw error
}

async function contentsOf(engine: Engine, root: ObjectId): Promise<number> {
  const snapshot = engine.keyValue.snapshot()
  let entries = 0
  for await (const _ of snapshot.range(contentsRange(root))) entries++
  snapshot.close()
  return entries
}
