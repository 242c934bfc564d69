// The attribute message (0x0c), versions 1 to 3: a name, a type, a space and the data (file format specification,
// IV.A.2.m).

import type { CharacterSet } from '@hyperslab/model/datatype'
import type { FieldReader } from '../field-reader.ts'
import type { FieldWriter } from '../field-writer.ts'
import { decodeCharacterSet } from './link.ts'

/** A datatype or dataspace message within an attribute. */
export interface AttributePart {
  /** A shared message (shared.ts) represents it. */
  readonly shared: boolean
  readonly body: Uint8Array
}

export interface AttributeMessage {
  /** Bytes that should be UTF-8 (names.ts). */
  readonly name: Uint8Array
  readonly characterSet: CharacterSet
  readonly type: AttributePart
  readonly space: AttributePart
  /** The rest of the message: the elements, and perhaps padding after them. */
  readonly data: Uint8Array
  /** The creation order if the object tracks it, from the header of the message or from the index that led to it. */
  readonly creationOrder?: number
}

const TYPE_SHARED = 1
const SPACE_SHARED = 2

export function decodeAttribute(fields: FieldReader, creationOrder?: number): AttributeMessage {
  const version = fields.version([1, 2, 3])
  // A reserved byte in version 1.
  const flags = fields.u8() & (version === 1 ? 0 : TYPE_SHARED | SPACE_SHARED)
  const nameSize = fields.u16()
  const typeSize = fields.u16()
  const spaceSize = fields.u16()
  const characterSet = decodeCharacterSet(fields, version === 3 ? fields.u8() : 0)
  const alignment = version === 1 ? 8 : 1
  const name = decodeAttributeName(fields, nameSize)
  fields.align(alignment)
  const type = { shared: (flags & TYPE_SHARED) !== 0, body: fields.take(typeSize) }
  fields.align(alignment)
  const space = { shared: (flags & SPACE_SHARED) !== 0, body: fields.take(spaceSize) }
  fields.align(alignment)
  const data = fields.take(fields.left)
  return { name, characterSet, type, space, data, ...(creationOrder !== undefined && { creationOrder }) }
}

/** The size counts the NUL at the end. */
function decodeAttributeName(fields: FieldReader, size: number): Uint8Array {
  const bytes = fields.take(size)
  if (size < 2 || bytes.indexOf(0) !== size - 1) {
    throw fields.error(`the name of an attribute does not have the ${size} bytes that it should have`)
  }
  return bytes.subarray(0, -1)
}

/** Version 3. */
export function encodeAttribute(writer: FieldWriter, attribute: AttributeMessage): void {
  const { name, characterSet, type, space, data } = attribute
  writer.u8(3)
  writer.u8((type.shared ? TYPE_SHARED : 0) | (space.shared ? SPACE_SHARED : 0))
  writer.u16(name.length + 1)
  writer.u16(type.body.length)
  writer.u16(space.body.length)
  writer.u8(characterSet === 'H5T_CSET_UTF8' ? 1 : 0)
  writer.put(name)
  writer.u8(0)
  for (const bytes of [type.body, space.body, data]) writer.put(bytes)
}
