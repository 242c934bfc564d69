// Groups, datasets and committed datatypes under one rule: opening by id, listing, creating with a link, deleting.
// The order of checks is that of contract 10, 3.2: read-only, then permission, then existence, then conflict.
//
// Messages spell an id by its 32 hex digits behind its kind; a dialect may respell it.

import { HyperslabError } from '../errors.ts'
import type { Permission } from '../hdf5/acl.ts'
import { COLLECTIONS, isRoot, type ObjectId, type ObjectKind, rootOf } from '../hdf5/object-id.ts'
import type { HdfObject, ObjectStatus, Page } from '../storage/store.ts'
import { requirePermission, requireWritable } from './access.ts'
import type { Context, OpenDomain, WriteContext } from './context.ts'

export type ObjectOf<K extends ObjectKind> = Extract<HdfObject, { readonly kind: K }>

/** An object with what changes often about it. */
export interface ObjectView<T extends HdfObject = HdfObject> {
  readonly object: T
  readonly status: ObjectStatus
}

/** A link to make together with an object. */
export interface NewLink {
  readonly group: ObjectId
  readonly title: string
}

/** The object of that kind and id, if the caller has the permission on it. */
export async function openObject<K extends ObjectKind>(
  context: Context,
  domain: OpenDomain,
  kind: K,
  id: ObjectId,
  permission: Permission,
): Promise<ObjectOf<K>> {
  const object = await memberOf(context, domain, id)
  if (object && isOfKind(object, kind)) {
    requirePermission(context, permission, domain, object)
    return object
  }
  // Who may not see the domain does not learn what is not in it.
  requirePermission(context, permission, domain)
  throw await absence(context, domain, kind, id)
}

export async function getObject<K extends ObjectKind>(
  context: Context,
  domain: OpenDomain,
  kind: K,
  id: ObjectId,
): Promise<ObjectView<ObjectOf<K>>> {
  return viewOf(context, await openObject(context, domain, kind, id, 'read'))
}

/** Ids of a kind in the domain, linked or not, the root group left out, ordered by id. */
export async function listObjects(
  context: Context,
  domain: OpenDomain,
  kind: ObjectKind,
  page: Page<ObjectId>,
): Promise<readonly ObjectId[]> {
  requirePermission(context, 'read', domain)
  const { limit = Number.POSITIVE_INFINITY } = page
  const ids: ObjectId[] = []
  if (limit <= 0) return ids
  // One more than asked for, because the root group may be among them.
  const listing = limit === Number.POSITIVE_INFINITY ? page : { ...page, limit: limit + 1 }
  for await (const id of context.reader.objects(domain.root.id, kind, listing)) {
    if (isRoot(id)) continue
    ids.push(id)
    if (ids.length === limit) break
  }
  return ids
}

/** With `links`, the hard links to the object go too; otherwise they are left dangling. What it linked to is kept. */
export async function deleteObject(
  context: WriteContext,
  domain: OpenDomain,
  kind: ObjectKind,
  id: ObjectId,
  options: { readonly links: boolean },
): Promise<void> {
  requireWritable(domain)
  await openObject(context, domain, kind, id, 'delete')
  if (isRoot(id)) {
    throw new HyperslabError(
      'root-group-protected',
      'the root group cannot be deleted: it ends with its domain',
      { subject: id },
    )
  }
  await context.writer.deleteObject(id, options)
}

/** What must hold before an object is made: `create` on the root group and, with a link, on its group; a free title. */
export async function requireCreation(
  context: WriteContext,
  domain: OpenDomain,
  link: NewLink | undefined,
): Promise<void> {
  requireWritable(domain)
  requirePermission(context, 'create', domain)
  if (!link) return
  const group = await requireMember(context, domain, link.group, 'group')
  requirePermission(context, 'create', domain, group)
  if (await context.reader.link(group.id, link.title)) throw linkExists(link.title, group.id)
}

/** Stores a new object and its link. `requireCreation` must have passed in the same transaction. */
export async function addObject<T extends HdfObject>(
  context: WriteContext,
  object: T,
  link: NewLink | undefined,
): Promise<ObjectView<T>> {
  const { writer, now } = context
  await writer.createObject(object)
  if (link) {
    const target = { class: 'H5L_TYPE_HARD', kind: object.kind, id: object.id } as const
    await writer.putLink(link.group, { title: link.title, created: now, target })
  }
  return viewOf(context, object)
}

/**
 * The object that a body names by id (the group of a link, a target, a committed datatype): `object-not-found` also
 * when it was deleted, because what is asked for is something else.
 */
export async function requireMember<K extends ObjectKind>(
  context: Context,
  domain: OpenDomain,
  id: ObjectId,
  kind?: K,
): Promise<ObjectOf<K>> {
  const object = await memberOf(context, domain, id)
  if (object && (kind === undefined || isOfKind(object, kind))) return object as ObjectOf<K>
  throw (await foreign(context, domain, id)) ?? notFound(domain, kind ?? 'object', id)
}

export async function viewOf<T extends HdfObject>(context: Context, object: T): Promise<ObjectView<T>> {
  return { object, status: await context.reader.status(object.id) }
}

export function linkExists(title: string, group: ObjectId): HyperslabError {
  return new HyperslabError('link-exists', `the group ${group} already has a link "${title}"`, {
    subject: title,
  })
}

/** The object, if it is one of this domain. */
export async function memberOf(
  context: Context,
  domain: OpenDomain,
  id: ObjectId,
): Promise<HdfObject | undefined> {
  if (id === domain.root.id) return domain.root
  return rootOf(id) === domain.root.id ? context.reader.object(id) : undefined
}

function isOfKind<K extends ObjectKind>(object: HdfObject, kind: K): object is ObjectOf<K> {
  return object.kind === kind
}

/** Why there is no such object. */
async function absence(
  context: Context,
  domain: OpenDomain,
  kind: ObjectKind,
  id: ObjectId,
): Promise<HyperslabError> {
  if (rootOf(id) === domain.root.id && (await context.reader.wasDeleted({ object: id }))) {
    return new HyperslabError(
      'object-deleted',
      `the ${kind} ${id} of the domain ${domain.entry.path} was deleted`,
      { subject: id },
    )
  }
  return (await foreign(context, domain, id)) ?? notFound(domain, kind, id)
}

/** An object that exists, but in another domain. */
async function foreign(
  context: Context,
  domain: OpenDomain,
  id: ObjectId,
): Promise<HyperslabError | undefined> {
  if (rootOf(id) === domain.root.id || !(await context.reader.object(id))) return undefined
  return new HyperslabError(
    'object-not-in-domain',
    `the object ${id} does not belong to the domain ${domain.entry.path}`,
    { subject: id },
  )
}

function notFound(domain: OpenDomain, kind: ObjectKind | 'object', id: ObjectId): HyperslabError {
  const where = kind === 'object' ? '' : ` among its ${COLLECTIONS[kind]}`
  return new HyperslabError(
    'object-not-found',
    `the domain ${domain.entry.path} has no ${kind} ${id}${where}`,
    { subject: id },
  )
}
