// Links: `/groups/:id/links`, of one group or of several, and `/groups/:id/links/:title`.

import { HyperslabError } from '@hyperslab/base/errors'
import { linkTitle } from '@hyperslab/model/names'
import type { ListedLink } from '@hyperslab/store/store'
import {
  deleteLink,
  deleteLinks,
  getLink,
  listLinks,
  putLink,
  putLinks,
  readLinks,
  readReachableLinks,
} from '../../service/links/links.ts'
import type { Listing } from '../../service/listing.ts'
import { damageOf, openObject } from '../../service/objects/objects.ts'
import type { MemberQuery } from '../../service/objects/several.ts'
import { parseNewMembers, parseQueries } from '../input/batch-input.ts'
import { linkInput, linkWords } from '../input/link-input.ts'
import { objectBody } from '../input/members.ts'
import { jsonReply } from '../message/message.ts'
import {
  type ListOrMap,
  listOrMap,
  listOrMapReply,
  mapReply,
  type PresentMembers,
} from '../output/batch-output.ts'
import { linkTargetIn, membersIn } from '../route/changes.ts'
import {
  FOLLOW_LINKS,
  LINK_TITLE,
  LISTING,
  listingOf,
  namesQuery,
  PATTERN,
  pathId,
} from '../route/common-parameters.ts'
import { flagQuery } from '../route/parameter.ts'
import { type Answer, type Route, readRoute, writeRoute } from '../route/route.ts'

const GROUP = { group: pathId('group') }
const LINK = { ...GROUP, title: LINK_TITLE }
const LINKS = { ...GROUP, ...LISTING, pattern: PATTERN, follow: FOLLOW_LINKS }

function presentIn({ place, dialect }: Answer): PresentMembers<ListedLink> {
  return { name: 'links', item: (group, link) => dialect.present.links.item(place, group.id, link) }
}

/**
 * Throws if parameters of a listing come with names in the body: all of these links are sent, in its order
 * (hsds-objects 11.6).
 */
function requireNoNames(queries: readonly MemberQuery[], follow: boolean, { limit, order }: Listing): void {
  if (!follow && limit === undefined && order === 'name') return
  if (queries.every(({ names = [] }) => names.length === 0)) return
  const option = follow ? 'follow_links' : order === 'created' ? 'CreateOrder' : 'Limit'
  throw new HyperslabError('malformed-parameter', `${option} has no effect on links that the body names`)
}

/** The links of one group, or with `follow_links` of all groups that hard links reach from it. */
const listRoute = readRoute({
  name: 'list-links',
  method: 'GET',
  path: '/groups/:id/links',
  summary: 'Lists the links of a group.',
  access: 'read',
  parameters: LINKS,
  answers: { 200: { description: 'The links.', json: 'LinkList' } },
  async run(context, domain, { group, follow, pattern, ...given }, dialect) {
    const listing = { ...listingOf(given, dialect), pattern }
    if (!follow) {
      const links = await listLinks(context, domain, group, listing)
      return { links, damage: await damageOf(context, domain, group) }
    }
    return { map: await readReachableLinks(context, domain, [{ kind: 'group', id: group }], listing) }
  },
  respond({ map, links = [], damage }, answer, { group }) {
    const body = answer.dialect.present.links.list(answer.place, group, links)
    if (map === undefined) return { status: 200, body: { ...body, damage } }
    return mapReply(answer, map, presentIn(answer), { hrefs: body.hrefs })
  },
})

/** Routes about the links of several groups, or several links. */
const batchRoutes: readonly Route[] = [
  readRoute({
    name: 'read-links',
    method: 'POST',
    path: '/groups/:id/links',
    summary: 'Reads links by their titles, of one group or of several.',
    access: 'read',
    only: 'hsds',
    parameters: LINKS,
    body: {
      description: 'The titles and the groups.',
      required: true,
      json: 'LinkQuery',
      read: async (body, dialect, { group }) =>
        parseQueries(objectBody(await body.json()), { kind: 'group', id: group }, linkWords(dialect)),
    },
    answers: { 200: { description: 'The links of one group, or a map by group.', json: 'FoundLinks' } },
    async run(
      context,
      domain,
      { body: queries, group, follow, pattern, ...given },
      dialect,
    ): Promise<ListOrMap<ListedLink>> {
      const listing = { ...listingOf(given, dialect), pattern }
      requireNoNames(queries, follow, listing)
      await openObject(context, domain, 'group', group, 'read')
      if (!follow) return listOrMap(await readLinks(context, domain, queries, listing), queries.length)
      const groups = queries.map(({ owner }) => owner)
      return { map: await readReachableLinks(context, domain, groups, listing) }
    },
    respond: (found, answer) => listOrMapReply(answer, found, presentIn(answer)),
  }),

  writeRoute({
    name: 'put-links',
    method: 'PUT',
    path: '/groups/:id/links',
    summary: 'Creates links in one group or in several.',
    access: 'create',
    only: 'hsds',
    parameters: { ...GROUP, replace: flagQuery('replace', 'Links that are there are replaced.') },
    body: {
      description: 'The links and the groups.',
      required: true,
      json: 'NewLinks',
      read: async (body, dialect, { group }) => {
        const path = { kind: 'group', id: group } as const
        const json = objectBody(await body.json())
        return parseNewMembers(json, path, linkWords(dialect), item => linkInput(dialect, item))
      },
    },
    answers: {
      200: { description: 'All links were there already.', json: 'Done' },
      201: { description: 'Links were created or replaced.', json: 'Done' },
    },
    async run(context, domain, { group, body: batch, replace }) {
      await openObject(context, domain, 'group', group, 'create')
      return putLinks(context, domain, batch, { same: 'accept', replace })
    },
    respond: (changed, { dialect }, { body: batch }) => ({
      status: changed ? 201 : 200,
      body: {},
      changed: () => ({ links: membersIn(batch, dialect) }),
    }),
  }),

  writeRoute({
    name: 'delete-links',
    method: 'DELETE',
    path: '/groups/:id/links',
    summary: 'Deletes links of a group by their titles.',
    access: 'delete',
    only: 'hsds',
    parameters: { ...GROUP, ...namesQuery('titles', linkTitle) },
    answers: { 200: { description: 'The links are deleted.', json: 'LinkDeleted' } },
    run: (context, domain, { group, names }) => deleteLinks(context, domain, group, names),
    respond: (_, { place, dialect }, { group, names }) => ({
      ...jsonReply(dialect.present.links.deleted(place, group)),
      changed: () => ({ titles: names }),
    }),
  }),
]

export const linkRoutes: readonly Route[] = [
  listRoute,
  ...batchRoutes,

  readRoute({
    name: 'get-link',
    method: 'GET',
    path: '/groups/:id/links/*',
    summary: 'Describes a link. It is not followed.',
    access: 'read',
    repeatable: true,
    parameters: LINK,
    answers: { 200: { description: 'The link.', json: 'Link' } },
    run: (context, domain, { group, title }) => getLink(context, domain, group, title),
    respond: (link, { place, dialect }, { group }) =>
      jsonReply(dialect.present.links.shown(place, group, link)),
  }),

  writeRoute({
    name: 'put-link',
    method: 'PUT',
    path: '/groups/:id/links/*',
    summary: 'Creates a hard, soft or external link.',
    access: 'create',
    parameters: LINK,
    body: {
      description: 'What the link points to.',
      required: true,
      json: 'NewLink',
      read: async (body, dialect) => linkInput(dialect, objectBody(await body.json())),
    },
    answers: {
      200: { description: 'The same link was there already.', json: 'LinkPut', only: 'hsds' },
      201: { description: 'The link was created.', json: 'LinkPut' },
    },
    run: (context, domain, { group, title, body: target }, { rules }) =>
      putLink(context, domain, group, title, target, { same: rules.links.samePut }),
    respond: (created, { place, dialect }, { group, title, body: target }) => ({
      ...jsonReply(dialect.present.links.put(place, group, title), created ? 201 : 200),
      changed: () => ({ target: linkTargetIn(target, dialect) }),
    }),
  }),

  writeRoute({
    name: 'delete-link',
    method: 'DELETE',
    path: '/groups/:id/links/*',
    summary: 'Deletes a link. The object that it points to stays.',
    access: 'delete',
    parameters: LINK,
    answers: { 200: { description: 'The link is deleted.', json: 'LinkDeleted' } },
    run: (context, domain, { group, title }) => deleteLink(context, domain, group, title),
    respond: (_, { place, dialect }, { group }) => jsonReply(dialect.present.links.deleted(place, group)),
  }),
]
