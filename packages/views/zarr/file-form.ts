// The description in Zarr 2 of chunks as they are in an HDF5 file, for references to them. If numcodecs has no name for
// the filters, the references name the chunks of the Zarr view.

import { SNAPPY_NUMBER } from '@hyperslab/h5/filters'
import type { Filter } from '@hyperslab/model/dataset'
import { isJsonList, type JsonOutput } from '@hyperslab/model/json'

export interface FileForm {
  /** Members of the document that replace those in the view. Absent: a chunk of the view has the same form. */
  readonly codecs?: { readonly compressor: JsonOutput; readonly filters: JsonOutput }
  /** Bytes at the end of each chunk that are not part of it. */
  readonly checksumLength: number
}

const DEFLATE_ID = 1
const SHUFFLE_ID = 2
const FLETCHER32_ID = 3
const BLOSC_ID = 32001
const ZSTD_ID = 32015

/** The decoder of each compressor, whatever the level of compression. */
const COMPRESSORS: ReadonlyMap<number | undefined, JsonOutput> = new Map<number | undefined, JsonOutput>([
  [undefined, null],
  [DEFLATE_ID, { id: 'zlib', level: 1 }],
  [ZSTD_ID, { id: 'zstd', level: 1 }],
])

const CHECKSUM_LENGTH = 4
/** The index of the compressor in the client data of Blosc. */
const BLOSC_COMPRESSOR = 6

/** Undefined: numcodecs has no names for the filters. `size`: of an element. */
export function fileForm(filters: readonly Filter[], size: number): FileForm | undefined {
  if (filters.length === 0) return { checksumLength: 0 }
  const hasChecksum = filters.at(-1)?.id === FLETCHER32_ID
  const [first, ...others] = hasChecksum ? filters.slice(0, -1) : filters
  const checksumLength = hasChecksum ? CHECKSUM_LENGTH : 0
  if (first?.id === BLOSC_ID && others.length === 0) {
    // Builds of c-blosc lack Snappy.
    return bloscCompressor(first) === SNAPPY_NUMBER ? undefined : { checksumLength }
  }
  const isShuffled = first?.id === SHUFFLE_ID
  const [last, ...more] = isShuffled ? others : [first, ...others]
  const compressor = COMPRESSORS.get(last?.id)
  if (more.length > 0 || compressor === undefined) return undefined
  const shuffle = isShuffled ? [{ id: 'shuffle', elementsize: size }] : null
  return { codecs: { compressor, filters: shuffle }, checksumLength }
}

function bloscCompressor({ json }: Filter): unknown {
  const parameters = json.get('parameters')
  return isJsonList(parameters) ? parameters[BLOSC_COMPRESSOR] : undefined
}
