// The external data files message (0x07, IV.A.2.h): the values of a contiguous dataset are in other files, one piece
// after another.

import type { FieldReader } from '../field-reader.ts'

export interface ExternalFiles {
  /** The local heap that has the names. */
  readonly heap: number
  readonly pieces: readonly ExternalPiece[]
}

export interface ExternalPiece {
  /** The offset of the name in the heap. */
  readonly nameOffset: number
  /** The position of the values in the other file. */
  readonly position: number
  /** Absent: unlimited. */
  readonly length?: number
}

export function decodeExternalFiles(fields: FieldReader): ExternalFiles {
  fields.version([1])
  fields.skip(3)
  const allocated = fields.u16()
  const used = fields.u16()
  if (used > allocated) throw fields.error(`${used} files are used of ${allocated}`)
  const heap = fields.definedAddress('the heap of names')
  const pieces = fields.list(used, 3 * fields.widths.lengths, () => {
    const [nameOffset, position, length] = [fields.length(), fields.length(), fields.lengthOrUnlimited()]
    return { nameOffset, position, ...(length !== undefined && { length }) }
  })
  return { heap, pieces }
}
