import { describe, expect, it } from 'vitest'
import { fletcher32 } from './fletcher32.ts'

function bytes(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'))
}

/** Word by word, big-endian, as the algorithm is published. */
function naive(data: Uint8Array): string {
  let first = 0
  let second = 0
  for (let i = 0; i < data.length; i += 2) {
    first += data[i] * 256 + (data[i + 1] ?? 0)
    while (first > 0xffff) first -= 0xffff
    second += first
    while (second > 0xffff) second -= 0xffff
  }
  const sum = Buffer.alloc(4)
  sum.writeUInt32LE(second * 2 ** 16 + first)
  return sum.toString('hex')
}

describe('fletcher32', () => {
  it.each([
    ['', '00000000'],
    ['6162636465666768', '9591ebe1'],
    ['6162636465', 'c729f04f'],
    ['ffffffff', 'ffffffff'],
    ['00000000', '00000000'],
  ])('adds to %j the checksum that libhdf5 adds: %s', async (data, sum) => {
    const encoded = await fletcher32.encode(bytes(data), [])
    expect(Buffer.from(encoded ?? []).toString('hex')).toBe(data + sum)
    expect(await fletcher32.decode(bytes(data + sum), [], 8)).toEqual(bytes(data))
  })

  it('adds it to bytes of any length, wherever they begin', async () => {
    const noise = Uint8Array.from({ length: 5000 }, (_, i) => 255 - ((i * i) % 7))
    for (const length of [1, 2, 719, 720, 721, 722, 1440, 4999]) {
      for (const offset of [0, 1]) {
        const data = noise.subarray(offset, offset + length)
        const encoded = (await fletcher32.encode(data, [])) ?? new Uint8Array()
        expect(Buffer.from(encoded.subarray(length)).toString('hex')).toBe(naive(data))
        expect(await fletcher32.decode(encoded, [], length)).toEqual(data)
      }
    }
  })

  it('knows the sum with swapped halves of old files', async () => {
    expect(await fletcher32.decode(bytes('61626364656667689195e1eb'), [], 8)).toEqual(
      bytes('6162636465666768'),
    )
  })

  it.each([
    ['61626364656667699591ebe1', 'not e1eb9195 as stored'],
    ['61626364656667689591ebe2', 'not e2eb9195 as stored'],
    ['959100', '3 bytes are too few for a checksum'],
  ])('refuses %s', (stored, message) => {
    expect(() => fletcher32.decode(bytes(stored), [], 8)).toThrow(message)
  })
})
