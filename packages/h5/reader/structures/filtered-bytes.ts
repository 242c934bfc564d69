// Bytes of a file that went through a filter pipeline, decoded.

import { HyperslabError } from '@hyperslab/base/errors'
import { codecOf } from '../../filters/codecs.ts'
import { decodeChunk } from '../../filters/pipeline.ts'
import { damaged } from '../../format/errors.ts'
import type { FilterDescription } from '../../format/messages/filters.ts'

/**
 * The `length` bytes before the filters. `structure`, with its article, and `address` are for the message of an error.
 */
export async function decodeFiltered(
  filters: readonly FilterDescription[],
  { bytes, mask }: { readonly bytes: Uint8Array; readonly mask: number },
  length: number,
  structure: string,
  address: number,
): Promise<Uint8Array> {
  for (const [index, { id, name }] of filters.entries()) {
    const isApplied = ((mask >>> index) & 1) === 0
    if (!isApplied || codecOf(id)) continue
    const filter = name === '' ? `filter ${id}` : `filter ${id} (${name})`
    throw new HyperslabError(
      'type-unsupported',
      `${structure} was encoded with ${filter}, which is not available`,
    )
  }
  try {
    return await decodeChunk(filters, { bytes, mask }, length)
  } catch (cause) {
    throw damaged(structure, address, cause instanceof Error ? cause.message : String(cause))
  }
}
