// Creating objects: what groups, datasets and committed datatypes have in common. Where a new object is to be and which
// id it may have is looked at first; then it is stored with its link and its attributes. All of it happens in one
// transaction, so that nothing is left when any of it fails.

import { HyperslabError } from '../../errors.ts'
import { isRoot, isSameDomain, newObjectId, type ObjectId } from '../../hdf5/object-id.ts'
import type { Group, HdfObject } from '../../storage/store.ts'
import { requirePermission, requireWritable } from '../access/access.ts'
import { type NewAttribute, putAttributes } from '../attributes/attributes.ts'
import type { OpenDomain, WriteContext } from '../context.ts'
import { groupBehind, type Path, shownPath } from '../links/paths.ts'
import { requireMember } from '../objects/members.ts'
import { linkExists, type ObjectView, viewOf } from '../objects/objects.ts'

/** A link to make together with an object. */
export interface NewLink {
  /** Absent: the root group. */
  readonly group?: ObjectId
  readonly title: string
}

/** Where to link a new object, by the path that it is to have. */
export interface NewPath extends Path {
  /** The path begins at the root, so it cannot begin at another group. */
  readonly isAbsolute: boolean
  /** Groups on the way that are missing are made. */
  readonly implicit: boolean
}

/** What can be said of every new object. */
export interface NewObject {
  /** Chosen by the caller; absent: a fresh one. */
  readonly id?: ObjectId
  /** Absent: nothing links to the object. */
  readonly link?: NewLink | NewPath
  readonly attributes?: ReadonlyMap<string, NewAttribute>
  /** Its place among the objects that one request makes: their links keep that order. */
  readonly position?: number
}

/** Where a new object will be. */
export interface NewPlace {
  readonly id: ObjectId
  readonly link: Required<NewLink> | undefined
}

/** What must hold before an object is made: a free id, a free title, `create` on the root group and that of the link. */
export async function requirePlace(
  context: WriteContext,
  domain: OpenDomain,
  { id, link }: NewObject,
): Promise<NewPlace> {
  requireWritable(domain)
  requirePermission(context, 'create', domain)
  if (id !== undefined) await requireFreeId(context, domain, id)
  return {
    id: id ?? newObjectId(domain.root.id, context.random),
    link: link && (await requireFreeTitle(context, domain, link)),
  }
}

/** Stores a new object, its link and its attributes. Its place must have been looked at in the same transaction. */
export async function addObject<T extends HdfObject>(
  context: WriteContext,
  domain: OpenDomain,
  object: T,
  link: NewPlace['link'],
  { attributes, position = 0 }: NewObject = {},
): Promise<ObjectView<T>> {
  const { writer, now } = context
  const status = await writer.createObject(object)
  if (link) {
    const target = { class: 'H5L_TYPE_HARD', kind: object.kind, id: object.id } as const
    await writer.putLink(link.group, { title: link.title, created: now + position, target })
  }
  if (!attributes?.size) return { object, status }
  await putAttributes(context, domain, [{ owner: object, items: attributes }])
  return viewOf(context, object)
}

/** A caller may choose an id of this domain that no object has; one that was deleted frees it (hsds-objects 17.5). */
async function requireFreeId(context: WriteContext, domain: OpenDomain, id: ObjectId): Promise<void> {
  const refused = (why: string) => new HyperslabError('id-not-free', `the id ${id} ${why}`, { subject: id })
  if (!isSameDomain(id, domain.root.id)) throw refused(`is none of the domain ${domain.entry.path}`)
  if (isRoot(id)) throw refused('is that of a root group')
  if (await context.reader.object(id)) throw refused('is already that of an object')
}

async function requireFreeTitle(
  context: WriteContext,
  domain: OpenDomain,
  link: NewLink | NewPath,
): Promise<Required<NewLink>> {
  const { group, title } = 'titles' in link ? await parentOf(context, domain, link) : link
  const parent = await requireMember(context, domain, group ?? domain.root.id, 'group')
  requirePermission(context, 'create', domain, parent)
  if (await context.reader.link(parent.id, title)) throw linkExists(title, parent.id)
  return { group: parent.id, title }
}

/** The group that holds the last link of the path. */
async function parentOf(
  context: WriteContext,
  domain: OpenDomain,
  { start = domain.root.id, titles, isAbsolute, implicit }: NewPath,
): Promise<NewLink> {
  const title = titles.at(-1)
  if (title === undefined)
    throw new HyperslabError('malformed-path', 'a new object cannot be at the path "/"')
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

/** Groups that one request makes because the paths of others need them. */
const MAX_IMPLICIT_GROUPS = 10_000

/** How many it has made. */
const implicitGroups = new WeakMap<WriteContext, number>()

async function addGroup(context: WriteContext, domain: OpenDomain, at: Required<NewLink>): Promise<ObjectId> {
  const made = (implicitGroups.get(context) ?? 0) + 1
  if (made > MAX_IMPLICIT_GROUPS) {
    throw new HyperslabError(
      'body-too-large',
      `a request makes at most ${MAX_IMPLICIT_GROUPS} groups that are missing in paths`,
    )
  }
  implicitGroups.set(context, made)
  const { id, link } = await requirePlace(context, domain, { link: at })
  const group: Group = { kind: 'group', id, created: context.now, acl: [] }
  return (await addObject(context, domain, group, link)).object.id
}
