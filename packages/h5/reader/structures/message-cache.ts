// Messages of one kind in one file: most objects of a file have one of a few types, spaces and fill values. Equal
// messages are one object in memory.

import { Interner } from '@hyperslab/base/bounded'
import { FieldReader, type Widths } from '../../format/field-reader.ts'

export class MessageCache<T> {
  readonly #structure: string
  readonly #decode: (fields: FieldReader) => T
  readonly #decoded = new Interner<T>()

  /** `structure`, with its article, for errors. */
  constructor(structure: string, decode: (fields: FieldReader) => T) {
    this.#structure = structure
    this.#decode = decode
  }

  /** `body` is that of the message at `address`. */
  decode(body: Uint8Array, widths: Widths, address: number): T {
    return this.#decoded.intern(body, copy =>
      this.#decode(new FieldReader(copy, widths, this.#structure, address)),
    )
  }
}
