// Attributes of groups, datasets and committed datatypes: one set of routes for all three.

import { HyperslabError } from '../../errors.ts'
import { isVariableSize } from '../../hdf5/datatype/layout.ts'
import { attributeName } from '../../hdf5/names.ts'
import type { ObjectReference } from '../../hdf5/object-id.ts'
import { decodeBase64 } from '../../hdf5/values/base64.ts'
import {
  deleteAttribute,
  deleteAttributes,
  getAttribute,
  listAttributes,
  type NewAttributeValue,
  putAttribute,
  putAttributes,
  putAttributeValue,
  readAttributes,
  readReachableAttributes,
} from '../../service/attributes/attributes.ts'
import type { Attribute } from '../../service/model.ts'
import { openObject } from '../../service/objects/objects.ts'
import {
  attributeBody,
  attributeInput,
  attributesInput,
  attributeWords,
  binaryValue,
  sentValue,
} from '../body/attribute-input.ts'
import { areLong, attributeReply, valueBytes } from '../body/attribute-output.ts'
import { parseQueries } from '../body/batch-input.ts'
import { listOrMap, listOrMapReply, mapReply, type PresentMembers } from '../body/batch-output.ts'
import { isBinary, OCTETS } from '../body/content-types.ts'
import { objectBody } from '../body/members.ts'
import type { ShownValues } from '../dialect/dialect.ts'
import type { Reply, Request } from '../message.ts'
import { oldReadRoute, oldWriteRoute } from '../old-route.ts'
import {
  attributeNameOf,
  flag,
  followsLinks,
  namesIn,
  objectOf,
  oldListingOf,
  patternOf,
} from '../parameters.ts'
import type { Answer, Route } from '../route.ts'

/** One attribute comes with its value unless `IncludeData` says no. */
function showsValue(request: Request): boolean {
  const isAsked = request.dialect.rules.listings.options && request.target.query.get('IncludeData')
  return !isAsked || flag(request, 'IncludeData')
}

/** Whether values are asked for as Base64, the only `encoding` there is. */
function isBase64Asked(request: Request): boolean {
  const encoding = request.dialect.rules.listings.options && request.target.query.get('encoding')
  if (!encoding) return false
  if (encoding === 'base64') return true
  throw new HyperslabError('malformed-parameter', `encoding=${encoding}: it can be base64 only`)
}

/**
 * Listings show values when they are asked to, and those that are not larger than `max_data_size` (hsds-objects 12.6).
 */
function shownInList(request: Request): ShownValues {
  if (!request.dialect.rules.listings.options) return { values: false }
  const most = request.target.query.get('max_data_size') ?? ''
  if (!/^\s*\d{0,15}\s*$/.test(most)) {
    throw new HyperslabError('malformed-parameter', `max_data_size=${most}: not a whole number of bytes`)
  }
  const shown = { values: flag(request, 'IncludeData'), base64: isBase64Asked(request) }
  return Number(most) > 0 ? { ...shown, maxDataSize: Number(most) } : shown
}

/** One object, or with `follow_links` all that hard links reach from a group. */
function listAttributesAt(path: string, only?: 'classic'): Route {
  return oldReadRoute({
    name: 'list-attributes',
    method: 'GET',
    path,
    access: 'read',
    ...(only && { only }),
    parse(request) {
      const owner = objectOf(request)
      const follow = followsLinks(request)
      if (follow && owner.kind !== 'group') {
        throw new HyperslabError('malformed-parameter', `follow_links: no links lead on from a ${owner.kind}`)
      }
      const listing = { ...oldListingOf(request), pattern: patternOf(request) }
      return { owner, follow, listing, shown: shownInList(request) }
    },
    run: async (context, domain, { owner, follow, listing }) =>
      follow
        ? { told: await readReachableAttributes(context, domain, owner, listing) }
        : { attributes: await listAttributes(context, domain, owner, listing) },
    respond({ told, attributes = [] }, answer, { owner, shown }) {
      const body = answer.request.dialect.present.attributes.list(answer.place, owner, attributes, shown)
      if (told === undefined) return { status: 200, body }
      return mapReply(answer, told, presentIn(answer, shown), { hrefs: body.hrefs })
    },
  })
}

function presentIn({ place, request }: Answer, shown: ShownValues): PresentMembers<Attribute> {
  const { present } = request.dialect
  return {
    name: 'attributes',
    item: (_, attribute) => present.attributes.item(place, attribute, shown),
    areLong: attributes => shown.values && areLong(attributes),
  }
}

/** Base64 of all names at once, where `encoding` says so (hsds-objects 12.10). */
function encodedNames(request: Request): readonly string[] {
  if (!isBase64Asked(request)) return namesIn(request, 'attr_names', attributeName)
  return namesIn(request, 'attr_names', attributeName, text => {
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(decodeBase64(text))
    } catch (cause) {
      const message = 'attr_names is not the Base64 of names in UTF-8'
      throw new HyperslabError('malformed-parameter', message, { cause })
    }
  })
}

const BATCH_PATH = '/:collection/:id/attributes'

/** Routes about the attributes of several objects, or several attributes. */
const batchRoutes: readonly Route[] = [
  oldReadRoute({
    name: 'read-attributes',
    method: 'POST',
    path: BATCH_PATH,
    access: 'read',
    only: 'hsds',
    async parse(request) {
      const path = objectOf(request)
      const shown = shownInList(request)
      const asked = await parseQueries(
        objectBody(await request.body.json()),
        path,
        attributeWords(request.dialect),
      )
      return { path, asked, shown }
    },
    async run(context, domain, { path, asked }) {
      await openObject(context, domain, path.kind, path.id, 'read')
      return listOrMap(await readAttributes(context, domain, asked), asked.length)
    },
    respond: (found, answer, { shown }) => listOrMapReply(answer, found, presentIn(answer, shown)),
  }),

  oldWriteRoute({
    name: 'put-attributes',
    method: 'PUT',
    path: BATCH_PATH,
    access: 'create',
    only: 'hsds',
    async parse(request) {
      const path = objectOf(request)
      const body = objectBody(await request.body.json())
      return { path, given: await attributesInput(request.dialect, body, path, flag(request, 'replace')) }
    },
    async run(context, domain, { path, given }) {
      await openObject(context, domain, path.kind, path.id, 'create')
      return putAttributes(context, domain, given)
    },
    respond: changed => ({ status: changed ? 201 : 200, body: {} }),
  }),

  oldWriteRoute({
    name: 'delete-attributes',
    method: 'DELETE',
    path: BATCH_PATH,
    access: 'delete',
    only: 'hsds',
    parse: request => ({ owner: objectOf(request), names: encodedNames(request) }),
    run: (context, domain, { owner, names }) => deleteAttributes(context, domain, owner, names),
    respond: () => ({ status: 200, body: { hrefs: [] } }),
  }),
]

/** One attribute, at the path that its name ends. */
function attributeAt(path: string, only?: 'classic'): readonly Route[] {
  return [
    oldReadRoute({
      name: 'get-attribute',
      method: 'GET',
      path,
      access: 'read',
      repeatable: true,
      ...(only && { only }),
      parse: request => ({
        owner: objectOf(request),
        name: attributeNameOf(request),
        shown: { values: showsValue(request), base64: isBase64Asked(request) },
      }),
      run: (context, domain, { owner, name }) => getAttribute(context, domain, owner, name),
      respond(attribute, answer, { owner, shown }) {
        const { place, request } = answer
        const body = request.dialect.present.attributes.shown(place, owner, attribute, shown)
        return attributeReply(attribute, body, answer)
      },
    }),

    oldWriteRoute({
      name: 'put-attribute',
      method: 'PUT',
      path,
      access: 'create',
      streamsBody: true,
      ...(only && { only }),
      async parse(request) {
        const owner = objectOf(request)
        const name = attributeNameOf(request)
        const attribute = attributeInput(request.dialect, await attributeBody(request.body))
        const replace = request.dialect.rules.attributes.replace && flag(request, 'replace')
        return { owner, name, attribute: { ...attribute, replace } }
      },
      run: (context, domain, { owner, name, attribute }) =>
        putAttribute(context, domain, owner, name, attribute),
      respond: (changed, { place, request: { dialect } }, { owner, name }) => ({
        status: changed ? 201 : 200,
        body: dialect.present.attributes.put(place, owner, name),
      }),
    }),

    oldWriteRoute({
      name: 'delete-attribute',
      method: 'DELETE',
      path,
      access: 'delete',
      ...(only && { only }),
      parse: request => ({ owner: objectOf(request), name: attributeNameOf(request) }),
      run: (context, domain, { owner, name }) => deleteAttribute(context, domain, owner, name),
      respond: (_, { place, request: { dialect } }, { owner }) => ({
        status: 200,
        body: dialect.present.attributes.deleted(place, owner),
      }),
    }),
  ]
}

/** The value alone: bytes when they are asked for and the type has a fixed size, else JSON (hsds-objects 12.4). */
function valueReply(
  attribute: Attribute,
  answer: Answer,
  { owner, shown }: { readonly owner: ObjectReference; readonly shown: ShownValues },
): Reply {
  const { place, request } = answer
  const { type, space, name } = attribute
  if (space.class === 'H5S_NULL') {
    throw new HyperslabError(
      'null-dataspace',
      `the attribute "${name}" has a null dataspace: it holds no value`,
    )
  }
  if (request.headers.accept === OCTETS && !isVariableSize(type)) {
    return { status: 200, stream: valueBytes(attribute, answer) }
  }
  const { value, encoding, hrefs } = request.dialect.present.attributes.shown(place, owner, attribute, shown)
  return attributeReply(attribute, { value, encoding, hrefs }, answer)
}

/** JSON with `value`, or packed bytes (hsds-objects 12.5). */
async function newValueOf(request: Request): Promise<NewAttributeValue> {
  const { body, dialect } = request
  const { references, rules } = dialect
  const sent = isBinary(request) ? await binaryValue(body) : sentValue(dialect, await attributeBody(body))
  if (sent === undefined) throw new HyperslabError('malformed-body', 'body.value is missing')
  return {
    value: sent,
    references,
    checkReferences: rules.objects.checksReferences,
    keepsText: rules.attributes.keepsText,
  }
}

const VALUE_PATH = '/:collection/:id/attributes/:name/value'

const attributeValueRoutes: readonly Route[] = [
  oldReadRoute({
    name: 'get-attribute-value',
    method: 'GET',
    path: VALUE_PATH,
    access: 'read',
    only: 'hsds',
    parse: request => ({
      owner: objectOf(request),
      name: attributeNameOf(request, 'value'),
      shown: { values: true, base64: isBase64Asked(request) },
    }),
    run: (context, domain, { owner, name }) => getAttribute(context, domain, owner, name),
    respond: valueReply,
  }),

  oldWriteRoute({
    name: 'put-attribute-value',
    method: 'PUT',
    path: VALUE_PATH,
    access: 'update',
    only: 'hsds',
    streamsBody: true,
    parse: async request => ({
      owner: objectOf(request),
      name: attributeNameOf(request, 'value'),
      input: await newValueOf(request),
    }),
    run: (context, domain, { owner, name, input }) => putAttributeValue(context, domain, owner, name, input),
    respond: (_, { place, request: { dialect } }, { owner, name }) => ({
      status: 200,
      body: dialect.present.attributes.put(place, owner, name),
    }),
  }),
]

export const attributeRoutes: readonly Route[] = [
  listAttributesAt(BATCH_PATH),
  ...batchRoutes,
  // Where the name would follow there is none (classic 3.5).
  listAttributesAt('/:collection/:id/attributes/', 'classic'),
  ...attributeAt('/:collection/:id/attributes/*'),
  ...attributeValueRoutes,
  // Names may hold slashes there, and end with any word.
  ...attributeAt(VALUE_PATH, 'classic'),
]
