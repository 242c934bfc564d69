// What groups, datasets and committed datatypes have in common: their collections, being described, being deleted.

import { HyperslabError } from '../../errors.ts'
import { COLLECTIONS, type ObjectId, type ObjectKind } from '../../hdf5/object-id.ts'
import { type Description, describeObject, type Wanted } from '../../service/descriptions/descriptions.ts'
import { type Path, titlesOf } from '../../service/links/paths.ts'
import type { ObjectOf } from '../../service/objects/members.ts'
import { deleteObject, listObjects } from '../../service/objects/objects.ts'
import type { Body, Dialect } from '../dialect/dialect.ts'
import type { Place } from '../dialect/hrefs.ts'
import type { Request } from '../message.ts'
import { oldReadRoute, oldWriteRoute } from '../old-route.ts'
import { flag, idOf, oldListingOf } from '../parameters.ts'
import type { Route } from '../route.ts'

type PresentObject<K extends ObjectKind> = (
  dialect: Dialect,
  place: Place,
  view: Description<ObjectOf<K>>,
) => Body

/** The ids of a kind or, where the dialect has it, the object at the path that is asked for. */
function listObjectsRoute<K extends ObjectKind>(kind: K, present: PresentObject<K>): Route {
  return oldReadRoute({
    name: `list-${COLLECTIONS[kind]}`,
    method: 'GET',
    path: `/${COLLECTIONS[kind]}`,
    access: 'read',
    parse(request) {
      const subject = pathOf(request)
      if (subject) return { subject, wanted: wantedOf(request, kind) }
      const { marker, ...listing } = oldListingOf(request)
      const from = marker === undefined ? undefined : request.dialect.parseId(marker, kind)
      return {
        listing: { ...listing, marker: from, reachable: !request.dialect.rules.objects.listsUnlinked },
      }
    },
    run: async (context, domain, { subject, wanted, listing = {} }) =>
      subject
        ? { view: await describeObject(context, domain, kind, subject, wanted) }
        : { ids: await listObjects(context, domain, kind, listing) },
    respond: ({ view, ids = [] }, { place, request: { dialect } }) => ({
      status: 200,
      body: view ? present(dialect, place, view) : dialect.present.objects.list(place, kind, ids),
    }),
  })
}

function getObjectRoute<K extends ObjectKind>(
  kind: K,
  path: string,
  present: PresentObject<K>,
  only?: 'classic',
): Route {
  return oldReadRoute({
    name: `get-${kind}`,
    method: 'GET',
    path,
    access: 'read',
    repeatable: true,
    ...(only && { only }),
    parse: request => ({ subject: subjectOf(request, kind), wanted: wantedOf(request, kind) }),
    run: (context, domain, { subject, wanted }) => describeObject(context, domain, kind, subject, wanted),
    respond: (view, { place, request: { dialect } }) => ({
      status: 200,
      body: present(dialect, place, view),
    }),
  })
}

function deleteObjectRoute(kind: ObjectKind): Route {
  return oldWriteRoute({
    name: `delete-${kind}`,
    method: 'DELETE',
    path: `/${COLLECTIONS[kind]}/:id`,
    access: 'delete',
    parse: request => ({ id: idOf(request, kind), links: request.dialect.rules.objects.deleteRemovesLinks }),
    run: (context, domain, { id, links }) => deleteObject(context, domain, kind, id, { links }),
    respond: (_, { place, request: { dialect } }) => ({
      status: 200,
      body: dialect.present.objects.deleted(place, kind),
    }),
  })
}

/** What to tell beside the object; `include_links` is known to both dialects (classic 6.3). */
function wantedOf(request: Request, kind: ObjectKind): Wanted {
  const links = kind === 'group' && flag(request, 'include_links')
  if (!request.dialect.rules.objects.describesMore) return { links }
  return {
    links,
    attributes: flag(request, 'include_attrs'),
    alias: flag(request, 'getalias'),
    allocation: kind === 'dataset' && flag(request, 'verbose'),
    order: oldListingOf(request).order,
  }
}

/** The id in the path; or `h5path`, from the group of the path or, without an id, from that of `grpid`. */
function subjectOf(request: Request, kind: ObjectKind): ObjectId | Path {
  const { id = '' } = request.parameters
  if (!request.dialect.rules.objects.describesMore || (id !== '' && kind !== 'group'))
    return idOf(request, kind)
  const path = pathOf(request, id === '' ? undefined : idOf(request, kind))
  if (path) return path
  if (id !== '') return idOf(request, kind)
  throw new HyperslabError(
    'malformed-parameter',
    `the request names no ${kind}: neither its id nor its h5path`,
  )
}

/** A relative path needs a group to start at (hsds-objects 8.7). */
function pathOf(request: Request, group?: ObjectId): Path | undefined {
  const { query } = request.target
  const path = query.get('h5path')
  if (!path || !request.dialect.rules.objects.describesMore) return undefined
  const titles = titlesOf(path)
  if (path.startsWith('/')) return { titles }
  const grpid = query.get('grpid')
  const start = group ?? (grpid ? request.dialect.parseId(grpid, 'group') : undefined)
  if (start) return { start, titles }
  throw new HyperslabError('malformed-path', `h5path=${path} is relative, and no grpid names its group`)
}

function routesOf<K extends ObjectKind>(kind: K, present: PresentObject<K>): readonly Route[] {
  return [
    listObjectsRoute(kind, present),
    getObjectRoute(kind, `/${COLLECTIONS[kind]}/:id`, present),
    deleteObjectRoute(kind),
  ]
}

const group: PresentObject<'group'> = (dialect, place, view) => dialect.present.groups.shown(place, view)
const dataset: PresentObject<'dataset'> = (dialect, place, view) =>
  dialect.present.datasets.shown(place, view)
const datatype: PresentObject<'datatype'> = (dialect, place, view) =>
  dialect.present.datatypes.shown(place, view)

export const objectRoutes: readonly Route[] = [
  ...routesOf('group', group),
  ...routesOf('dataset', dataset),
  ...routesOf('datatype', datatype),
  // A part of an object that nobody knows means the object (classic 2).
  getObjectRoute('group', '/groups/:id/*', group, 'classic'),
  getObjectRoute('dataset', '/datasets/:id/*', dataset, 'classic'),
]
