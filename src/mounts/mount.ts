// Where mounted files come from: a folder of this machine, or addresses of other machines. A mount finds files by the
// paths of their domains; it reads no more of a file than its signature.

import type { ByteSource } from '../h5file/byte-source.ts'
import type { OpenSibling } from '../h5file/reader/values/data-file.ts'
import type { DomainPath } from '../hdf5/domain-path.ts'
import type { Timestamp } from '../hdf5/timestamp.ts'
import type { Page } from '../storage/store.ts'

export interface Mount {
  /** The folder of the namespace that the files are in. */
  readonly path: DomainPath
  /** Undefined: nothing that may be served is there now, or was there a second ago. */
  find(path: DomainPath): Promise<MountedFile | MountedFolder | undefined>
  /** Direct children, as `Reader.children` gives them: by name as UTF-8 bytes. */
  children(folder: DomainPath, page?: Page): AsyncIterable<MountedFile | MountedFolder>
  /**
   * The path of the domain that is the file which the file of the domain `holder` calls by this name, if it is in the
   * mount. `holder` may be of another mount, where only absolute names of files mean something. What is at the path is
   * not looked at.
   */
  locate(holder: DomainPath, name: string): Promise<DomainPath | undefined>
  close(): Promise<void>
}

export interface MountedFolder {
  readonly kind: 'folder'
  readonly path: DomainPath
  readonly lastModified: Timestamp
}

/** An HDF5 file, in one state. */
export interface MountedFile {
  readonly kind: 'file'
  readonly path: DomainPath
  readonly size: number
  readonly lastModified: Timestamp
  /** Changes when the bytes may have changed. */
  readonly stamp: string
  /** Throws `file-changed` when the file is in another state already. */
  open(): Promise<OpenFile>
}

export interface OpenFile {
  readonly source: ByteSource
  /** Opens files that this one names, if they are in the mount too. */
  readonly openSibling: OpenSibling
  /**
   * False: the bytes that were read since `open` may be of different states. A file that was replaced is unchanged:
   * what is open is the old one. So is one that a SWMR writer has only added to: what was read holds (design of SWMR:
   * each state leads to whole parts).
   */
  isUnchanged(): Promise<boolean>
  /**
   * Whether the files that this one names, as far as they were asked for, are the same in the same state as then, or
   * are still missing. False: what was read of them holds for the requests that read it, and for no later one.
   */
  areSiblingsCurrent(): Promise<boolean>
  /**
   * True: a SWMR writer has written since `open`. A part that could not be read may be where the file ended then:
   * opened again, it can be read. Absent: files of this mount do not grow while they are open.
   */
  hasGrown?(): Promise<boolean>
  close(): void
}
