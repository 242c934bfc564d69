// Fractal heaps made at once: objects of any lengths are where their offsets say.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  type BlockEntry,
  checkDirectBlock,
  decodeIndirectBlock,
  indirectBlockSize,
  pathTo,
} from '../format/heaps/fractal-heap-blocks.ts'
import { LINKS } from './dense-members.ts'
import { NewFractalHeap } from './fractal-heap.ts'
import { joined } from './pieces.ts'
import { WIDTHS } from './values/elements.ts'

const HEAP_ADDRESS = 40
const BLOCKS_ADDRESS = 100

async function* each(objects: readonly Uint8Array[]) {
  yield* objects
}

/** The object at an offset of the heap, along the blocks that lead to it. */
function objectAt(file: Uint8Array, heap: NewFractalHeap, offset: number, length: number): Uint8Array {
  const header = heap.header(BLOCKS_ADDRESS)
  const path = pathTo(header.table, offset)
  if (!path) throw new Error(`no block has the offset ${offset}`)
  let entry: BlockEntry = { address: BLOCKS_ADDRESS }
  for (const { rows, blockOffset, entry: index } of path.steps) {
    const address = entry.address ?? 0
    const bytes = file.subarray(address, address + indirectBlockSize(header, rows, WIDTHS))
    const origin = { heapAddress: HEAP_ADDRESS, offset: blockOffset }
    entry = decodeIndirectBlock(bytes, header, rows, origin, WIDTHS, address)[index]
  }
  const address = entry.address ?? 0
  const block = file.subarray(address, address + path.blockSize)
  const origin = { heapAddress: HEAP_ADDRESS, offset: path.blockOffset }
  checkDirectBlock(block, header, origin, WIDTHS, address)
  const start = offset - path.blockOffset
  return block.subarray(start, start + length)
}

async function check(lengths: readonly number[]): Promise<void> {
  const heap = new NewFractalHeap(LINKS.heap)
  const offsets = lengths.map(length => heap.add(length))
  const objects = lengths.map((length, index) => new Uint8Array(length).fill(index + 1))
  const pieces: Uint8Array[] = [new Uint8Array(BLOCKS_ADDRESS)]
  for await (const piece of heap.bytes(BLOCKS_ADDRESS, HEAP_ADDRESS, each(objects)))
    pieces.push(piece.slice())
  const file = await joined(pieces)
  expect(file.length).toBe(BLOCKS_ADDRESS + heap.blocksLength)
  for (const [index, offset] of offsets.entries()) {
    expect(Buffer.compare(objectAt(file, heap, offset, lengths[index]), objects[index])).toBe(0)
  }
}

// One direct block, a first object that is too long for it, rows of direct blocks, indirect blocks below the root.
it.each([
  [[491]],
  [[492]],
  [[4096]],
  [Array.from({ length: 40 }, () => 400)],
  [Array.from({ length: 700 }, () => 1000)],
])('objects of given lengths have their positions', async lengths => {
  await check(lengths)
})

it('objects of any lengths have their positions', async () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 4096 }), { minLength: 1, maxLength: 300 })
  await fc.assert(fc.asyncProperty(lengths, check), { numRuns: 30 })
})
