// Creating objects: the steps that groups, datasets and committed datatypes share. The link and the id of the new
// object are checked first; then it is stored with its link and its attributes. One transaction does all of it, so that
// nothing is left when a step fails.

import { HyperslabError } from '@hyperslab/base/errors'
import { isRoot, isSameDomain, type ObjectId } from '@hyperslab/model/names'
import type { Group, HdfObject } from '@hyperslab/store/store'
import { requirePermission, requireWritable } from '../access/access.ts'
import { type NewAttribute, putAttributes } from '../attributes/attributes.ts'
import type { OpenDomain, WriteContext } from '../context.ts'
import { groupBehind, type Path, shownPath } from '../links/paths.ts'
import { requireMember } from '../objects/members.ts'
import { linkExists, type ObjectView, viewOf } from '../objects/objects.ts'
import type { ObjectBatch } from './object-batch.ts'

/** A link to create together with an object. */
export interface NewLink {
  /** Absent: the root group. */
  readonly group?: ObjectId
  readonly title: string
}

/** The path that a new object gets. */
export interface NewPath extends Path {
  /** The path begins with "/", so it cannot begin at a group other than the root. */
  readonly isAbsolute: boolean
  /** Missing groups of the path are created. */
  readonly implicit: boolean
}

/** Properties of every new object. */
export interface NewObject {
  /** Chosen by the caller; absent: a fresh one. */
  readonly id?: ObjectId | undefined
  /** Absent: no link leads to the object. */
  readonly link?: NewLink | NewPath | undefined
  readonly attributes?: ReadonlyMap<string, NewAttribute> | undefined
}

/** A place among the objects that one request creates; absent if it creates one. */
export interface BatchPlace {
  /** Their links keep that order. */
  readonly position: number
  readonly batch: ObjectBatch
}

/** A new object whose id and link are free. */
export interface CheckedNewObject {
  readonly id: ObjectId
  readonly link: Required<NewLink> | undefined
}

/**
 * Throws unless the id and the title of a new object are free and the caller has `create` on the root group and on the
 * group of the link.
 */
async function requireNewObject(
  context: WriteContext,
  domain: OpenDomain,
  { id: chosen, link }: NewObject,
  place?: BatchPlace,
): Promise<CheckedNewObject> {
  requireWritable(domain)
  requirePermission(context, 'create', domain)
  const id = chosen ?? freshId(context, domain, place?.batch)
  if (chosen !== undefined) await requireFreeId(context, domain, chosen)
  const location = link && requireFreeTitle(context, domain, link, place?.batch)
  if (chosen !== undefined) await Promise.all([location, context.writer.requireFreeId(chosen)])
  return { id, link: await location }
}

function freshId({ ids, writer }: WriteContext, { root }: OpenDomain, batch?: ObjectBatch): ObjectId {
  if (batch) return batch.takeId(root.id)
  const id = ids.newObject(root.id)
  writer.expectFreeIds([id])
  return id
}

/** Creates an object, its link and its attributes. `make` gives the members of its kind, and may throw. */
export async function createObject<T extends HdfObject>(
  context: WriteContext,
  domain: OpenDomain,
  input: NewObject,
  place: BatchPlace | undefined,
  make: (base: Pick<HdfObject, 'id' | 'created' | 'acl'>) => T | Promise<T>,
): Promise<ObjectView<T>> {
  const { writer, now } = context
  const { id, link } = await requireNewObject(context, domain, input, place)
  const object = await make({ id, created: now, acl: [] })
  const status = input.id === undefined ? writer.createFreshObject(object) : await writer.createObject(object)
  if (link) {
    const target = { class: 'H5L_TYPE_HARD', kind: object.kind, id: object.id } as const
    const { group, title } = link
    if (place) await place.batch.addLink(group, { title, created: now + place.position, target })
    else await writer.putLinks(group, { title, created: now, target })
  }
  const { attributes } = input
  if (!attributes?.size) return { object, status }
  await putAttributes(context, domain, [{ owner: object, items: attributes }])
  return viewOf(context, object)
}

/** A request may choose an unused id of this domain; the ids of deleted objects are unused (hsds-objects 17.5). */
async function requireFreeId(context: WriteContext, domain: OpenDomain, id: ObjectId): Promise<void> {
  const notFree = (reason: string) =>
    new HyperslabError('id-not-free', `the id ${id} ${reason}`, { subject: id })
  if (!isSameDomain(id, domain.root.id)) throw notFree(`does not belong to the domain ${domain.entry.path}`)
  if (isRoot(id)) throw notFree('is the id of a root group')
  if (await context.reader.object(id)) throw notFree('is already in use')
}

async function requireFreeTitle(
  context: WriteContext,
  domain: OpenDomain,
  link: NewLink | NewPath,
  batch: ObjectBatch | undefined,
): Promise<Required<NewLink>> {
  // The path may lead through them.
  if ('titles' in link) await batch?.storeLinks()
  const { group = domain.root.id, title } = 'titles' in link ? await parentOf(context, domain, link) : link
  // Objects of one request are often linked into one group, which is checked once.
  if (!batch?.hasGroup(group)) {
    const parent = await requireMember(context, domain, group, 'group')
    requirePermission(context, 'create', domain, parent)
  }
  const isTaken = batch?.hasLink(group, title) || !(await context.writer.isTitleFree(group, title))
  if (isTaken) throw linkExists(title, group)
  return { group, title }
}

/** The group that holds the last link of the path. */
async function parentOf(
  context: WriteContext,
  domain: OpenDomain,
  { start = domain.root.id, titles, isAbsolute, implicit }: NewPath,
): Promise<NewLink> {
  const title = titles.at(-1)
  if (title === undefined) throw new HyperslabError('malformed-path', 'a new object cannot have the path "/"')
  if (isAbsolute && start !== domain.root.id) {
    throw new HyperslabError(
      'malformed-path',
      'a path below a group other than the root cannot begin with "/"',
    )
  }
  let group = (await requireMember(context, domain, start, 'group')).id
  for (const step of titles.slice(0, -1)) {
    const link = await context.reader.link(group, step)
    if (link) group = await groupBehind(context, domain, link, shownPath(domain, start, titles))
    else if (implicit) group = await addGroup(context, domain, { group, title: step })
    else {
      throw new HyperslabError(
        'link-not-found',
        `the group ${group} has no link "${step}": implicit=1 makes missing groups`,
        {
          subject: step,
        },
      )
    }
  }
  return { group, title }
}

/** The most groups that one request creates because paths need them. @limit safety, groups */
const MAX_IMPLICIT_GROUPS = 10_000

/** The number of groups that each request has created for paths. */
const implicitGroups = new WeakMap<WriteContext, number>()

async function addGroup(
  context: WriteContext,
  domain: OpenDomain,
  location: Required<NewLink>,
): Promise<ObjectId> {
  const count = (implicitGroups.get(context) ?? 0) + 1
  if (count > MAX_IMPLICIT_GROUPS) {
    throw new HyperslabError(
      'body-too-large',
      `a request creates at most ${MAX_IMPLICIT_GROUPS} missing groups of paths: send several requests`,
    )
  }
  implicitGroups.set(context, count)
  const make = (base: Omit<Group, 'kind'>): Group => ({ kind: 'group', ...base })
  return (await createObject(context, domain, { link: location }, undefined, make)).object.id
}
