// Records of version 2 B-trees (file format specification, III.A.2): types 1 and 2, the huge objects of a fractal heap;
// 5, the links of a group by name; 8, the attributes of an object by name. Links and attributes are messages in a
// fractal heap, so a record is a heap id and the sort key of its tree. Types 3, 4, 6, 7 and 9 lead to the same objects
// in other orders, and are not needed to read all of them. Types 10 and 11, chunks, are beside the other indexes of
// chunks.

import type { FieldReader } from '../field-reader.ts'

/** The location of a huge object of a fractal heap. */
export interface HugeObject {
  readonly address: number
  /** Bytes of the object as it is stored. */
  readonly length: number
  /** Present in a heap with filters. */
  readonly filtered?: {
    readonly mask: number
    /** The length before the filters. */
    readonly length: number
  }
}

/** Types 1 and 2, for heap ids that have no room for an address: `id` is in the heap id instead. */
export interface HugeObjectRecord extends HugeObject {
  readonly id: number
}

export const HUGE_OBJECTS = {
  type: 1,
  decode: (fields: FieldReader): HugeObjectRecord => ({ ...decodeHugeObject(fields), id: fields.length() }),
}

export const FILTERED_HUGE_OBJECTS = {
  type: 2,
  decode: (fields: FieldReader): HugeObjectRecord => ({
    ...decodeFilteredHugeObject(fields),
    id: fields.length(),
  }),
}

export function decodeHugeObject(fields: FieldReader): HugeObject {
  return { address: fields.definedAddress('a huge object'), length: fields.length() }
}

export function decodeFilteredHugeObject(fields: FieldReader): HugeObject {
  const { address, length } = decodeHugeObject(fields)
  return { address, length, filtered: { mask: fields.u32(), length: fields.length() } }
}

/** Type 5: the hash of the name (4 bytes), then the heap id of the link message, the rest of the record. */
export const LINK_NAMES = {
  type: 5,
  decode(fields: FieldReader, recordSize: number): Uint8Array {
    fields.skip(4)
    return fields.take(recordSize - 4)
  },
}

/** An attribute in dense storage. */
export interface AttributeRecord {
  readonly heapId: Uint8Array
  /** The flags of a message header: with bit 1 the heap id belongs to the heap of shared messages. */
  readonly flags: number
  readonly creationOrder: number
}

/** Type 8. After these fields comes the hash of the name. */
export const ATTRIBUTE_NAMES = {
  type: 8,
  decode: (fields: FieldReader): AttributeRecord => ({
    heapId: fields.take(8),
    flags: fields.u8(),
    creationOrder: fields.u32(),
  }),
}
