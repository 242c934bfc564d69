// The interface of a filter of HDF5: bytes to bytes, in exactly the form that the filter of that id has in a chunk of
// an .h5 file, so that an encoded chunk can be put into a file unchanged (H5Dwrite_direct_chunk), and a chunk of a file
// can be read. A codec knows nothing of chunks being stored, of threads, or of the other filters of its pipeline.

import type { Datatype } from '@hyperslab/model/datatype'
import type { JsonObject } from '@hyperslab/model/json'

/** Bits in the mask of a chunk. @limit format, filters */
export const MAX_FILTERS = 32

/** The properties of a dataset's chunks that a filter may use. */
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
  /**
   * True: decoded bytes may differ from the encoded ones; the pipeline does not apply it to chunks that would change.
   */
  readonly isLossy?: boolean
  /** True: encoded chunks contain all parameters of decoding, so any client data decode them. */
  readonly isSelfDescribing?: boolean
  /** True: when decoding fails, memory is not free before the thread ends (Zstandard in WebAssembly). */
  readonly mayLeak?: boolean
  /**
   * The client data as libhdf5 would write them for these chunks, of the options in the item of `filters`: they were
   * checked when the dataset was created, so a remaining unusual value has no effect. Undefined: the filter cannot be
   * applied to such chunks, which are stored without it.
   */
  clientData(options: JsonObject, chunk: ChunkForm): ClientData | undefined
  /**
   * Encodes a chunk. Undefined: it would not become smaller, or cannot be encoded; the chunk is stored without this
   * filter.
   */
  encode(bytes: Uint8Array, clientData: ClientData): Bytes | undefined | Promise<Bytes | undefined>
  /**
   * Returns the bytes that `encode` got. Throws an Error for damaged bytes, and never makes more than `maxLength`
   * bytes, whatever they claim. The result may be put into `into` if it has the same length.
   */
  decode(
    bytes: Uint8Array,
    clientData: ClientData,
    maxLength: number,
    into?: Uint8Array,
  ): Bytes | Promise<Bytes>
}

/** Bytes: arguments are not changed, and a result may share memory with them. */
type Bytes = Uint8Array
