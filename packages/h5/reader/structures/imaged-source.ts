// A file with its metadata cache image: the structures of the image replace the bytes at their addresses.

import type { ByteRange } from '@hyperslab/base/bounded'
import { firstIndex } from '@hyperslab/model/dataset'
import type { ByteSource } from '../../byte-source.ts'
import type { CacheImageEntry } from '../../format/cache-image.ts'
import { damaged } from '../../format/errors.ts'

/** Addresses count from `base`. An entry that is beyond the file, or in another one, is damage. */
export function imagedSource(
  source: ByteSource,
  base: number,
  image: readonly CacheImageEntry[],
): ByteSource {
  const entries = image
    .map(({ address, bytes }) => ({ position: base + address, bytes }))
    .sort((a, b) => a.position - b.position)
  let end = 0
  for (const { position, bytes } of entries) {
    if (position < end)
      throw damaged('the metadata cache image', position - base, 'two entries overlap there')
    end = position + bytes.length
  }
  if (end > source.size) {
    throw damaged('the metadata cache image', undefined, `an entry ends at ${end}, beyond the file`)
  }
  const imaged = ({ position: start, length }: ByteRange, stored: Uint8Array): Uint8Array => {
    let bytes = stored
    const first = firstIndex(entries, ({ position, bytes }) => position + bytes.length > start)
    for (let index = first; index < entries.length; index++) {
      const entry = entries[index]
      if (entry.position >= start + length) break
      if (bytes === stored) bytes = stored.slice()
      const skipped = Math.max(0, start - entry.position)
      const from = Math.max(0, entry.position - start)
      bytes.set(entry.bytes.subarray(skipped, skipped + bytes.length - from), from)
    }
    return bytes
  }
  return {
    size: source.size,
    stamp: source.stamp,
    async read(ranges, signal) {
      const pieces = await source.read(ranges, signal)
      return pieces.map((piece, index) => imaged(ranges[index], piece))
    },
    // Values are not in the image.
    readInto: (target, position, signal) => source.readInto(target, position, signal),
  }
}
