// The form of elements with parts of variable size as bytes on the wire (hsds-values 14): one after another, members in
// order, a variable part as the count of its bytes (int32, little-endian) and the bytes. Their parts in storage form
// are found here once per type; binary-reader.ts and binary-writer.ts follow them.

import { type Datatype, elementSize, isVariableSize } from '@hyperslab/model/datatype'

/** A part of the packed element, `offset` bytes from its beginning. */
export type BinaryPart =
  | { readonly kind: 'fixed'; readonly offset: number; readonly size: number }
  | { readonly kind: 'text' | 'region'; readonly offset: number }
  | { readonly kind: 'sequence'; readonly offset: number; readonly baseSize: number }

export interface BinaryLayout {
  readonly size: number
  readonly parts: readonly BinaryPart[]
  /**
   * Big-endian numbers that are little-endian in requests (rule 6): the plain members of a compound that has a part of
   * variable size, those of compounds in it too. Answers keep the declared order, and so do arrays and sequences.
   */
  readonly swapped: readonly { readonly offset: number; readonly size: number }[]
  /** Zero bytes after the last element, for each element (rule 5): four per array member of variable parts. */
  readonly tail: number
}

/** False for sequences whose elements are of variable size themselves: the layout has no form for them (12.6). */
export function hasBinaryForm(type: Datatype): boolean {
  switch (type.class) {
    case 'H5T_COMPOUND':
      return type.fields.every(field => hasBinaryForm(field.type))
    case 'H5T_ARRAY':
      return hasBinaryForm(type.base)
    case 'H5T_VLEN':
      return !isVariableSize(type.base)
    default:
      return true
  }
}

/** The layout of a type that has a binary form. */
export function binaryLayout(type: Datatype): BinaryLayout {
  const parts: BinaryPart[] = []
  collectParts(type, 0, parts)
  const isMixed = type.class === 'H5T_COMPOUND' && isVariableSize(type)
  const swapped = isMixed ? bigEndianNumbers(type, 0) : []
  return { size: elementSize(type), parts, swapped, tail: 4 * arrayMembers(type) }
}

function collectParts(type: Datatype, offset: number, parts: BinaryPart[]): void {
  if (!isVariableSize(type)) {
    const size = elementSize(type)
    const last = parts.at(-1)
    if (last?.kind === 'fixed') parts[parts.length - 1] = { ...last, size: last.size + size }
    else parts.push({ kind: 'fixed', offset, size })
  } else if (type.class === 'H5T_COMPOUND') {
    let position = offset
    for (const field of type.fields) {
      collectParts(field.type, position, parts)
      position += elementSize(field.type)
    }
  } else if (type.class === 'H5T_ARRAY') {
    const end = offset + elementSize(type)
    for (let index = offset; index < end; index += elementSize(type.base))
      collectParts(type.base, index, parts)
  } else if (type.class === 'H5T_VLEN') {
    parts.push({ kind: 'sequence', offset, baseSize: elementSize(type.base) })
  } else {
    parts.push({ kind: type.class === 'H5T_STRING' ? 'text' : 'region', offset })
  }
}

function bigEndianNumbers(type: Datatype, offset: number): { offset: number; size: number }[] {
  if (type.class === 'H5T_COMPOUND') {
    let position = offset
    return type.fields.flatMap(field => {
      const found = bigEndianNumbers(field.type, position)
      position += elementSize(field.type)
      return found
    })
  }
  const number = type.class === 'H5T_ENUM' ? type.base : type
  const isBigEndian = 'order' in number && number.order === 'BE' && number.size > 1
  return isBigEndian ? [{ offset, size: number.size }] : []
}

/** Members of a compound, and of compounds in it, that are arrays of parts of variable size. */
function arrayMembers(type: Datatype): number {
  if (type.class !== 'H5T_COMPOUND') return 0
  return type.fields.reduce((count, { type }) => {
    return count + (type.class === 'H5T_ARRAY' && isVariableSize(type) ? 1 : arrayMembers(type))
  }, 0)
}
