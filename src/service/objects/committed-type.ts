// Using a committed datatype as the type of a dataset or an attribute.

import type { Datatype } from '../../hdf5/datatype/datatype.ts'
import type { JsonObject } from '../../hdf5/json.ts'
import type { ObjectId } from '../../hdf5/object-id.ts'
import type { Timestamp } from '../../hdf5/timestamp.ts'
import type { Context, OpenDomain } from '../context.ts'
import { memberOf, requireMember } from './members.ts'

/** What `type` in a body says: a type, or the id of a committed one. */
export type TypeUse = GivenType | { readonly committed: ObjectId }

/** A type and, where its own JSON says it in other words, the object that it was given as. */
export interface GivenType {
  readonly type: Datatype
  readonly givenType?: JsonObject
}

/** A type and, when it was taken from one, the committed datatype. */
export interface ResolvedType extends GivenType {
  readonly committedType?: ObjectId
}

/** The type is copied, so that it outlives the committed datatype (classic 8.4). */
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
 * Leaves `committedType` out of what used a committed datatype that has since been deleted: it then reports its full
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

/** The same for many, with one lookup per committed datatype. */
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
