// Groups: `/groups` and `/groups/:id`.

import type { JsonObject } from '../../hdf5/json.ts'
import { linkTitle } from '../../hdf5/names.ts'
import { createGroup, type NewGroup } from '../../service/groups.ts'
import { listLinks } from '../../service/links.ts'
import { getObject } from '../../service/objects.ts'
import { createAll, created, creationOf, mapOf, newObject } from '../body/creation-input.ts'
import { linkInput } from '../body/link-input.ts'
import { hrefTo, objectPath } from '../dialect/hrefs.ts'
import { flag, idOf } from '../parameters.ts'
import { type Request, type Route, readRoute, writeRoute } from '../route.ts'

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

function newGroup(request: Request, body: JsonObject): NewGroup {
  const { dialect } = request
  const creationProperties = body.get('creationProperties')
  const links = dialect.rules.creationOptions
    ? mapOf(body, 'links', (title, item) => [linkTitle(title), linkInput(dialect, item)])
    : undefined
  return {
    ...newObject(request, 'group', body),
    ...(creationProperties !== undefined && { creationProperties }),
    ...(links && { links }),
  }
}

export const groupRoutes: readonly Route[] = [
  writeRoute({
    name: 'create-group',
    method: 'POST',
    path: '/groups',
    access: 'create',
    async parse(request) {
      const json = await request.body.json()
      return creationOf(request, 'group', json, body => newGroup(request, body))
    },
    run: (context, domain, creation) => createAll(creation, input => createGroup(context, domain, input)),
    respond: (views, { place, request: { dialect } }) => {
      const reply = created(views, view => dialect.present.groupCreated(place, view))
      const [view, ...others] = views
      if (view === undefined || others.length > 0) return reply
      const location = hrefTo({ ...place, suffix: '' }, objectPath(view.object, dialect.formatId))
      return { ...reply, headers: { Location: location, 'Content-Location': location } }
    },
  }),

  getGroup('/groups/:id'),
  getGroup('/groups/:id/*', 'classic'),
]
