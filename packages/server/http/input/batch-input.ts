// Bodies about several objects at once: the links of groups and the attributes of objects, in one grammar
// (hsds-objects 11.6 to 12.8). With the words for links:
//
//   to read     {"titles": [...]}                           of the object in the path
//               {"grp_ids": [...]} and perhaps "titles"     of each
//               {"grp_ids": {id: [...], ...}}               others of each
//   to write    {"links": {...}}                            into the object in the path
//               {"links": {...}, "grp_ids": [...]}          the same into each
//               {"grp_ids": {id: {"links": {...}}, ...}}    others into each

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from '@hyperslab/model/json'
import type { ObjectReference } from '@hyperslab/model/names'
import type { MemberQuery, NewMembers } from '../../service/objects/several.ts'
import { itemIn, kindOf } from './members.ts'

/** The words of a batch, and how its ids and names are parsed. */
export interface BatchWords {
  readonly ids: 'grp_ids' | 'obj_ids'
  readonly names: 'titles' | 'attr_names'
  readonly items: 'links' | 'attributes'
  readonly parseId: (text: string) => ObjectReference
  readonly parseName: (text: string) => string
}

/**
 * Links, or attributes, that a request may name: each of them takes memory until the request is answered.
 * @limit memory, names
 */
const MAX_NAMED = 250_000

/** The members and objects that a body requests; `path` is the object in the path. Each object comes once. */
export async function parseQueries(
  body: JsonObject,
  path: ObjectReference,
  words: BatchWords,
): Promise<readonly MemberQuery[]> {
  const queries = await queriesIn(body, path, words)
  requireFew(
    queries.map(({ names = [] }) => names.length),
    words,
  )
  return queries
}

async function queriesIn(
  body: JsonObject,
  path: ObjectReference,
  words: BatchWords,
): Promise<readonly MemberQuery[]> {
  const ids = body.get(words.ids)
  const names = body.has(words.names)
    ? await parseNames(body.get(words.names) ?? null, `body.${words.names}`, words)
    : undefined
  if (ids === undefined && names === undefined) {
    throw malformedBody(`the body must have "${words.names}", "${words.ids}" or both`)
  }
  if (ids === undefined) return [{ owner: path, ...(names && { names }) }]
  if (!isJsonObject(ids)) return (await idsIn(ids, words)).map(owner => ({ owner, ...(names && { names }) }))
  if (names !== undefined) throw contradiction(words.names, words)
  requireSome(ids.size, words)
  const queries: MemberQuery[] = []
  for (const [id, list] of ids) {
    const owner = words.parseId(id)
    queries.push({ owner, names: await parseNames(list, `body.${words.ids}.${id}`, words) })
  }
  return queries
}

/** The items that a body stores, by objects. With `optional`, an object may come without items. */
export async function parseNewMembers<Item>(
  body: JsonObject,
  path: ObjectReference,
  words: BatchWords,
  parseItem: (item: JsonObject) => Item,
  optional = false,
): Promise<readonly NewMembers<Item>[]> {
  const batch = await newMembersIn(body, path, words, parseItem, optional)
  requireFew(
    batch.map(({ items }) => items.size),
    words,
  )
  return batch
}

async function newMembersIn<Item>(
  body: JsonObject,
  path: ObjectReference,
  words: BatchWords,
  parseItem: (item: JsonObject) => Item,
  optional: boolean,
): Promise<readonly NewMembers<Item>[]> {
  const ids = body.get(words.ids)
  if (!isJsonObject(ids)) {
    const owners = ids === undefined ? [path] : await idsIn(ids, words)
    const items = await itemsIn(body, 'body', words, parseItem, optional && ids === undefined)
    return owners.map(owner => ({ owner, items }))
  }
  if (body.has(words.items)) throw contradiction(words.items, words)
  requireSome(ids.size, words)
  const batch: NewMembers<Item>[] = []
  for (const [id, entry] of ids) {
    const location = `body.${words.ids}.${id}`
    if (!isJsonObject(entry)) throw malformedBody(`${location} must be an object, not ${kindOf(entry)}`)
    batch.push({
      owner: words.parseId(id),
      items: await itemsIn(entry, location, words, parseItem, optional),
    })
  }
  return batch
}

async function itemsIn<Item>(
  owner: JsonObject,
  location: string,
  words: BatchWords,
  parseItem: (item: JsonObject) => Item,
  optional: boolean,
): Promise<ReadonlyMap<string, Item>> {
  const members = owner.get(words.items)
  const items = new Map<string, Item>()
  if (members === undefined && optional) return items
  if (!isJsonObject(members)) {
    const problem = members === undefined ? 'it is missing' : `not ${kindOf(members)}`
    throw malformedBody(`${location}.${words.items} must be an object, ${problem}`)
  }
  for (const [name, item] of members) {
    const itemLocation = `${location}.${words.items}.${name}`
    const [key, value] = itemIn(itemLocation, item, found => [words.parseName(name), parseItem(found)])
    items.set(key, value)
    await nextTurn()
  }
  return items
}

async function parseNames(
  names: JsonValue,
  location: string,
  { parseName }: BatchWords,
): Promise<readonly string[]> {
  if (!isJsonList(names)) throw malformedBody(`${location} must be an array of names, not ${kindOf(names)}`)
  const parsed: string[] = []
  for (const name of names) {
    if (typeof name !== 'string') throw malformedBody(`${location} must hold strings, not ${kindOf(name)}`)
    parsed.push(parseName(name))
    if (isTurnOver()) await nextTurn()
  }
  return parsed
}

/** The ids in a list, each once. */
async function idsIn(ids: JsonValue, words: BatchWords): Promise<readonly ObjectReference[]> {
  const location = `body.${words.ids}`
  if (!isJsonList(ids)) throw malformedBody(`${location} must be an array or an object, not ${kindOf(ids)}`)
  requireSome(ids.length, words)
  const owners = new Map<string, ObjectReference>()
  for (const id of ids) {
    if (typeof id !== 'string') throw malformedBody(`${location} must hold ids, not ${kindOf(id)}`)
    const owner = words.parseId(id)
    owners.set(`${owner.kind} ${owner.id}`, owner)
    if (isTurnOver()) await nextTurn()
  }
  return [...owners.values()]
}

/**
 * Throws if the sum over all objects is too large: few names of many objects take as much memory as many names of one.
 */
function requireFew(counts: readonly number[], { items }: BatchWords): void {
  const count = counts.reduce((sum, one) => sum + one, 0)
  if (count <= MAX_NAMED) return
  throw new HyperslabError(
    'body-too-large',
    `a request must not name more than ${MAX_NAMED} ${items} over all objects, this one names ${count}: send ` +
      'several requests',
  )
}

function requireSome(count: number, { ids }: BatchWords): void {
  if (count === 0) throw malformedBody(`body.${ids} must name at least one object`)
}

function contradiction(member: string, { ids }: BatchWords): HyperslabError {
  return malformedBody(
    `body.${member} must be absent where body.${ids} is an object, which has it for each id`,
  )
}

function malformedBody(message: string): HyperslabError {
  return new HyperslabError('malformed-body', message)
}
