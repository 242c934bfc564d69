// The modification time of an object with a header of version 1: message 0x12, and 0x0e of the first files (file format
// specification, IV.A.2.s and IV.A.2.o). In seconds since 1970, UTC.

import type { FieldReader } from '../field-reader.ts'

export function decodeModificationTime(fields: FieldReader): number {
  fields.version([1])
  fields.skip(3)
  return fields.u32()
}

/** Digits of year, month, day, hour, minute and second. */
export function decodeOldModificationTime(fields: FieldReader): number {
  const text = String.fromCharCode(...fields.take(14))
  const digits = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text)
  if (!digits) throw fields.error('its digits are not a date')
  const [year, month, day, hour, minute, second] = digits.slice(1).map(Number)
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000
}
