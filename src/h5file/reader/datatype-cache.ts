// The datatypes of one file that were decoded last, by the bytes of their messages: most objects of a file have one of a few
// types, and what is derived from a type (types.ts) is then derived once.

import { BoundedMap } from '../../bounded-map.ts'
import { decodeDatatype } from '../format/datatype.ts'
import { FieldReader, type Widths } from '../format/field-reader.ts'
import type { FileType } from '../format/file-type.ts'

const MAX_TYPES = 1024
/** Longer messages are decoded again: their bytes would take as long to compare. */
const MAX_MESSAGE_LENGTH = 512

export class DatatypeCache {
  readonly #types = new BoundedMap<string, FileType>(MAX_TYPES)

  /** `body` is that of the message at `address`. */
  decode(body: Uint8Array, widths: Widths, address: number): FileType {
    const decode = (bytes: Uint8Array) =>
      decodeDatatype(new FieldReader(bytes, widths, 'the datatype', address))
    if (body.length > MAX_MESSAGE_LENGTH) return decode(body)
    const key = Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1')
    const known = this.#types.get(key)
    if (known) return known
    // A copy: names in the type are views, which would keep a whole block of the file in memory.
    const type = decode(new Uint8Array(body))
    this.#types.set(key, type)
    return type
  }
}
