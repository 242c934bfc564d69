// The metadata cache image message (0x18), in the superblock extension: a copy of metadata that may be newer than the
// metadata at its own address (file format specification, IV.A.2.y).

import type { FieldReader } from '../field-reader.ts'

export interface CacheImageMessage {
  /** Absent: there is no image. */
  readonly address?: number
  readonly length: number
}

export function decodeCacheImage(fields: FieldReader): CacheImageMessage {
  fields.version([0])
  const address = fields.address()
  return { ...(address !== undefined && { address }), length: fields.length() }
}
