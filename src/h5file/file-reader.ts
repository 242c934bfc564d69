// What a reader of HDF5 files offers: the file's objects in the model's words, values as elements in storage form.
// `address` identifies an object, so that one object with two hard links is imported once.

import type { HyperslabError } from '../errors.ts'
import type { CreationProperties } from '../hdf5/creation-properties.ts'
import type { Dataspace } from '../hdf5/dataspace.ts'
import type { Datatype } from '../hdf5/datatype/datatype.ts'
import type { ObjectKind, ObjectReference } from '../hdf5/object-id.ts'
import type { Elements } from '../hdf5/values/elements.ts'
import type { StepPool } from './reader/values/virtual-work.ts'

/** The request that something is read for, or the import. */
export interface ReadCaller {
  /** Long work calls it and ends when it throws, like with an AbortSignal. */
  readonly signal?: Pick<AbortSignal, 'throwIfAborted'> | undefined
  /** What all that it reads of virtual datasets may cost. Default: that of the file, or each read has its own. */
  readonly steps?: StepPool | undefined
}

/** Names an object within its file. */
export type FileAddress = string

export type FileLink = { readonly title: string } & (
  | { readonly class: 'H5L_TYPE_HARD'; readonly address: FileAddress }
  | { readonly class: 'H5L_TYPE_SOFT'; readonly h5path: string }
  | { readonly class: 'H5L_TYPE_EXTERNAL'; readonly h5path: string; readonly file: string }
  | { readonly class: 'H5L_TYPE_USER_DEFINED' }
)

export interface FileAttribute {
  readonly name: string
  readonly type: Datatype
  /** The committed datatype that it uses. */
  readonly committedType?: FileAddress
  readonly space: Dataspace
  /** Absent for a null dataspace. References name what `resolve` gave. */
  readonly value?: Elements
}

export interface FileObject {
  readonly address: FileAddress
  readonly kind: ObjectKind
  readonly comment?: string
  /** When the file has it: in seconds since 1970, UTC. */
  readonly modified?: number
}

export interface FileDataset {
  readonly type: Datatype
  readonly committedType?: FileAddress
  readonly space: Dataspace
  /**
   * Bytes of an element in the file, where they are more than those of the type: reading a box takes as much memory.
   */
  readonly elementBytes?: number
  /**
   * What the file has and the service refuses, such as enormous chunks, stays in `json` only (creation-properties.ts).
   */
  readonly creationProperties: CreationProperties
  /** Its values, and so perhaps its extents, are those of other files or datasets, and change without its file. */
  readonly isOfOthers?: boolean
  /** Its values are those of other datasets. */
  readonly isVirtual?: boolean
  /** Its file ends before its values do. */
  readonly isCut?: boolean
}

/** A box of elements: where it begins, and its extents; both without dimensions for a scalar. */
export interface Box {
  readonly start: readonly number[]
  readonly count: readonly number[]
}

/** The position of a chunk in the grid of chunks. */
export type ChunkCoordinates = readonly number[]

/** The chunks whose values a file stores. All others have the fill value. */
export interface StoredChunks {
  /** The chunk shape of the file. */
  readonly chunkDims: readonly number[]
  /**
   * Each chunk once, in batches as they are read; with a box, not all that it does not touch need be given. Can be
   * called again.
   */
  readonly batches: (box?: Box) => AsyncIterable<readonly ChunkCoordinates[]>
}

/** The bytes of the file that a chunk's values are, as the filters of the dataset left them. */
export interface StoredRange {
  readonly coordinates: ChunkCoordinates
  /** From the first byte of the whole file on. */
  readonly position: number
  readonly length: number
  /** Bit i is set: filter i was not applied. */
  readonly mask: number
}

/** Where the values of a dataset lie whose elements have their storage form in the file. */
export type StoredBytes = ContiguousBytes | ChunkedBytes

/** All elements one after another. */
export interface ContiguousBytes {
  readonly layout: 'contiguous'
  /** From the first byte of the whole file on; undefined: the file stores no values. */
  readonly position: number | undefined
  readonly length: number
}

export interface ChunkedBytes {
  readonly layout: 'chunked'
  /** The chunk shape of the file. */
  readonly chunkDims: readonly number[]
  /** The filters of the file, with their client data. */
  readonly filters: readonly { readonly id: number; readonly clientData: readonly number[] }[]
  /** Each chunk once, or those that the box touches, in batches as they are read. Can be called again. */
  batches(box?: Box): AsyncIterable<readonly StoredRange[]>
  /**
   * Finds which of these chunks are stored; the order of the result is not defined. Reads only the parts of the index
   * that lead to them, and keeps the parts that were read last. There may be thousands of chunks.
   */
  find(chunks: readonly ChunkCoordinates[]): Promise<readonly StoredRange[]>
  /** The bytes of each range. */
  read(ranges: readonly Pick<StoredRange, 'position' | 'length'>[]): Promise<readonly Uint8Array[]>
}

/** The object that represents an object of the file; undefined: there is none, and references to it become null. */
export type ReferenceResolver = (address: FileAddress) => ObjectReference | undefined

/** Called for each link or attribute that is left out, with the reason, and with its name where that can be read. */
export type MemberFailure = (error: HyperslabError, name?: string) => void

/** A part of a file that could not be read as it is. Each is reported to the user; none is dropped silently. */
export interface FileWarning {
  readonly path: string
  readonly message: string
}

/**
 * Objects are found from the root along the links, and along references: the other functions take an address that they
 * gave. A part that cannot be read is left out with a warning where that is possible; otherwise HyperslabError
 * `type-unsupported` or `file-unreadable`, whose message is the reason alone, or `file-damaged` when nothing more can
 * be read.
 */
export interface H5FileReader {
  readonly root: FileAddress
  readonly warnings: readonly FileWarning[]
  /** One of the paths that lead to the object, for messages. */
  pathOf(address: FileAddress): string
  object(address: FileAddress): Promise<FileObject>
  /**
   * In batches, in the order of creation if the group keeps it, else by title, each title once. A group may have a
   * million.
   */
  links(group: FileAddress, onFailure?: MemberFailure): AsyncIterable<readonly FileLink[]>
  /**
   * In batches, in the order of creation if the object keeps it, else by name. An object may have a hundred thousand.
   */
  attributes(
    owner: FileAddress,
    resolve: ReferenceResolver,
    onFailure?: MemberFailure,
  ): AsyncIterable<readonly FileAttribute[]>
  dataset(address: FileAddress): Promise<FileDataset>
  datatype(address: FileAddress): Promise<Datatype>
  /** No chunk for a dataset of another layout that has no storage. Undefined: read all values. */
  storedChunks(dataset: FileAddress): Promise<StoredChunks | undefined>
  /**
   * Undefined: the values must be read, because their elements have another form in the file, are in other files, or
   * went through other filters than those of `creationProperties`, in that order.
   */
  storedBytes?(dataset: FileAddress): Promise<StoredBytes | undefined>
  /** Where the chunks of a dataset are, whatever form its elements have. Undefined: it has no chunks. */
  chunkRanges?(dataset: FileAddress): Promise<ChunkedBytes | undefined>
  /** Chunks that the file stores of a dataset, and their bytes; what is not in chunks is one. */
  allocation?(dataset: FileAddress): Promise<{ readonly chunks: number; readonly bytes: number }>
  /**
   * The elements of the box from `start`, of extents `count`, in row-major order; none of either for a scalar. `into`:
   * memory for their bytes as the file has them; when these are in storage form, the elements are a view of it. It must
   * not be used again after a failure. Without it, or when it is too short, each call takes fresh memory, which costs
   * more than the copying. The work that a box of a virtual dataset takes is bounded.
   */
  readValues(
    dataset: FileAddress,
    start: readonly number[],
    count: readonly number[],
    resolve: ReferenceResolver,
    options?: ReadCaller & { readonly into?: Uint8Array },
  ): Promise<Elements>
  /**
   * Throws where it is seen without reading the values that some are not there: they are behind the end of their file,
   * or a file or dataset that they are to be read from is missing. Each source is opened.
   */
  requireValues?(dataset: FileAddress, caller?: ReadCaller): Promise<void>
  /** About how many bytes of memory what was read is kept in. */
  readonly heldBytes?: number
  close(): Promise<void>
}

/** The path of what the link of the group leads to. */
export function memberPath(group: string, title: string): string {
  return group === '/' ? `/${title}` : `${group}/${title}`
}
