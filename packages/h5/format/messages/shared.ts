// A shared message: the replacement of a message that is stored elsewhere (file format specification, IV.A.2 "shared
// message"). It may be the message of a committed datatype, or be in one of the file's heaps of shared messages.

import type { FieldReader } from '../field-reader.ts'
import type { FieldWriter } from '../field-writer.ts'

export type SharedMessage =
  /** The message is in the object header at `address`. */
  | { readonly kind: 'object'; readonly address: number }
  /** The message is in the fractal heap of the messages of its type. */
  | { readonly kind: 'heap'; readonly heapId: Uint8Array }

const IN_HEAP = 1
const IN_OBJECT_HEADER = 2

const HEAP_ID_SIZE = 8

export function decodeShared(fields: FieldReader): SharedMessage {
  const version = fields.version([1, 2, 3])
  const type = fields.u8()
  if (version === 1) {
    // The rest is a symbol table entry: a name's offset, as wide as lengths are, comes before the address
    // (H5Oshared.c).
    fields.skip(6)
    fields.length()
  }
  if (version === 3 && type === IN_HEAP) return { kind: 'heap', heapId: fields.take(HEAP_ID_SIZE) }
  if (version === 3 && type !== IN_OBJECT_HEADER) {
    throw fields.error(`a message cannot be shared in the way ${type}`)
  }
  return { kind: 'object', address: fields.definedAddress('the message') }
}

/** Version 3. */
export function encodeShared(writer: FieldWriter, shared: SharedMessage): void {
  writer.u8(3)
  if (shared.kind === 'heap') {
    writer.u8(IN_HEAP)
    writer.put(shared.heapId)
  } else {
    writer.u8(IN_OBJECT_HEADER)
    writer.address(shared.address)
  }
}
