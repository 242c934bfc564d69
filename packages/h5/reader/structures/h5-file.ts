// A file whose objects can be read, made by openFile (open-file.ts): its bytes, and caches of its structures.

import type { Superblock } from '../../format/superblock.ts'
import type { FileBytes } from './file-bytes.ts'
import type { HeaderCache } from './header-cache.ts'
import type { KnownMessages } from './known-messages.ts'
import type { MemberCount } from './member-count.ts'
import type { SharedMessages } from './shared-messages.ts'

/** Options of opening a file. */
export interface OpenOptions {
  /** True: files that are marked as open for writing are read, too. Default: they are refused. */
  readonly readsWhileWritten?: boolean
  /**
   * True: the file stays open for many requests. Default: it is read once, and damage that would cause endless reads is
   * detected.
   */
  readonly isLongLived?: boolean
}

export interface H5File {
  readonly bytes: FileBytes
  readonly superblock: Superblock
  /** The path in messages. */
  readonly path: string
  /** Options that apply to the files beside it, too. Absent: the defaults. */
  readonly options?: OpenOptions
  /** The address of the object header of the root group. */
  readonly root: number
  /** The messages that objects of the file share, if there are any. */
  readonly sharedMessages?: SharedMessages
  /** The warning that a part of the file is missing and cannot be read. */
  readonly truncation?: string
  /** The structures that were read, by address. */
  readonly headers: HeaderCache
  readonly known: KnownMessages
  /** Counts the links of all groups of the file. */
  readonly linkCount: MemberCount
  /** Counts the attributes of all objects of the file. */
  readonly attributeCount: MemberCount
  /** Counts the chunks in the indexes of all datasets. */
  readonly chunkCount: MemberCount
}
