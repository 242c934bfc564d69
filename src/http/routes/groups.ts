// Creating groups. Listing, describing and deleting them is in objects.ts.

import type { JsonObject } from '../../hdf5/json.ts'
import { linkTitle } from '../../hdf5/names.ts'
import { createGroup, type NewGroup } from '../../service/creation/groups.ts'
import {
  createAll,
  created,
  creationOf,
  creationPropertiesIn,
  mapOf,
  newObject,
} from '../body/creation-input.ts'
import { linkInput } from '../body/link-input.ts'
import { hrefTo, objectPath } from '../dialect/hrefs.ts'
import type { Request } from '../message.ts'
import { oldWriteRoute } from '../old-route.ts'
import type { Route } from '../route.ts'

async function newGroup(request: Request, body: JsonObject): Promise<NewGroup> {
  const { dialect } = request
  const creationProperties = creationPropertiesIn(body)
  const links = dialect.rules.objects.creationOptions
    ? await mapOf(body, 'links', (title, item) => [linkTitle(title), linkInput(dialect, item)])
    : undefined
  return {
    ...(await newObject(request, 'group', body)),
    ...(creationProperties !== undefined && { creationProperties }),
    ...(links && { links }),
  }
}

export const groupRoutes: readonly Route[] = [
  oldWriteRoute({
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
      const reply = created(views, view => dialect.present.groups.created(place, view))
      const [view, ...others] = views
      if (view === undefined || others.length > 0) return reply
      const location = hrefTo({ ...place, suffix: '' }, objectPath(view.object, dialect.formatId))
      return { ...reply, headers: { Location: location, 'Content-Location': location } }
    },
  }),
]
