// Files that an HDF5 file names: raw values, the sources of virtual datasets, and targets of external links. Only those
// below one folder count, links resolved. They are looked for as by libhdf5: by the name that is written, from the
// folder of the file that has the name, and an absolute one also by its last part there.

import { realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, relative, sep } from 'node:path'
import { HyperslabError } from '@hyperslab/base/errors'
import type { ByteSource, OpenSibling, Sibling } from '@hyperslab/h5/reader'
import { namesToTry } from '@hyperslab/model/dataset'
import { DIRECT_CALLS } from './file-descriptor.ts'
import { stampOf } from './file-source.ts'
import { FirstFound } from './first-found.ts'

interface OpenSource extends ByteSource {
  close(): void
}

export interface SiblingFiles<Source extends OpenSource> {
  readonly open: OpenSibling
  /**
   * The path of the file of that name, relative to the folder of the file that names it. Undefined: it is not below the
   * root, or the name itself is that path.
   */
  locate(name: string): Promise<string | undefined>
  /** The siblings that are open now. */
  readonly opened: readonly Source[]
  /**
   * Whether each requested path still leads to the same file in the same state, or still to none that may be opened.
   */
  areCurrent(): Promise<boolean>
  /** Differs for different results of these requests. */
  state(): string
  close(): void
}

/**
 * The path by which a file was found, and the one without links. Names in the file are relative to the folder of the
 * first path or, if there is no such file, of the other.
 */
export interface FilePaths {
  readonly found: string
  readonly real: string
}

/** The possible paths of the file of that name; links are not resolved, so that `..` applies to their targets. */
export function candidatePaths(name: string, { found, real }: FilePaths): Iterable<string> {
  if (isAbsolute(name)) return [name]
  return new Set([found, real].map(path => `${dirname(path)}${sep}${name}`))
}

/**
 * The files that `file` names; they must be below the folder `root`, a real path. `openSource` opens each of them once,
 * by its real path; it may throw, or decline a file, which then counts as missing. `calls` makes the other calls.
 */
export function siblingFiles<Source extends OpenSource>(
  file: FilePaths,
  root: string,
  openSource: OpenAtPath<Source>,
  calls = DIRECT_CALLS,
): SiblingFiles<Source> {
  return new Siblings(file, root, openSource, calls)
}

type OpenAtPath<Source> = (path: string) => Source | undefined | Promise<Source | undefined>

/** Its functions are used without it: they are bound to it. */
class Siblings<Source extends OpenSource> implements SiblingFiles<Source> {
  readonly open: OpenSibling
  readonly opened: Source[] = []
  readonly #file: FilePaths
  readonly #root: string
  readonly #openSource: OpenAtPath<Source>
  readonly #calls: typeof DIRECT_CALLS
  readonly #opening = new Map<string, Promise<Source | undefined>>()
  /** Sources by paths whose links are not resolved. */
  readonly #lookups = new FirstFound<string, Source | undefined>()
  /** Folders that do not exist, or are not in the folder, so that none of many files in them is searched. */
  readonly #foreign = new FirstFound<string, true>()
  /** The real path of the folder in which the file was found. */
  #folder: Promise<string | undefined> | undefined
  #isClosed = false

  constructor(file: FilePaths, root: string, openSource: OpenAtPath<Source>, calls: typeof DIRECT_CALLS) {
    this.#file = file
    this.#root = root
    this.#openSource = openSource
    this.#calls = calls
    this.open = this.#openerOf(file)
  }

  readonly locate = async (name: string): Promise<string | undefined> => {
    this.#folder ??= realPathOf(dirname(this.#file.found), this.#calls)
    const from = await this.#folder
    if (from === undefined) return undefined
    const isWhereFound = from === dirname(this.#file.real)
    for (const one of namesToTry(name)) {
      // A file at its own path has its neighbours beside it, also those that are links of the file system.
      if (isWhereFound && !one.includes('/')) continue
      for (const candidate of candidatePaths(one, this.#file)) {
        const path = this.#foreign.has(dirname(candidate)) ? undefined : await this.#resolveServed(candidate)
        if (path !== undefined) return relative(from, path).split(sep).join('/')
      }
    }
    return undefined
  }

  readonly areCurrent = async (): Promise<boolean> => {
    const isCurrent = (path: string, source: Source | undefined) => this.#isCurrent(path, source)
    return (
      (await this.#lookups.areCurrent(isCurrent)) &&
      this.#foreign.areCurrent(folder => this.#isForeign(folder))
    )
  }

  readonly state = (): string => this.#lookups.state(source => source?.stamp)

  readonly close = (): void => {
    this.#isClosed = true
    for (const source of this.opened) source.close()
  }

  #openerOf(from: FilePaths): OpenSibling {
    return async name => {
      for (const one of namesToTry(name)) {
        for (const candidate of candidatePaths(one, from)) {
          const sibling = await this.#openAt(candidate)
          if (sibling) return sibling
        }
      }
      return undefined
    }
  }

  async #openAt(candidate: string): Promise<Sibling | undefined> {
    const folder = dirname(candidate)
    if (this.#foreign.has(folder)) return undefined
    const path = await this.#resolveServed(candidate)
    const source = path === undefined ? undefined : await this.#openKept(path)
    if (!source && (await this.#isForeign(folder))) this.#foreign.add(folder, true)
    else this.#lookups.add(candidate, source)
    if (path === undefined || !source) return undefined
    return { source, path, openSibling: this.#openerOf({ found: candidate, real: path }) }
  }

  async #openKept(path: string): Promise<Source | undefined> {
    const known = this.#opening.get(path)
    if (known) return known
    const pending = this.#openOnce(path)
    this.#opening.set(path, pending)
    // The next request tries again.
    pending.catch(() => this.#opening.delete(path))
    return pending
  }

  async #openOnce(path: string): Promise<Source | undefined> {
    const source = await this.#openSource(path)
    if (source) this.opened.push(source)
    if (this.#isClosed) source?.close()
    return source
  }

  /** The real path of a file that may be opened; undefined: there is none. */
  async #resolveServed(path: string): Promise<string | undefined> {
    const real = await realPathOf(path, this.#calls)
    return real !== undefined && isBelow(this.#root, real) ? real : undefined
  }

  async #isForeign(folder: string): Promise<boolean> {
    const real = await realPathOf(folder, this.#calls)
    return real === undefined || !isWithin(this.#root, real)
  }

  async #isCurrent(path: string, source: Source | undefined): Promise<boolean> {
    if (source) return stampOf(await this.#calls.run(() => stat(path, { bigint: true }))) === source.stamp
    const real = await this.#resolveServed(path)
    const opened = real === undefined ? undefined : await this.#openSource(real)
    opened?.close()
    return opened === undefined
  }
}

/** Whether the path is the folder or is below it: both real paths. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || isBelow(folder, path)
}

function isBelow(folder: string, path: string): boolean {
  return path.startsWith(folder === sep ? sep : folder + sep)
}

/** The real path; undefined: it does not exist, or is not accessible. Throws the errors of `calls` itself. */
export async function realPathOf(path: string, calls = DIRECT_CALLS): Promise<string | undefined> {
  try {
    return await calls.run(() => realpath(path))
  } catch (error) {
    if (error instanceof HyperslabError) throw error
    return undefined
  }
}
