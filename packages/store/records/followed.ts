// The mounted files and folders that the feed follows, as its events have them. Files change without a commit, so a
// process that finds another state of a file commits that state together with its event (runs/followed-files.ts): of
// several processes one does.

import { type Acl, type DomainPath, isTopLevel, parentOf } from '@hyperslab/model/names'
import type { Changes, Reads } from '../changes.ts'
import type { MountedEntry } from '../interfaces/mounted-domains.ts'
import type { EntryChange } from '../interfaces/store.ts'
import { getDomain } from './domains.ts'
import { allFollowedKey, followedKey, followedRange } from './keys.ts'
import { decodeRecord, encodeRecord } from './record.ts'

/** The entry at a path; with `isFolder` also those below it. */
export async function* listFollowed(
  reads: Reads,
  path: DomainPath,
  isFolder: boolean,
): AsyncGenerator<MountedEntry> {
  const own = isTopLevel(path) ? undefined : await getFollowed(reads, path)
  if (own) yield own
  const folders = isFolder ? [path] : []
  for (const folder of folders) {
    for await (const { value } of reads.range(followedRange(folder))) {
      const entry = decodeRecord<MountedEntry>(value)
      yield entry
      if (entry.root === undefined) folders.push(entry.path)
    }
  }
}

async function getFollowed(reads: Reads, path: DomainPath): Promise<MountedEntry | undefined> {
  const record = await reads.get(followedKey(path))
  return record && decodeRecord<MountedEntry>(record)
}

export interface FoundEntries {
  /** The entry that was found at each path; undefined: none. */
  readonly found: ReadonlyMap<DomainPath, MountedEntry | undefined>
  /** The list of the mounted file or folder at a path. */
  readonly aclAt: (path: DomainPath) => Acl
  /** Finds the entry that is at a path now; `unknown`: the file does not answer. */
  readonly lookAgain: (path: DomainPath) => Promise<MountedEntry | 'unknown' | undefined>
}

/**
 * Records what was found and notes the events of changes. A file without a record is new if all files at a path above
 * it have records; otherwise nobody has followed it before.
 */
export async function recordFound(changes: Changes, entries: FoundEntries): Promise<void> {
  const { found, aclAt, lookAgain } = entries
  const covered = new CoveredPaths(changes)
  const records = await changes.getMany([...found.keys()].map(followedKey))
  for (const [i, [path, first]] of [...found].entries()) {
    const record = records[i]
    const before = record && decodeRecord<MountedEntry>(record)
    if (isSameEntry(before, first)) continue
    // Another process may have recorded a later state than the one that was found.
    const now = before ? await lookAgain(path) : first
    if (now === 'unknown' || isSameEntry(before, now)) continue
    if (now) changes.set(followedKey(path), encodeRecord(now))
    else changes.delete(followedKey(path))
    const isNews = before !== undefined || (await covered.has(path))
    if (isNews && (await isShown(changes, path, before, now))) noteChange(changes, before, now, aclAt(path))
  }
}

/**
 * Whether the change is one that callers see: a stored entry hides the file, and has events of its own; of a joined
 * domain, its files have changed.
 */
async function isShown(
  changes: Changes,
  path: DomainPath,
  before: MountedEntry | undefined,
  now: MountedEntry | undefined,
): Promise<boolean> {
  if (before?.isStored || now?.isStored) return before?.root === now?.root
  return !(await getDomain(changes, path))
}

function noteChange(
  { event }: Changes,
  before: MountedEntry | undefined,
  now: MountedEntry | undefined,
  acl: Acl,
): void {
  if (before && now?.root !== undefined && before.root === now.root) {
    event.noteFile(now.root, now.path, now.state ?? '')
    return
  }
  if (before) event.noteEntry({ ...entryOf(before), change: 'deleted', acl, closed: false })
  if (now) event.noteEntry({ ...entryOf(now), change: 'created' })
}

function entryOf({ path, root }: MountedEntry): Pick<EntryChange, 'path' | 'root'> {
  return { path, ...(root !== undefined && { root }) }
}

export function isSameEntry(a: MountedEntry | undefined, b: MountedEntry | undefined): boolean {
  return a?.path === b?.path && a?.root === b?.root && a?.state === b?.state
}

/** Notes whether the files at the path and below all have their records. */
export async function recordAllFollowed(changes: Changes, path: DomainPath, isWhole: boolean): Promise<void> {
  const key = allFollowedKey(path)
  const wasWhole = (await changes.get(key)) !== undefined
  if (isWhole && !wasWhole) changes.set(key, encodeRecord({}))
  else if (!isWhole && wasWhole) changes.delete(key)
}

/** Paths for which that was noted, or for one above them. */
class CoveredPaths {
  readonly #reads: Reads
  readonly #known = new Map<DomainPath, boolean>()

  constructor(reads: Reads) {
    this.#reads = reads
  }

  async has(path: DomainPath): Promise<boolean> {
    let isCovered = this.#known.get(path)
    if (isCovered === undefined) {
      const record = await this.#reads.get(allFollowedKey(path))
      isCovered = record !== undefined || (!isTopLevel(path) && (await this.has(parentOf(path))))
      this.#known.set(path, isCovered)
    }
    return isCovered
  }
}
