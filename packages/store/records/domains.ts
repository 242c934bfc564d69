// The records of domains and folders, and of those that were deleted. A domain's contents belong to its root group's id
// and not to its path, so an import can fill a domain before it has an entry.

import { HyperslabError } from '@hyperslab/base/errors'
import { type DomainPath, nameOf, type ObjectId, type Timestamp } from '@hyperslab/model/names'
import type { Changes, Reads } from '../changes.ts'
import type { DomainEntry, EntryChange, Page } from '../interfaces/store.ts'
import { rangeAfter } from '../key-range.ts'
import { recharge } from '../quotas/quotas.ts'
import { count, counterOf } from './counters.ts'
import type { DecodedRecords } from './decoded-records.ts'
import { forgetDomain, forgetFolder, getFolder, noteDomain } from './folders.ts'
import {
  childKey,
  childrenRange,
  domainKey,
  domainTombstoneKey,
  JOINED_RANGE,
  joinedKey,
  objectKey,
  statisticKey,
  unfinishedKey,
} from './keys.ts'
import { getObject } from './objects.ts'
import { decodeRecord, encodeRecord } from './record.ts'
import { dropDomain } from './remains.ts'

export async function getDomain(
  reads: Reads,
  path: DomainPath,
  decoded?: DecodedRecords,
): Promise<DomainEntry | undefined> {
  const record = await reads.get(domainKey(path))
  if (record === undefined || decoded === undefined) return record && decodeRecord<DomainEntry>(record)
  return decoded.decode(path, record, decodeRecord<DomainEntry>)
}

/** The marker is a child's name or its whole path. `show` gives entries their form for callers. */
export async function* listChildren(
  reads: Reads,
  folder: DomainPath,
  { marker, limit, prefix = '' }: Page = {},
  show: (entry: DomainEntry) => DomainEntry | Promise<DomainEntry> = entry => entry,
): AsyncGenerator<DomainEntry> {
  const all = childrenRange(folder, prefix)
  const range = marker === undefined ? all : rangeAfter(all, childKey(folder, nameOf(marker as DomainPath)))
  for await (const { value } of reads.range({ ...range, ...(limit !== undefined && { limit }) })) {
    const entry = decodeRecord<DomainEntry>(value)
    yield entry.join === undefined ? entry : await show(entry)
  }
}

export async function wasDomainDeleted(reads: Reads, path: DomainPath): Promise<boolean> {
  return (await reads.get(domainTombstoneKey(path))) !== undefined
}

/** Puts an entry. One that gets another root group is no longer a name of the old contents. */
export async function putDomain(changes: Changes, given: DomainEntry): Promise<void> {
  const before = await getDomain(changes, given.path)
  const entry = await withTitle(changes, given, before)
  await recharge(changes, before, entry)
  if (before?.root !== entry.root) {
    if (before?.root !== undefined) await dropName(changes, before.root)
    if (entry.root !== undefined) count(changes, entry.root, 'names', 1)
  }
  if (entry.root !== undefined) changes.delete(unfinishedKey(entry.root))
  changes.set(domainKey(entry.path), encodeRecord(entry))
  if (entry.join !== undefined) changes.set(joinedKey(entry.path), encodeRecord({ path: entry.path }))
  else if (before?.join !== undefined) changes.delete(joinedKey(entry.path))
  const { path, root } = entry
  const change = before?.root === entry.root && before ? 'changed' : 'created'
  changes.event.noteEntry({ path, change, ...(root !== undefined && { root }) })
  if (root !== undefined) changes.event.notePath(root, path)
  // A folder may be in the place of a deleted domain, which its table of contents remembers.
  if (entry.root !== undefined) changes.delete(domainTombstoneKey(entry.path))
}

export async function isJoined(reads: Reads, path: DomainPath): Promise<boolean> {
  return (await reads.get(joinedKey(path))) !== undefined
}

/** The paths of all joined domains. */
export async function* listJoined(reads: Reads): AsyncGenerator<DomainPath> {
  for await (const { value } of reads.range(JOINED_RANGE))
    yield decodeRecord<{ path: DomainPath }>(value).path
}

/**
 * The entry as it is stored: with its title in the table of contents, where a domain that is new at its path is noted.
 */
async function withTitle(
  changes: Changes,
  { title: _, fileLists, sourceLists, fileSize, fileCount, damage, unwell, ...entry }: DomainEntry,
  before: DomainEntry | undefined,
): Promise<DomainEntry> {
  const isDomain = entry.root !== undefined
  const wasDomain = before?.root !== undefined
  if (!isDomain && wasDomain) forgetDomain(changes, entry.path)
  const title = isDomain && (wasDomain ? before.title : await noteDomain(changes, entry.path))
  return title ? { ...entry, title } : entry
}

/** Removes a domain or folder. Where domains below a domain are, or were, it becomes their folder. */
export async function deleteDomain(changes: Changes, path: DomainPath): Promise<void> {
  const entry = await getDomain(changes, path)
  if (entry) changes.event.noteEntry(await deletedEntry(changes, entry))
  changes.set(domainTombstoneKey(path), encodeRecord({ deleted: changes.time }))
  if (entry?.join !== undefined) changes.delete(joinedKey(path))
  if (entry?.root !== undefined && (await getFolder(changes, path))) {
    const { created } = entry
    return putDomain(changes, { path, created, lastModified: changes.time, readOnly: false, closed: false })
  }
  if (entry?.root !== undefined) {
    await recharge(changes, entry, undefined)
    await dropName(changes, entry.root)
    forgetDomain(changes, path)
  } else if (entry) {
    await forgetFolder(changes, path)
  }
  changes.delete(domainKey(path))
}

/** The note of a deletion, with the list that decides which callers may see it. */
async function deletedEntry(
  changes: Changes,
  { path, root, acl, closed }: DomainEntry,
): Promise<EntryChange> {
  const list = root === undefined ? acl : (await getObject(changes, root))?.acl
  return { path, change: 'deleted', ...(root !== undefined && { root }), ...(list && { acl: list }), closed }
}

/** The number of domains that have the root group. */
export async function countNames(reads: Reads, root: ObjectId): Promise<number> {
  return counterOf(await reads.get(statisticKey(root, 'names')))
}

/** Removes a name of the contents, and with the last one the contents. */
async function dropName(changes: Changes, root: ObjectId): Promise<void> {
  if ((await countNames(changes, root)) > 1) count(changes, root, 'names', -1)
  else await dropContents(changes, root)
}

/** Drops the objects, values and tombstones of the domain of `root`. */
export async function dropContents(changes: Changes, root: ObjectId): Promise<void> {
  await dropDomain(changes, root)
  changes.delete(unfinishedKey(root))
}

/** Contents that are being filled for a future domain, and the time at which that was last recorded. */
export interface UnfinishedContents {
  readonly root: ObjectId
  readonly renewed: Timestamp
  /** The process that fills them. */
  readonly process: string
}

export async function renewUnfinished(changes: Changes, unfinished: UnfinishedContents): Promise<void> {
  const { root } = unfinished
  if (!(await changes.get(objectKey(root, 'record')))) {
    throw new HyperslabError(
      'object-deleted',
      'the unfinished contents were dropped, because nothing was written to them for an hour: send them again',
      {
        subject: root,
      },
    )
  }
  changes.set(unfinishedKey(root), encodeRecord(unfinished))
  changes.fill(root)
}
