// The datatypes of one file that were decoded last, by the bytes of their messages: most objects of a file have one of a few
// types, and what is derived from a type (types.ts) is then derived once.

import { BoundedMap } from '../../bounded-map.ts'
import { decodeDatatype } from '../format/datatype.ts'
import { FieldReader, type Widths } from '../format/field-reader.ts'
import type { FileType } from '../format/file-type.ts'

const MAX_TYPES = 1024
/** Longer messages are decoded again: their bytes would take as long to compare. */
const MAX_MESSAGE_LENGTH = 512

interface KnownType {
  readonly body: Uint8Array
  readonly type: FileType
}

export class DatatypeCache {
  /** By a hash of the bytes. */
  readonly #types = new BoundedMap<number, KnownType>(MAX_TYPES)

  /** `body` is that of the message at `address`. */
  decode(body: Uint8Array, widths: Widths, address: number): FileType {
    const hash = hashOf(body)
    const known = this.#types.get(hash)
    if (known && isEqual(known.body, body)) return known.type
    // A copy: names in the type are views, which would keep a whole block of the file in memory.
    const copy = new Uint8Array(body)
    const type = decodeDatatype(new FieldReader(copy, widths, 'the datatype', address))
    if (body.length <= MAX_MESSAGE_LENGTH) this.#types.set(hash, { body: copy, type })
    return type
  }
}

/** FNV-1a, of the beginning. */
function hashOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5
  const end = Math.min(bytes.length, MAX_MESSAGE_LENGTH)
  for (let at = 0; at < end; at++) hash = Math.imul(hash ^ bytes[at], 0x01000193)
  return hash
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false
  return true
}
