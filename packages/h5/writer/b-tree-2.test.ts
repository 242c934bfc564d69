// B-trees made at once: the records come back in their order, and nodes are neither too full nor empty.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type BTree2Child,
  type BTree2Header,
  bTree2HeaderSize,
  bTree2Levels,
  bTree2NodeSize,
  decodeBTree2Header,
  decodeBTree2Node,
} from '../format/indexes/b-tree-2.ts'
import { NewBTree2 } from './b-tree-2.ts'
import { WIDTHS } from './values/elements.ts'

const TYPE = 5

function recordOf(index: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  new DataView(bytes.buffer).setUint32(0, index, true)
  return bytes
}

/** All records of a subtree in order. */
function* recordsOf(
  file: Uint8Array,
  header: BTree2Header,
  { address, recordCount, totalRecordCount }: BTree2Child,
  depth: number,
): Generator<number> {
  const level = bTree2Levels(header, WIDTHS)[depth]
  expect(recordCount).toBeLessThanOrEqual(level.maxRecords)
  expect(recordCount).toBeGreaterThan(0)
  const size = bTree2NodeSize(header, level, recordCount, WIDTHS)
  const bytes = file.subarray(address, address + size)
  const { records, children } = decodeBTree2Node(bytes, header, level, recordCount, WIDTHS, address)
  const view = new DataView(records.buffer, records.byteOffset)
  const record = (index: number) => view.getUint32(index * header.recordSize, true)
  if (depth === 0) {
    for (let i = 0; i < recordCount; i++) yield record(i)
    return
  }
  const below = children.reduce((sum, child) => sum + child.totalRecordCount, 0)
  expect(below + recordCount).toBe(totalRecordCount)
  for (const [index, child] of children.entries()) {
    yield* recordsOf(file, header, child, depth - 1)
    if (index < recordCount) yield record(index)
  }
}

function check(recordSize: number, count: number): void {
  const tree = new NewBTree2(TYPE, recordSize, count)
  const start = 1000
  const bytes = Buffer.concat([...tree.bytes(start, index => recordOf(index, recordSize))])
  expect(bytes.length).toBe(tree.length)
  const file = Buffer.concat([Buffer.alloc(start), bytes])
  const headerBytes = file.subarray(start, start + bTree2HeaderSize(WIDTHS))
  const header = decodeBTree2Header(headerBytes, WIDTHS, start)
  expect(header).toMatchObject({ type: TYPE, recordSize, totalRecordCount: count })
  const root = { address: header.root ?? 0, recordCount: header.rootRecordCount, totalRecordCount: count }
  const found = count === 0 ? [] : [...recordsOf(file, header, root, header.depth)]
  expect(found).toEqual(Array.from({ length: count }, (_, index) => index))
}

describe('a new B-tree of version 2', () => {
  // Around the numbers at which a tree of records of 11 bytes becomes deeper.
  it.each([0, 1, 45, 46, 47, 91, 1000, 1149, 1150, 1151, 12_000])('has %d records in order', count => {
    check(11, count)
  })

  it('has all records in order', () => {
    const recordSize = fc.integer({ min: 4, max: 40 })
    fc.assert(fc.property(recordSize, fc.nat(2000), check), { numRuns: 20 })
  })
})
