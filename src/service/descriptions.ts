// Describing an object, which is named by its id or by a path: the object, and what is asked for beside it.

import { HyperslabError } from '../errors.ts'
import type { ObjectId, ObjectKind } from '../hdf5/object-id.ts'
import type { Allocation, Attribute, HdfObject, Link } from '../storage/store.ts'
import { listAttributes } from './attributes.ts'
import type { Context, OpenDomain } from './context.ts'
import { listLinks } from './links.ts'
import type { ObjectOf } from './members.ts'
import { getObject, type ObjectView } from './objects.ts'
import { objectAt, type Path } from './paths.ts'
import { pathTo } from './reachable.ts'

/** What to tell beside the object itself. */
export interface Wanted {
  /** Of groups only. */
  readonly links?: boolean
  readonly attributes?: boolean
  readonly alias?: boolean
  /** Of datasets only. */
  readonly allocation?: boolean
  /** Of links and attributes. */
  readonly order?: 'name' | 'created' | undefined
}

export interface Description<T extends HdfObject = HdfObject> extends ObjectView<T> {
  readonly links?: readonly Link[]
  readonly attributes?: readonly Attribute[]
  /** The first path by hard links from the root group, or none (contract 20, 10.2). */
  readonly alias?: readonly string[]
  readonly allocation?: Allocation
}

export async function describeObject<K extends ObjectKind>(
  context: Context,
  domain: OpenDomain,
  kind: K,
  subject: ObjectId | Path,
  { links, attributes, alias, allocation, order }: Wanted,
): Promise<Description<ObjectOf<K>>> {
  const id = typeof subject === 'string' ? subject : await idAt(context, domain, kind, subject)
  const view = await getObject(context, domain, kind, id)
  const { reader } = context
  return {
    ...view,
    ...(links && { links: await listLinks(context, domain, id, { order }) }),
    ...(attributes && { attributes: await listAttributes(context, domain, { kind, id }, { order }) }),
    ...(alias && { alias: await pathTo(reader, domain.root.id, id) }),
    ...(allocation && { allocation: await reader.allocation(id) }),
  }
}

async function idAt(context: Context, domain: OpenDomain, kind: ObjectKind, path: Path): Promise<ObjectId> {
  const found = await objectAt(context, domain, path)
  if (found.kind === kind) return found.id
  const message = `the path "${path.titles.join('/')}" leads to a ${found.kind}, not to a ${kind}`
  throw new HyperslabError('object-not-found', message, { subject: found.id })
}
