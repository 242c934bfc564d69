// Native and portable compressors read each other's streams, and both find damage.

import { describe, expect, it } from 'vitest'
import type { Compressors } from '../../h5/filters/compression/compressors.ts'
import { compressors, decompressLz4 } from '../../h5/filters/compression/installed.ts'
import { PORTABLE } from '../../h5/filters/compression/portable.ts'
import { decompressLz4 as portableLz4 } from '../../h5/filters/compression/portable-lz4.ts'
import { useNativeCodecs } from './native-codecs.ts'

useNativeCodecs()
const NATIVE = compressors()

const BYTES = [0, 1, 5, 1000, 65_537, 3_000_000].map(length =>
  Uint8Array.from({ length }, (_, i) => (i % 7 === 0 ? i >> 5 : 9)),
)

interface Pair {
  readonly from: Compressors
  readonly to: Compressors
}

const PAIRS: readonly (Pair & { readonly name: string })[] = [
  { name: 'native to portable', from: NATIVE, to: PORTABLE },
  { name: 'portable to native', from: PORTABLE, to: NATIVE },
  { name: 'portable to portable', from: PORTABLE, to: PORTABLE },
]

function areSame(first: Uint8Array, second: Uint8Array): boolean {
  return Buffer.compare(first, second) === 0
}

describe.each(PAIRS)('$name', ({ from, to }) => {
  it.each(BYTES)('deflate gives back the bytes', async bytes => {
    for (const level of [0, 1, 9]) {
      const stream = new Uint8Array(await from.deflate(bytes, level))
      expect(areSame(await to.inflate(stream, bytes.length + 1), bytes)).toBe(true)
    }
  })

  it.each(BYTES.slice(1))('LZ4 gives back the bytes', async bytes => {
    const block = new Uint8Array(await from.compressLz4(bytes))
    expect(areSame(await to.decompressLz4(block, bytes.length), bytes)).toBe(true)
  })

  it.each(BYTES)('Zstandard gives back the bytes', async bytes => {
    for (const level of [1, 3, 19]) {
      const frame = new Uint8Array(await from.compressZstd(bytes, level))
      expect(areSame(await to.decompressZstd(frame, bytes.length), bytes)).toBe(true)
    }
  })

  it.each(BYTES.slice(1))('Snappy gives back the bytes', async bytes => {
    const block = new Uint8Array(await from.compressSnappy(bytes))
    expect(areSame(await to.decompressSnappy(block), bytes)).toBe(true)
  })
})

describe.each([
  { name: 'native', used: NATIVE },
  { name: 'portable', used: PORTABLE },
])('$name', ({ used }) => {
  it('rejects a damaged, a short and a too long zlib stream', async () => {
    const stream = new Uint8Array(await NATIVE.deflate(BYTES[3], 5))
    const inflate = async (bytes: Uint8Array, most: number) => used.inflate(bytes, most)
    const end = stream.length - 1
    await expect(inflate(stream.with(end, stream[end] ^ 1), 1000)).rejects.toThrow()
    await expect(inflate(stream.with(0, 0), 1000)).rejects.toThrow()
    await expect(inflate(stream.subarray(0, -5), 1000)).rejects.toThrow()
    await expect(inflate(stream, 999)).rejects.toThrow()
  })

  it('rejects frames of Zstandard that are cut off, or hold more or fewer bytes than they claim', async () => {
    const frame = new Uint8Array(await PORTABLE.compressZstd(BYTES[3], 3))
    const decode = async (bytes: Uint8Array) => used.decompressZstd(bytes, 1000)
    expect(areSame(await decode(frame), BYTES[3])).toBe(true)
    await expect(decode(frame.subarray(0, -1))).rejects.toThrow()
    await expect(decode(frame.subarray(0, 5))).rejects.toThrow()
    await expect(decode(frame.with(0, 0))).rejects.toThrow()
    // Byte 5 is the low one of the length, less 256.
    for (const change of [1, -1]) await expect(decode(frame.with(5, frame[5] + change))).rejects.toThrow()
    await expect(decode(new Uint8Array([...frame, 1, 2, 3]))).rejects.toThrow()
  })

  it('reads a zlib stream with bytes after it', async () => {
    const stream = await NATIVE.deflate(BYTES[3], 5)
    const more = new Uint8Array([...stream, 1, 2, 3])
    expect(areSame(await used.inflate(more, 1000), BYTES[3])).toBe(true)
  })
})

describe('a block of LZ4', () => {
  // Three literals, then a match of six bytes at distance three, then no literals.
  const BLOCK = Uint8Array.of(0x32, 1, 2, 3, 3, 0, 0)

  it('may repeat bytes that it makes, and refer to a dictionary', async () => {
    expect([...portableLz4(BLOCK, 9)]).toEqual([1, 2, 3, 1, 2, 3, 1, 2, 3])
    const far = Uint8Array.of(0x02, 6, 0, 0)
    const dictionary = Uint8Array.of(7, 8, 9, 10, 11, 12)
    expect([...portableLz4(far, 6, dictionary)]).toEqual([7, 8, 9, 10, 11, 12])
    expect([...(await decompressLz4(far, 6, dictionary))]).toEqual([7, 8, 9, 10, 11, 12])
  })

  it.each([
    ['holds more', BLOCK, 8],
    ['holds 9', BLOCK, 10],
    ['is cut off', BLOCK.subarray(0, 5), 9],
    ['is cut off', BLOCK.subarray(0, 3), 9],
    ['before its beginning', BLOCK.with(4, 4), 9],
  ])('%s', (reason, block, length) => {
    expect(() => portableLz4(block, length)).toThrow(reason)
  })
})
