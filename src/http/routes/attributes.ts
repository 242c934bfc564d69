// Attributes of groups, datasets and committed datatypes: one set of routes for all three.

import { HyperslabError } from '../../errors.ts'
import { parseShape } from '../../hdf5/dataspace.ts'
import { deleteAttribute, getAttribute, listAttributes, putAttribute } from '../../service/attributes.ts'
import { objectBody } from '../body/members.ts'
import { parseTypeUse } from '../body/type-use.ts'
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
      const { rules, references } = request.dialect
      const owner = objectOf(request)
      const name = attributeNameOf(request)
      const body = objectBody(await request.body.json())
      if (rules.strictBodies && body.has('encoding')) {
        throw new HyperslabError('option-unsupported', 'attribute values in Base64 are not supported yet')
      }
      const value = body.get('value')
      const space = parseShape(body.get('shape'), undefined)
      if (rules.nullValue === 'refused' && space.class === 'H5S_NULL' && (value ?? null) !== null) {
        throw new HyperslabError('null-dataspace', 'a null dataspace holds no value, but body.value is given')
      }
      return {
        owner,
        name,
        attribute: {
          type: parseTypeUse(body.get('type'), request.dialect),
          space,
          ...(value !== undefined && { value }),
          valueRequired: rules.attributeValueRequired,
          references,
          checkReferences: rules.checksReferences,
          replace: rules.attributeReplace && flag(request, 'replace'),
          same: rules.samePut,
        },
      }
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
