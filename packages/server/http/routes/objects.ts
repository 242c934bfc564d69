// Routes that groups, datasets and committed datatypes share: their collections, descriptions and deletion.

import { HyperslabError } from '@hyperslab/base/errors'
import { COLLECTIONS, type ObjectId, type ObjectKind } from '@hyperslab/model/names'
import type { Description, DescriptionParts } from '../../service/descriptions/descriptions.ts'
import { describeObject } from '../../service/descriptions/descriptions.ts'
import { type Path, titlesOf } from '../../service/links/paths.ts'
import type { ObjectOf } from '../../service/objects/members.ts'
import { deleteObject, listObjects } from '../../service/objects/objects.ts'
import type { Body, Dialect } from '../dialect/dialect.ts'
import type { Place } from '../dialect/hrefs.ts'
import { jsonReply } from '../message/message.ts'
import { STRING } from '../message/schema.ts'
import { LISTING, listingOf, pathId } from '../route/common-parameters.ts'
import { flagQuery, onlyIn, optionalQuery, type Parameter, type ParameterValues } from '../route/parameter.ts'
import { type Route, readRoute, writeRoute } from '../route/route.ts'

/** The differences between the routes of the kinds of objects. */
export interface KindRoutes<K extends ObjectKind> {
  readonly kind: K
  /** The schema of its description. */
  readonly schema: 'Group' | 'Dataset' | 'Datatype'
  readonly present: (dialect: Dialect, place: Place, view: Description<ObjectOf<K>>) => Body
}

export const GROUP: KindRoutes<'group'> = {
  kind: 'group',
  schema: 'Group',
  present: (dialect, place, view) => dialect.present.groups.shown(place, view),
}
export const DATASET: KindRoutes<'dataset'> = {
  kind: 'dataset',
  schema: 'Dataset',
  present: (dialect, place, view) => dialect.present.datasets.shown(place, view),
}
const DATATYPE: KindRoutes<'datatype'> = {
  kind: 'datatype',
  schema: 'Datatype',
  present: (dialect, place, view) => dialect.present.datatypes.shown(place, view),
}

/** The parameters that name an object by a path of links (hsds-objects 8.7). They are read when the path is needed. */
const BY_PATH = {
  path: optionalQuery({
    name: 'h5path',
    description:
      'The path of the object by hard links: from the root group, or a relative one from the group in the path or that of grpid.',
    schema: STRING,
    only: 'hsds',
    parse: text => text,
  }),
  grpid: optionalQuery({
    name: 'grpid',
    description: 'The id of the group where a relative h5path starts.',
    schema: STRING,
    only: 'hsds',
    parse: text => text,
  }),
} as const

/** The flags that add members to the description of an object. */
type DescriptionFlags = {
  readonly links?: Parameter<boolean>
  readonly attributes: Parameter<boolean>
  readonly alias: Parameter<boolean>
  readonly allocation?: Parameter<boolean>
  readonly byCreation: Parameter<boolean>
}

/** The flags of a kind. `linksIn`: the only dialect that takes `include_links`; absent: both do (classic 6.3). */
export function descriptionFlags(kind: ObjectKind, linksIn?: 'hsds'): DescriptionFlags {
  return {
    ...(kind === 'group' && { links: flagQuery('include_links', 'Adds the links of the group.', linksIn) }),
    attributes: flagQuery('include_attrs', 'Adds the attributes, with their values.', 'hsds'),
    alias: flagQuery('getalias', 'Adds `alias`, the first path of hard links from the root group.', 'hsds'),
    ...(kind === 'dataset' && {
      allocation: flagQuery('verbose', 'Adds the number and size of the stored chunks.', 'hsds'),
    }),
    byCreation: LISTING.byCreation,
  }
}

export function wantedMembers({
  links = false,
  attributes,
  alias,
  allocation = false,
  byCreation,
}: ParameterValues<DescriptionFlags>): DescriptionParts {
  return { links, attributes, alias, allocation, order: byCreation ? 'created' : 'name' }
}

/** The route of the ids of a kind or, in one dialect, of the object at the path in the query. */
function listObjectsRoute<K extends ObjectKind>({ kind, schema, present }: KindRoutes<K>): Route {
  const collection = COLLECTIONS[kind]
  return readRoute({
    name: `list-${collection}`,
    method: 'GET',
    path: `/${collection}`,
    summary: `Lists the ids of the ${collection} of the domain, or describes the ${kind} at a path.`,
    access: 'read',
    parameters: { ...BY_PATH, ...descriptionFlags(kind, 'hsds'), ...LISTING },
    answers: { 200: { description: `The ids, or the ${kind}.`, json: `${schema}List` } },
    async run(context, domain, { path, grpid, limit, marker, byCreation, ...flags }, dialect) {
      if (path !== undefined) {
        const subject = parsePath(path, grpid, dialect)
        const wanted = wantedMembers({ ...flags, byCreation })
        return { view: await describeObject(context, domain, kind, subject, wanted) }
      }
      const listing = listingOf({ limit, marker: undefined, byCreation }, dialect)
      const first = marker === undefined ? undefined : dialect.parseMarker(marker, kind)
      if (marker !== undefined && first === undefined) return { ids: [] }
      const reachable = !dialect.rules.objects.listsUnlinked
      return { ids: await listObjects(context, domain, kind, { ...listing, marker: first, reachable }) }
    },
    respond: ({ view, ids = [] }, { place, dialect }) =>
      jsonReply(view ? present(dialect, place, view) : dialect.present.objects.list(place, kind, ids)),
  })
}

function getObjectRoute<K extends ObjectKind>({ kind, schema, present }: KindRoutes<K>): Route {
  return readRoute({
    name: `get-${kind}`,
    method: 'GET',
    path: `/${COLLECTIONS[kind]}/:id`,
    summary: `Describes a ${kind}.`,
    access: 'read',
    repeatable: true,
    parameters: { id: optionalId(kind), ...BY_PATH, ...descriptionFlags(kind), limit: UNUSED_LIMIT },
    answers: { 200: { description: `The ${kind}.`, json: schema } },
    run: (context, domain, { id, path, grpid, ...flags }, dialect) =>
      describeObject(context, domain, kind, subjectOf(kind, id, path, grpid, dialect), wantedMembers(flags)),
    respond: (view, { place, dialect }) => jsonReply(present(dialect, place, view)),
  })
}

function deleteObjectRoute(kind: ObjectKind): Route {
  return writeRoute({
    name: `delete-${kind}`,
    method: 'DELETE',
    path: `/${COLLECTIONS[kind]}/:id`,
    summary: `Deletes a ${kind} with its attributes.`,
    access: 'delete',
    parameters: { id: pathId(kind) },
    answers: { 200: { description: `The ${kind} is deleted.`, json: 'ObjectDeleted' } },
    run: (context, domain, { id }, { rules }) =>
      deleteObject(context, domain, kind, id, { links: rules.objects.deleteRemovesLinks }),
    respond: (_, { place, dialect }) => jsonReply(dialect.present.objects.deleted(place, kind)),
  })
}

/** The hsds dialect rejects a bad `Limit` here too (hsds-objects 1.3), although a description has no pages. */
const UNUSED_LIMIT: Parameter<unknown> = onlyIn('hsds', {
  ...LISTING.limit,
  description: 'It has no effect, but must be a whole number from 0 on.',
})

/** The id in the path, which may be empty if the dialect finds objects by their paths. */
function optionalId(kind: ObjectKind): Parameter<ObjectId | undefined> {
  const parameter = pathId(kind)
  return {
    ...parameter,
    read: head => (head.parameters.id === '' && head.dialect.presentFound ? undefined : parameter.read(head)),
  }
}

/**
 * The object of a request: its id, or a path, which starts at the group of the id if there is one (hsds-objects 8.7).
 */
function subjectOf(
  kind: ObjectKind,
  id: ObjectId | undefined,
  path: string | undefined,
  grpid: string | undefined,
  dialect: Dialect,
): ObjectId | Path {
  if (path !== undefined && (id === undefined || kind === 'group')) {
    return parsePath(path, grpid, dialect, id)
  }
  if (id !== undefined) return id
  throw new HyperslabError(
    'malformed-parameter',
    `the request must name a ${kind}: by its id in the path, or by its h5path in the query`,
  )
}

/** The path; a relative one needs a group to start at: that in the request path, or that of `grpid`. */
function parsePath(path: string, grpid: string | undefined, dialect: Dialect, group?: ObjectId): Path {
  const titles = titlesOf(path)
  if (path.startsWith('/')) return { titles }
  const start = group ?? (grpid === undefined ? undefined : dialect.parseId(grpid, 'group'))
  if (start !== undefined) return { start, titles }
  throw new HyperslabError(
    'malformed-path',
    `h5path=${path} is relative: send the id of the group where it starts as grpid`,
  )
}

function routesOf<K extends ObjectKind>(kind: KindRoutes<K>): readonly Route[] {
  return [listObjectsRoute(kind), getObjectRoute(kind), deleteObjectRoute(kind.kind)]
}

export const objectRoutes: readonly Route[] = [
  ...routesOf(GROUP),
  ...routesOf(DATASET),
  ...routesOf(DATATYPE),
]
