// Links: `/groups/:id/links` and `/groups/:id/links/:title`.

import { deleteLink, getLink, listLinks, putLink } from '../../service/links.ts'
import { linkInput } from '../body/link-input.ts'
import { objectBody } from '../body/members.ts'
import { idOf, listingOf, titleOf } from '../parameters.ts'
import { type Route, readRoute, writeRoute } from '../route.ts'

export const linkRoutes: readonly Route[] = [
  readRoute({
    name: 'list-links',
    method: 'GET',
    path: '/groups/:id/links',
    access: 'read',
    parse: request => ({ id: idOf(request, 'group'), listing: listingOf(request) }),
    run: (context, domain, { id, listing }) => listLinks(context, domain, id, listing),
    respond: (links, { place, request: { dialect } }, { id }) => ({
      status: 200,
      body: dialect.present.links(place, id, links),
    }),
  }),

  readRoute({
    name: 'get-link',
    method: 'GET',
    path: '/groups/:id/links/*',
    access: 'read',
    parse: request => ({ group: idOf(request, 'group'), title: titleOf(request) }),
    run: (context, domain, { group, title }) => getLink(context, domain, group, title),
    respond: (link, { place, request: { dialect } }, { group }) => ({
      status: 200,
      body: dialect.present.link(place, group, link),
    }),
  }),

  writeRoute({
    name: 'put-link',
    method: 'PUT',
    path: '/groups/:id/links/*',
    access: 'create',
    parse: async request => ({
      group: idOf(request, 'group'),
      title: titleOf(request),
      target: linkInput(request.dialect, objectBody(await request.body.json())),
      same: request.dialect.rules.samePut,
    }),
    run: (context, domain, { group, title, target, same }) =>
      putLink(context, domain, group, title, target, { same }),
    respond: ({ created }, { place, request: { dialect } }, { group, title }) => ({
      status: created ? 201 : 200,
      body: dialect.present.linkPut(place, group, title),
    }),
  }),

  writeRoute({
    name: 'delete-link',
    method: 'DELETE',
    path: '/groups/:id/links/*',
    access: 'delete',
    parse: request => ({ group: idOf(request, 'group'), title: titleOf(request) }),
    run: (context, domain, { group, title }) => deleteLink(context, domain, group, title),
    respond: (_, { place, request: { dialect } }, { group }) => ({
      status: 200,
      body: dialect.present.linkDeleted(place, group),
    }),
  }),
]
