// Values of a contiguous dataset that are in other files, raw, one part after another (IV.A.2.h).

import type { AbortCheck } from '@hyperslab/base/bounded'
import type { ByteSource } from '../../byte-source.ts'
import { damaged } from '../../format/errors.ts'
import type { ExternalFiles } from '../../format/messages/external-files.ts'

/** A part of another file. */
export interface ExternalRange {
  readonly name: string
  readonly position: number
  /** Absent: unlimited. */
  readonly length?: number
  /** Opens the file, or throws an error that names it. */
  readonly open: () => Promise<ByteSource>
}

/**
 * A file beside this one, by the name that this one has for it. Throws an error that names it when it cannot be read.
 */
export type OpenSibling = (name: string) => Promise<ByteSource>

/** `nameAt`: the name at an offset in the heap of names. */
export function externalRanges(
  { pieces }: ExternalFiles,
  nameAt: (offset: number) => string,
  openSibling: OpenSibling,
): readonly ExternalRange[] {
  return pieces.map(({ nameOffset, position, length }) => {
    const name = nameAt(nameOffset)
    return { name, position, ...(length !== undefined && { length }), open: () => openSibling(name) }
  })
}

/**
 * Fills `target` with the bytes of the values from `position` on. Bytes beyond the end of a file are zero, as in
 * libhdf5.
 */
export async function readExternal(
  parts: readonly ExternalRange[],
  target: Uint8Array,
  position: number,
  signal?: AbortCheck,
): Promise<void> {
  const last = position + target.length
  let start = 0
  for (const part of parts) {
    const end = start + (part.length ?? Number.POSITIVE_INFINITY)
    const [from, to] = [Math.max(start, position), Math.min(end, last)]
    if (from < to) {
      signal?.throwIfAborted()
      const source = await part.open()
      const piece = target.subarray(from - position, to - position)
      piece.fill(0, await source.readInto(piece, part.position + from - start))
    }
    start = end
  }
  if (last <= start) return
  const rule = `the external files have ${start} bytes, and ${last} are needed`
  throw damaged('the list of external files', undefined, rule)
}
