// Groups, datasets and committed datatypes under one rule: opening by id, listing, deleting.
// The order of checks is that of classic 3.2: read-only, then permission, then existence, then conflict.

import { nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import type { Permission } from '@hyperslab/model/names'
import { isRoot, type ObjectId, type ObjectKind, type ObjectReference } from '@hyperslab/model/names'
import type { HdfObject, ObjectStatus } from '@hyperslab/store/store'
import { requirePermission, requireStored, requireWritable } from '../access/access.ts'
import { type Context, isOfFiles, type OpenDomain, type WriteContext } from '../context.ts'
import { isMarkerAccepted, type Listing, pageOf } from '../listing.ts'
import { withLivingType } from './committed-type.ts'
import { absence, isOfKind, memberOf, type ObjectOf, wasMember } from './members.ts'
import { reachableFrom } from './reachable.ts'
import { ReachedObjects } from './reached-objects.ts'

/** An object with its status, which changes often. */
export interface ObjectView<T extends HdfObject = HdfObject> {
  readonly object: T
  readonly status: ObjectStatus
}

/** The object of that kind and id, if the caller has the permission on it. */
export async function openObject<K extends ObjectKind>(
  context: Context,
  domain: OpenDomain,
  kind: K,
  id: ObjectId,
  permission: Permission | readonly Permission[],
): Promise<ObjectOf<K>> {
  const object = await memberOf(context, domain, id)
  if (object && isOfKind(object, kind)) {
    requirePermission(context, permission, domain, object)
    return object
  }
  // A caller without the permission must not learn which objects are missing.
  requirePermission(context, permission, domain)
  throw await absence(context, domain, kind, id)
}

/** Permissions to change the content of a domain: no caller has them in a read-only one. */
const CHANGES: ReadonlySet<Permission> = new Set<Permission>(['create', 'update', 'delete'])

/** The check that does not depend on the body: the permission on an object or, without one, on the root group. */
export async function requireAccess(
  context: Context,
  domain: OpenDomain,
  permission: Permission,
  object: ObjectReference | undefined,
): Promise<void> {
  if (CHANGES.has(permission)) requireWritable(domain)
  else if (permission === 'updateACL') requireStored(domain.entry)
  if (object === undefined) requirePermission(context, permission, domain)
  else await openObject(context, domain, object.kind, object.id, permission)
}

export async function getObject<K extends ObjectKind>(
  context: Context,
  domain: OpenDomain,
  kind: K,
  id: ObjectId,
): Promise<ObjectView<ObjectOf<K>>> {
  const object = await openObject(context, domain, kind, id, 'read')
  return viewOf(context, await withLivingType(context, domain, object))
}

export interface ObjectListing extends Listing<ObjectId> {
  /** True: only objects that hard links reach from the root group. */
  readonly reachable?: boolean
}

/** Objects of a list for which it is found together whether links reach them. @limit memory, objects */
const LISTED_AT_ONCE = 128

/** Ids of a kind in the domain, linked or not unless `reachable`, the root group left out, ordered by id. */
export async function listObjects(
  context: Context,
  domain: OpenDomain,
  kind: ObjectKind,
  { reachable = false, ...page }: ObjectListing,
): Promise<readonly ObjectId[]> {
  requirePermission(context, 'read', domain)
  const isOrWasThere = async (marker: ObjectId) =>
    (await memberOf(context, domain, marker))?.kind === kind || wasMember(context, domain, marker)
  if (!(await isMarkerAccepted(page, isOrWasThere, 'object-not-found'))) return []
  const { limit = Infinity } = page
  const ids: ObjectId[] = []
  // A walk from the root group takes less time for all of them, and much more for a page.
  if (reachable && limit === Infinity && page.marker === undefined) return reachableIds(context, domain, kind)
  // One more than requested, because the root group may be among them.
  const stored = pageOf({ ...page, limit: reachable || limit === Infinity ? undefined : limit + 1 })
  const reached = reachable ? new ReachedObjects(context, domain) : undefined
  const add = async (batch: readonly ObjectId[]) => {
    ids.push(...((await reached?.among(batch)) ?? batch))
  }
  let batch: ObjectId[] = []
  if (limit > 0)
    for await (const id of context.reader.objects(domain.root.id, kind, stored)) {
      if (!isRoot(id)) batch.push(id)
      if (batch.length < Math.min(limit - ids.length, LISTED_AT_ONCE)) continue
      await add(batch)
      batch = []
      if (ids.length >= limit) break
      await nextTurn()
    }
  await add(batch)
  return ids
}

async function reachableIds(context: Context, domain: OpenDomain, kind: ObjectKind): Promise<ObjectId[]> {
  const ids: ObjectId[] = []
  for await (const { id } of reachableFrom(context, domain, [domain.root.id], kind)) ids.push(id)
  return ids.sort()
}

/**
 * Deletes an object. With `links`, the hard links to it are deleted too; otherwise they dangle. The targets of its own
 * links stay.
 */
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
    throw new HyperslabError('root-group-protected', 'the root group cannot be deleted: delete the domain', {
      subject: id,
    })
  }
  await context.writer.deleteObject(id, options)
}

export async function viewOf<T extends HdfObject>(context: Context, object: T): Promise<ObjectView<T>> {
  return { object, status: await context.reader.status(object.id) }
}

/** The reason why links or attributes of an object are not listed. Only objects of mounted files can have one. */
export async function damageOf(
  { reader }: Context,
  { entry }: OpenDomain,
  id: ObjectId,
): Promise<string | undefined> {
  return isOfFiles(entry) ? (await reader.status(id)).damage?.message : undefined
}

export function linkExists(title: string, group: ObjectId): HyperslabError {
  return new HyperslabError('link-exists', `the group ${group} already has a link "${title}"`, {
    subject: title,
  })
}
