// The filters of a dataset, one after another over the bytes of a chunk. Bit i of a chunk's mask is set when filter i
// was not applied to it, as in an .h5 file; the order and the numbers are those of the list that was declared, so that
// filters which are not available, or were not when the chunk was written, are skipped in the same way. A chunk of a
// file may have gone through a filter that is not available: its bytes are kept as they are.

import type { Filter } from '@hyperslab/model/dataset'
import { isVariableSize } from '@hyperslab/model/datatype'
import { areEqualBytes, plainBytes } from '@hyperslab/model/values'
import { codecOf } from './codecs.ts'
import { type ChunkForm, type ClientData, type FilterCodec, MAX_FILTERS } from './filter.ts'

/** A filter of a pipeline. Plain data: it can be sent to a thread. */
interface Step {
  readonly id: number
  /** Absent: never applied. */
  readonly clientData?: ClientData
}

export type Pipeline = readonly Step[]

export interface EncodedChunk {
  readonly bytes: Uint8Array
  readonly mask: number
}

/** The pipeline of a list of filters; undefined: no chunk here has gone through any of them. */
export function pipelineOf(filters: readonly Filter[], chunk: ChunkForm): Pipeline | undefined {
  const steps = filters.slice(0, MAX_FILTERS).map(filter => stepOf(filter, chunk))
  const isUsed = steps.some(({ clientData }) => clientData !== undefined)
  return isUsed || (!isVariableSize(chunk.type) && hasUnavailable(steps)) ? steps : undefined
}

/** Whether chunks may have gone, elsewhere, through a filter that is not available here. */
export function hasUnavailable(filters: readonly Pick<Filter, 'id'>[]): boolean {
  return filters.some(({ id }) => !codecOf(id))
}

/** The filter that a chunk went through and that is not available: the chunk is kept, and cannot be decoded. */
export function unavailableFilter(pipeline: readonly Pick<Filter, 'id'>[], mask: number): number | undefined {
  return pipeline.find(({ id }, i) => !((mask >>> i) & 1) && !codecOf(id))?.id
}

/** Whether a chunk went through a filter that is not available. */
export function isUndecodable(pipeline: readonly Pick<Filter, 'id'>[], mask: number): boolean {
  return unavailableFilter(pipeline, mask) !== undefined
}

function stepOf({ id, json }: Filter, chunk: ChunkForm): Step {
  const codec = codecOf(id)
  if (!codec || (isVariableSize(chunk.type) && !codec.takesAnyBytes)) return { id }
  const clientData = codec.clientData(json, chunk)
  return clientData ? { id, clientData } : { id }
}

/** True when the chunk went through no filter. */
export function isUnfiltered(pipeline: Pipeline, mask: number): boolean {
  return mask === 2 ** pipeline.length - 1
}

export async function encodeChunk(pipeline: Pipeline, chunk: Uint8Array): Promise<EncodedChunk> {
  let bytes = chunk
  let mask = 0
  for (const [i, { id, clientData }] of pipeline.entries()) {
    const encoded = clientData && (await encodeExactly(codecOf(id), bytes, clientData))
    if (encoded) bytes = encoded
    else mask |= 1 << i
  }
  return { bytes: plainBytes(bytes), mask: mask >>> 0 }
}

/** Encodes a chunk. Undefined also if decoding would not give exactly the same bytes. */
async function encodeExactly(
  codec: FilterCodec | undefined,
  bytes: Uint8Array,
  clientData: ClientData,
): Promise<Uint8Array | undefined> {
  const encoded = await codec?.encode(bytes, clientData)
  if (!encoded || !codec?.isLossy) return encoded
  const decoded = await codec.decode(encoded, clientData, bytes.length)
  return areEqualBytes(decoded, bytes) ? encoded : undefined
}

/**
 * Decodes a chunk of `length` bytes, or of fewer but at least `least`: some writers leave out the elements beyond the
 * extents. Throws an Error that names the filter when the bytes are damaged. `into`, of `length` bytes, is memory where
 * the chunk may be put.
 */
export async function decodeChunk(
  pipeline: Pipeline,
  { bytes: encoded, mask }: EncodedChunk,
  length: number,
  least = length,
  into?: Uint8Array,
): Promise<Uint8Array> {
  const unavailable = unavailableFilter(pipeline, mask)
  if (unavailable !== undefined)
    throw new Error(`it was encoded with filter ${unavailable}, which is not available`)
  const last = pipeline.findIndex((_, i) => ((mask >>> i) & 1) === 0)
  // It is copied, because filters may change the memory that they slice.
  let bytes = plainBytes(encoded)
  for (let i = pipeline.length - 1; i >= 0; i--) {
    if ((mask >>> i) & 1) continue
    const { id, clientData = [] } = pipeline[i]
    const codec = codecOf(id)
    if (!codec) throw new Error(`there is no codec of filter ${id}`)
    try {
      bytes = plainBytes(
        await codec.decode(bytes, clientData, mostBytes(length), i === last ? into : undefined),
      )
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new Error(`filter ${id} cannot decode it: ${reason}`, { cause })
    }
  }
  if (bytes.length > length || bytes.length < least) {
    throw new Error(`it has ${bytes.length} bytes instead of ${length}`)
  }
  return bytes
}

/** The longest intermediate result of a chunk: filters that cannot make it smaller add some bytes. */
function mostBytes(length: number): number {
  return length + Math.ceil(length / 64) + 4096
}
