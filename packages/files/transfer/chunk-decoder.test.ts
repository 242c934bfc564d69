import { encodeChunk, type Pipeline } from '@hyperslab/h5/filters'
import { IN_THIS_THREAD } from '@hyperslab/store/chunks'
import { describe, expect, it } from 'vitest'
import { chunkDecoder } from './chunk-decoder.ts'

const DEFLATE: Pipeline = [{ id: 1, clientData: [5] }]
const LZF: Pipeline = [{ id: 32000, clientData: [] }]
const ZSTANDARD: Pipeline = [
  { id: 2, clientData: [4] },
  { id: 32015, clientData: [3] },
]

/** Decodes, and tells which chunks the threads were given; like threads, it takes the memory of a chunk away. */
function setUp() {
  const handedOver: number[] = []
  const decode = chunkDecoder({
    ...IN_THIS_THREAD,
    async decodeNew(pipeline, encoded, length, least) {
      handedOver.push(length)
      const bytes = structuredClone(encoded.bytes, { transfer: [encoded.bytes.buffer as ArrayBuffer] })
      return IN_THIS_THREAD.decodeNew(pipeline, { ...encoded, bytes }, length, least)
    },
  })
  return { handedOver, decode }
}

describe('chunkDecoder', () => {
  it.each([
    ['a small chunk here', LZF, 16_376, false],
    ['a longer one in the threads', LZF, 16_388, true],
    ['one with deflate here, up to a larger size', DEFLATE, 65_528, false],
    ['a longer one with deflate in the threads', DEFLATE, 65_540, true],
    ['one with Zstandard in the threads, however small', ZSTANDARD, 4096, true],
  ])('decodes %s', async (_name, pipeline, length, isHandedOver) => {
    const { handedOver, decode } = setUp()
    const chunk = new Uint8Array(Int32Array.from({ length: length / 4 }, (_, i) => i >> 4).buffer)
    const { bytes, mask } = await encodeChunk(pipeline, chunk)
    // Other chunks are beside it.
    const all = new Uint8Array(bytes.length + 20)
    all.set(bytes, 10)
    const encoded = { bytes: all.subarray(10, 10 + bytes.length), mask }
    expect(Buffer.compare(await decode(pipeline, encoded, length, length), chunk)).toBe(0)
    expect(Buffer.compare(await decode(pipeline, encoded, length + 8, length), chunk)).toBe(0)
    expect(all.length).toBe(bytes.length + 20)
    expect(handedOver.length > 0).toBe(isHandedOver)
  })
})
