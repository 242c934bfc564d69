// The interface of a reader of HDF5 files: the file's objects in the terms of the model, values as elements in storage
// form. `address` identifies an object, so that one object with two hard links is imported once.

import type { HyperslabError } from '@hyperslab/base/errors'
import type { CreationProperties, Dataspace, SimpleDataspace } from '@hyperslab/model/dataset'
import type { Datatype } from '@hyperslab/model/datatype'
import type { ObjectKind, ObjectReference } from '@hyperslab/model/names'
import type { Elements } from '@hyperslab/model/values'
import type { ByteSource } from './byte-source.ts'
import type { StepPool } from './reader/values/virtual-work.ts'

/** The request or import for which a part is read. */
export interface ReadCaller {
  /** Long work calls it, and ends when it throws, like an AbortSignal. */
  readonly signal?: Pick<AbortSignal, 'throwIfAborted'> | undefined
  /** The limit of the steps for all virtual datasets that it reads. Default: that of the file, or one for each read. */
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
  /** Absent for a null dataspace. References name the objects that `resolve` returned. */
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
  /** Properties that the service refuses, such as enormous chunks, are in `json` only (creation-properties.ts). */
  readonly creationProperties: CreationProperties
  /**
   * True: its values, and perhaps its extents, are those of other files or datasets, and can change without its file.
   */
  readonly isOfOthers?: boolean
  /** True: its values are those of other datasets. */
  readonly isVirtual?: boolean
  /** True: its file ends before its values do. */
  readonly isCut?: boolean
}

/** A dataset of a file that is read as the datasets of several files, one after another along a dimension. */
export interface JoinedDataset {
  /** Elements of the parts are converted to it (element-conversion.ts). */
  readonly type: Datatype
  readonly space: SimpleDataspace
  /** The dimension along which the parts are. */
  readonly axis: number
  /**
   * Present: the datasets of the parts have no such dimension, and each is one coordinate. `scale`: its dimension scale
   * is attached; `label`: it has a label only, since its other dimensions have no scales.
   */
  readonly newAxis?: 'scale' | 'label'
  /** In the order of `start`, without overlap. Elements that no part has are the fill value. */
  readonly parts: readonly JoinedPart[]
  /** Default: that of the dataset in the first file. */
  readonly fillValue?: Elements
  /** True: elements of parts that cannot be read are the fill value. Default: they are an error. */
  readonly fillsUnreadable?: boolean
  /** Attributes of the dataset in the first file that the joined one has not. */
  readonly hiddenAttributes?: readonly string[]
  /** Present: each chunk of this grid is a chunk of one part, as that stores it. */
  readonly chunks?: ChunkStorage
}

export interface JoinedPart {
  /** The name by which `openSibling` opens the file. */
  readonly file: string
  /** The path of the dataset in that file. */
  readonly dataset: string
  /** The first coordinate along the axis, and the number of coordinates, at least 1. */
  readonly start: number
  readonly count: number
  /** The first coordinate in the dataset of the part. */
  readonly sourceStart: number
  /** Present: reading any of it throws this. */
  readonly failure?: HyperslabError
  /** Makes numbers of the part those of the joined dataset. Absent: they are the same. */
  readonly convert?: ConvertNumber
  /** All elements of the dataset of the part, which has one dimension of numbers; absent: its file is read. */
  readonly known?: KnownNumbers
}

export interface KnownNumbers {
  readonly type: Datatype
  readonly data: Uint8Array
}

/** A dimension that the files of joined datasets do not have. */
export interface NewDimension {
  readonly name: string
  /** Its dimension scale: a joined dataset, or one that no file has, which is then in the root group. */
  readonly scale: FileAddress | NewScale
  /** The number of the dimension in a file of netCDF-4. */
  readonly number?: number
}

interface NewScale {
  readonly type: Datatype
  /** All of one dimension. */
  readonly values: Elements
  /** Strings by name. */
  readonly attributes: ReadonlyMap<string, string>
}

/** The objects of a file that are read as those of several files. */
export interface JoinedObjects {
  readonly datasets: ReadonlyMap<FileAddress, JoinedDataset>
  /** Present: it is the first dimension of all of these datasets. */
  readonly dimension?: NewDimension
  /** Present: objects of other files are among them. */
  readonly added?: AddedObjects
}

/** Objects of other files, which the first file lacks. Their addresses are beyond the end of every file. */
export interface AddedObjects {
  readonly objects: ReadonlyMap<FileAddress, AddedObject>
  /** Links that these groups get; an added group has no others. */
  readonly links: ReadonlyMap<FileAddress, readonly FileLink[]>
  /** Attributes that these groups get. */
  readonly attributes: ReadonlyMap<FileAddress, readonly AddedAttributes[]>
  /** The dimensions of added datasets that these dimension scales are attached to. */
  readonly uses: ReadonlyMap<FileAddress, readonly ScaleUse[]>
}

export interface AddedObject {
  readonly file: AddedFile
  /** Its address in that file. */
  readonly address: FileAddress
  readonly path: string
}

/** Attributes of one group of another file. */
export interface AddedAttributes {
  readonly file: AddedFile
  /** The address of the group in that file. */
  readonly address: FileAddress
  readonly names: ReadonlySet<string>
}

export interface ScaleUse {
  readonly dataset: FileAddress
  readonly dimension: number
}

export interface AddedFile {
  /** The name by which `openSibling` opens it. */
  readonly name: string
  /**
   * The addresses of its objects among those of all files: of an object that another one stands for, that of the other
   * one. References to objects that have none become null.
   */
  readonly addresses: ReadonlyMap<FileAddress, FileAddress>
  /** The numbers of its dimensions (netCDF-4) among those of all files. */
  readonly dimensions: ReadonlyMap<number, number>
}

/** Numbers of integers are a bigint only beyond +-2^53. */
export type ConvertNumber = (stored: number | bigint) => number | bigint

/** A box of elements: its beginning, and its extents; both without dimensions for a scalar. */
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
   * The chunks, each once, in batches as they are read; with a box, chunks that it does not touch may be left out. Can
   * be called several times.
   */
  readonly batches: (box?: Box) => AsyncIterable<readonly ChunkCoordinates[]>
}

/** The range of the file with the values of a chunk, as the filters of the dataset have encoded them. */
export interface StoredRange {
  readonly coordinates: ChunkCoordinates
  /** The offset from the first byte of the whole file. */
  readonly position: number
  readonly length: number
  /** Bit i is set: filter i was not applied. */
  readonly mask: number
  /** The file that has it; absent: the file of the dataset. */
  readonly source?: ByteSource
}

/** The location of the values of a dataset whose elements have their storage form in the file. */
export type StoredBytes = ContiguousBytes | ChunkedBytes

/** The bytes of all elements, one after another. */
export interface ContiguousBytes {
  readonly layout: 'contiguous'
  /** The offset from the first byte of the whole file; undefined: the file stores no values. */
  readonly position: number | undefined
  readonly length: number
}

/** The form of stored chunks. */
export interface ChunkStorage {
  /** The chunk shape of the file. */
  readonly chunkDims: readonly number[]
  /** The filters of the file, with their client data. */
  readonly filters: readonly { readonly id: number; readonly clientData: readonly number[] }[]
}

export interface ChunkedBytes extends ChunkRanges {
  readonly layout: 'chunked'
  /** The bytes of each range. */
  read(ranges: readonly Pick<StoredRange, 'position' | 'length'>[]): Promise<readonly Uint8Array[]>
}

export interface ChunkRanges extends ChunkStorage {
  /** The chunks, or those that the box touches, each once, in batches as they are read. Can be called several times. */
  batches(box?: Box): AsyncIterable<readonly StoredRange[]>
  /**
   * Finds which of these chunks are stored; the order of the result is not defined. Reads only the parts of the index
   * that lead to them, and keeps the parts that were read last. There may be thousands of chunks.
   */
  find(chunks: readonly ChunkCoordinates[]): Promise<readonly StoredRange[]>
}

/** The object that represents an object of the file; undefined: there is none, and references to it become null. */
export type ReferenceResolver = (address: FileAddress) => ObjectReference | undefined

/** Called for each link or attribute that is left out, with the reason, and with its name if that can be read. */
export type MemberFailure = (error: HyperslabError, name?: string) => void

/** A part of a file that could not be read unchanged. Each is reported to the user. */
export interface FileWarning {
  readonly path: string
  readonly message: string
}

/**
 * Objects are found from the root through links and references, whose addresses the other functions take. A part that
 * cannot be read is left out with a warning if possible. Otherwise the error is `type-unsupported` or
 * `file-unreadable`, whose message is only the reason, or `file-damaged` when nothing more can be read.
 */
export interface H5FileReader {
  readonly root: FileAddress
  readonly warnings: readonly FileWarning[]
  /** One of the paths that lead to the object, for messages. */
  pathOf(address: FileAddress): string
  object(address: FileAddress): Promise<FileObject>
  /**
   * The links in batches, in the order of creation if the group keeps it, else by title, each title once. A group may
   * have a million.
   */
  links(group: FileAddress, onFailure?: MemberFailure): AsyncIterable<readonly FileLink[]>
  /**
   * The attributes in batches, in the order of creation if the object keeps it, else by name. An object may have a
   * hundred thousand.
   */
  attributes(
    owner: FileAddress,
    resolve: ReferenceResolver,
    onFailure?: MemberFailure,
  ): AsyncIterable<readonly FileAttribute[]>
  dataset(address: FileAddress): Promise<FileDataset>
  /**
   * Names of the other files that the sources of a virtual dataset are in, each once; of names with the number of a
   * block the first.
   */
  sourceFiles?(dataset: FileAddress): Promise<Iterable<string>>
  datatype(address: FileAddress): Promise<Datatype>
  /** The stored chunks; none for a dataset of another layout without storage. Undefined: all values must be read. */
  storedChunks(dataset: FileAddress): Promise<StoredChunks | undefined>
  /**
   * Undefined: the values must be read, because their elements have another form in the file, are in other files, or
   * went through other filters than those of `creationProperties`, in that order.
   */
  storedBytes?(dataset: FileAddress): Promise<StoredBytes | undefined>
  /** The chunks of a dataset of other files, as these store them. Undefined: it has other chunks, or is none. */
  partRanges?(dataset: FileAddress): Promise<ChunkRanges | undefined>
  /** The ranges of a dataset's chunks in the file, whatever the form of its elements. Undefined: it has no chunks. */
  chunkRanges?(dataset: FileAddress): Promise<ChunkedBytes | undefined>
  /** The number of chunks that the file stores of a dataset, and their bytes; storage without chunks counts as one. */
  allocation?(dataset: FileAddress): Promise<{ readonly chunks: number; readonly bytes: number }>
  /**
   * The elements of the box from `start`, of extents `count`, in row-major order; none of either for a scalar. `into`:
   * memory for their bytes as the file has them; when these are in storage form, the elements are a view of it. It must
   * not be used again after a failure. Without it, or when it is too short, each call takes new memory, which costs
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
   * Throws if some values are known to be missing without reading them: they are after the end of their file, or their
   * file or dataset does not exist. Each source is opened.
   */
  requireValues?(dataset: FileAddress, caller?: ReadCaller): Promise<void>
  /** The approximate memory of the data that were read and are kept. */
  readonly heldBytes?: number
  close(): Promise<void>
}

/** The path of the target of a group's link. */
export function memberPath(group: string, title: string): string {
  return group === '/' ? `/${title}` : `${group}/${title}`
}
