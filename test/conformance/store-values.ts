import { describe, expect, it } from 'vitest'
import type { Filter } from '../../src/hdf5/filter-list.ts'
import type { JsonValue } from '../../src/hdf5/json.ts'
import type { Selection } from '../../src/hdf5/selection/selection.ts'
import type { Elements } from '../../src/hdf5/values/elements.ts'
import type { Dataset } from '../../src/storage/store.ts'
import {
  all,
  box,
  collect,
  count,
  type DatasetShape,
  dataset,
  fieldsOfRows,
  inPieces,
  int32s,
  newId,
  newRoot,
  points,
  ROW,
  readNumbers,
  readRows,
  readTexts,
  TEXT,
  texts,
} from './sample-objects.ts'
import type { TheStore } from './store.ts'

/** Values are what they are whether `filters` are applied to their chunks or not. */
export function describeValues(store: TheStore, filters: readonly Filter[] = []): void {
  async function create(shape: DatasetShape): Promise<Dataset> {
    const created = dataset(newId(newRoot()), { ...shape, filters })
    await store().write(writer => writer.createObject(created))
    return created
  }
  const write = (
    into: Dataset,
    selection: Selection,
    elements: Elements,
    pieceLength?: number,
  ): Promise<void> =>
    store().write(writer => writer.writeValues(into, selection, inPieces(elements, pieceLength)))
  const numbers = (from: Dataset, selection?: Selection): Promise<number[]> =>
    store().read(reader => readNumbers(reader, from, selection))
  const withDims = (of: Dataset, dims: readonly number[]): Dataset => ({
    ...of,
    space: { class: 'H5S_SIMPLE', dims, maxdims: dims.map(() => 'H5S_UNLIMITED' as const) },
  })
  const resize = async (of: Dataset, dims: readonly number[]): Promise<Dataset> => {
    await store().write(writer => writer.setExtents(of, dims))
    return withDims(of, dims)
  }

  describe('values', () => {
    const shapes: readonly (readonly [string, DatasetShape])[] = [
      ['a scalar', { dims: [], chunkDims: [] }],
      ['one chunk', { dims: [5], chunkDims: [5] }],
      ['a chunk larger than the dataset', { dims: [5, 3], chunkDims: [8, 4] }],
      ['chunks that do not divide the extents', { dims: [7, 10], chunkDims: [3, 4] }],
      ['chunks of one element', { dims: [3, 4], chunkDims: [1, 1] }],
      ['four dimensions', { dims: [3, 2, 4, 5], chunkDims: [2, 2, 3, 2] }],
      ['chunks too large to lie inline', { dims: [3, 20_000], chunkDims: [2, 17_000] }],
      ['more open chunks than fit into memory', { dims: [40, 400], chunkDims: [40, 10] }],
    ]
    describe.each(shapes)('of %s', (_name, shape) => {
      it('read as zero before they are written', async () => {
        const into = await create(shape)
        expect(await numbers(into)).toEqual(count(into).map(() => 0))
      })

      it('read as the fill value before they are written', async () => {
        const into = await create({ ...shape, fillValue: int32s([-7]) })
        expect(await numbers(into)).toEqual(count(into).map(() => -7))
      })

      it.each([1000, 37])('come back as they were written, in pieces of %i', async pieceLength => {
        const into = await create({ ...shape, fillValue: int32s([-7]) })
        await write(into, all(into), int32s(count(into, 1)), pieceLength)
        expect(await numbers(into)).toEqual(count(into, 1))
        await write(into, all(into), int32s(count(into, 500)), pieceLength)
        expect(await numbers(into)).toEqual(count(into, 500))
      })
    })

    it('what they take is counted: chunks that are stored, and their bytes', async () => {
      const into = await create({ dims: [7, 10], chunkDims: [3, 4] })
      const counted = (of = into) => store().read(reader => reader.allocation(of.id))
      expect(await counted()).toEqual({ chunks: 0, bytes: 0 })
      // [0:3,0:4], [0:3,4:8], [3:6,0:4] and [3:6,4:8], each to the last element inside the extents.
      await write(into, box([2, 3], [2, 2]), int32s([1, 2, 3, 4]))
      const { chunks, bytes } = await counted()
      expect(chunks).toBe(4)
      if (filters.length === 0) expect(bytes).toBe(4 * 12 * 4)
      await write(into, all(into), int32s(count(into)))
      const full = await counted()
      expect(full.chunks).toBe(9)
      if (filters.length === 0) expect(full.bytes).toBe(4 * (4 * 12 + 2 * 10 + 2 * 4 + 2))
      else expect(full.bytes).toBeGreaterThan(bytes)
      const cut = await resize(into, [3, 4])
      expect((await counted(cut)).chunks).toBe(1)
      await store().write(writer => writer.deleteObject(into.id, { links: true }))
      expect(await counted()).toEqual({ chunks: 0, bytes: 0 })
    })

    it('a part is written over what was there', async () => {
      const into = await create({ dims: [4, 6], chunkDims: [3, 4], fillValue: int32s([-1]) })
      await write(into, box([1, 1], [2, 4]), int32s([1, 2, 3, 4, 5, 6, 7, 8]))
      await write(into, box([2, 4], [2, 2]), int32s([10, 11, 12, 13]))
      expect(await numbers(into)).toEqual(
        [
          [-1, -1, -1, -1, -1, -1],
          [-1, 1, 2, 3, 4, -1],
          [-1, 5, 6, 7, 10, 11],
          [-1, -1, -1, -1, 12, 13],
        ].flat(),
      )
    })

    describe('of some fields of a compound', () => {
      const writeFields = (
        into: Dataset,
        selection: Selection,
        rows: readonly (readonly JsonValue[])[],
        ...names: string[]
      ): Promise<void> =>
        store().write(writer =>
          writer.writeValues(into, selection, inPieces(fieldsOfRows(names, rows), 2), names),
        )
      const rows = (from: Dataset) => store().read(reader => readRows(reader, from))

      it('leave the others what they were, never written or not', async () => {
        const fillValue = fieldsOfRows(['a', 'text', 'c'], [[7, 'none', 9]])
        const into = await create({ type: ROW, dims: [5], chunkDims: [2], fillValue })
        await writeFields(into, box([1], [3]), [[1], [2], [3]], 'c')
        expect(await rows(into)).toEqual([
          [7, 'none', 9],
          [7, 'none', 1],
          [7, 'none', 2],
          [7, 'none', 3],
          [7, 'none', 9],
        ])
        await writeFields(
          into,
          points([4], [0], [4]),
          [
            [0, 'x'],
            [5, 'y'],
            [6, 'z'],
          ],
          'c',
          'text',
        )
        await writeFields(into, all(into), [[10], [11], [12], [13], [14]], 'a')
        expect(await rows(into)).toEqual([
          [10, 'y', 5],
          [11, 'none', 1],
          [12, 'none', 2],
          [13, 'none', 3],
          [14, 'z', 6],
        ])
      })

      it('as many elements as are selected, or nothing is written', async () => {
        const into = await create({ type: ROW, dims: [3], chunkDims: [2] })
        await expect(writeFields(into, all(into), [[1], [2]], 'a')).rejects.toMatchObject({
          code: 'value-count-mismatch',
        })
        expect(await rows(into)).toEqual([
          [0, '', 0],
          [0, '', 0],
          [0, '', 0],
        ])
      })

      it('in blobs, more than fit into memory', async () => {
        const into = await create({ type: ROW, dims: [40, 400], chunkDims: [40, 10] })
        const numbers = count(into, 1)
        await writeFields(
          into,
          all(into),
          numbers.map(number => [number]),
          'c',
        )
        await writeFields(
          into,
          all(into),
          numbers.map(number => [`t${number}`, -number]),
          'text',
          'a',
        )
        expect(await rows(into)).toEqual(numbers.map(number => [-number, `t${number}`, number]))
      })
    })

    it('every second element, every third row', async () => {
      const into = await create({ dims: [6, 5], chunkDims: [2, 2] })
      const selection: Selection = {
        kind: 'hyperslab',
        start: [0, 1],
        stride: [3, 2],
        count: [2, 2],
        block: [1, 1],
      }
      await write(into, selection, int32s([1, 2, 3, 4]), 1)
      expect(await numbers(into, selection)).toEqual([1, 2, 3, 4])
      expect((await numbers(into)).filter(number => number !== 0)).toEqual([1, 2, 3, 4])
      expect(await numbers(into, box([3, 0], [1, 5]))).toEqual([0, 3, 0, 4, 0])
    })

    it('few elements, far apart in a large chunk, also beyond what is stored of it', async () => {
      const into = await create({
        dims: [3, 20_000],
        chunkDims: [8, 20_000],
        maxdims: [8, 20_000],
        fillValue: int32s([-1]),
      })
      await write(into, all(into), int32s(count(into, 1)))
      const grown = await resize(into, [8, 20_000])
      const selection = points([2, 19_999], [7, 5], [0, 0], [1, 3], [1, 4], [7, 19_999], [2, 19_999])
      expect(await numbers(grown, selection)).toEqual([60_000, -1, 1, 20_004, 20_005, -1, 60_000])
      const corners: Selection = {
        kind: 'hyperslab',
        start: [0, 0],
        stride: [2, 19_999],
        count: [4, 2],
        block: [1, 1],
      }
      expect(await numbers(grown, corners)).toEqual([1, 20_000, 40_001, 60_000, -1, -1, -1, -1])
    })

    it('points in any order; of a repeated one the last stays', async () => {
      const into = await create({ dims: [4, 4], chunkDims: [2, 2] })
      const selection = points([3, 3], [0, 0], [3, 3], [0, 3], [0, 0])
      await write(into, selection, int32s([1, 2, 3, 4, 5]), 2)
      expect(await numbers(into, selection)).toEqual([3, 5, 3, 4, 5])
    })

    it('nothing is selected: nothing is read, written or changed', async () => {
      const into = await create({ dims: [4], chunkDims: [2] })
      const before = await store().read(reader => reader.status(into.id))
      await write(into, box([2], [0]), int32s([]))
      await write(into, points(), int32s([]))
      expect(await numbers(into, box([2], [0]))).toEqual([])
      expect(await numbers(into, points())).toEqual([])
      expect(await store().read(reader => reader.status(into.id))).toEqual(before)
      const empty = await create({ dims: [0, 3], chunkDims: [1, 3] })
      await write(empty, all(empty), int32s([]))
      expect(await numbers(empty)).toEqual([])
    })

    it.each([
      [5, 'only 5'],
      [0, 'only 0'],
      [7, 'at least 7'],
      [100, 'at least'],
    ])('%i elements for a selection of 6 are refused, and nothing is written', async (given, told) => {
      const into = await create({ dims: [6], chunkDims: [2], fillValue: int32s([-1]) })
      const before = await store().read(reader => reader.status(into.id))
      const elements = int32s(Array.from({ length: given }, (_, i) => i))
      await expect(write(into, all(into), elements, 3)).rejects.toMatchObject({
        code: 'value-count-mismatch',
        message: expect.stringMatching(new RegExp(`6 elements.*${told}`)),
      })
      expect(await numbers(into)).toEqual(count(into).map(() => -1))
      expect(await store().read(reader => reader.status(into.id))).toEqual(before)
    })

    it('a source that fails: its error is told, it is closed, and nothing is written', async () => {
      const into = await create({ dims: [60_000], chunkDims: [20_000] })
      const broken = new Error('the line went dead')
      let isClosed = false
      async function* source(): AsyncGenerator<Elements> {
        try {
          yield int32s(count(into).slice(0, 50_000))
          throw broken
        } finally {
          isClosed = true
        }
      }
      await expect(store().write(writer => writer.writeValues(into, all(into), source()))).rejects.toBe(
        broken,
      )
      expect(isClosed).toBe(true)
      expect(await numbers(into, box([0], [3]))).toEqual([0, 0, 0])
    })

    it('a failed write that the work survives leaves its own other changes', async () => {
      const into = await create({ dims: [6], chunkDims: [2] })
      await store().write(async writer => {
        await writer.writeValues(into, box([0], [2]), inPieces(int32s([1, 2])))
        const tooFew = writer.writeValues(into, box([0], [6]), inPieces(int32s([7, 7, 7])))
        await expect(tooFew).rejects.toMatchObject({ code: 'value-count-mismatch' })
        await writer.writeValues(into, box([4], [1]), inPieces(int32s([3])))
      })
      expect(await numbers(into)).toEqual([1, 2, 0, 0, 3, 0])
    })

    it('a writer reads what it has written', async () => {
      const into = await create({ dims: [3, 20_000], chunkDims: [2, 17_000] })
      await store().write(async writer => {
        await writer.writeValues(into, all(into), inPieces(int32s(count(into))))
        await writer.writeValues(into, box([1, 16_999], [1, 2]), inPieces(int32s([-1, -2])))
        expect(await readNumbers(writer, into, box([1, 16_998], [1, 4]))).toEqual([36_998, -1, -2, 37_001])
        await writer.writeValues(
          into,
          box([1, 0], [1, 20_000]),
          inPieces(int32s(count(into).slice(0, 20_000))),
        )
      })
      const expected = count(into)
      expect((await numbers(into)).slice(20_000, 40_000)).toEqual(expected.slice(0, 20_000))
      expect((await numbers(into)).slice(40_000)).toEqual(expected.slice(40_000))
    })

    it('reading stops when the signal is aborted, or when nobody asks any more', async () => {
      // Pieces have up to 8000 bytes.
      const from = await create({ dims: [3, 2000], chunkDims: [1, 2000] })
      const abort = new AbortController()
      const pieces: number[] = []
      const reading = store().read(async reader => {
        for await (const { count } of reader.readValues(from, all(from), abort.signal)) {
          pieces.push(count)
          abort.abort()
        }
      })
      await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
      expect(pieces).toEqual([2000])
      await store().read(async reader => {
        for await (const { count } of reader.readValues(from, all(from))) {
          expect(count).toBe(2000)
          break
        }
      })
    })

    it('a dataset that is not there cannot be written', async () => {
      const missing = dataset(newId(newRoot()), { dims: [1], chunkDims: [1] })
      await expect(write(missing, all(missing), int32s([1]))).rejects.toMatchObject({
        code: 'object-not-found',
      })
    })
  })

  describe('values of variable size', () => {
    const shape: DatasetShape = { type: TEXT, dims: [3, 4], chunkDims: [2, 3] }
    const strings = ['', 'a', 'bb', '✓', 'x'.repeat(50_000), '', 'ccc', '😀', '\0', 'd', 'e', 'f']
    const read = (from: Dataset): Promise<string[]> => store().read(reader => readTexts(reader, from))

    it('read as empty, or as the fill value, before they are written', async () => {
      expect(await read(await create(shape))).toEqual(strings.map(() => ''))
      const filled = await create({ ...shape, fillValue: texts(['fill']) })
      expect(await read(filled)).toEqual(strings.map(() => 'fill'))
      await write(filled, box([1, 2], [1, 2]), texts(['x', 'y']))
      expect(await read(filled)).toEqual(strings.map((_, i) => (i === 6 ? 'x' : i === 7 ? 'y' : 'fill')))
    })

    it.each([100, 5, 1])('come back as they were written, in pieces of %i', async pieceLength => {
      const into = await create(shape)
      await write(into, all(into), texts(strings), pieceLength)
      expect(await read(into)).toEqual(strings)
      const reversed = strings.toReversed()
      await write(into, all(into), texts(reversed), pieceLength)
      expect(await read(into)).toEqual(reversed)
    })

    it('what is overwritten takes no room any more', async () => {
      const into = await create({ type: TEXT, dims: [2], chunkDims: [2] })
      for (let i = 0; i < 30; i++) await write(into, box([0], [1]), texts(['y'.repeat(10_000)]))
      await write(into, box([0], [1]), texts(['short']))
      const pieces = await store().read(reader => collect(reader.readValues(into, all(into))))
      expect(pieces[0].heap.length).toBeLessThan(100)
      expect(await read(into)).toEqual(['short', ''])
    })
  })

  describe('extents', () => {
    it('what is added reads as the fill value, what was there stays', async () => {
      const into = await create({
        dims: [3, 3],
        maxdims: ['H5S_UNLIMITED', 9],
        chunkDims: [2, 2],
        fillValue: int32s([-1]),
      })
      await write(into, all(into), int32s(count(into)))
      const grown = await resize(into, [4, 5])
      expect(await numbers(grown)).toEqual(
        [
          [0, 1, 2, -1, -1],
          [3, 4, 5, -1, -1],
          [6, 7, 8, -1, -1],
          [-1, -1, -1, -1, -1],
        ].flat(),
      )
      expect((await store().read(reader => reader.object(into.id)))?.created).toBe(1)
      await write(grown, all(grown), int32s(count(grown)))
      expect(await numbers(grown)).toEqual(count(grown))
    })

    it.each([
      ['zero', undefined, 0],
      ['the fill value', int32s([-1]), -1],
    ])('what was cut off reads as %s when it grows again', async (_name, fillValue, fill) => {
      const shape = { dims: [7, 7], chunkDims: [3, 3], ...(fillValue && { fillValue }) }
      const into = await create({ ...shape, maxdims: ['H5S_UNLIMITED', 'H5S_UNLIMITED'] })
      await write(into, all(into), int32s(count(into)))
      await resize(into, [5, 2])
      const back = await resize(into, [7, 7])
      expect(await numbers(back)).toEqual(
        count(into).map(number => (number < 35 && number % 7 < 2 ? number : fill)),
      )
    })

    it('cut to nothing and grown again', async () => {
      const into = await create({ dims: [5], maxdims: ['H5S_UNLIMITED'], chunkDims: [2] })
      await write(into, all(into), int32s([1, 2, 3, 4, 5]))
      const none = await resize(into, [0])
      expect(await numbers(none)).toEqual([])
      expect(await numbers(await resize(none, [3]))).toEqual([0, 0, 0])
    })

    it('one extent shrinks while another grows', async () => {
      const into = await create({
        type: TEXT,
        dims: [2, 3],
        maxdims: ['H5S_UNLIMITED', 'H5S_UNLIMITED'],
        chunkDims: [2, 2],
        fillValue: texts(['-']),
      })
      await write(into, all(into), texts(['a', 'b', 'c', 'd', 'e', 'f']))
      const after = await resize(into, [3, 1])
      expect(await store().read(reader => readTexts(reader, after))).toEqual(['a', 'd', '-'])
      const wide = await resize(after, [3, 3])
      expect(await store().read(reader => readTexts(reader, wide))).toEqual([
        'a',
        '-',
        '-',
        'd',
        '-',
        '-',
        '-',
        '-',
        '-',
      ])
    })

    it('extents and values can be changed in one write', async () => {
      const into = await create({ dims: [2], maxdims: ['H5S_UNLIMITED'], chunkDims: [2] })
      await store().write(async writer => {
        await writer.writeValues(into, all(into), inPieces(int32s([1, 2])))
        await writer.setExtents(into, [1])
        await writer.setExtents(withDims(into, [1]), [4])
        const grown = withDims(into, [4])
        await writer.writeValues(grown, box([2], [2]), inPieces(int32s([3, 4])))
        expect(await readNumbers(writer, grown)).toEqual([1, 0, 3, 4])
      })
      expect(await numbers(withDims(into, [4]))).toEqual([1, 0, 3, 4])
    })

    it('a selection that was made for other extents is a defect, not a write out of bounds', async () => {
      const into = await create({ dims: [4], maxdims: ['H5S_UNLIMITED'], chunkDims: [2] })
      await resize(into, [2])
      await expect(write(into, all(into), int32s([1, 2, 3, 4]))).rejects.toThrow('other extents')
    })
  })

  it('those of a dataset that is marked as unreadable go, also what the same write has written', async () => {
    const into = await create({ dims: [40_000], chunkDims: [20_000] })
    await write(into, all(into), int32s(count(into, 1)))
    await store().write(async writer => {
      await writer.writeValues(into, box([0], [1]), inPieces(int32s([7])))
      await writer.markUnreadable(into.id, 'a damaged chunk')
    })
    expect(await store().read(reader => reader.object(into.id))).toEqual({
      ...into,
      unreadable: 'a damaged chunk',
    })
    expect(await numbers(into, box([0], [2]))).toEqual([0, 0])
    expect(await numbers(into, box([39_998], [2]))).toEqual([0, 0])
  })

  it('a deleted dataset comes back without values', async () => {
    const into = await create({ dims: [40_000], chunkDims: [40_000] })
    await write(into, all(into), int32s(count(into, 1)))
    await store().write(writer => writer.deleteObject(into.id, { links: true }))
    await store().write(writer => writer.createObject(into))
    expect(await numbers(into, box([0], [2]))).toEqual([0, 0])
  })
}
