// Indexes of chunks made at once: every chunk is found between its keys, on every level.

import { expect, it } from 'vitest'
import {
  bTree1EntriesSize,
  bTree1PrefixSize,
  chunkBTree,
  decodeBTree1Entries,
  decodeBTree1Prefix,
} from '../../format/indexes/b-tree-1.ts'
import { joined } from '../pieces.ts'
import { ChunkTree, type WrittenChunk } from './chunk-tree.ts'
import { WIDTHS } from './elements.ts'

const CHUNK_DIMS = [5, 7]
const START = 512
const KIND = chunkBTree(CHUNK_DIMS.length)

/** Chunks of a grid of 10 columns. */
async function* chunks(count: number): AsyncGenerator<WrittenChunk> {
  for (let i = 0; i < count; i++) {
    yield { coordinates: [Math.floor(i / 10), i % 10], address: 10_000 + 3 * i, length: 3, mask: i % 2 }
  }
}

function nodeAt(file: Buffer, address: number) {
  const prefix = decodeBTree1Prefix(file.subarray(address), KIND, WIDTHS, address)
  const start = address + bTree1PrefixSize(WIDTHS)
  const bytes = file.subarray(start, start + bTree1EntriesSize(KIND, prefix.entryCount, WIDTHS))
  return { ...prefix, entries: decodeBTree1Entries(bytes, prefix.entryCount, KIND, WIDTHS, address) }
}

function isBefore(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((offset, d) => offset !== other[d])
  return at >= 0 && one[at] < other[at]
}

/** The chunks below a node, all of which are between the two keys. */
function* chunksBelow(
  file: Buffer,
  address: number,
  from: readonly number[],
  to: readonly number[],
): Generator<unknown> {
  const { level, entries } = nodeAt(file, address)
  for (const { key, child, nextKey } of entries) {
    const isBetween = !isBefore(key.offsets, from) && !isBefore(to, nextKey.offsets)
    if (!isBetween || !isBefore(key.offsets, nextKey.offsets)) yield 'a chunk that is not between its keys'
    if (level > 0) yield* chunksBelow(file, child, key.offsets, nextKey.offsets)
    else {
      const coordinates = CHUNK_DIMS.map((extent, d) => key.offsets[d] / extent)
      yield { coordinates, address: child, length: key.length, mask: key.mask }
    }
  }
}

it.each([1, 63, 64, 65, 128, 129, 4096, 4097, 4200])('an index has %d chunks', async count => {
  const tree = new ChunkTree(CHUNK_DIMS, count)
  const bytes = await joined(tree.bytes(START, () => chunks(count)))
  expect(bytes.length).toBe(tree.length)
  const file = Buffer.concat([Buffer.alloc(START), bytes])
  const beyond = [Number.MAX_SAFE_INTEGER, 0, 0]
  const found = [...chunksBelow(file, tree.rootAddress(START) ?? 0, [0, 0, 0], beyond)]
  const expected = []
  for await (const chunk of chunks(count)) expected.push(chunk)
  expect(found).toEqual(expected)
})

it('an index of no chunks is not there', () => {
  const tree = new ChunkTree(CHUNK_DIMS, 0)
  expect([tree.length, tree.rootAddress(START)]).toEqual([0, undefined])
})
