// The source of a written file: objects, links, attributes and values of a domain in one state. A Reader of the store
// (packages/store/store.ts) is one. All parts are read several times, and must be the same each time.

import type { AbortCheck } from '@hyperslab/base/bounded'
import type { HyperslabError } from '@hyperslab/base/errors'
import type { CreationProperties, Dataspace } from '@hyperslab/model/dataset'
import type { Datatype } from '@hyperslab/model/datatype'
import type { ObjectId, Timestamp } from '@hyperslab/model/names'
import type { Selection } from '@hyperslab/model/selection'
import type { Elements } from '@hyperslab/model/values'

export type SourceObject =
  | { readonly kind: 'group'; readonly id: ObjectId; readonly created: Timestamp }
  | {
      readonly kind: 'datatype'
      readonly id: ObjectId
      readonly created: Timestamp
      readonly type: Datatype
    }
  | SourceDataset

export interface SourceDataset {
  readonly kind: 'dataset'
  readonly id: ObjectId
  readonly created: Timestamp
  readonly type: Datatype
  readonly committedType?: ObjectId
  readonly space: Dataspace
  readonly creationProperties: CreationProperties
  /** Chunks that are not stored do not have the fill value. */
  readonly filled?: unknown
  /** The reason why it has no values. */
  readonly unreadable?: string
}

export interface SourceLink {
  readonly title: string
  readonly target:
    | { readonly class: 'H5L_TYPE_HARD'; readonly id: ObjectId }
    | { readonly class: 'H5L_TYPE_SOFT'; readonly h5path: string }
    | { readonly class: 'H5L_TYPE_EXTERNAL'; readonly h5path: string; readonly h5domain: string }
    | { readonly class: 'H5L_TYPE_USER_DEFINED' }
}

export interface SourceAttribute {
  readonly name: string
  readonly type: Datatype
  readonly committedType?: ObjectId
  readonly space: Dataspace
  /** Absent: never written. */
  readonly value?: Elements | { readonly pieces: AsyncIterable<Elements> }
}

/** A link whose object cannot be read. */
export interface UnreadableLink {
  readonly title: string
  readonly target: { readonly class: 'H5L_TYPE_ERROR'; readonly reason: HyperslabError }
}

export interface UnreadableAttribute {
  readonly name: string
  readonly reason: HyperslabError
}

/** The bytes of a chunk as the filters of its dataset left them. */
export interface SourceChunk {
  readonly coordinates: readonly number[]
  readonly length: number
  /** Bit i: filter i of the dataset was not applied. */
  readonly mask: number
  bytes(): Promise<Uint8Array>
  /** Fills `into` with the bytes from a position on. Absent: they are all read, or computed, at once. */
  readonly read?: (position: number, into: Uint8Array) => Promise<void>
}

/** A part of the chunks, in the order of their coordinates. */
export interface SourceSpan {
  /** The first one; default: that of all. */
  readonly from?: readonly number[] | undefined
  /** The number of chunks; default: all that follow. */
  readonly count?: number | undefined
}

/** An object with its attributes, as far as they are few and short. */
export interface SourceDetails<Found extends SourceObject = SourceObject> {
  readonly object: Found
  /** Absent: call `status`. */
  readonly status?: {
    readonly lastModified: Timestamp
    /** The reason why some of its links or attributes are not listed. Absent: all are listed. */
    readonly damage?: HyperslabError
  }
  /** The attributes in the order of creation; all of them can be read. Absent: `attributes` lists them. */
  readonly attributes?: readonly SourceAttribute[]
  /** The number of stored chunks of a dataset. Absent: `allocation` counts them. */
  readonly chunks?: number
  /** True: all values of the dataset are stored, so `requireValues` would pass. Absent: call `requireValues`. */
  readonly areValuesHere?: boolean
}

interface ByCreation {
  readonly order: 'created'
  readonly limit?: number
}

/** The source of a domain. `Found` has further properties of an object. */
export interface DomainSource<Found extends SourceObject = SourceObject> {
  object(id: ObjectId): Promise<Found | undefined>
  /** Several objects at once; an absent one is undefined. */
  details(ids: readonly ObjectId[]): Promise<readonly (SourceDetails<Found> | undefined)[]>
  status(id: ObjectId): Promise<{ readonly lastModified: Timestamp }>
  links(group: ObjectId, page: ByCreation): AsyncIterable<SourceLink | UnreadableLink>
  linksTo(id: ObjectId): AsyncIterable<{ readonly group: ObjectId; readonly title: string }>
  attributes(owner: ObjectId, page: ByCreation): AsyncIterable<SourceAttribute | UnreadableAttribute>
  allocation(dataset: ObjectId): Promise<{ readonly chunks: number }>
  /** Throws `values-unreadable` if some values are known to be missing without reading them. */
  requireValues(dataset: SourceDataset, signal?: AbortCheck): Promise<void> | undefined
  /** All or some of the chunks in the order of their coordinates; whole chunks, also at the edges. */
  storedChunks(dataset: SourceDataset, span?: SourceSpan): AsyncIterable<SourceChunk>
  /** The selected elements. A piece is valid until the next one is requested. */
  readValues(dataset: SourceDataset, selection: Selection, signal?: AbortCheck): AsyncIterable<Elements>
}

export const BY_CREATION: ByCreation = { order: 'created' }
