// Symbol table nodes of all widths.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ALL_WIDTHS } from '../../../../test/fixtures/file-of-structures.ts'
import { encodeSymbolTableNode } from '../../../../test/fixtures/library-structures.ts'
import {
  decodeSymbolTableEntries,
  decodeSymbolTableNodePrefix,
  SYMBOL_TABLE_NODE_PREFIX_SIZE,
  type SymbolTableEntry,
} from './symbol-table-node.ts'

const entry: fc.Arbitrary<SymbolTableEntry> = fc.record({
  nameOffset: fc.nat(0xfffe),
  target: fc.oneof(
    fc.record({ kind: fc.constant('hard' as const), address: fc.nat(0xfffe) }),
    fc.record({ kind: fc.constant('soft' as const), valueOffset: fc.nat(0xffff_ffff) }),
  ),
})

describe.each(ALL_WIDTHS)('with addresses of $offsets and lengths of $lengths bytes', widths => {
  it('a node decodes to what was encoded', () => {
    fc.assert(
      fc.property(fc.array(entry), entries => {
        const bytes = encodeSymbolTableNode(entries, widths)
        expect(decodeSymbolTableNodePrefix(bytes, widths, 0)).toBe(entries.length)
        const rest = bytes.subarray(SYMBOL_TABLE_NODE_PREFIX_SIZE)
        expect(decodeSymbolTableEntries(rest, widths, 0)).toEqual(entries)
      }),
    )
  })

  it('an entry of an unknown kind, or without an address, is an error', () => {
    const entries: SymbolTableEntry[] = [{ nameOffset: 8, target: { kind: 'hard', address: 64 } }]
    const decodeChanged = (position: number, values: readonly number[]) => {
      const bytes = encodeSymbolTableNode(entries, widths).slice(SYMBOL_TABLE_NODE_PREFIX_SIZE)
      bytes.set(values, position)
      return () => decodeSymbolTableEntries(bytes, widths, 0)
    }
    const { offsets, lengths } = widths
    expect(decodeChanged(lengths + offsets, [3])).toThrow('there is no cache type 3 of an entry')
    expect(decodeChanged(lengths, Array(offsets).fill(0xff))).toThrow(
      'the address of a hard link is undefined',
    )
    // An entry that caches the symbol table of the group.
    expect(decodeChanged(lengths + offsets, [1])()).toEqual(entries)
  })
})

it('a node with another signature or version is an error', () => {
  const bytes = encodeSymbolTableNode([], ALL_WIDTHS[0])
  expect(() => decodeSymbolTableNodePrefix(bytes.with(0, 0), ALL_WIDTHS[0], 40)).toThrow(
    'the symbol table node at 40 cannot be read: it does not begin with SNOD',
  )
  expect(() => decodeSymbolTableNodePrefix(bytes.with(4, 2), ALL_WIDTHS[0], 40)).toThrow(
    'there is no version 2',
  )
})
