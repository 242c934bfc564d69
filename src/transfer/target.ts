// The target of an import. Until `publish`, readers see no domain of that name, or the one that is replaced; after a failure the caller
// calls `abandon`, which removes everything.

import type { Box } from '../h5file/file-reader.ts'
import type { CreationProperties } from '../hdf5/creation-properties.ts'
import type { Dataspace } from '../hdf5/dataspace.ts'
import type { Datatype } from '../hdf5/datatype/datatype.ts'
import type { DomainPath } from '../hdf5/domain-path.ts'
import type { ObjectReference } from '../hdf5/object-id.ts'
import type { Elements } from '../hdf5/values/elements.ts'
import type { AdoptedChunk, EncodedChunk, LinkTarget } from '../storage/store.ts'

export interface NewDataset {
  readonly type: Datatype
  readonly committedType?: ObjectReference
  readonly space: Dataspace
  readonly creationProperties: CreationProperties
}

export interface NewAttribute {
  readonly name: string
  readonly type: Datatype
  readonly committedType?: ObjectReference
  readonly space: Dataspace
  /** Absent for a null dataspace. */
  readonly value?: Elements
  /** Its number among the attributes of the object, in the order of their creation. */
  readonly order: number
}

export interface CreatedDataset extends ObjectReference {
  /** The chunks in which its values are stored there: whole ones are written once. */
  readonly chunkDims?: readonly number[]
}

/** How the imported objects became a domain. */
export interface Publication {
  /** The folders created for it, the outermost first. */
  readonly newFolders: readonly DomainPath[]
  readonly replaced: boolean
}

export interface ImportTarget {
  /** The root group. */
  readonly root: ObjectReference
  /** Stores the file; the pieces are its bytes, and may be iterated twice. To be called once, before `adoptChunks`. */
  putFile(pieces: AsyncIterable<Uint8Array>): Promise<void>
  /** Makes bytes of the file the values of chunks; see `Writer.adoptChunks`. */
  adoptChunks(dataset: ObjectReference, chunks: readonly AdoptedChunk[]): Promise<void>
  /** Stores chunks that went through filters; see `Writer.putEncodedChunks`. */
  putEncodedChunks(dataset: ObjectReference, chunks: readonly EncodedChunk[]): Promise<void>
  createGroup(): Promise<ObjectReference>
  createDatatype(type: Datatype): Promise<ObjectReference>
  createDataset(dataset: NewDataset): Promise<CreatedDataset>
  /** `order`: its number among the links of the group, in the order of their creation. */
  putLink(group: ObjectReference, title: string, target: LinkTarget, order: number): Promise<void>
  putAttribute(owner: ObjectReference, attribute: NewAttribute): Promise<void>
  writeValues(dataset: ObjectReference, box: Box, elements: Elements): Promise<void>
  /** Removes the values of a dataset that were written, and remembers why it has none. */
  markUnreadable(dataset: ObjectReference, why: string): Promise<void>
  /** Makes the imported objects the domain. `inPart`: parts of the file were left out or changed, which the domain remembers. */
  publish(inPart: boolean): Promise<Publication>
  /** Removes everything imported. Its error says what is left, and how to remove that. */
  abandon(): Promise<void>
}
