// Using a committed datatype as the type of a dataset or an attribute.

import type { Datatype } from '@hyperslab/model/datatype'
import type { JsonObject } from '@hyperslab/model/json'
import type { ObjectId, Timestamp } from '@hyperslab/model/names'
import type { Context, OpenDomain } from '../context.ts'
import { memberOf, requireMember } from './members.ts'

/** The meaning of `type` in a body: a type, or the id of a committed one. */
export type TypeUse = GivenType | { readonly committed: ObjectId }

/** A type and, if its JSON differs from the one that was sent, the object that was sent. */
export interface GivenType {
  readonly type: Datatype
  readonly givenType?: JsonObject
}

/** A type and the committed datatype that it is a copy of, if there is one. */
export interface ResolvedType extends GivenType {
  readonly committedType?: ObjectId
}

/** The type for a use. A committed datatype is copied, so that the type outlives it (classic 8.4). */
export async function resolveType(context: Context, domain: OpenDomain, use: TypeUse): Promise<ResolvedType> {
  if ('type' in use) return use
  const { type, givenType, id } = await requireMember(context, domain, use.committed, 'datatype')
  return { type, ...(givenType && { givenType }), committedType: id }
}

/** A dataset or an attribute; another object uses none. */
interface TypeUser {
  readonly created: Timestamp
  readonly committedType?: ObjectId
}

/**
 * The object without `committedType` if that committed datatype has been deleted since: its users then have the full
 * type (classic 8.4).
 */
export async function withLivingType<T extends TypeUser>(
  context: Context,
  domain: OpenDomain,
  user: T,
): Promise<T> {
  if (user.committedType === undefined || (await memberOf(context, domain, user.committedType))) return user
  const { committedType: _, ...rest } = user
  return rest as T // what is left out is optional
}

/** The same for many users, with one look-up for each committed datatype. */
export async function withLivingTypes<T extends TypeUser>(
  context: Context,
  domain: OpenDomain,
  users: readonly T[],
): Promise<readonly T[]> {
  const ids = new Set(users.flatMap(user => user.committedType ?? []))
  if (ids.size === 0) return users
  const living = new Set<ObjectId>()
  for (const id of ids) if (await memberOf(context, domain, id)) living.add(id)
  return users.map(user => {
    const { committedType, ...rest } = user
    return committedType === undefined || living.has(committedType) ? user : (rest as T)
  })
}
