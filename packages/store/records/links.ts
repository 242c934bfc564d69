// The records of links. Beside the link by its title there is a key for its position in the order of creation and, for
// a hard link, one at its target, so that the links to an object are found without a search.

import { HyperslabError } from '@hyperslab/base/errors'
import { isSameDomain, type ObjectId } from '@hyperslab/model/names'
import type { Changes, Reads } from '../changes.ts'
import type { Link, LinkKey, Page } from '../interfaces/store.ts'
import { component, successor } from '../key-range.ts'
import {
  backLinkRest,
  objectKey,
  objectPartRange,
  parseBackLink,
  restOfObjectKey,
  tombstoneKey,
} from './keys.ts'
import { deleteMember, listMembers, type MemberParts, type NewMember, putMembers } from './members.ts'
import { requireRecords } from './objects.ts'
import { decodeRecord, encodeRecord } from './record.ts'

const EMPTY = new Uint8Array(0)
const PARTS: MemberParts = {
  byName: 'link',
  byCreation: 'linkByCreation',
  count: 'linkCount',
  tombstone: 'link',
  change: 'links',
}

export function getLink(reads: Reads, group: ObjectId, title: string): Promise<Link | undefined> {
  return linkAt(reads, group, component(title))
}

/** The links of these titles, in their order; undefined: there is none. */
export async function getLinks(
  reads: Reads,
  group: ObjectId,
  titles: readonly string[],
): Promise<readonly (Link | undefined)[]> {
  const records = await reads.getMany(titles.map(title => objectKey(group, 'link', component(title))))
  return records.map(record => record && decodeRecord<Link>(record))
}

/** Whether the group has no link of that title. The first run of a write may assume so; see `Changes.isAbsent`. */
export function isTitleFree(changes: Changes, group: ObjectId, title: string): boolean | Promise<boolean> {
  return changes.isAbsent(objectKey(group, 'link', component(title)))
}

export function listLinks(reads: Reads, group: ObjectId, page: Page = {}): AsyncGenerator<Link> {
  return listMembers(reads, group, PARTS, page, record => decodeRecord<Link>(record))
}

/** Links to an object that are read together: few at first, since most objects have one. */
const FIRST_LINKS = 4
const NEXT_LINKS = 256

/** The hard links to an object. Each link is looked up, because the key does not have a long title. */
export async function* listLinksTo(reads: Reads, id: ObjectId): AsyncGenerator<LinkKey> {
  let { start, end } = objectPartRange(id, 'backLink')
  for (let limit = FIRST_LINKS; ; limit = NEXT_LINKS) {
    const keys: Uint8Array[] = []
    for await (const { key } of reads.range({ start, end, limit })) keys.push(key)
    const places = keys.map(key => parseBackLink(id, restOfObjectKey(key)))
    const records = await reads.getMany(places.map(({ group, title }) => objectKey(group, 'link', title)))
    for (const [i, record] of records.entries())
      if (record) yield { group: places[i].group, title: decodeRecord<Link>(record).title }
    const last = keys.at(-1)
    if (last === undefined || keys.length < limit) return
    start = successor(last)
  }
}

export async function wasLinkDeleted(reads: Reads, group: ObjectId, title: string): Promise<boolean> {
  return (await reads.get(tombstoneKey(group, 'link', component(title)))) !== undefined
}

/** Puts links, whose titles differ. */
export async function putLinks(changes: Changes, group: ObjectId, links: readonly Link[]): Promise<void> {
  const members = links.map((link): NewMember => {
    return { name: component(link.title), created: link.created, record: encodeRecord(link) }
  })
  const removeRest = (name: Uint8Array, record: Uint8Array) => removeBackLink(changes, group, name, record)
  await putMembers(changes, group, PARTS, members, removeRest)
  const targets = new Set<ObjectId>()
  for (const { target } of links) if (target.class === 'H5L_TYPE_HARD') targets.add(target.id)
  await requireTargets(changes, group, [...targets])
  for (const [i, { target }] of links.entries()) {
    if (target.class !== 'H5L_TYPE_HARD') continue
    changes.set(objectKey(target.id, 'backLink', backLinkRest(group, members[i].name)), EMPTY)
  }
}

async function requireTargets(changes: Changes, group: ObjectId, ids: readonly ObjectId[]): Promise<void> {
  for (const id of ids) {
    if (isSameDomain(id, group)) continue
    const message = `a hard link of ${group} cannot point to ${id}, which is in another domain`
    throw new HyperslabError('object-not-in-domain', message, { subject: id })
  }
  if (!changes.isFilling(group)) await requireRecords(changes, ids)
}

export async function deleteLink(changes: Changes, group: ObjectId, title: string): Promise<boolean> {
  return removeLink(changes, group, component(title))
}

/**
 * Deletes every hard link to an object that is about to be deleted, except its own links. Remains of deleted groups
 * (remains.ts) hold no links any more.
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

function removeLink(changes: Changes, group: ObjectId, title: Uint8Array): Promise<boolean> {
  return deleteMember(changes, group, PARTS, title, (name, record) =>
    removeBackLink(changes, group, name, record),
  )
}

/** Removes the key by which a hard link is found at its target. */
function removeBackLink(changes: Changes, group: ObjectId, title: Uint8Array, record: Uint8Array): void {
  const { target } = decodeRecord<Link>(record)
  if (target.class === 'H5L_TYPE_HARD') {
    changes.delete(objectKey(target.id, 'backLink', backLinkRest(group, title)))
  }
}

async function linkAt(reads: Reads, group: ObjectId, title: Uint8Array): Promise<Link | undefined> {
  const record = await reads.get(objectKey(group, 'link', title))
  return record && decodeRecord<Link>(record)
}
