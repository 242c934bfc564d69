// Groups: `/groups` and `/groups/:id`.

import { createGroup } from '../../service/groups.ts'
import { listLinks } from '../../service/links.ts'
import { getObject } from '../../service/objects.ts'
import { optionalObjectBody } from '../body/members.ts'
import { hrefTo, objectPath } from '../dialect/hrefs.ts'
import { flag, idOf, newLinkOf } from '../parameters.ts'
import { type Route, readRoute, writeRoute } from '../route.ts'

/** The group at a path; a part of a group that nobody knows means the group (contract 10, 2). */
function getGroup(path: string, only?: 'classic'): Route {
  return readRoute({
    name: 'get-group',
    method: 'GET',
    path,
    access: 'read',
    ...(only && { only }),
    parse: request => ({
      id: idOf(request, 'group'),
      includeLinks: flag(request, 'include_links'),
    }),
    async run(context, domain, { id, includeLinks }) {
      const view = await getObject(context, domain, 'group', id)
      return { view, links: includeLinks ? await listLinks(context, domain, id, {}) : undefined }
    },
    respond: ({ view, links }, { place, request: { dialect } }) => ({
      status: 200,
      body: dialect.present.group(place, view, links),
    }),
  })
}

export const groupRoutes: readonly Route[] = [
  writeRoute({
    name: 'create-group',
    method: 'POST',
    path: '/groups',
    access: 'create',
    async parse(request) {
      const body = optionalObjectBody(await request.body.json())
      const link = newLinkOf(request, body)
      const creationProperties = body.get('creationProperties')
      return {
        ...(link !== undefined && { link }),
        ...(creationProperties !== undefined && { creationProperties }),
      }
    },
    run: createGroup,
    respond: (view, { place, request: { dialect } }) => {
      const { id } = view.object
      const location = hrefTo({ ...place, suffix: '' }, objectPath({ kind: 'group', id }, dialect.formatId))
      return {
        status: 201,
        headers: { Location: location, 'Content-Location': location },
        body: dialect.present.groupCreated(place, view),
      }
    },
  }),

  getGroup('/groups/:id'),
  getGroup('/groups/:id/*', 'classic'),
]
