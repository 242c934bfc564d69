import { describe, expect, it } from 'vitest'
import { boundedDecoder } from './bounded-decoder.ts'

const MIB = 2 ** 20

/** Decodes nothing; remembers how many bytes were being decoded at most. */
function counting(fileSize?: number) {
  let now = 0
  let most = 0
  const decode = boundedDecoder(async (_pipeline, _chunk, length) => {
    now += length
    most = Math.max(most, now)
    await new Promise(resolve => setImmediate(resolve))
    now -= length
    return new Uint8Array(0)
  }, fileSize)
  const run = (encoded: number, length: number) =>
    decode([], { bytes: new Uint8Array(encoded), mask: 0 }, length, length)
  return { run, most: () => most }
}

describe('boundedDecoder', () => {
  it.each([
    [10, 16 * MIB, true],
    [10, 16 * MIB + 1, false],
    [MIB, 32 * MIB, true],
    [MIB, 32 * MIB + 1, false],
  ])('of a chunk of %d bytes that become %d: %s', async (encoded, length, isDecoded) => {
    const decoded = counting().run(encoded, length)
    if (isDecoded) await decoded
    else await expect(decoded).rejects.toThrow('32 times the stored length')
  })

  it('bounds what all chunks of a file become', async () => {
    const { run } = counting()
    // 128 MiB, and 512 bytes for each byte of the file.
    for (let chunk = 0; chunk < 62; chunk++) await run(4000, 4 * MIB)
    await expect(run(4000, 4 * MIB)).rejects.toThrow('512 times the stored length')
  })

  it('bounds what chunks become that datasets share', async () => {
    const { run } = counting(4000)
    // 128 MiB, and 512 bytes for each byte of the file, four times.
    for (let chunk = 0; chunk < 33; chunk++) await run(4000, 4 * MIB)
    await expect(run(4000, 4 * MIB)).rejects.toThrow('512 times the stored length')
  })

  it('decodes large chunks one after another, and small ones beside each other', async () => {
    const large = counting()
    await Promise.all([1, 2, 3].map(() => large.run(MIB, 20 * MIB)))
    expect(large.most()).toBe(20 * MIB)
    const small = counting()
    await Promise.all(Array.from({ length: 20 }, () => small.run(MIB, MIB)))
    expect(small.most()).toBe(2 * MIB)
  })
})
