// The files that a joined domain reads, of any mount: each is open while it is read, in the state in which it was
// found, and rests otherwise. A file that is in another state is `file-changed`, with its name.

import { inParallel } from '@hyperslab/base/bounded'
import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import type { ByteSource, JoinedObjects, OpenSibling, Sibling } from '@hyperslab/h5/reader'
import { fileChanged } from '../mounts/domain-errors.ts'
import type { MountedFile, OpenFile } from '../mounts/mount.ts'
import { type RestingFile, RestingFiles } from '../mounts/resting-files.ts'
import { UncheckedReads } from '../mounts/unchecked-reads.ts'

/** Files of all joined domains together that are open at once. @limit memory, files */
const MAX_OPEN_PARTS = 64
const OPEN_PARTS = new RestingFiles(MAX_OPEN_PARTS)

/** Files that the parts of one domain name; if there are more, they count as changed. @limit memory, files */
const MAX_NESTED = 65_536
/** Files that parts name, and that are looked at together. @limit memory, files */
const LOOKS_AT_ONCE = 8
/** Files that parts name are looked at at most this often, and at most a tenth of the time. */
const LOOK_MILLISECONDS = 1000
const REST = 9

/** A file that a part names, by the names that lead from the part to it. */
interface NestedFile {
  readonly part: RestingFile<OpenFile>
  readonly names: readonly string[]
  readonly stamp: string
}

export class PartFiles {
  readonly #files: ReadonlyMap<string, MountedFile>
  readonly #reads = new UncheckedReads()
  /** Files that parts name, by the path of the part and the names. */
  readonly #nested = new Map<string, NestedFile>()
  #nextLook = 0
  #isClosed = false

  constructor(files: readonly MountedFile[]) {
    this.#files = new Map(files.map(file => [file.path, file]))
  }

  has(path: string): boolean {
    return this.#files.has(path)
  }

  /** Opens the part at the path of its domain, one that was given. */
  async open(path: string): Promise<Sibling> {
    const part = await OPEN_PARTS.open({
      name: path,
      owner: this,
      open: () => this.#open(path),
      onRead: part => this.#reads.add(part),
    })
    if (!part) throw fileChanged(path)
    // It may be the first one that has a joined dataset.
    const openSibling: OpenSibling = name =>
      this.has(name) ? this.open(name) : this.#openNested(part, [name])
    return { source: part, path, openSibling }
  }

  /** Whether all reads since the last call, or since `open`, gave the states in which the parts were found. */
  areUnchanged(): Promise<boolean> {
    return this.#reads.areUnchanged()
  }

  /** Whether the files that parts name are unchanged; the parts' own states are part of that of the joined domain. */
  async areNestedCurrent(): Promise<boolean> {
    const start = SYSTEM_CLOCK.elapsed()
    if (start < this.#nextLook) return true
    if (this.#nested.size > MAX_NESTED) return false
    let areCurrent = true
    await inParallel([...this.#nested.values()], LOOKS_AT_ONCE, async ({ part, names, stamp }) => {
      const isCurrent = async (open: OpenFile) =>
        (await open.areSiblingsCurrent()) && (await siblingAt(open, names))?.source.stamp === stamp
      areCurrent &&= await part.use(isCurrent)
    })
    const end = SYSTEM_CLOCK.elapsed()
    this.#nextLook = end + Math.max(LOOK_MILLISECONDS, REST * (end - start))
    return areCurrent
  }

  async haveGrown(): Promise<boolean> {
    const open = OPEN_PARTS.openOf(this)
    return (await Promise.all(open.map(part => part.hasGrown()))).some(Boolean)
  }

  close(): void {
    this.#isClosed = true
    for (const part of OPEN_PARTS.openOf(this)) part.close()
  }

  async #open(path: string): Promise<OpenFile | undefined> {
    if (this.#isClosed) throw new Error(`${path} is read after it was closed`)
    return this.#files.get(path)?.open()
  }

  /** A file that a part names: it is open while the part is. */
  async #openNested(part: RestingFile<OpenFile>, names: readonly string[]): Promise<Sibling | undefined> {
    const first = await part.use(open => siblingAt(open, names))
    if (!first) return undefined
    const { path } = first
    const { size, stamp } = first.source
    this.#nested.set([part.name, ...names].join('\0'), { part, names, stamp })
    const use = <T>(work: (source: ByteSource) => Promise<T>) =>
      part.use(async open => {
        const now = await siblingAt(open, names)
        if (now?.source.stamp !== stamp) throw fileChanged(path)
        return work(now.source)
      })
    const source: ByteSource = {
      size,
      stamp,
      read: (ranges, signal) => use(source => source.read(ranges, signal)),
      readInto: (target, position, signal) => use(source => source.readInto(target, position, signal)),
    }
    return { source, path, openSibling: name => this.#openNested(part, [...names, name]) }
  }
}

async function siblingAt(
  { openSibling }: Pick<OpenFile, 'openSibling'>,
  [name, ...others]: readonly string[],
): Promise<Sibling | undefined> {
  const sibling = await openSibling(name)
  return others.length === 0 || !sibling ? sibling : siblingAt(sibling, others)
}

/** The first file with joined datasets: it opens the files by their paths. */
export async function openJoined(files: readonly MountedFile[], joined: JoinedObjects): Promise<OpenFile> {
  const open = await files[0].open()
  const parts = new PartFiles(files)
  const openSibling: OpenSibling = name => (parts.has(name) ? parts.open(name) : open.openSibling(name))
  return {
    ...open,
    joined,
    openSibling,
    isUnchanged: async () => (await open.isUnchanged()) && parts.areUnchanged(),
    areSiblingsCurrent: async () => (await open.areSiblingsCurrent()) && parts.areNestedCurrent(),
    hasGrown: async () => (await open.hasGrown?.()) === true || parts.haveGrown(),
    close() {
      open.close()
      parts.close()
    },
  }
}
