// Values of a contiguous dataset that are in other files, raw, one part after another (IV.A.2.h).

import { type ByteRange, type ByteSource, readRange } from '../byte-source.ts'
import { damaged } from '../format/errors.ts'
import type { ExternalFiles } from '../format/messages/external-files.ts'

/** A part of another file. */
export interface ExternalRange {
  readonly name: string
  readonly position: number
  /** Absent: unlimited. */
  readonly length?: number
  /** Opens the file, or throws an error that names it. */
  readonly open: () => Promise<ByteSource>
}

/** A file beside this one, by the name that this one has for it. Throws an error that names it when it cannot be read. */
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

/** Ranges of the values. What a file is too short for is zero, as in libhdf5; a missing file is an error. */
export async function readExternal(
  parts: readonly ExternalRange[],
  ranges: readonly ByteRange[],
  signal?: AbortSignal,
): Promise<readonly Uint8Array[]> {
  return Promise.all(
    ranges.map(async ({ position, length }) => {
      const bytes = new Uint8Array(length)
      let start = 0
      for (const part of parts) {
        const end = start + (part.length ?? Number.POSITIVE_INFINITY)
        const [from, to] = [Math.max(start, position), Math.min(end, position + length)]
        if (from < to) {
          signal?.throwIfAborted()
          const source = await part.open()
          bytes.set(await readRange(source, part.position + from - start, to - from), from - position)
        }
        start = end
      }
      if (position + length > start) {
        const rule = `the external files have ${start} bytes, and ${position + length} are needed`
        throw damaged('the list of external files', undefined, rule)
      }
      return bytes
    }),
  )
}
