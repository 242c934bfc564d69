// Values as bytes, for types of fixed size: storage form is the wire's form, packed and in the declared byte order
// (classic 15.8), apart from the padding of space-padded strings.

import type { Datatype } from '../datatype/datatype.ts'
import { elementSize } from '../datatype/layout.ts'
import { endOfFixedText, isFixedString } from './text.ts'

/** The bytes with every fixed string NUL-padded, as the classic dialect requires; `data` itself if it has no others. */
export function toNullPadded(type: Datatype, data: Uint8Array): Uint8Array {
  if (!hasSpacePadding(type)) return data
  const padded = new Uint8Array(data)
  const size = elementSize(type)
  for (let offset = 0; offset < padded.length; offset += size) clearPadding(type, padded, offset)
  return padded
}

function hasSpacePadding(type: Datatype): boolean {
  switch (type.class) {
    case 'H5T_STRING':
      return isFixedString(type) && type.strPad === 'H5T_STR_SPACEPAD'
    case 'H5T_COMPOUND':
      return type.fields.some(field => hasSpacePadding(field.type))
    case 'H5T_ARRAY':
      return hasSpacePadding(type.base)
    default:
      return false
  }
}

function clearPadding(type: Datatype, bytes: Uint8Array, position: number): void {
  if (type.class === 'H5T_STRING' && isFixedString(type)) {
    bytes.fill(0, endOfFixedText(type, bytes, position), position + type.length)
  } else if (type.class === 'H5T_COMPOUND') {
    let offset = position
    for (const field of type.fields) {
      clearPadding(field.type, bytes, offset)
      offset += elementSize(field.type)
    }
  } else if (type.class === 'H5T_ARRAY') {
    const end = position + elementSize(type)
    for (let item = position; item < end; item += elementSize(type.base)) clearPadding(type.base, bytes, item)
  }
}
