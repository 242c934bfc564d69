// Files that datasets of an HDF5 file name: raw values, and the sources of virtual datasets. Only those below one folder are
// opened, links resolved.

import { realpath, stat } from 'node:fs/promises'
import { dirname, resolve, sep } from 'node:path'
import type { ByteSource } from '../h5file/byte-source.ts'
import type { OpenSibling } from '../h5file/reader/data-file.ts'
import { stampOf } from './file-source.ts'
import { FirstFound } from './first-found.ts'

interface OpenSource extends ByteSource {
  close(): void
}

export interface SiblingFiles<Source extends OpenSource> {
  readonly open: OpenSibling
  /** Those that are open now. */
  readonly opened: readonly Source[]
  /** Whether each path that was asked for leads to the same file in the same state as then, or still to none that may be opened. */
  areCurrent(): Promise<boolean>
  close(): void
}

/**
 * Those that `file` names; `root` is the folder below which they must lie: real paths. `openSource` opens each of them once, by its
 * real path; it may decline one, which then is as if it were not there, or throw.
 */
export function siblingFiles<Source extends OpenSource>(
  file: string,
  root: string,
  openSource: (path: string) => Source | undefined | Promise<Source | undefined>,
): SiblingFiles<Source> {
  const opened: Source[] = []
  const opening = new Map<string, Promise<Source | undefined>>()
  /** By paths whose links are not resolved. */
  const asked = new FirstFound<string, Source | undefined>()
  let isClosed = false

  /** Undefined: nothing that may be opened is at the path. */
  async function resolveServed(path: string): Promise<string | undefined> {
    const real = await realPathOf(path)
    return real !== undefined && isBelow(root, real) ? real : undefined
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
    // The next one to ask tries again.
    pending.catch(() => opening.delete(path))
    return pending
  }

  const openerOf =
    (from: string): OpenSibling =>
    async name => {
      const named = resolve(dirname(from), name)
      const path = await resolveServed(named)
      const source = path === undefined ? undefined : await openKept(path)
      asked.add(named, source)
      return path !== undefined && source ? { source, path, openSibling: openerOf(path) } : undefined
    }

  async function isCurrent(path: string, source: Source | undefined): Promise<boolean> {
    if (source) return stampOf(await stat(path, { bigint: true })) === source.stamp
    const real = await resolveServed(path)
    const opened = real === undefined ? undefined : await openSource(real)
    opened?.close()
    return opened === undefined
  }

  return {
    open: openerOf(file),
    opened,
    areCurrent: () => asked.areCurrent(isCurrent),
    close() {
      isClosed = true
      for (const source of opened) source.close()
    },
  }
}

/** Whether the path is the folder or lies below it: both real paths. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || isBelow(folder, path)
}

function isBelow(folder: string, path: string): boolean {
  return path.startsWith(folder === sep ? sep : folder + sep)
}

async function realPathOf(path: string): Promise<string | undefined> {
  try {
    return await realpath(path)
  } catch {
    return undefined
  }
}
