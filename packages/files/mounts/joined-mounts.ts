// The mounts of a service as one: finds domains and folders in all of them, and gives each read or write of the store
// its open files. If mounts overlap, the one with the longer path has precedence; the path to a mount leads through
// folders only.

import { type AbortCheck, isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { StepPool } from '@hyperslab/h5/reader'
import { parseJson } from '@hyperslab/model/json'
import type { ObjectId, Timestamp } from '@hyperslab/model/names'
import {
  type Acl,
  childOf,
  compareUtf8,
  DEFAULT_USER,
  type DomainPath,
  isTopLevel,
  isWithin,
  nameOf,
  namesBelow,
  parentOf,
  ROOT_FOLDER,
} from '@hyperslab/model/names'
import { type FilterRunner, IN_THIS_THREAD } from '@hyperslab/store/chunks'
import type { Page } from '@hyperslab/store/store'
import {
  isUnavailable,
  type JoinedEntry,
  type JoinReview,
  type KnownFiles,
  type MountedLook,
  type MountedReads,
  type Mounts,
  type ValueParts,
} from '@hyperslab/store/store'
import type { JoinSource } from '../joins/definition.ts'
import { JoinedFiles } from '../joins/joined-files.ts'
import { parseDefinition } from '../joins/parse-definition.ts'
import { unlessLate } from '../joins/searched-files.ts'
import { leadsInto, startOf } from '../joins/source-folders.ts'
import { type ReadStored, StoredDomains } from '../joins/stored-domains.ts'
import type { Mount, MountedFile, MountedFolder } from './mount.ts'
import { MountSession, type SessionMounts } from './mount-session.ts'
import { stateOfFile } from './session-contents.ts'
import { type OpenContents, SharedContentsCache } from './shared-contents.ts'

type OnPath = (path: DomainPath) => void
type MountedEntry = MountedLook['entries'][number]

export interface MountsOptions {
  readonly openContents: OpenContents
  /** The root group of the domain at a path: the same for the same path, also after a restart. */
  readonly rootAt: (path: DomainPath) => ObjectId
  /** The list of the folder or the root group at a path; `openContents` adds it to root groups too. */
  readonly aclAt: (path: DomainPath) => Acl
  readonly now: () => Timestamp
  /** Files that are kept open in addition to those that requests use. */
  readonly maxKeptFiles: number
  /** The files of joined domains as they were; absent: files that are gone leave no places behind. */
  readonly knownFiles?: KnownFiles
  /** Encodes chunks of domains of the store that are joined. Default: this thread. */
  readonly filterRunner?: FilterRunner
}

export function openMounts(mounts: readonly Mount[], options: MountsOptions): Mounts {
  return new OpenMounts(mounts, options)
}

class OpenMounts implements Mounts, SessionMounts {
  readonly options: MountsOptions
  /** The longest path first. */
  readonly #mounts: readonly Mount[]
  readonly #cache: SharedContentsCache
  readonly #openedAt: Timestamp
  /** The folders above mounts, and of mounts, as they were found last. */
  readonly #seenOnTheWay = new Map<DomainPath, MountedFolder>()

  readonly #joined: JoinedFiles
  /** Undefined: no store has these mounts yet. */
  #stored: StoredDomains | undefined
  /** Entries of files that a list gives again while they are unchanged. */
  readonly #lookedAtBefore = new WeakMap<MountedFile, MountedEntry>()

  constructor(mounts: readonly Mount[], options: MountsOptions) {
    this.#mounts = mounts.toSorted((a, b) => b.path.length - a.path.length)
    this.options = options
    this.#cache = new SharedContentsCache(options.openContents, options.maxKeptFiles)
    this.#openedAt = options.now()
    const files = {
      path: ROOT_FOLDER,
      find: (path: DomainPath) => this.#fileAt(path),
      children: (folder: DomainPath, onOther?: OnPath) => this.#filesIn(folder, onOther),
      renew: () => this.#stored?.renew(),
    }
    this.#joined = new JoinedFiles(files, options.knownFiles)
  }

  joinStored(read: ReadStored): () => void {
    const stored = new StoredDomains(read, this.options.filterRunner ?? IN_THIS_THREAD)
    this.#stored = stored
    return () => stored.close()
  }

  begin(parts: ValueParts, signal?: AbortCheck): MountedReads {
    const caller = { signal, steps: new StepPool() }
    return new MountSession(this, parts, caller, file => this.#cache.acquire(file, parts))
  }

  async look(
    path: DomainPath,
    limit: number,
    isFolder: boolean,
    joined: readonly JoinedEntry[] = [],
  ): Promise<MountedLook | undefined> {
    const mounts = isFolder ? this.#mounts.filter(({ isRemote }) => !isRemote) : this.#mounts
    const areThere = mounts.some(mount => isWithin(mount.path, path) || isWithin(path, mount.path))
    if (!areThere && joined.length === 0) return undefined
    const { aclAt } = this.options
    const entries: MountedEntry[] = []
    const unknown: DomainPath[] = []
    for (const entry of joined) {
      const { path, root } = entry
      const now = await unlessUnknown(this.#findJoined(entry), path, unknown)
      if (now) entries.push({ path, root, state: stateOfFile(root, now).state, isStored: true })
    }
    const found = isTopLevel(path) ? undefined : await unlessUnknown(this.find(path, mounts), path, unknown)
    if (found) entries.push(this.#lookedAt(found))
    const folders = isFolder ? [path] : []
    for (const folder of folders) {
      const names = new Set<DomainPath>()
      for await (const child of this.#childrenOnDisk(folder, mounts, unknown)) {
        if (isTurnOver()) await nextTurn()
        if (names.has(child.path)) continue
        if (entries.length >= limit) return { entries, isWhole: false, unknown, aclAt }
        names.add(child.path)
        entries.push(this.#lookedAt(child))
        if (child.kind === 'folder') folders.push(child.path)
      }
    }
    return { entries, isWhole: true, unknown, aclAt }
  }

  async lookJoined(entry: JoinedEntry): Promise<MountedFile> {
    try {
      return await this.#findJoined(entry)
    } catch (error) {
      if (!(error instanceof HyperslabError)) throw error
      const { path, root, join, lastModified } = entry
      const failed = { kind: 'file', madeOf: [], path, root, size: 0, lastModified, stamp: join } as const
      return { ...failed, sources: sourcesOf(join), damage: error.message, open: () => Promise.reject(error) }
    }
  }

  async #findJoined({ path, root, join, lastModified }: JoinedEntry): Promise<MountedFile> {
    const definition = async () => parseDefinition(parseJson(join))
    const stamp = `${root}\0${lastModified}\0${join}`
    const found = await this.#joined.look({ path, stamp, lastModified, definition, root })
    return { ...found, root, sources: sourcesOf(join) }
  }

  async reviewJoin(...[path, join, permit, options]: Parameters<Mounts['reviewJoin']>): Promise<JoinReview> {
    const definition = parseDefinition(parseJson(join))
    permit(this.listsOf(definition))
    const review = await this.#joined.review(path, definition, options)
    const stored = new Set(review.storedDomains)
    const searched = definition.sources
      .map(startOf)
      .filter(place => !this.hasFilesAt(place) && !stored.has(place))
    return { ...review, searched: [...new Set(searched)] }
  }

  listsOf({ madeOf = [], sources = [] }: Pick<MountedFile, 'madeOf' | 'sources'>): readonly Acl[] {
    const parents = new Set(madeOf.map(parentOf))
    const folders = new Set([...parents].filter(folder => this.hasFilesAt(folder)))
    // Nor may a caller learn which files are not there.
    for (const source of sources) {
      const start = startOf(source)
      if (this.hasFilesAt(start)) folders.add(start)
      for (const { path } of this.#mounts) if (leadsInto(source, path)) folders.add(path)
    }
    return [...new Set([...folders].map(this.options.aclAt))]
  }

  /** A domain of the store counts before a mounted file. */
  async #fileAt(path: DomainPath): Promise<MountedFile | MountedFolder | undefined> {
    const stored = await this.#stored?.find(path)
    return stored?.kind === 'file' ? stored : ((await this.find(path)) ?? stored)
  }

  /** Files and folders in a folder, of the store and all mounts; the first of a name counts. */
  async *#filesIn(folder: DomainPath, onOther?: OnPath): AsyncGenerator<MountedFile | MountedFolder> {
    const seen = new Set<DomainPath>()
    const stored = this.#stored ? [this.#stored.children(folder)] : []
    for (const children of [...stored, ...this.childrenOf(folder, undefined, onOther)]) {
      for await (const child of children) {
        if (!seen.has(child.path)) yield child
        seen.add(child.path)
      }
    }
  }

  /**
   * The children of a folder in mounts of this machine; the first of a name counts. A folder that does not answer is
   * added to `unknown`.
   */
  async *#childrenOnDisk(
    folder: DomainPath,
    mounts: readonly Mount[],
    unknown: DomainPath[],
  ): AsyncGenerator<MountedFile | MountedFolder> {
    for (const { path } of mounts) {
      const [step] = namesBelow(folder, path) ?? []
      if (step !== undefined) yield this.#folderOnTheWay(childOf(folder, step))
    }
    for (const mount of mounts) {
      if (!isWithin(mount.path, folder)) continue
      try {
        yield* mount.children(folder)
      } catch (error) {
        if (!isUnavailable(error)) throw error
        unknown.push(folder)
      }
    }
  }

  #lookedAt(entry: MountedFile | MountedFolder): MountedEntry {
    const { kind, path } = entry
    if (kind === 'folder') return { path }
    const known = this.#lookedAtBefore.get(entry)
    if (known) return known
    const root = this.options.rootAt(path)
    const looked = { path, root, state: stateOfFile(root, entry).state }
    this.#lookedAtBefore.set(entry, looked)
    return looked
  }

  async close(): Promise<void> {
    this.#joined.close()
    this.#cache.close()
    await Promise.all(this.#mounts.map(mount => mount.close()))
  }

  isReadByEverybody(path: DomainPath): boolean {
    return this.options.aclAt(path).some(({ userName, read }) => userName === DEFAULT_USER && read)
  }

  hasFilesAt(path: DomainPath): boolean {
    return this.#mounts.some(mount => isWithin(mount.path, path))
  }

  async find(path: DomainPath, mounts = this.#mounts): Promise<MountedFile | MountedFolder | undefined> {
    const isOnTheWay = mounts.some(mount => isWithin(path, mount.path))
    for (const mount of mounts) {
      if (!isWithin(mount.path, path)) continue
      const looking = mount.find(path)
      // The folder is there in any case.
      const found = await (isOnTheWay ? ifSoon(looking) : looking)
      if (found && !isOnTheWay) return found
      if (found?.kind === 'folder') {
        this.#seenOnTheWay.set(path, found)
        return this.#folderOnTheWay(path)
      }
    }
    return isOnTheWay ? this.#folderOnTheWay(path) : undefined
  }

  /** The first mount that finds the file decides. One that does not answer is an error if no other one finds it. */
  async locate(holder: DomainPath, name: string): Promise<DomainPath | undefined> {
    let unavailable: { readonly error: unknown } | undefined
    for (const mount of this.#mounts) {
      try {
        const path = await mount.locate(holder, name)
        if (path !== undefined) return path
      } catch (error) {
        if (!isUnavailable(error)) throw error
        unavailable = { error }
      }
    }
    if (unavailable) throw unavailable.error
    return undefined
  }

  childrenOf(
    folder: DomainPath,
    page: Page | undefined,
    onOther?: OnPath,
  ): readonly AsyncIterable<MountedFile | MountedFolder>[] {
    const ways = new Set<string>()
    for (const { path } of this.#mounts) {
      const [step] = namesBelow(folder, path) ?? []
      if (step !== undefined) ways.add(step)
    }
    const within = this.#mounts.filter(({ path }) => isWithin(path, folder))
    const children = within.map(mount => mount.children(folder, page, onOther))
    return ways.size === 0 ? children : [this.#foldersOnTheWay(folder, [...ways], page), ...children]
  }

  async *#foldersOnTheWay(
    folder: DomainPath,
    names: readonly string[],
    page: Page | undefined,
  ): AsyncGenerator<MountedFolder> {
    const after = page?.marker === undefined ? undefined : nameOf(page.marker as DomainPath)
    const paths = names
      .toSorted(compareUtf8)
      .filter(name => after === undefined || compareUtf8(name, after) > 0)
      .map(name => childOf(folder, name))
    const found = await Promise.all(paths.map(path => this.find(path)))
    for (const [i, path] of paths.entries()) {
      const folder = found[i]
      yield folder?.kind === 'folder' ? folder : this.#folderOnTheWay(path)
    }
  }

  /** A folder above mounts, or of one, as it was found last. */
  #folderOnTheWay(path: DomainPath): MountedFolder {
    const folder = this.#seenOnTheWay.get(path) ?? { kind: 'folder', path, lastModified: this.#openedAt }
    const unwell = this.#mounts.find(mount => mount.path === path)?.unwell
    if (unwell === undefined) return folder
    const since = new Date(unwell.since / 1000).toISOString().replace(/\.\d+/, '')
    return { ...folder, damage: `the file system of the mount ${unwell.reason} (since ${since})` }
  }
}

/** The sources of a stored definition; none: it is not understood. */
function sourcesOf(join: string): readonly JoinSource[] {
  try {
    return parseDefinition(parseJson(join)).sources
  } catch (error) {
    if (error instanceof HyperslabError) return []
    throw error
  }
}

/** The result of a look; undefined if a path does not answer, which is then added to `unknown`. */
async function unlessUnknown<T>(
  looking: Promise<T>,
  path: DomainPath,
  unknown: DomainPath[],
): Promise<T | undefined> {
  try {
    return await looking
  } catch (error) {
    if (!isUnavailable(error)) throw error
    unknown.push(path)
    return undefined
  }
}

/** The longest time for which a list of the folders above a mount waits for it. */
const PATIENCE_MILLISECONDS = 100

/** The result of a look; undefined if it does not come soon. */
async function ifSoon<T>(looking: Promise<T>): Promise<T | undefined> {
  try {
    return await unlessLate(looking, PATIENCE_MILLISECONDS)
  } catch (error) {
    if (!isUnavailable(error)) throw error
    return undefined
  }
}
