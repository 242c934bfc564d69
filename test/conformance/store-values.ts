import { deflateSync } from 'node:zlib'
import type { Filter } from '@hyperslab/model/dataset'
import type { JsonValue } from '@hyperslab/model/json'
import { type Selection, selectionCount } from '@hyperslab/model/selection'
import type { Elements } from '@hyperslab/model/values'
import type { Dataset, Reader } from '@hyperslab/store/store'
import { describe, expect, it } from 'vitest'
import {
  all,
  box,
  collect,
  count,
  type DatasetShape,
  dataset,
  expectSame,
  fieldsOfRows,
  inPieces,
  int32s,
  newId,
  newRoot,
  oneFor,
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
    store().read(async reader => readNumbers(reader, await stored(reader, from), selection))
  /** All numbers of a dataset. */
  const expectNumbers = async (from: Dataset, expected: readonly number[]): Promise<void> =>
    expectSame(await numbers(from), expected)
  /** Its values depend on the record that is stored. */
  const stored = async (reader: Reader, { id, ...created }: Dataset): Promise<Dataset> => {
    const there = await reader.object(id)
    return there?.kind === 'dataset' ? there : { id, ...created }
  }
  const withDims = (of: Dataset, dims: readonly number[]): Dataset => ({
    ...of,
    space: { class: 'H5S_SIMPLE', dims, maxdims: dims.map(() => 'H5S_UNLIMITED' as const) },
  })
  const resize = async (of: Dataset, dims: readonly number[]): Promise<Dataset> => {
    await store().write(writer => writer.setExtents(of, dims))
    return withDims(of, dims)
  }

  describe('values', () => {
    it('that are not stored come as one element, wherever others are stored', async () => {
      const into = await create({ dims: [2 ** 50], chunkDims: [64], fillValue: int32s([7]) })
      const places = [0, 64 * 300, 2 ** 40, 2 ** 50 - 2]
      for (const place of places) await write(into, box([place], [2]), int32s([1, 2]))
      const pieces = await store().read(async reader => {
        const found: (readonly [start: number, value: number])[] = []
        let start = 0
        for await (const piece of reader.readPieces(await stored(reader, into), all(into))) {
          const { data } = 'element' in piece ? piece.element : piece
          const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
          if (!('element' in piece)) {
            for (let i = 0; i < piece.count; i++) found.push([start + i, view.getInt32(4 * i, true)])
          } else expect(view.getInt32(0, true)).toBe(7)
          start += piece.count
        }
        expect(start).toBe(2 ** 50)
        return found
      })
      expect(pieces.filter(([, value]) => value !== 7)).toEqual(
        places.flatMap(place => [
          [place, 1],
          [place + 1, 2],
        ]),
      )
    })

    const shapes: readonly (readonly [string, DatasetShape])[] = [
      ['a scalar', { dims: [], chunkDims: [] }],
      ['one chunk', { dims: [5], chunkDims: [5] }],
      ['a chunk larger than the dataset', { dims: [5, 3], chunkDims: [8, 4] }],
      ['chunks that do not divide the extents', { dims: [7, 10], chunkDims: [3, 4] }],
      ['chunks of one element', { dims: [3, 4], chunkDims: [1, 1] }],
      ['four dimensions', { dims: [3, 2, 4, 5], chunkDims: [2, 2, 3, 2] }],
      ['chunks too large to lie inline', { dims: [3, 20_000], chunkDims: [2, 17_000] }],
      ['more open chunks than fit into memory', { dims: [40, 100], chunkDims: [40, 10] }],
    ]
    describe.each(shapes)('of %s', (_name, shape) => {
      it('read as zero before they are written', async () => {
        const into = await create(shape)
        await expectNumbers(
          into,
          count(into).map(() => 0),
        )
      })

      it('read as the fill value before they are written', async () => {
        const into = await create({ ...shape, fillValue: int32s([-7]) })
        await expectNumbers(
          into,
          count(into).map(() => -7),
        )
      })

      it.each([1000, 37])('come back as they were written, in pieces of %i', async pieceLength => {
        const into = await create({ ...shape, fillValue: int32s([-7]) })
        await write(into, all(into), int32s(count(into, 1)), pieceLength)
        await expectNumbers(into, count(into, 1))
        await write(into, all(into), int32s(count(into, 500)), pieceLength)
        await expectNumbers(into, count(into, 500))
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

    it('chunks are written one by one, each as a whole, also at the edge and over others', async () => {
      const into = await create({
        dims: [5, 3],
        chunkDims: [2, 3],
        maxdims: ['H5S_UNLIMITED', 3],
        fillValue: int32s([-1]),
      })
      const expected: number[] = []
      for (const from of [0, 100]) {
        for (const row of [0, 2, 4]) {
          const rows = Math.min(2, 5 - row)
          const values = Array.from({ length: rows * 3 }, (_, i) => from + row * 3 + i)
          expected.splice(row * 3, values.length, ...values)
          await write(into, box([row, 0], [rows, 3]), int32s(values), 2)
        }
        expect(await numbers(into)).toEqual(expected)
      }
      const wrong = write(into, box([2, 0], [2, 3]), int32s([1, 2, 3, 4, 5, 6, 7]))
      await expect(wrong).rejects.toMatchObject({ code: 'value-count-mismatch' })
      expect(await numbers(into)).toEqual(expected)
      await store().write(writer => writer.setExtents(into, [6, 3]))
      const grown = withDims(into, [6, 3])
      expect(await numbers(grown)).toEqual([...expected, -1, -1, -1])
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
          writer.writeValues(into, selection, inPieces(fieldsOfRows(names, rows), 2), { fields: names }),
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
        const into = await create({ type: ROW, dims: [40, 100], chunkDims: [40, 10] })
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
        expectSame(
          await rows(into),
          numbers.map(number => [-number, `t${number}`, number]),
        )
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

    it('a source that fails: its error is reported, it is closed, and nothing is written', async () => {
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
      await expectNumbers(into, [
        ...expected.slice(0, 20_000),
        ...expected.slice(0, 20_000),
        ...expected.slice(40_000),
      ])
    })

    it('reading stops when the signal is aborted, or when the caller asks for no more', async () => {
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

  it('has all stored chunks, or some of them, in the order of their coordinates', async () => {
    for (const filled of [false, true]) {
      const into = await create({ dims: [6, 6], chunkDims: [2, 2], maxdims: [9, 9] })
      await write(into, box([2, 0], [2, 6]), int32s(Array.from({ length: 12 }, (_, i) => i)))
      if (filled) {
        await store().write(writer => writer.writeValues(into, all(into), oneFor(36, int32s([5]))))
      }
      await write(into, box([5, 5], [1, 1]), int32s([1]))
      const found = (span?: { from?: readonly number[]; count?: number }) =>
        store().read(async reader =>
          (await collect(reader.storedChunks(await stored(reader, into), span))).map(
            chunk => chunk.coordinates,
          ),
        )
      const every = await found()
      expect(every).toHaveLength(filled ? 9 : 4)
      for (const [first, from] of every.entries()) {
        for (const count of [0, 1, 2, 9]) {
          expect(await found({ from, count })).toEqual(every.slice(first, first + count))
        }
        expect(await found({ from })).toEqual(every.slice(first))
      }
      expect(await found({ count: 2 })).toEqual(every.slice(0, 2))
    }
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

  describe('one element for all', () => {
    const fill = (into: Dataset, selection: Selection, element: Elements, fields?: readonly string[]) =>
      store().write(writer =>
        writer.writeValues(into, selection, oneFor(selectionCount(selection), element), { fields }),
      )
    const counted = (of: Dataset) => store().read(reader => reader.allocation(of.id))

    it.each([
      ['a scalar', { dims: [], chunkDims: [] }],
      ['a chunk larger than the dataset', { dims: [5, 3], chunkDims: [8, 4] }],
      ['chunks that do not divide the extents', { dims: [7, 10], chunkDims: [3, 4] }],
      ['chunks too large to lie inline', { dims: [3, 20_000], chunkDims: [2, 17_000] }],
    ])('of %s: each chunk holds it once, filters or not', async (_name, shape) => {
      const into = await create({ ...shape, fillValue: int32s([-1]) })
      await write(into, all(into), int32s(count(into)))
      const { chunks } = await counted(into)
      await fill(into, all(into), int32s([7]))
      await expectNumbers(
        into,
        count(into).map(() => 7),
      )
      expect(await counted(into)).toEqual({ chunks, bytes: 4 * chunks })
      await write(into, all(into), int32s(count(into, 3)))
      await expectNumbers(into, count(into, 3))
    })

    it('covers some chunks and parts of others, and parts of it are written over', async () => {
      const into = await create({ dims: [7, 10], chunkDims: [3, 4], fillValue: int32s([-1]) })
      const expected = count(into).map(() => -1)
      const set = (row: number, column: number, rows: number, columns: number, number: number) => {
        for (let i = 0; i < rows * columns; i++) {
          expected[(row + Math.floor(i / columns)) * 10 + column + (i % columns)] = number
        }
      }
      await fill(into, box([1, 2], [6, 8]), int32s([5]))
      set(1, 2, 6, 8, 5)
      expect(await numbers(into)).toEqual(expected)
      // The selection touches four of nine chunks, and three of these are not wholly inside the extents.
      const { bytes } = await counted(into)
      await write(into, box([4, 5], [2, 4]), int32s([1, 1, 1, 1, 1, 1, 1, 1]))
      set(4, 5, 2, 4, 1)
      expect(await numbers(into)).toEqual(expected)
      expect((await counted(into)).bytes).toBeGreaterThan(bytes)
      const strided: Selection = {
        kind: 'hyperslab',
        start: [0, 1],
        stride: [4, 3],
        count: [2, 3],
        block: [1, 2],
      }
      await fill(into, strided, int32s([9]))
      for (const row of [0, 4]) for (const column of [1, 4, 7]) set(row, column, 1, 2, 9)
      expect(await numbers(into)).toEqual(expected)
      expect(await numbers(into, strided)).toEqual(new Array(12).fill(9))
      await fill(into, points([6, 9], [0, 0], [6, 9]), int32s([8]))
      set(6, 9, 1, 1, 8)
      set(0, 0, 1, 1, 8)
      expect(await numbers(into)).toEqual(expected)
    })

    it('what lies outside the extents is the fill value when the dataset grows', async () => {
      const unlimited = ['H5S_UNLIMITED', 'H5S_UNLIMITED'] as const
      const into = await create({
        dims: [4, 5],
        chunkDims: [3, 3],
        maxdims: unlimited,
        fillValue: int32s([-1]),
      })
      const isIn = (rows: number, columns: number) => (_: unknown, i: number) =>
        Math.floor(i / 6) < rows && i % 6 < columns ? 7 : -1
      await fill(into, all(into), int32s([7]))
      const grown = await resize(into, [6, 6])
      expect(await numbers(grown)).toEqual(count(grown).map(isIn(4, 5)))
      expect(await numbers(grown, box([3, 0], [3, 6]))).toEqual(count(grown).map(isIn(4, 5)).slice(18))
      const cut = await resize(grown, [2, 4])
      expect(await numbers(cut)).toEqual(new Array(8).fill(7))
      expect(await counted(cut)).toEqual({ chunks: 2, bytes: 8 })
      const back = await resize(cut, [6, 6])
      expect(await numbers(back)).toEqual(count(back).map(isIn(2, 4)))
      await write(back, box([1, 1], [1, 5]), int32s([1, 2, 3, 4, 5]))
      expect(await numbers(back, box([0, 0], [3, 6]))).toEqual(
        [
          [7, 7, 7, 7, -1, -1],
          [7, 1, 2, 3, 4, 5],
          [-1, -1, -1, -1, -1, -1],
        ].flat(),
      )
    })

    it.each([
      ['short', 'text'],
      ['empty', ''],
      ['too long for a record', 'x'.repeat(5000)],
    ])('of variable size, %s', async (_name, text) => {
      const shape = { type: TEXT, dims: [7], chunkDims: [3], maxdims: ['H5S_UNLIMITED' as const] }
      const into = await create({ ...shape, fillValue: texts(['fill']) })
      const read = (from: Dataset) => store().read(reader => readTexts(reader, from))
      await fill(into, box([2], [5]), texts([text]))
      const expected = ['fill', 'fill', text, text, text, text, text]
      expect(await read(into)).toEqual(expected)
      await write(into, box([4], [1]), texts(['other']))
      expect(await read(into)).toEqual(expected.with(4, 'other'))
      expect(await read(await resize(into, [9]))).toEqual([...expected.with(4, 'other'), 'fill', 'fill'])
    })

    it('of some fields of a compound: the others stay', async () => {
      const into = await create({ type: ROW, dims: [4], chunkDims: [2] })
      await fill(into, all(into), fieldsOfRows(['a', 'text', 'c'], [[1, 'x', 2]]))
      await fill(into, box([1], [3]), fieldsOfRows(['text'], [['y']]), ['text'])
      expect(await store().read(reader => readRows(reader, into))).toEqual([
        [1, 'x', 2],
        [1, 'y', 2],
        [1, 'y', 2],
        [1, 'y', 2],
      ])
    })

    it.each([
      [5, 'only 5'],
      [7, 'at least 7'],
    ])('as many as are selected: %i for 6 are refused, and nothing is written', async (given, told) => {
      const into = await create({ dims: [6], chunkDims: [2] })
      const source = oneFor(given, int32s([7]))
      await expect(
        store().write(writer => writer.writeValues(into, all(into), source)),
      ).rejects.toMatchObject({ code: 'value-count-mismatch', message: expect.stringContaining(told) })
      expect(await numbers(into)).toEqual([0, 0, 0, 0, 0, 0])
    })

    it('a chunk whose reader looks at few elements is not filled for them', async () => {
      const into = await create({ dims: [3, 2 ** 33], chunkDims: [1, 2 ** 32] })
      await fill(into, box([1, 0], [1, 2 ** 33]), int32s([7]))
      expect(await numbers(into, points([1, 5], [0, 2 ** 32], [1, 2 ** 33 - 1]))).toEqual([7, 0, 7])
    })

    describe('of a dataset of very many chunks', () => {
      const MANY = 10 ** 12
      const huge = () =>
        create({
          dims: [MANY, 3],
          maxdims: ['H5S_UNLIMITED', 'H5S_UNLIMITED'],
          chunkDims: [1000, 2],
          fillValue: int32s([-1]),
        })
      const rows = (from: Dataset, row: number, columns = 3) => numbers(from, box([row, 0], [2, columns]))

      it('the dataset holds it once', async () => {
        const into = await huge()
        await write(into, box([MANY - 1, 0], [1, 3]), int32s([1, 2, 3]))
        await fill(into, all(into), int32s([7]))
        expect(await counted(into)).toEqual({ chunks: 0, bytes: 0 })
        expect(await rows(into, 0)).toEqual([7, 7, 7, 7, 7, 7])
        expect(await rows(into, MANY - 2)).toEqual([7, 7, 7, 7, 7, 7])
        expect(await numbers(into, points([5, 2], [MANY - 1, 0]))).toEqual([7, 7])
        await fill(into, all(into), int32s([8]))
        expect(await rows(into, MANY - 2)).toEqual([8, 8, 8, 8, 8, 8])
      })

      it('chunks are written over it, and it is written over chunks', async () => {
        const into = await huge()
        await fill(into, all(into), int32s([7]))
        await write(into, box([999, 1], [2, 2]), int32s([1, 2, 3, 4]))
        expect(await rows(into, 999)).toEqual([7, 1, 2, 7, 3, 4])
        expect(await rows(into, 0)).toEqual([7, 7, 7, 7, 7, 7])
        await fill(into, box([1000, 0], [1000, 3]), int32s([9]))
        expect(await rows(into, 999)).toEqual([7, 1, 2, 9, 9, 9])
        await store().write(async writer => {
          await writer.writeValues(into, box([0, 0], [1, 3]), inPieces(int32s([4, 5, 6])))
          await writer.writeValues(into, all(into), oneFor(3 * MANY, int32s([8])))
          await writer.writeValues(into, box([1, 0], [1, 1]), inPieces(int32s([3])))
        })
        expect(await rows(into, 0)).toEqual([8, 8, 8, 3, 8, 8])
        expect(await rows(into, 999)).toEqual([8, 8, 8, 8, 8, 8])
      })

      it('what was not in it is the fill value', async () => {
        const into = await huge()
        await fill(into, all(into), int32s([7]))
        const grown = await resize(into, [MANY + 2, 4])
        expect(await rows(grown, MANY - 1, 4)).toEqual([7, 7, 7, -1, -1, -1, -1, -1])
        expect(await numbers(grown, points([MANY - 1, 2], [MANY - 1, 3], [MANY, 0]))).toEqual([7, -1, -1])
        await write(grown, box([MANY, 1], [1, 2]), int32s([1, 2]))
        expect(await rows(grown, MANY - 1, 4)).toEqual([7, 7, 7, -1, -1, 1, 2, -1])
        const cut = await resize(grown, [1500, 2])
        expect(await rows(cut, 1498, 2)).toEqual([7, 7, 7, 7])
        const back = await resize(cut, [MANY, 3])
        expect(await rows(back, 1499)).toEqual([7, 7, -1, -1, -1, -1])
        await write(back, box([1499, 2], [1, 1]), int32s([5]))
        expect(await rows(back, 1499)).toEqual([7, 7, 5, -1, -1, -1])
      })

      it('of variable size, beside a fill value', async () => {
        const into = await create({
          type: TEXT,
          dims: [5000],
          chunkDims: [1],
          maxdims: ['H5S_UNLIMITED'],
          fillValue: texts(['fill']),
        })
        await fill(into, all(into), texts(['text']))
        const grown = await resize(into, [5002])
        const read = await store().read(async reader =>
          readTexts(reader, await stored(reader, grown), box([4998], [4])),
        )
        expect(read).toEqual(['text', 'text', 'fill', 'fill'])
      })

      it('goes with the values of a dataset that is marked as unreadable', async () => {
        const into = await huge()
        await fill(into, all(into), int32s([7]))
        await store().write(writer => writer.markUnreadable(into.id, 'damaged'))
        expect(await numbers(into, box([0, 0], [1, 3]))).toEqual([-1, -1, -1])
      })
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

  describe('chunks that come encoded', () => {
    const deflated = (...values: readonly number[]) =>
      deflateSync(Buffer.from(Int32Array.from(values).buffer))
    const DEFLATE = [{ id: 1, json: new Map([['level', 1]]) }]
    const deflating = async (extent: number): Promise<Dataset> => {
      const shape = { dims: [extent], chunkDims: [4], maxdims: ['H5S_UNLIMITED'] as const }
      const created = dataset(newId(newRoot()), { ...shape, filters: DEFLATE })
      await store().write(writer => writer.createObject(created))
      return created
    }
    const put = (into: Dataset, chunk: number, bytes: Uint8Array): Promise<void> =>
      store().write(async writer =>
        writer.writeEncodedChunk(await stored(writer, into), { coordinates: [chunk], bytes }),
      )

    it('replace what is there, and are replaced, in part too', async () => {
      const into = await deflating(8)
      await put(into, 1, deflated(1, 2, 3, 4))
      await put(into, 1, deflated(5, 6, 7, 8))
      await write(into, box([5], [1]), int32s([9]))
      await expectNumbers(into, [0, 0, 0, 0, 5, 9, 7, 8])
      await put(into, 1, deflated(1, 1, 1, 1))
      await expectNumbers(into, [0, 0, 0, 0, 1, 1, 1, 1])
    })

    it('lose their elements outside the extents', async () => {
      const into = await deflating(6)
      await put(into, 1, deflated(1, 2, 99, 99))
      await expectNumbers(await resize(into, [8]), [0, 0, 0, 0, 1, 2, 0, 0])
    })

    it.each<[string, Uint8Array]>([
      ['that the filters cannot decode', Buffer.from('no zlib')],
      ['that are shorter than a chunk', deflated(1, 2, 3)],
      ['that are longer', deflated(1, 2, 3, 4, 5)],
    ])('are refused if they are bytes %s, and nothing is changed', async (_, bytes) => {
      const into = await deflating(4)
      await put(into, 0, deflated(1, 2, 3, 4))
      await expect(put(into, 0, bytes)).rejects.toMatchObject({ code: 'malformed-value' })
      await expectNumbers(into, [1, 2, 3, 4])
    })
  })

  it('a deleted dataset comes back without values', async () => {
    const into = await create({ dims: [40_000], chunkDims: [40_000] })
    await write(into, all(into), int32s(count(into, 1)))
    await store().write(writer => writer.deleteObject(into.id, { links: true }))
    await store().write(writer => writer.createObject(into))
    expect(await numbers(into, box([0], [2]))).toEqual([0, 0])
  })
}
