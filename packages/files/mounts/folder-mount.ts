// A folder of this machine whose HDF5 files are domains: regular files that have the signature, whatever their
// extension, under the names that they have. Skipped, as if they did not exist, are hidden names, names that are not
// UTF-8 or that no domain can have, links that lead out of the folder or nowhere, and files that this process cannot
// read, with one warning each in the log.
//
// Nothing is read when the mount is opened. `find` reads the state of its path only, and `children` the names of the
// folder and the files of the page. Both do so at each call, so a change is seen at once, or within a second in a
// folder of many names, or when a folder becomes a link out of the mount to the same file.

import { type BigIntStats, lstatSync, statSync } from 'node:fs'
import { lstat, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { BoundedMap } from '@hyperslab/base/bounded'
import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import { firstIndex } from '@hyperslab/model/dataset'
import type { Timestamp } from '@hyperslab/model/names'
import { childOf, compareUtf8, type DomainPath, nameOf, namesBelow } from '@hyperslab/model/names'
import { utf8Of } from '@hyperslab/model/values'
import { isOpenLockFile } from '@hyperslab/store/engines'
import type { Page } from '@hyperslab/store/store'
import { JoinedFiles } from '../joins/joined-files.ts'
import { isJoinDocument, parseNcml } from '../joins/ncml.ts'
import type { FileCalls } from '../transfer/file-descriptor.ts'
import { type FileTest, NOT_HDF5, stampOf } from '../transfer/file-source.ts'
import { candidatePaths, isWithin, realPathOf, siblingFiles } from '../transfer/sibling-files.ts'
import { fileChanged } from './domain-errors.ts'
import { isOfFailedCalls, NotReadable, unlessAbsent, unlessInvisible } from './file-failures.ts'
import { FolderNames, isPassedOver } from './folder-names.ts'
import { isOnLocalDisk } from './local-disk.ts'
import {
  type FileLocation,
  type LocalFile,
  openLocalFile,
  testSignature,
  unsettledMilliseconds,
} from './local-file.ts'
import type { Mount, MountedFile, MountedFolder, OpenFile } from './mount.ts'
import type { MountCalls, UnwellMount } from './mount-calls.ts'
import { RestingFiles } from './resting-files.ts'
import { UncheckedReads } from './unchecked-reads.ts'

/** Files that are checked together. @limit memory, files */
const FILES_AT_ONCE = 64
/** Files whose signatures are remembered: some 20 MB. @limit memory, files */
const MAX_REMEMBERED_FILES = 131_072
/** Files whose warning was logged. @limit memory, files */
const MAX_REMEMBERED_WARNINGS = 1000
/** Files and folders whose paths are not resolved again, for `FOUND_MILLISECONDS`. @limit memory, files and folders */
const MAX_FOUND = 1000
/** Files of which a list has the state, so that a list of unchanged files is cheap. @limit memory, files */
const MAX_LISTED = 16_384
/**
 * Files that mounted files name and that are open at once, where the limit of the process is not known.
 * @limit memory, files
 */
const SIBLINGS_AT_ONCE = 64
const FOUND_MILLISECONDS = 1000
/** Bytes of a document that joins files: some 50,000 names. @limit memory, bytes */
const MAX_DOCUMENT = 4 * 2 ** 20

export interface FolderMountParts {
  /** Called once for each file or folder that cannot be read, with a message that names it. */
  readonly warn: (message: string) => void
  /** The real path of a folder that is never served: the data folder. */
  readonly excluded?: string
  /** The open ones of the files that mounted files name. Default: at most 64 at once. */
  readonly siblings?: RestingFiles
  /** The only name in the folder that is served. Absent: all names are. */
  readonly only?: string
  /** Makes all calls of the file system that may have to wait. */
  readonly calls: MountCalls
}

/** The files below `folder` as domains below `path`. */
export function openFolderMount(folder: string, path: DomainPath, parts: FolderMountParts): Mount {
  return new FolderMount(resolve(folder), path, parts)
}

/** The path of a domain or folder, its real path without links, and that of the folder of the mount. */
interface ResolvedPath {
  readonly path: DomainPath
  readonly real: string
  readonly root: string
}

/** A file that is no HDF5 file, or that this process cannot read. */
const OTHER = 'other'
type Child = MountedFile | MountedFolder | typeof OTHER

interface ListedFolder extends ResolvedPath {
  readonly isLocal: boolean
}

/** A file as the last list had it. */
interface ListedFile {
  readonly file: MountedFile
  readonly root: string
}

/** The resolved file, and the time, by the clock of the process, until which its path is not resolved again. */
interface RecentlyFound {
  readonly found: MountedFile | MountedFolder
  readonly stamp: string
  readonly isLocal: boolean
  readonly until: number
}

class FolderMount implements Mount {
  readonly path: DomainPath
  readonly isRemote = false
  readonly #folder: string
  readonly #parts: FolderMountParts
  readonly #siblings: RestingFiles
  readonly #names = new FolderNames()
  readonly #joined: JoinedFiles
  /**
   * Beginnings of files by their stamps, so that HDF5 files are not opened again for a listing.
   * @limit speed, files, bench/mounts.bench.mjs
   */
  readonly #tests = new BoundedMap<string, FileTest>(MAX_REMEMBERED_FILES)
  /** Whole paths that were resolved. @limit speed, files and folders, bench/results.md#062-limits-of-speed */
  readonly #found = new BoundedMap<DomainPath, RecentlyFound>(MAX_FOUND)
  /** Files that were listed. @limit speed, files, bench/results.md#079-the-feed-of-events */
  readonly #listed = new BoundedMap<string, ListedFile>(MAX_LISTED)
  /** The last warning of each path, so that each is logged once. @limit memory, files */
  readonly #warnings = new BoundedMap<DomainPath, string>(MAX_REMEMBERED_WARNINGS)

  constructor(folder: string, path: DomainPath, parts: FolderMountParts) {
    this.path = path
    this.#folder = folder
    this.#parts = parts
    this.#siblings = parts.siblings ?? new RestingFiles(SIBLINGS_AT_ONCE)
    this.#joined = new JoinedFiles({
      path,
      find: path => this.find(path),
      children: folder => this.#children(folder, {}, name => !isJoinDocument(name)),
    })
  }

  async find(path: DomainPath): Promise<MountedFile | MountedFolder | undefined> {
    const recent = await this.#recentlyFound(path)
    if (recent) return recent
    const location = await this.#locate(path)
    if (location === undefined) return undefined
    const calls = this.#callsFor(path)
    const state = await unlessInvisible(
      calls.run(() => lstat(location.real, BIGINT)),
      path,
    )
    if (!state) return undefined
    const found = await this.#look(location, state)
    if (found === OTHER) return undefined
    if (found && !isJoined(found)) {
      const isLocal = await isOnLocalDisk(location.real, calls)
      const until = SYSTEM_CLOCK.elapsed() + FOUND_MILLISECONDS
      this.#found.set(path, { found, stamp: stampOf(state), isLocal, until })
    }
    return found
  }

  children(
    folder: DomainPath,
    page: Page = {},
    onOther?: (path: DomainPath) => void,
  ): AsyncGenerator<MountedFile | MountedFolder> {
    return this.#children(folder, page, () => true, onOther)
  }

  async *#children(
    folder: DomainPath,
    { marker, limit = Infinity, prefix = '' }: Page,
    isWanted: (name: string) => boolean,
    onOther?: (path: DomainPath) => void,
  ): AsyncGenerator<MountedFile | MountedFolder> {
    const resolved = await this.#locate(folder)
    if (!resolved) return
    const isLocal = await isOnLocalDisk(resolved.real, this.#callsFor(folder))
    const location: ListedFolder = { ...resolved, isLocal }
    // No name has NUL, so the names after the marker begin here.
    const after = marker === undefined ? '' : `${nameOf(marker as DomainPath)}\0`
    let left = limit
    let atOnce = limit
    for await (const names of this.#namesOf(location, compareUtf8(after, prefix) < 0 ? prefix : after)) {
      for (let start = 0; start < names.length && left > 0; ) {
        const batch = names.slice(start, start + Math.min(FILES_AT_ONCE, atOnce))
        const wanted = batch.filter(name => name.startsWith(prefix) && isWanted(name))
        const looked = await Promise.all(wanted.map(name => this.#child(location, name)))
        for (const [i, child] of looked.entries()) if (child === OTHER) onOther?.(childOf(folder, wanted[i]))
        const children = looked.filter(child => child !== OTHER)
        for (const child of children) if (child && left-- > 0) yield child
        if (wanted.length < batch.length) return
        start += batch.length
        // Only the files of a page are opened, unless many others are between them.
        atOnce = children.some(child => child) ? left : 2 * atOnce
      }
      if (left <= 0) return
    }
  }

  async locate(holder: DomainPath, name: string): Promise<DomainPath | undefined> {
    const from = await this.#locate(holder)
    if (!(from || isAbsolute(name))) return undefined
    const calls = this.#callsFor(holder)
    const root = from?.root ?? (await realPathOf(this.#folder, calls))
    if (root === undefined) return undefined
    const found = this.#pathOf(holder)
    for (const location of candidatePaths(name, { found, real: from?.real ?? found })) {
      const real = await realPathOf(location, calls)
      const names = real === undefined ? undefined : this.#namesOfServed(root, real)
      if (names && this.#isShown(names)) return names.reduce<DomainPath | undefined>(childPath, this.path)
    }
    return undefined
  }

  async close(): Promise<void> {}

  get unwell(): UnwellMount | undefined {
    return this.#parts.calls.unwell
  }

  #callsFor(path: DomainPath): FileCalls {
    return this.#parts.calls.for(path)
  }

  /** The names in the folder from one on, many at a time. */
  async *#namesOf({ path, real }: ResolvedPath, start: string): AsyncGenerator<readonly string[]> {
    for (let from = start; ; ) {
      const read = () => unlessAbsent(this.#names.read(real, from, this.#callsFor(path)), path)
      const window = await this.#unlessNotReadable(path, read)
      if (!window) return
      yield window.names.slice(firstIndex(window.names, name => compareUtf8(name, from) >= 0))
      if (!window.isCut) return
      from = `${window.names.at(-1)}\0`
    }
  }

  /**
   * The file or folder that was found at the path within the last second, if it is still there in the same state: one
   * call of the system. Changed links on the path are noticed only when it is resolved again.
   */
  async #recentlyFound(path: DomainPath): Promise<MountedFile | MountedFolder | undefined> {
    const known = this.#found.get(path)
    const names = known && SYSTEM_CLOCK.elapsed() < known.until && namesBelow(this.path, path)
    if (!names) return undefined
    const real = join(this.#folder, ...names)
    const statNow = () =>
      known.isLocal ? statAtOnce(real) : this.#callsFor(path).run(() => stat(real, BIGINT))
    const now = await unlessInvisible(statNow(), path)
    return now && stampOf(now) === known.stamp ? known.found : undefined
  }

  /** The resolved path; undefined: it does not exist, or must not be served. */
  async #locate(path: DomainPath): Promise<ResolvedPath | undefined> {
    const names = namesBelow(this.path, path)
    if (!names || !this.#isShown(names)) return undefined
    const calls = this.#callsFor(path)
    const [root, real] = await Promise.all(
      [this.#folder, join(this.#folder, ...names)].map(each =>
        unlessInvisible(
          calls.run(() => realpath(each)),
          path,
        ),
      ),
    )
    if (root === undefined || real === undefined) return undefined
    return this.#isServed(root, real) ? { path, real, root } : undefined
  }

  /** The path of the file of a domain in the mount; links are not resolved. */
  #pathOf(path: DomainPath): string {
    return join(this.#folder, ...(namesBelow(this.path, path) ?? []))
  }

  /** The names that lead to the file or folder at a real path. */
  #namesOfServed(root: string, real: string): readonly string[] | undefined {
    const names = relative(root, real).split(sep)
    return real !== root && this.#isServed(root, real) && !names.some(isPassedOver) ? names : undefined
  }

  #isServed(root: string, real: string): boolean {
    const { excluded } = this.#parts
    return isWithin(root, real) && !(excluded !== undefined && isWithin(excluded, real))
  }

  /** Whether these names, from the folder of the mount on, can lead to a domain or folder. */
  #isShown(names: readonly string[]): boolean {
    const { only } = this.#parts
    return !names.some(isPassedOver) && (only === undefined || names.length === 0 || names[0] === only)
  }

  /** One file that fails does not hide the others. */
  async #child(folder: ListedFolder, name: string): Promise<Child | undefined> {
    const unchanged = folder.isLocal ? this.#unchangedFile(folder, name) : undefined
    if (unchanged) return unchanged
    const path = childPath(folder.path, name)
    if (path === undefined || !this.#isShown(namesBelow(this.path, path) ?? [])) return undefined
    try {
      return await this.#lookAtChild(folder, path, name)
    } catch (error) {
      if (!isOfFailedCalls(error) || this.#parts.calls.unwell) throw error
      this.#warnOnce(path, error.message, `${path} is not listed: ${error.message}`)
      return undefined
    }
  }

  /** The file of the name as the last list had it, if it is unchanged: one call of the system, in this thread. */
  #unchangedFile({ real, root }: ListedFolder, name: string): MountedFile | undefined {
    const known = this.#listed.get(`${real}${sep}${name}`)
    if (known?.root !== root) return undefined
    try {
      const now = lstatSync(`${real}${sep}${name}`, { bigint: true, throwIfNoEntry: false })
      return now && stampOf(now) === known.file.stamp ? known.file : undefined
    } catch {
      // A call that fails is made again by `#lookAtChild`, which decides what the failure means.
      return undefined
    }
  }

  async #lookAtChild(folder: ListedFolder, path: DomainPath, name: string): Promise<Child | undefined> {
    const location = { path, real: join(folder.real, name), root: folder.root }
    const stat = await unlessInvisible(
      this.#callsFor(path).run(() => lstat(location.real, BIGINT)),
      path,
    )
    if (stat?.isSymbolicLink()) return this.find(path)
    if (!stat || !this.#isServed(location.root, location.real)) return undefined
    const isSettled = unsettledMilliseconds(stat) === 0
    const found = await this.#look(location, stat)
    if (found === OTHER || !found) return found
    if (found.kind === 'file' && !found.madeOf && folder.isLocal && isSettled)
      this.#listed.set(location.real, { file: found, root: location.root })
    return found
  }

  async #look(location: ResolvedPath, stat: BigIntStats): Promise<Child | undefined> {
    const { path } = location
    const lastModified = modifiedAt(stat)
    if (stat.isDirectory()) return { kind: 'folder', path, lastModified }
    const stamp = stampOf(stat)
    if (!stat.isFile() || isOpenLockFile(stat)) return undefined
    if (isJoinDocument(path)) return this.#lookAtJoined(location, stat)
    const { isHdf5, damage } = await this.#test(location, stamp)
    if (!isHdf5) return OTHER
    const size = Number(stat.size)
    return {
      kind: 'file',
      path,
      size,
      lastModified,
      stamp,
      place: location.real,
      ...(damage !== undefined && { damage }),
      // The whole state would take a kilobyte for each of many files.
      open: () => this.#open(location, stamp),
    }
  }

  #lookAtJoined({ path, real }: ResolvedPath, stat: BigIntStats): Promise<MountedFile> {
    const read = async () => {
      const { size } = stat
      if (size > MAX_DOCUMENT)
        throw new HyperslabError('file-unreadable', `the document has more than ${MAX_DOCUMENT} bytes`)
      const source = await this.#openLocalFile(path, real, stampOf(stat))
      if (!source) throw fileChanged(path)
      try {
        const [bytes] = await source.read([{ position: 0, length: Number(size) }])
        return utf8Of(bytes)
      } finally {
        source.close()
      }
    }
    const definition = async () => parseNcml(await read())
    return this.#joined.look({ path, stamp: stampOf(stat), lastModified: modifiedAt(stat), definition })
  }

  async #test({ path, real }: ResolvedPath, stamp: string): Promise<FileTest> {
    const known = this.#tests.get(stamp)
    if (known !== undefined) return known
    const tested = await this.#unlessNotReadable(path, () => testSignature(this.#fileAt(path, real), stamp))
    if (!tested) return NOT_HDF5
    const { test, stamp: settled } = tested
    if (settled !== undefined) this.#tests.set(settled, test)
    if (test.damage !== undefined) this.#warnOnce(path, test.damage, `${path}: ${test.damage}`)
    return test
  }

  async #open({ path, real, root }: ResolvedPath, stamp: string): Promise<OpenFile> {
    const source = await this.#openLocalFile(path, real, stamp)
    if (!source) throw fileChanged(path)
    const reads = new UncheckedReads()
    const openSibling = (sibling: string) =>
      this.#namesOfServed(root, sibling) ? this.#openSibling(path, sibling, reads) : undefined
    const paths = { found: this.#pathOf(path), real }
    const siblings = siblingFiles(paths, root, openSibling, this.#callsFor(path))
    const files = () => [source, ...siblings.opened]
    return {
      source,
      openSibling: siblings.open,
      isUnchanged: async () => (await source.isUnchanged()) && reads.areUnchanged(),
      areSiblingsCurrent: siblings.areCurrent,
      siblingsState: siblings.state,
      hasGrown: async () => (await Promise.all(files().map(file => file.hasGrown()))).some(Boolean),
      close() {
        source.close()
        siblings.close()
      },
    }
  }

  async #openSibling(path: DomainPath, real: string, reads: UncheckedReads): Promise<LocalFile | undefined> {
    const stateNow = () =>
      unlessInvisible(
        this.#callsFor(path).run(() => lstat(real, BIGINT)),
        path,
      )
    const state = await stateNow()
    if (!state || isOpenLockFile(state)) return undefined
    const first = stampOf(state)
    return this.#siblings.open({
      name: path,
      onRead: file => reads.add(file),
      open: async () => {
        const now = await stateNow()
        const source = now && !isOpenLockFile(now) && (await this.#openLocalFile(path, real, first))
        return source ? { ...source, source } : undefined
      },
    })
  }

  #openLocalFile(path: DomainPath, real: string, expected?: string): Promise<LocalFile | undefined> {
    return this.#unlessNotReadable(path, () => openLocalFile(this.#fileAt(path, real), expected))
  }

  #fileAt(path: DomainPath, real: string): FileLocation {
    return { path: real, name: path, calls: this.#callsFor(path) }
  }

  /** The result of the work; undefined, with a warning, for a file that cannot be read. */
  async #unlessNotReadable<T>(path: DomainPath, work: () => Promise<T | undefined>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof NotReadable)) throw error
      const rule = `its file or folder in ${this.#folder} cannot be read (${error.message})`
      this.#warnOnce(path, error.message, `${path} is not served: ${rule}`)
      return undefined
    }
  }

  #warnOnce(path: DomainPath, reason: string, message: string): void {
    if (this.#warnings.get(path) === reason) return
    this.#warnings.set(path, reason)
    this.#parts.warn(message)
  }
}

const BIGINT = { bigint: true } as const

/** The state of a file that was read within the last second, so that the system has it in memory. */
async function statAtOnce(path: string): Promise<BigIntStats> {
  return statSync(path, BIGINT)
}

/** Its state is not only that of its own file. */
function isJoined(found: MountedFile | MountedFolder): boolean {
  return found.kind === 'file' && found.madeOf !== undefined
}

/** Undefined: no domain can have the name. */
function childPath(folder: DomainPath | undefined, name: string): DomainPath | undefined {
  try {
    return folder && childOf(folder, name)
  } catch (error) {
    if (error instanceof HyperslabError) return undefined
    throw error
  }
}

/** File systems have times that no date can have. */
function modifiedAt({ mtimeNs }: BigIntStats): Timestamp {
  return Math.min(Math.max(0, Number(mtimeNs / 1000n)), Number.MAX_SAFE_INTEGER)
}
