// The shared message table message (0x0f), in the superblock extension: the address of the table of the indexes of
// shared messages (file format specification, IV.A.2.p).

import type { FieldReader } from '../field-reader.ts'

export interface SharedTableMessage {
  readonly address: number
  readonly indexCount: number
}

export function decodeSharedTableMessage(fields: FieldReader): SharedTableMessage {
  fields.version([0])
  return { address: fields.definedAddress('the shared message table'), indexCount: fields.u8() }
}
