// The regular files in a folder and the folders below it, for an import of all of them. Hidden files and folders are
// skipped, and so is a link that leads out of the folder or nowhere. Each folder is visited once, whatever links lead
// to it, so cycles of links end.

import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { isWithin } from './sibling-files.ts'

export interface FileInFolder {
  readonly path: string
  /** The names of the folders that lead to the file, then its own. */
  readonly names: readonly string[]
}

/** A folder to be visited. */
type Folder = FileInFolder

/**
 * The files in the order of their names. `onUnreadable` is called for each folder that cannot be read, which is
 * skipped.
 */
export function findFiles(
  path: string,
  onUnreadable: (path: string, error: unknown) => void,
): readonly FileInFolder[] {
  const root = realpathSync(path)
  const visited = new Set<string>()
  const files: FileInFolder[] = []
  const folders: Folder[] = [{ path, names: [] }]
  // Links come after all other folders, so that a folder is found at its own path, and not at that of a link to it.
  const linked: Folder[] = []
  for (let folder = folders.pop(); folder; folder = folders.pop() ?? linked.shift()) {
    try {
      const real = realpathSync(folder.path)
      if (visited.has(real)) continue
      visited.add(real)
      for (const entry of readdirSync(folder.path, { withFileTypes: true })) {
        if (entry.name.startsWith('.')) continue
        const found = { path: join(folder.path, entry.name), names: [...folder.names, entry.name] }
        const kind = entry.isSymbolicLink() ? targetWithin(root, found.path) : entry
        if (kind?.isFile()) files.push(found)
        else if (kind?.isDirectory()) (entry.isSymbolicLink() ? linked : folders).push(found)
      }
    } catch (error) {
      onUnreadable(folder.path, error)
    }
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** The target of a link; undefined: it does not exist, or is outside the folder. */
function targetWithin(
  root: string,
  link: string,
): Pick<Stats | Dirent, 'isFile' | 'isDirectory'> | undefined {
  try {
    const real = realpathSync(link)
    return isWithin(root, real) ? statSync(real) : undefined
  } catch {
    return undefined
  }
}
