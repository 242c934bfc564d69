import { deflateSync } from 'node:zlib'
import type { Filter } from '@hyperslab/model/dataset'
import type { Datatype } from '@hyperslab/model/datatype'
import type { JsonValue } from '@hyperslab/model/json'
import { describe, expect, it } from 'vitest'
import {
  decodeChunk,
  type EncodedChunk,
  encodeChunk,
  type Pipeline,
  pipelineOf,
  unavailableFilter,
} from './pipeline.ts'

const INT32: Datatype = { class: 'H5T_INTEGER', size: 4, signed: true, order: 'LE' }
const UNKNOWN = 65000
const FORM = { type: INT32, elementSize: 4, chunkDims: [100_000] }
/** Long enough that its deflated form can be deflated again. */
const ZEROS = new Uint8Array(400_000)
const NOISE = Uint8Array.from({ length: 4000 }, (_, i) => (i * i * 7919) >> 3)

function filter(id: number, options: Record<string, JsonValue> = {}): Filter {
  return { id, json: new Map(Object.entries({ id, ...options })) }
}

function pipelineFor(...filters: Filter[]) {
  const pipeline = pipelineOf(filters, FORM)
  if (!pipeline) throw new Error('no filter can be applied')
  return pipeline
}

async function expectBack(pipeline: Pipeline, encoded: EncodedChunk): Promise<void> {
  expect(Buffer.compare(await decodeChunk(pipeline, encoded, ZEROS.length), ZEROS)).toBe(0)
}

describe('a pipeline', () => {
  it('is applied in order and undone in reverse', async () => {
    const pipeline = pipelineFor(filter(1, { level: 9 }), filter(1, { level: 1 }))
    const encoded = await encodeChunk(pipeline, ZEROS)
    expect(encoded.mask).toBe(0b00)
    await expectBack(pipeline, encoded)
  })

  it.each([
    ['the checksum', filter(3)],
    ['bitshuffle', filter(32008)],
  ])('decodes %s of a Buffer at any offset, which stays as it is', async (_what, single) => {
    const pipeline = pipelineFor(single)
    const { bytes, mask } = await encodeChunk(pipeline, NOISE)
    const file = Buffer.concat([Buffer.alloc(1), bytes])
    expect(await decodeChunk(pipeline, { bytes: file.subarray(1), mask }, NOISE.length)).toEqual(NOISE)
    expect(Buffer.compare(file.subarray(1), bytes)).toBe(0)
  })

  it.each([
    { mask: 0b00, order: [2, 2] },
    { mask: 0b01, order: [2, 2] },
    { mask: 0b10, order: [2, 2] },
    { mask: 0b00, order: [2, 1] },
  ])('is undone in memory of the caller: filters $order with the mask $mask', async ({ mask, order }) => {
    const pipeline = pipelineFor(...order.map(id => filter(id)))
    const bytes = NOISE.map((_, i) => i >> 4)
    let encoded = bytes
    for (const [i, step] of pipeline.entries()) {
      if ((mask >>> i) & 1) continue
      encoded = new Uint8Array((await encodeChunk([step], encoded)).bytes)
    }
    const into = new Uint8Array(bytes.length)
    const decoded = await decodeChunk(pipeline, { bytes: encoded, mask }, bytes.length, bytes.length, into)
    expect(decoded).toEqual(bytes)
    expect(decoded.buffer).toBe(into.buffer)
  })

  it('skips a filter that gains nothing, and says so in the mask', async () => {
    const once = new Uint8Array(deflateSync(NOISE))
    const pipeline = pipelineFor(filter(1))
    const encoded = await encodeChunk(pipeline, once)
    expect(encoded).toEqual({ bytes: once, mask: 0b1 })
    expect(await decodeChunk(pipeline, encoded, once.length)).toEqual(once)
  })

  it('keeps the place of a filter that is not available', async () => {
    const pipeline = pipelineFor(filter(UNKNOWN), filter(1))
    const encoded = await encodeChunk(pipeline, ZEROS)
    expect(encoded.mask).toBe(0b01)
    await expectBack(pipeline, encoded)
  })

  it('is none when no filter can be applied', () => {
    expect(pipelineOf([], FORM)).toBeUndefined()
    const text: Datatype = {
      class: 'H5T_STRING',
      length: 'H5T_VARIABLE',
      charSet: 'H5T_CSET_UTF8',
      strPad: 'H5T_STR_NULLTERM',
    }
    expect(pipelineOf([filter(UNKNOWN), filter(2)], { ...FORM, type: text })).toBeUndefined()
  })

  it('undoes nothing of filters that only make numbers less precise, and does not apply them', async () => {
    const pipeline =
      pipelineOf(
        [32022, 32023, 37373, 1].map(id => filter(id, { parameters: [3, 4] })),
        FORM,
      ) ?? []
    expect(pipeline.slice(0, 3).map(({ clientData }) => clientData)).toEqual([
      [3, 4],
      [3, 4],
      [3, 4],
    ])
    const encoded = await encodeChunk(pipeline, ZEROS)
    expect(encoded.mask).toBe(0b0111)
    expect(await decodeChunk(pipeline, { ...encoded, mask: 0 }, ZEROS.length)).toEqual(ZEROS)
    await expectBack(pipeline, encoded)
  })

  it('says through which filter that is not available a chunk went elsewhere', async () => {
    const pipeline = pipelineFor(filter(2), filter(UNKNOWN), filter(1))
    expect([0b010, 0b101, 0].map(mask => unavailableFilter(pipeline, mask))).toEqual([
      undefined,
      UNKNOWN,
      UNKNOWN,
    ])
    await expect(decodeChunk(pipeline, { bytes: NOISE, mask: 0 }, 10)).rejects.toThrow(`filter ${UNKNOWN}`)
    const encoded = await encodeChunk(pipelineFor(filter(UNKNOWN)), NOISE)
    expect(encoded).toEqual({ bytes: NOISE, mask: 1 })
  })

  it('leaves a chunk alone that a lossy filter would change', async () => {
    const float: Datatype = { class: 'H5T_FLOAT', size: 8, order: 'LE' }
    const form = { type: float, elementSize: 8, chunkDims: [1000] }
    const pipeline = pipelineOf([filter(6, { scaleOffset: 1 })], form)
    if (!pipeline) throw new Error('scale-offset cannot be applied')
    const halves = new Uint8Array(Float64Array.from({ length: 1000 }, (_, i) => i / 2).buffer)
    const thirds = new Uint8Array(Float64Array.from({ length: 1000 }, (_, i) => i / 3).buffer)
    const encoded = await encodeChunk(pipeline, halves)
    expect(encoded.mask).toBe(0)
    expect(encoded.bytes.length).toBeLessThan(halves.length / 2)
    expect(await decodeChunk(pipeline, encoded, halves.length)).toEqual(halves)
    expect(await encodeChunk(pipeline, thirds)).toEqual({ bytes: thirds, mask: 1 })
  })

  it('has no more filters than the mask has bits', async () => {
    const pipeline = pipelineFor(...Array.from({ length: 40 }, () => filter(1)))
    expect(pipeline.length).toBe(32)
    const encoded = await encodeChunk(pipeline, ZEROS)
    expect(encoded.mask).toBeLessThan(2 ** 32)
    await expectBack(pipeline, encoded)
  })
})

describe('a damaged chunk', () => {
  const pipeline = pipelineFor(filter(1))

  it.each([
    ['bytes that are no stream', NOISE, 'filter 1 cannot decode it'],
    ['a stream that ends early', deflateSync(ZEROS).subarray(0, 20), 'filter 1 cannot decode it'],
    ['a stream that is far too long', deflateSync(new Uint8Array(2 ** 24)), 'filter 1 cannot decode it'],
    ['a stream that is too short', deflateSync(ZEROS.subarray(1)), 'it has 399999 bytes instead of 400000'],
  ])('%s', async (_, bytes, message) => {
    await expect(decodeChunk(pipeline, { bytes, mask: 0 }, ZEROS.length)).rejects.toThrow(message)
  })

  it('a filter that this release does not have', async () => {
    const other = pipelineFor(filter(UNKNOWN), filter(1))
    await expect(decodeChunk(other, { bytes: ZEROS, mask: 0b10 }, ZEROS.length)).rejects.toThrow(
      `filter ${UNKNOWN}, which is not available`,
    )
  })
})
