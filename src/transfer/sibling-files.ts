// Files that datasets of an HDF5 file name: raw values, and the sources of virtual datasets. Only those below one folder are
// opened, links resolved.

import { realpathSync } from 'node:fs'
import { dirname, resolve, sep } from 'node:path'
import type { OpenSibling } from '../h5file/reader/data-file.ts'
import { type OpenFileSource, openFileSource } from './file-source.ts'

export interface SiblingFiles {
  readonly open: OpenSibling
  /** Throws when one of them was changed since it was opened. */
  requireUnchanged(): void
  close(): void
}

/** Those that `file` names; `root` is the folder below which they must lie. */
export function siblingFiles(file: string, root: string): SiblingFiles {
  const realRoot = realpathSync(root)
  const sources = new Map<string, OpenFileSource>()
  const openerOf =
    (from: string): OpenSibling =>
    async name => {
      const path = realPathOf(resolve(dirname(from), name))
      if (path === undefined || !path.startsWith(realRoot === sep ? sep : realRoot + sep)) return undefined
      const source = sources.get(path) ?? openFileSource(path)
      sources.set(path, source)
      return { source, path, openSibling: openerOf(path) }
    }
  return {
    open: openerOf(realpathSync(file)),
    requireUnchanged() {
      for (const source of sources.values()) source.requireUnchanged()
    },
    close() {
      for (const source of sources.values()) source.close()
    },
  }
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}
