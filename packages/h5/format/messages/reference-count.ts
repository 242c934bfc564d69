// The object reference count message (0x16): how many hard links lead to an object with a header of version 2. Absent:
// one (file format specification, IV.A.2.w).

import type { FieldReader } from '../field-reader.ts'
import type { FieldWriter } from '../field-writer.ts'

export function decodeReferenceCount(fields: FieldReader): number {
  fields.version([0])
  return fields.u32()
}

export function encodeReferenceCount(writer: FieldWriter, count: number): void {
  writer.u8(0)
  writer.u32(count)
}
