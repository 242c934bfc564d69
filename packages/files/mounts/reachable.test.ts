// The objects of a mounted file that references lead to, and the reads that find them: within a budget, and only for
// callers that wait.

import type { FileAddress, FileDataset, FileLink, H5FileReader } from '@hyperslab/h5/reader'
import { parseDomainPath } from '@hyperslab/model/names'
import type { Elements } from '@hyperslab/model/values'
import { describe, expect, it } from 'vitest'
import { H5servTable } from '../transfer/h5serv-table.ts'
import { MountedLinks } from './links.ts'
import { mountedRoot } from './object-ids.ts'
import { MountedObjects } from './objects.ts'
import { ReachableObjects } from './reachable.ts'

const PATH = parseDomainPath('/a')
const FILE = { kind: 'file', path: PATH, size: 10_000, stamp: '', lastModified: 0 } as const
const MIB = 2 ** 20

interface FakeDataset extends Partial<FileDataset> {
  /** The objects that its elements name, again and again. */
  readonly names: readonly FileAddress[]
  readonly elements: number
  /** Elements of its first chunk, which is the only one that is stored; absent: it has no chunks. */
  readonly chunk?: number
  /** Bytes of the heap that each box of its values takes. */
  readonly heapBytes?: number
  /** Other files that it takes values from. */
  readonly sources?: readonly string[]
}

/**
 * A file whose root has a link to each of the datasets, and an external one to each of the files; other addresses are
 * groups without links.
 */
function fileOf(datasets: Readonly<Record<FileAddress, FakeDataset>>, files: readonly string[] = []) {
  const read: FileAddress[] = []
  const reader: Partial<H5FileReader> = {
    root: '1',
    pathOf: address => address,
    object: async address => ({ address, kind: address in datasets ? 'dataset' : 'group' }),
    async *links(group) {
      const titles = group === '1' ? Object.keys(datasets) : []
      yield titles.map((address): FileLink => ({ title: address, class: 'H5L_TYPE_HARD', address }))
      if (group !== '1') return
      yield files.map(
        (file, i): FileLink => ({ title: `x${1000 + i}`, class: 'H5L_TYPE_EXTERNAL', h5path: '/', file }),
      )
    },
    async *attributes() {},
    dataset: async address => {
      const { names: _, elements, chunk: __, heapBytes: ___, sources: ____, ...more } = datasets[address]
      return {
        type: { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' },
        space: { class: 'H5S_SIMPLE', dims: [elements] },
        creationProperties: { json: new Map(), given: false, layout: 'H5D_CONTIGUOUS', filters: [] },
        ...more,
      }
    },
    sourceFiles: async address => datasets[address].sources ?? [],
    async storedChunks(address) {
      const { chunk } = datasets[address]
      if (chunk === undefined) return undefined
      return {
        chunkDims: [chunk],
        async *batches() {
          yield [[0]]
        },
      }
    },
    async readValues(address, [start], [count], resolve): Promise<Elements> {
      const { names, heapBytes = 0 } = datasets[address]
      read.push(address)
      for (let at = start; at < start + count && at < names.length; at++) resolve(names[at])
      await new Promise(resume => setImmediate(resume))
      return { count, data: new Uint8Array(0), heap: new Uint8Array(heapBytes) }
    },
  }
  const whole = reader as H5FileReader
  const table = new H5servTable(whole)
  const objects = new MountedObjects(whole, table, FILE, { root: mountedRoot('secret', PATH), acl: [] })
  const links = new MountedLinks(whole, table, objects, 0, () => undefined)
  return { reachable: new ReachableObjects(whole, table, objects, links, FILE.size), read }
}

describe('an object that only a reference leads to', () => {
  it('is found in values that lie in the file, and in raw values beside it', async () => {
    const { reachable } = fileOf({
      '2': { names: ['5'], elements: 3 },
      '3': { names: ['6'], elements: 3, isOfOthers: true },
    })
    expect(await reachable.has('5')).toBe(true)
    expect(await reachable.has('6')).toBe(true)
    expect(await reachable.has('7')).toBe(false)
  })

  it('is not looked for in virtual datasets, whose sources have their references', async () => {
    const { reachable, read } = fileOf({
      '2': { names: ['5'], elements: 3, isOfOthers: true, isVirtual: true, committedType: '8' },
      '3': { names: ['6'], elements: 3 },
    })
    expect(await reachable.has('5')).toBe(false)
    expect(await reachable.has('6')).toBe(true)
    // The type of a virtual dataset is in its header.
    expect(await reachable.has('8')).toBe(true)
    expect(read).toEqual(['3'])
  })
})

describe('references that are more than their file has room for', () => {
  const tooMany = { code: 'file-unreadable', message: expect.stringContaining('more than are searched') }

  it('are read no further, and that is said where no link leads to the object', async () => {
    const { reachable, read } = fileOf({ '2': { names: ['5'], elements: 2 ** 40 } })
    await expect(reachable.has('7')).rejects.toMatchObject(tooMany)
    const boxes = read.length
    expect(boxes).toBeLessThan(1000)
    // Neither for the next id, nor for the next file that is found by a link.
    await expect(reachable.has('8')).rejects.toMatchObject(tooMany)
    expect(read.length).toBe(boxes)
    expect(await reachable.has('2')).toBe(true)
  })

  it('count with the heap that they lie in', async () => {
    const { reachable, read } = fileOf({ '2': { names: [], elements: 4 * MIB, heapBytes: 16 * MIB } })
    await expect(reachable.has('7')).rejects.toMatchObject(tooMany)
    expect(read.length).toBeLessThan(20)
  })

  it('count with the chunks that are decoded for a part of them', async () => {
    const small = fileOf({ '2': { names: [], elements: 2 ** 40, chunk: MIB / 2 } })
    expect(await small.reachable.has('7')).toBe(false)
    const large = fileOf({ '2': { names: [], elements: 2 ** 40, chunk: 4 * MIB } })
    await expect(large.reachable.has('7')).rejects.toMatchObject(tooMany)
    expect(large.read.length).toBeLessThan(3)
  })

  it('are a limited number of objects', async () => {
    const names = Array.from({ length: 300_000 }, (_, index) => String(1000 + index))
    const { reachable } = fileOf({ '2': { names, elements: names.length } })
    await expect(reachable.has('7')).rejects.toMatchObject(tooMany)
    // They count as memory that is held.
    expect(reachable.heldBytes).toBeGreaterThan(2 ** 18 * 100)
  })
})

describe('a search', () => {
  it('ends when its caller has left, in the middle of a dataset, and goes on for the next', async () => {
    const { reachable, read } = fileOf({ '2': { names: ['5'], elements: 2 * MIB } })
    const leaves = {
      throwIfAborted() {
        if (read.length >= 3) throw new Error('left')
      },
    }
    await expect(reachable.has('7', leaves)).rejects.toThrow('left')
    expect(read.length).toBe(3)
    expect(await reachable.has('7')).toBe(false)
    expect(await reachable.has('5')).toBe(true)
  })
})

describe('the uses of other files', () => {
  const STAYS = { throwIfAborted() {} }
  const PLAIN = { names: [], elements: 3 }

  it('are known after a walk, each name once', async () => {
    const { reachable } = fileOf({ '2': PLAIN }, ['b.h5', 'a.h5', 'b.h5', 'x'.repeat(2000)])
    expect(await reachable.usesOfOthers(STAYS)).toEqual({ hasValues: false, names: ['b.h5', 'a.h5'] })
    const virtual = fileOf({ '2': { ...PLAIN, isOfOthers: true, sources: ['data.h5'] } })
    expect(await virtual.reachable.usesOfOthers(STAYS)).toEqual({ hasValues: true, names: ['data.h5'] })
  })

  it('of many names are the first', async () => {
    const files = Array.from({ length: 30 }, (_, index) => `${index}.h5`)
    const { reachable } = fileOf({}, files)
    expect((await reachable.usesOfOthers(STAYS)).names).toEqual(files.slice(0, 20))
  })

  it('are not known of a file with more objects than are searched', async () => {
    const { reachable } = fileOf(
      Object.fromEntries(Array.from({ length: 2 ** 20 + 1 }, (_, i) => [i + 2_000_000, PLAIN])),
    )
    expect(await reachable.usesOfOthers(STAYS)).toEqual({ hasValues: undefined, names: [] })
  })

  it('are not searched for callers that have left', async () => {
    const { reachable } = fileOf({ '2': PLAIN })
    const leaves = {
      throwIfAborted() {
        throw new Error('left')
      },
    }
    await expect(reachable.usesOfOthers(leaves)).rejects.toThrow('left')
  })
})
