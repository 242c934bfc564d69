// The object reference count message (0x16): how many hard links lead to an object with a header of version 2. Absent:
// one (file format specification, IV.A.2.w).

import type { FieldWriter } from '../field-writer.ts'

export function encodeReferenceCount(writer: FieldWriter, count: number): void {
  writer.u8(0)
  writer.u32(count)
}
