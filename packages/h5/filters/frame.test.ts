// Frames against the decoder of Blosc, and against the library c-blosc where Python finds it.

import { spawnSync } from 'node:child_process'
import type { Datatype } from '@hyperslab/model/datatype'
import type { JsonValue } from '@hyperslab/model/json'
import { describe, expect, it } from 'vitest'
import { blosc, NOT_SPLIT, STORED } from './blosc.ts'
import { codecOf } from './codecs.ts'
import { frameBlocks, plainHead, planFrame } from './frame.ts'
import { decodeChunk, type EncodedChunk, encodeChunk, type Pipeline, pipelineOf } from './pipeline.ts'

const TYPES: Readonly<Record<number, Datatype>> = Object.fromEntries(
  [1, 2, 4, 8].map(size => [size, { class: 'H5T_INTEGER', size, signed: true, order: 'LE' } as Datatype]),
)

type Options = Record<string, JsonValue>

function pipelineFor(
  length: number,
  size: number,
  filters: readonly (readonly [number, Options?])[],
): Pipeline {
  const type = TYPES[size] ?? { class: 'H5T_OPAQUE', size, tag: '' }
  const list = filters.map(([id, options = {}]) => ({
    id,
    json: new Map(Object.entries({ id, ...options })),
  }))
  const pipeline = pipelineOf(list, { type, elementSize: size, chunkDims: [length / size] })
  if (!pipeline) throw new Error('no filter can be applied')
  return pipeline
}

/** Values that compress. */
function counting(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => (i % 4 === 0 ? (i >> 4) & 255 : 0))
}

/** Values that do not. */
function noise(length: number): Uint8Array {
  let state = 12345
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return state >>> 24
  })
}

type Way = 'as-stored' | 'blocks' | 'decoded'

/** The frame, and how it was made. */
async function frameOf(
  pipeline: Pipeline,
  encoded: EncodedChunk,
  length: number,
): Promise<[Way, Uint8Array]> {
  const { bytes, mask } = encoded
  const plan = planFrame(pipeline, mask, { stored: bytes.length, chunk: length })
  if (plan.kind === 'as-stored')
    return [plan.kind, Buffer.concat([plan.head, bytes.subarray(0, plan.length)])]
  if (plan.kind === 'blocks') return [plan.kind, await frameBlocks(pipeline, encoded, length)]
  return [plan.kind, Buffer.concat([plainHead(length), await decodeChunk(pipeline, encoded, length)])]
}

/** The bytes that c-blosc decodes from frames; undefined: it is not installed here. */
function decodeByLibrary(frames: readonly Uint8Array[]): readonly string[] | undefined {
  const program = `
import sys, json, base64, ctypes
try: lib = ctypes.CDLL('libblosc.so.1')
except OSError: sys.exit(77)
lib.blosc_init()
answers = []
for text in json.load(sys.stdin):
    frame = base64.b64decode(text)
    length = int.from_bytes(frame[4:8], 'little')
    into = ctypes.create_string_buffer(length)
    got = lib.blosc_decompress(frame, into, ctypes.c_size_t(length))
    answers.append(base64.b64encode(into.raw).decode() if got == length else 'error %d' % got)
print(json.dumps(answers))`
  const input = JSON.stringify(frames.map(frame => Buffer.from(frame).toString('base64')))
  const { status, stdout } = spawnSync('python3', ['-c', program], { input, maxBuffer: 2 ** 28 })
  return status === 0 ? JSON.parse(String(stdout)) : undefined
}

const seen: { readonly name: string; readonly frame: Uint8Array; readonly chunk: Uint8Array }[] = []

async function expectFrame(
  name: string,
  pipeline: Pipeline,
  encoded: EncodedChunk,
  chunk: Uint8Array,
): Promise<Way> {
  const [way, frame] = await frameOf(pipeline, encoded, chunk.length)
  expect(Buffer.from(frame).readUInt32LE(12)).toBe(frame.length)
  const decoded = await blosc.decode(Uint8Array.from(frame), [], chunk.length)
  expect(Buffer.compare(decoded, chunk), name).toBe(0)
  seen.push({ name, frame, chunk })
  return way
}

const BITSHUFFLE_LZ4: Options = { parameters: [0, 2] }
const BITSHUFFLE_ZSTD: Options = { parameters: [0, 3] }

/** Each row of filters, by what is made of a chunk that compresses. */
const ROWS: readonly (readonly [
  name: string,
  filters: readonly (readonly [number, Options?])[],
  way: Way,
])[] = [
  ['deflate', [[1]], 'as-stored'],
  ['shuffle, deflate', [[2], [1]], 'as-stored'],
  ['Zstandard', [[32015]], 'as-stored'],
  ['shuffle, Zstandard', [[2], [32015]], 'as-stored'],
  ['shuffle', [[2]], 'as-stored'],
  ['checksum', [[3]], 'as-stored'],
  ['shuffle, deflate, checksum', [[2], [1], [3]], 'as-stored'],
  ['LZ4', [[32004]], 'blocks'],
  ['LZ4 in blocks', [[32004, { parameters: [1000] }]], 'blocks'],
  ['shuffle, LZ4', [[2], [32004]], 'blocks'],
  ['shuffle, LZ4 in blocks', [[2], [32004, { parameters: [1000] }]], 'blocks'],
  ['lz4hc', [[32005]], 'blocks'],
  ['bitshuffle, LZ4', [[32008, BITSHUFFLE_LZ4]], 'blocks'],
  ['bitshuffle, Zstandard', [[32008, BITSHUFFLE_ZSTD]], 'blocks'],
  ['bitshuffle, LZ4, checksum', [[32008, BITSHUFFLE_LZ4], [3]], 'blocks'],
  ['Blosc', [[32001]], 'blocks'],
  ['Blosc, Zstandard', [[32001, { parameters: [2, 2, 4, 0, 5, 2, 5] }]], 'blocks'],
  ['Blosc, Snappy', [[32001, { parameters: [2, 2, 4, 0, 5, 1, 3] }]], 'decoded'],
  ['checksum, deflate', [[3], [1]], 'decoded'],
  ['LZF', [[32000]], 'decoded'],
  ['bitshuffle', [[32008]], 'decoded'],
  ['shuffle, Blosc', [[2], [32001]], 'decoded'],
  ['two compressors', [[1], [32015]], 'decoded'],
  ['shuffle twice', [[2], [2], [1]], 'decoded'],
]

/** Lengths: whole blocks of bitshuffle and more, with up to seven elements behind the last, and fewer than eight. */
const COUNTS = [8192, 2048 + 8, 2048 + 13, 5000, 7, 1]

describe('a frame', () => {
  it.each(ROWS)('of a chunk with %s holds its elements', async (name, filters, way) => {
    for (const size of [1, 2, 4, 8]) {
      for (const count of COUNTS) {
        for (const chunk of [counting(count * size), noise(count * size)]) {
          const pipeline = pipelineFor(chunk.length, size, filters)
          const encoded = await encodeChunk(pipeline, chunk)
          const done = await expectFrame(`${name}, ${count} of ${size}`, pipeline, encoded, chunk)
          if (encoded.mask === 0 && count === 8192 && size === 4) expect(done).toBe(way)
        }
      }
    }
  })

  it('says for every mask which filters the chunk went through', async () => {
    const chunk = counting(8192)
    const pipeline = pipelineFor(chunk.length, 4, [[2], [1], [3]])
    for (let mask = 0; mask < 8; mask++) {
      let bytes = chunk
      for (const [i, { id, clientData = [] }] of pipeline.entries()) {
        if ((mask >> i) & 1) continue
        bytes = Uint8Array.from((await codecOf(id)?.encode(bytes, clientData)) ?? bytes)
      }
      expect(await expectFrame(`mask ${mask}`, pipeline, { bytes, mask }, chunk)).toBe('as-stored')
    }
  })

  it('of a stream that is as long as its block, or longer, is plain', async () => {
    const chunk = noise(4096)
    for (const filters of [[[1]], [[2], [1]], [[32015]]] as const) {
      const pipeline = pipelineFor(chunk.length, 4, filters)
      let bytes: Uint8Array = chunk
      for (const { id, clientData = [] } of pipeline) {
        bytes = id === 1 ? storedDeflate(bytes) : await encoded(id, bytes, clientData)
      }
      expect(bytes.length).toBeGreaterThanOrEqual(chunk.length)
      expect(await expectFrame('long stream', pipeline, { bytes, mask: 0 }, chunk)).toBe('decoded')
    }
  })

  it('of elements of more than 255 bytes is plain where they were shuffled', async () => {
    const chunk = counting(300 * 40)
    const rows = [
      ['decoded', [[2], [1]]],
      ['as-stored', [[1]]],
      ['decoded', [[32008, BITSHUFFLE_LZ4]]],
    ] as const
    for (const [way, filters] of rows) {
      const pipeline = pipelineFor(chunk.length, 300, filters)
      expect(await expectFrame('long', pipeline, await encodeChunk(pipeline, chunk), chunk)).toBe(way)
    }
  })

  it('is read by c-blosc', () => {
    const answers = decodeByLibrary(seen.map(({ frame }) => frame))
    if (!answers) {
      console.warn('SKIPPED: frames against c-blosc: there is no Python with libblosc1 (Debian) here')
      return
    }
    expect(answers.length).toBeGreaterThan(500)
    for (const [i, { name, chunk, frame }] of seen.entries()) {
      // Builds may lack Snappy: no frame has it.
      expect(frame[2] >> 5, name).not.toBe(2)
      expect(answers[i], `${name}, frame ${i}`).toBe(Buffer.from(chunk).toString('base64'))
    }
  })

  it.each<[string, number, Options, (bytes: Buffer) => Uint8Array]>([
    ['a length of the chunk', 32004, {}, bytes => with32(bytes, 4, 1234)],
    ['blocks of nothing', 32004, {}, bytes => with32(bytes, 8, 0)],
    ['a block behind its end', 32004, {}, bytes => with32(bytes, 12, 2 ** 31)],
    ['an end within its header', 32004, {}, bytes => bytes.subarray(0, 11)],
    ['a length of the chunk', 32008, BITSHUFFLE_LZ4, bytes => with32(bytes, 4, 1234)],
    ['blocks of half elements', 32008, BITSHUFFLE_LZ4, bytes => with32(bytes, 8, 1001)],
    ['a block behind its end', 32008, BITSHUFFLE_ZSTD, bytes => with32(bytes, 12, 2 ** 31)],
    ['a missing end', 32008, BITSHUFFLE_LZ4, bytes => bytes.subarray(0, bytes.length - 1)],
    ['a length of the chunk', 32001, {}, bytes => with32(bytes, 7, 0x01000000)],
    ['an end behind its end', 32001, {}, bytes => with32(bytes, 15, 0x70000000)],
  ])('is not made of a chunk that claims %s (filter %d)', async (_, id, options, damage) => {
    const chunk = counting(8192 + 12)
    const pipeline = pipelineFor(chunk.length, 4, [[id, options]])
    const { bytes, mask } = await encodeChunk(pipeline, chunk)
    const damaged = Uint8Array.from(damage(Buffer.from(bytes)))
    await expect(frameOf(pipeline, { bytes: damaged, mask }, chunk.length)).rejects.toThrow(
      /bytes|blocks|ends/,
    )
  })

  it('is not made of a plain chunk of another length, or of half a checksum', () => {
    const pipeline = pipelineFor(400, 4, [[3]])
    const lengths = (stored: number) => ({ stored, chunk: 400 })
    expect(() => planFrame(pipeline, 0, lengths(400))).toThrow('it has 396 bytes instead of 400')
    expect(() => planFrame(pipeline, 1, lengths(404))).toThrow('it has 404 bytes instead of 400')
    expect(() => planFrame(pipeline, 0, lengths(3))).toThrow('too few for a checksum')
  })

  it('begins with a header that says that all is plain', () => {
    const head = Buffer.from(plainHead(1000))
    expect([...head.subarray(0, 4)]).toEqual([2, 1, STORED | NOT_SPLIT, 1])
    expect([4, 8, 12].map(at => head.readUInt32LE(at))).toEqual([1000, 1000, 1016])
  })
})

/** A zlib stream that holds its bytes as they are. */
function storedDeflate(bytes: Uint8Array): Uint8Array {
  const head = Buffer.from([0x78, 0x01, 1, 0, 0, 0, 0])
  head.writeUInt16LE(bytes.length, 3)
  head.writeUInt16LE(~bytes.length & 0xffff, 5)
  let [a, b] = [1, 0]
  for (const byte of bytes) {
    a = (a + byte) % 65521
    b = (b + a) % 65521
  }
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(((b << 16) | a) >>> 0)
  return Uint8Array.from(Buffer.concat([head, bytes, sum]))
}

async function encoded(id: number, bytes: Uint8Array, clientData: readonly number[]): Promise<Uint8Array> {
  if (id === 32015) return (await import('./zstd.ts')).compressZstd(bytes, 3)
  const result = await codecOf(id)?.encode(bytes, clientData)
  if (!result) throw new Error(`filter ${id} refuses`)
  return result
}

/** Sets the byte, or the big-endian number, at `at`. */
function with32(bytes: Buffer, at: number, value: number): Buffer {
  if (at % 4 === 0) bytes.writeUInt32BE(value, at)
  else bytes[at] = value >>> 24
  return bytes
}
