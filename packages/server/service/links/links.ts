// The links of groups, one at a time or many. A title holds one link; a link is changed by making another in its place.

import { HyperslabError } from '@hyperslab/base/errors'
import type { Timestamp } from '@hyperslab/model/names'
import { isSameDomain, type ObjectId, type ObjectKind, type ObjectReference } from '@hyperslab/model/names'
import type { Link, LinkTarget, ListedLink } from '@hyperslab/store/store'
import { requireWritable } from '../access/access.ts'
import type { Context, CreationTimes, OpenDomain, WriteContext } from '../context.ts'
import { collectPage, isMarkerAccepted, isThere, type Listing } from '../listing.ts'
import { requireMember } from '../objects/members.ts'
import { linkExists, openObject } from '../objects/objects.ts'
import { readTogether } from '../objects/read-together.ts'
import {
  type MemberQuery,
  type MemberReads,
  type NewMembers,
  type ObjectMembers,
  putSeveral,
  readReachable,
  readSeveral,
} from '../objects/several.ts'

/** The target of a new link, as the request names it. */
export type LinkRequest = LinkForm & {
  /** The creation time that the request names. */
  readonly created?: Timestamp
}

type LinkForm =
  /** `kind` if the id itself contains it. */
  | { readonly id: ObjectId; readonly kind?: ObjectKind }
  | { readonly h5path: string; readonly h5domain?: never }
  | { readonly h5path: string; readonly h5domain: string }

const READS: MemberReads<ListedLink> = {
  page: ({ reader }, _, group, listing) =>
    collectPage(
      page => reader.links(group, page),
      listing,
      link => link.title,
    ),
  named: (context, _, { id }, title) => requireLink(context, id, title),
}

export async function getLink(
  context: Context,
  domain: OpenDomain,
  group: ObjectId,
  title: string,
): Promise<Link> {
  await openObject(context, domain, 'group', group, 'read')
  return located(context, domain, await requireLink(context, group, title))
}

export async function listLinks(
  context: Context,
  domain: OpenDomain,
  group: ObjectId,
  listing: Listing,
): Promise<readonly ListedLink[]> {
  await openObject(context, domain, 'group', group, 'read')
  const { reader } = context
  const isOrWasThere = async (title: string) =>
    (await isThere(reader.link(group, title))) || reader.wasDeleted({ group, title })
  if (!(await isMarkerAccepted(listing, isOrWasThere, 'link-not-found'))) return []
  const links = await READS.page(context, domain, group, listing)
  if (!domain.entry.mounted) return links
  const found: ListedLink[] = []
  for (const link of links) found.push(await located(context, domain, link))
  return found
}

/** The link; with the path of the domain if it names a mounted file by its absolute path (classic 11.3). */
async function located<Some extends ListedLink>(
  { reader }: Context,
  { entry }: OpenDomain,
  link: Some,
): Promise<Some> {
  const { target } = link
  if (!entry.mounted || target.class !== 'H5L_TYPE_EXTERNAL' || !target.h5domain.startsWith('/')) return link
  const foundAt = await reader.linkedFile(entry, target.h5domain)
  return foundAt === undefined ? link : { ...link, target: { ...target, foundAt } }
}

/** Links of several groups. */
export function readLinks(
  context: Context,
  domain: OpenDomain,
  queries: readonly MemberQuery[],
  listing: Listing,
): Promise<AsyncIterable<ObjectMembers<ListedLink>>> {
  return readSeveral(context, domain, queries, listing, READS)
}

/**
 * The links of these groups and of all that hard links reach from them. Groups that the caller may not read are left
 * out, because clients expect a list of links for each group.
 */
export async function readReachableLinks(
  context: Context,
  domain: OpenDomain,
  groups: readonly ObjectReference[],
  listing: Listing,
): Promise<AsyncIterable<ObjectMembers<ListedLink>>> {
  return readable(await readReachable(context, domain, { starts: groups, kind: 'group' }, listing, READS))
}

async function* readable(
  groups: AsyncIterable<ObjectMembers<ListedLink>>,
): AsyncGenerator<ObjectMembers<ListedLink>> {
  for await (const group of groups) if (!(group.members instanceof HyperslabError)) yield group
}

/** The treatment of a link that already exists. */
export interface LinkConflicts {
  /** 'accept': a link with the same target is left as it is, without an error. */
  readonly same: 'conflict' | 'accept'
  /** The target of a link with another one is replaced; its creation time stays. Absent: that is a conflict. */
  readonly replace?: boolean
}

/** False when the link already existed with the same target. */
export async function putLink(
  context: WriteContext,
  domain: OpenDomain,
  group: ObjectId,
  title: string,
  request: LinkRequest,
  conflicts: LinkConflicts,
): Promise<boolean> {
  const batch = [{ owner: { kind: 'group', id: group }, items: new Map([[title, request]]) }] as const
  return putLinks(context, domain, batch, conflicts)
}

/** Into several groups, all or none; false when all links already existed with the same targets. */
export async function putLinks(
  context: WriteContext,
  domain: OpenDomain,
  batch: readonly NewMembers<LinkRequest>[],
  conflicts: LinkConflicts,
): Promise<boolean> {
  return putSeveral(
    context,
    domain,
    batch,
    ({ id }, items, times) => storeLinks(context, domain, id, items, conflicts, times),
    (group, titles) => context.writer.namedLinks(group, titles),
  )
}

async function storeLinks(
  context: WriteContext,
  domain: OpenDomain,
  group: ObjectId,
  items: readonly (readonly [title: string, request: LinkRequest])[],
  { same, replace = false }: LinkConflicts,
  times: CreationTimes,
): Promise<boolean> {
  const { writer } = context
  const titles = items.map(([title]) => title)
  const links: Link[] = []
  const targets = new Set(items.flatMap(([, request]) => ('id' in request ? request.id : [])))
  if (targets.size > 1) await writer.lookUpObjects([...targets].filter(id => isSameDomain(id, group)))
  let target: LinkTarget | undefined
  for (const [i, existing] of (await writer.namedLinks(group, titles)).entries()) {
    const [title, request] = items[i]
    if (existing) {
      if (same === 'accept' && isSameTarget(existing.target, request)) continue
      if (!replace) throw linkExists(title, group)
      requireChangeable(existing)
    }
    // Links of one request often have one target, which is looked up once.
    if (!target || !isResolved(target, request)) target = await resolveTarget(context, domain, request)
    links.push({ title, created: existing?.created ?? times.next(request.created), target })
  }
  if (links.length > 0) await writer.putLinks(group, ...links)
  return links.length > 0
}

/** Deletes a link. Its target is kept, even if this was the last link to it. */
export async function deleteLink(
  context: WriteContext,
  domain: OpenDomain,
  group: ObjectId,
  title: string,
): Promise<void> {
  requireWritable(domain)
  await openObject(context, domain, 'group', group, 'delete')
  requireChangeable(await requireLink(context, group, title))
  await context.writer.deleteLink(group, title)
}

/** Deletes the links that exist (hsds-objects 11.8). */
export async function deleteLinks(
  context: WriteContext,
  domain: OpenDomain,
  group: ObjectId,
  titles: readonly string[],
): Promise<void> {
  requireWritable(domain)
  await openObject(context, domain, 'group', group, 'delete')
  for await (const link of readTogether(new Set(titles), title => context.reader.link(group, title))) {
    if (!link) continue
    requireChangeable(link)
    await context.writer.deleteLink(group, link.title)
  }
}

function requireChangeable({ title, target }: Link): void {
  if (target.class !== 'H5L_TYPE_USER_DEFINED') return
  throw new HyperslabError(
    'link-protected',
    `the link "${title}" is user-defined: only the program that made it can change it`,
    { subject: title },
  )
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

/** Whether the request resolves to the target, which was found before. */
function isResolved(target: LinkTarget, request: LinkRequest): boolean {
  const { kind } = 'id' in request ? request : { kind: undefined }
  const isOfKind = kind === undefined || (target.class === 'H5L_TYPE_HARD' && target.kind === kind)
  return isOfKind && isSameTarget(target, request)
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
