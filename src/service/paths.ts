// Paths: the titles of hard links that lead from a group to an object (contract 20, section 8.7).

import { HyperslabError } from '../errors.ts'
import type { ObjectId, ObjectReference } from '../hdf5/object-id.ts'
import type { Link } from '../storage/store.ts'
import type { Context, OpenDomain } from './context.ts'
import { requireLink } from './links.ts'
import { memberOf } from './members.ts'
import { openObject } from './objects.ts'

/** The titles in the order of the path, from a group; absent: from the root group. */
export interface Path {
  readonly start?: ObjectId
  readonly titles: readonly string[]
}

/** What the path leads to; without titles the group that it starts at. Every group on the way must be readable. */
export async function objectAt(
  context: Context,
  domain: OpenDomain,
  { start = domain.root.id, titles }: Path,
): Promise<ObjectReference> {
  let at: ObjectReference = { kind: 'group', id: start }
  for (const [position, title] of titles.entries()) {
    if (at.kind !== 'group') throw notFound(titles, `"${titles[position - 1]}" is no group`)
    await openObject(context, domain, 'group', at.id, 'read')
    at = hardTarget(await requireLink(context, at.id, title), titles)
  }
  return at
}

/** The group that a link of a path leads to, which has to be one. */
export async function groupBehind(
  context: Context,
  domain: OpenDomain,
  link: Link,
  titles: readonly string[],
): Promise<ObjectId> {
  const { kind, id } = hardTarget(link, titles)
  const isThere = (await memberOf(context, domain, id)) !== undefined
  if (kind === 'group' && isThere) return id
  throw malformed(
    titles,
    `"${link.title}" is ${isThere ? 'no group' : 'a link to an object that was deleted'}`,
  )
}

function hardTarget({ title, target }: Link, titles: readonly string[]): ObjectReference {
  if (target.class === 'H5L_TYPE_HARD') return target
  throw malformed(
    titles,
    `"${title}" is a link of class ${target.class}, and only hard links are followed here`,
  )
}

function malformed(titles: readonly string[], why: string): HyperslabError {
  return new HyperslabError('malformed-path', `the path ${shown(titles)}: ${why}`)
}

function notFound(titles: readonly string[], why: string): HyperslabError {
  return new HyperslabError('object-not-found', `the path ${shown(titles)} leads nowhere: ${why}`)
}

function shown(titles: readonly string[]): string {
  return JSON.stringify(titles.join('/'))
}
