// Virtual datasets over sources in memory: selections of both sides, patterns, and what is missing.

import { coordinatesWithin } from '@hyperslab/model/dataset'
import type { CompoundLayout, Datatype } from '@hyperslab/model/datatype'
import { describe, expect, it } from 'vitest'
import type { FileSelection, RegularDimension } from '../../format/selection.ts'
import type { VirtualMapping } from '../../format/virtual-layout.ts'
import { axesOf } from './axis-set.ts'
import { copyRuns, runsOfBox } from './box-runs.ts'
import { readVirtual, virtualExtents } from './virtual.ts'
import type { OpenSource, VirtualSource } from './virtual-source.ts'
import { STEPS_OF_SOURCE, StepPool, VirtualWork } from './virtual-work.ts'

const BYTE: Datatype = { class: 'H5T_INTEGER', size: 1, signed: false, order: 'LE' }
const FILL = { count: 1, data: Uint8Array.of(9), heap: new Uint8Array(0) }
const ALL: FileSelection = { selectType: 'H5S_SEL_ALL' }

/** Elements are `first`, `first` + 1, ... */
function sourceOf(dims: readonly number[], first: number, type = BYTE): VirtualSource {
  const size = dims.reduce((a, b) => a * b, 1)
  const bytes = Array.from({ length: size }, (_, i) => first + i)
  return { type, dims, read: boxReader(bytes, dims) }
}

function boxReader(bytes: readonly number[], dims: readonly number[]): VirtualSource['read'] {
  return async ({ start, count }) => {
    const data = new Uint8Array(count.reduce((a, b) => a * b, 1))
    const zeros = count.map(() => 0)
    copyRuns(runsOfBox(count, dims, start, count, zeros), 1, Uint8Array.from(bytes), data)
    return { count: data.length, data, heap: new Uint8Array(0) }
  }
}

function slab(
  ...dimensions: readonly (readonly [number, number, number | undefined, number | undefined])[]
): FileSelection {
  const regular = dimensions.map(
    ([start, stride, count, block]): RegularDimension => ({ start, stride, count, block }),
  )
  return { selectType: 'H5S_SEL_HYPERSLABS', regular }
}

function mapping(dataset: string, source: FileSelection, target: FileSelection): VirtualMapping {
  return {
    file: new TextEncoder().encode('other.h5'),
    dataset: new TextEncoder().encode(dataset),
    source,
    target,
  }
}

function opener(sources: Readonly<Record<string, VirtualSource>>): OpenSource {
  return async (_file, dataset) => sources[dataset]
}

const work = () => new VirtualWork(1000)

async function read(
  dims: readonly number[],
  mappings: readonly VirtualMapping[],
  open: OpenSource,
  start = dims.map(() => 0),
  count = dims,
) {
  const dataset = { type: BYTE, dims, fillValue: FILL, mappings }
  return [...(await readVirtual(dataset, { start, count }, open, work())).data]
}

describe('a virtual dataset', () => {
  const rows = [0, 1].map(row => mapping(`/${row}`, ALL, slab([2 * row, 1, 1, 1], [0, 1, 1, 3])))
  const open = opener({ '/0': sourceOf([3], 10), '/1': sourceOf([3], 20) })

  it('has rows of other datasets, and its fill value where none is', async () => {
    expect(await read([3, 3], rows, open)).toEqual([10, 11, 12, 9, 9, 9, 20, 21, 22])
    expect(await read([3, 3], rows, open, [1, 1], [2, 2])).toEqual([9, 9, 21, 22])
  })

  it('has elements of a source whose type differs in its gaps only', async () => {
    const compound = (inFile?: CompoundLayout): Datatype => ({
      class: 'H5T_COMPOUND',
      fields: [{ name: 'a', type: BYTE }],
      ...(inFile && { inFile }),
    })
    const source = sourceOf([3], 10, compound({ size: 8, offsets: [4] }))
    const dataset = { type: compound(), dims: [3], fillValue: FILL, mappings: [mapping('/s', ALL, ALL)] }
    const found = await readVirtual(dataset, { start: [0], count: [3] }, opener({ '/s': source }), work())
    expect([...found.data]).toEqual([10, 11, 12])
  })

  it('names a source that is missing when the box needs it', async () => {
    const first = opener({ '/0': sourceOf([3], 10) })
    expect(await read([3, 3], rows, first, [0, 0], [2, 3])).toEqual([10, 11, 12, 9, 9, 9])
    await expect(read([3, 3], rows, first)).rejects.toThrow('the source /1 in other.h5 is missing')
  })

  it('has every second element of every third row', async () => {
    const mappings = [mapping('/s', slab([0, 3, 2, 1], [1, 2, 2, 1]), slab([0, 1, 1, 2], [0, 3, 2, 1]))]
    const source = opener({ '/s': sourceOf([4, 5], 10) })
    // Rows 0 and 3, columns 1 and 3 of the source; columns 0 and 3 here.
    expect(await read([2, 4], mappings, source)).toEqual([11, 9, 9, 13, 26, 9, 9, 28])
    expect(await read([2, 4], mappings, source, [1, 1], [1, 3])).toEqual([9, 9, 28])
  })

  it('ends where an unlimited source ends', async () => {
    const unlimited = slab([0, 1, undefined, 1], [0, 1, 1, 2])
    const mappings = [mapping('/u', unlimited, slab([1, 1, undefined, 1], [0, 1, 1, 2]))]
    const source = opener({ '/u': sourceOf([3, 2], 10) })
    const dims = await virtualExtents([2, 2], mappings, source, work())
    expect(dims).toEqual([4, 2])
    expect(await read(dims, mappings, source)).toEqual([9, 9, 10, 11, 12, 13, 14, 15])
    expect(await virtualExtents([2, 2], mappings, opener({}), work())).toEqual([2, 2])
    await expect(read([2, 2], mappings, opener({}))).rejects.toThrow('the source /u in other.h5 is missing')
  })

  it('has a block of each source that fits a pattern', async () => {
    const mappings = [mapping('/%b%%', ALL, slab([0, 2, undefined, 2]))]
    const source = opener({ '/0%': sourceOf([2], 10), '/1%': sourceOf([2], 20), '/3%': sourceOf([2], 30) })
    const dims = await virtualExtents([1], mappings, source, work())
    expect(dims).toEqual([4])
    expect(await read(dims, mappings, source)).toEqual([10, 11, 20, 21])
    expect(await read(dims, mappings, source, [1], [2])).toEqual([11, 20])
  })

  it('says which source of a pattern it lacks: the first, or one that it had', async () => {
    const mappings = [mapping('/%b', ALL, slab([0, 2, undefined, 2]))]
    const lacking = async (dims: readonly number[], names: readonly string[]) => {
      const missing: string[] = []
      const source = opener(Object.fromEntries(names.map(name => [name, sourceOf([2], 10)])))
      await virtualExtents(dims, mappings, source, work(), (_, dataset) => missing.push(dataset))
      return missing
    }
    expect(await lacking([0], [])).toEqual(['/0'])
    expect(await lacking([6], [])).toEqual(['/0'])
    expect(await lacking([6], ['/0', '/2'])).toEqual(['/1'])
    expect(await lacking([5], ['/0', '/1'])).toEqual(['/2'])
    expect(await lacking([4], ['/0', '/1'])).toEqual([])
    expect(await lacking([0], ['/0'])).toEqual([])
  })

  describe('has as many elements in another shape, in row-major order', () => {
    const ELEMENTS = Array.from({ length: 24 }, (_, i) => i)
    /** Selections of 24 elements: of a dataset that is whole, strided, or a part. */
    const SHAPES: readonly (readonly [dims: readonly number[], selection: FileSelection])[] = [
      [[24], ALL],
      [[1, 24, 1], ALL],
      [[2, 3, 4], ALL],
      [[6, 4], ALL],
      [[4, 6], ALL],
      [[50], slab([1, 2, 24, 1])],
      [[7, 13], slab([1, 2, 3, 1], [0, 3, 4, 2])],
      [[3, 5, 9], slab([0, 2, 2, 1], [1, 1, 1, 3], [1, 2, 4, 1])],
    ]

    /** The number of each element in the selection; undefined: it is not selected. */
    function numbersOf(dims: readonly number[], selection: FileSelection): (number | undefined)[] {
      const axes = axesOf(selection, dims)
      let number = 0
      return [...coordinatesWithin(dims)].map(at => {
        const isIn = at.every((c, d) => axes[d].positionsBefore(c + 1) > axes[d].positionsBefore(c))
        return isIn ? number++ : undefined
      })
    }

    const pairs = SHAPES.flatMap(target => SHAPES.map(source => ({ target, source })))

    it.each(pairs)('$target.0 of $source.0', async ({ target, source }) => {
      const [dims, selection] = target
      const [sourceDims, sourceSelection] = source
      const bytes = numbersOf(sourceDims, sourceSelection).map(number => number ?? 200)
      const stored = { ...sourceOf(sourceDims, 0), read: boxReader(bytes, sourceDims) }
      const mappings = [mapping('/s', sourceSelection, selection)]
      const expected = numbersOf(dims, selection).map(number => number ?? 9)
      const all = await read(dims, mappings, opener({ '/s': stored }))
      expect(all).toEqual(expected)
      expect(new Set(all)).toEqual(new Set([...ELEMENTS, ...expected]))
      // Each box of the first halves and the last halves of the dimensions.
      for (const isLast of [0, 1]) {
        const start = dims.map(extent => (isLast ? Math.floor(extent / 2) : 0))
        const count = dims.map(extent => extent - Math.floor(extent / 2))
        const part = await read(dims, mappings, opener({ '/s': stored }), start, count)
        expect(part).toEqual([...(await boxReader(expected, dims)({ start, count })).data])
      }
    })

    it('unless the numbers of elements differ, or the source is too small', async () => {
      const whole = slab([0, 1, 1, 24])
      const twelve = opener({ '/s': sourceOf([3, 4], 0) })
      await expect(read([24], [mapping('/s', ALL, whole)], twelve)).rejects.toThrow('in another shape')
      const beyond = [mapping('/s', slab([0, 1, 1, 4], [0, 1, 1, 6]), whole)]
      await expect(read([24], beyond, twelve)).rejects.toThrow('smaller than its selection')
    })
  })

  it('has numbers of another type', async () => {
    const mappings = [mapping('/s', ALL, slab([0, 1, 1, 1], [1, 1, 1, 3]))]
    const source = opener({ '/s': sourceOf([3], 10, { ...BYTE, signed: true }) })
    expect(await read([1, 4], mappings, source)).toEqual([9, 10, 11, 12])
  })

  it.each([
    ['a source that is too small', sourceOf([2], 10), ALL, 'in another shape'],
    [
      'a selection beyond the extents',
      sourceOf([2], 10),
      slab([0, 1, 1, 3]),
      'is smaller than its selection',
    ],
    ['a selection of another rank', sourceOf([3, 1], 10), slab([0, 1, 1, 3]), 'a selection has 1 dimensions'],
    ['another datatype', sourceOf([3], 10, { class: 'H5T_OPAQUE', size: 1 }), ALL, 'has another datatype'],
    [
      'numbers that it cannot hold',
      sourceOf([3], 0xfe, { ...BYTE, signed: true }),
      ALL,
      'holds -2, which unsigned integers of 8 bits cannot hold',
    ],
  ])('of %s is an error', async (_what, source, selection, message) => {
    const mappings = [mapping('/s', selection, slab([0, 1, 1, 1], [0, 1, 1, 3]))]
    await expect(read([1, 3], mappings, opener({ '/s': source }))).rejects.toThrow(message)
  })
})

describe('the work that a box takes', () => {
  const MAPPINGS = Array.from({ length: 20 }, () => mapping('/below', ALL, slab([0, 1, 1, 4])))

  /** A virtual dataset whose 20 mappings have all elements of another one, which is like it, to a depth. */
  function nested(depth: number, shared: VirtualWork, opened = { count: 0 }): VirtualSource {
    const open: OpenSource = async () => {
      opened.count++
      shared.use(STEPS_OF_SOURCE)
      return depth === 0 ? sourceOf([4], 10) : nested(depth - 1, shared, opened)
    }
    const dataset = { type: BYTE, dims: [4], fillValue: FILL, mappings: MAPPINGS }
    return { type: BYTE, dims: [4], read: box => readVirtual(dataset, box, open, shared) }
  }
  const BOX = { start: [0], count: [4] }

  it('is bounded, however often mappings lead to the same elements', async () => {
    const few = await nested(1, new VirtualWork(4)).read(BOX)
    expect([...few.data]).toEqual([10, 11, 12, 13])
    const opened = { count: 0 }
    const work = new VirtualWork(4)
    work.use(1_000_000)
    await expect(nested(14, work, opened).read(BOX)).rejects.toThrow(
      'need more than 1048576 steps for one part of its values',
    )
    expect(opened.count).toBeLessThan(5000)
  })

  it('is bounded for all that is read of one file, of which small boxes still are', async () => {
    const pool = new StepPool()
    pool.left = 50_000
    const opened = { count: 0 }
    for (let i = 0; i < 10; i++) {
      await expect(nested(14, new VirtualWork(4, pool), opened).read(BOX)).rejects.toThrow()
    }
    expect(opened.count).toBeLessThan(15_000)
    const few = await nested(0, new VirtualWork(4, pool)).read(BOX)
    expect(few.count).toBe(4)
  })

  it('takes nothing from later boxes when it was done', () => {
    const pool = new StepPool()
    for (let i = 0; i < 10; i++) {
      const done = new VirtualWork(4, pool)
      done.use(1_000_000)
      done.end()
    }
    expect(() => new VirtualWork(4, pool).use(1_100_000)).toThrow('one part of its values')
  })

  it('is bounded for all that one caller reads', () => {
    const pool = new StepPool()
    const read = () => new VirtualWork(4, pool).use(1_000_000)
    for (let i = 0; i < 4; i++) read()
    expect(read).toThrow('too many together')
    expect(() => new VirtualWork(4, new StepPool()).use(1_000_000)).not.toThrow()
  })

  it('ends at the next mapping when the caller has given it up', async () => {
    const opened = { count: 0 }
    const signal = {
      throwIfAborted() {
        if (opened.count > 100) throw new Error('given up')
      },
    }
    await expect(nested(14, new VirtualWork(4, new StepPool(), signal), opened).read(BOX)).rejects.toThrow(
      'given up',
    )
    expect(opened.count).toBe(101)
  })

  it.each([2, 5])('is little where elements are %s apart in their source', async stride => {
    const COUNT = 50_000
    const stored = sourceOf([COUNT * stride], 0)
    let reads = 0
    const open: OpenSource = async () => ({
      ...stored,
      read(box) {
        reads++
        return stored.read(box)
      },
    })
    const mappings = [mapping('/s', slab([0, stride, COUNT, 1]), slab([0, 1, 1, COUNT]))]
    const dataset = { type: BYTE, dims: [COUNT], fillValue: FILL, mappings }
    const { data } = await readVirtual(dataset, { start: [0], count: [COUNT] }, open, new VirtualWork(COUNT))
    expect(data).toEqual(Uint8Array.from({ length: COUNT }, (_, i) => i * stride))
    expect(reads).toBeLessThan(COUNT / 100)
  })

  it('of mappings that overlap leaves the elements of the last one', async () => {
    const mappings = [
      mapping('/a', ALL, slab([0, 1, 1, 4])),
      mapping('/b', ALL, slab([1, 1, 1, 2])),
      mapping('/c', ALL, slab([2, 1, 1, 1])),
    ]
    const open = opener({ '/a': sourceOf([4], 10), '/b': sourceOf([2], 20), '/c': sourceOf([1], 30) })
    expect(await read([5], mappings, open)).toEqual([10, 20, 30, 13, 9])
  })
})
