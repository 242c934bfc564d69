import { compressSync } from 'lz4-napi'
import { describe, expect, it } from 'vitest'
import { openChunk } from './blosc2-chunk.ts'
import { shuffleBytes } from './shuffle.ts'

const SIZE = 4
const LZ4_IN_ONE_STREAM = 1 | 4 | 16 | (1 << 5)
const HEADER_LENGTH = 32
const [SHUFFLE, BYTE_DELTA] = [1, 35]

interface Parts {
  /** The blocks as they are compressed. */
  readonly blocks: readonly Uint8Array[]
  /** Filters with their parameters, in the last slots. */
  readonly filters: readonly (readonly [id: number, parameter: number])[]
  readonly dictionary?: Uint8Array
}

/** A chunk as README_CHUNK_FORMAT.rst describes it. */
function chunkOf({ blocks, filters, dictionary }: Parts): Uint8Array {
  const length = blocks.reduce((sum, block) => sum + block.length, 0)
  const head = Buffer.alloc(HEADER_LENGTH + 4 * blocks.length)
  head.set([5, 1, LZ4_IN_ONE_STREAM, SIZE])
  for (const [i, [id, parameter]] of filters.entries()) {
    head[16 + 6 - filters.length + i] = id
    head[24 + 6 - filters.length + i] = parameter
  }
  head[31] = dictionary ? 1 : 0
  const pieces: Uint8Array[] = [head]
  let position = head.length
  const add = (bytes: Uint8Array) => {
    const before = Buffer.alloc(4)
    before.writeUInt32LE(bytes.length)
    pieces.push(before, bytes)
    position += 4 + bytes.length
  }
  if (dictionary) add(dictionary)
  for (const [i, block] of blocks.entries()) {
    head.writeUInt32LE(position, HEADER_LENGTH + 4 * i)
    add(compressSync(Buffer.from(block), dictionary && Buffer.from(dictionary)).subarray(4))
  }
  head.writeUInt32LE(length, 4)
  head.writeUInt32LE(blocks[0].length, 8)
  head.writeUInt32LE(position, 12)
  return Buffer.concat(pieces)
}

/** Numbers whose bytes of equal significance change little. */
const NUMBERS = new Uint8Array(Int32Array.from({ length: 100 }, (_, i) => 70_000 + 3 * i).buffer)

/** The differences of the bytes in each of the streams. */
function differences(bytes: Uint8Array, streams: number): Uint8Array {
  const length = bytes.length / streams
  return bytes.map((byte, i) => (i % length === 0 ? byte : byte - bytes[i - 1]))
}

describe('a chunk of Blosc 2', () => {
  it.each([0, SIZE])(
    'with bytes as differences, of which the parameter is %s, is undone',
    async parameter => {
      const blocks = [differences(shuffleBytes(NUMBERS, SIZE), SIZE)]
      const filters = [[SHUFFLE, 0] as const, [BYTE_DELTA, parameter] as const]
      const chunk = openChunk(chunkOf({ blocks, filters }), NUMBERS.length)
      expect(await chunk.block(0)).toEqual(NUMBERS)
    },
  )

  it('with a dictionary of LZ4 is decompressed with it', async () => {
    const dictionary = NUMBERS.subarray(0, 300)
    const blocks = [NUMBERS.subarray(0, 200), NUMBERS.subarray(100, 300)]
    const stored = chunkOf({ blocks, filters: [], dictionary })
    expect(stored.length).toBeLessThan(HEADER_LENGTH + dictionary.length + 100)
    const chunk = openChunk(stored, 200)
    for (const [i, block] of blocks.entries()) expect(await chunk.block(i)).toEqual(new Uint8Array(block))
    for (let length = HEADER_LENGTH; length < stored.length; length++) {
      const read = async () => openChunk(stored.subarray(0, length), 200).block(1)
      await expect(read()).rejects.toThrow()
    }
  })
})
