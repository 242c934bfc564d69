// The interface to domains that are files, served where they are: StoreReader uses it when the store has no such
// domain. The folder packages/files/mounts implements it.

import type { AbortCheck } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import type { Acl, DomainPath, ObjectId } from '@hyperslab/model/names'
import type { Selection } from '@hyperslab/model/selection'
import type { Piece } from '@hyperslab/model/values'
import type { BufferPool } from '../chunks/buffer-pool.ts'
import type { ChunkFilters } from '../chunks/chunk-filters.ts'
import type { JoinReview } from './joined-domains.ts'
import type {
  Dataset,
  DomainEntry,
  DomainState,
  DomainStatistics,
  OwnFile,
  Page,
  Reader,
  UsesOfOthers,
} from './store.ts'

/** The parts of the store that reading values needs. */
export interface ValueParts {
  readonly filters: ChunkFilters
  readonly pool: BufferPool
  /** The approximate number of bytes of values that are moved at once. */
  readonly pieceBytes: number
}

/** All files that are served where they are. */
export interface Mounts {
  /**
   * Begins one read or write of the store: each file that it reads stays open, in one state, until `close`. `signal` is
   * that of its caller.
   */
  begin(parts: ValueParts, signal?: AbortCheck): MountedReads
  /**
   * The file or folder at a path; with `isFolder` also all below it, up to `limit` entries in all, of folders of this
   * machine only: other machines are not asked for lists again and again. `joined` are the joined domains there.
   * Undefined: nothing is mounted there, and `joined` is empty.
   */
  look(
    path: DomainPath,
    limit: number,
    isFolder: boolean,
    joined?: readonly JoinedEntry[],
  ): Promise<MountedLook | undefined>
  /** `Reader.reviewJoin`. */
  reviewJoin(...asked: Parameters<Reader['reviewJoin']>): Promise<JoinReview>
  /**
   * Must be called once, before `begin`: domains of the store can be joined, too. `read` reads them in one state, until
   * the work ends. The result lets go of all states that are read, and must be called before the store is closed.
   */
  joinStored(read: ReadStored): () => void
  close(): Promise<void>
}

/** Reads one state of the store: its own domains, without mounted files. */
export type ReadStored = <T>(work: (reader: Reader) => Promise<T>) => Promise<T>

/** Whether the file system or the server of mounted files does not answer now. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof HyperslabError && error.code === 'file-unavailable'
}

/** The entry of a joined domain. */
export type JoinedEntry = DomainEntry & { readonly root: ObjectId; readonly join: string }

export function isJoinedEntry(entry: DomainEntry): entry is JoinedEntry {
  return entry.join !== undefined
}

/** The entry of a joined domain as its files are now, and the domains of the store that it is made of. */
export interface FoundJoined {
  readonly entry: DomainEntry
  readonly storedDomains: readonly DomainPath[]
}

/** The mounted files and folders at a path and below it. */
export interface MountedLook {
  readonly entries: readonly MountedEntry[]
  /** False: there are more of them than the limit. */
  readonly isWhole: boolean
  /** Files and folders that do not answer now, nor all below them. Absent: there are none. */
  readonly unknown?: readonly DomainPath[]
  /** The list of the mounted file or folder at a path. */
  readonly aclAt: (path: DomainPath) => Acl
}

/** A mounted file in one state, or a folder. */
export interface MountedEntry {
  readonly path: DomainPath
  /** Absent: it is a folder. */
  readonly root?: ObjectId
  /** The state of the domain: that of `MountedDomain.state`. */
  readonly state?: string
  /** It has an entry in the store: a joined domain. */
  readonly isStored?: true
}

export interface MountedReads {
  /** True after `domain` or `children` has read files: then the result of the read depends on more than records. */
  readonly areUsed: boolean
  domain(path: DomainPath): Promise<DomainEntry | undefined>
  /**
   * The entry of a joined domain as its files are now. Its contents are those of the files from now on; where these
   * cannot be joined, reading them throws the reason.
   */
  joined(entry: JoinedEntry): Promise<FoundJoined>
  /** `Reader.linkedFile` for a mounted domain. */
  locate(holder: DomainPath, name: string): Promise<DomainPath | undefined>
  /** Like `Reader.children`, for children that are files or folders of files. */
  children(folder: DomainPath, page?: Page): AsyncIterable<DomainEntry>
  /**
   * The contents of the domain that the object is in. Undefined: `domain` and `children` have not returned such a
   * domain.
   */
  contents(id: ObjectId): MountedDomain | undefined
  /**
   * `Reader.readPieces` for a dataset of the store whose values are in mounted files (hsds-values 18); `reader` gives
   * tables of chunks.
   */
  readReferenced(
    reader: Pick<Reader, 'object' | 'readValues'>,
    dataset: Dataset,
    selection: Selection,
    signal?: AbortCheck,
  ): AsyncIterable<Piece>
  /** Throws `file-changed` when a file that was read has changed since. Undefined: no file was read. */
  requireUnchanged(): Promise<void> | undefined
  /** `Reader.finishDomain` for a mounted domain. */
  finish(root: ObjectId): Promise<void>
  close(): void
}

/** The contents of one file. Ids and times stay the same as long as the path and the bytes of the file do. */
export interface MountedContents
  extends Pick<
    Reader,
    | 'object'
    | 'details'
    | 'status'
    | 'objects'
    | 'link'
    | 'links'
    | 'linksTo'
    | 'attribute'
    | 'attributes'
    | 'allocation'
    | 'readPieces'
    | 'storedChunks'
    | 'chunkOnDisk'
    | 'placedChunks'
    | 'locateChunks'
    | 'requireValues'
  > {
  /** Walks the whole file. */
  statistics(): Promise<DomainStatistics>
  /** `OtherFiles.uses` of the file. */
  usesOfOthers(signal: AbortCheck): Promise<UsesOfOthers>
}

/** A domain that is a file, as one read or write of the store sees it. */
export interface MountedDomain extends MountedContents {
  /** The state: it changes when the bytes of the file may have changed. */
  readonly state: DomainState
  /**
   * The file itself. From now on `requireUnchanged` allows no change of the file, not even growth. Undefined: the
   * domain is made of several files.
   */
  ownFile(): Promise<OwnFile | undefined>
}
