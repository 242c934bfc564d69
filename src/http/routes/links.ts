// Links: `/groups/:id/links` and `/groups/:id/links/:title`.

import { HyperslabError } from '../../errors.ts'
import { excerpt, type JsonObject } from '../../hdf5/json.ts'
import { deleteLink, getLink, type LinkRequest, listLinks, putLink } from '../../service/links.ts'
import { kindOf, objectBody, requiredText } from '../body/members.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { idOf, listingOf, titleOf } from '../parameters.ts'
import { type Request, type Route, readRoute, writeRoute } from '../route.ts'

/** What a body says of a new link. */
function linkInput(request: Request, body: JsonObject): LinkRequest {
  const { dialect } = request
  const link = firstForm(dialect, body)
  if (dialect.rules.strictBodies) requireOneForm(body, link)
  return link
}

/** A link is told in one way (contract 20, 11.1; 35, 5.1). */
function requireOneForm(body: JsonObject, link: LinkRequest): void {
  const contradiction = (what: string) => new HyperslabError('malformed-link', `the body of the link ${what}`)
  if ('id' in link) {
    if (body.has('h5path')) throw contradiction('holds both `id` and `h5path`')
  } else if (body.has('h5domain') && body.has('file') && body.get('h5domain') !== body.get('file')) {
    throw contradiction('holds `h5domain` and `file` with different values')
  }
  const asked = body.get('class')
  const told = classOf(link)
  if (asked !== undefined && asked !== told)
    throw contradiction(`is that of a ${told}, not ${excerpt(asked)}`)
}

function classOf(link: LinkRequest): string {
  if ('id' in link) return 'H5L_TYPE_HARD'
  return link.h5domain === undefined ? 'H5L_TYPE_SOFT' : 'H5L_TYPE_EXTERNAL'
}

/** The first form that fits counts (contract 10, 6.7). */
function firstForm(dialect: Dialect, body: JsonObject): LinkRequest {
  if (body.has('id')) {
    const id = requiredText(body, 'id', 'malformed-link')
    if (id === '') throw new HyperslabError('malformed-link', 'body.id must not be empty')
    return dialect.parseTarget(id)
  }
  const h5path = body.get('h5path')
  const h5domain = body.get('h5domain') ?? body.get('file')
  if (h5path === undefined && h5domain === undefined) {
    throw new HyperslabError(
      'malformed-link',
      'the body of a link holds `id` (hard), `h5path` (soft), or `h5path` and `h5domain` (external)',
    )
  }
  if (typeof h5path !== 'string' || h5path === '') {
    throw new HyperslabError(
      'malformed-link',
      `body.h5path must be a text that is not empty, ${h5path === undefined ? 'it is missing' : `not ${kindOf(h5path)}`}`,
    )
  }
  if (h5domain === undefined) return { h5path }
  if (typeof h5domain !== 'string' || h5domain === '') {
    throw new HyperslabError('malformed-link', 'body.h5domain must be a text that is not empty')
  }
  return { h5path, h5domain }
}

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
      target: linkInput(request, objectBody(await request.body.json())),
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
