// Joined domains: the files that they are made of, and what the store knows of these.

import type { Acl, DomainPath, ObjectId } from '@hyperslab/model/names'

/** A file of a joined domain as it was when the domain was opened last. */
export interface KnownFile {
  readonly path: DomainPath
  /** Its elements along the dimension. */
  readonly length: number
  /** The file before it; absent: it was the first. */
  readonly after?: DomainPath
}

export interface KnownFiles {
  /** The known files of the joined domain with this root group. */
  read(root: ObjectId): Promise<ReadonlyMap<DomainPath, KnownFile>>
  /** Adds files, or changes what is known of them. */
  write(root: ObjectId, files: readonly KnownFile[]): Promise<void>
}

/** A file of a joined domain that cannot be read, or not in whole. */
export interface UnwellFile {
  readonly path: DomainPath
  readonly reason: string
}

/** The files of a joined domain together. */
export interface JoinReview {
  /** In their order. */
  readonly files: readonly DomainPath[]
  /** The length of the dimension. */
  readonly length: number
  /** The places of the files; none of a new dimension. */
  readonly places: readonly KnownFile[]
  readonly datasets: readonly JoinedExtent[]
  /** The reasons why they cannot be joined, the first hundred. */
  readonly conflicts: readonly JoinConflict[]
  /** The lists of the files, each once. */
  readonly fileLists: readonly Acl[]
}

/** A dataset that is joined. */
export interface JoinedExtent {
  readonly path: string
  readonly shape: readonly number[]
  /** The dimension along which it is joined. */
  readonly axis: number
}

/** Files that do not agree. */
export interface JoinConflict {
  readonly files: readonly string[]
  /** The path of an object in them. */
  readonly object?: string
  readonly reason: string
}
