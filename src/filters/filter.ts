// What a filter of HDF5 is here: bytes to bytes, in the very form that the filter of that id has in a chunk of an .h5
// file, so that an encoded chunk can be put into a file as it is (H5Dwrite_direct_chunk), and one of a file be read.
// A codec knows nothing of chunks being stored, of threads, or of the other filters of its pipeline.

import type { Datatype } from '../hdf5/datatype/datatype.ts'
import type { JsonObject } from '../hdf5/json.ts'

/** Bits in the mask of a chunk. */
export const MAX_FILTERS = 32

/** What a filter may know of the chunks of a dataset. */
export interface ChunkForm {
  readonly type: Datatype
  /** Bytes of one element in a chunk. */
  readonly elementSize: number
  readonly chunkDims: readonly number[]
  /** One packed element; absent: all bytes zero. */
  readonly fillValue?: Uint8Array
}

/** The values that the message of a pipeline keeps for each of its filters: unsigned 32-bit integers. */
export type ClientData = readonly number[]

export interface FilterCodec {
  /** The id that The HDF Group has registered. */
  readonly id: number
  /**
   * False: the filter works on the elements of types of fixed size only, and chunks of other types are stored without
   * it. True: it takes bytes of any meaning.
   */
  readonly takesAnyBytes: boolean
  /** True: what is decoded may differ from what was encoded; the pipeline leaves chunks alone that would change. */
  readonly isLossy?: boolean
  /**
   * The client data as libhdf5 would write them for these chunks, of the options in the item of `filters`: checked
   * when the dataset was made, so what is still odd has no effect. Undefined: the filter cannot be applied to such
   * chunks, which are stored without it.
   */
  clientData(options: JsonObject, chunk: ChunkForm): ClientData | undefined
  /** Undefined: nothing is gained, or it cannot be done; the chunk is stored without this filter. */
  encode(bytes: Uint8Array, clientData: ClientData): Bytes | undefined | Promise<Bytes | undefined>
  /**
   * What `encode` was given. Throws an Error, for damaged bytes too, and never makes more than `maxLength` bytes,
   * whatever they claim. `into` is memory where the result may be put if it is as long.
   */
  decode(
    bytes: Uint8Array,
    clientData: ClientData,
    maxLength: number,
    into?: Uint8Array,
  ): Bytes | Promise<Bytes>
}

/** Nothing that is passed in is changed; what comes back may share memory with it. */
type Bytes = Uint8Array
