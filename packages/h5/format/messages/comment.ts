// The object comment message (0x0d): a string for people (file format specification, IV.A.2.n).

import type { FieldReader } from '../field-reader.ts'
import { decodeName } from './names.ts'

export function decodeComment(fields: FieldReader): string {
  return decodeName(fields.takeTerminated()).text
}
