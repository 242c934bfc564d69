// The links of a group. A title holds one link; a link is changed by deleting it and making another.

import { HyperslabError } from '../errors.ts'
import type { ObjectId, ObjectKind } from '../hdf5/object-id.ts'
import type { Timestamp } from '../hdf5/timestamp.ts'
import type { Link, LinkTarget } from '../storage/store.ts'
import { requireWritable } from './access.ts'
import { acceptedTime, type Context, type OpenDomain, type WriteContext } from './context.ts'
import { collect, isMarkerAccepted, type Listing, pageOf } from './listing.ts'
import { requireMember } from './members.ts'
import { linkExists, openObject } from './objects.ts'

/** What a link is to point to, as asked. */
export type LinkRequest = LinkForm & {
  /** When the caller says that it was made. */
  readonly created?: Timestamp
}

type LinkForm =
  /** `kind` where the id itself tells it. */
  | { readonly id: ObjectId; readonly kind?: ObjectKind }
  | { readonly h5path: string; readonly h5domain?: never }
  | { readonly h5path: string; readonly h5domain: string }

export async function getLink(
  context: Context,
  domain: OpenDomain,
  group: ObjectId,
  title: string,
): Promise<Link> {
  await openObject(context, domain, 'group', group, 'read')
  return requireLink(context, group, title)
}

export async function listLinks(
  context: Context,
  domain: OpenDomain,
  group: ObjectId,
  page: Listing,
): Promise<readonly Link[]> {
  await openObject(context, domain, 'group', group, 'read')
  const { reader } = context
  const isThere = async (marker: string) => (await reader.link(group, marker)) !== undefined
  if (!(await isMarkerAccepted(page, isThere, 'link-not-found'))) return []
  return collect(reader.links(group, pageOf(page)))
}

/** `same: 'accept'`: a link that is already there with this very target is an answer, not a conflict. */
export async function putLink(
  context: WriteContext,
  domain: OpenDomain,
  group: ObjectId,
  title: string,
  request: LinkRequest,
  options: { readonly same: 'conflict' | 'accept' },
): Promise<{ link: Link; created: boolean }> {
  requireWritable(domain)
  await openObject(context, domain, 'group', group, 'create')
  const existing = await context.reader.link(group, title)
  if (existing) {
    if (options.same === 'accept' && isSameTarget(existing.target, request)) {
      return { link: existing, created: false }
    }
    throw linkExists(title, group)
  }
  const created = acceptedTime(request.created, context.now)
  const link: Link = { title, created, target: await resolveTarget(context, domain, request) }
  await context.writer.putLink(group, link)
  return { link, created: true }
}

/** The object that the link pointed to is kept, even if this was the last link to it. */
export async function deleteLink(
  context: WriteContext,
  domain: OpenDomain,
  group: ObjectId,
  title: string,
): Promise<void> {
  requireWritable(domain)
  await openObject(context, domain, 'group', group, 'delete')
  const { target } = await requireLink(context, group, title)
  if (target.class === 'H5L_TYPE_USER_DEFINED') {
    throw new HyperslabError(
      'link-protected',
      `the link "${title}" is user-defined: only the program that made it can change it`,
      { subject: title },
    )
  }
  await context.writer.deleteLink(group, title)
}

export async function requireLink(context: Context, group: ObjectId, title: string): Promise<Link> {
  const link = await context.reader.link(group, title)
  if (link) return link
  const deleted = await context.reader.wasDeleted({ group, title })
  throw new HyperslabError(
    deleted ? 'link-deleted' : 'link-not-found',
    deleted
      ? `the link "${title}" of the group ${group} was deleted`
      : `the group ${group} has no link "${title}"`,
    { subject: title },
  )
}

/** A hard link's target must be an object of this domain, the root group included; other targets need not exist. */
async function resolveTarget(
  context: Context,
  domain: OpenDomain,
  request: LinkRequest,
): Promise<LinkTarget> {
  if ('id' in request) {
    const { kind, id } = await requireMember(context, domain, request.id, request.kind)
    return { class: 'H5L_TYPE_HARD', kind, id }
  }
  const { h5path, h5domain } = request
  return h5domain === undefined
    ? { class: 'H5L_TYPE_SOFT', h5path }
    : { class: 'H5L_TYPE_EXTERNAL', h5path, h5domain }
}

function isSameTarget(target: LinkTarget, request: LinkRequest): boolean {
  if ('id' in request) return target.class === 'H5L_TYPE_HARD' && target.id === request.id
  if (request.h5domain === undefined) {
    return target.class === 'H5L_TYPE_SOFT' && target.h5path === request.h5path
  }
  return (
    target.class === 'H5L_TYPE_EXTERNAL' &&
    target.h5path === request.h5path &&
    target.h5domain === request.h5domain
  )
}
