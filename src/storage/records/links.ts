// The records of links. Beside the link by its title there is a key for its position in the order of creation and, for a hard link,
// one at its target, so that the links to an object are found without a search.

import { HyperslabError } from '../../errors.ts'
import { isSameDomain, type ObjectId } from '../../hdf5/object-id.ts'
import type { Changes, Reads } from '../changes.ts'
import { component } from '../key-range.ts'
import type { Link, LinkKey, Page } from '../store.ts'
import { countMember, recordBytes } from './counters.ts'
import {
  backLinkRest,
  creationOrder,
  objectKey,
  objectPartRange,
  parseBackLink,
  restOfObjectKey,
  tombstoneKey,
} from './keys.ts'
import { listMembers, type MemberParts } from './members.ts'
import { requireRecord } from './objects.ts'
import { decodeRecord, encodeRecord } from './record.ts'
import { touch } from './status.ts'

const EMPTY = new Uint8Array(0)
const PARTS: MemberParts = { byName: 'link', byCreation: 'linkByCreation', tombstone: 'link' }

export function getLink(reads: Reads, group: ObjectId, title: string): Promise<Link | undefined> {
  return linkAt(reads, group, component(title))
}

/** The first run of a write may take it for free; see `Changes.isAbsent`. */
export function isTitleFree(changes: Changes, group: ObjectId, title: string): Promise<boolean> {
  return changes.isAbsent(objectKey(group, 'link', component(title)))
}

export function listLinks(reads: Reads, group: ObjectId, page: Page = {}): AsyncGenerator<Link> {
  return listMembers(reads, group, PARTS, page, record => decodeRecord<Link>(record))
}

/** Where the hard links to an object are; a long title does not stand in the key, so each link is looked up. */
export async function* listLinksTo(reads: Reads, id: ObjectId): AsyncGenerator<LinkKey> {
  for await (const { key } of reads.range(objectPartRange(id, 'backLink'))) {
    const { group, title } = parseBackLink(id, restOfObjectKey(key))
    const link = await linkAt(reads, group, title)
    if (link) yield { group, title: link.title }
  }
}

export async function wasLinkDeleted(reads: Reads, group: ObjectId, title: string): Promise<boolean> {
  return (await reads.get(tombstoneKey(group, 'link', component(title)))) !== undefined
}

export async function putLink(changes: Changes, group: ObjectId, link: Link): Promise<void> {
  const { target } = link
  const isNew = changes.isFilling(group)
  if (!isNew) await requireRecord(changes, group)
  if (target.class === 'H5L_TYPE_HARD') {
    if (!isSameDomain(target.id, group)) {
      const message = `a hard link of ${group} cannot point to ${target.id}, which is in another domain`
      throw new HyperslabError('object-not-in-domain', message, { subject: target.id })
    }
    if (!isNew) await requireRecord(changes, target.id)
  }
  const title = component(link.title)
  const key = objectKey(group, 'link', title)
  const before = isNew ? undefined : await changes.get(key)
  if (before) removeOtherKeys(changes, group, title, decodeRecord<Link>(before))
  else changes.add(objectKey(group, 'linkCount'), 1)
  const record = encodeRecord(link)
  changes.set(key, record)
  countMember(changes, group, recordBytes(key, record) - recordBytes(key, before))
  changes.set(objectKey(group, 'linkByCreation', creationOrder(link.created, title)), EMPTY)
  if (target.class === 'H5L_TYPE_HARD') {
    changes.set(objectKey(target.id, 'backLink', backLinkRest(group, title)), EMPTY)
  }
  if (!isNew) changes.delete(tombstoneKey(group, 'link', title))
  touch(changes, group)
}

export async function deleteLink(changes: Changes, group: ObjectId, title: string): Promise<boolean> {
  return removeLink(changes, group, component(title))
}

/**
 * Every hard link to an object that is about to be deleted, but for those in itself. What is left of groups that were
 * deleted (remains.ts) holds no links any more.
 */
export async function deleteLinksTo(changes: Changes, id: ObjectId): Promise<void> {
  const sources: { group: ObjectId; title: Uint8Array }[] = []
  for await (const { key } of changes.range(objectPartRange(id, 'backLink'))) {
    const source = parseBackLink(id, restOfObjectKey(key))
    if (source.group !== id) sources.push(source)
  }
  for (const { group, title } of sources) {
    if (await changes.get(objectKey(group, 'record'))) await removeLink(changes, group, title)
  }
}

async function removeLink(changes: Changes, group: ObjectId, title: Uint8Array): Promise<boolean> {
  const key = objectKey(group, 'link', title)
  const record = await changes.get(key)
  if (!record) return false
  const link = decodeRecord<Link>(record)
  removeOtherKeys(changes, group, title, link)
  changes.delete(key)
  changes.add(objectKey(group, 'linkCount'), -1)
  countMember(changes, group, -recordBytes(key, record))
  const tombstone = encodeRecord({ created: link.created, deleted: changes.time })
  changes.set(tombstoneKey(group, 'link', title), tombstone)
  touch(changes, group)
  return true
}

/** Removes the keys by which a link is found other than by its title. */
function removeOtherKeys(changes: Changes, group: ObjectId, title: Uint8Array, link: Link): void {
  changes.delete(objectKey(group, 'linkByCreation', creationOrder(link.created, title)))
  if (link.target.class !== 'H5L_TYPE_HARD') return
  changes.delete(objectKey(link.target.id, 'backLink', backLinkRest(group, title)))
}

async function linkAt(reads: Reads, group: ObjectId, title: Uint8Array): Promise<Link | undefined> {
  const record = await reads.get(objectKey(group, 'link', title))
  return record && decodeRecord<Link>(record)
}
