// The regular files in a folder and the folders below it, for an import of all of them. Hidden files and folders are
// passed over, and so is a link that leads out of the folder or nowhere. Each folder is visited once, whatever links
// lead to it, so cycles of links end.

import { lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { isWithin } from './sibling-files.ts'

interface FolderEntry {
  readonly path: string
  /** The names of the folders that lead to it, then its own. */
  readonly names: readonly string[]
}

export interface FileInFolder extends FolderEntry {
  /** Whether the owner of the file may write it, by its mode: another user, such as root, may write any file. */
  readonly isWritable: boolean
}

/** Receives what is passed over. */
export interface PassedOver {
  /** A folder that cannot be read. */
  readonly unreadable: (path: string, error: unknown) => void
  /** A hidden file or folder. */
  readonly hidden: (path: string) => void
  /** A link that leads out of the folder, or nowhere. */
  readonly outside: (path: string) => void
}

const OWNER_WRITES = 0o200

/** The files in the order of their names. */
export function findFiles(
  path: string,
  { unreadable, hidden, outside }: PassedOver,
): readonly FileInFolder[] {
  const root = realpathSync(path)
  const visited = new Set<string>()
  const files: FileInFolder[] = []
  const folders: FolderEntry[] = [{ path, names: [] }]
  // Links come after all other folders, so that a folder is found at its own path, and not at that of a link to it.
  const linked: FolderEntry[] = []
  for (let folder = folders.pop(); folder; folder = folders.pop() ?? linked.shift()) {
    try {
      const real = realpathSync(folder.path)
      if (visited.has(real)) continue
      visited.add(real)
      for (const entry of readdirSync(folder.path, { withFileTypes: true })) {
        const found = { path: join(folder.path, entry.name), names: [...folder.names, entry.name] }
        if (entry.name.startsWith('.')) {
          hidden(found.path)
          continue
        }
        const stats = statsWithin(root, found.path)
        if (!stats) outside(found.path)
        else if (stats.isFile()) files.push({ ...found, isWritable: (stats.mode & OWNER_WRITES) !== 0 })
        else if (stats.isDirectory()) (entry.isSymbolicLink() ? linked : folders).push(found)
      }
    } catch (error) {
      unreadable(folder.path, error)
    }
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Undefined: it is a link that leads to nothing, or out of the folder. */
function statsWithin(root: string, path: string): Stats | undefined {
  try {
    const stats = lstatSync(path)
    if (!stats.isSymbolicLink()) return stats
    const real = realpathSync(path)
    return isWithin(root, real) ? statSync(real) : undefined
  } catch {
    return undefined
  }
}
