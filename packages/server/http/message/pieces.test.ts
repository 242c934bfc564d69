import { expect, test } from 'vitest'
import { gathered } from './pieces.ts'

/** Pieces of these lengths in one buffer, which the next piece overwrites. */
async function* pieces(lengths: readonly number[]): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(Math.max(0, ...lengths))
  for (const [i, length] of lengths.entries()) yield buffer.fill(i + 1).subarray(0, length)
}

test.each([
  [[]],
  [[0]],
  [[5]],
  [[1, 2, 3]],
  [[100_000]],
  [[10, 100_000, 20, 30, 70_000, 40]],
  [new Array(300).fill(1000)],
  [[16_000, 16_000, 16_000, 16_000, 16_000]],
  [[16_385, 1, 16_384]],
])('gathered pieces of %j are the same bytes, in fewer pieces', async lengths => {
  const expected = Buffer.concat(lengths.map((length, i) => Buffer.alloc(length, i + 1)))
  const found: Buffer[] = []
  for await (const piece of gathered(pieces(lengths))) {
    expect(piece.length).toBeGreaterThan(0)
    found.push(Buffer.from(piece))
  }
  expect(Buffer.concat(found).equals(expected)).toBe(true)
  const long = lengths.filter(length => length > 16_384).length
  expect(found.length).toBeLessThanOrEqual(2 * long + 1 + Math.ceil(expected.length / 49_000))
})
