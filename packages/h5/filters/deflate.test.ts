import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { inflateStart } from './deflate.ts'

const CHUNK = Uint8Array.from({ length: 600_000 }, (_, index) => index % 251)
const ENCODED = new Uint8Array(deflateSync(CHUNK))

describe('inflateStart', () => {
  it.each([0, 1, 300_000, 600_000])('gives the first %i bytes', async length => {
    const start = await inflateStart(ENCODED, length, CHUNK.length)
    expect(Buffer.compare(start, CHUNK.subarray(0, length))).toBe(0)
  })

  it('finds damage behind them, by the checksum at the end', async () => {
    const damaged = ENCODED.with(ENCODED.length - 1, ENCODED[ENCODED.length - 1] ^ 1)
    await expect(inflateStart(damaged, 10, CHUNK.length)).rejects.toThrow('incorrect data check')
    await expect(inflateStart(ENCODED.subarray(0, -10), 10, CHUNK.length)).rejects.toThrow('unexpected end')
  })

  it.each([
    [10, 599_999],
    [600_001, 600_002],
  ])('rejects a chunk with fewer than %i or more than %i bytes', async (length, most) => {
    await expect(inflateStart(ENCODED, length, most)).rejects.toThrow(`instead of ${most}`)
  })
})
