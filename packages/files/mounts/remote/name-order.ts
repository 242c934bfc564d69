// The listing of a bucket in the order of names. A bucket lists by key, where a folder ends with a slash: `run-1.h5`
// comes before `run/`, though `run` comes before `run-1.h5`.

import { compareUtf8 } from '@hyperslab/model/names'
import type { CatalogEntry } from './catalog.ts'

/**
 * The entries by name as UTF-8 bytes; a file and a folder of one name are one entry. `pages` are ordered by key. An
 * entry is kept back while a folder that comes before it may follow; at the end of a page `hasFolder` decides, so that
 * at most a page is kept back.
 */
export async function* inNameOrder(
  pages: AsyncIterable<readonly CatalogEntry[]>,
  hasFolder: (name: string) => Promise<boolean>,
): AsyncGenerator<CatalogEntry> {
  let held: CatalogEntry[] = []
  /** Folders that were checked before the listing reached them. */
  const decided = new Set<string>()
  let lastKey: string | undefined
  for await (const page of pages) {
    if (lastKey !== undefined) {
      const names = earlierFolders(lastKey).filter(name => !decided.has(name))
      const found = await Promise.all(names.map(hasFolder))
      for (const [index, name] of names.entries()) {
        decided.add(name)
        if (found[index]) insert(held, { name, isFolder: true })
      }
      yield* held
      held = []
    }
    for (const entry of page) {
      lastKey = keyOf(entry)
      if (entry.isFolder && decided.has(entry.name)) continue
      insert(held, entry)
      const settled = held.findIndex(({ name }) => isAwaitingFolder(name, keyOf(entry)))
      yield* held.splice(0, settled < 0 ? held.length : settled)
    }
  }
  yield* held
}

function keyOf({ name, isFolder }: CatalogEntry): string {
  return isFolder ? `${name}/` : name
}

/** Inserts an entry; entries arrive in the order of keys, so its index is near the end. */
function insert(entries: CatalogEntry[], entry: CatalogEntry): void {
  let index = entries.length
  while (index > 0 && compareUtf8(entries[index - 1].name, entry.name) > 0) index--
  const same = entries[index - 1]
  if (same?.name === entry.name) entries[index - 1] = { ...same, ...entry }
  else entries.splice(index, 0, entry)
}

/** Whether a folder may follow on the key that has the name, or comes before it. */
function isAwaitingFolder(name: string, key: string): boolean {
  return earlierFolders(key).some(
    folder => name.startsWith(folder) && (name.length === folder.length || name.charAt(folder.length) < '/'),
  )
}

/** The names of folders that come after the key in the order of keys, but not after its name in the order of names. */
function earlierFolders(key: string): readonly string[] {
  const names: string[] = []
  for (let end = 1; end <= key.length; end++) {
    if (end === key.length ? !key.endsWith('/') : key.charAt(end) < '/') names.push(key.slice(0, end))
  }
  return names
}
