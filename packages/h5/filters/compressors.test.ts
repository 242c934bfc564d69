// The rules of every compressor: its output is smaller or nothing, and damage is an error or wrong bytes, but never
// more of them than there may be.

import type { JsonValue } from '@hyperslab/model/json'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../test/engines/clock.ts'
import { blosc } from './blosc.ts'
import { deflate } from './deflate.ts'
import type { FilterCodec } from './filter.ts'
import { lz4, lz4hc } from './lz4.ts'
import { snappy } from './snappy.ts'
import { zstd } from './zstd.ts'

const FORM = {
  type: { class: 'H5T_INTEGER', size: 4, signed: true, order: 'LE' },
  elementSize: 4,
  chunkDims: [1000],
} as const
const random = seededRandom(1)
const NOISE = random(100_000)

/** Bytes as of small numbers that hardly change. */
function smooth(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) =>
    i % 4 === 0 ? 100 + ((i >> 4) % 50) + (NOISE[i % 1000] & 1) : 0,
  )
}

function clientDataOf(codec: FilterCodec, options: Record<string, JsonValue> = {}): readonly number[] {
  const clientData = codec.clientData(new Map(Object.entries(options)), FORM)
  if (!clientData) throw new Error(`filter ${codec.id} cannot be applied`)
  return clientData
}

describe.each([
  { name: 'deflate', codec: deflate },
  { name: 'lz4', codec: lz4 },
  { name: 'lz4 in blocks', codec: lz4, options: { parameters: [1000] } },
  { name: 'lz4hc', codec: lz4hc },
  { name: 'snappy', codec: snappy },
  { name: 'zstd', codec: zstd },
  ...['blosclz', 'lz4', 'lz4hc', 'snappy', 'zlib', 'zstd'].map((name, compressor) => ({
    name: `blosc with ${name}`,
    codec: blosc,
    options: { parameters: [0, 0, 0, 0, 5, compressor % 3, compressor] },
  })),
])('$name', ({ codec, options }) => {
  const clientData = clientDataOf(codec, options)

  async function encoded(bytes: Uint8Array): Promise<Uint8Array> {
    const result = await codec.encode(bytes, clientData)
    if (!result) throw new Error('nothing was gained')
    return result
  }

  it.each([100, 1000, 1001, 65_536, 300_001])('gives back %i bytes', async length => {
    const bytes = smooth(length)
    const result = await encoded(bytes)
    expect(result.length).toBeLessThan(length)
    const decoded = await codec.decode(result, clientData, length)
    expect(Buffer.compare(decoded, bytes)).toBe(0)
  })

  it('does not change what it is given', async () => {
    const bytes = smooth(5000)
    const result = await encoded(bytes)
    expect(Buffer.compare(bytes, smooth(5000))).toBe(0)
    const before = Uint8Array.from(result)
    await codec.decode(result, clientData, 5000)
    expect(Buffer.compare(result, before)).toBe(0)
  })

  it.each([0, 1, 5, 100_000])('gives up on %i bytes of noise', async length => {
    expect(await codec.encode(NOISE.subarray(0, length), clientData)).toBeUndefined()
  })

  it('takes its bytes out of the middle of others', async () => {
    const bytes = smooth(5000)
    const result = await encoded(Uint8Array.from([1, 2, 3, ...bytes, 4]).subarray(3, 5003))
    const inside = Uint8Array.from([9, ...result, 9]).subarray(1, result.length + 1)
    expect(Buffer.compare(await codec.decode(inside, clientData, 5000), bytes)).toBe(0)
  })

  it('never makes more bytes than it may', async () => {
    const bomb = await encoded(new Uint8Array(1_000_000))
    await expect(async () => codec.decode(bomb, clientData, 999_999)).rejects.toThrow()
  })

  it('survives damage', async () => {
    const whole = await encoded(smooth(5000))
    for (let i = 0; i < 300; i++) {
      const [a, b, c, d] = random(4)
      const damaged = Uint8Array.from(whole.subarray(0, i % 2 ? whole.length : (whole.length * a) >> 8))
      damaged[(damaged.length * b) >> 8] = c
      if (i % 3 === 0) damaged[d % 16] = c
      const decoded = await Promise.resolve()
        .then(() => codec.decode(damaged, clientData, 5000))
        .catch((error: unknown) => error)
      if (decoded instanceof Uint8Array) expect(decoded.length).toBeLessThanOrEqual(5000)
      else expect(decoded).toBeInstanceOf(Error)
    }
    expect(Buffer.compare(await codec.decode(whole, clientData, 5000), smooth(5000))).toBe(0)
  })
})

it.each([
  { codec: deflate, options: {}, clientData: [5] },
  { codec: deflate, options: { level: 0 }, clientData: [0] },
  { codec: deflate, options: { level: 'high' }, clientData: [5] },
  { codec: zstd, options: {}, clientData: [3] },
  { codec: zstd, options: { level: 7 }, clientData: [7] },
  { codec: zstd, options: { parameters: [19] }, clientData: [19] },
  { codec: zstd, options: { parameters: [1000] }, clientData: [22] },
  { codec: lz4, options: { level: 7 }, clientData: [] },
  { codec: lz4, options: { parameters: [4096, 1] }, clientData: [4096] },
  { codec: lz4, options: { parameters: ['x'] }, clientData: [] },
  { codec: snappy, options: { level: 7 }, clientData: [] },
  { codec: blosc, options: {}, clientData: [2, 2, 4, 4000, 5, 1, 0] },
  { codec: blosc, options: { level: 9 }, clientData: [2, 2, 4, 4000, 9, 1, 0] },
  { codec: blosc, options: { parameters: [0, 0, 0, 0, 1, 2, 5] }, clientData: [2, 2, 4, 4000, 1, 2, 5] },
  { codec: blosc, options: { parameters: [2, 2, 8, 1, 99, 9, 9] }, clientData: [2, 2, 4, 4000, 9, 2, 0] },
])('client data of filter $codec.id with $options', ({ codec, options, clientData }) => {
  expect(clientDataOf(codec, options as Record<string, JsonValue>)).toEqual(clientData)
})

it('a block of lz4 is stored as HDF5 stores it', async () => {
  const bytes = new Uint8Array(64)
  const encoded = await lz4.encode(bytes, [])
  const [header, blockLength] = [encoded?.subarray(0, 12), encoded?.subarray(12, 16)]
  expect(header && Buffer.from(header).toString('hex')).toBe('000000000000004000000040')
  expect(blockLength && Buffer.from(blockLength).readUInt32BE()).toBe((encoded?.length ?? 0) - 16)
})
