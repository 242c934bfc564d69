// Creating groups. Listing, describing and deleting them is in objects.ts.

import type { JsonObject } from '@hyperslab/model/json'
import { linkTitle } from '@hyperslab/model/names'
import { createGroup, type NewGroup } from '../../service/creation/groups.ts'
import { addressInHeader, hrefTo, objectPath } from '../dialect/hrefs.ts'
import {
  CREATION,
  type CreationGrammar,
  createAll,
  creationPropertiesIn,
  creationReply,
  parseCreation,
  parseMap,
  parseNewObject,
} from '../input/creation-input.ts'
import { linkInput } from '../input/link-input.ts'
import { creationOptionsIn } from '../input/members.ts'
import { createdIn } from '../route/changes.ts'
import { type Route, writeRoute } from '../route/route.ts'

async function parseNewGroup(body: JsonObject, grammar: CreationGrammar): Promise<NewGroup> {
  const { dialect } = grammar
  const creationProperties = creationPropertiesIn(body)
  const options = creationOptionsIn(body, dialect)
  const links = options.has('links')
    ? await parseMap(options, 'links', (title, item) => [linkTitle(title), linkInput(dialect, item)])
    : undefined
  return { creationProperties, links, ...(await parseNewObject(body, grammar)) }
}

export const groupRoutes: readonly Route[] = [
  writeRoute({
    name: 'create-group',
    method: 'POST',
    path: '/groups',
    summary: 'Creates a group; in the hsds dialect also several.',
    access: 'create',
    parameters: CREATION,
    body: {
      description: 'Where the group is linked; without a body it is linked nowhere.',
      required: false,
      json: 'NewGroup',
      async read(body, dialect, { implicit }) {
        const grammar = { kind: 'group', dialect, implicit } as const
        return parseCreation(await body.json(), grammar, item => parseNewGroup(item, grammar))
      },
    },
    answers: { 201: { description: 'The group, or the groups.', json: 'GroupCreated' } },
    run: (context, domain, { body }) =>
      createAll(context, body, (input, place) => createGroup(context, domain, input, place)),
    respond: (views, { place, dialect }, { body }) => {
      const reply = creationReply(
        views,
        view => dialect.present.groups.created(place, view),
        () => createdIn(views, body.items, dialect),
      )
      const [view, ...others] = views
      if (view === undefined || others.length > 0) return reply
      const href = hrefTo({ ...place, suffix: '' }, objectPath(view.object, dialect.formatId))
      const location = addressInHeader(href)
      return { ...reply, headers: { Location: location, 'Content-Location': location } }
    },
  }),
]
