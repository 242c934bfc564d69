// What a reader of HDF5 files offers: the file's objects in the model's words, values as elements in storage form.
// `address` identifies an object, so that one object with two hard links is imported once.

import type { CreationProperties } from '../hdf5/creation-properties.ts'
import type { Dataspace } from '../hdf5/dataspace.ts'
import type { Datatype } from '../hdf5/datatype/datatype.ts'
import type { JsonObject } from '../hdf5/json.ts'
import type { ObjectKind, ObjectReference } from '../hdf5/object-id.ts'
import type { Elements } from '../hdf5/values/elements.ts'

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
}

export interface FileDataset {
  readonly type: Datatype
  readonly committedType?: FileAddress
  readonly space: Dataspace
  /** As classic 16.2 reports it for an imported file. */
  readonly creationProperties: JsonObject
  readonly fillValue?: Elements
  readonly layout: CreationProperties['layout']
  readonly chunkDims?: readonly number[]
}

/** The object that stands for an object of the file; undefined: there is none, and references to it become null. */
export type ReferenceResolver = (address: FileAddress) => ObjectReference | undefined

/** A part of a file that could not be read as it is. Each is reported to the user; none is dropped silently. */
export interface FileWarning {
  readonly path: string
  readonly message: string
}

/**
 * Objects are found from the root along the links: the other functions take an address after `links` has given it. A part that
 * cannot be read is left out with a warning where that is possible; otherwise HyperslabError `type-unsupported` or
 * `file-unreadable`, whose message is the reason alone, or `file-damaged` when nothing more can be read.
 */
export interface H5FileReader {
  readonly root: FileAddress
  readonly warnings: readonly FileWarning[]
  object(address: FileAddress): FileObject
  /** In the order of creation if the group keeps it, else by title. */
  links(group: FileAddress): readonly FileLink[]
  attributes(owner: FileAddress, resolve: ReferenceResolver): readonly FileAttribute[]
  dataset(address: FileAddress): FileDataset
  datatype(address: FileAddress): Datatype
  /**
   * The chunks whose values the file stores, by their coordinates in the grid of chunks, each once; all others have the
   * fill value. None for a dataset of another layout that nothing is stored of. Undefined: read all values.
   */
  storedChunks(dataset: FileAddress): Iterable<readonly number[]> | undefined
  /** The elements of the box from `start`, of extents `count`, in row-major order; none of either for a scalar. */
  readValues(
    dataset: FileAddress,
    start: readonly number[],
    count: readonly number[],
    resolve: ReferenceResolver,
  ): Elements
  close(): void
}
