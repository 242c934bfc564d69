// Messages of one kind in one file that were decoded last, by their bytes: most objects of a file have one of a few
// types, spaces and fill values, and what is derived from one is then derived once. Equal messages are one object in
// memory.

import { BoundedMap } from '../../../bounded/bounded-map.ts'
import { FieldReader, type Widths } from '../../format/field-reader.ts'
import { fnv1a } from './fnv.ts'

const MAX_MESSAGES = 1024
/** Longer messages are decoded again: their bytes would take as long to compare. */
const MAX_MESSAGE_LENGTH = 512

interface KnownMessage<T> {
  readonly body: Uint8Array
  readonly decoded: T
}

export class MessageCache<T> {
  readonly #structure: string
  readonly #decode: (fields: FieldReader) => T
  /** Messages by a hash of their bytes. */
  readonly #known = new BoundedMap<number, KnownMessage<T>>(MAX_MESSAGES)

  /** `structure`, with its article, for errors. */
  constructor(structure: string, decode: (fields: FieldReader) => T) {
    this.#structure = structure
    this.#decode = decode
  }

  /** `body` is that of the message at `address`. */
  decode(body: Uint8Array, widths: Widths, address: number): T {
    const hash = fnv1a(body, 0, Math.min(body.length, MAX_MESSAGE_LENGTH))
    const known = this.#known.get(hash)
    if (known && isEqual(known.body, body)) return known.decoded
    // A copy: what is decoded has views, which would keep a whole block of the file in memory.
    const copy = new Uint8Array(body)
    const decoded = this.#decode(new FieldReader(copy, widths, this.#structure, address))
    if (body.length <= MAX_MESSAGE_LENGTH) this.#known.set(hash, { body: copy, decoded })
    return decoded
  }
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false
  return true
}
