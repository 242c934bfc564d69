// The indexes of chunks as bytes written by hand: what damaged and hostile ones do. Sound ones are compared with what
// h5py reads in test/h5py.

import { describe, expect, it } from 'vitest'
import type { Dataspace } from '../../src/hdf5/dataspace.ts'
import { memorySource } from '../fixtures/byte-source.ts'
import { storedChunks } from './chunk-index.ts'

/** Fields of one byte, of 2 or 4 with their width, of 8 as a bigint; or a string. */
type Field = number | bigint | string | readonly [width: 2 | 4, value: number]

function bytesOf(...fields: readonly Field[]): Uint8Array {
  return Buffer.concat(
    fields.map(field => {
      if (typeof field === 'string') return Buffer.from(field, 'latin1')
      if (typeof field === 'number') return Buffer.of(field)
      const bytes = Buffer.alloc(typeof field === 'bigint' ? 8 : field[0])
      if (typeof field === 'bigint') bytes.writeBigUInt64LE(field)
      else bytes.writeUIntLE(field[1], 0, field[0])
      return bytes
    }),
  )
}

const UNDEFINED = 2n ** 64n - 1n
const SPACE: Dataspace = { class: 'H5S_SIMPLE', dims: [100] }
const GROWING: Dataspace = { class: 'H5S_SIMPLE', dims: [100], maxdims: ['H5S_UNLIMITED'] }

async function chunksOf(
  layout: Uint8Array,
  file: Uint8Array = new Uint8Array(0),
  space = SPACE,
  chunkDims: number[] | undefined = [10],
) {
  const chunks = storedChunks({ source: memorySource(file), base: 0 }, layout, space, chunkDims)
  if (chunks === undefined) return undefined
  const found: (readonly number[])[] = []
  for await (const batch of chunks.batches()) found.push(...batch)
  return found
}

const old = (address: bigint) => bytesOf(3, 2, 2, address, [4, 10], [4, 1])
const recent = (kind: number, parameters: readonly Field[], address: bigint) =>
  bytesOf(4, 2, 0, 2, 1, 10, 1, kind, ...parameters, address)
const FIXED = [3, [10]] as const
const EXTENSIBLE = [4, [32, 4, 16, 4, 10]] as const
const B_TREE_2 = [5, [[4, 512], 100, 40]] as const

describe('storedChunks', () => {
  it.each([
    ['a contiguous dataset without storage', bytesOf(3, 1, UNDEFINED, 0n), []],
    ['a contiguous dataset', bytesOf(3, 1, 8n, 100n), undefined],
    ['one of an old file', bytesOf(1, 1, 1, 0, 0, 0, 0, 0, UNDEFINED, [4, 100]), []],
    ['a compact dataset', bytesOf(3, 0, [2, 4], [4, 1]), undefined],
    ['a virtual dataset', bytesOf(4, 3, 8n, [4, 1]), undefined],
    ['chunks without an index', old(UNDEFINED), []],
    ['chunks without an index of a newer kind', recent(...FIXED, UNDEFINED), []],
    ['a single chunk', recent(1, [], 8n), [[0]]],
    ['chunks that are all allocated', recent(2, [], 8n), undefined],
  ])('%s', async (_title, layout, chunks) => {
    const isChunked = (layout[0] < 3 ? layout[2] : layout[1]) === 2
    expect(await chunksOf(layout, undefined, SPACE, isChunked ? [10] : undefined)).toEqual(chunks)
  })

  it('passes over chunks outside the extents', async () => {
    const node = (offset: bigint): readonly Field[] => [[4, 10], [4, 0], offset, 0n, 0n]
    const tree = bytesOf('TREE', 1, 0, [2, 3], UNDEFINED, UNDEFINED, ...node(0n), ...node(90n), ...node(100n))
    expect(await chunksOf(old(0n), tree)).toEqual([[0], [9]])
  })

  const loop = bytesOf('TREE', 1, 1, [2, 1], UNDEFINED, UNDEFINED, [4, 10], [4, 0], 0n, 0n, 0n)
  const newHeader = bytesOf('BTHD', 0, 10, [4, 64], [2, 16], [2, 9], 100, 40, 38n, [2, 1], 1n, [4, 0])
  const newLoop = Buffer.concat([
    newHeader,
    bytesOf('BTIN', 0, 10, 1n, 0n, 38n, 1, 1, 0, 38n, 1, 1, 0),
    Buffer.alloc(64),
  ])
  const fixed = (count: bigint, pageBits: number) =>
    bytesOf('FAHD', 0, 0, 8, pageBits, count, 28n, [4, 0], 'FADB', 0, 0, 0n)

  it.each([
    ['no index at the address', SPACE, old(0n), bytesOf('HEAP', 0, 0, [2, 0], 0n, 0n)],
    ['an address beyond the end', SPACE, old(2n ** 63n), loop],
    ['a tree that is its own child', SPACE, old(0n), loop],
    ['a newer tree that is its own child', GROWING, recent(...B_TREE_2, 0n), newLoop],
    ['an array of more elements than the file has bytes', SPACE, recent(...FIXED, 0n), fixed(2n ** 52n, 60)],
    ['an array of more pages than the file has bytes', SPACE, recent(...FIXED, 0n), fixed(2n ** 52n, 2)],
    ['an array whose length is no number', SPACE, recent(...FIXED, 0n), fixed(2n ** 60n, 10)],
    [
      'an extensible array of blocks of no elements',
      GROWING,
      recent(...EXTENSIBLE, 0n),
      bytesOf('EAHD', 0, 0, 8, 32, 4, 0, 4, 10, 0n, 0n, 0n, 0n, 0n, 0n, 8n, [4, 0]),
    ],
    [
      'an extensible array that ends early',
      GROWING,
      recent(...EXTENSIBLE, 0n),
      bytesOf('EAHD', 0, 0, 8, 255, 255, 1, 255, 10, 0n, 0n, 0n, 0n, 0n, 0n, 72n, [4, 0], 'EAIB', 0, 0),
    ],
  ])('refuses %s', async (_title, space, layout, file) => {
    await expect(chunksOf(layout, file, space)).rejects.toMatchObject({ code: 'file-unreadable' })
  })
})
