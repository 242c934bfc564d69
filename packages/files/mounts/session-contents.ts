// The contents of one file for one read or write: the file is opened when a part of it is first needed, and stays open,
// in the same state, until the session releases it.

import type { AbortCheck } from '@hyperslab/base/bounded'
import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import type { ReadCaller } from '@hyperslab/h5/reader'
import type { ObjectId, ObjectKind, Timestamp } from '@hyperslab/model/names'
import type { Selection } from '@hyperslab/model/selection'
import type { Piece } from '@hyperslab/model/values'
import type { ChunkBytes, ChunkOnDisk, ChunkSpan } from '@hyperslab/store/chunks'
import type {
  Allocation,
  Attribute,
  Dataset,
  DomainState,
  DomainStatistics,
  HdfObject,
  Link,
  LinkKey,
  ListedAttribute,
  ListedLink,
  LocatedChunk,
  LocatedChunks,
  MountedContents,
  MountedDomain,
  ObjectDetails,
  ObjectStatus,
  OwnFile,
  Page,
  PlacedChunk,
} from '@hyperslab/store/store'
import { domainState } from '@hyperslab/store/store'
import { domainError, fileChanged, fileIncomplete, isUnreadable } from './domain-errors.ts'
import type { MountedFile } from './mount.ts'
import type { SharedContents } from './shared-contents.ts'
import { readPart } from './values/joint-reads.ts'

type Frame = NonNullable<ChunkOnDisk['frame']>

/** Programs that write a file in place leave parts of it unwritten for a moment. */
const WRITING_MILLISECONDS = 1000

export class SessionContents implements MountedDomain {
  readonly #file: MountedFile
  readonly #root: ObjectId
  readonly #caller: ReadCaller
  readonly #acquire: (contents: SessionContents) => Promise<SharedContents>
  #shared: Promise<SharedContents> | undefined
  #readsUnderWay = 0
  #mayGrow = true

  /** `acquire` is called for each file that has to be opened, and opened again. */
  constructor(
    file: MountedFile,
    root: ObjectId,
    caller: ReadCaller,
    acquire: (contents: SessionContents) => Promise<SharedContents>,
  ) {
    this.#file = file
    this.#root = root
    this.#caller = caller
    this.#acquire = acquire
  }

  get file(): MountedFile {
    return this.#file
  }

  /** Whether no part of it is being read, so that it may be released. */
  get isAtRest(): boolean {
    return this.#readsUnderWay === 0
  }

  /** Throws `file-changed` when the data read from the file may be of two states. */
  async requireUnchanged(): Promise<void> {
    // A file that could not be opened has not been read.
    const shared = await this.#shared?.catch(() => undefined)
    if (shared === undefined) return
    const isSame = (await shared.isUnchanged()) && (this.#mayGrow || !(await shared.hasGrown()))
    if (!isSame) throw fileChanged(this.#file.path)
  }

  /** Releases the file; when it is needed again it is opened again, in the same state or not at all. */
  release(): void {
    this.#shared?.then(
      shared => shared.release(),
      () => undefined,
    )
    this.#shared = undefined
  }

  get state(): DomainState {
    return stateOfFile(this.#root, this.#file)
  }

  async ownFile(): Promise<OwnFile | undefined> {
    if (this.#file.madeOf) return undefined
    this.#mayGrow = false
    const { size, stamp } = (await this.#opened()).source
    const read: OwnFile['read'] = (target, position) =>
      this.#read(async () => {
        this.#caller.signal?.throwIfAborted()
        // It may have been released since.
        const { source } = await this.#opened()
        return readPart(source, target.subarray(0, Math.max(0, size - position)), position)
      })
    const { place } = this.#file
    const others: OwnFile['others'] = {
      uses: signal => this.usesOfOthers(signal),
      state: async () => (await this.#opened()).siblingsState(),
    }
    return { size, version: stamp, ...(place !== undefined && { place }), others, read }
  }

  object(id: ObjectId): Promise<HdfObject | undefined> {
    return this.#read(contents => contents.object(id))
  }

  details(ids: readonly ObjectId[]): Promise<readonly (ObjectDetails | undefined)[]> {
    return this.#read(contents => contents.details(ids))
  }

  status(id: ObjectId): Promise<ObjectStatus> {
    return this.#read(contents => contents.status(id))
  }

  objects(root: ObjectId, kind: ObjectKind, page?: Page<ObjectId>): AsyncIterable<ObjectId> {
    return this.#list(contents => contents.objects(root, kind, page))
  }

  link(group: ObjectId, title: string): Promise<Link | undefined> {
    return this.#read(contents => contents.link(group, title))
  }

  links(group: ObjectId, page?: Page): AsyncIterable<ListedLink> {
    return this.#list(contents => contents.links(group, page))
  }

  linksTo(id: ObjectId): AsyncIterable<LinkKey> {
    return this.#list(contents => contents.linksTo(id))
  }

  attribute(owner: ObjectId, name: string): Promise<Attribute | undefined> {
    return this.#read(contents => contents.attribute(owner, name))
  }

  attributes(owner: ObjectId, page?: Page): AsyncIterable<ListedAttribute> {
    return this.#list(contents => contents.attributes(owner, page))
  }

  allocation(dataset: ObjectId): Promise<Allocation> {
    return this.#read(contents => contents.allocation(dataset))
  }

  readPieces(dataset: Dataset, selection: Selection, signal?: AbortCheck): AsyncIterable<Piece> {
    return this.#list(contents => contents.readPieces(dataset, selection, signal))
  }

  storedChunks(dataset: Dataset, span?: ChunkSpan): AsyncIterable<ChunkBytes> {
    return this.#list(contents => contents.storedChunks(dataset, span))
  }

  async chunkOnDisk(dataset: Dataset, coordinates: readonly number[]): Promise<ChunkOnDisk | undefined> {
    const chunk = await this.#read(contents => contents.chunkOnDisk(dataset, coordinates))
    const frame = chunk?.frame
    if (!frame) return chunk
    const opened = this.#shared
    // When the pieces are read, the file may have been released.
    const reread = (read: (frame: Frame) => AsyncIterable<Uint8Array>) =>
      this.#shared === opened
        ? this.#list(() => read(frame))
        : this.#list(contents => framePieces(contents.chunkOnDisk(dataset, coordinates), read))
    const { piecesOf } = frame
    return {
      ...chunk,
      frame: {
        ...frame,
        pieces: () => reread(frame => frame.pieces()),
        ...(piecesOf && {
          piecesOf: (position, length) => reread(frame => (frame.piecesOf ?? piecesOf)(position, length)),
        }),
      },
    }
  }

  async placedChunks(dataset: Dataset): Promise<AsyncIterable<PlacedChunk> | undefined> {
    const find = (contents: MountedContents) => contents.placedChunks(dataset)
    const placed = await this.#read(find)
    // The file may be released before the chunks are asked for.
    return placed && this.#list(contents => placedIn(find(contents)))
  }

  async locateChunks(dataset: Dataset): Promise<LocatedChunks | undefined> {
    const find = (contents: MountedContents) => contents.locateChunks(dataset)
    const located = await this.#read(find)
    // The file may be released before the chunks are requested.
    return located && { ...located, batches: this.#list(contents => batchesOf(find(contents))) }
  }

  requireValues(dataset: Dataset, signal?: AbortCheck): Promise<void> {
    return this.#read(contents => Promise.resolve(contents.requireValues(dataset, signal)))
  }

  statistics(): Promise<DomainStatistics> {
    return this.#read(contents => contents.statistics())
  }

  async #read<T>(read: (contents: MountedContents) => Promise<T>): Promise<T> {
    this.#readsUnderWay++
    try {
      return await read(await this.#open())
    } catch (error) {
      throw await this.#causeOf(error)
    } finally {
      this.#readsUnderWay--
    }
  }

  usesOfOthers(signal: AbortCheck): ReturnType<MountedContents['usesOfOthers']> {
    return this.#read(contents => contents.usesOfOthers(signal))
  }

  async *#list<T>(list: (contents: MountedContents) => AsyncIterable<T>): AsyncGenerator<T> {
    this.#readsUnderWay++
    try {
      yield* list(await this.#open())
    } catch (error) {
      throw await this.#causeOf(error)
    } finally {
      this.#readsUnderWay--
    }
  }

  /** The cause of an error: data that seem damaged may be after the former end of the file, or not be written yet. */
  async #causeOf(error: unknown): Promise<unknown> {
    const { path, lastModified } = this.#file
    const shared = await this.#shared?.catch(() => undefined)
    if (await shared?.hasGrown()) return fileChanged(path)
    if (!(error instanceof HyperslabError)) return error
    const cause = domainError(error, path)
    return isUnreadable(cause) && isWithinLast(WRITING_MILLISECONDS, lastModified)
      ? fileIncomplete(path, cause)
      : cause
  }

  async #open(): Promise<MountedContents> {
    return (await this.#opened()).contents.for(this.#caller)
  }

  #opened(): Promise<SharedContents> {
    this.#shared ??= this.#acquire(this)
    return this.#shared
  }
}

/** The state of the domain that a file is. */
export function stateOfFile(root: ObjectId, { lastModified, stamp }: MountedFile): DomainState {
  return domainState(root, lastModified, stamp)
}

async function* framePieces(
  found: Promise<ChunkOnDisk | undefined>,
  read: (frame: Frame) => AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const frame = (await found)?.frame
  if (frame) yield* read(frame)
}

async function* batchesOf(
  located: Promise<LocatedChunks | undefined>,
): AsyncGenerator<readonly LocatedChunk[]> {
  yield* (await located)?.batches ?? []
}

async function* placedIn(
  placed: Promise<AsyncIterable<PlacedChunk> | undefined>,
): AsyncGenerator<PlacedChunk> {
  yield* (await placed) ?? []
}

/** Whether the time is within the last milliseconds; one in the future comes from another clock and does not count. */
export function isWithinLast(milliseconds: number, time: Timestamp): boolean {
  const age = SYSTEM_CLOCK.now() - time / 1000
  return age >= 0 && age < milliseconds
}
