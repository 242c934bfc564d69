// Links: `/groups/:id/links`, of one group or of several, and `/groups/:id/links/:title`.

import { HyperslabError } from '../../errors.ts'
import { linkTitle } from '../../hdf5/names.ts'
import {
  deleteLink,
  deleteLinks,
  getLink,
  listLinks,
  putLink,
  putLinks,
  readLinks,
  readReachableLinks,
} from '../../service/links.ts'
import type { Listing } from '../../service/listing.ts'
import type { Link } from '../../service/model.ts'
import { openObject } from '../../service/objects.ts'
import type { Asked } from '../../service/several.ts'
import { askedIn, givenIn } from '../body/batch-input.ts'
import {
  type ListOrMap,
  listOrMap,
  listOrMapReply,
  mapReply,
  type PresentMembers,
} from '../body/batch-output.ts'
import { linkInput, linkWords } from '../body/link-input.ts'
import { objectBody } from '../body/members.ts'
import type { Request } from '../message.ts'
import { type Answer, oldReadRoute, oldWriteRoute } from '../old-route.ts'
import { flag, followsLinks, idOf, listingOf, namesIn, patternOf, titleOf } from '../parameters.ts'
import type { Route } from '../route.ts'

function linksListing(request: Request): Listing {
  return { ...listingOf(request), pattern: patternOf(request) }
}

function presentIn({ place, request }: Answer): PresentMembers<Link> {
  const { present } = request.dialect
  return { name: 'links', item: (group, link) => present.links.item(place, group.id, link) }
}

/** Links that are named are neither paged nor ordered otherwise than they are named (hsds-objects 11.6). */
function requireNoNames(asked: readonly Asked[], follow: boolean, { limit, order }: Listing): void {
  if (!follow && limit === undefined && order === 'name') return
  if (asked.every(({ names = [] }) => names.length === 0)) return
  const option = follow ? 'follow_links' : order === 'created' ? 'CreateOrder' : 'Limit'
  throw new HyperslabError('malformed-parameter', `${option} has no effect on links that the body names`)
}

/** One group, or with `follow_links` all groups that hard links reach from it. */
const listRoute = oldReadRoute({
  name: 'list-links',
  method: 'GET',
  path: '/groups/:id/links',
  access: 'read',
  parse: request => ({
    id: idOf(request, 'group'),
    listing: linksListing(request),
    follow: followsLinks(request),
  }),
  run: async (context, domain, { id, listing, follow }) =>
    follow
      ? { told: await readReachableLinks(context, domain, [{ kind: 'group', id }], listing) }
      : { links: await listLinks(context, domain, id, listing) },
  respond({ told, links = [] }, answer, { id }) {
    const body = answer.request.dialect.present.links.list(answer.place, id, links)
    if (told === undefined) return { status: 200, body }
    return mapReply(answer, told, presentIn(answer), { hrefs: body.hrefs })
  },
})

/** Routes about the links of several groups, or several links. */
const batchRoutes: readonly Route[] = [
  oldReadRoute({
    name: 'read-links',
    method: 'POST',
    path: '/groups/:id/links',
    access: 'read',
    only: 'hsds',
    async parse(request) {
      const path = { kind: 'group', id: idOf(request, 'group') } as const
      const asked = await askedIn(objectBody(await request.body.json()), path, linkWords(request.dialect))
      const listing = linksListing(request)
      const follow = followsLinks(request)
      requireNoNames(asked, follow, listing)
      return { path, asked, listing, follow }
    },
    async run(context, domain, { path, asked, listing, follow }): Promise<ListOrMap<Link>> {
      await openObject(context, domain, 'group', path.id, 'read')
      if (!follow) return listOrMap(await readLinks(context, domain, asked, listing), asked.length)
      const groups = asked.map(({ owner }) => owner)
      return { map: await readReachableLinks(context, domain, groups, listing) }
    },
    respond: (found, answer) => listOrMapReply(answer, found, presentIn(answer)),
  }),

  oldWriteRoute({
    name: 'put-links',
    method: 'PUT',
    path: '/groups/:id/links',
    access: 'create',
    only: 'hsds',
    async parse(request) {
      const { dialect } = request
      const path = { kind: 'group', id: idOf(request, 'group') } as const
      const body = objectBody(await request.body.json())
      const given = await givenIn(body, path, linkWords(dialect), item => linkInput(dialect, item))
      const conflicts = { same: dialect.rules.links.samePut, replace: flag(request, 'replace') }
      return { path, given, conflicts }
    },
    async run(context, domain, { path, given, conflicts }) {
      await openObject(context, domain, 'group', path.id, 'create')
      return putLinks(context, domain, given, conflicts)
    },
    respond: changed => ({ status: changed ? 201 : 200, body: {} }),
  }),

  oldWriteRoute({
    name: 'delete-links',
    method: 'DELETE',
    path: '/groups/:id/links',
    access: 'delete',
    only: 'hsds',
    parse: request => ({ group: idOf(request, 'group'), titles: namesIn(request, 'titles', linkTitle) }),
    run: (context, domain, { group, titles }) => deleteLinks(context, domain, group, titles),
    respond: (_, { place, request: { dialect } }, { group }) => ({
      status: 200,
      body: dialect.present.links.deleted(place, group),
    }),
  }),
]

export const linkRoutes: readonly Route[] = [
  listRoute,
  ...batchRoutes,

  oldReadRoute({
    name: 'get-link',
    method: 'GET',
    path: '/groups/:id/links/*',
    access: 'read',
    repeatable: true,
    parse: request => ({ group: idOf(request, 'group'), title: titleOf(request) }),
    run: (context, domain, { group, title }) => getLink(context, domain, group, title),
    respond: (link, { place, request: { dialect } }, { group }) => ({
      status: 200,
      body: dialect.present.links.shown(place, group, link),
    }),
  }),

  oldWriteRoute({
    name: 'put-link',
    method: 'PUT',
    path: '/groups/:id/links/*',
    access: 'create',
    parse: async request => ({
      group: idOf(request, 'group'),
      title: titleOf(request),
      target: linkInput(request.dialect, objectBody(await request.body.json())),
      same: request.dialect.rules.links.samePut,
    }),
    run: (context, domain, { group, title, target, same }) =>
      putLink(context, domain, group, title, target, { same }),
    respond: (created, { place, request: { dialect } }, { group, title }) => ({
      status: created ? 201 : 200,
      body: dialect.present.links.put(place, group, title),
    }),
  }),

  oldWriteRoute({
    name: 'delete-link',
    method: 'DELETE',
    path: '/groups/:id/links/*',
    access: 'delete',
    parse: request => ({ group: idOf(request, 'group'), title: titleOf(request) }),
    run: (context, domain, { group, title }) => deleteLink(context, domain, group, title),
    respond: (_, { place, request: { dialect } }, { group }) => ({
      status: 200,
      body: dialect.present.links.deleted(place, group),
    }),
  }),
]
