// Selections of datasets of which little is stored, compared with a loop over all elements, and what is looked up for
// them.

import { coordinatesWithin, product } from '@hyperslab/model/dataset'
import { type Datatype, elementSize, isVariableSize } from '@hyperslab/model/datatype'
import { elementsFromJson, elementsToJson } from '@hyperslab/model/json'
import type { ObjectId } from '@hyperslab/model/names'
import {
  allChunks,
  type ChunkGrid,
  chunkCounts,
  compareChunks,
  type Selection,
  selectionCount,
} from '@hyperslab/model/selection'
import { type Elements, expandPieces, PREFIXED_REFERENCES, type ValueStyle } from '@hyperslab/model/values'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { naiveCoordinates } from '../../../test/arbitraries/selection.ts'
import { seededNumbers } from '../../../test/engines/clock.ts'
import { BufferPool } from './buffer-pool.ts'
import { ChunkFilters } from './chunk-filters.ts'
import type { ChunkIndex, FoundChunk } from './chunk-index.ts'
import { type ChunkLayout, usedElements } from './chunk-layout.ts'
import { IN_THIS_THREAD } from './filter-runner.ts'
import { readSelection } from './read-values.ts'

const I32: Datatype = { class: 'H5T_INTEGER', size: 4, signed: true, order: 'LE' }
const TEXT: Datatype = {
  class: 'H5T_STRING',
  length: 'H5T_VARIABLE',
  charSet: 'H5T_CSET_UTF8',
  strPad: 'H5T_STR_NULLTERM',
}
const STYLE: ValueStyle = { references: PREFIXED_REFERENCES, nonFinite: 'bare', float32: 'widened' }
const ID = 'd-00000000-00000000-0000-000000-000001' as ObjectId

/** A value of the test as an element: numbers, or strings of them. */
function elementsOf(type: Datatype, numbers: readonly number[]): Elements {
  const json = type === TEXT ? numbers.map(number => (number === 0 ? '' : `n${number}`)) : numbers
  return elementsFromJson(type, [numbers.length], json, PREFIXED_REFERENCES)
}

function numbersOf(type: Datatype, elements: Elements): number[] {
  const json = elementsToJson(type, [elements.count], elements, STYLE) as (string | number)[]
  return json.map(value => (typeof value === 'number' ? value : Number(value.slice(1))))
}

/** A stored chunk: its numbers, up to the last one inside the extents, or the one that it repeats in a part of it. */
type StoredChunk =
  | { readonly numbers: readonly number[] }
  | { readonly repeated: number; readonly inside: readonly number[] }

interface StoredValues {
  readonly type: Datatype
  readonly grid: ChunkGrid
  readonly fill: number
  readonly chunks: ReadonlyMap<string, StoredChunk>
  readonly filled?: { readonly value: number; readonly dims: readonly number[] }
}

function layoutOf({ type, grid, fill, filled }: StoredValues, pieceElements: number): ChunkLayout {
  return {
    dataset: ID,
    type,
    elementSize: elementSize(type),
    isVariableSize: isVariableSize(type),
    grid,
    fillValue: fill === 0 ? undefined : elementsOf(type, [fill]),
    initializer: undefined,
    filled: filled && { element: elementsOf(type, [filled.value]), dims: filled.dims },
    pipeline: undefined,
    pieceElements,
  }
}

/** Counts the chunks that are looked up, and those that are listed. */
function indexOf({ type, chunks }: StoredValues, work: { found: number; listed: number }): ChunkIndex {
  const coordinates = [...chunks.keys()].map(key => key.split(',').map(Number)).sort(compareChunks)
  const foundChunk = (chunk: readonly number[]): FoundChunk | undefined => {
    const stored = chunks.get(chunk.join())
    if (!stored) return undefined
    const elements = elementsOf(type, 'numbers' in stored ? stored.numbers : [stored.repeated])
    if ('repeated' in stored) return { element: elements, inside: stored.inside }
    const { data, heap } = elements
    const values = Buffer.concat([data, heap])
    return {
      dataLength: data.length,
      heapLength: heap.length,
      values,
      name: chunk.join(),
      read: () => Promise.reject(new Error('the values are at hand')),
      readAll: async () => values,
      damaged: name => new Error(name),
    }
  }
  return {
    lookups: 8,
    isComplete: false,
    async find(asked) {
      work.found += asked.length
      return asked.map(foundChunk)
    },
    async *all() {},
    async listStored({ low, high }, most) {
      const found = coordinates.filter(chunk => chunk.every((index, d) => index >= low[d] && index < high[d]))
      work.listed += Math.min(most, found.length) + 1
      return found.length > most ? undefined : found
    },
  }
}

async function piecesOf(stored: StoredValues, selection: Selection, pieceElements: number) {
  const work = { found: 0, listed: 0 }
  const filters = new ChunkFilters(IN_THIS_THREAD, 0)
  const parts = { index: indexOf(stored, work), filters, pool: new BufferPool(2 ** 20), parallelReads: 4 }
  const read = () => readSelection(parts, layoutOf(stored, pieceElements), selection)
  const counts: { count: number; isRepeated: boolean }[] = []
  for await (const piece of read()) counts.push({ count: piece.count, isRepeated: 'element' in piece })
  const once = { ...work }
  return { read, counts, work: once }
}

/** Reads the selected elements in a plain loop. */
function naive({ grid, fill, chunks, filled }: StoredValues, selection: Selection): number[] {
  const { chunkDims } = grid
  return naiveCoordinates(selection).map(at => {
    const chunk = at.map((index, d) => Math.floor(index / chunkDims[d]))
    const inChunk = at.map((index, d) => index % chunkDims[d])
    const stored = chunks.get(chunk.join())
    if (!stored) return filled && at.every((index, d) => index < filled.dims[d]) ? filled.value : fill
    if ('repeated' in stored) return inChunk.every((i, d) => i < stored.inside[d]) ? stored.repeated : fill
    return stored.numbers[inChunk.reduce((offset, index, d) => offset * chunkDims[d] + index, 0)] ?? fill
  })
}

interface Case {
  readonly stored: StoredValues
  readonly selection: Selection
  readonly pieceElements: number
}

/** Some thousand chunks of which some are stored, one after another or apart. */
function caseOf(seed: number): Case {
  const next = seededNumbers(seed)
  const random = (end: number) => Math.floor(next() * end)
  const rank = 1 + random(3)
  const most = [20_000, 200, 32][rank - 1]
  const dims = Array.from({ length: rank }, () => 1 + random(most))
  const chunkDims = dims.map(extent => 1 + random(Math.max(1, Math.ceil(extent / (rank === 1 ? 100 : 4)))))
  const grid = { dims, chunkDims }
  const all = chunkCounts(grid)
  const share = [0, 0.01, 0.1, 0.6][random(4)]
  const chunks = new Map<string, StoredChunk>()
  for (const chunk of allChunks(grid)) {
    if (random(1000) >= share * 1000) continue
    const value = 1 + random(3)
    const used = usedElements(grid, chunk)
    const numbers = Array.from({ length: Math.max(1, used - random(3) * random(used)) }, (_, i) => value * i)
    const inside = chunkDims.map(extent => (random(4) === 0 ? random(extent) + 1 : extent))
    chunks.set(chunk.join(), random(3) === 0 ? { repeated: value, inside } : { numbers })
  }
  const slab = (of: readonly number[]) => {
    const start = of.map(extent => (random(2) ? 0 : random(extent)))
    const block = of.map(() => (random(4) ? 1 : 1 + random(3)))
    const stride = block.map(length => length + (random(3) ? 0 : random(20)))
    const count = of.map((extent, d) =>
      Math.max(0, Math.floor((extent - start[d] - block[d]) / stride[d]) + 1 - (random(3) ? 0 : random(4))),
    )
    return { kind: 'hyperslab' as const, start, stride, count, block }
  }
  const length = random(40)
  const positions = (listed: readonly number[]) =>
    Float64Array.from({ length: length * listed.length }, (_, i) => random(dims[listed[i % listed.length]]))
  const everything = dims.map((_, d) => d)
  const listed = everything.filter(() => random(2) === 0)
  const kind = random(5)
  const selection: Selection =
    kind === 0
      ? { kind: 'points', rank, coordinates: positions(everything) }
      : kind === 1 && listed.length > 0
        ? {
            kind: 'lists',
            listed,
            coordinates: positions(listed),
            rest: slab(dims.filter((_, d) => !listed.includes(d))),
          }
        : slab(dims)
  const filled = random(4) === 0 && {
    value: 9,
    dims: dims.map(extent => (random(3) ? extent : random(extent))),
  }
  const type = random(5) === 0 ? TEXT : I32
  const stored = { type, grid, fill: random(2) * 5, chunks, ...(filled && { filled }) }
  expect(product(all)).toBeGreaterThan(0)
  return { stored, selection, pieceElements: [64, 1000, 2 ** 19][random(3)] }
}

async function joined(type: Datatype, pieces: AsyncIterable<Elements>): Promise<number[]> {
  const numbers: number[] = []
  for await (const elements of pieces) for (const number of numbersOf(type, elements)) numbers.push(number)
  return numbers
}

describe('a selection', () => {
  test('gives what a loop over its elements does, wherever chunks are stored', async () => {
    await fc.assert(
      fc.asyncProperty(fc.noShrink(fc.nat()), async seed => {
        const { stored, selection, pieceElements } = caseOf(seed)
        const { read, counts } = await piecesOf(stored, selection, pieceElements)
        expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(selectionCount(selection))
        expect(counts.every(({ count }) => count > 0)).toBe(true)
        const found = await joined(stored.type, expandPieces(stored.type, read()))
        const expected = naive(stored, selection)
        const wrong = expected.findIndex((value, i) => value !== found[i])
        expect({ wrong, length: found.length }).toEqual({ wrong: -1, length: expected.length })
      }),
      { numRuns: 300 },
    )
  })

  const slab = (start: number[], count: number[], stride = count.map(() => 1)): Selection => {
    return { kind: 'hyperslab', start, stride, count, block: count.map(() => 1) }
  }
  const inChunk = (length: number) => Array.from({ length }, (_, i) => i)
  const EDGE = 2 ** 26
  const cases: [string, number[], number[], string[], Selection][] = [
    ['nothing of 2^52 elements', [2 ** 52], [1000], [], slab([0], [2 ** 52])],
    ['three chunks of 2^50', [2 ** 50], [1024], ['0', '77777', `${2 ** 40 - 1}`], slab([0], [2 ** 50])],
    ['long steps', [2 ** 50], [1024], ['7', '8'], slab([3], [2 ** 30], [2 ** 20])],
    [
      'chunks far apart in a square',
      [EDGE, EDGE],
      [32, 32],
      ['0,0', '5,9', '2097151,2097151'],
      slab([0, 0], [EDGE, EDGE]),
    ],
    ['one row of it', [EDGE, EDGE], [32, 32], ['0,9', '5,9', '5,2097151'], slab([161, 0], [1, EDGE])],
    ['one column of it', [EDGE, EDGE], [32, 32], ['0,9', '5,9', '5,2097151'], slab([0, 300], [EDGE, 1])],
    ['a column of chunks of one', [EDGE, EDGE], [1024, 1], ['3,50', '4,50'], slab([0, 0], [EDGE, EDGE])],
    ['a single chunk row', [4, 2 ** 48], [4, 256], ['0,3', `0,${2 ** 39}`], slab([1, 0], [2, 2 ** 48])],
    [
      'rows of a list',
      [EDGE, EDGE],
      [32, 32],
      ['5,9', '6,9'],
      {
        kind: 'lists',
        listed: [0],
        coordinates: Float64Array.of(161, 5, 200),
        rest: slab([0], [EDGE]) as never,
      },
    ],
  ]
  test.each(cases)(
    'costs nothing where nothing is stored: %s',
    async (_, dims, chunkDims, keys, selection) => {
      const grid = { dims, chunkDims }
      const chunks = new Map(keys.map(key => [key, { numbers: inChunk(product(chunkDims)) }]))
      const { read, counts, work } = await piecesOf({ type: I32, grid, fill: -1, chunks }, selection, 2 ** 19)
      expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(selectionCount(selection))
      expect(work.found).toBeLessThanOrEqual(3 * 3 * keys.length)
      expect(work.listed).toBeLessThan(300)
      let others = 0
      let sum = 0
      for await (const piece of read()) {
        if ('element' in piece) {
          expect(numbersOf(I32, piece.element)).toEqual([-1])
          continue
        }
        others += piece.count
        for (const number of numbersOf(I32, piece)) sum += number
      }
      expect(others).toBeLessThan((keys.length + 1) * 2 * product(chunkDims) + 2048)
      let expected = 0 - others
      for (const key of keys) {
        const chunk = key.split(',').map(Number)
        for (const coordinates of coordinatesWithin(chunkDims)) {
          const at = coordinates.map((index, d) => chunk[d] * chunkDims[d] + index)
          const times = timesSelected(selection, at)
          const offset = coordinates.reduce((whole, index, d) => whole * chunkDims[d] + index, 0)
          expected += times * (offset + 1)
        }
      }
      expect(sum).toBe(expected)
    },
  )

  test('costs nothing behind what was written to all of a dataset before it grew', async () => {
    const grid = { dims: [2 ** 22, 2 ** 30], chunkDims: [128, 128] }
    const filled = { value: 9, dims: [500, 1000] }
    const stored = {
      type: I32,
      grid,
      fill: 5,
      chunks: new Map([['2,3', { numbers: inChunk(128 * 128) }]]),
      filled,
    }
    const { read, work } = await piecesOf(stored, slab([0, 0], grid.dims), 2 ** 19)
    expect(work.found).toBeLessThan(200)
    const found = new Map<number, number>()
    const add = (value: number, count: number) => found.set(value, (found.get(value) ?? 0) + count)
    for await (const piece of read()) {
      if ('element' in piece) add(numbersOf(I32, piece.element)[0], piece.count)
      else for (const number of numbersOf(I32, piece)) add(number, 1)
    }
    const written = 128 * 128
    expect(found.get(9)).toBe(500 * 1000 - written + 1)
    expect(found.get(5)).toBe(2 ** 52 - 500 * 1000 + 1)
    expect(found.size).toBe(written)
  })

  test('looks up each chunk where most are stored', async () => {
    const grid = { dims: [100_000], chunkDims: [10] }
    const chunks = new Map<string, StoredChunk>()
    for (let i = 0; i < 10_000; i++) if (i % 5 !== 0) chunks.set(`${i}`, { numbers: inChunk(10) })
    const { work } = await piecesOf({ type: I32, grid, fill: 0, chunks }, slab([0], [100_000]), 2 ** 19)
    // The first one is listed by itself.
    expect(work.found).toBe(9_999)
    expect(work.listed).toBeLessThan(20_000)
  })

  test('gives a chunk that repeats an element as that element, also beside others', async () => {
    const grid = { dims: [4000, 20_000], chunkDims: [1000, 5000] }
    const repeated = (value: number) => ({ repeated: value, inside: [1000, 5000] })
    const chunks = new Map([...allChunks(grid)].map(chunk => [chunk.join(), repeated(chunk[1] + 1)]))
    const { counts } = await piecesOf(
      { type: I32, grid, fill: 0, chunks },
      slab([0, 0], [4000, 20_000]),
      2 ** 19,
    )
    expect(counts.every(({ isRepeated }) => isRepeated)).toBe(true)
    const same = new Map([...chunks.keys()].map(key => [key, repeated(7)]))
    const { counts: few } = await piecesOf(
      { type: I32, grid, fill: 0, chunks: same },
      slab([0, 0], [4000, 20_000]),
      2 ** 19,
    )
    expect(few.length).toBeLessThan(400)
  })
})

/** How often an element is selected. */
function timesSelected(selection: Selection, at: readonly number[]): number {
  if (selection.kind === 'points') throw new Error('points are not counted')
  const isIn = (slab: Extract<Selection, { kind: 'hyperslab' }>, coordinates: readonly number[]) =>
    coordinates.every((index, d) => {
      const past = index - slab.start[d]
      return past >= 0 && past % slab.stride[d] === 0 && past / slab.stride[d] < slab.count[d]
    })
  if (selection.kind === 'hyperslab') return isIn(selection, at) ? 1 : 0
  const { listed, coordinates, rest } = selection
  const others = at.filter((_, d) => !listed.includes(d))
  return isIn(rest, others) ? coordinates.filter(row => row === at[listed[0]]).length : 0
}

test('no other chunk of a portion is read when the signal aborts', async () => {
  const grid: ChunkGrid = { dims: [1000], chunkDims: [1] }
  const chunks = new Map([...allChunks(grid)].map(chunk => [chunk.join(), { numbers: [1] }]))
  const stored: StoredValues = { type: I32, grid, fill: 0, chunks }
  const abort = new AbortController()
  let reads = 0
  const { find } = indexOf(stored, { found: 0, listed: 0 })
  const onDisk: ChunkIndex = {
    lookups: 1000,
    isComplete: true,
    async *all() {},
    find: async asked =>
      (await find(asked)).map(chunk => ({
        ...(chunk as FoundChunk & { readonly dataLength: number }),
        values: undefined,
        async read(_: number, into: Uint8Array) {
          if (++reads === 3) abort.abort(new Error('the client has left'))
          into.fill(0)
        },
      })) as readonly FoundChunk[],
  }
  const parts = {
    index: onDisk,
    filters: new ChunkFilters(IN_THIS_THREAD, 0),
    pool: new BufferPool(2 ** 20),
    parallelReads: 4,
  }
  const all: Selection = { kind: 'hyperslab', start: [0], stride: [1], count: [1000], block: [1] }
  const read = readSelection(parts, layoutOf(stored, 1000), all, abort.signal)
  await expect(read.next()).rejects.toThrow('the client has left')
  expect(reads).toBeLessThan(3 + parts.parallelReads)
})
