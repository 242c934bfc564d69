// Attributes of groups, datasets and committed datatypes: one set of routes for all three.

import { HyperslabError } from '@hyperslab/base/errors'
import { isVariableSize } from '@hyperslab/model/datatype'
import { attributeName } from '@hyperslab/model/names'
import { decodeBase64 } from '@hyperslab/model/values'
import type { ListedAttribute } from '@hyperslab/store/store'
import {
  deleteAttribute,
  deleteAttributes,
  getAttribute,
  listAttributes,
  putAttribute,
  putAttributes,
  putAttributeValue,
  readAttributes,
  readReachableAttributes,
} from '../../service/attributes/attributes.ts'
import { damageOf, openObject } from '../../service/objects/objects.ts'
import { areLong } from '../dialect/attribute-json.ts'
import type { Dialect, ShownValues } from '../dialect/dialect.ts'
import {
  attributeBody,
  attributeInput,
  attributeWords,
  parseNewAttributes,
  parseNewValue,
} from '../input/attribute-input.ts'
import { parseQueries } from '../input/batch-input.ts'
import { objectBody } from '../input/members.ts'
import { OCTETS } from '../message/content-types.ts'
import { jsonReply, type RequestHead } from '../message/message.ts'
import { STRING } from '../message/schema.ts'
import { attributeReply, valueBytes } from '../output/attribute-output.ts'
import { listOrMap, listOrMapReply, mapReply, type PresentMembers } from '../output/batch-output.ts'
import { membersIn } from '../route/changes.ts'
import {
  FOLLOW_LINKS,
  LISTING,
  listingOf,
  namesQuery,
  PATH_OBJECT,
  PATTERN,
  pathAttributeName,
} from '../route/common-parameters.ts'
import { flagQuery, isTrue, optionalQuery } from '../route/parameter.ts'
import { type Answer, type Route, readRoute, writeRoute } from '../route/route.ts'
import { ENCODING, SHOWN_VALUES, shownValues } from '../route/shown-values.ts'

const OBJECT = { owner: PATH_OBJECT }
const ATTRIBUTE = { ...OBJECT, name: pathAttributeName() }
const ATTRIBUTE_OF_VALUE = { ...OBJECT, name: pathAttributeName('value') }

const REPLACE = flagQuery('replace', 'An attribute that is there is replaced.', 'hsds')

/** Parameters that decide which attributes of a list come with their values, and in which form (hsds-objects 12.6). */
const SHOWN_IN_LIST = {
  ...SHOWN_VALUES,
  values: flagQuery('IncludeData', 'Attributes come with their values.', 'hsds'),
}

/** The attributes of one object, or with `follow_links` of all objects that hard links reach from a group. */
export function listAttributesAt(path: string, only?: Dialect['name']): Route {
  return readRoute({
    name: 'list-attributes',
    method: 'GET',
    path,
    summary: 'Lists the attributes of an object.',
    access: 'read',
    ...(only && { only }),
    parameters: { ...OBJECT, follow: FOLLOW_LINKS, ...LISTING, pattern: PATTERN, ...SHOWN_IN_LIST },
    answers: { 200: { description: 'The attributes.', json: 'AttributeList' } },
    async run(context, domain, { owner, follow, pattern, ...given }, dialect) {
      const listing = { ...listingOf(given, dialect), pattern }
      if (!follow) {
        const attributes = await listAttributes(context, domain, owner, listing)
        return { attributes, damage: await damageOf(context, domain, owner.id) }
      }
      if (owner.kind === 'group')
        return { map: await readReachableAttributes(context, domain, owner, listing) }
      throw new HyperslabError(
        'malformed-parameter',
        `follow_links must be absent: a ${owner.kind} has no links`,
      )
    },
    respond({ map, attributes = [], damage }, answer, { owner, ...given }) {
      const shown = shownValues(given)
      const body = answer.dialect.present.attributes.list(answer.place, owner, attributes, shown)
      if (map === undefined) return { status: 200, body: { ...body, damage } }
      return mapReply(answer, map, presentIn(answer, shown), { hrefs: body.hrefs })
    },
  })
}

function presentIn({ place, dialect }: Answer, shown: ShownValues): PresentMembers<ListedAttribute> {
  const { present } = dialect
  return {
    name: 'attributes',
    item: (_, attribute) => present.attributes.item(place, attribute, shown),
    areLong: attributes => shown.values && areLong(attributes),
  }
}

/** With `encoding` the names and their separators together are Base64 (hsds-objects 12.10). */
function decodeNames(text: string, head: RequestHead): string {
  if (ENCODING.read(head) === undefined) return text
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(decodeBase64(text))
  } catch (cause) {
    const message = 'with encoding=base64, attr_names must be the Base64 of names in UTF-8'
    throw new HyperslabError('malformed-parameter', message, { cause })
  }
}

const BATCH_PATH = '/:collection/:id/attributes'

/** Routes about the attributes of several objects, or several attributes. */
const batchRoutes: readonly Route[] = [
  readRoute({
    name: 'read-attributes',
    method: 'POST',
    path: BATCH_PATH,
    summary: 'Reads attributes by their names, of one object or of several.',
    access: 'read',
    only: 'hsds',
    parameters: { ...OBJECT, ...SHOWN_IN_LIST },
    body: {
      description: 'The names and the objects.',
      required: true,
      json: 'AttributeQuery',
      read: async (body, dialect, { owner }) =>
        parseQueries(objectBody(await body.json()), owner, attributeWords(dialect)),
    },
    answers: {
      200: { description: 'The attributes of one object, or a map by object.', json: 'FoundAttributes' },
    },
    async run(context, domain, { owner, body: queries }) {
      await openObject(context, domain, owner.kind, owner.id, 'read')
      return listOrMap(await readAttributes(context, domain, queries), queries.length)
    },
    respond: (found, answer, given) => listOrMapReply(answer, found, presentIn(answer, shownValues(given))),
  }),

  writeRoute({
    name: 'put-attributes',
    method: 'PUT',
    path: BATCH_PATH,
    summary: 'Creates attributes of one object or of several.',
    access: 'create',
    only: 'hsds',
    parameters: { ...OBJECT, replace: REPLACE },
    body: {
      description: 'The attributes and the objects.',
      required: true,
      json: 'NewAttributes',
      read: async (body, dialect, { owner, replace }) =>
        parseNewAttributes(dialect, objectBody(await body.json()), owner, replace),
    },
    answers: {
      200: { description: 'All attributes were there already.', json: 'Done' },
      201: { description: 'Attributes were created or replaced.', json: 'Done' },
    },
    async run(context, domain, { owner, body: batch }) {
      await openObject(context, domain, owner.kind, owner.id, 'create')
      return putAttributes(context, domain, batch)
    },
    respond: (changed, { dialect }, { body: batch }) => ({
      status: changed ? 201 : 200,
      body: {},
      changed: () => ({ attributes: membersIn(batch, dialect) }),
    }),
  }),

  writeRoute({
    name: 'delete-attributes',
    method: 'DELETE',
    path: BATCH_PATH,
    summary: 'Deletes attributes of an object by their names.',
    access: 'delete',
    only: 'hsds',
    parameters: {
      ...OBJECT,
      encoding: { ...ENCODING, description: 'base64: attr_names is the Base64 of the names in UTF-8.' },
      ...namesQuery('attr_names', attributeName, decodeNames),
    },
    answers: { 200: { description: 'The attributes are deleted.', json: 'AttributesDeleted' } },
    run: (context, domain, { owner, names }) => deleteAttributes(context, domain, owner, names),
    respond: (_, __, { names }) => ({
      status: 200,
      body: { hrefs: [] },
      changed: () => ({ attr_names: names }),
    }),
  }),
]

/** One attribute comes with its value unless `IncludeData` is false (hsds-objects 12.3). */
const INCLUDE_DATA = optionalQuery({
  name: 'IncludeData',
  description: 'Whether the attribute comes with its value; true by default.',
  schema: { ...STRING, examples: ['0'] },
  only: 'hsds',
  parse: isTrue,
})

/** The routes of one attribute, whose name is the end of the path. */
export function attributeAt(path: string, only?: Dialect['name']): readonly Route[] {
  const location = { path, ...(only && { only }) }
  return [getAttributeAt(location), putAttributeAt(location), deleteAttributeAt(location)]
}

type Location = Pick<Route, 'path' | 'only'>

function getAttributeAt(location: Location): Route {
  return readRoute({
    name: 'get-attribute',
    method: 'GET',
    ...location,
    summary: 'Describes an attribute, with its value.',
    access: 'read',
    repeatable: true,
    parameters: { ...ATTRIBUTE, values: INCLUDE_DATA, encoding: ENCODING },
    answers: { 200: { description: 'The attribute.', json: 'Attribute' } },
    run: (context, domain, { owner, name }) => getAttribute(context, domain, owner, name),
    respond(attribute, answer, { owner, values = true, encoding }) {
      const { place, dialect } = answer
      const shown = { values, base64: encoding !== undefined }
      const body = dialect.present.attributes.shown(place, owner, attribute, shown)
      return attributeReply(attribute, body, answer)
    },
  })
}

function putAttributeAt(location: Location): Route {
  return writeRoute({
    name: 'put-attribute',
    method: 'PUT',
    ...location,
    summary: 'Creates an attribute.',
    access: 'create',
    streamsBody: true,
    parameters: { ...ATTRIBUTE, replace: REPLACE },
    body: {
      description: 'The type, the shape and the value.',
      required: true,
      json: 'NewAttribute',
      read: async (body, dialect) => attributeInput(dialect, await attributeBody(body)),
    },
    answers: {
      200: { description: 'The same attribute was there already.', json: 'AttributePut', only: 'hsds' },
      201: { description: 'The attribute was created or replaced.', json: 'AttributePut' },
    },
    run: (context, domain, { owner, name, replace, body: attribute }) =>
      putAttribute(context, domain, owner, name, { ...attribute, replace }),
    respond: (changed, { place, dialect }, { owner, name }) =>
      jsonReply(dialect.present.attributes.put(place, owner, name), changed ? 201 : 200),
  })
}

function deleteAttributeAt(location: Location): Route {
  return writeRoute({
    name: 'delete-attribute',
    method: 'DELETE',
    ...location,
    summary: 'Deletes an attribute.',
    access: 'delete',
    parameters: ATTRIBUTE,
    answers: { 200: { description: 'The attribute is deleted.', json: 'AttributeDeleted' } },
    run: (context, domain, { owner, name }) => deleteAttribute(context, domain, owner, name),
    respond: (_, { place, dialect }, { owner }) =>
      jsonReply(dialect.present.attributes.deleted(place, owner)),
  })
}

export const VALUE_PATH = '/:collection/:id/attributes/:name/value'

const attributeValueRoutes: readonly Route[] = [
  readRoute({
    name: 'get-attribute-value',
    method: 'GET',
    path: VALUE_PATH,
    summary: 'Reads the value of an attribute.',
    access: 'read',
    answersValues: true,
    only: 'hsds',
    parameters: {
      ...ATTRIBUTE_OF_VALUE,
      encoding: ENCODING,
      accept: {
        name: 'Accept',
        in: 'header',
        description: `${OCTETS}: a value of fixed size comes as bytes.`,
        schema: STRING,
        read: ({ headers }: RequestHead) => headers.accept,
      },
    },
    answers: {
      200: {
        description:
          'The value: bytes if the request accepts bytes and the type has a fixed size, else JSON.',
        json: 'AttributeValue',
        bytes: 'The elements, packed, in the byte order of the type.',
      },
    },
    async run(context, domain, { owner, name }) {
      const attribute = await getAttribute(context, domain, owner, name)
      if (attribute.space.class !== 'H5S_NULL') return attribute
      throw new HyperslabError(
        'null-dataspace',
        `the attribute "${name}" has a null dataspace, and so no value to read`,
      )
    },
    respond(attribute, answer, { owner, encoding, accept }) {
      const { place, dialect } = answer
      if (accept === OCTETS && !isVariableSize(attribute.type)) {
        return { status: 200, stream: valueBytes(attribute, answer) }
      }
      const shown = { values: true, base64: encoding !== undefined }
      const body = dialect.present.attributes.shown(place, owner, attribute, shown)
      return attributeReply(
        attribute,
        { value: body.value, encoding: body.encoding, hrefs: body.hrefs },
        answer,
      )
    },
  }),

  writeRoute({
    name: 'put-attribute-value',
    method: 'PUT',
    path: VALUE_PATH,
    summary: 'Writes the value of an attribute. Its type and shape stay.',
    access: 'update',
    only: 'hsds',
    streamsBody: true,
    parameters: ATTRIBUTE_OF_VALUE,
    body: {
      description: 'The whole value.',
      required: true,
      json: 'NewAttributeValue',
      bytes: 'The elements, packed, in the byte order of the type, which has a fixed size.',
      read: (body, dialect) => parseNewValue(dialect, body),
    },
    answers: { 200: { description: 'The value is written.', json: 'AttributePut' } },
    run: (context, domain, { owner, name, body: value }) =>
      putAttributeValue(context, domain, owner, name, value),
    respond: (_, { place, dialect }, { owner, name }) =>
      jsonReply(dialect.present.attributes.put(place, owner, name)),
  }),
]

export const attributeRoutes: readonly Route[] = [
  listAttributesAt(BATCH_PATH),
  ...batchRoutes,
  ...attributeAt('/:collection/:id/attributes/*'),
  ...attributeValueRoutes,
]
