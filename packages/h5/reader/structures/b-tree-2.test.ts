// Walks over version 2 B-trees: all records, and never for ever.

import { describe, expect, it } from 'vitest'
import { placeBTree2 } from '../../../../test/fixtures/b-tree-2.ts'
import {
  type AddressedStructure,
  ALL_WIDTHS,
  collect,
  fileOf,
  WIDE,
} from '../../../../test/fixtures/file-of-structures.ts'
import type { FieldReader, Widths } from '../../format/field-reader.ts'
import {
  type BTree2Child,
  type BTree2Header,
  bTree2Levels,
  encodeBTree2Header,
  encodeBTree2Node,
} from '../../format/indexes/b-tree-2.ts'
import { bTree2Records } from './b-tree-2.ts'

const NUMBERS = { type: 5, decode: (fields: FieldReader) => fields.u32() }

function record(number: number): Uint8Array {
  const bytes = Buffer.alloc(11)
  bytes.writeUInt32LE(number)
  return bytes
}

function placeNumbers(count: number, depth: number, widths: Widths): readonly AddressedStructure[] {
  const records = Array.from({ length: count }, (_, index) => record(index))
  return placeBTree2({ type: 5, records, depth, nodeSize: 512 }, 8, widths)
}

describe.each(ALL_WIDTHS)('with addresses of $offsets and lengths of $lengths bytes', widths => {
  it.each([
    [0, 0],
    [1, 0],
    [45, 0],
    [61, 1],
    [127, 2],
    [255, 3],
  ])('a walk gives all %d records of a tree of depth %d', async (count, depth) => {
    const numbers = await collect(
      bTree2Records(fileOf(placeNumbers(count, depth, widths), widths), 8, NUMBERS),
    )
    expect([...numbers].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, index) => index))
  })
})

const HEADER: BTree2Header = {
  type: 5,
  nodeSize: 512,
  recordSize: 11,
  depth: 1,
  splitPercent: 100,
  mergePercent: 40,
  root: 1024,
  rootRecordCount: 1,
  totalRecordCount: 3,
}
const LEVELS = bTree2Levels({ ...HEADER, depth: 3 }, WIDE)

function header(change: Partial<BTree2Header>): AddressedStructure {
  return { address: 8, bytes: encodeBTree2Header({ ...HEADER, ...change }, WIDE).slice() }
}

function node(address: number, depth: number, children: readonly BTree2Child[]): AddressedStructure {
  const records = Buffer.concat([record(0)])
  return { address, bytes: encodeBTree2Node({ records, children }, HEADER, LEVELS[depth], WIDE).slice() }
}

const leafAt = (address: number) => ({ address, recordCount: 1, totalRecordCount: 1 })
const LEAVES = [node(2048, 0, []), node(3072, 0, [])]
const ROOT = node(1024, 1, [leafAt(2048), leafAt(3072)])

describe('a walk over a version 2 B-tree', () => {
  it('gives nothing of a tree without a root', async () => {
    const { root, ...rootless } = HEADER
    const bytes = encodeBTree2Header({ ...rootless, totalRecordCount: 0, rootRecordCount: 0 }, WIDE).slice()
    expect(await collect(bTree2Records(fileOf([{ address: 8, bytes }]), 8, NUMBERS))).toEqual([])
  })

  it('of a sound tree gives its records', async () => {
    expect(await collect(bTree2Records(fileOf([header({}), ROOT, ...LEAVES]), 8, NUMBERS))).toEqual([0, 0, 0])
  })

  const deep = { recordCount: 1, totalRecordCount: 3 }
  it.each([
    ['another type', [header({ type: 8 }), ROOT, ...LEAVES], 'it is of type 8 instead of 5'],
    ['too many levels', [header({ depth: 64 }), ROOT, ...LEAVES], '64 levels are too many'],
    [
      'more records than there are',
      [header({ totalRecordCount: 4 }), ROOT, ...LEAVES],
      'it has 3 records, and should have 4',
    ],
    [
      'more records than a node has room for',
      [header({ rootRecordCount: 25 }), ROOT, ...LEAVES],
      '25 records do not fit into a node',
    ],
    [
      'a shared leaf',
      [header({}), node(1024, 1, [leafAt(2048), leafAt(2048)]), ...LEAVES],
      'two of its parts lead to this address',
    ],
    [
      'a node that is its own child',
      [
        header({ depth: 2, totalRecordCount: 7 }),
        node(1024, 2, [
          { address: 1024, ...deep },
          { address: 2048, ...deep },
        ]),
      ],
      'two of its parts lead to this address',
    ],
    [
      'a child of another level',
      [
        header({ depth: 2, totalRecordCount: 7 }),
        node(1024, 2, [
          { address: 2048, ...deep },
          { address: 3072, ...deep },
        ]),
        ...LEAVES,
        { address: 9000, bytes: new Uint8Array(8) },
      ],
      'it does not begin with BTIN',
    ],
    ['records that are too short', [header({ recordSize: 3 }), ROOT, ...LEAVES], 'cannot be read'],
    ['a node beyond the end', [header({ root: 99_999 })], 'the file ends at'],
    [
      'nodes longer than the file',
      [header({ nodeSize: 2 ** 31, rootRecordCount: 60_000 })],
      'longer than the file',
    ],
  ])('of %s is an error', async (_, structures, message) => {
    await expect(collect(bTree2Records(fileOf(structures), 8, NUMBERS))).rejects.toThrow(message)
  })

  it('whose decoder needs more than a record has is an error', async () => {
    const greedy = { type: 5, decode: (fields: FieldReader) => fields.take(12) }
    await expect(collect(bTree2Records(fileOf([header({}), ROOT, ...LEAVES]), 8, greedy))).rejects.toThrow(
      '12 bytes are needed, 11 are left',
    )
  })
})
