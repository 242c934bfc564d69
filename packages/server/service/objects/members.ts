// Finding an object of a domain by its id, and why there is none.
//
// Messages write an id as its 32 hex digits after its kind; a dialect may replace that by its own form.

import { HyperslabError } from '@hyperslab/base/errors'
import { isSameDomain, type ObjectId, type ObjectKind } from '@hyperslab/model/names'
import type { HdfObject } from '@hyperslab/store/store'
import type { Context, OpenDomain } from '../context.ts'

export type ObjectOf<K extends ObjectKind> = Extract<HdfObject, { readonly kind: K }>

/** The object, if it is one of this domain. */
export async function memberOf(
  context: Context,
  domain: OpenDomain,
  id: ObjectId,
): Promise<HdfObject | undefined> {
  if (id === domain.root.id) return domain.root
  return isSameDomain(id, domain.root.id) ? context.reader.object(id) : undefined
}

/** The object that a body names by id (the group of a link, a target, a committed datatype). */
export async function requireMember<K extends ObjectKind>(
  context: Context,
  domain: OpenDomain,
  id: ObjectId,
  kind?: K,
): Promise<ObjectOf<K>> {
  const object = await memberOf(context, domain, id)
  if (object && (kind === undefined || isOfKind(object, kind))) return object as ObjectOf<K>
  throw await absence(context, domain, kind ?? 'object', id)
}

export function isOfKind<K extends ObjectKind>(object: HdfObject, kind: K): object is ObjectOf<K> {
  return object.kind === kind
}

/** Whether the domain had such an object, which was deleted. */
export async function wasMember(context: Context, domain: OpenDomain, id: ObjectId): Promise<boolean> {
  return isSameDomain(id, domain.root.id) && context.reader.wasDeleted({ object: id })
}

/** The error with the reason why there is no such object. */
export async function absence(
  context: Context,
  domain: OpenDomain,
  kind: ObjectKind | 'object',
  id: ObjectId,
): Promise<HyperslabError> {
  if (await wasMember(context, domain, id)) {
    return new HyperslabError(
      'object-deleted',
      `the ${kind} ${id} of the domain ${domain.entry.path} was deleted`,
      { subject: id },
    )
  }
  return (await foreign(context, domain, id)) ?? notFound(domain, kind, id)
}

/** The error for an object that exists in another domain. */
async function foreign(
  context: Context,
  domain: OpenDomain,
  id: ObjectId,
): Promise<HyperslabError | undefined> {
  if (isSameDomain(id, domain.root.id)) return undefined
  const object = await context.reader.object(id)
  if (object === undefined) return undefined
  return new HyperslabError(
    'object-not-in-domain',
    `the ${object.kind} ${id} does not belong to the domain ${domain.entry.path}`,
    { subject: id },
  )
}

function notFound(domain: OpenDomain, kind: ObjectKind | 'object', id: ObjectId): HyperslabError {
  return new HyperslabError('object-not-found', `the domain ${domain.entry.path} has no ${kind} ${id}`, {
    subject: id,
  })
}
