import { HyperslabError } from '@hyperslab/base/errors'
import type {
  Box,
  FileAddress,
  FileAttribute,
  FileDataset,
  FileLink,
  H5FileReader,
} from '@hyperslab/h5/reader'
import { parseCreationProperties } from '@hyperslab/model/dataset'
import { elementSize } from '@hyperslab/model/datatype'
import { parseJson } from '@hyperslab/model/json'
import { type ObjectId, parseDomainPath } from '@hyperslab/model/names'
import { EMPTY_HEAP } from '@hyperslab/model/values'
import { type OpenStore, openStore } from '@hyperslab/store/engines'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { seededRandom, testClock } from '../../../test/engines/clock.ts'
import { openMemoryEngine } from '../../../test/engines/memory.ts'
import { item } from '../../../test/fixtures/service.ts'
import { ALL_PERMISSIONS } from '../../server/service/access/access.ts'
import { accessWithin } from '../../server/service/access/folder-access.ts'
import { type ImportOptions, importFile } from './import-file.ts'
import { importedFile, openStoreTarget, type StoreTargetOptions } from './store-target.ts'

const PATH = parseDomainPath('/a/b')
const TARGET: StoreTargetOptions = {
  path: PATH,
  file: { size: 100, lastModified: 1000 },
  readOnly: false,
  replace: false,
  accessWithin: (reader, folder) =>
    accessWithin(reader, folder, { defaultAcl: ALL_PERMISSIONS, isAdmin: name => name === 'admin' }),
}

const NUMBERS: FileDataset = {
  type: { class: 'H5T_INTEGER', size: 1, signed: false, order: 'LE' },
  space: { class: 'H5S_SIMPLE', dims: [4] },
  creationProperties: {
    json: new Map(),
    given: false,
    layout: 'H5D_CONTIGUOUS',
    chunkDims: [4],
    filters: [],
  },
}

/** A contiguous dataset with these extents. */
function numbersOf(dims: readonly number[]): FileDataset {
  const space = { class: 'H5S_SIMPLE', dims } as const
  return { ...NUMBERS, space, creationProperties: parseCreationProperties(undefined, NUMBERS.type, space) }
}

/** A file of two groups that link to each other, a dataset, and one whose datatype is not supported. */
const FILE: H5FileReader = {
  root: 'root',
  warnings: [],
  pathOf: address => (address === 'root' ? '/' : `/${address}`),
  object: async address => ({
    address,
    kind: address === 'root' || address === 'group' ? 'group' : 'dataset',
  }),
  async *links(group) {
    const hard = (title: string, address: string): FileLink => ({ title, class: 'H5L_TYPE_HARD', address })
    yield group === 'group'
      ? [hard('up', 'root'), hard('self', 'group')]
      : [
          hard('group', 'group'),
          hard('numbers', 'numbers'),
          hard('same', 'numbers'),
          hard('odd', 'odd'),
          hard('', 'group'),
        ]
  },
  async *attributes() {},
  async dataset(address) {
    if (address === 'odd') throw new HyperslabError('type-unsupported', 'this datatype is not supported')
    return NUMBERS
  },
  datatype: async () => NUMBERS.type,
  storedChunks: async () => undefined,
  readValues: async () => ({ count: 4, data: Uint8Array.of(1, 2, 3, 4), heap: EMPTY_HEAP }),
  async close() {},
}

function optionsWith(signal = new AbortController().signal): ImportOptions {
  return { signal, progress: () => {}, requireUnchanged: () => {} }
}

let store: OpenStore
let clock: ReturnType<typeof testClock>

beforeEach(() => {
  clock = testClock()
  store = openStore(openMemoryEngine(), { clock, random: seededRandom(1), sweeps: false })
})

afterEach(() => store.close())

async function titles(group: ObjectId | undefined): Promise<readonly string[]> {
  const found: string[] = []
  await store.read(async reader => {
    if (group) for await (const link of reader.links(group)) found.push(link.title)
  })
  return found
}

function entryOf(path = PATH) {
  return store.read(reader => reader.domain(path))
}

/** The same file with enough additional links that some batches are written before its values are read. */
function withManyLinks(reader: H5FileReader): H5FileReader {
  const soft = (i: number): FileLink => ({ title: `soft ${i}`, class: 'H5L_TYPE_SOFT', h5path: '/numbers' })
  const more = Array.from({ length: 5000 }, (_, i) => soft(i))
  async function* links(group: FileAddress): AsyncGenerator<readonly FileLink[]> {
    yield* reader.links(group)
    yield more
  }
  return { ...reader, links }
}

/** Imports a file that cannot be imported, and one of several batches; nothing of them may be left. */
async function expectNothing(reader: H5FileReader, signal?: () => AbortSignal): Promise<void> {
  for (const each of [reader, withManyLinks(reader)]) {
    const target = await openStoreTarget(store, TARGET)
    await expect(importFile(each, target, optionsWith(signal?.()))).rejects.toThrow('give up')
    expect(await entryOf()).toBeUndefined()
    // Much is removed in pieces.
    await store.sweeper.sweepAll()
    await store.read(async reader => {
      for (const kind of ['group', 'dataset'] as const) {
        for await (const id of reader.objects(target.root.id, kind))
          throw new Error(`the object ${id} is left`)
      }
    })
  }
}

describe('importFile', () => {
  it('imports each object once, whatever circles the links make, and leaves out what it cannot', async () => {
    const summary = await importFile(FILE, await openStoreTarget(store, TARGET), optionsWith())
    expect(summary).toMatchObject({ groups: 2, datasets: 1, attributes: 0, bytes: 4 })
    expect(summary.warnings).toEqual([
      { path: '/odd', message: 'this datatype is not supported' },
      { path: '/', message: expect.stringContaining('must not be empty') },
    ])
    const entry = await entryOf()
    expect(entry).toMatchObject({ created: 1000, lastModified: 1000, readOnly: false })
    expect(await titles(entry?.root)).toEqual(['group', 'numbers', 'same'])
    expect((await entryOf(parseDomainPath('/a')))?.root).toBeUndefined()
  })

  it('publishes nothing of a file with losses when it is strict', async () => {
    const target = await openStoreTarget(store, TARGET)
    const options = { ...optionsWith(), strict: true }
    await expect(importFile(FILE, target, options)).rejects.toMatchObject({
      warnings: [{ path: '/odd', message: 'this datatype is not supported' }],
    })
    expect(await entryOf()).toBeUndefined()
  })

  it('remembers the size and the time of the file that the domain was imported from', async () => {
    const { file } = TARGET
    expect(await importedFile(store, PATH, file)).toBeUndefined()
    const first = await importFile(FILE, await openStoreTarget(store, TARGET), optionsWith())
    expect(first.replaced).toBe(false)
    expect(await importedFile(store, PATH, file)).toEqual({ ...file, inPart: true })
    for (const other of [
      { ...file, size: 101 },
      { ...file, lastModified: 1001 },
    ]) {
      expect(await importedFile(store, PATH, other)).toBeUndefined()
      const changed = { ...TARGET, file: other }
      await expect(openStoreTarget(store, changed)).rejects.toThrow('the file has changed')
      const target = await openStoreTarget(store, { ...changed, replace: true })
      expect(await importFile(FILE, target, optionsWith())).toMatchObject({ replaced: true })
      expect(await importedFile(store, PATH, other)).toEqual({ ...other, inPart: true })
    }
  })

  it('shows nothing of the domain before all of it is there', async () => {
    const seen: boolean[] = []
    const target = await openStoreTarget(store, TARGET)
    const publish = target.publish.bind(target)
    target.publish = async inPart => {
      seen.push((await entryOf()) !== undefined)
      return publish(inPart)
    }
    await importFile(FILE, target, optionsWith())
    expect(seen).toEqual([false])
  })

  it('gives no values to a dataset of which one box cannot be read, and says so', async () => {
    const whole = 2 ** 23
    const reader: H5FileReader = {
      ...FILE,
      dataset: async () => numbersOf([3 * whole]),
      async readValues(_, [start], [length]) {
        if (start > 0) throw new HyperslabError('file-unreadable', 'a chunk is damaged')
        return { count: length, data: new Uint8Array(length), heap: EMPTY_HEAP }
      },
    }
    const summary = await importFile(reader, await openStoreTarget(store, TARGET), optionsWith())
    expect(summary).toMatchObject({ datasets: 2, unreadable: 2, bytes: 0 })
    expect(summary.warnings).toContainEqual({
      path: '/numbers',
      message: 'the dataset is imported without values, because they cannot be read: a chunk is damaged',
    })
    const root = (await entryOf())?.root
    const found = await store.read(async reader => {
      const link = root && (await reader.link(root, 'numbers'))
      return link?.target.class === 'H5L_TYPE_HARD' ? reader.object(link.target.id) : undefined
    })
    expect(found).toMatchObject({ kind: 'dataset', unreadable: 'a chunk is damaged', created: 1000 })
  })

  it('reads no more of a dataset of very many boxes when one cannot be read', async () => {
    let reads = 0
    const reader: H5FileReader = {
      ...FILE,
      dataset: async () => numbersOf([2 ** 50]),
      async readValues() {
        reads++
        throw new HyperslabError('file-unreadable', 'a source is missing')
      },
    }
    const summary = await importFile(reader, await openStoreTarget(store, TARGET), optionsWith())
    expect(summary).toMatchObject({ unreadable: 2 })
    expect(reads).toBeLessThan(100)
  })

  it('writes the values of a contiguous dataset in boxes of whole chunks of the target', async () => {
    const dims = [5000, 4000]
    const reader: H5FileReader = {
      ...FILE,
      dataset: async () => numbersOf(dims),
      async readValues(_, __, count) {
        const size = count.reduce((product, extent) => product * extent, 1)
        return { count: size, data: new Uint8Array(size).fill(1), heap: EMPTY_HEAP }
      },
    }
    const target = await openStoreTarget(store, TARGET)
    const boxes: Box[] = []
    const chunks: (readonly number[])[] = []
    const { createDataset } = target
    target.createDataset = async dataset => {
      const created = await createDataset.call(target, dataset)
      chunks.push(created.chunkDims ?? [])
      return created
    }
    target.writeValues = async (_, box) => void boxes.push(box)
    await importFile(reader, target, optionsWith())
    const [chunk = []] = chunks
    expect(chunk.length).toBe(2)
    expect(boxes.length).toBeGreaterThan(2)
    for (const { start, count } of boxes) {
      for (const [d, first] of start.entries()) {
        expect(first % chunk[d]).toBe(0)
        expect((first + count[d]) % chunk[d] === 0 || first + count[d] === dims[d]).toBe(true)
      }
    }
  })

  it('reads and stores only the chunks that the file stores', async () => {
    const dims = [2 ** 50]
    const boxes: Box[] = []
    const reader: H5FileReader = {
      ...FILE,
      dataset: async () => numbersOf(dims),
      storedChunks: async address => ({
        chunkDims: [1000],
        async *batches() {
          if (address === 'numbers') yield [[0], [10 ** 12]]
        },
      }),
      readValues: async (_, start, count) => {
        boxes.push({ start, count })
        return { count: count[0], data: new Uint8Array(count[0]).fill(7), heap: EMPTY_HEAP }
      },
    }
    const target = await openStoreTarget(store, TARGET)
    const summary = await importFile(reader, target, optionsWith())
    expect(boxes).toEqual([
      { start: [0], count: [1000] },
      { start: [10 ** 15], count: [1000] },
    ])
    expect(summary).toMatchObject({ datasets: 2, unreadable: 0, bytes: 2000 })
  })

  it.each([
    ['zero', undefined, [0, 0, 0, 0], 0],
    ['the fill value', 5, [5, 5, 5, 5], 0],
    ['almost the fill value', 5, [5, 5, 5, 6], 1],
    ['zero, which is not the fill value', 5, [0, 0, 0, 0], 1],
  ])('stores nothing of values that are %s', async (_, fill, values, written) => {
    const fillValue =
      fill === undefined ? undefined : { count: 1, data: Uint8Array.of(fill), heap: EMPTY_HEAP }
    const reader: H5FileReader = {
      ...FILE,
      dataset: async () => ({
        ...NUMBERS,
        creationProperties: { ...NUMBERS.creationProperties, ...(fillValue && { fillValue }) },
      }),
      async *links() {
        yield [{ title: 'numbers', class: 'H5L_TYPE_HARD', address: 'numbers' }]
      },
      readValues: async () => ({ count: 4, data: Uint8Array.from(values), heap: EMPTY_HEAP }),
    }
    await importFile(reader, await openStoreTarget(store, TARGET), optionsWith())
    const root = (await entryOf())?.root
    await store.read(async reader => {
      const link = root && (await reader.link(root, 'numbers'))
      const id = link?.target.class === 'H5L_TYPE_HARD' ? link.target.id : undefined
      const dataset = id && (await reader.object(id))
      if (dataset?.kind !== 'dataset') throw new Error('there is no dataset')
      expect((await reader.allocation(dataset.id)).chunks).toBe(written)
      const selection = { kind: 'hyperslab', start: [0], stride: [1], count: [4], block: [1] } as const
      for await (const { data } of reader.readValues(dataset, selection)) expect([...data]).toEqual(values)
    })
  })

  it.each([
    ['joins chunks that are many and tiny', 2000, 1, { start: [0], count: [4000] }],
    ['keeps chunks of a sparse dataset', 2000, 3, { start: [0], count: [2] }],
    ['keeps few chunks', 1000, 1, { start: [0], count: [2000] }],
  ])('%s', async (_, chunks, distance, firstBox) => {
    const dims = [chunks * 2 * distance]
    const boxes: Box[] = []
    const space = { class: 'H5S_SIMPLE', dims } as const
    const json = parseJson('{"layout":{"class":"H5D_CHUNKED","dims":[2]}}')
    const creationProperties = parseCreationProperties(json, NUMBERS.type, space)
    const reader: H5FileReader = {
      ...FILE,
      async *links() {
        yield [{ title: 'numbers', class: 'H5L_TYPE_HARD', address: 'numbers' }]
      },
      dataset: async () => ({ ...NUMBERS, space, creationProperties }),
      storedChunks: async () => ({
        chunkDims: [2],
        async *batches() {
          yield Array.from({ length: chunks }, (_, index) => [index * distance])
        },
      }),
      readValues: async (_, start, count) => {
        boxes.push({ start, count })
        return { count: count[0], data: new Uint8Array(count[0]).fill(7), heap: EMPTY_HEAP }
      },
    }
    await importFile(reader, await openStoreTarget(store, TARGET), optionsWith())
    expect(boxes[0]).toEqual(firstBox)
    const allocated = await store.read(async reader => {
      const root = (await reader.domain(PATH))?.root
      const link = root && (await reader.link(root, 'numbers'))
      return link?.target.class === 'H5L_TYPE_HARD' && (await reader.allocation(link.target.id))
    })
    expect(allocated).toMatchObject({ chunks: distance === 1 && chunks > 1024 ? 1 : chunks })
  })

  it('reads few elements at once where they are large in the file', async () => {
    const boxes: Box[] = []
    const space = { class: 'H5S_SIMPLE', dims: [40] } as const
    const creationProperties = parseCreationProperties(undefined, NUMBERS.type, space)
    const reader: H5FileReader = {
      ...FILE,
      async *links() {
        yield [{ title: 'numbers', class: 'H5L_TYPE_HARD', address: 'numbers' }]
      },
      dataset: async () => ({ ...NUMBERS, space, creationProperties, elementBytes: 2 ** 20 }),
      readValues: async (_, start, count) => {
        boxes.push({ start, count })
        return { count: count[0], data: new Uint8Array(count[0]).fill(7), heap: EMPTY_HEAP }
      },
    }
    await importFile(reader, await openStoreTarget(store, TARGET), optionsWith())
    expect(boxes.map(({ count }) => count)).toEqual(Array(20).fill([2]))
  })

  it('bounds what elements of variable size have, which a few bytes can name again and again', async () => {
    const space = { class: 'H5S_SIMPLE', dims: [200_000] } as const
    const type = {
      class: 'H5T_STRING',
      length: 'H5T_VARIABLE',
      charSet: 'H5T_CSET_UTF8',
      strPad: 'H5T_STR_NULLTERM',
    } as const
    const creationProperties = parseCreationProperties(undefined, type, space)
    const reader: H5FileReader = {
      ...FILE,
      async *links() {
        yield [{ title: 'texts', class: 'H5L_TYPE_HARD', address: 'texts' }]
      },
      dataset: async () => ({ type, space, creationProperties }),
      readValues: async (_, __, [count]) => ({
        count,
        data: new Uint8Array(count * elementSize(type)),
        heap: new Uint8Array(30 * 2 ** 20),
      }),
    }
    const file = { size: 2 ** 20, pieces: async function* () {} }
    const summary = await importFile(reader, await openStoreTarget(store, TARGET), { ...optionsWith(), file })
    expect(summary).toMatchObject({ datasets: 1, unreadable: 1 })
    expect(summary.warnings).toEqual([
      { path: '/texts', message: expect.stringContaining('71303168 bytes, 4 times those of the file') },
    ])
  })

  it('bounds what values have that went through no filters, since damaged datasets may share their bytes', async () => {
    const dataset = numbersOf([40 * 2 ** 20])
    const reader: H5FileReader = {
      ...FILE,
      async *links() {
        yield ['a', 'b'].map(title => ({ title, class: 'H5L_TYPE_HARD', address: title }))
      },
      dataset: async () => dataset,
      readValues: async (_, __, [count]) => ({
        count,
        data: new Uint8Array(count).fill(7),
        heap: EMPTY_HEAP,
      }),
    }
    const file = { size: 2 ** 20, pieces: async function* () {} }
    const summary = await importFile(reader, await openStoreTarget(store, TARGET), { ...optionsWith(), file })
    expect(summary).toMatchObject({ datasets: 2, unreadable: 1 })
    expect(summary.warnings).toEqual([
      { path: '/b', message: expect.stringContaining('75497472 bytes, 8 times those of the file') },
    ])
  })

  it('stores equal elements once for each chunk', async () => {
    const dims = [2 ** 24]
    const fillValue = { count: 1, data: Uint8Array.of(5), heap: EMPTY_HEAP }
    const dataset = numbersOf(dims)
    const reader: H5FileReader = {
      ...FILE,
      async *links() {
        yield [{ title: 'numbers', class: 'H5L_TYPE_HARD', address: 'numbers' }]
      },
      dataset: async () => ({
        ...dataset,
        creationProperties: { ...dataset.creationProperties, fillValue },
      }),
      readValues: async (_, __, [count]) => ({ count, data: new Uint8Array(count), heap: EMPTY_HEAP }),
    }
    await importFile(reader, await openStoreTarget(store, TARGET), optionsWith())
    const statistics = await store.read(stored => stored.statistics(PATH))
    expect(statistics?.chunks).toBeGreaterThan(1)
    expect(statistics?.allocatedBytes).toBe(statistics?.chunks)
  })

  it('leaves out a dataset of more elements than can be counted, and nothing else', async () => {
    const reader: H5FileReader = {
      ...FILE,
      dataset: async address =>
        address === 'odd'
          ? { ...NUMBERS, space: { class: 'H5S_SIMPLE', dims: [2 ** 30, 2 ** 30] } }
          : NUMBERS,
    }
    const summary = await importFile(reader, await openStoreTarget(store, TARGET), optionsWith())
    expect(summary).toMatchObject({ groups: 2, datasets: 1, bytes: 4 })
    expect(summary.warnings).toContainEqual({
      path: '/odd',
      message: 'the shape [1073741824, 1073741824] has more than 2^53 elements',
    })
    expect(await titles((await entryOf())?.root)).toEqual(['group', 'numbers', 'same'])
  })

  it('says that the values are not there when the index of the chunks is damaged', async () => {
    const reader: H5FileReader = {
      ...FILE,
      async storedChunks() {
        throw new HyperslabError('file-unreadable', 'the index of the chunks is damaged')
      },
    }
    const summary = await importFile(reader, await openStoreTarget(store, TARGET), optionsWith())
    expect(summary).toMatchObject({ datasets: 1, unreadable: 1, bytes: 0 })
  })

  it('takes the first of attributes that have one name', async () => {
    const attribute = (value: number): FileAttribute => ({
      name: 'a',
      type: NUMBERS.type,
      space: { class: 'H5S_SCALAR' },
      value: { count: 1, data: Uint8Array.of(value), heap: EMPTY_HEAP },
    })
    const reader: H5FileReader = {
      ...FILE,
      async *links() {
        yield [{ title: 'numbers', class: 'H5L_TYPE_HARD', address: 'numbers' }]
      },
      async *attributes(address) {
        if (address !== 'root') return
        yield [attribute(1)]
        yield [attribute(2)]
      },
    }
    const summary = await importFile(reader, await openStoreTarget(store, TARGET), optionsWith())
    expect(summary).toMatchObject({ datasets: 1, attributes: 1 })
    expect(summary.warnings).toEqual([{ path: '/', message: 'the file has the name "a" twice' }])
    const root = (await entryOf())?.root
    await store.read(async stored => {
      if (!root) throw new Error('there is no domain')
      expect(await stored.attribute(root, 'a')).toMatchObject({ value: { data: Uint8Array.of(1) } })
      expect(await stored.status(root)).toMatchObject({ linkCount: 1, attributeCount: 1 })
    })
  })

  it('leaves nothing of a file that changed while it was read', async () => {
    const target = await openStoreTarget(store, TARGET)
    const requireUnchanged = () => {
      throw new HyperslabError('file-unreadable', 'it was changed')
    }
    await expect(importFile(FILE, target, { ...optionsWith(), requireUnchanged })).rejects.toThrow(
      'it was changed',
    )
    expect(await entryOf()).toBeUndefined()
    expect(await store.read(reader => reader.object(target.root.id))).toBeUndefined()
  })

  it('leaves nothing when the root group cannot be read', async () => {
    await expectNothing({
      ...FILE,
      async object() {
        throw new HyperslabError('file-unreadable', 'we have to give up')
      },
    })
  })

  it('leaves nothing when the file breaks down', async () => {
    await expectNothing({
      ...FILE,
      async readValues() {
        throw new HyperslabError('file-damaged', 'we have to give up')
      },
    })
  })

  it('leaves nothing when it is interrupted', async () => {
    let interruption = new AbortController()
    const reader: H5FileReader = {
      ...FILE,
      async readValues(...box) {
        interruption.abort(new Error('give up'))
        return FILE.readValues(...box)
      },
    }
    await expectNothing(reader, () => {
      interruption = new AbortController()
      return interruption.signal
    })
  })

  it('loses what it wrote when nothing is heard of it for an hour, and then publishes nothing', async () => {
    const target = await openStoreTarget(store, TARGET)
    await target.createGroup()
    async function* bytes() {
      yield Uint8Array.of(1)
    }
    // All before it is stored first.
    await target.putFile(bytes())
    expect(await store.read(reader => reader.object(target.root.id))).toBeDefined()
    await store.sweeper.dropUnfinished()
    clock.advance(61 * 60 * 1e6)
    await store.sweeper.dropUnfinished()
    expect(await store.read(reader => reader.object(target.root.id))).toBeUndefined()
    await expect(target.publish(false)).rejects.toThrow('were dropped')
    expect(await entryOf()).toBeUndefined()
  })

  it('replaces a domain in one step, and only if that is asked for', async () => {
    await importFile(FILE, await openStoreTarget(store, TARGET), optionsWith())
    await expect(openStoreTarget(store, TARGET)).rejects.toThrow('--replace')
    const before = await entryOf()
    await importFile(
      FILE,
      await openStoreTarget(store, { ...TARGET, replace: true, readOnly: true }),
      optionsWith(),
    )
    const after = await entryOf()
    expect(after).toMatchObject({ readOnly: true })
    expect(after?.root).not.toBe(before?.root)
    expect(await titles(before?.root)).toEqual([])
  })

  it('puts a domain under what the folder hands down, and a later file in its place under the same', async () => {
    const folder = {
      path: parseDomainPath('/a'),
      readOnly: false,
      closed: false,
      created: 1,
      lastModified: 1,
    }
    const acl = [
      item('ann', 'read', 'create'),
      item('bob', 'read'),
      item('admin', 'read'),
      item('default', 'read'),
    ]
    await store.write(writer => writer.putDomain({ ...folder, owner: 'ann', acl }))
    const list = async (root: ObjectId | undefined) =>
      root && (await store.read(reader => reader.object(root)))?.acl
    await importFile(FILE, await openStoreTarget(store, TARGET), optionsWith())
    const entry = await entryOf()
    expect(entry).toMatchObject({ owner: 'ann', closed: true })
    expect(await list(entry?.root)).toEqual([{ userName: 'ann', ...ALL_PERMISSIONS }, item('bob', 'read')])

    const mine = [item('carl', 'read')]
    await store.write(async writer => entry?.root && (await writer.setAcl(entry.root, mine)))
    await importFile(FILE, await openStoreTarget(store, { ...TARGET, replace: true }), optionsWith())
    const after = await entryOf()
    expect(after?.root).not.toBe(entry?.root)
    expect(after).toMatchObject({ owner: 'ann', closed: true })
    expect(await list(after?.root)).toEqual(mine)
  })

  it('replaces a domain that is read-only, which nothing else can take away', async () => {
    await importFile(FILE, await openStoreTarget(store, { ...TARGET, readOnly: true }), optionsWith())
    const before = await entryOf()
    await expect(openStoreTarget(store, TARGET)).rejects.toThrow('--replace')
    expect(await entryOf()).toEqual(before)
    await importFile(FILE, await openStoreTarget(store, { ...TARGET, replace: true }), optionsWith())
    const after = await entryOf()
    expect(after).toMatchObject({ readOnly: false })
    expect(after?.root).not.toBe(before?.root)
  })

  it('refuses the name of a folder, and a path through a domain', async () => {
    await importFile(FILE, await openStoreTarget(store, TARGET), optionsWith())
    const inDomain = { ...TARGET, path: parseDomainPath('/a/b/c') }
    await expect(openStoreTarget(store, inDomain)).rejects.toThrow('only a folder can hold others')
    const folder = { ...TARGET, path: parseDomainPath('/a'), replace: true }
    await expect(openStoreTarget(store, folder)).rejects.toThrow('/a is a folder')
  })
})
