// The files that the sources of a definition name: one file, the files of a folder, or all whose paths match a pattern.
// The search is bounded; joined files are never among the files that are found, so none is made of itself.

import { type AbortCheck, isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import {
  childIfValid,
  type DomainPath,
  isTopLevel,
  isWithin,
  nameOf,
  parentOf,
  parseDomainPath,
  parseGlob,
} from '@hyperslab/model/names'
import { isUnavailable } from '@hyperslab/store/store'
import type { MountedFile, MountedFolder } from '../mounts/mount.ts'
import { isWithinLast } from '../mounts/session-contents.ts'
import { type JoinWarning, refused, warn } from './conflicts.ts'
import { compareNames } from './coordinates.ts'
import type { JoinSource } from './definition.ts'
import { isJoinDocument } from './ncml.ts'

/** Mounted files and stored domains, as definitions see them. */
export interface JoinableFiles {
  /** The folder that no location may lead out of. */
  readonly path: DomainPath
  find(path: DomainPath): Promise<MountedFile | MountedFolder | undefined>
  /** Files and folders in a folder. `onOther`: of files that are no HDF5 files. */
  children(
    folder: DomainPath,
    onOther?: (path: DomainPath) => void,
  ): AsyncIterable<MountedFile | MountedFolder>
  /** Later calls find all that was stored until now. Absent: all calls do. */
  renew?(): void
}

/** The files of one source, in any order. */
export interface FoundFiles {
  readonly source: JoinSource
  readonly files: readonly MountedFile[]
  /** The last file by name, if it was found by a search and changed a moment ago: it may not be complete yet. */
  readonly newest?: MountedFile
}

/** Files and folders that one definition leads to. @limit safety, files and folders */
const MAX_VISITED = 200_000
/** The time after its last change in which the last file of a search may not be complete. */
const WRITING_MILLISECONDS = 60_000

export interface SearchOptions {
  /** Named files that may be gone. */
  readonly known?: { has(path: DomainPath): boolean }
  /** Files and folders that do not answer now are added to it; absent: they are an error. */
  readonly unavailable?: Map<DomainPath, HyperslabError>
  readonly signal?: AbortCheck | undefined
  /** Gets the sources in which there is no file, and the files that are left out. */
  readonly warnings?: JoinWarning[]
}

/**
 * The files of each source of the definition at a path. Throws `file-unreadable` if a named file that is not known
 * does not exist, or none is found.
 */
export async function findFiles(
  files: JoinableFiles,
  definition: DomainPath,
  sources: readonly JoinSource[],
  options: SearchOptions = {},
): Promise<readonly FoundFiles[]> {
  const search = new Search(files, definition, options)
  const found: FoundFiles[] = []
  for (const source of sources) {
    const ofSource: MountedFile[] = []
    for await (const file of search.filesOf(source)) ofSource.push(file)
    found.push({ source, files: ofSource, ...(source.kind !== 'file' && newestOf(ofSource)) })
  }
  if (found.every(({ files }) => files.length === 0)) {
    for (const error of options.unavailable?.values() ?? []) throw error
    throw refused(`there is no HDF5 file in ${sources.slice(0, NAMED_SOURCES).map(textOf).join(', ')}`)
  }
  for (const { source, files } of found)
    if (files.length === 0) warn(options.warnings, textOf(source), 'there is no HDF5 file in it')
  return found
}

/** Sources that a message names. */
const NAMED_SOURCES = 3

function textOf(source: JoinSource): string {
  if (source.kind !== 'pattern') return source.location
  return [source.folder === '/' ? '' : source.folder, ...source.names].join('/')
}

class Search {
  readonly #files: JoinableFiles
  readonly #definition: DomainPath
  readonly #known: { has(path: DomainPath): boolean }
  readonly #unavailable: Map<DomainPath, HyperslabError> | undefined
  readonly #signal: AbortCheck | undefined
  readonly #warnings: JoinWarning[] | undefined
  #left = MAX_VISITED

  constructor(files: JoinableFiles, definition: DomainPath, options: SearchOptions) {
    const { known = new Set(), unavailable, signal, warnings } = options
    this.#files = files
    this.#definition = definition
    this.#known = known
    this.#unavailable = unavailable
    this.#signal = signal
    this.#warnings = warnings
  }

  async *filesOf(source: JoinSource): AsyncGenerator<MountedFile> {
    if (source.kind === 'pattern') return yield* this.#matching(source)
    const path = this.#resolve(source.location)
    if (source.kind === 'scan') return yield* this.#scanned(path, source)
    this.#visit()
    // A document that names itself would wait for itself.
    const file = isJoinDocument(path) ? undefined : await this.#find(path)
    if (file?.kind === 'file' && !file.madeOf) yield file
    else if (!this.#known.has(path))
      throw refused(`there is no HDF5 file, and no stored domain, ${source.location}`)
  }

  async *#scanned(
    folder: DomainPath,
    { suffix, isDeep }: Extract<JoinSource, { kind: 'scan' }>,
  ): AsyncGenerator<MountedFile> {
    const folders = [folder]
    for (const one of folders) {
      for await (const child of this.#children(one)) {
        if (child.kind === 'folder') {
          if (isDeep) folders.push(child.path)
        } else if (nameOf(child.path).endsWith(suffix)) yield child
      }
    }
  }

  async *#matching({ folder, names }: Extract<JoinSource, { kind: 'pattern' }>): AsyncGenerator<MountedFile> {
    const globs = names.map(name => (name === DEEP ? DEEP : parseGlob(name)))
    /** The folders to search, each with the number of names that lead to it. */
    const places = [{ folder, depth: 0 }]
    for (const { folder, depth } of places) {
      const glob = globs[depth]
      if (glob === DEEP) places.push({ folder, depth: depth + 1 })
      const isLast = depth === globs.length - 1
      const onOther = (path: DomainPath) => {
        if (isLast && glob !== DEEP && glob.matches(nameOf(path)))
          warn(this.#warnings, path, 'it is no HDF5 file that can be read, and is left out')
      }
      for await (const child of this.#children(folder, onOther)) {
        if (child.kind === 'folder') {
          if (glob === DEEP) places.push({ folder: child.path, depth })
          else if (!isLast && glob.matches(nameOf(child.path)))
            places.push({ folder: child.path, depth: depth + 1 })
        } else if (isLast && glob !== DEEP && glob.matches(nameOf(child.path))) yield child
      }
    }
  }

  async *#children(
    folder: DomainPath,
    onOther?: (path: DomainPath) => void,
  ): AsyncGenerator<MountedFile | MountedFolder> {
    try {
      for await (const child of this.#files.children(folder, onOther)) {
        this.#visit()
        if (isTurnOver()) await nextTurn()
        if (child.kind === 'folder' || !child.madeOf) yield child
      }
    } catch (error) {
      this.#noteUnavailable(folder, error)
    }
  }

  async #find(path: DomainPath): Promise<MountedFile | MountedFolder | undefined> {
    try {
      return await this.#files.find(path)
    } catch (error) {
      this.#noteUnavailable(path, error)
      return undefined
    }
  }

  #noteUnavailable(path: DomainPath, error: unknown): void {
    const isPassing = error instanceof HyperslabError && isUnavailable(error)
    if (!this.#unavailable || !isPassing) throw error
    this.#unavailable.set(path, error)
  }

  #visit(): void {
    this.#signal?.throwIfAborted()
    if (this.#left-- === 0) throw refused(`it leads to more than ${MAX_VISITED} files and folders`)
  }

  /** The path of a location, which is a whole path or relative to the folder of the definition. */
  #resolve(location: string): DomainPath {
    if (location.startsWith('/') && isTopLevel(this.#files.path)) return parseDomainPath(location)
    let path: DomainPath | undefined = parentOf(this.#definition)
    if (/^([a-z]+:|\/)/i.test(location))
      throw refused(`the location ${location} must be relative to the document`)
    for (const name of location.split('/')) {
      if (name === '' || name === '.' || path === undefined) continue
      if (name === '..') path = path === this.#files.path ? undefined : parentOf(path)
      else path = childIfValid(path, name)
    }
    if (path === undefined || !isWithin(this.#files.path, path))
      throw refused(`the location ${location} is outside of the mounted folder`)
    return path
  }
}

/** A name of a pattern that stands for folders at any depth. */
export const DEEP = '**'

function newestOf(files: readonly MountedFile[]): Pick<FoundFiles, 'newest'> {
  const [first, ...others] = files
  const last = others.reduce((last, file) => (compareNames(last.path, file.path) < 0 ? file : last), first)
  return others.length > 0 && isWithinLast(WRITING_MILLISECONDS, last.lastModified) ? { newest: last } : {}
}
