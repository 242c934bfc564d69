import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { extentFor, IMAGE_TILE, pointsOf, sampledChunks, sideOf, tilesOf } from './blocks.ts'

describe('the elements that are read for a screen', () => {
  test.each([
    [60, undefined, 1000, { start: 0, stop: 60, block: 1 }],
    [0, undefined, 1000, { start: 0, stop: 0, block: 1 }],
    [1500, undefined, 1000, { start: 0, stop: 1500, block: 1 }],
    [6000, undefined, 800, { start: 0, stop: 6000, block: 8 }],
    [100_000, undefined, 1000, { start: 0, stop: 100_000, block: 128 }],
    [100_000, [50_000, 51_000], 1000, { start: 49_664, stop: 51_200, block: 1 }],
    [100_000, [51_000, 50_000], 1000, { start: 49_664, stop: 51_200, block: 1 }],
    [100_000, [-500, 10], 1000, { start: 0, stop: 512, block: 1 }],
    [100_000, [99_990, 200_000], 1000, { start: 99_840, stop: 100_000, block: 1 }],
    [100_000, [200_000, 300_000], 1000, { start: 99_840, stop: 100_000, block: 1 }],
  ] as const)('%i elements, of which %j are in sight on %i pixels', (length, seen, pixels, extent) => {
    expect(extentFor(length, seen, pixels, IMAGE_TILE)).toEqual(extent)
  })

  test.each([
    [1, undefined, 512],
    [8, undefined, 4096],
    [16, undefined, 4096],
    [32, undefined, 4096],
    [128, undefined, 16_384],
    // Whole chunks, if a chunk and a block have common multiples in a tile.
    [32, 1000, 4000],
    [128, 1000, 16_000],
    [32, 1024, 4096],
    [32, 1, 4096],
    [32, 1001, 4096],
    [1, 5000, 512],
  ] as const)('blocks of %i elements in chunks of %s are in tiles of %i', (block, chunk, side) => {
    expect(sideOf(IMAGE_TILE, block, chunk)).toBe(side)
  })

  test('cover what is in sight at its resolution, in tiles that stay where they are', () => {
    const length = fc.integer({ min: 1, max: 2 ** 40 })
    const chunks = fc.option(fc.integer({ min: 1, max: 2 ** 20 }), { nil: undefined })
    const share = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(
        length,
        share,
        share,
        fc.integer({ min: 1, max: 4000 }),
        chunks,
        (n, a, b, pixels, chunk) => {
          const [from, to] = [Math.min(a, b) * n, Math.max(a, b) * n]
          const extent = extentFor(n, [from, to], pixels, IMAGE_TILE, chunk)
          expect(extent.start).toBeLessThanOrEqual(from)
          expect(extent.stop).toBeGreaterThanOrEqual(Math.min(n, Math.ceil(to)))
          const side = sideOf(IMAGE_TILE, extent.block, chunk)
          expect(side % extent.block).toBe(0)
          expect(extent.start % side).toBe(0)
          expect((Math.ceil(to) - Math.floor(from)) / extent.block).toBeLessThanOrEqual(1.5 * pixels)
          if (extent.block > 1)
            expect((Math.ceil(to) - Math.floor(from)) / extent.block).toBeGreaterThan(0.7 * pixels)
          const tiles = [...tilesOf(extent, IMAGE_TILE, chunk)].sort((one, other) => one.start - other.start)
          expect(tiles[0]?.start).toBe(extent.start)
          expect(tiles.at(-1)?.stop).toBe(extent.stop)
          for (const [i, tile] of tiles.entries()) {
            expect(tile.start % side).toBe(0)
            expect(pointsOf(tile)).toBeLessThanOrEqual(512)
            if (i > 0) expect(tile.start).toBe(tiles[i - 1]?.stop)
          }
        },
      ),
    )
  })
})

describe('a sample of chunks', () => {
  const dimension = fc.record({
    chunks: fc.integer({ min: 1, max: 5000 }),
    chunk: fc.integer({ min: 1, max: 3000 }),
    left: fc.nat({ max: 2999 }),
  })

  test('is of few whole chunks, whose places are all of the data', () => {
    fc.assert(
      fc.property(fc.array(dimension, { minLength: 1, maxLength: 2 }), dimensions => {
        const chunk = dimensions.map(({ chunk }) => chunk)
        const extents = dimensions.map(({ chunks, chunk, left }) => {
          const start = 2 * chunk
          return { start, stop: start + (chunks - 1) * chunk + 1 + (left % chunk), block: 1 }
        })
        const elements = chunk.reduce((product, extent) => product * extent)
        const sample = sampledChunks(extents, chunk, elements)
        expect(sample.length).toBeLessThanOrEqual(64)
        expect(sample.length === 1 || sample.length * elements <= 2 ** 24).toBe(true)
        const boxes = sample.map(({ box }) => JSON.stringify(box))
        const fewer = sampledChunks(extents, chunk, elements, 4)
        expect(fewer.length).toBeLessThanOrEqual(16)
        expect(fewer.filter(({ box }) => !boxes.includes(JSON.stringify(box)))).toEqual([])
        const size = (parts: readonly { start: number; stop: number }[]) =>
          parts.reduce((product, { start, stop }) => product * (stop - start), 1)
        expect(sample.reduce((sum, { place }) => sum + size(place), 0)).toBe(size(extents))
        for (const { box, place } of sample) {
          for (const [d, { start, stop, block }] of box.entries()) {
            expect(start % (chunk[d] ?? 1)).toBe(0)
            expect([start, block]).toEqual([place[d]?.start, stop - start])
            expect(stop).toBe(Math.min(extents[d]?.stop ?? 0, start + (chunk[d] ?? 1)))
            expect(pointsOf(place[d] ?? { start: 0, stop: 0, block: 1 })).toBe(1)
          }
        }
      }),
    )
  })
})
