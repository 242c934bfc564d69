// Attributes of groups, datasets and committed datatypes: one set of routes for all three.

import { deleteAttribute, getAttribute, listAttributes, putAttribute } from '../../service/attributes.ts'
import { attributeInput } from '../body/attribute-input.ts'
import { objectBody } from '../body/members.ts'
import { attributeNameOf, flag, listingOf, objectOf } from '../parameters.ts'
import { type Request, type Route, readRoute, writeRoute } from '../route.ts'

/** One attribute comes with its value unless `IncludeData` says no. */
function showsValue(request: Request): boolean {
  const isAsked = request.dialect.rules.listingOptions && request.target.query.get('IncludeData')
  return !isAsked || flag(request, 'IncludeData')
}

function listAttributesAt(path: string, only?: 'classic'): Route {
  return readRoute({
    name: 'list-attributes',
    method: 'GET',
    path,
    access: 'read',
    ...(only && { only }),
    parse: request => ({
      owner: objectOf(request),
      listing: listingOf(request),
      values: request.dialect.rules.listingOptions && flag(request, 'IncludeData'),
    }),
    run: (context, domain, { owner, listing }) => listAttributes(context, domain, owner, listing),
    respond: (attributes, { place, request: { dialect } }, { owner, values }) => ({
      status: 200,
      body: dialect.present.attributes(place, owner, attributes, { values }),
    }),
  })
}

export const attributeRoutes: readonly Route[] = [
  listAttributesAt('/:collection/:id/attributes'),
  // Where the name would follow there is none (contract 10, 3.5).
  listAttributesAt('/:collection/:id/attributes/', 'classic'),

  readRoute({
    name: 'get-attribute',
    method: 'GET',
    path: '/:collection/:id/attributes/*',
    access: 'read',
    parse: request => ({
      owner: objectOf(request),
      name: attributeNameOf(request),
      values: showsValue(request),
    }),
    run: (context, domain, { owner, name }) => getAttribute(context, domain, owner, name),
    respond: (attribute, { place, request: { dialect } }, { owner, values }) => ({
      status: 200,
      body: dialect.present.attribute(place, owner, attribute, { values }),
    }),
  }),

  writeRoute({
    name: 'put-attribute',
    method: 'PUT',
    path: '/:collection/:id/attributes/*',
    access: 'create',
    async parse(request) {
      const owner = objectOf(request)
      const name = attributeNameOf(request)
      const attribute = attributeInput(request.dialect, objectBody(await request.body.json()))
      const replace = request.dialect.rules.attributeReplace && flag(request, 'replace')
      return { owner, name, attribute: { ...attribute, replace } }
    },
    run: (context, domain, { owner, name, attribute }) =>
      putAttribute(context, domain, owner, name, attribute),
    respond: ({ changed }, { place, request: { dialect } }, { owner, name }) => ({
      status: changed ? 201 : 200,
      body: dialect.present.attributePut(place, owner, name),
    }),
  }),

  writeRoute({
    name: 'delete-attribute',
    method: 'DELETE',
    path: '/:collection/:id/attributes/*',
    access: 'delete',
    parse: request => ({ owner: objectOf(request), name: attributeNameOf(request) }),
    run: (context, domain, { owner, name }) => deleteAttribute(context, domain, owner, name),
    respond: (_, { place, request: { dialect } }, { owner }) => ({
      status: 200,
      body: dialect.present.attributeDeleted(place, owner),
    }),
  }),
]
