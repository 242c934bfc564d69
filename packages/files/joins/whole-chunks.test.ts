import type { JoinedDataset } from '@hyperslab/h5/reader'
import type { Datatype } from '@hyperslab/model/datatype'
import { describe, expect, it } from 'vitest'
import type { DatasetStorage, Outline, OutlinedDataset } from './outlines/outline.ts'
import { withWholeChunks } from './whole-chunks.ts'

const FLOAT: Datatype = { class: 'H5T_FLOAT', size: 4, order: 'LE' }
const DOUBLE: Datatype = { class: 'H5T_FLOAT', size: 8, order: 'LE' }
const STORAGE: DatasetStorage = { key: 'k', chunkDims: [2, 5], filters: [{ id: 1, clientData: [4] }] }

function outline(count: number, rest: Partial<OutlinedDataset> = {}): Outline {
  const dataset: OutlinedDataset = {
    address: '96',
    type: FLOAT,
    space: { class: 'H5S_SIMPLE', dims: [count, 5] },
    axis: 0,
    meaning: new Map(),
    storage: STORAGE,
    ...rest,
  }
  return { datasets: new Map([['/d', dataset]]), extent: count }
}

/** The files one after another, up to `length`. */
async function chunksOf(outlines: readonly Outline[], length?: number, type = FLOAT) {
  const parts: JoinedDataset['parts'][number][] = []
  let start = 0
  for (const [i, { extent, datasets }] of outlines.entries()) {
    if (datasets.size > 0) parts.push({ file: `${i}`, dataset: '/d', start, count: extent, sourceStart: 0 })
    start += extent
  }
  const dims = [length ?? start, 5]
  const joined: JoinedDataset = { type, space: { class: 'H5S_SIMPLE', dims }, axis: 0, parts }
  const byName = new Map(outlines.map((one, i) => [`${i}`, one]))
  return (await withWholeChunks(new Map([['96', joined]]), byName)).get('96')?.chunks
}

const PASSING = { chunkDims: STORAGE.chunkDims, filters: STORAGE.filters }
const GAP: Outline = { datasets: new Map(), extent: 2 }

describe('stored chunks of joined datasets', () => {
  it.each([
    ['of one file', [outline(5)]],
    ['of whole ones, and a last one that may be partial', [outline(4), outline(2), outline(3)]],
    ['with a gap of whole chunks', [outline(4), GAP, outline(2)]],
  ])('pass %s', async (_name, outlines) => {
    expect(await chunksOf(outlines)).toEqual(PASSING)
  })

  it.each([
    ['a partial chunk is not the last one', [outline(3), outline(2)]],
    ['the next file begins within a chunk', [outline(4), { ...GAP, extent: 1 }, outline(2)]],
    ['filters differ', [outline(4), outline(2, { storage: { ...STORAGE, key: 'other' } })]],
    ['a file has no chunks', [outline(4), outline(2, { storage: undefined as never })]],
    ['a type differs', [outline(4), outline(2, { type: DOUBLE })]],
    ['a file has more than its part', [outline(4), { ...outline(6), extent: 4 }]],
  ])('do not pass where %s', async (_name, outlines) => {
    expect(await chunksOf(outlines)).toBeUndefined()
  })

  it('do not pass where elements follow a partial chunk, or are converted', async () => {
    expect(await chunksOf([outline(4), outline(3)], 9)).toBeUndefined()
    expect(await chunksOf([outline(4), outline(3)], 7)).toEqual(PASSING)
    expect(await chunksOf([outline(4)], undefined, DOUBLE)).toBeUndefined()
  })
})
