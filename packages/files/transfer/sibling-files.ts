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
  openSource: (path: string) => Source | undefined | Promise<Source | undefined>,
  calls = DIRECT_CALLS,
): SiblingFiles<Source> {
  const opened: Source[] = []
  const opening = new Map<string, Promise<Source | undefined>>()
  /** Sources by paths whose links are not resolved. */
  const lookups = new FirstFound<string, Source | undefined>()
  /** Folders that do not exist, or are not in the folder, so that none of many files in them is searched. */
  const foreign = new FirstFound<string, true>()
  /** The real path of the folder in which the file was found. */
  let folder: Promise<string | undefined> | undefined
  let isClosed = false

  /** The real path of a file that may be opened; undefined: there is none. */
  async function resolveServed(path: string): Promise<string | undefined> {
    const real = await realPathOf(path, calls)
    return real !== undefined && isBelow(root, real) ? real : undefined
  }

  async function isForeign(folder: string): Promise<boolean> {
    const real = await realPathOf(folder, calls)
    return real === undefined || !isWithin(root, real)
  }

  async function openOnce(path: string): Promise<Source | undefined> {
    const source = await openSource(path)
    if (source) opened.push(source)
    if (isClosed) source?.close()
    return source
  }

  async function openKept(path: string): Promise<Source | undefined> {
    const known = opening.get(path)
    if (known) return known
    const pending = openOnce(path)
    opening.set(path, pending)
    // The next request tries again.
    pending.catch(() => opening.delete(path))
    return pending
  }

  async function openAt(candidate: string): Promise<Sibling | undefined> {
    const folder = dirname(candidate)
    if (foreign.has(folder)) return undefined
    const path = await resolveServed(candidate)
    const source = path === undefined ? undefined : await openKept(path)
    if (!source && (await isForeign(folder))) foreign.add(folder, true)
    else lookups.add(candidate, source)
    if (path === undefined || !source) return undefined
    return { source, path, openSibling: openerOf({ found: candidate, real: path }) }
  }

  const openerOf =
    (from: FilePaths): OpenSibling =>
    async name => {
      for (const one of namesToTry(name)) {
        for (const candidate of candidatePaths(one, from)) {
          const sibling = await openAt(candidate)
          if (sibling) return sibling
        }
      }
      return undefined
    }

  async function isCurrent(path: string, source: Source | undefined): Promise<boolean> {
    if (source) return stampOf(await calls.run(() => stat(path, { bigint: true }))) === source.stamp
    const real = await resolveServed(path)
    const opened = real === undefined ? undefined : await openSource(real)
    opened?.close()
    return opened === undefined
  }

  return {
    open: openerOf(file),
    async locate(name) {
      folder ??= realPathOf(dirname(file.found), calls)
      const from = await folder
      if (from === undefined) return undefined
      const isWhereFound = from === dirname(file.real)
      for (const one of namesToTry(name)) {
        // A file at its own path has its neighbours beside it, also those that are links of the file system.
        if (isWhereFound && !one.includes('/')) continue
        for (const candidate of candidatePaths(one, file)) {
          const path = foreign.has(dirname(candidate)) ? undefined : await resolveServed(candidate)
          if (path !== undefined) return relative(from, path).split(sep).join('/')
        }
      }
      return undefined
    },
    opened,
    areCurrent: async () => (await lookups.areCurrent(isCurrent)) && foreign.areCurrent(isForeign),
    close() {
      isClosed = true
      for (const source of opened) source.close()
    },
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
