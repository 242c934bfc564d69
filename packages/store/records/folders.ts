// The folders that tables of contents show: each that has ever held a domain, directly or in a folder below it, also
// after it was emptied. A folder has a number, which follows from its path, so that the id of its group is the same in
// each process. The records lead from the number to the path, keep the titles of entries apart, and count.
//
// Other buckets than the default one have no DNS names, and so no table of contents.

import { hash } from 'node:crypto'
import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import type { Timestamp } from '@hyperslab/model/names'
import {
  bucketOf,
  childIfValid,
  childOf,
  DEFAULT_BUCKET,
  type DomainPath,
  domainNamesOf,
  folderNamesOf,
  isHiddenName,
  isTopLevel,
  nameOf,
  parentOf,
  plainTitleOfDomain,
  ROOT_FOLDER,
  titlesOfDomain,
  titlesOfFolder,
} from '@hyperslab/model/names'
import type { Changes, Reads } from '../changes.ts'
import type { Change, KeyValue } from '../interfaces/engine.ts'
import type { DomainEntry } from '../interfaces/store.ts'
import { counterOf } from './counters.ts'
import {
  DOMAINS_RANGE,
  domainKey,
  FOLDERS_NOTED_KEY,
  type FolderPart,
  folderKey,
  foldersAfter,
  parseKey,
} from './keys.ts'
import { decodeRecord, encodeRecord } from './record.ts'
import { withSnapshot } from './with-snapshot.ts'

/** A folder that has held a domain. */
export interface NotedFolder {
  readonly path: DomainPath
  readonly created: Timestamp
  /** Its title in the folder above; absent: its name. */
  readonly title?: string
}

const NUMBER_LENGTH = 8

/** The number of a folder: 8 bytes that follow from its path. */
export function folderNumber(path: DomainPath): Uint8Array {
  return hash('sha256', path, 'buffer').subarray(0, NUMBER_LENGTH)
}

function keyOf(path: DomainPath, part: FolderPart): Uint8Array {
  return folderKey(folderNumber(path), part)
}

export async function getFolder(reads: Reads, path: DomainPath): Promise<NotedFolder | undefined> {
  const folder = await getFolderOf(reads, folderNumber(path))
  // Two paths of one number: the second one is not in any table.
  return folder?.path === path ? folder : undefined
}

/** The folder of that number. */
export async function getFolderOf(reads: Reads, number: Uint8Array): Promise<NotedFolder | undefined> {
  const record = await reads.get(folderKey(number, 'record'))
  return record && decodeRecord<NotedFolder>(record)
}

/** The folders whose numbers are higher, or all, in the order of their numbers. */
export async function* listNotedFolders(reads: Reads, after?: Uint8Array): AsyncGenerator<NotedFolder> {
  for await (const { key, value } of reads.range(foldersAfter(after))) {
    const parsed = parseKey(key)
    if (parsed?.type === 'folder' && parsed.part === 'record') yield decodeRecord<NotedFolder>(value)
  }
}

/** When the namespace changed last in the folder or below it, and the links to entries that are stored. */
export interface FolderStatus {
  readonly lastModified: Timestamp
  readonly links: number
}

export async function getFolderStatus(reads: Reads, path: DomainPath): Promise<FolderStatus> {
  const [modified, links] = await reads.getMany([keyOf(path, 'modified'), keyOf(path, 'links')])
  return { lastModified: counterOf(modified), links: counterOf(links) }
}

/** Notes a domain that gets an entry. Returns its title if that is not the plain one. */
export async function noteDomain(changes: Changes, path: DomainPath): Promise<string | undefined> {
  if (bucketOf(path) !== DEFAULT_BUCKET) return undefined
  const title = await freeTitle(changes, parentOf(path), titlesOfDomain(nameOf(path)))
  await noteFolder(changes, parentOf(path))
  countLink(changes, path, 1)
  touchFolders(changes, path)
  return title === plainTitleOfDomain(nameOf(path)) ? undefined : title
}

/** Removes the note of a domain whose entry is removed. */
export function forgetDomain(changes: Changes, path: DomainPath): void {
  if (bucketOf(path) !== DEFAULT_BUCKET) return
  countLink(changes, path, -1)
  touchFolders(changes, path)
}

/** Removes the note of a folder whose entry is removed. */
export async function forgetFolder(changes: Changes, path: DomainPath): Promise<void> {
  if (!(await getFolder(changes, path))) return
  for (const part of ['record', 'modified', 'links'] as const) changes.delete(keyOf(path, part))
  countLink(changes, path, -1)
  touchFolders(changes, path)
}

/** Notes the folder and those above it, as far as they are not noted yet. */
async function noteFolder(changes: Changes, path: DomainPath): Promise<void> {
  if (await getFolderOf(changes, folderNumber(path))) return
  const above = isTopLevel(path) ? undefined : parentOf(path)
  const title = above && (await freeTitle(changes, above, titlesOfFolder(nameOf(path))))
  changes.set(keyOf(path, 'record'), folderRecord(path, changes.time, title))
  if (above === undefined) return
  await noteFolder(changes, above)
  countLink(changes, path, 1)
}

function folderRecord(path: DomainPath, created: Timestamp, title: string | undefined): Uint8Array {
  const isPlain = title === undefined || title === nameOf(path)
  return encodeRecord({ path, created, ...(!isPlain && { title }) } satisfies NotedFolder)
}

/** Counts the link to the domain or folder in the folder above it. */
function countLink(changes: Changes, path: DomainPath, amount: 1 | -1): void {
  if (!isHiddenName(nameOf(path))) changes.add(keyOf(parentOf(path), 'links'), amount)
}

function touchFolders(changes: Changes, path: DomainPath): void {
  for (let folder = path; !isTopLevel(folder); ) {
    folder = parentOf(folder)
    changes.raise(keyOf(folder, 'modified'), changes.time)
  }
}

/** The first of the titles that no stored entry of the folder has. */
export async function freeTitle(
  reads: Reads,
  folder: DomainPath,
  titles: Generator<string, never>,
): Promise<string> {
  for (;;) {
    const title = titles.next().value
    const { domain, folder: other } = await findTitle(reads, folder, title)
    if (domain === undefined && other === undefined) return title
  }
}

/** The stored domain and the noted folder that have the title in a folder: one of them at most. */
export async function findTitle(
  reads: Reads,
  folder: DomainPath,
  title: string,
): Promise<{ readonly domain?: DomainEntry; readonly folder?: NotedFolder }> {
  for (const name of domainNamesOf(title)) {
    const path = childIfValid(folder, name)
    const record = path && (await reads.get(domainKey(path)))
    const domain = record && decodeRecord<DomainEntry>(record)
    if (domain?.root !== undefined && titleOfDomain(domain) === title) return { domain }
  }
  for (const name of folderNamesOf(title)) {
    const path = childIfValid(folder, name)
    const noted = path && (await getFolder(reads, path))
    if (noted && titleOfFolder(noted) === title) return { folder: noted }
  }
  return {}
}

export function titleOfDomain({ path, title }: DomainEntry): string {
  return title ?? plainTitleOfDomain(nameOf(path))
}

export function titleOfFolder({ path, title }: NotedFolder): string {
  return title ?? nameOf(path)
}

/**
 * Notes all folders of a store whose domains were made before folders were noted; once for each store, before it is
 * used.
 */
export async function noteAllFolders(keyValue: KeyValue, now: Timestamp): Promise<void> {
  const changes = await withSnapshot(keyValue, async snapshot => {
    if (await snapshot.get(FOLDERS_NOTED_KEY)) return undefined
    const notes = new FolderNotes(now)
    for await (const { value } of snapshot.range(DOMAINS_RANGE)) {
      const entry = decodeRecord<DomainEntry>(value)
      if (entry.root !== undefined && bucketOf(entry.path) === DEFAULT_BUCKET) notes.add(entry)
      if (isTurnOver()) await nextTurn()
    }
    return notes.changes()
  })
  // Another process may have noted them meanwhile: then nothing is committed.
  if (changes) {
    await keyValue.commit({ expect: [{ key: FOLDERS_NOTED_KEY, value: undefined }], changes, time: now })
  }
}

/** The records of all folders above some domains. */
class FolderNotes {
  readonly #now: Timestamp
  /** The numbers of links of each folder. */
  readonly #links = new Map<DomainPath, number>()
  /** The domains whose names end with `.h5`: only they may want the title of another entry. */
  readonly #withExtension: DomainEntry[] = []
  /** The paths that the titles of other domains would have as names. */
  readonly #taken = new Set<DomainPath>()

  constructor(now: Timestamp) {
    this.#now = now
    this.#links.set(ROOT_FOLDER, 0)
  }

  add(domain: DomainEntry): void {
    this.#link(domain.path)
    const name = nameOf(domain.path)
    if (plainTitleOfDomain(name) === name) this.#taken.add(domain.path)
    else this.#withExtension.push(domain)
  }

  /** Counts the link to the path, and notes the folders above it. */
  #link(path: DomainPath): void {
    const folder = parentOf(path)
    if (!this.#links.has(folder)) {
      this.#links.set(folder, 0)
      this.#link(folder)
    }
    if (!isHiddenName(nameOf(path))) this.#links.set(folder, (this.#links.get(folder) ?? 0) + 1)
  }

  #takeTitle(path: DomainPath): string {
    for (const title of titlesOfDomain(nameOf(path))) {
      const place = childOf(parentOf(path), title)
      if (this.#taken.has(place) || this.#links.has(place)) continue
      this.#taken.add(place)
      return title
    }
    throw new Error('the list of titles has no end')
  }

  changes(): Change[] {
    const changes: Change[] = [
      { op: 'set', key: FOLDERS_NOTED_KEY, value: encodeRecord({ noted: this.#now }) },
    ]
    for (const [path, links] of this.#links) {
      changes.push(
        { op: 'set', key: keyOf(path, 'record'), value: folderRecord(path, this.#now, undefined) },
        { op: 'max', key: keyOf(path, 'modified'), value: this.#now },
        { op: 'add', key: keyOf(path, 'links'), delta: links },
      )
    }
    for (const domain of this.#withExtension) {
      const title = this.#takeTitle(domain.path)
      if (title === plainTitleOfDomain(nameOf(domain.path))) continue
      changes.push({ op: 'set', key: domainKey(domain.path), value: encodeRecord({ ...domain, title }) })
    }
    return changes
  }
}
