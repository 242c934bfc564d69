// Elements in storage form: packed bytes and, for types with parts of variable size, a heap.
//
// `data` holds `count` elements of `elementSize(type)` bytes. A variable part is an 8-byte slot in `data`: offset and
// length in bytes (unsigned 32-bit, little-endian) of its bytes in `heap`; length 0 is the empty value (slots.ts). The
// heap bytes of a sequence are its packed base elements, which may hold slots into the same heap.

import { HyperslabError } from '@hyperslab/base/errors'
import type { Datatype } from '../datatype/datatype.ts'
import { elementSize } from '../datatype/layout.ts'

export interface Elements {
  readonly count: number
  readonly data: Uint8Array
  /** Empty for types of fixed size. */
  readonly heap: Uint8Array
  /** References of a file are null among them because their objects are not in it or cannot be read. Absent: none. */
  readonly hasLostReferences?: true
}

/** One element that represents `count` equal ones. */
export interface RepeatedElement {
  readonly count: number
  readonly element: Elements
}

/**
 * A piece of values that are read or written: elements, or one that is repeated. In a write, a repeated element is the
 * only piece.
 */
export type Piece = Elements | RepeatedElement

/**
 * Bytes of one string or sequence, and of the JSON of one element: each is in memory as a whole.
 * @limit memory, bytes
 */
export const MAX_ELEMENT_BYTES = 64 << 20

/**
 * Throws unless values of the type can be stored and read: each element is in memory as a whole. A dataset may be of a
 * type with longer elements, as long as it holds none.
 */
export function requireHeldElements(type: Datatype): void {
  const size = elementSize(type)
  if (size <= MAX_ELEMENT_BYTES) return
  throw new HyperslabError(
    'element-too-large',
    `elements of ${size} bytes can be neither stored nor read, the limit is ${MAX_ELEMENT_BYTES} bytes: store ` +
      'each as several elements',
  )
}

export const EMPTY_HEAP = new Uint8Array(0)

export function copyElements({ count, data, heap }: Elements): Elements {
  return { count, data: data.slice(), heap: heap.slice() }
}

/** Elements that are in memory as a whole, as the only piece of a value. */
export async function* singlePiece(elements: Elements): AsyncGenerator<Elements> {
  yield elements
}
