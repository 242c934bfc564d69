// The state of a walk: the domain and the object whose records are visited, and the counts of them.

import type { ObjectId } from '@hyperslab/model/names'
import type { ChunkLayout } from '../chunks/chunk-layout.ts'
import type { HdfObject } from '../interfaces/store.ts'
import type { Statistic } from '../records/keys.ts'
import type { COUNTED } from '../records/statistics.ts'

type ContentsFigure = (typeof COUNTED)[number]

/** The counted members of an object; bytes and chunks are counted only if all of its records could be decoded. */
export const MEMBERS_COUNTED = ['linkCount', 'attributeCount'] as const
export const BYTES_COUNTED = ['memberBytes', 'chunkCount', 'chunkBytes'] as const
type ObjectFigure = (typeof MEMBERS_COUNTED)[number] | (typeof BYTES_COUNTED)[number]

/** The state of the walk through a domain. */
export interface DomainWalk {
  readonly root: ObjectId
  /** Its contents are being removed and are not checked. */
  readonly isRemoved: boolean
  readonly counts: Record<ContentsFigure, number>
  /** Bytes of the elements of all datasets: a double cannot hold the sum where extents are huge. */
  logicalBytes: bigint
  readonly stored: Map<Statistic, Uint8Array>
  lastModified: number
  /** A record could not be decoded, so the counts cannot be compared. */
  isBroken: boolean
  /** Ids without a record that have chunks: large values of attributes, if their owners name them. */
  readonly values: Set<ObjectId>
}

export interface ObjectWalk {
  readonly id: ObjectId
  readonly state: 'there' | 'missing' | 'removed' | 'broken'
  readonly object: HdfObject | undefined
  /** The layout of a dataset that has chunks. */
  readonly layout: ChunkLayout | undefined
  readonly counts: Record<ObjectFigure, number>
  readonly stored: Map<string, Uint8Array>
  /** Attributes that have a large value, and keys of large values. */
  largeAttributes: number
  largeValues: number
  isToldMissing: boolean
  /** A counted record could not be decoded. */
  isBroken: boolean
}

export function zeros<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map(name => [name, 0])) as Record<Name, number>
}
