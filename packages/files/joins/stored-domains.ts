// Stored domains as files that can be joined: each is the HDF5 file that a download of it would be, of which parts are
// written when they are read. A look at the domains and all reads of those that it has found see one state of the
// store, which is kept for some seconds; after that a domain that has changed is `file-changed`, as a file would be.

import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import type { ByteSource } from '@hyperslab/h5/reader'
import { ChunkEncoding } from '@hyperslab/h5/writer'
import { type DomainPath, type ObjectId, ROOT_FOLDER } from '@hyperslab/model/names'
import type { FilterRunner } from '@hyperslab/store/chunks'
import type { DomainEntry, Mounts, Reader } from '@hyperslab/store/store'
import { fileChanged } from '../mounts/domain-errors.ts'
import type { MountedFile, MountedFolder, OpenFile } from '../mounts/mount.ts'
import { DomainFileMaker } from '../transfer/domain-file.ts'
import { rangesOf } from '../transfer/file-source.ts'
import type { JoinableFiles } from './find-files.ts'

/** Entries of a folder that are read at once. @limit memory, entries */
const ENTRIES_AT_ONCE = 1000
/**
 * Objects of a domain that is joined: its plan is kept, and a larger one would be made again for each part.
 * @limit safety, objects
 */
const MAX_OBJECTS = 50_000
/** The age up to which a state counts as that of a new look. */
const NEW_MILLISECONDS = 500
/** The time for which a state is kept: until the next look, unless looks take long. */
const KEPT_MILLISECONDS = 5000
/** States that are kept; the oldest end earlier. @limit safety, states */
const MAX_KEPT = 16

export type ReadStored = Parameters<Mounts['joinStored']>[0]

export class StoredDomains implements JoinableFiles {
  readonly path = ROOT_FOLDER
  readonly #read: ReadStored
  readonly #files: DomainFileMaker
  readonly #kept = new Set<KeptState>()
  #newest: KeptState | undefined

  constructor(read: ReadStored, filterRunner: FilterRunner) {
    this.#read = read
    this.#files = new DomainFileMaker(
      new ChunkEncoding((pipeline, chunk) => filterRunner.encode(pipeline, chunk)),
    )
  }

  find(path: DomainPath): Promise<MountedFile | MountedFolder | undefined> {
    return this.#now.use(async (reader, state) => {
      const entry = await reader.domain(path)
      return entry && this.#found(entry, reader, state)
    })
  }

  async *children(folder: DomainPath): AsyncGenerator<MountedFile | MountedFolder> {
    for (let marker: DomainPath | undefined; ; ) {
      const page = { limit: ENTRIES_AT_ONCE, ...(marker !== undefined && { marker }) }
      const { count, last, found } = await this.#now.use(async (reader, state) => {
        const entries: DomainEntry[] = []
        for await (const entry of reader.children(folder, page)) entries.push(entry)
        const found: (MountedFile | MountedFolder | undefined)[] = []
        for (const entry of entries) found.push(await this.#found(entry, reader, state))
        return { count: entries.length, last: entries.at(-1)?.path, found }
      })
      for (const one of found) if (one) yield one
      if (count < ENTRIES_AT_ONCE) return
      marker = last
    }
  }

  renew(): void {
    this.#newest = undefined
  }

  /** Lets go of all states, so that the store can be closed. */
  close(): void {
    for (const state of this.#kept) state.end()
  }

  /** A state that is new enough for a look. */
  get #now(): KeptState {
    const newest = this.#newest
    if (newest?.isNew) return newest
    const state: KeptState = new KeptState(this.#read, () => this.#kept.delete(state))
    this.#kept.add(state)
    this.#newest = state
    const tooMany = [...this.#kept].slice(0, -MAX_KEPT)
    for (const old of tooMany) old.end()
    return state
  }

  /** Undefined: a joined domain is not joined again, so that none is made of itself. */
  async #found(
    { path, root, join, lastModified }: DomainEntry,
    reader: Reader,
    state: KeptState,
  ): Promise<MountedFile | MountedFolder | undefined> {
    if (root === undefined) return { kind: 'folder', path, lastModified }
    if (join !== undefined) return undefined
    const { form, ...now } = await reader.state(root)
    const stored = await reader.statistics(path)
    return {
      kind: 'file',
      isStored: true,
      path,
      size: stored ? stored.allocatedBytes + stored.metadataBytes : 0,
      lastModified: now.lastModified,
      stamp: `${root} ${form}`,
      open: () => this.#open(path, root, form, state),
    }
  }

  async #open(path: DomainPath, root: ObjectId, form: string, state: KeptState): Promise<OpenFile> {
    const use = <T>(work: (reader: Reader) => Promise<T>) =>
      state.isKept
        ? state.use(work)
        : this.#now.use(async reader => {
            if ((await reader.state(root)).form !== form) throw fileChanged(path)
            return work(reader)
          })
    const { length } = await use(async reader => {
      await requireFew(reader, path)
      return this.#fileOf(reader, root, path)
    })
    const readRange = (target: Uint8Array, position: number) =>
      use(async reader => {
        const { pieces } = await this.#fileOf(reader, root, path)
        let done = 0
        for await (const piece of pieces(position, Math.min(target.length, length - position))) {
          target.set(piece, done)
          done += piece.length
        }
        return done
      })
    const source: ByteSource = { size: length, stamp: `${root} ${form}`, ...rangesOf(length, readRange) }
    return {
      source,
      openSibling: async () => undefined,
      // Each part is read in this state, or not at all.
      isUnchanged: async () => true,
      areSiblingsCurrent: async () => true,
      siblingsState: () => '',
      close() {},
    }
  }

  async #fileOf(reader: Reader, root: ObjectId, path: DomainPath) {
    try {
      return await this.#files.open(reader, root, {
        skipUnreadable: false,
        // Requests share the file.
        signal: { throwIfAborted() {} },
        visit({ id, acl }) {
          if (id !== root && acl.length > 0)
            throw unfit(path, 'an object in it has an access list of its own')
        },
      })
    } catch (error) {
      const isOfValues = error instanceof HyperslabError && error.code === 'values-unreadable'
      throw isOfValues ? unfit(path, error.message) : error
    }
  }
}

async function requireFew(reader: Reader, path: DomainPath): Promise<void> {
  const { groups = 0, datasets = 0, datatypes = 0 } = (await reader.statistics(path)) ?? {}
  if (groups + datasets + datatypes > MAX_OBJECTS)
    throw unfit(path, `it has more than ${MAX_OBJECTS} objects`)
}

function unfit(path: DomainPath, rule: string): HyperslabError {
  return new HyperslabError('file-unreadable', `the domain ${path} cannot be joined: ${rule}`)
}

/** One state of the store, until it is some seconds old and nothing is read in it. */
class KeptState {
  readonly #reader: Promise<Reader>
  readonly #start = SYSTEM_CLOCK.elapsed()
  readonly #letGo: () => void
  #isOver = false
  #users = 0

  constructor(read: ReadStored, onEnd: () => void) {
    let letGo = () => {}
    const ended = new Promise<void>(resolve => {
      letGo = resolve
    })
    this.#letGo = letGo
    this.#reader = new Promise((resolve, reject) => {
      const keep = (reader: Reader) => {
        resolve(reader)
        return ended
      }
      // It fails for those that use it.
      read(keep).catch(reject).finally(onEnd)
    })
    this.#reader.catch(() => this.end())
    SYSTEM_CLOCK.after(KEPT_MILLISECONDS, () => this.end(), 'while-running')
  }

  get isNew(): boolean {
    return this.isKept && SYSTEM_CLOCK.elapsed() - this.#start < NEW_MILLISECONDS
  }

  get isKept(): boolean {
    return !this.#isOver
  }

  async use<T>(work: (reader: Reader, state: KeptState) => Promise<T>): Promise<T> {
    this.#users++
    try {
      return await work(await this.#reader, this)
    } finally {
      this.#users--
      this.#endIfUnused()
    }
  }

  end(): void {
    this.#isOver = true
    this.#endIfUnused()
  }

  #endIfUnused(): void {
    if (this.#isOver && this.#users === 0) this.#letGo()
  }
}
