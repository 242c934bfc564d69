// A symbol table node (file format specification, III.B and III.C): links of an old group, in the order of their names.
// The names are in the group's local heap.

import { FieldReader, type Widths } from '../field-reader.ts'

const STRUCTURE = 'the symbol table node'
const SIGNATURE = 'SNOD'
const SCRATCH_SIZE = 16

/** Cache types. An entry that caches the addresses of a group's own symbol table is a hard link like any other. */
const HARD_LINK = 0
const GROUP = 1
const SOFT_LINK = 2

/** The size of the fields before the entries. */
export const SYMBOL_TABLE_NODE_PREFIX_SIZE = 8

export interface SymbolTableEntry {
  /** The offset of the name in the local heap. */
  readonly nameOffset: number
  readonly target:
    | { readonly kind: 'hard'; readonly address: number }
    /** The path that the link names is in the local heap, too. */
    | { readonly kind: 'soft'; readonly valueOffset: number }
}

export function symbolTableEntrySize({ offsets, lengths }: Widths): number {
  return lengths + offsets + 8 + SCRATCH_SIZE
}

/** The number of entries of the node. `bytes`: its prefix. */
export function decodeSymbolTableNodePrefix(bytes: Uint8Array, widths: Widths, address: number): number {
  const fields = new FieldReader(bytes, widths, STRUCTURE, address)
  fields.expectSignature(SIGNATURE)
  fields.version([1])
  fields.skip(1)
  return fields.u16()
}

/** `bytes`: those of the entries, after the prefix. */
export function decodeSymbolTableEntries(
  bytes: Uint8Array,
  widths: Widths,
  address: number,
): readonly SymbolTableEntry[] {
  const fields = new FieldReader(bytes, widths, STRUCTURE, address)
  const size = symbolTableEntrySize(widths)
  return fields.list(Math.floor(bytes.length / size), size, () => decodeEntry(fields))
}

function decodeEntry(fields: FieldReader): SymbolTableEntry {
  // The field is as wide as lengths are, although the specification says otherwise (H5Gent.c).
  const nameOffset = fields.length()
  const address = fields.address()
  const cacheType = fields.u32()
  fields.skip(4)
  const valueOffset = fields.u32()
  fields.skip(SCRATCH_SIZE - 4)
  if (cacheType === SOFT_LINK) return { nameOffset, target: { kind: 'soft', valueOffset } }
  if (cacheType !== HARD_LINK && cacheType !== GROUP) {
    throw fields.error(`there is no cache type ${cacheType} of an entry`)
  }
  if (address === undefined) throw fields.error('the address of a hard link is undefined')
  return { nameOffset, target: { kind: 'hard', address } }
}
