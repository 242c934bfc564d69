// Nodes of version 1 B-trees of both kinds.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ALL_WIDTHS } from '../../../../test/fixtures/file-of-structures.ts'
import type { Widths } from '../field-reader.ts'
import {
  type BTree1Kind,
  bTree1EntriesSize,
  bTree1PrefixSize,
  chunkBTree,
  decodeBTree1Entries,
  decodeBTree1Prefix,
  encodeBTree1Node,
  GROUP_B_TREE,
} from './b-tree-1.ts'

const address = fc.nat(0xfffe)

function checkRoundTrip<Key>(kind: BTree1Kind<Key>, key: fc.Arbitrary<Key>, widths: Widths): void {
  const children = fc.array(address, { minLength: 1 })
  const node = children.chain(children =>
    fc.record({
      level: fc.nat(255),
      leftSibling: address,
      rightSibling: address,
      children: fc.constant(children),
      keys: fc.array(key, { minLength: children.length + 1, maxLength: children.length + 1 }),
    }),
  )
  fc.assert(
    fc.property(node, ({ keys, children, ...rest }) => {
      const bytes = encodeBTree1Node({ keys, children, ...rest }, kind, widths)
      const entryCount = children.length
      expect(decodeBTree1Prefix(bytes, kind, widths, 0)).toEqual({ ...rest, entryCount })
      const entries = bytes.subarray(bTree1PrefixSize(widths))
      expect(entries.length).toBe(bTree1EntriesSize(kind, entryCount, widths))
      expect(decodeBTree1Entries(entries, entryCount, kind, widths, 0)).toEqual(
        children.map((child, index) => ({ key: keys[index], child, nextKey: keys[index + 1] })),
      )
    }),
  )
}

describe.each(ALL_WIDTHS)('with addresses of $offsets and lengths of $lengths bytes', widths => {
  it('a node of a group decodes to what was encoded', () => {
    checkRoundTrip(GROUP_B_TREE, fc.nat(0xffff), widths)
  })

  it.each([1, 3, 32])('a node of chunks of rank %d decodes to what was encoded', rank => {
    const offsets = fc.array(fc.maxSafeNat(), { minLength: rank + 1, maxLength: rank + 1 })
    const word = fc.nat(0xffff_ffff)
    checkRoundTrip(chunkBTree(rank), fc.record({ length: word, mask: word, offsets }), widths)
  })

  it('a node without entries has no keys', () => {
    const bytes = encodeBTree1Node({ level: 0, keys: [], children: [] }, GROUP_B_TREE, widths)
    expect(decodeBTree1Prefix(bytes, GROUP_B_TREE, widths, 0)).toEqual({ level: 0, entryCount: 0 })
    expect(decodeBTree1Entries(new Uint8Array(0), 0, GROUP_B_TREE, widths, 0)).toEqual([])
  })

  it('a node of the other type, or an undefined child, is an error', () => {
    const bytes = encodeBTree1Node({ level: 0, keys: [1, 2], children: [3] }, GROUP_B_TREE, widths).slice()
    expect(() => decodeBTree1Prefix(bytes, chunkBTree(1), widths, 0)).toThrow(
      'it has nodes of type 0 instead of 1',
    )
    const entries = bytes.subarray(bTree1PrefixSize(widths))
    entries.fill(0xff, widths.lengths, widths.lengths + widths.offsets)
    expect(() => decodeBTree1Entries(entries, 1, GROUP_B_TREE, widths, 0)).toThrow(
      'the address of a child is undefined',
    )
  })
})
