// Whether stored text is UTF-8: the bytes of strings may be anything when they were not written as text.

import type { Datatype } from '../datatype/datatype.ts'
import { elementSize, includesType } from '../datatype/layout.ts'
import type { Elements } from './elements.ts'
import { slotLength, slotStart } from './slots.ts'
import { endOfFixedText, endOfUtf8, isFixedString } from './text.ts'

export function hasText(type: Datatype): boolean {
  return includesType(type, ({ class: name }) => name === 'H5T_STRING')
}

/** True when every string of the elements is UTF-8. Of equal elements that follow one another one is looked at. */
export function isAllUtf8(type: Datatype, { count, data, heap }: Elements): boolean {
  if (!hasText(type)) return true
  const size = elementSize(type)
  for (let i = 0; i < count; i++) {
    const at = i * size
    if (i > 0 && isSame(data, at - size, at, size)) continue
    if (!isUtf8At(type, data, at, heap)) return false
  }
  return true
}

/** Elements with the same packed bytes are the same: their slots share what they point to. */
function isSame(bytes: Uint8Array, a: number, b: number, length: number): boolean {
  for (let i = 0; i < length; i++) if (bytes[a + i] !== bytes[b + i]) return false
  return true
}

function isUtf8At(type: Datatype, bytes: Uint8Array, at: number, heap: Uint8Array): boolean {
  switch (type.class) {
    case 'H5T_STRING': {
      if (isFixedString(type)) {
        const end = endOfFixedText(type, bytes, at)
        return endOfUtf8(bytes, at, end) === end
      }
      const start = slotStart(bytes, at)
      const end = start + slotLength(bytes, at)
      return endOfUtf8(heap, start, end) === end
    }
    case 'H5T_COMPOUND': {
      let offset = at
      for (const field of type.fields) {
        if (!isUtf8At(field.type, bytes, offset, heap)) return false
        offset += elementSize(field.type)
      }
      return true
    }
    case 'H5T_ARRAY':
      return areUtf8(type.base, bytes, at, at + elementSize(type), heap)
    case 'H5T_VLEN': {
      const start = slotStart(bytes, at)
      return areUtf8(type.base, heap, start, start + slotLength(bytes, at), heap)
    }
    default:
      return true
  }
}

/** The elements between two places. */
function areUtf8(type: Datatype, bytes: Uint8Array, from: number, to: number, heap: Uint8Array): boolean {
  if (!hasText(type)) return true
  const size = elementSize(type)
  for (let at = from; at < to; at += size) if (!isUtf8At(type, bytes, at, heap)) return false
  return true
}
