// The fields of a structure of the file format, read one after another: little-endian, with a check at every step
// that they lie inside the structure, because the bytes may come from anywhere.

import { HyperslabError } from '../../src/errors.ts'

export interface Fields {
  /** Bytes that have not been read yet. */
  readonly left: number
  skip(count: number): void
  /** An unsigned integer of 1 to 8 bytes that a number can hold exactly. */
  unsigned(width: number): number
  /** An unsigned integer of 8 bytes, such as an address. */
  unsigned64(): bigint
  /** Eight bytes that must be an exact number: lengths. */
  number64(): number
  bytes(count: number): Uint8Array
  text(count: number): string
  /** `count` items of at least `width` bytes each; an impossible count is rejected before anything is allocated. */
  list<T>(count: number, width: number, item: () => T): T[]
}

export function fieldsOf(structure: Uint8Array): Fields {
  const view = new DataView(structure.buffer, structure.byteOffset, structure.byteLength)
  let position = 0

  function take(count: number): number {
    const start = position
    if (count < 0 || count > structure.length - position) {
      throw new HyperslabError(
        'file-unreadable',
        `${count} bytes are needed, ${structure.length - position} are left`,
      )
    }
    position += count
    return start
  }

  const fields: Fields = {
    get left() {
      return structure.length - position
    },
    skip(count) {
      take(count)
    },
    unsigned(width) {
      const start = take(width)
      let value = 0
      for (let index = width - 1; index >= 0; index--) value = value * 256 + view.getUint8(start + index)
      if (!Number.isSafeInteger(value))
        throw new HyperslabError('file-unreadable', `the number ${value} is too large`)
      return value
    },
    unsigned64: () => view.getBigUint64(take(8), true),
    number64: () => fields.unsigned(8),
    bytes(count) {
      const start = take(count)
      return structure.subarray(start, start + count)
    },
    text: count => String.fromCharCode(...fields.bytes(count)),
    list(count, width, item) {
      if (count * width > fields.left) {
        throw new HyperslabError('file-unreadable', `${count} items do not fit into ${fields.left} bytes`)
      }
      return Array.from({ length: count }, item)
    },
  }
  return fields
}
