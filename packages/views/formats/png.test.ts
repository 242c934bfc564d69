import { crc32, inflateSync } from 'node:zlib'
import { coloursOf } from '@hyperslab/meaning/colour-maps'
import type { FloatType, IntegerType } from '@hyperslab/model/datatype'
import type { NumericType } from '@hyperslab/model/reduction'
import type { Elements, Piece } from '@hyperslab/model/values'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Matrix } from './extents.ts'
import { type Colours, encodePng, pngMatrix } from './png.ts'

const F32: FloatType = { class: 'H5T_FLOAT', size: 4, order: 'LE' }
const U8: IntegerType = { class: 'H5T_INTEGER', size: 1, signed: false, order: 'LE' }

async function* piecesOf(data: Uint8Array, size: number, atOnce: number): AsyncGenerator<Elements> {
  for (let from = 0; from < data.length; from += atOnce * size) {
    const piece = data.slice(from, from + atOnce * size)
    yield { count: piece.length / size, data: piece, heap: new Uint8Array(0) }
  }
}

type Options = Omit<Matrix, 'type'> & Colours

async function png(type: NumericType, pieces: AsyncIterable<Piece>, options: Options): Promise<Buffer> {
  const bytes: Uint8Array[] = []
  for await (const piece of encodePng({ type, ...options }, pieces, options)) bytes.push(piece)
  return Buffer.concat(bytes)
}

interface Image {
  readonly columns: number
  readonly rows: number
  readonly palette: Buffer
  readonly alpha: Buffer
  readonly pixels: readonly number[]
}

/** Checks the form of the file and all of its checksums. */
function parse(file: Buffer): Image {
  expect(file.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
  const chunks: [string, Buffer][] = []
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at)
    expect(file.readUInt32BE(at + 8 + length)).toBe(crc32(file.subarray(at + 4, at + 8 + length)))
    chunks.push([file.toString('latin1', at + 4, at + 8), file.subarray(at + 8, at + 8 + length)])
    at += length + 12
  }
  const all = (type: string) =>
    Buffer.concat(chunks.filter(([each]) => each === type).map(([, bytes]) => bytes))
  const types = chunks.map(([type]) => type)
  expect([types[0], types[1], types[2], types.at(-1)]).toEqual(['IHDR', 'PLTE', 'tRNS', 'IEND'])
  const header = all('IHDR')
  expect([...header.subarray(8)]).toEqual([8, 3, 0, 0, 0])
  const [columns, rows] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const lines = inflateSync(all('IDAT'))
  expect(lines.length).toBe(rows * (columns + 1))
  const pixels: number[] = []
  for (let row = 0; row < rows; row++) {
    expect(lines[row * (columns + 1)]).toBe(0)
    pixels.push(...lines.subarray(row * (columns + 1) + 1, (row + 1) * (columns + 1)))
  }
  return { columns, rows, palette: all('PLTE'), alpha: all('tRNS'), pixels }
}

describe('equal numbers that come as one', () => {
  test('are the pixels that they are one by one', async () => {
    const run = fc.record({ value: fc.constantFrom(0, 3, 255), count: fc.integer({ min: 1, max: 90_000 }) })
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 900 }),
        fc.array(run, { maxLength: 5 }),
        async (columns, runs) => {
          const count = runs.reduce((sum, each) => sum + each.count, 1)
          const rows = Math.ceil(count / columns)
          const all = [...runs, { value: 9, count: 1 + rows * columns - count }]
          const data = new Uint8Array(rows * columns)
          let at = 0
          for (const each of all) data.fill(each.value, at, (at += each.count))
          const options = { rows, columns, min: 0, max: 255, map: 'Gray' } as Options
          async function* repeated(): AsyncGenerator<Piece> {
            for (const { value, count: times } of all) {
              yield {
                count: times,
                element: { count: 1, data: Uint8Array.of(value), heap: new Uint8Array(0) },
              }
            }
          }
          const [found, expected] = await Promise.all([
            png(U8, repeated(), options),
            png(U8, piecesOf(data, 1, 1000), options),
          ])
          expect(Buffer.from(parse(found).pixels).equals(Buffer.from(parse(expected).pixels))).toBe(true)
        },
      ),
      { numRuns: 20 },
    )
  })
})

describe('an image', () => {
  test('has a colour for each number, whatever comes at once', async () => {
    const number = fc.oneof(
      fc.float({ min: -10, max: 10, noNaN: true }),
      fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -5, 5),
    )
    const cases = fc.tuple(
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 90 }),
    )
    await fc.assert(
      fc.asyncProperty(cases, fc.infiniteStream(number), async ([rows, columns, atOnce], numbers) => {
        const values = Float32Array.from({ length: rows * columns }, () => numbers.next().value)
        const options = { rows, columns, min: -5, max: 5, map: 'Gray' } as const
        const image = parse(await png(F32, piecesOf(new Uint8Array(values.buffer), 4, atOnce), options))
        expect([image.columns, image.rows]).toEqual([columns, rows])
        const expected = Array.from(values, value =>
          Number.isNaN(value) ? 255 : Math.min(254, Math.max(0, Math.floor(((value + 5) / 10) * 255))),
        )
        expect(image.pixels).toEqual(expected)
      }),
      { numRuns: 100 },
    )
  })

  test('has a palette, of which the last colour is transparent', async () => {
    const data = Uint8Array.of(0, 100, 255)
    const image = parse(
      await png(U8, piecesOf(data, 1, 1), { rows: 1, columns: 3, min: 0, max: 255, map: 'Cubehelix' }),
    )
    expect(image.palette.length).toBe(768)
    expect(image.palette.subarray(0, 765)).toEqual(Buffer.from(coloursOf('Cubehelix', 255)))
    expect([image.alpha.length, image.alpha[254], image.alpha[255]]).toEqual([256, 255, 0])
  })

  test('of one number, and of the widest range', async () => {
    const one = { rows: 1, columns: 2, min: 7, max: 7, map: 'Gray' } as const
    expect(parse(await png(U8, piecesOf(Uint8Array.of(7, 7), 1, 2), one)).pixels).toEqual([0, 0])
    const { MAX_VALUE } = Number
    const f64: FloatType = { class: 'H5T_FLOAT', size: 8, order: 'LE' }
    const bytes = new Uint8Array(Float64Array.of(-MAX_VALUE, 0, MAX_VALUE, Number.POSITIVE_INFINITY).buffer)
    const wide = { rows: 2, columns: 2, min: -MAX_VALUE, max: MAX_VALUE, map: 'Gray' } as const
    expect(parse(await png(f64, piecesOf(bytes, 8, 3), wide)).pixels).toEqual([0, 127, 254, 254])
  })

  test('of many numbers comes in pieces', async () => {
    const extent = 1000
    const data = Uint8Array.from({ length: extent * extent }, (_, i) => (i * 7919) >> 5)
    const matrix = { type: U8, rows: extent, columns: extent }
    const file = encodePng(matrix, piecesOf(data, 1, 70_001), { min: 0, max: 254, map: 'Gray' })
    const pieces: Uint8Array[] = []
    for await (const piece of file) pieces.push(piece)
    expect(Math.max(...pieces.map(piece => piece.length))).toBeLessThan(70_000)
    const { pixels } = parse(Buffer.concat(pieces))
    expect(pixels.every((pixel, i) => pixel === Math.min(254, Math.floor((data[i] / 254) * 255)))).toBe(true)
  })

  test('gives the error of its values, and asks for no more when they are not taken', async () => {
    const options = { rows: 1000, columns: 1000, min: 0, max: 1, map: 'Gray' } as const
    async function* failing(): AsyncGenerator<Elements> {
      yield { count: 1000, data: new Uint8Array(1000), heap: new Uint8Array(0) }
      throw new Error('the disk is gone')
    }
    await expect(png(U8, failing(), options)).rejects.toThrow('the disk is gone')
    let end = () => {}
    const ended = new Promise<void>(resolve => {
      end = resolve
    })
    async function* endless(): AsyncGenerator<Elements> {
      try {
        while (true)
          yield {
            count: 1e5,
            data: Buffer.from(Array.from({ length: 1e5 }, () => Math.random() * 255)),
            heap: new Uint8Array(0),
          }
      } finally {
        end()
      }
    }
    for await (const piece of encodePng({ type: U8, ...options, rows: 2 ** 30 }, endless(), {
      ...options,
      max: 255,
    }))
      if (piece.length > 60_000) break
    await expect(ended).resolves.toBeUndefined()
  })

  test.each<[NumericType | { class: 'H5T_OPAQUE'; size: number }, readonly number[]]>([
    [U8, []],
    [U8, [5]],
    [U8, [2, 2, 2]],
    [U8, [0, 5]],
    [U8, [5, 0]],
    [U8, [2 ** 31, 1]],
    [{ class: 'H5T_OPAQUE', size: 2 }, [2, 2]],
  ])('is refused for other values: %o %o', (type, shape) => {
    expect(() => pngMatrix(type, shape)).toThrow(`of the extents [${shape.join(', ')}]`)
  })

  test('is one of a slice of a stack', () => {
    expect(pngMatrix(U8, [1, 3, 4])).toEqual({ type: U8, rows: 3, columns: 4 })
    expect(pngMatrix(U8, [3, 1, 4])).toEqual({ type: U8, rows: 3, columns: 4 })
    expect(pngMatrix(U8, [1, 4])).toEqual({ type: U8, rows: 1, columns: 4 })
  })
})
