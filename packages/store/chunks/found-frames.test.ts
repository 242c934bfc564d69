// The stored bytes of a chunk as readers of Zarr get them: whole, and parts of long ones.

import type { Datatype } from '@hyperslab/model/datatype'
import type { ObjectId } from '@hyperslab/model/names'
import { describe, expect, it } from 'vitest'
import { BufferPool } from './buffer-pool.ts'
import { ChunkFilters } from './chunk-filters.ts'
import type { StoredChunk } from './chunk-index.ts'
import { layoutOfChunks } from './chunk-layout.ts'
import { IN_THIS_THREAD } from './filter-runner.ts'
import { findChunk } from './found-frames.ts'

const U8: Datatype = { class: 'H5T_INTEGER', size: 1, signed: false, order: 'LE' }
const ID = 'd-00000000-00000000-0000-000000-000001' as ObjectId
const MIB = 2 ** 20

/** The frame of a chunk of noise behind deflate, or behind nothing, and the ranges of it that were read. */
async function frameOf(length: number, isFiltered: boolean) {
  const bytes = Uint8Array.from({ length }, (_, i) => (i * 7 + (i >> 8)) % 251)
  const chunkBytes = isFiltered ? 2 * length : length
  const reads: string[] = []
  const chunk: StoredChunk = {
    dataLength: chunkBytes,
    heapLength: 0,
    ...(isFiltered && { filtered: { length, mask: 0 } }),
    name: 'chunk',
    async read(position, into) {
      reads.push(`${position}+${into.length}`)
      into.set(bytes.subarray(position, position + into.length))
    },
    async readAll(into = new Uint8Array(length)) {
      reads.push('all')
      into.set(bytes)
      return into
    },
    damaged: (_, reason) => new Error(reason),
  }
  const layout = layoutOfChunks(
    {
      id: ID,
      type: U8,
      space: { class: 'H5S_SIMPLE', dims: [chunkBytes] },
      creationProperties: {
        layout: 'H5D_CHUNKED',
        chunkDims: [chunkBytes],
        filters: isFiltered ? [{ id: 1, json: new Map([['id', 1]]) }] : [],
        json: new Map(),
      },
    } as unknown as Parameters<typeof layoutOfChunks>[0],
    MIB,
  )
  const index = { lookups: 1, isComplete: false, find: async () => [chunk], async *all() {} }
  const parts = {
    index,
    filters: new ChunkFilters(IN_THIS_THREAD, 0),
    pool: new BufferPool(MIB),
    parallelReads: 1,
  } as unknown as Parameters<typeof findChunk>[0]
  const found = await findChunk(parts, layout, [0])
  if (!found?.frame) throw new Error('the chunk has no frame')
  return { bytes, reads, frame: found.frame }
}

async function joined(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const copies: Buffer[] = []
  for await (const piece of pieces) copies.push(Buffer.from(piece))
  return Buffer.concat(copies)
}

describe.each([
  ['without filters', false, 0],
  ['behind deflate', true, 24],
])('a chunk of 5 MiB %s', (_, isFiltered, head) => {
  it('gives each part without the bytes before it', async () => {
    const { bytes, reads, frame } = await frameOf(5 * MIB, isFiltered)
    const whole = await joined(frame.pieces())
    expect(whole.length).toBe(frame.length)
    expect(whole.subarray(head).equals(bytes)).toBe(true)
    for (const [position, length] of [
      [0, 1],
      [3, 40],
      [MIB, 2 * MIB + 1],
      [whole.length - 7, 7],
    ] as const) {
      reads.length = 0
      const part = await joined(frame.piecesOf?.(position, length) ?? frame.pieces())
      expect(part.equals(whole.subarray(position, position + length)), `${position}+${length}`).toBe(true)
      const read = reads.reduce((sum, range) => sum + Number(range.split('+')[1]), 0)
      expect(read).toBeLessThanOrEqual(length)
    }
  })
})

it('a short chunk is read as a whole, since its checksum is of the whole', async () => {
  const { bytes, reads, frame } = await frameOf(1000, false)
  expect(frame.piecesOf).toBeUndefined()
  expect((await joined(frame.pieces())).equals(bytes)).toBe(true)
  expect(reads).toEqual(['all'])
})
