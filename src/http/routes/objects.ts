// What groups, datasets and committed datatypes have in common: their collections, and being deleted.

import { COLLECTIONS, type ObjectKind } from '../../hdf5/object-id.ts'
import { deleteObject, listObjects } from '../../service/objects.ts'
import { idOf, listingOf } from '../parameters.ts'
import { type Route, readRoute, writeRoute } from '../route.ts'

const KINDS: readonly ObjectKind[] = ['group', 'dataset', 'datatype']

function listObjectsRoute(kind: ObjectKind): Route {
  return readRoute({
    name: `list-${COLLECTIONS[kind]}`,
    method: 'GET',
    path: `/${COLLECTIONS[kind]}`,
    access: 'read',
    parse(request) {
      const { marker, ...listing } = listingOf(request)
      return {
        ...listing,
        marker: marker === undefined ? undefined : request.dialect.parseId(marker, kind),
        reachable: !request.dialect.rules.listsUnlinked,
      }
    },
    run: (context, domain, listing) => listObjects(context, domain, kind, listing),
    respond: (ids, { place, request: { dialect } }) => ({
      status: 200,
      body: dialect.present.collection(place, kind, ids),
    }),
  })
}

function deleteObjectRoute(kind: ObjectKind): Route {
  return writeRoute({
    name: `delete-${kind}`,
    method: 'DELETE',
    path: `/${COLLECTIONS[kind]}/:id`,
    access: 'delete',
    parse: request => ({ id: idOf(request, kind), links: request.dialect.rules.deleteRemovesLinks }),
    run: (context, domain, { id, links }) => deleteObject(context, domain, kind, id, { links }),
    respond: (_, { place, request: { dialect } }) => ({
      status: 200,
      body: dialect.present.objectDeleted(place, kind),
    }),
  })
}

export const objectRoutes: readonly Route[] = KINDS.flatMap(kind => [
  listObjectsRoute(kind),
  deleteObjectRoute(kind),
])
