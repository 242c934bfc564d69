// The symbol table message (0x11): the location of the links of an old-style group (file format specification,
// IV.A.2.r).

import type { FieldReader } from '../field-reader.ts'

export interface SymbolTable {
  /** The version 1 B-tree of the symbol table nodes. */
  readonly bTree: number
  /** The local heap of the names. */
  readonly heap: number
}

export function decodeSymbolTable(fields: FieldReader): SymbolTable {
  return {
    bTree: fields.definedAddress('the B-tree of the group'),
    heap: fields.definedAddress('the local heap of the group'),
  }
}
