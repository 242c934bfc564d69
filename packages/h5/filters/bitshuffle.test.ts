import type { JsonValue } from '@hyperslab/model/json'
import { describe, expect, it } from 'vitest'
import { bitshuffle } from './bitshuffle.ts'
import type { ClientData } from './filter.ts'

const VERSION = [0, 4]

function bytes(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex.replaceAll(' ', ''), 'hex'))
}

/** Small little-endian numbers. */
function numbers(count: number, size: number): Uint8Array {
  return Uint8Array.from({ length: count * size }, (_, i) => (i % size === 0 ? (i / size) * 7 : 0))
}

async function encode(chunk: Uint8Array, clientData: ClientData): Promise<Uint8Array> {
  const encoded = await bitshuffle.encode(chunk, clientData)
  if (!encoded) throw new Error('the chunk was refused')
  return encoded
}

/** Bit by bit: bit k of byte j of element i is bit i % 8 of byte i / 8 of row 8j + k. */
function naive(chunk: Uint8Array, size: number, blockCount: number): Uint8Array {
  const result = chunk.slice()
  const shuffled = Math.floor(chunk.length / size / 8) * 8
  for (let first = 0; first < shuffled; first += blockCount) {
    const count = Math.min(blockCount, shuffled - first)
    result.fill(0, first * size, (first + count) * size)
    for (let bit = 0; bit < count * size * 8; bit++) {
      const element = Math.floor(bit / size / 8)
      const row = bit % (size * 8)
      const value = (chunk[(first + element) * size + (row >> 3)] >> (row & 7)) & 1
      result[first * size + row * (count / 8) + (element >> 3)] |= value << (element & 7)
    }
  }
  return result
}

describe('bitshuffle', () => {
  it('is what libhdf5 stores', async () => {
    const chunk = bytes('00010203 04050607 08090a0b 0c0d0e0f 10')
    const encoded = bytes('aaccf00000000000 aaccf0ff00000000 10')
    expect(await encode(chunk, [...VERSION, 1, 8])).toEqual(encoded)
    expect(await bitshuffle.decode(encoded, [...VERSION, 1, 8], 17)).toEqual(chunk)
  })

  it('with LZ4 is what libhdf5 stores', async () => {
    const encoded = bytes(
      '0000000000000046 00000020 00000012 9eaaaaccccf0f000ff000100500000000000' +
        ' 00000014 bcaaaaccccf0f000ffffff00010050000000000020002100 2200',
    )
    const chunk = Uint8Array.from({ length: 70 }, (_, i) => (i % 2 === 0 ? i / 2 : 0))
    expect(await bitshuffle.decode(encoded, [0, 3, 2, 16, 2], 70)).toEqual(chunk)
  })

  it.each([1, 2, 3, 4, 8, 12])('moves elements of %i bytes there and back', async size => {
    for (const count of [0, 1, 7, 8, 9, 16, 100, 1037]) {
      const chunk = Uint8Array.from({ length: count * size + 1 }, (_, i) => (i * 7919) >> 3).subarray(1)
      for (const blockCount of [8, 24, 0]) {
        const clientData = [...VERSION, size, blockCount]
        const expected = naive(chunk, size, blockCount || Math.max(Math.floor(1024 / size) * 8, 128))
        const encoded = await encode(chunk, clientData)
        const what = `${count} elements in blocks of ${blockCount}`
        expect(Buffer.compare(encoded, expected), what).toBe(0)
        const decoded = await bitshuffle.decode(encoded, clientData, chunk.length)
        expect(Buffer.compare(decoded, chunk), what).toBe(0)
      }
    }
  })

  it.each([
    ['LZ4', 2],
    ['Zstandard', 3],
  ])('makes a chunk shorter with %s', async (_name, compressor) => {
    for (const [count, size] of [
      [100, 2],
      [5003, 4],
      [3000, 8],
    ]) {
      for (const blockCount of [0, 64]) {
        const chunk = numbers(count, size)
        const clientData = [...VERSION, size, blockCount, compressor]
        const encoded = await encode(chunk, clientData)
        expect(encoded.length).toBeLessThan(chunk.length)
        const decoded = await bitshuffle.decode(encoded, clientData, chunk.length)
        expect(Buffer.compare(decoded, chunk)).toBe(0)
      }
    }
  })

  it('leaves a chunk that a compressor does not make shorter, or that is not of whole elements', async () => {
    expect(await bitshuffle.encode(bytes('0102030405060708'), [...VERSION, 1, 0, 2])).toBeUndefined()
    expect(await bitshuffle.encode(bytes('010203'), [...VERSION, 2])).toBeUndefined()
  })

  it.each([
    [undefined, [0, 4, 4]],
    [[], [0, 4, 4]],
    [[16], [0, 4, 4, 16]],
    [
      [0, 2],
      [0, 4, 4, 0, 2],
    ],
    [
      [0, 3, 9],
      [0, 4, 4, 0, 3, 9],
    ],
    [
      [0, 4, 4],
      [0, 4, 4],
    ],
    [
      [0, 4, 4, 32, 2],
      [0, 4, 4, 32, 2],
    ],
    [
      [12, 2],
      [0, 4, 4],
    ],
    [
      [0, 7],
      [0, 4, 4],
    ],
    ['lz4', [0, 4, 4]],
  ] as [JsonValue | undefined, number[]][])(
    'with parameters %j has client data %j',
    (parameters, expected) => {
      const options = new Map(parameters === undefined ? [] : [['parameters', parameters]])
      const type = { class: 'H5T_FLOAT', size: 4, order: 'LE' } as const
      expect(bitshuffle.clientData(options, { type, elementSize: 4, chunkDims: [9] })).toEqual(expected)
    },
  )

  it.each([
    ['no size of elements', [], '00', 'an element size of at least 1'],
    ['a compressor that does not exist', [0, 4, 4, 0, 4], '00', 'with compressor 4'],
    [
      'blocks of 12 elements',
      [0, 4, 4, 12],
      '00',
      'must be 8 elements of 4 bytes or a multiple of that, not 48 bytes',
    ],
    ['parts of elements', [0, 4, 4], '0000', '2 bytes is not a multiple of the element size 4'],
    ['no header', [0, 4, 2, 0, 2], '00', '1 bytes are too few for the header'],
    ['a length beyond the chunk', [0, 4, 2, 0, 2], '0000000000000066 00000020', 'claims 102 bytes'],
    ['a length beyond reason', [0, 4, 2, 0, 2], 'ffffffffffffffff 00000020', 'claims 18446744073709552000'],
    [
      'blocks of no bytes',
      [0, 4, 2, 0, 2],
      '0000000000000040 00000000',
      'must be 8 elements of 2 bytes or a multiple of that, not 0 bytes',
    ],
    ['no block', [0, 4, 2, 0, 2], '0000000000000040 00000020 0000', 'no block at byte 12'],
    [
      'half a block',
      [0, 4, 2, 0, 2],
      '0000000000000040 00000020 00000009 00',
      'the block at byte 12 is cut off',
    ],
    ['no last elements', [0, 4, 2, 0, 2], '0000000000000002 00000020 00', 'the last elements are cut off'],
  ])('refuses %s', async (_what, clientData, encoded, message) => {
    await expect(async () => bitshuffle.decode(bytes(encoded), clientData, 100)).rejects.toThrow(message)
  })
})
