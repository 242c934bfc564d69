// The interface of a mount: a folder of this machine, or addresses of other machines. A mount finds files by the paths
// of their domains; it reads no more of a file than its superblock.

import type { HyperslabError } from '@hyperslab/base/errors'
import type { ByteSource, JoinedObjects, OpenSibling } from '@hyperslab/h5/reader'
import type { DomainPath, ObjectId, Timestamp } from '@hyperslab/model/names'
import type { JoinProgress, Page } from '@hyperslab/store/store'
import type { JoinSource } from '../joins/definition.ts'
import type { UnwellMount } from './mount-calls.ts'

export interface Mount {
  /** The folder of the namespace that the files are in. */
  readonly path: DomainPath
  /** Whether the files are on another machine. */
  readonly isRemote: boolean
  /** The file or folder at a path; undefined: there is none that may be served now, nor was there a second ago. */
  find(path: DomainPath): Promise<MountedFile | MountedFolder | undefined>
  /**
   * Direct children, as `Reader.children` gives them: by name as UTF-8 bytes. `onOther` is called with the path of each
   * file that is no HDF5 file, as far as the mount looks at such files.
   */
  children(
    folder: DomainPath,
    page?: Page,
    onOther?: (path: DomainPath) => void,
  ): AsyncIterable<MountedFile | MountedFolder>
  /**
   * The path of the domain for the file that the file of the domain `holder` calls by this name, if it is in the mount.
   * `holder` may be in another mount; then only absolute names of files have a meaning. Does not check whether the path
   * exists.
   */
  locate(holder: DomainPath, name: string): Promise<DomainPath | undefined>
  /** Undefined: its file system answers, or this is not known. */
  readonly unwell?: UnwellMount | undefined
  close(): Promise<void>
}

export interface MountedFolder {
  readonly kind: 'folder'
  readonly path: DomainPath
  readonly lastModified: Timestamp
  /** The reason why its files cannot be read now. */
  readonly damage?: string
}

/** An HDF5 file, in one state. */
export interface MountedFile {
  readonly kind: 'file'
  readonly path: DomainPath
  readonly size: number
  readonly lastModified: Timestamp
  /** Changes when the bytes may have changed. */
  readonly stamp: string
  /** The path of the file on this machine; absent: it is on another one. */
  readonly place?: string
  /** It is a domain of the store, written as a file (joins/stored-domains.ts). */
  readonly isStored?: true
  /** The domains of the store that it is made of, as far as they are there. Absent: none. */
  readonly storedDomains?: readonly DomainPath[]
  /** The files that it is made of (joins/joined-files.ts): its state is that of all of them. Absent: it is one file. */
  readonly madeOf?: readonly DomainPath[]
  /** The sources of its definition, which is in the store. */
  readonly sources?: readonly JoinSource[]
  /** The files among these that cannot be read, with the reasons, as far as they were looked at. */
  readonly unwell?: ReadonlyMap<DomainPath, HyperslabError>
  /** Present: it does not have all files of `madeOf` yet. */
  readonly progress?: JoinProgress
  /** The root group of its domain; absent: that of its path. */
  readonly root?: ObjectId
  /** The reason why a part of it cannot be read, as far as its superblock says it: it is cut off. */
  readonly damage?: string
  /** Opens the file; throws `file-changed` when it is in another state already. */
  open(): Promise<OpenFile>
}

export interface OpenFile {
  readonly source: ByteSource
  /** Opens files that this one names, if they are in the mount too. */
  readonly openSibling: OpenSibling
  /** Datasets that are read from several files; absent: none is. */
  readonly joined?: JoinedObjects
  /**
   * False: the bytes that were read since the last call, or since `open`, may be of different states. A replaced file
   * is unchanged: the old one is open. So is one to which a SWMR writer has only added: the bytes that were read stay
   * valid (by the design of SWMR each state refers to complete parts).
   */
  isUnchanged(): Promise<boolean>
  /**
   * Whether the files that this one names, as far as they were requested, are unchanged or still missing. False: data
   * that were read from them are valid only for the requests that have read them.
   */
  areSiblingsCurrent(): Promise<boolean>
  /** Differs for different states of the files that this one names, as far as they were requested. */
  siblingsState(): string
  /**
   * True: a SWMR writer has written since `open`. A part that could not be read may have been beyond the end: after
   * reopening, it can be read. Absent: files of this mount do not grow while they are open.
   */
  hasGrown?(): Promise<boolean>
  close(): void
}
