// A collection of the global heap (file format specification, III.E): objects of any length, which elements of variable
// size, region references and virtual layouts name by the collection's address and an index. Headers, of the collection
// and of each object, are rounded up to 8 bytes, whatever the width of lengths (H5HGpkg.h).

import { ALIGNMENT, roundUp } from '../alignment.ts'
import { FieldReader, type Widths } from '../field-reader.ts'
import { FieldWriter } from '../field-writer.ts'

const STRUCTURE = 'the global heap collection'
const SIGNATURE = 'GCOL'

/** The size of libhdf5's smallest collections (H5HG_MINSIZE). Other writers make smaller ones, which libhdf5 reads. */
export const MIN_COLLECTION_SIZE = 4096

/** Names an object of the global heap. */
export interface GlobalHeapReference {
  readonly address: number
  readonly index: number
}

export function globalHeapPrefixSize({ lengths }: Widths): number {
  return roundUp(8 + lengths)
}

/** The size of the whole collection. `bytes`: at least its prefix. */
export function decodeCollectionSize(bytes: Uint8Array, widths: Widths, address: number): number {
  const fields = new FieldReader(bytes, widths, STRUCTURE, address)
  fields.expectSignature(SIGNATURE)
  fields.version([1])
  fields.skip(3)
  const size = fields.length()
  const needed = globalHeapPrefixSize(widths)
  if (size < needed) throw fields.error(`it has ${size} bytes, and its prefix takes ${needed}`)
  return size
}

export interface GlobalHeapCollection {
  readonly size: number
  /** The bytes of the object: a view that must not be changed. Undefined: there is no object of this index. */
  object(index: number): Uint8Array | undefined
}

/** `bytes`: the whole collection. */
export function decodeCollection(bytes: Uint8Array, widths: Widths, address: number): GlobalHeapCollection {
  const fields = new FieldReader(bytes, widths, STRUCTURE, address)
  fields.skip(globalHeapPrefixSize(widths))
  const headerSize = objectHeaderSize(widths)
  /** The beginning of the bytes of each object. */
  const starts = new Map<number, number>()
  // Remaining bytes that are too few for a header are free space.
  while (fields.left >= headerSize) {
    const index = fields.u16()
    // Object 0 is the free space at the end.
    if (index === 0) break
    if (starts.has(index)) throw fields.error(`it has two objects of index ${index}`)
    // The reference count, and reserved bytes.
    fields.skip(6)
    const length = fields.length()
    fields.align(ALIGNMENT)
    starts.set(index, fields.position)
    fields.skip(length)
    fields.skip(Math.min(fields.left, roundUp(length) - length))
  }
  return {
    size: bytes.length,
    object(index) {
      const start = starts.get(index)
      if (start === undefined) return undefined
      // Checked above; a FieldReader for each of a million objects would take longer than all the rest.
      const lengthStart = start - headerSize + 8
      let length = 0
      for (let at = lengthStart + widths.lengths - 1; at >= lengthStart; at--)
        length = length * 256 + bytes[at]
      return bytes.subarray(start, start + length)
    },
  }
}

export interface GlobalHeapObject {
  readonly index: number
  readonly referenceCount: number
  readonly bytes: Uint8Array
}

/** The bytes of a collection that an object of `length` bytes takes. */
export function globalHeapObjectSize(length: number, widths: Widths): number {
  return objectHeaderSize(widths) + roundUp(length)
}

/** `size`: of the whole collection, a multiple of 8; the bytes after the objects are free space. */
export function encodeCollection(
  objects: readonly GlobalHeapObject[],
  size: number,
  widths: Widths,
): Uint8Array {
  const writer = new FieldWriter(widths)
  writer.signature(SIGNATURE)
  writer.u8(1)
  writer.zeros(3)
  writer.length(size)
  writer.align(ALIGNMENT)
  for (const { index, referenceCount, bytes } of objects) {
    putObjectHeader(writer, index, referenceCount, bytes.length)
    writer.put(bytes)
    writer.align(ALIGNMENT)
  }
  const free = size - writer.position
  // The length of the free space includes its header.
  if (free >= objectHeaderSize(widths)) putObjectHeader(writer, 0, 0, free)
  writer.zeros(size - writer.position)
  return writer.bytes
}

function putObjectHeader(writer: FieldWriter, index: number, referenceCount: number, length: number): void {
  writer.u16(index)
  writer.u16(referenceCount)
  writer.zeros(4)
  writer.length(length)
  writer.align(ALIGNMENT)
}

function objectHeaderSize({ lengths }: Widths): number {
  return roundUp(8 + lengths)
}
