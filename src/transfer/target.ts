// Where an import puts what it reads: one interface, so that a data folder and a server are filled by the same walk.
// Nothing can be seen under the domain's name, or nothing but an unfinished domain, until `publish`; whoever gives up
// calls `abandon`, and nothing is left.

import type { Dataspace } from '../hdf5/dataspace.ts'
import type { Datatype } from '../hdf5/datatype/datatype.ts'
import type { DomainPath } from '../hdf5/domain-path.ts'
import type { JsonObject } from '../hdf5/json.ts'
import type { ObjectReference } from '../hdf5/object-id.ts'
import type { Elements } from '../hdf5/values/elements.ts'
import type { LinkTarget } from '../storage/store.ts'
import type { Box } from './boxes.ts'

export interface NewDataset {
  readonly type: Datatype
  readonly committedType?: ObjectReference
  readonly space: Dataspace
  /** As classic 16.2 reports it, the fill value included. */
  readonly creationProperties: JsonObject
  readonly fillValue?: Elements
}

export interface NewAttribute {
  readonly name: string
  readonly type: Datatype
  readonly committedType?: ObjectReference
  readonly space: Dataspace
  /** Absent for a null dataspace. */
  readonly value?: Elements
}

export interface CreatedDataset extends ObjectReference {
  /** The chunks in which its values are stored there: whole ones are written once. */
  readonly chunkDims?: readonly number[]
}

export interface ImportTarget {
  /** The root group. */
  readonly root: ObjectReference
  createGroup(): Promise<ObjectReference>
  createDatatype(type: Datatype): Promise<ObjectReference>
  createDataset(dataset: NewDataset): Promise<CreatedDataset>
  /** False: links of this class cannot be made here. */
  putLink(group: ObjectReference, title: string, target: LinkTarget): Promise<boolean>
  putAttribute(owner: ObjectReference, attribute: NewAttribute): Promise<void>
  writeValues(dataset: ObjectReference, box: Box, elements: Elements): Promise<void>
  /** Takes back what was written of a dataset's values. False: nothing can be marked here, and the dataset is gone. */
  markUnreadable(dataset: ObjectReference, why: string): Promise<boolean>
  /** What was put becomes the domain. The folders that were made for it, as far as that is known, the outermost first. */
  publish(): Promise<readonly DomainPath[]>
  /** Removes what was put. An error of it says what is left behind, and how to remove that. */
  abandon(): Promise<void>
}
