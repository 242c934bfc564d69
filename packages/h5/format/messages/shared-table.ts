// The shared message table message (0x0f), in the superblock extension: the address of the table of the indexes of
// shared messages (file format specification, IV.A.2.p).

import type { FieldReader } from '../field-reader.ts'
import type { FieldWriter } from '../field-writer.ts'

export interface SharedTableMessage {
  readonly address: number
  readonly indexCount: number
}

export function decodeSharedTableMessage(fields: FieldReader): SharedTableMessage {
  fields.version([0])
  return { address: fields.definedAddress('the shared message table'), indexCount: fields.u8() }
}

export function encodeSharedTableMessage(
  writer: FieldWriter,
  { address, indexCount }: SharedTableMessage,
): void {
  writer.u8(0)
  writer.address(address)
  writer.u8(indexCount)
}
