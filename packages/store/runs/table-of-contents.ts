// A table of contents as a domain that can only be read (classic 12): a folder is a group, a domain is an external
// link. Nothing of it is stored: it is read from the namespace, and from the notes about folders
// (records/folders.ts), which give a folder its number and its title. The half that ids of a domain share follows from
// the folder of the table, the other half is the number of the folder of the group.
//
// Mounted files have no notes. A mounted folder is shown while it holds a file, and files and folders that are mounted
// give way to stored entries with the same title.

import { hash } from 'node:crypto'
import { type AbortCheck, type BoundedMap, isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import {
  type Acl,
  childIfValid,
  DEFAULT_USER,
  type DomainPath,
  domainHalf,
  domainNamesOf,
  FILE_EXTENSION,
  folderNamesOf,
  idFromHex,
  isHiddenName,
  isRoot,
  isTopLevel,
  isWithin,
  nameOf,
  namesBelow,
  type ObjectId,
  type ObjectKind,
  parentOf,
  ROOT_FOLDER,
  rootOf,
  titlesOfDomain,
  titlesOfFolder,
} from '@hyperslab/model/names'
import type { Reads } from '../changes.ts'
import { isUnavailable, type MountedReads } from '../interfaces/mounted-domains.ts'
import type {
  ContentsOf,
  DomainEntry,
  Group,
  Link,
  LinkKey,
  ObjectDetails,
  ObjectStatus,
  Page,
  Reader,
} from '../interfaces/store.ts'
import { hexOf } from '../key-range.ts'
import {
  findTitle,
  folderNumber,
  freeTitle,
  getFolder,
  getFolderOf,
  getFolderStatus,
  listNotedFolders,
  titleOfDomain,
  titleOfFolder,
} from '../records/folders.ts'

/**
 * The mounted entries that were shown of late: the paths of folders by the numbers in their ids, and those of domains
 * by folder and title, so that the link of a file that is gone is not one that never was.
 */
export type ShownEntries = BoundedMap<string, DomainPath>

export interface ContentsParts {
  readonly reads: Reads
  readonly reader: Pick<Reader, 'domain' | 'children' | 'wasDomainDeleted'>
  /** Absent: nothing is mounted. */
  readonly mounted: MountedReads | undefined
  readonly shown: ShownEntries
  readonly signal: AbortCheck | undefined
}

/** Entries of a folder that are read at once for a long list of links. */
const PAGE_ENTRIES = 100

/**
 * Mounted folders in which one request looks for files, and as many to find the one of a number: beyond them a folder
 * counts as one that holds a file, and a number as unknown.
 * @limit safety, folders
 */
const MAX_LOOKED = 10_000

export class TableOfContents {
  readonly root: ObjectId
  readonly #of: ContentsOf
  readonly #parts: ContentsParts
  /** Whether mounted folders hold files, as far as that was asked. */
  readonly #holding = new Map<DomainPath, Promise<boolean>>()
  /** Mounted folders that were looked at for that. */
  #looked = 0

  constructor(of: ContentsOf, parts: ContentsParts) {
    this.#of = of
    this.#parts = parts
    const half = hash('sha256', `contents\0${of.folder}`, 'hex').slice(0, HALF)
    this.root = rootOf(idFromHex(half.padEnd(2 * HALF, '0')))
  }

  async entry(): Promise<DomainEntry> {
    const { folder } = this.#of
    const { lastModified } = await getFolderStatus(this.#parts.reads, folder)
    const created = await this.#createdAt(folder)
    return {
      path: folder,
      root: this.root,
      created,
      lastModified: Math.max(created, lastModified),
      readOnly: true,
      closed: false,
      computed: true,
    }
  }

  async object(id: ObjectId): Promise<Group | undefined> {
    const path = await this.#pathOf(id)
    if (path === undefined) return undefined
    return { kind: 'group', id, created: await this.#createdAt(path), acl: await this.#aclOf(path) }
  }

  async details(ids: readonly ObjectId[]): Promise<readonly (ObjectDetails | undefined)[]> {
    const details: (ObjectDetails | undefined)[] = []
    for (const id of ids) {
      const object = await this.object(id)
      details.push(object && { object, status: await this.status(id), attributes: [] })
    }
    return details
  }

  async status(id: ObjectId): Promise<ObjectStatus> {
    const path = await this.#requirePath(id)
    const { reads } = this.#parts
    const { lastModified, links } = await getFolderStatus(reads, path)
    const { without } = this.#of
    let linkCount = links + (await this.#countMounted(path))
    if (without !== undefined && parentOf(without) === path && (await getFolder(reads, without))) linkCount--
    if (await this.#linkElsewhere(path)) linkCount++
    return {
      lastModified: Math.max(lastModified, await this.#createdAt(path)),
      linkCount,
      attributeCount: 0,
    }
  }

  /** The groups of all folders but that of the table itself. */
  async *objects(_root: ObjectId, kind: ObjectKind, page: Page<ObjectId> = {}): AsyncGenerator<ObjectId> {
    if (kind !== 'group') return
    const { marker, limit = Infinity } = page
    const after = marker === undefined || isRoot(marker) ? undefined : Buffer.from(marker.slice(HALF), 'hex')
    const mounted: ObjectId[] = []
    for await (const path of this.#mountedFolders()) {
      if ((await this.#isShown(path)) && !(await getFolder(this.#parts.reads, path)))
        mounted.push(this.#idOf(path))
    }
    const left = mounted.filter(id => after === undefined || id > (marker ?? '')).sort()
    let count = 0
    for await (const { path } of listNotedFolders(this.#parts.reads, after)) {
      if (isTurnOver()) await nextTurn()
      this.#parts.signal?.throwIfAborted()
      if (path === this.#of.folder || !this.#isInTable(path)) continue
      const id = this.#idOf(path)
      while (left.length > 0 && left[0] < id) {
        if (count++ >= limit) return
        yield left.shift() as ObjectId
      }
      if (count++ >= limit) return
      yield id
    }
    for (const id of left) {
      if (count++ >= limit) return
      yield id
    }
  }

  async link(group: ObjectId, title: string): Promise<Link | undefined> {
    const folder = await this.#requirePath(group)
    return (await this.#find(folder, title))?.links.find(link => link.title === title)
  }

  async *links(group: ObjectId, { marker, limit = Infinity }: Page = {}): AsyncGenerator<Link> {
    const folder = await this.#requirePath(group)
    let count = 0
    // One entry more than links, since hidden entries have none.
    const entries = Math.min(limit + 1, PAGE_ENTRIES)
    for await (const link of this.#linksAfter(folder, marker, entries)) {
      if (count++ >= limit) return
      yield link
    }
  }

  async *linksTo(id: ObjectId): AsyncGenerator<LinkKey> {
    const path = await this.#requirePath(id)
    if (path === this.#of.folder) return
    const folder = parentOf(path)
    const entry = await this.#entryOf(path)
    for (const { title, target } of entry ? await this.#linksOf(entry) : []) {
      if (target.class === 'H5L_TYPE_HARD') yield { group: this.#idOf(folder), title }
    }
  }

  async attribute(): Promise<undefined> {
    return undefined
  }

  async *attributes(): AsyncGenerator<never> {}

  /** Whether the title was that of a domain that was deleted. */
  async wasLinkDeleted(group: ObjectId, title: string): Promise<boolean> {
    return (await this.#deletedName(await this.#requirePath(group), title)) !== undefined
  }

  async #deletedName(folder: DomainPath, title: string): Promise<string | undefined> {
    for (const name of domainNamesOf(title)) {
      const path = childIfValid(folder, name)
      if (path && !isHiddenName(name) && (await this.#parts.reader.wasDomainDeleted(path))) return name
    }
    const mounted = this.#parts.shown.get(placeOf(folder, title))
    return mounted && nameOf(mounted)
  }

  // Links of a folder

  /** `entries`: those that are read at once. */
  async *#linksAfter(folder: DomainPath, marker: string | undefined, entries: number): AsyncGenerator<Link> {
    const elsewhere = await this.#linkElsewhere(folder)
    if (marker !== undefined && elsewhere?.title === marker) return
    const found = marker === undefined ? undefined : await this.#find(folder, marker)
    if (found) yield* found.links.slice(found.links.findIndex(({ title }) => title === marker) + 1)
    let after = found?.name ?? (marker && ((await this.#deletedName(folder, marker)) ?? marker))
    for (let read = entries; read === entries; ) {
      read = 0
      const page = { limit: entries, ...(after !== undefined && { marker: after }) }
      for await (const entry of this.#parts.reader.children(folder, page)) {
        if (isTurnOver()) await nextTurn()
        this.#parts.signal?.throwIfAborted()
        if (!this.#of.hides?.(entry)) yield* await this.#linksOf(entry)
        after = nameOf(entry.path)
        read++
      }
    }
    if (elsewhere) yield elsewhere
  }

  /** The entry with that title, and all its links. */
  async #find(
    folder: DomainPath,
    title: string,
  ): Promise<{ name?: string; links: readonly Link[] } | undefined> {
    for (const name of [...domainNamesOf(title), ...folderNamesOf(title)]) {
      const path = childIfValid(folder, name)
      const entry = path && (await this.#entryOf(path))
      const links = entry ? await this.#linksOf(entry) : []
      if (links.some(link => link.title === title)) return { name, links }
    }
    const elsewhere = await this.#linkElsewhere(folder)
    return elsewhere?.title === title ? { links: [elsewhere] } : undefined
  }

  async #entryOf(path: DomainPath): Promise<DomainEntry | undefined> {
    const entry = await this.#parts.reader.domain(path)
    return entry && this.#of.hides?.(entry) ? undefined : entry
  }

  /** The links to an entry: one to a domain, one to a folder; both to a domain with others below it. */
  async #linksOf(entry: DomainEntry): Promise<readonly Link[]> {
    const { path, root, created } = entry
    if (isHiddenName(nameOf(path))) return []
    const links: Link[] = []
    if (root !== undefined) {
      const target = { class: 'H5L_TYPE_EXTERNAL', h5path: '/', h5domain: await this.#spelled(path) } as const
      const title = await this.#titleOfDomain(entry)
      if (entry.mounted) this.#parts.shown.set(placeOf(parentOf(path), title), path)
      links.push({ title, created, target })
    }
    if (!this.#isInTable(path)) return links
    const noted = await getFolder(this.#parts.reads, path)
    if (noted || (await this.#holdsMounted(path))) {
      const id = this.#idOf(path)
      if (entry.mounted) this.#parts.shown.set(id.slice(HALF), path)
      const target = { class: 'H5L_TYPE_HARD', kind: 'group', id } as const
      const titles = titlesOfFolder(nameOf(path))
      const title = noted ? titleOfFolder(noted) : await freeTitle(this.#parts.reads, parentOf(path), titles)
      links.push({ title, created, target })
    }
    return links
  }

  /**
   * The path as the name of a file, from which the DNS name follows (classic 11.3). There `.h5` is left out unless the
   * name without it is that of another domain, and a percent sign counts as encoded.
   */
  async #spelled(path: DomainPath): Promise<string> {
    const encoded = path.replaceAll('%', '%25')
    if (!path.endsWith(FILE_EXTENSION)) return encoded
    const short = childIfValid(parentOf(path), nameOf(path).slice(0, -FILE_EXTENSION.length))
    const other = short && (await this.#entryOf(short))
    return other?.root === undefined ? encoded : encoded + FILE_EXTENSION
  }

  /** A link to the folder elsewhere, in the group of the table. */
  async #linkElsewhere(folder: DomainPath): Promise<Link | undefined> {
    const { linked, folder: top } = this.#of
    if (linked === undefined || folder !== top) return undefined
    const entry = await this.#entryOf(linked)
    if (entry === undefined || (entry.root !== undefined && !(await this.#isShown(linked)))) return undefined
    // The top level, which is the base domain, has the path of the folder.
    const target = { class: 'H5L_TYPE_EXTERNAL', h5path: linked, h5domain: ROOT_FOLDER } as const
    const title = await freeTitle(this.#parts.reads, folder, titlesOfFolder(nameOf(linked)))
    return { title, created: entry.created, target }
  }

  async #titleOfDomain(entry: DomainEntry): Promise<string> {
    if (!entry.mounted) return titleOfDomain(entry)
    const folder = parentOf(entry.path)
    for (const title of titlesOfDomain(nameOf(entry.path))) {
      const path = childIfValid(folder, title)
      const other = path !== entry.path && path ? await this.#entryOf(path) : undefined
      const isTaken = other && (other.root !== undefined || (await this.#isShown(other.path)))
      if (isTaken) continue
      const { domain, folder: noted } = await findTitle(this.#parts.reads, folder, title)
      if (domain === undefined && noted === undefined) return title
    }
    throw new Error('the list of titles has no end')
  }

  // Folders

  #idOf(path: DomainPath): ObjectId {
    if (path === this.#of.folder) return this.root
    return idFromHex(domainHalf(this.root) + hexOf(folderNumber(path)))
  }

  /** The folder of a group; undefined: there is no such group. */
  async #pathOf(id: ObjectId): Promise<DomainPath | undefined> {
    if (id === this.root) return this.#of.folder
    const digits = id.slice(HALF)
    const noted = await getFolderOf(this.#parts.reads, Buffer.from(digits, 'hex'))
    const path = noted?.path ?? this.#parts.shown.get(digits) ?? (await this.#mountedFolderOf(id))
    return path && this.#isInTable(path) && (await this.#isShown(path)) ? path : undefined
  }

  async #requirePath(id: ObjectId): Promise<DomainPath> {
    const path = await this.#pathOf(id)
    if (path === undefined) throw new Error(`the table of contents has no group ${id}`)
    return path
  }

  async #mountedFolderOf(id: ObjectId): Promise<DomainPath | undefined> {
    const unavailable: unknown[] = []
    for await (const path of this.#mountedFolders(unavailable)) if (this.#idOf(path) === id) return path
    if (unavailable.length > 0) throw unavailable[0]
    return undefined
  }

  /** Whether the path is below the folder of the table, and neither hidden nor left out. */
  #isInTable(path: DomainPath): boolean {
    const { folder, without } = this.#of
    const names = namesBelow(folder, path)
    return (
      names !== undefined && !names.some(isHiddenName) && (without === undefined || !isWithin(without, path))
    )
  }

  async #isShown(path: DomainPath): Promise<boolean> {
    return (await getFolder(this.#parts.reads, path)) !== undefined || this.#holdsMounted(path)
  }

  async #createdAt(path: DomainPath): Promise<number> {
    const { reads } = this.#parts
    const noted = (await getFolder(reads, path)) ?? (await getFolder(reads, ROOT_FOLDER))
    return noted?.created ?? 0
  }

  /**
   * The list of the folder, or of the nearest one above that has a list. A caller that it does not name has no
   * permissions there; the settings do not apply.
   */
  async #aclOf(folder: DomainPath): Promise<Acl> {
    for (let path = folder; !isTopLevel(path); path = parentOf(path)) {
      const acl = (await this.#entryOf(path))?.acl
      if (acl) return acl.some(({ userName }) => userName === DEFAULT_USER) ? acl : [...acl, NOBODY]
    }
    return []
  }

  // Mounted files

  async #countMounted(folder: DomainPath): Promise<number> {
    let count = 0
    for await (const entry of this.#mountedIn(folder)) {
      const stored = await this.#entryOf(entry.path)
      if (entry.root !== undefined) count += stored?.mounted ? 1 : 0
      else if (this.#isInTable(entry.path) && !(await getFolder(this.#parts.reads, entry.path))) {
        count += (await this.#holdsMounted(entry.path)) ? 1 : 0
      }
    }
    return count
  }

  /** Mounted entries of a folder, without hidden ones. */
  async *#mountedIn(folder: DomainPath): AsyncGenerator<DomainEntry> {
    for await (const entry of this.#parts.mounted?.children(folder) ?? []) {
      if (isTurnOver()) await nextTurn()
      this.#parts.signal?.throwIfAborted()
      if (!isHiddenName(nameOf(entry.path)) && !this.#of.hides?.(entry)) yield entry
    }
  }

  #holdsMounted(folder: DomainPath): Promise<boolean> {
    const known = this.#holding.get(folder)
    if (known) return known
    const holding = this.#lookFor(folder)
    this.#holding.set(folder, holding)
    return holding
  }

  async #lookFor(folder: DomainPath): Promise<boolean> {
    // A folder that was shown stays when its last file goes, as long as it is there.
    if (this.#parts.shown.get(hexOf(folderNumber(folder))) !== undefined) {
      const entry = await this.#entryOf(folder)
      return entry !== undefined && entry.root === undefined
    }
    try {
      for await (const { path, root } of this.#mountedIn(folder)) {
        if (root !== undefined || ++this.#looked > MAX_LOOKED || (await this.#holdsMounted(path))) return true
      }
    } catch (error) {
      // It may hold some.
      if (!isUnavailable(error)) throw error
      return true
    }
    return false
  }

  /** The mounted folders below that of the table. The errors of those that do not answer go to `unavailable`. */
  async *#mountedFolders(unavailable: unknown[] = []): AsyncGenerator<DomainPath> {
    const waiting = [this.#of.folder]
    let looked = 0
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      try {
        for await (const { path, root } of this.#mountedIn(folder)) {
          if (root !== undefined || !this.#isInTable(path)) continue
          if (++looked > MAX_LOOKED) return
          yield path
          waiting.push(path)
        }
      } catch (error) {
        if (!isUnavailable(error)) throw error
        unavailable.push(error)
      }
    }
  }
}

/** A title in a folder, as one string; no number has a slash. */
function placeOf(folder: DomainPath, title: string): string {
  return `${folder}/${title}`
}

const HALF = 16

const NOBODY: Acl[number] = {
  userName: DEFAULT_USER,
  create: false,
  read: false,
  update: false,
  delete: false,
  readACL: false,
  updateACL: false,
}
