// Files that datasets of an HDF5 file name: raw values, and the sources of virtual datasets. Only those below one folder are
// opened, links resolved.

import { realpath } from 'node:fs/promises'
import { dirname, resolve, sep } from 'node:path'
import type { ByteSource } from '../h5file/byte-source.ts'
import type { OpenSibling } from '../h5file/reader/data-file.ts'

interface OpenSource extends ByteSource {
  close(): void
}

export interface SiblingFiles<Source extends OpenSource> {
  readonly open: OpenSibling
  /** Those that are open now. */
  readonly opened: readonly Source[]
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
  let isClosed = false

  async function openOnce(path: string): Promise<Source | undefined> {
    const source = await openSource(path)
    if (source) opened.push(source)
    if (isClosed) source?.close()
    return source
  }

  const openerOf =
    (from: string): OpenSibling =>
    async name => {
      const path = await realPathOf(resolve(dirname(from), name))
      if (path === undefined || !isBelow(root, path)) return undefined
      let pending = opening.get(path)
      if (!pending) {
        pending = openOnce(path)
        opening.set(path, pending)
        // The next one to ask tries again.
        pending.catch(() => opening.delete(path))
      }
      const source = await pending
      return source && { source, path, openSibling: openerOf(path) }
    }

  return {
    open: openerOf(file),
    opened,
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
