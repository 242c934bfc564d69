// Describing an object, which an id or a path identifies: the object, and the parts that the request wants beside it.

import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt } from '@hyperslab/model/json'
import type { ObjectId, ObjectKind } from '@hyperslab/model/names'
import type { Allocation, HdfObject, ListedAttribute, ListedLink } from '@hyperslab/store/store'
import type { Context, OpenDomain } from '../context.ts'
import { type LocatedObject, locate, type Path } from '../links/paths.ts'
import { collect } from '../listing.ts'
import { withLivingType, withLivingTypes } from '../objects/committed-type.ts'
import { isOfKind, type ObjectOf } from '../objects/members.ts'
import { type ObjectView, openObject, viewOf } from '../objects/objects.ts'
import { pathTo } from '../objects/path-to.ts'

/** The parts of a description besides the object itself. */
export interface DescriptionParts {
  /** Applies to groups only. */
  readonly links?: boolean
  readonly attributes?: boolean
  readonly alias?: boolean
  /** Applies to datasets only. */
  readonly allocation?: boolean
  /** The order of links and attributes. */
  readonly order?: 'name' | 'created' | undefined
}

export interface Description<T extends HdfObject = HdfObject> extends ObjectView<T> {
  readonly links?: readonly ListedLink[]
  readonly attributes?: readonly ListedAttribute[]
  /** The first path by hard links from the root group, or none (hsds-objects 10.2). */
  readonly alias?: readonly string[]
  readonly allocation?: Allocation
}

/** The object of that kind and id, or at that path, if the caller may read it. */
export async function describeObject<K extends ObjectKind>(
  context: Context,
  domain: OpenDomain,
  kind: K,
  subject: ObjectId | Path,
  parts: DescriptionParts,
): Promise<Description<ObjectOf<K>>> {
  const object =
    typeof subject === 'string'
      ? await openObject(context, domain, kind, subject, 'read')
      : await objectAt(context, domain, kind, subject)
  return describe(context, { domain, object }, parts)
}

/** Describes an object; the caller must have checked `read` on it. */
export async function describe<T extends HdfObject>(
  context: Context,
  { domain, object }: LocatedObject<T>,
  { links, attributes, alias, allocation, order }: DescriptionParts,
): Promise<Description<T>> {
  const { reader } = context
  const { id } = object
  const page = order ? { order } : {}
  const listed = attributes ? await collect(reader.attributes(id, page)) : []
  return {
    ...(await viewOf(context, await withLivingType(context, domain, object))),
    ...(links && object.kind === 'group' && { links: await collect(reader.links(id, page)) }),
    ...(attributes && { attributes: await withLivingTypes(context, domain, listed) }),
    ...(alias && { alias: await pathTo(context, domain, id) }),
    ...(allocation && object.kind === 'dataset' && { allocation: await reader.allocation(id) }),
  }
}

async function objectAt<K extends ObjectKind>(
  context: Context,
  domain: OpenDomain,
  kind: K,
  path: Path,
): Promise<ObjectOf<K>> {
  const { object } = await locate(context, domain, path)
  if (isOfKind(object, kind)) return object
  const message = `the path ${excerpt(path.titles.join('/'))} leads to a ${object.kind}, not to a ${kind}`
  throw new HyperslabError('object-not-found', message, { subject: object.id })
}
