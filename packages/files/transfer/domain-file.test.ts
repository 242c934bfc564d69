import { ChunkEncoding } from '@hyperslab/h5/writer'
import { elementCount } from '@hyperslab/model/dataset'
import type { ObjectId } from '@hyperslab/model/names'
import { openStore } from '@hyperslab/store/engines'
import type { HdfObject, Reader } from '@hyperslab/store/store'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
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
  numbered,
  SHUFFLE_DEFLATE,
  TEXT,
  texts,
} from '../../../test/conformance/sample-objects.ts'
import { seededRandom, testClock } from '../../../test/engines/clock.ts'
import { openMemoryEngine } from '../../../test/engines/memory.ts'
import { DomainFileMaker } from './domain-file.ts'

const SEED = Math.floor(Math.random() * 2 ** 32)
const REQUEST = { skipUnreadable: false, repack: false, signal: { throwIfAborted() {} }, visit() {} }
const NOTHING = {
  create: false,
  read: false,
  update: false,
  delete: false,
  readACL: false,
  updateACL: false,
}

let store: ReturnType<typeof openStore>
let maker: DomainFileMaker
let root: ObjectId

beforeEach(async () => {
  store = openStore(openMemoryEngine(), { clock: testClock(), random: seededRandom(SEED), sweeps: false })
  maker = new DomainFileMaker(new ChunkEncoding())
  root = newRoot()
  await store.write(async writer => {
    await writer.putDomain(domain('/d', root))
    await writer.createObject(group(root))
  })
})
afterEach(() => store.close())

/** Values in more chunks than two marks are apart, and more bytes. */
async function fill(): Promise<void> {
  const long = Array.from({ length: 4000 }, (_, i) => 'x'.repeat((i * 37) % 1500) + i)
  const shapes = {
    contiguous: dataset(newId(root), { dims: [3, 70, 31], chunkDims: [1, 8, 31] }),
    chunked: dataset(newId(root), { dims: [40, 50], maxdims: [100, 50], chunkDims: [2, 3] }),
    filtered: dataset(newId(root), { dims: [3000], chunkDims: [7], filters: SHUFFLE_DEFLATE }),
    sparse: dataset(newId(root), { dims: [9000], chunkDims: [10], maxdims: [9999] }),
    strings: dataset(newId(root), { type: TEXT, dims: [4000], chunkDims: [100] }),
    moreStrings: dataset(newId(root), { type: TEXT, dims: [4000], maxdims: [5000], chunkDims: [10] }),
    empty: dataset(newId(root), { dims: [0], chunkDims: [7], maxdims: [9] }),
    never: dataset(newId(root), { dims: [50], chunkDims: [7] }),
  }
  await store.write(async writer => {
    for (const [title, into] of Object.entries(shapes)) {
      await writer.createObject(into)
      await writer.putLinks(root, hardLink(title, into.id, 1, 'dataset'))
      if (['empty', 'never', 'sparse'].includes(title)) continue
      const isText = title.toLowerCase().includes('strings')
      const values = isText ? texts(long) : int32s(numbered(elementCount(into.space)))
      await writer.writeValues(into, all(into), inPieces(values))
    }
    for (let at = 5; at < 9000; at += 30) {
      await writer.writeValues(shapes.sparse, box([at], [3]), inPieces(int32s([at, 1, 2])))
    }
    for (let i = 0; i < 20; i++) await writer.putAttributes(root, attribute(`attribute ${i}`, [i, 2]))
  })
}

async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const copies: Buffer[] = []
  for await (const piece of pieces) copies.push(Buffer.from(piece))
  return Buffer.concat(copies)
}

const open = (reader: Reader, request = {}) => maker.open(reader, root, { ...REQUEST, ...request })

/** The file as it is made while nothing is known of it. */
function whole(): Promise<Buffer> {
  return store.read(async reader => {
    const { length, pieces } = await new DomainFileMaker(new ChunkEncoding()).open(reader, root, REQUEST)
    return bytesOf(pieces(0, length))
  })
}

const part = (position: number, length: number) =>
  store.read(async reader => bytesOf((await open(reader)).pieces(position, length)))

/** A reader that counts the plans, each of which reads the root group first, and the objects that are read. */
function countPlans(reader: Reader, onPlan = () => {}) {
  let plans = 0
  let objects = 0
  const counting = new Proxy(reader, {
    get(target, name) {
      const found: unknown = Reflect.get(target, name, target)
      if (typeof found !== 'function') return found
      return (...given: unknown[]) => {
        if (name === 'details' && Array.isArray(given[0])) {
          if (given[0].join() === root) {
            plans++
            onPlan()
          }
          objects += given[0].length
        }
        return Reflect.apply(found, target, given)
      }
    },
  })
  return { counting, plans: () => plans, objects: () => objects }
}

describe('a part of the file of a domain', () => {
  it('is that part of the whole, wherever it is', async () => {
    await fill()
    const file = await whole()
    let state = SEED
    const random = (below: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return Math.floor((state / 2 ** 32) * below)
    }
    const parts = Array.from({ length: 100 }, () => {
      const position = random(file.length)
      return [position, Math.min(file.length - position, 1 + random([20, 5000, 200_000][random(3)]))]
    })
    for (let at = 0; at < file.length; at += 99_991) parts.push([at, Math.min(99_991, file.length - at)])
    for (const [position, length] of parts) {
      const bytes = await part(position, length)
      const isEqual = bytes.equals(file.subarray(position, position + length))
      expect(isEqual, `${length} bytes at ${position} of ${file.length}, seed ${SEED}`).toBe(true)
    }
  }, 60_000)

  it('has the values of many small objects, also from memory', async () => {
    await fill()
    await store.write(async writer => {
      for (let i = 0; i < 2000; i++) {
        const small = dataset(newId(root), { dims: [1 + (i % 40)], chunkDims: [40] })
        await writer.createObject(small)
        await writer.putLinks(root, hardLink(`small ${i}`, small.id, 2, 'dataset'))
        if (i % 7 > 0) await writer.writeValues(small, all(small), inPieces(int32s(numbered(1 + (i % 40)))))
      }
    })
    const file = await whole()
    await store.read(async reader => {
      let reads = 0
      const counting = new Proxy(reader, {
        get(target, name) {
          const found: unknown = Reflect.get(target, name, target)
          if (typeof found !== 'function') return found
          return (...given: unknown[]) => {
            if (name === 'readValues') reads++
            return Reflect.apply(found, target, given)
          }
        },
      })
      const { pieces } = await open(counting)
      const end = file.length - 1
      // The second time, no values of small objects are read.
      for (const most of [Infinity, 0]) {
        reads = 0
        for (let position = end - 100_000; position < end; position += 7001) {
          const length = Math.min(20_000, end - position)
          const bytes = await bytesOf(pieces(position, length))
          expect(bytes.equals(file.subarray(position, position + length)), `at ${position}`).toBe(true)
        }
        expect(reads).toBeLessThanOrEqual(most)
      }
    })
  })

  it('is planned once for requests that come together', async () => {
    await fill()
    await store.read(async reader => {
      const { counting, plans } = countPlans(reader)
      const files = await Promise.all(Array.from({ length: 5 }, () => open(counting)))
      expect(plans()).toBe(1)
      const heads = await Promise.all(files.map(file => bytesOf(file.pieces(0, 3000))))
      for (const head of heads) expect(head.equals(heads[0])).toBe(true)
    })
  })

  it('is planned to the end for those that wait, when the first one has left', async () => {
    await fill()
    await store.read(async reader => {
      let hasLeft = false
      const { counting, plans } = countPlans(reader, () => {
        hasLeft = true
      })
      const signal = {
        throwIfAborted() {
          if (hasLeft) throw new Error('the client has left')
        },
      }
      const first = open(counting, { signal })
      const others = [1, 2, 3].map(() => open(counting))
      const versions = (await Promise.all(others)).map(({ version }) => version)
      expect(new Set(versions).size).toBe(1)
      expect([hasLeft, plans()]).toEqual([true, 1])
      await first
    })
  })

  it('of many objects is written in the part around a range of them', async () => {
    await store.write(async writer => {
      for (let i = 0; i < 2000; i++) {
        const into = dataset(newId(root), { dims: [2], chunkDims: [2] })
        await writer.createObject(into)
        await writer.putLinks(root, hardLink(`d${i}`, into.id, i + 1, 'dataset'))
        for (let j = 0; j < 3; j++) await writer.putAttributes(into.id, attribute(`attribute ${j}`, [i, j]))
      }
    })
    const file = await whole()
    await store.read(async reader => {
      await open(reader)
      const { counting, objects } = countPlans(reader)
      const { pieces } = await open(counting)
      const position = Math.floor(file.length / 2)
      const bytes = await bytesOf(pieces(position, 1))
      expect(bytes.equals(file.subarray(position, position + 1))).toBe(true)
      expect(objects()).toBeGreaterThan(0)
      expect(objects()).toBeLessThan(400)
    })
  })

  it('is of the state that is read, and a change gives another version', async () => {
    await fill()
    const versions = new Set<string>()
    for (let i = 0; i < 2; i++) {
      await store.read(async reader => {
        const file = await open(reader)
        versions.add(file.version)
        expect((await open(reader)).version).toBe(file.version)
        const bytes = await bytesOf(file.pieces(100, 2000))
        expect(bytes.equals((await whole()).subarray(100, 2100))).toBe(true)
      })
      await store.write(writer => writer.putAttributes(root, attribute(`new ${i}`, [i])))
    }
    expect(versions.size).toBe(2)
  })

  it('is checked for each caller, also when the plan is known', async () => {
    const guarded: HdfObject = { ...group(newId(root)), acl: [{ userName: 'ann', ...NOTHING }] }
    await store.write(async writer => {
      await writer.createObject(guarded)
      await writer.putLinks(root, hardLink('g', guarded.id))
    })
    await part(0, 10)
    const visit = ({ acl }: HdfObject) => {
      if (acl.length > 0) throw new Error('the caller may not read it')
    }
    await expect(store.read(reader => open(reader, { visit }))).rejects.toThrow('the caller may not read it')
  })

  it('that cannot be made says why to those only that may read the objects before', async () => {
    const guarded: HdfObject = { ...group(newId(root)), acl: [{ userName: 'ann', ...NOTHING }] }
    const { creationProperties, ...plain } = dataset(newId(root), { dims: [2], chunkDims: [2] })
    const elsewhere = {
      ...plain,
      creationProperties: { ...creationProperties, layout: 'H5D_CONTIGUOUS_REF' as const },
    }
    await store.write(async writer => {
      await writer.createObject(guarded)
      await writer.createObject(elsewhere)
      await writer.putLinks(root, hardLink('g', guarded.id))
      await writer.putLinks(guarded.id, hardLink('secret', elsewhere.id, 1, 'dataset'))
    })
    const visit = ({ acl }: HdfObject) => {
      if (acl.length > 0) throw new Error('the caller may not read it')
    }
    const refused = store.read(reader => open(reader, { visit }))
    const failed = store.read(reader => open(reader))
    await expect(refused).rejects.toThrow('the caller may not read it')
    await expect(failed).rejects.toThrow('secret')
  })

  it('that may have values in other files is not sent as it lies', async () => {
    const uses = vi.fn(async () => ({ hasValues: undefined, names: ['a.h5'] }))
    const own = { size: 3, version: '1', others: { uses, state: async () => '' }, read: async () => 3 }
    await store.read(async reader => {
      const mounted = new Proxy(reader, {
        get(target, name) {
          if (name === 'ownFile') return async () => own
          const found: unknown = Reflect.get(target, name, target)
          return typeof found === 'function' ? found.bind(target) : found
        },
      })
      await expect(open(mounted, { repack: undefined })).rejects.toMatchObject({ code: 'values-unreadable' })
      const asItIs = await open(mounted, { repack: false })
      expect([asItIs.length, await asItIs.otherFiles()]).toEqual([3, ['a.h5']])
    })
    expect(uses).toHaveBeenCalledOnce()
  })

  it('with too many lists for a plan that is shared is planned for each caller', async () => {
    await store.write(async writer => {
      for (let i = 0; i < 1001; i++) {
        const guarded: HdfObject = { ...group(newId(root)), acl: [{ userName: 'ann', ...NOTHING }] }
        await writer.createObject(guarded)
        await writer.putLinks(root, hardLink(`g${i}`, guarded.id, i + 1))
      }
    })
    const visit = ({ acl }: HdfObject) => {
      if (acl.length > 0) throw new Error('the caller may not read it')
    }
    await expect(store.read(reader => open(reader, { visit }))).rejects.toThrow('the caller may not read it')
    expect((await part(0, 10)).equals((await whole()).subarray(0, 10))).toBe(true)
  })
})
