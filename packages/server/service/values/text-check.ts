// Whether stored text is UTF-8: strings that were not written as text may have any bytes.

import { type Datatype, elementSize, includesType } from '@hyperslab/model/datatype'
import {
  type Elements,
  endOfFixedText,
  endOfUtf8,
  isFixedString,
  runAtOnce,
  slotLength,
  slotStart,
} from '@hyperslab/model/values'

export function hasText(type: Datatype): boolean {
  return includesType(type, ({ class: name }) => name === 'H5T_STRING')
}

/** True when every string of the elements is UTF-8. */
export function isAllUtf8(type: Datatype, elements: Elements): boolean {
  return runAtOnce(isAllUtf8InSteps(type, elements))
}

/** The same in steps. Of equal elements that follow one another only one is checked. */
export function* isAllUtf8InSteps(type: Datatype, { count, data, heap }: Elements): Generator<void, boolean> {
  if (!hasText(type)) return true
  const size = elementSize(type)
  for (let i = 0; i < count; i++) {
    const offset = i * size
    if (i > 0 && hasSameBytes(data, offset - size, offset, size)) continue
    const long: Text[] = []
    if (!isUtf8At(type, data, offset, heap, long)) return false
    for (const text of long) if (!(yield* isUtf8InSteps(text))) return false
    if (i % STEP_ELEMENTS === 0) yield
  }
  return true
}

/** Elements, and bytes of a long string, that are checked in one step. */
const STEP_ELEMENTS = 16
const STEP_BYTES = 1 << 16

/** A long string, which is checked in steps, after the short ones of its element. */
interface Text {
  readonly bytes: Uint8Array
  readonly from: number
  readonly to: number
}

function* isUtf8InSteps({ bytes, from, to }: Text): Generator<void, boolean> {
  for (let offset = from; offset < to; ) {
    const end = endOfUtf8(bytes, offset, Math.min(to, offset + STEP_BYTES))
    // A character on the border is checked again in the next step, from its first byte.
    if (end === offset) return false
    offset = end
    yield
  }
  return true
}

function isUtf8(bytes: Uint8Array, from: number, to: number, long: Text[]): boolean {
  if (to - from <= STEP_BYTES) return endOfUtf8(bytes, from, to) === to
  long.push({ bytes, from, to })
  return true
}

/** Whether two elements have the same packed bytes: then they are equal, since their slots have the same targets. */
function hasSameBytes(bytes: Uint8Array, a: number, b: number, length: number): boolean {
  for (let i = 0; i < length; i++) if (bytes[a + i] !== bytes[b + i]) return false
  return true
}

/** Whether the short strings of an element are UTF-8; long ones are left to the caller. */
function isUtf8At(
  type: Datatype,
  bytes: Uint8Array,
  position: number,
  heap: Uint8Array,
  long: Text[],
): boolean {
  switch (type.class) {
    case 'H5T_STRING': {
      if (isFixedString(type)) {
        return isUtf8(bytes, position, endOfFixedText(type, bytes, position), long)
      }
      const start = slotStart(bytes, position)
      return isUtf8(heap, start, start + slotLength(bytes, position), long)
    }
    case 'H5T_COMPOUND': {
      let offset = position
      for (const field of type.fields) {
        if (!isUtf8At(field.type, bytes, offset, heap, long)) return false
        offset += elementSize(field.type)
      }
      return true
    }
    case 'H5T_ARRAY':
      return areUtf8(type.base, bytes, position, position + elementSize(type), heap, long)
    case 'H5T_VLEN': {
      const start = slotStart(bytes, position)
      return areUtf8(type.base, heap, start, start + slotLength(bytes, position), heap, long)
    }
    default:
      return true
  }
}

/** The elements from `offset` to `to`. */
function areUtf8(
  type: Datatype,
  bytes: Uint8Array,
  from: number,
  to: number,
  heap: Uint8Array,
  long: Text[],
): boolean {
  if (!hasText(type)) return true
  const size = elementSize(type)
  for (let offset = from; offset < to; offset += size)
    if (!isUtf8At(type, bytes, offset, heap, long)) return false
  return true
}
