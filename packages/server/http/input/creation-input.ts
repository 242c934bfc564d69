// Bodies that create objects: one or, if the dialect allows it, a list of them, each with the members that every new
// object may have (classic 6.2, 7.2 and 8.2; hsds-objects 17).

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import {
  isJsonList,
  isJsonLongerThan,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '@hyperslab/model/json'
import { attributeName, COLLECTIONS, linkTitle, type ObjectId, type ObjectKind } from '@hyperslab/model/names'
import type { HdfObject } from '@hyperslab/store/store'
import type { WriteContext } from '../../service/context.ts'
import type { BatchPlace, NewLink, NewObject, NewPath } from '../../service/creation/creation.ts'
import { ObjectBatch } from '../../service/creation/object-batch.ts'
import { titlesOf } from '../../service/links/paths.ts'
import type { ObjectView } from '../../service/objects/objects.ts'
import type { Body, Dialect } from '../dialect/dialect.ts'
import { lazyList } from '../message/lazy-json.ts'
import type { JsonReply } from '../message/message.ts'
import { flagQuery } from '../route/parameter.ts'
import { attributeInput } from './attribute-input.ts'
import {
  creationOptionsIn,
  itemIn,
  kindOf,
  objectBody,
  optionalObjectBody,
  requiredString,
} from './members.ts'

/** The parameters of requests that create objects. */
export const CREATION = {
  implicit: flagQuery('implicit', 'Groups that are missing on the way of an h5path are created.', 'hsds'),
} as const

/** The objects to create, in the order of the request. */
export interface Creation<Input> {
  readonly items: readonly JsonValue[]
  readonly parse: (body: JsonObject) => Promise<Input>
}

/** The rules for reading the objects of a body. */
export interface CreationGrammar {
  readonly kind: ObjectKind
  readonly dialect: Dialect
  /** True: missing groups on an `h5path` are created. */
  readonly implicit: boolean
}

/** Objects that one request creates. @limit safety, items */
const MAX_ITEMS = 10_000

/** Parses the objects to create; `parse` makes the input of the operation from an item. */
export function parseCreation<Input>(
  json: JsonValue | undefined,
  { kind, dialect }: CreationGrammar,
  parse: (body: JsonObject) => Promise<Input>,
): Creation<Input> {
  if (!dialect.rules.objects.createsSeveral || !isJsonList(json)) {
    return { items: [kind === 'group' ? optionalObjectBody(json, dialect) : objectBody(json)], parse }
  }
  if (json.length > MAX_ITEMS) {
    throw new HyperslabError(
      'body-too-large',
      `a request must not create more than ${MAX_ITEMS} objects, this one has ${json.length}: send several requests`,
    )
  }
  if (json.length > 0) return { items: json, parse }
  throw new HyperslabError('malformed-body', `the list of ${COLLECTIONS[kind]} to create must not be empty`)
}

/** Creates the objects in order; the first bad one is the error. The links to many are stored together. */
export async function createAll<Input extends NewObject, T extends HdfObject>(
  context: WriteContext,
  { items, parse }: Creation<Input>,
  create: (item: Input, place: BatchPlace | undefined) => Promise<ObjectView<T>>,
): Promise<ObjectView<T>[]> {
  const views: ObjectView<T>[] = []
  const ids = new Set<ObjectId>()
  const batch = items.length > 1 ? new ObjectBatch(context, items.length) : undefined
  for (const [position, item] of items.entries()) {
    try {
      const input = await parse(objectBody(item))
      // A type may be long, so this is checked between objects.
      if (isTurnOver()) await nextTurn()
      const { id } = input
      if (id !== undefined && ids.has(id)) {
        throw new HyperslabError('id-repeated', `an earlier item has the id ${id} too: ids must differ`, {
          subject: id,
        })
      }
      if (id !== undefined) ids.add(id)
      views.push(await create(input, batch && { position, batch }))
    } catch (error) {
      const isOneOfMany = items.length > 1 && error instanceof HyperslabError
      throw isOneOfMany ? error.within(`item ${position} of the list`) : error
    }
    if (isTurnOver()) await nextTurn()
  }
  await batch?.storeLinks()
  return views
}

/** One object as itself, several as a list of `objects` (hsds-objects 17.1). */
export function creationReply<T extends HdfObject>(
  views: readonly ObjectView<T>[],
  present: (view: ObjectView<T>) => Body,
  changed?: NonNullable<JsonReply['changed']>,
): JsonReply {
  const [first, ...others] = views
  const head = { status: 201, ...(changed && { changed }) }
  if (first !== undefined && others.length === 0) return { ...head, body: present(first) }
  return { ...head, body: { objects: lazyList(views, present, true) } }
}

/** The members that every new object may have. */
export async function parseNewObject(body: JsonObject, grammar: CreationGrammar): Promise<NewObject> {
  const { kind, dialect } = grammar
  const options = creationOptionsIn(body, dialect)
  const id = options.has('id')
    ? dialect.parseId(requiredString(options, 'id', 'malformed-id'), kind)
    : undefined
  const link = options.has('h5path') ? parseNewPath(body, grammar) : parseNewLink(body, dialect)
  const attributes = options.has('attributes')
    ? await parseMap(options, 'attributes', (name, item) => {
        return [attributeName(name), attributeInput(dialect, { members: item })]
      })
    : undefined
  return { id, link, attributes }
}

/** Characters of creation properties: they are read with their object each time. @limit safety, characters */
const MAX_PROPERTIES = 1 << 20

/** The member `creationProperties`. */
export function creationPropertiesIn(body: JsonObject): JsonValue | undefined {
  const json = body.get('creationProperties')
  if (json === undefined || !isJsonLongerThan(json, MAX_PROPERTIES)) return json
  throw new HyperslabError(
    'malformed-creation-properties',
    `creationProperties must have at most ${MAX_PROPERTIES} characters of JSON`,
  )
}

/** A member that maps names to objects. */
export async function parseMap<Value>(
  body: JsonObject,
  name: string,
  parse: (name: string, item: JsonObject) => readonly [string, Value],
): Promise<ReadonlyMap<string, Value> | undefined> {
  const members = body.get(name)
  if (members === undefined) return undefined
  if (!isJsonObject(members)) {
    throw new HyperslabError('malformed-body', `body.${name} must be an object, not ${kindOf(members)}`)
  }
  const values = new Map<string, Value>()
  for (const [key, item] of members) {
    values.set(...itemIn(`body.${name}.${key}`, item, found => parse(key, found)))
    await nextTurn()
  }
  return values
}

/** The member `h5path`, a path from `parent_id`. */
function parseNewPath(body: JsonObject, { dialect, implicit }: CreationGrammar): NewPath {
  if (body.has('link')) {
    throw new HyperslabError(
      'malformed-link',
      'body.link and body.h5path exclude each other: send one of them',
    )
  }
  const path = requiredString(body, 'h5path', 'malformed-path')
  const start = body.has('parent_id')
    ? dialect.parseId(requiredString(body, 'parent_id', 'malformed-id'), 'group')
    : undefined
  return {
    ...(start && { start }),
    titles: titlesOf(path),
    isAbsolute: path.startsWith('/'),
    implicit,
  }
}

/** The member `link`: a title, and a group, which may be absent if the dialect then links into the root group. */
function parseNewLink(body: JsonObject, dialect: Dialect): NewLink | undefined {
  const link = body.get('link')
  if (link === undefined) return undefined
  if (!isJsonObject(link)) {
    throw new HyperslabError('malformed-link', `body.link must be an object, not ${kindOf(link)}`)
  }
  const isRoot = dialect.rules.objects.linksIntoRoot && !link.has('id')
  const group = isRoot
    ? undefined
    : dialect.parseId(requiredString(link, 'id', 'malformed-link', 'body.link'), 'group')
  const title = linkTitle(requiredString(link, 'name', 'malformed-link', 'body.link'))
  return group === undefined ? { title } : { group, title }
}
