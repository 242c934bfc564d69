// Filters against libhdf5: chunks that it encoded are decoded here, and it decodes those that are encoded here. The
// types, values and options of the chunks are random; the seed is printed, HYPERSLAB_TEST_SEED repeats it.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { codecOf } from '@hyperslab/h5/filters'
import type { Datatype } from '@hyperslab/model/datatype'
import type { JsonValue } from '@hyperslab/model/json'
import { afterAll, describe, expect, it } from 'vitest'
import type { FilterCodec } from '../../packages/h5/filters/filter.ts'
import { isMissing, PYTHON, run } from './h5py.ts'

const FILTERS: Record<string, number> = {
  deflate: 1,
  shuffle: 2,
  fletcher32: 3,
  nbit: 5,
  scaleoffset: 6,
  lzf: 32000,
  blosc: 32001,
  lz4: 32004,
  bitshuffle: 32008,
  zstd: 32015,
  szip: 4,
}
/** Filters without an encoder here. */
const READ_ONLY = ['szip']

const CHUNKS_PER_FILTER = 150

/** Filters whose encoded form leaves no choice, so that it must be the same to the byte. */
const EXACT = ['shuffle', 'fletcher32', 'nbit', 'scaleoffset']

/** A line of chunks.py. */
interface Case {
  readonly name: string
  readonly filter: number
  readonly options: Record<string, JsonValue>
  /** Null: the model does not know the type. */
  readonly type: Datatype | null
  readonly elementSize: number
  readonly chunkDims: readonly number[]
  readonly fillValue: string | null
  readonly clientData: readonly number[]
  readonly data: string
  readonly mask: number
  readonly encoded: string
  readonly decoded: string
}

const seed = Number(process.env.HYPERSLAB_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))
const missing = isMissing('a Python with h5py', PYTHON !== undefined)
const folder = mkdtempSync(join(tmpdir(), 'hyperslab-filters-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function parseLines<T>(output: string): readonly T[] {
  return output
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as T)
}

const args = ['make', folder, `${seed}`, `${CHUNKS_PER_FILTER}`, ...Object.values(FILTERS).map(String)]
const cases: readonly Case[] = missing ? [] : parseLines<Case>(run('chunks.py', args))

function toBytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'))
}

function expectBytes(actual: Uint8Array, expected: Uint8Array, what: string): void {
  if (Buffer.compare(actual, expected) !== 0) expect(actual, what).toEqual(expected)
}

describe.skipIf(missing)(`filters as in libhdf5 (seed ${seed})`, () => {
  for (const [filter, id] of Object.entries(FILTERS)) {
    const own = cases.filter(chunk => chunk.filter === id)
    const absent = isMissing(`the ${filter} filter of libhdf5`, own.length > 0)
    const codec = codecOf(id) as FilterCodec
    const codedCases = own.filter(({ mask }) => mask === 0)

    it.skipIf(absent)(`${filter}: what libhdf5 encoded is decoded`, async () => {
      expect(codedCases.length).toBeGreaterThan(CHUNKS_PER_FILTER / 10)
      for (const chunk of codedCases) {
        const expected = toBytes(chunk.decoded)
        const decoded = await codec.decode(toBytes(chunk.encoded), chunk.clientData, expected.length + 64)
        expectBytes(decoded, expected, chunk.name)
      }
    })

    if (READ_ONLY.includes(filter)) continue

    it.skipIf(absent)(`${filter}: client data are those of libhdf5`, () => {
      for (const chunk of own) {
        if (chunk.type === null) continue
        const clientData = codec.clientData(new Map(Object.entries(chunk.options)), {
          type: chunk.type,
          elementSize: chunk.elementSize,
          chunkDims: chunk.chunkDims,
          ...(chunk.fillValue !== null && { fillValue: toBytes(chunk.fillValue) }),
        })
        // Bitshuffle begins with its version.
        const start = filter === 'bitshuffle' ? 2 : 0
        if (clientData) expect(clientData.slice(start), chunk.name).toEqual(chunk.clientData.slice(start))
        else expect(chunk.mask === 1 || chunk.clientData[1] === 1, chunk.name).toBe(true)
      }
    })

    it.skipIf(absent)(`${filter}: libhdf5 decodes what is encoded`, async () => {
      const lines: string[] = []
      const expected = new Map<string, string>()
      for (const chunk of own) {
        // A chunk with values that n-bit cannot store is stored without n-bit: the decoded chunk has none.
        const data = toBytes(filter === 'nbit' ? chunk.decoded : chunk.data)
        const encoded = await codec.encode(data, chunk.clientData)
        if (!encoded) continue
        if (EXACT.includes(filter) && chunk.mask === 0) {
          // The last byte of scale-offset is none of the data, and not always set by libhdf5.
          const end = filter === 'scaleoffset' ? -1 : undefined
          expectBytes(encoded.subarray(0, end), toBytes(chunk.encoded).subarray(0, end), chunk.name)
        }
        lines.push(JSON.stringify({ name: chunk.name, encoded: Buffer.from(encoded).toString('base64') }))
        expected.set(chunk.name, chunk.decoded)
      }
      expect(lines.length).toBeGreaterThan(CHUNKS_PER_FILTER / 10)
      const decoded = parseLines<{ name: string; decoded: string }>(
        run('chunks.py', ['decode', folder], lines.join('\n')),
      )
      expect(decoded.length).toBe(lines.length)
      for (const { name, decoded: bytes } of decoded) {
        expectBytes(toBytes(bytes), toBytes(expected.get(name) ?? ''), name)
      }
    })
  }
})
