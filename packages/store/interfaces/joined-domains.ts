// Joined domains: the files that they are made of, and what the store knows of these.

import type { AbortCheck } from '@hyperslab/base/bounded'
import type { Acl, DomainPath, ObjectId } from '@hyperslab/model/names'

/** A file of a joined domain as it was when the domain was opened last. */
export interface KnownFile {
  readonly path: DomainPath
  /** Its elements along the dimension. */
  readonly length: number
  /** The file before it; absent: it was the first. */
  readonly after?: DomainPath
}

/** A part of the structures that openings have read, in a form of its own; equal parts are kept once. */
export interface KeptOutline {
  /** Different for each part of one domain. */
  readonly key: string
  readonly head: object
  readonly data?: Uint8Array
}

/** A joined domain whose files are still being read: it has the first ones of them. */
export interface JoinProgress {
  /** The number of files that it has, in the order of their paths. */
  readonly limit: number
  /** The number of files that were read. */
  readonly done: number
}

/** The knowledge of the store of the files of joined domains, by the root group of the domain. */
export interface KnownFiles {
  read(root: ObjectId): Promise<ReadonlyMap<DomainPath, KnownFile>>
  /** Adds files, or changes what is known of them. A failure is a warning. */
  write(root: ObjectId, files: readonly KnownFile[]): Promise<void>
  /** The parts that were kept, in the order of their keys as UTF-8. */
  outlines(root: ObjectId): AsyncIterable<KeptOutline>
  /** Adds or replaces parts, and removes those with the keys. A failure is a warning. */
  keepOutlines(root: ObjectId, parts: readonly KeptOutline[], removed?: readonly string[]): Promise<void>
  /** Undefined: the domain has all of its files. */
  progress(root: ObjectId): Promise<JoinProgress | undefined>
  /** Undefined: the domain has all files from now on. False: another process has changed it, or the domain is gone. */
  setProgress(root: ObjectId, before: JoinProgress, after: JoinProgress | undefined): Promise<boolean>
}

/** A file of a joined domain that cannot be read, or not in whole. */
export interface UnwellFile {
  readonly path: DomainPath
  readonly reason: string
}

export interface ReviewOptions {
  /** True: the first files are enough, if there are very many; the domain gets the others later. */
  readonly ofFirst?: boolean
  readonly signal?: AbortCheck | undefined
}

/** The files of a joined domain together. */
export interface JoinReview {
  /** In their order. */
  readonly files: readonly DomainPath[]
  /** The length of the dimension. */
  readonly length: number
  /** The places of the files; none of a new dimension. */
  readonly places: readonly KnownFile[]
  /** Present: there are more files, which are read later. */
  readonly progress?: JoinProgress
  readonly datasets: readonly JoinedExtent[]
  /** The reasons why they cannot be joined, the first hundred. */
  readonly conflicts: readonly JoinConflict[]
  /** Sources in which there is no file, and files that are left out: the first hundred. */
  readonly warnings: readonly { readonly path: string; readonly message: string }[]
  /** The domains of the store that are among the files. */
  readonly storedDomains: readonly DomainPath[]
  /** The folders of the store in which files were searched, or are missing. */
  readonly searched: readonly DomainPath[]
}

/** The list of a domain of the store that a joined domain is made of; `closed` as in its entry. */
export interface SourceList {
  readonly acl: Acl
  readonly closed: boolean
}

/** The files of a joined domain, in its entry. Never stored. */
export interface FilesOfEntry {
  /** The lists of its files, and of what is searched for them: each must allow to read. */
  readonly fileLists?: readonly Acl[]
  /** The same of the domains of the store that it is made of. */
  readonly sourceLists?: readonly SourceList[]
  /** Files that cannot be read, as far as they were looked at. */
  readonly unwell?: readonly UnwellFile[]
  /** Present: it does not have all of its files yet. */
  readonly progress?: JoinProgress
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
  /** The member of the definition with which they can be joined; absent: there is none. */
  readonly option?: 'keep' | 'unpack'
}
