// Committed datatypes: creating them, and using one as the type of a dataset or an attribute.

import type { Datatype } from '../hdf5/datatype/datatype.ts'
import { newObjectId, type ObjectId } from '../hdf5/object-id.ts'
import type { CommittedDatatype } from '../storage/store.ts'
import type { Context, OpenDomain, WriteContext } from './context.ts'
import {
  addObject,
  memberOf,
  type NewLink,
  type ObjectView,
  requireCreation,
  requireMember,
} from './objects.ts'

/** What `type` in a body says: a type, or the id of a committed one. */
export type TypeUse = { readonly type: Datatype } | { readonly committed: ObjectId }

/** A type and, when it was taken from one, the committed datatype. */
export interface ResolvedType {
  readonly type: Datatype
  readonly committedType?: ObjectId
}

export interface NewDatatype {
  readonly type: Datatype
  readonly link?: NewLink
}

export async function createDatatype(
  context: WriteContext,
  domain: OpenDomain,
  input: NewDatatype,
): Promise<ObjectView<CommittedDatatype>> {
  const { type, link } = input
  await requireCreation(context, domain, link)
  const id = newObjectId(domain.root.id, context.random)
  return addObject(context, { kind: 'datatype', id, created: context.now, acl: [], type }, link)
}

/** The type is copied, so that it outlives the committed datatype (contract 10, 8.4). */
export async function resolveType(context: Context, domain: OpenDomain, use: TypeUse): Promise<ResolvedType> {
  if ('type' in use) return { type: use.type }
  const { type, id } = await requireMember(context, domain, use.committed, 'datatype')
  return { type, committedType: id }
}

/**
 * Leaves `committedType` out of what used a committed datatype that has since been deleted: it then reports its full
 * type (contract 10, 8.4). One lookup per committed datatype and call of this function.
 */
export function committedTypeFilter(
  context: Context,
  domain: OpenDomain,
): <T extends { readonly committedType?: ObjectId }>(user: T) => Promise<T> {
  const alive = new Map<ObjectId, boolean>()
  return async user => {
    const { committedType: id, ...rest } = user
    if (id === undefined) return user
    let lives = alive.get(id)
    if (lives === undefined) {
      lives = (await memberOf(context, domain, id)) !== undefined
      alive.set(id, lives)
    }
    return lives ? user : (rest as typeof user)
  }
}
