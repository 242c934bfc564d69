// Whole domains as HDF5 files, and HDF5 files as domains, as the service asks for them: domain-files.ts answers. The
// permissions to download and upload them are a concern of the service.

import type { AbortCheck } from '@hyperslab/base/bounded'
import type { LinkedFiles } from '@hyperslab/model/dataset'
import type { ObjectId, Timestamp } from '@hyperslab/model/names'
import type { HdfObject, Reader, Writer } from '@hyperslab/store/store'

/** A part of a domain that its file does not have, or a part of a file that its domain does not have. */
export interface FileLoss {
  /** The path of the object, or of the link. */
  readonly path: string
  readonly message: string
}

/** A domain as the bytes of an HDF5 file. They are read while the snapshot of its reader is open. */
export interface DomainFile {
  readonly length: number
  /** A version that differs for different bytes. */
  readonly version: string
  /** When it was changed last; absent: parts of it are those of other files. */
  readonly lastModified?: Timestamp
  /** The path, on this machine, of a file that has these bytes and no others; absent: there is none. */
  readonly place?: string
  /** The bytes of a part. A piece is valid until the next one is requested. */
  pieces(position: number, length: number): AsyncIterable<Uint8Array>
  /** Names of other HDF5 files, as external links and virtual datasets of a mounted file have them: the first ones. */
  otherFiles(): Promise<readonly string[]>
  /** The parts that are known to be left out; all of them when the pieces have been read. */
  losses(): Promise<readonly FileLoss[]>
}

/** Options of the file of a domain. */
export interface FileForm {
  /** True: datasets without values are left out; otherwise they are an error. */
  readonly skipUnreadable: boolean
  /**
   * Whether a domain that is a file is written anew, too. Undefined: if some of its values are in other files, because
   * programs that read it from elsewhere do not have these.
   */
  readonly repack?: boolean | undefined
}

export interface FileRequest extends FileForm {
  readonly signal: AbortCheck
  /** Called for each object before it becomes part of the file; throws when it must not. */
  readonly visit: (object: HdfObject) => void
}

/** An uploaded file. */
export interface IncomingFile<Published> {
  /** The bytes of the file, which can be iterated once. */
  readonly pieces: AsyncIterable<Uint8Array>
  /** The number of bytes, if it is known before they are read. */
  readonly length: number | undefined
  /** Names that the file may have for itself: its own name, if the request contains it, and that of the domain. */
  readonly names: readonly string[]
  /** True: a file of which a part would be left out or changed is refused. */
  readonly strict: boolean
  /** The locations of the files that its external links name; absent: the names are the locations. */
  readonly linkedFiles?: LinkedFiles
  /** Aborted when the client leaves; then nothing is stored. */
  readonly signal: AbortSignal
  /**
   * Makes the contents, which no domain has yet, a domain. It is called in the last transaction, which may run several
   * times.
   */
  readonly publish: (writer: Writer, root: ObjectId) => Promise<Published>
}

export interface DomainFiles {
  /**
   * The file that the domain is (`Reader.ownFile`), or else one that is planned now. Throws `values-unreadable` for a
   * dataset without values and `type-unsupported` for a type that a file cannot hold, each with the path.
   */
  open(reader: Reader, root: ObjectId, request: FileRequest): Promise<DomainFile>
  /**
   * Reads a file to its end and makes it a domain, all of it or nothing, also when the process dies. Parts that cannot
   * be kept are left out. Throws `not-hdf5`, `file-unreadable`, `file-damaged`; `body-too-large` beyond the setting
   * max_upload; `storage-full`.
   */
  take<Published>(
    file: IncomingFile<Published>,
  ): Promise<{ published: Published; losses: readonly FileLoss[] }>
}
