// One read or write of the mounts: it sees each file in one state, which stays open until it ends.

import type { AbortCheck } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import type { ReadCaller } from '@hyperslab/h5/reader'
import { pathOfFileUri } from '@hyperslab/model/dataset'
import type { Acl, DomainPath, ObjectId } from '@hyperslab/model/names'
import type { Selection } from '@hyperslab/model/selection'
import type { Piece } from '@hyperslab/model/values'
import type { Dataset, DomainEntry, Page, Reader } from '@hyperslab/store/store'
import { type JoinedEntry, type MountedReads, mergeChildren, type ValueParts } from '@hyperslab/store/store'
import { domainError, fileChanged } from './domain-errors.ts'
import type { MountedFile, MountedFolder, OpenFile } from './mount.ts'
import { SessionContents } from './session-contents.ts'
import type { SharedContents } from './shared-contents.ts'
import { readReferenced } from './values/referenced-values.ts'

/** All mounts, as one read or write uses them. */
export interface SessionMounts {
  readonly options: {
    readonly rootAt: (path: DomainPath) => ObjectId
    readonly aclAt: (path: DomainPath) => Acl
  }
  find(path: DomainPath): Promise<MountedFile | MountedFolder | undefined>
  /** `Mount.locate` in each mount. */
  locate(holder: DomainPath, name: string): Promise<DomainPath | undefined>
  /** The children of a folder, of each mount that may have some; if names collide, the first counts. */
  childrenOf(
    folder: DomainPath,
    page: Page | undefined,
  ): readonly AsyncIterable<MountedFile | MountedFolder>[]
  /** Whether the path is in a mount. */
  hasFilesAt(path: DomainPath): boolean
  /** True: callers may read bytes of the file through reference layouts, for which its list is not checked. */
  isReadByEverybody(path: DomainPath): boolean
  /** The joined file of a domain; one that cannot be looked for has the reason as its damage. */
  lookJoined(entry: JoinedEntry): Promise<MountedFile>
  /** The lists of the files of a joined file, and of the folders that were searched for them, each once. */
  listsOf(joined: MountedFile): readonly Acl[]
}

/**
 * Files that one read has open at once; more are closed when they are not being read, and opened again.
 * @limit memory, files
 */
const MAX_OPEN_FILES = 16

/** The files of one read or write. */
export class MountSession implements MountedReads {
  readonly #mounts: SessionMounts
  readonly #parts: ValueParts
  readonly #caller: ReadCaller
  readonly #acquire: (file: MountedFile) => Promise<SharedContents>
  /** The open files that reference layouts name, by path. */
  readonly #referenced = new Map<DomainPath, Promise<OpenFile>>()
  /** The result of each search by path: a read gets the same one each time, even if the file changes. */
  readonly #found = new Map<DomainPath, Promise<DomainEntry | undefined>>()
  /** The contents of returned domains, by the beginning of their ids. */
  readonly #domains = new Map<string, SessionContents>()
  /** Contents with an open file, the first opened first. */
  readonly #open = new Set<SessionContents>()
  #areUsed = false

  constructor(
    mounts: SessionMounts,
    parts: ValueParts,
    caller: ReadCaller,
    acquire: (file: MountedFile) => Promise<SharedContents>,
  ) {
    this.#mounts = mounts
    this.#parts = parts
    this.#caller = caller
    this.#acquire = acquire
  }

  get areUsed(): boolean {
    return this.#areUsed
  }

  domain(path: DomainPath): Promise<DomainEntry | undefined> {
    const known = this.#found.get(path)
    if (known) return known
    const found = this.#find(path)
    this.#found.set(path, found)
    return found
  }

  async joined(entry: JoinedEntry): ReturnType<MountedReads['joined']> {
    this.#areUsed = true
    const found = await this.#mounts.lookJoined(entry)
    const { file } = this.#contentsOf(found, entry.root)
    const { size, damage, lastModified, storedDomains = [], progress } = file
    const now = {
      ...entry,
      lastModified,
      fileSize: size,
      ...countOf(file),
      fileLists: this.#mounts.listsOf(file),
      unwell: [...(file.unwell ?? [])].map(([path, { message }]) => ({ path, reason: message })),
      ...(damage !== undefined && { damage }),
      ...(progress && { progress }),
    }
    return { entry: now, storedDomains }
  }

  locate(holder: DomainPath, name: string): Promise<DomainPath | undefined> {
    this.#areUsed = true
    return this.#mounts.locate(holder, name)
  }

  async *children(folder: DomainPath, page?: Page): AsyncGenerator<DomainEntry> {
    const [first, ...others] = this.#mounts
      .childrenOf(folder, page)
      .map(children => this.#entriesOf(children))
    if (first === undefined) return
    this.#areUsed = true
    yield* others.reduce<AsyncIterable<DomainEntry>>(
      (merged, children) => mergeChildren(merged, children, page?.limit),
      first,
    )
  }

  contents(id: ObjectId): SessionContents | undefined {
    return this.#domains.get(prefixOf(id))
  }

  readReferenced(
    reader: Pick<Reader, 'object' | 'readValues'>,
    dataset: Dataset,
    selection: Selection,
    signal?: AbortCheck,
  ): AsyncIterable<Piece> {
    this.#areUsed = true
    const openFile = async (uri: string) => (await this.#openReferenced(uri)).source
    return readReferenced({ ...this.#parts, reader, openFile }, dataset, selection, signal)
  }

  requireUnchanged(): Promise<void> | undefined {
    return this.#open.size + this.#referenced.size === 0 ? undefined : this.#requireUnchanged()
  }

  async finish(root: ObjectId): Promise<void> {
    const prefix = prefixOf(root)
    const contents = this.#domains.get(prefix)
    this.#domains.delete(prefix)
    if (!contents) return
    this.#found.delete(contents.file.path)
    await this.#giveBack(contents)
  }

  close(): void {
    for (const contents of this.#open) contents.release()
    for (const opened of this.#referenced.values()) {
      opened.then(
        open => open.close(),
        () => undefined,
      )
    }
  }

  async #find(path: DomainPath): Promise<DomainEntry | undefined> {
    this.#areUsed ||= this.#mounts.hasFilesAt(path)
    const found = await this.#mounts.find(path).catch((error: unknown) => {
      throw error instanceof HyperslabError ? domainError(error, path) : error
    })
    return found && this.#entryOf(found)
  }

  async #requireUnchanged(): Promise<void> {
    for (const contents of this.#open) await contents.requireUnchanged()
    for (const [path, opened] of this.#referenced) {
      const open = await opened.catch(() => undefined)
      if (open && !(await open.isUnchanged())) throw fileChanged(path)
    }
  }

  async #openReferenced(uri: string): Promise<OpenFile> {
    const named = pathOfFileUri(uri)
    const path = named && this.#mounts.isReadByEverybody(named) ? named : undefined
    const known = path && this.#referenced.get(path)
    if (known) return known
    const file = path && (await this.#mounts.find(path))
    if (path === undefined || file?.kind !== 'file') {
      throw new HyperslabError(
        'file-not-found',
        `the values are in the file ${uri}, which is not a mounted file that everybody may read`,
        { subject: uri },
      )
    }
    const opened = this.#referenced.get(path) ?? file.open()
    this.#referenced.set(path, opened)
    return opened
  }

  async *#entriesOf(children: AsyncIterable<MountedFile | MountedFolder>): AsyncGenerator<DomainEntry> {
    for await (const child of children) yield this.#entryOf(child)
  }

  #entryOf(entry: MountedFile | MountedFolder): DomainEntry {
    const { aclAt, rootAt } = this.#mounts.options
    const acl = aclAt(entry.path)
    if (entry.kind === 'folder') return { ...mountedEntry(entry), acl }
    const root = rootAt(entry.path)
    return { ...mountedEntry(this.#contentsOf(entry, root).file), root, acl }
  }

  /** The contents of the file as it was first returned: one read sees each file in one state. */
  #contentsOf(file: MountedFile, root: ObjectId): SessionContents {
    const prefix = prefixOf(root)
    const known = this.#domains.get(prefix)
    if (known) return known
    const contents = new SessionContents(file, root, this.#caller, contents => this.#openFile(contents))
    this.#domains.set(prefix, contents)
    return contents
  }

  async #openFile(contents: SessionContents): Promise<SharedContents> {
    if (this.#open.size >= MAX_OPEN_FILES) await this.#releaseOne()
    this.#open.add(contents)
    return this.#acquire(contents.file)
  }

  async #releaseOne(): Promise<void> {
    for (const contents of this.#open) {
      if (contents.isAtRest) return this.#giveBack(contents)
    }
  }

  /** Returns an open file, also when this throws `file-changed`. */
  async #giveBack(contents: SessionContents): Promise<void> {
    if (!this.#open.delete(contents)) return
    try {
      await contents.requireUnchanged()
    } finally {
      contents.release()
    }
  }
}

/** The digits that the ids of one domain share. */
function prefixOf(id: ObjectId): string {
  return id.slice(0, 16)
}

function mountedEntry(entry: MountedFile | MountedFolder): Omit<DomainEntry, 'root' | 'acl'> {
  const { path, lastModified } = entry
  const base = { path, created: lastModified, lastModified, readOnly: true, closed: false } as const
  const { damage } = entry
  return {
    ...base,
    mounted: true,
    ...(entry.kind === 'file' && { fileSize: entry.size, ...countOf(entry) }),
    ...(damage !== undefined && { damage }),
  }
}

/** The number of files that are read as this one; none: it is no joined file, or they cannot be joined. */
function countOf({ madeOf = [] }: MountedFile): Pick<DomainEntry, 'fileCount'> {
  return madeOf.length > 0 ? { fileCount: madeOf.length } : {}
}
