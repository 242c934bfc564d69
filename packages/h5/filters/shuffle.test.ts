import { describe, expect, it } from 'vitest'
import { shuffle } from './shuffle.ts'

/** Not zero anywhere, so that a byte that is left out shows. */
function pattern(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => 1 + ((i * 7919) % 255))
}

function naive(bytes: Uint8Array, size: number): Uint8Array {
  const count = Math.floor(bytes.length / size)
  const result = bytes.slice()
  for (let i = 0; i < count; i++) {
    for (let plane = 0; plane < size; plane++) result[plane * count + i] = bytes[i * size + plane]
  }
  return result
}

async function roundTrip(bytes: Uint8Array, size: number) {
  const encoded = await shuffle.encode(bytes, [size])
  if (!encoded) throw new Error('shuffle was refused')
  return { encoded, decoded: await shuffle.decode(encoded, [size], bytes.length) }
}

describe('shuffle', () => {
  it('puts all first bytes first, then all second bytes', async () => {
    const { encoded } = await roundTrip(Uint8Array.of(0x01, 0x02, 0x03, 0x11, 0x12, 0x13), 3)
    expect([...encoded]).toEqual([0x01, 0x11, 0x02, 0x12, 0x03, 0x13])
  })

  it('leaves bytes that make no whole element at the end', async () => {
    const { encoded } = await roundTrip(Uint8Array.of(1, 2, 3, 4, 5), 2)
    expect([...encoded]).toEqual([1, 3, 2, 4, 5])
  })

  it.each([1, 2, 3, 4, 5, 6, 8, 12, 16, 33, 48])('moves elements of %i bytes there and back', async size => {
    for (const count of [0, 1, 2, 3, 4, 5, 8, 12, 100, 101]) {
      for (const rest of [0, size - 1]) {
        for (const offset of [0, 1, 4]) {
          const bytes = pattern(offset + count * size + rest).subarray(offset)
          const before = bytes.slice()
          const { encoded, decoded } = await roundTrip(bytes, size)
          const what = `${count} elements and ${rest} bytes, at ${offset}`
          expect(Buffer.compare(encoded, naive(bytes, size)), what).toBe(0)
          expect(Buffer.compare(decoded, before), what).toBe(0)
          expect(Buffer.compare(bytes, before), what).toBe(0)
        }
      }
    }
  })

  it.each([
    { length: 20, offset: 0, isUsed: true },
    { length: 20, offset: 1, isUsed: false },
    { length: 24, offset: 0, isUsed: false },
    { length: 16, offset: 0, isUsed: false },
  ])('is undone in memory of the caller that is as long ($length bytes at $offset)', async options => {
    const { length, offset, isUsed } = options
    const bytes = pattern(20)
    const encoded = naive(bytes, 4)
    const into = new Uint8Array(offset + length).subarray(offset)
    const decoded = await shuffle.decode(encoded, [4], 20, into)
    expect([...decoded]).toEqual([...bytes])
    expect(decoded.buffer === into.buffer).toBe(isUsed)
    if (!isUsed) expect(into.every(byte => byte === 0)).toBe(true)
  })

  it('has the size of an element as client data', () => {
    const type = { class: 'H5T_OPAQUE', size: 5 } as const
    expect(shuffle.clientData(new Map(), { type, elementSize: 5, chunkDims: [2] })).toEqual([5])
  })

  it.each([{ clientData: [] }, { clientData: [0] }])('refuses $clientData', ({ clientData }) => {
    expect(() => shuffle.decode(pattern(8), clientData, 8)).toThrow('shuffle of elements of')
  })
})
