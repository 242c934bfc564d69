// References as elements of a file hold them. Before HDF5 1.12: an object is its address, a region an object of a
// global heap with the address of the dataset and a selection. Since then (class 7, version 4): a kind, flags, and
// either the object itself or an object of a global heap with the rest of the reference.

import type { FieldReader } from './field-reader.ts'
import type { FieldWriter } from './field-writer.ts'
import { decodeSelection, encodeSelection, type FileSelection } from './selection.ts'

/** The object of a global heap for a region reference before HDF5 1.12. */
export interface RegionObject {
  /** The address of the dataset. */
  readonly address: number
  readonly selection: FileSelection
}

/**
 * Points or blocks of a region: a global heap may hold millions, which would be decoded at once.
 * @limit memory, entries
 */
const MAX_LISTED = 2 ** 17

export function decodeRegionObject(fields: FieldReader): RegionObject {
  const address = fields.definedAddress('the dataset')
  return { address, selection: decodeSelection(fields, MAX_LISTED) }
}

export function encodeRegionObject(writer: FieldWriter, { address, selection }: RegionObject): void {
  writer.address(address)
  encodeSelection(writer, selection)
}

/** The target of a reference of HDF5 1.12 or later; `file`: an object of another file. */
export type NewReference = { readonly address: number; readonly file?: Uint8Array } & (
  | { readonly kind: 'object' }
  | { readonly kind: 'region'; readonly selection: FileSelection }
  | { readonly kind: 'attribute'; readonly name: Uint8Array }
)

/** An element of such a type; the rest of the reference is an object of a global heap, unless it is there. */
export type NewReferenceElement =
  | { readonly reference: NewReference | undefined }
  | {
      readonly header: NewReferenceHeader
      readonly heap: { readonly address: number; readonly index: number }
    }

export interface NewReferenceHeader {
  readonly kind: NewReference['kind']
  readonly isExternal: boolean
}

/** H5R_type_t. */
const KINDS = new Map<number, NewReference['kind']>([
  [2, 'object'],
  [3, 'region'],
  [4, 'attribute'],
])
const EXTERNAL = 0x01

/** Undefined reference: null. */
export function decodeNewReferenceElement(fields: FieldReader): NewReferenceElement {
  const number = fields.u8()
  const isExternal = (fields.u8() & EXTERNAL) !== 0
  // A reference that was never written is all zeros.
  if (number === 0) return { reference: undefined }
  const kind = KINDS.get(number)
  if (!kind) throw fields.error(`there is no kind ${number} of references`)
  if (kind === 'object' && !isExternal) return { reference: { kind, address: decodeToken(fields) } }
  // The length of the object, which the object has too.
  fields.skip(4)
  const address = fields.address()
  const index = fields.u32()
  if (address === undefined || address === 0) return { reference: undefined }
  return { header: { kind, isExternal }, heap: { address, index } }
}

/** The rest of a reference, from a global heap. */
export function decodeNewReference(
  fields: FieldReader,
  { kind, isExternal }: NewReferenceHeader,
): NewReference {
  const address = decodeToken(fields)
  const target = { address, ...(isExternal && { file: decodeText(fields) }) }
  switch (kind) {
    case 'object':
      return { kind, ...target }
    case 'region':
      // The length of the selection, and the rank, which the selection has too.
      fields.skip(8)
      return { kind, ...target, selection: decodeSelection(fields, MAX_LISTED) }
    case 'attribute':
      return { kind, ...target, name: decodeText(fields) }
  }
}

/** The token of an object, which is its address in the native file format. */
function decodeToken(fields: FieldReader): number {
  const size = fields.u8()
  return fields.unsigned(size)
}

function decodeText(fields: FieldReader): Uint8Array {
  return fields.take(fields.u16())
}
