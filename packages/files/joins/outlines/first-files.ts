// Joined domains of very many files: a new one has the first of them, in the order of their paths, while the structures
// of the others are read. How many it has is a record of the store, so that all processes have the same ones, and each
// of them can go on with the work of one that has ended.

import { BoundedMap, inParallel, isTurnOver, nextTurn, sortInTurns } from '@hyperslab/base/bounded'
import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { isOfUnreadable } from '@hyperslab/h5/reader'
import { compareUtf8, type DomainPath, type ObjectId } from '@hyperslab/model/names'
import type { JoinProgress, KnownFiles } from '@hyperslab/store/store'
import type { MountedFile } from '../../mounts/mount.ts'
import type { OutlineRules } from '../definition.ts'
import type { FoundFiles } from '../find-files.ts'
import type { FileOutlines, FileWithOutline } from './file-outlines.ts'

/** Files that are read before a domain of more is made. @limit speed, files */
export const FIRST_FILES = 5000
/** Files after which the progress is stored. */
const BATCH = 256
/** Files whose outlines are read at once: each is open meanwhile. @limit memory, files */
export const OUTLINES_AT_ONCE = 8
/** The number of files when a domain gets more, as a multiple of those before: each time it is planned anew. */
const GROWTH = 1.5
/** A process goes on with the work of another one that did nothing for so long. */
const PATIENCE_MILLISECONDS = 10_000
/** Domains whose progress is remembered. @limit memory, domains */
const MAX_SEEN = 256

/** The first of the files that were found, in the order of their paths, and whether there are more. */
export async function firstFiles(
  found: readonly FoundFiles[],
  limit: number,
): Promise<{ readonly found: readonly FoundFiles[]; readonly isPart: boolean }> {
  const count = found.reduce((count, { files }) => count + files.length, 0)
  if (count <= limit) return { found, isPart: false }
  const files = await inPathOrder(found)
  const taken = new Set(files.slice(0, limit).map(({ path }) => path))
  const first = found.map(one => ({ ...one, files: one.files.filter(({ path }) => taken.has(path)) }))
  return { found: first, isPart: files.length > limit }
}

/** All files, each once. */
async function inPathOrder(found: readonly FoundFiles[]): Promise<readonly MountedFile[]> {
  const byPath = new Map<DomainPath, MountedFile>()
  for (const { files } of found) for (const file of files) byPath.set(file.path, file)
  return sortInTurns([...byPath.values()], (a, b) => compareUtf8(a.path, b.path))
}

/** A domain that does not have all of its files yet. */
export interface GrowingDomain {
  readonly root: ObjectId
  readonly rules: OutlineRules
  /** All files. */
  readonly found: readonly FoundFiles[]
}

interface SeenProgress {
  readonly text: string
  readonly since: number
}

/** Reads the structures of the files that domains do not have yet, one file after another in each process. */
export class OutlineWork {
  readonly #outlines: FileOutlines
  readonly #known: KnownFiles
  /** The progress of domains, as it was seen last. @limit safety, domains */
  readonly #seen = new BoundedMap<ObjectId, SeenProgress>(MAX_SEEN)
  readonly #running = new Set<ObjectId>()
  #isClosed = false

  constructor(outlines: FileOutlines, known: KnownFiles) {
    this.#outlines = outlines
    this.#known = known
  }

  /** Begins or goes on with the work, unless this or another process does it. */
  proceed(domain: GrowingDomain, progress: JoinProgress): void {
    const { root } = domain
    if (this.#running.has(root) || this.#isClosed) return
    const text = JSON.stringify(progress)
    const now = SYSTEM_CLOCK.elapsed()
    const seen = this.#seen.use(root)
    if (seen?.text !== text) this.#seen.set(root, { text, since: now })
    const isOfAnother = seen && (seen.text !== text || now - seen.since < PATIENCE_MILLISECONDS)
    if (isOfAnother) return
    this.#running.add(root)
    // Whatever ends it: a later look at the domain begins it again.
    const end = () => this.#running.delete(root)
    this.#readAll(domain, progress).then(end, end)
  }

  close(): void {
    this.#isClosed = true
  }

  async #readAll({ root, rules, found }: GrowingDomain, progress: JoinProgress): Promise<void> {
    const files = await inPathOrder(found)
    let before = progress
    while (!this.#isClosed) {
      const { limit, done } = before
      const next = Math.min(files.length, Math.ceil(GROWTH * limit))
      const batch = files.slice(done, Math.min(done + BATCH, next))
      await this.#outlines.store(root, await this.#readSome(batch, rules))
      const end = done + batch.length
      const isWhole = end >= files.length
      const after = isWhole ? undefined : { limit: end >= next ? next : limit, done: end }
      // Else another process does the work, or the domain is gone.
      if (!(await this.#known.setProgress(root, before, after)) || !after) return
      before = after
      this.#seen.set(root, { text: JSON.stringify(after), since: SYSTEM_CLOCK.elapsed() })
    }
  }

  /** Files that cannot be read are those of the domain all the same: opening it says what is wrong. */
  async #readSome(files: readonly MountedFile[], rules: OutlineRules): Promise<readonly FileWithOutline[]> {
    const read: FileWithOutline[] = []
    await inParallel(files, OUTLINES_AT_ONCE, async file => {
      if (this.#isClosed) return
      if (isTurnOver()) await nextTurn()
      try {
        read.push({ file, outline: await this.#outlines.read(file, file.path, rules) })
      } catch (error) {
        if (!isOfUnreadable(error)) throw error
      }
    })
    return read
  }
}
