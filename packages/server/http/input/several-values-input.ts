// The body of a request about values of several datasets: `{"values": [item, ...]}`. An item names its dataset by `id`
// or `h5path`, like a link its target, and has the members that a body about the values of one dataset has. The values
// of a write may be parts of the body beside that list, or without one (value-parts.ts).

import { nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import {
  excerpt,
  type JsonObject,
  type JsonValue,
  type StoredText,
  splitValueBodies,
  splitValueBody,
  type ValueBody,
} from '@hyperslab/model/json'
import { inSlices } from '../../service/objects/read-together.ts'
import { SELECT_ALL } from '../../service/selection/request.ts'
import { type DatasetName, type Item, within } from '../../service/values/several-values.ts'
import {
  type DecodeValues,
  type ReadRequest,
  repeatable,
  type WriteRequest,
} from '../../service/values/values.ts'
import type { Dialect } from '../dialect/dialect.ts'
import type { RequestBody } from '../message/request-body.ts'
import { NO_WRITE_OPTIONS } from '../route/value-parameters.ts'
import { decodeOnce } from './kept-elements.ts'
import { requiredString } from './members.ts'
import { targetInJson, type WriteTarget, writeInJson } from './value-input.ts'
import { type BodyParts, readParts, type ValuePart } from './value-parts.ts'
import { fieldsIn, optionsIn, readPoints, selectionInBody } from './value-selection.ts'

/**
 * Values of one request about several datasets: each takes memory until the request is answered.
 * @limit memory, items
 */
const MAX_ITEMS = 10_000

export async function readsInBody(
  body: RequestBody,
  dialect: Dialect,
): Promise<readonly Item<ReadRequest>[]> {
  const grammar = dialect.rules.values.selections
  return itemsIn(body, await body.spool(), dialect, async (text, { members, points: range }) => {
    const points = range && (await readPoints(body, text, range, grammar))
    return {
      selection: selectionInBody(members, points, { select: SELECT_ALL }, grammar),
      fields: fieldsIn(optionsIn(members, dialect), undefined),
    }
  })
}

/** The values to write, and the parts of the body that they come from. */
export interface SeveralWrites {
  /** The items, some at a time, in their order; the same each time. */
  readonly items: AsyncIterable<readonly Item<WriteRequest>[]>
  /** True: the values can be read only once. */
  readonly once: boolean
  /** Throws if the body has values that no item has taken. */
  readonly end: () => Promise<void>
}

export async function writesInBody(body: RequestBody, dialect: Dialect): Promise<SeveralWrites> {
  const given = await readParts(body, MAX_ITEMS)
  if (given === undefined) {
    const items = await itemsIn(body, await body.spool(), dialect, (text, item) =>
      writeInJson(body, text, item, dialect, NO_WRITE_OPTIONS),
    )
    return { items: repeatable(() => inSlices(items)), once: false, end: async () => {} }
  }
  const { list, once } = given
  if (list === undefined) {
    const known: Item<WriteRequest>[] = []
    const items = repeatable(() => wholeDatasets(body, given, known, dialect))
    return { items, once, end: async () => {} }
  }
  const { items, end } = await itemsWithParts(body, list, given, dialect)
  return { items: repeatable(() => inSlices(items)), once, end }
}

/** The items of a list; those without a value take the parts one after another. */
async function itemsWithParts(
  body: RequestBody,
  list: StoredText,
  { parts, once }: BodyParts,
  dialect: Dialect,
): Promise<{ readonly items: readonly Item<WriteRequest>[]; readonly end: () => Promise<void> }> {
  let wanted = 0
  let taken = 0
  const take = async () => {
    const { done, value } = await parts.next()
    if (!done) taken++
    return done ? undefined : value
  }
  const items = await itemsIn(body, list, dialect, async (text, item) => {
    const hasValue = item.value !== undefined || item.valueBase64 !== undefined
    if (hasValue) return writeInJson(body, text, item, dialect, NO_WRITE_OPTIONS)
    wanted++
    const target = await targetInJson(body, text, item, dialect, NO_WRITE_OPTIONS)
    let part: ValuePart | undefined
    const decode: DecodeValues = async function* (type, shape) {
      part ??= await take()
      if (part) return yield* part.decode(target, dialect)(type, shape)
      throw new HyperslabError(
        'malformed-body',
        `it has no value, and the body has ${taken} parts with values`,
      )
    }
    return { ...target, ...decodingOf(body, target, decode, once) }
  })
  async function end(): Promise<void> {
    while (await take()) await nextTurn()
    if (taken === wanted) return
    throw new HyperslabError(
      'malformed-body',
      `the list has ${wanted} items without a value, and the body ${taken} parts with values`,
    )
  }
  return { items, end }
}

/** Each part is all values of the dataset that it names. `known` are the items of parts that have been taken. */
async function* wholeDatasets(
  body: RequestBody,
  { parts, once }: BodyParts,
  known: Item<WriteRequest>[],
  dialect: Dialect,
): AsyncGenerator<readonly Item<WriteRequest>[]> {
  const target = { selection: SELECT_ALL }
  for (const item of [...known]) yield [item]
  for (;;) {
    const { done, value: part } = await parts.next()
    if (done) break
    const { name, location } = part
    if (!name) {
      throw new HyperslabError(
        'malformed-body',
        `${location} has no name: it must be the path or id of a dataset`,
      )
    }
    const request = { ...target, ...decodingOf(body, target, part.decode(target, dialect), once) }
    known.push({ dataset: nameOf(name, dialect), location: `${location}, ${excerpt(name)}`, request })
    yield known.slice(-1)
  }
  if (known.length === 0) throw new HyperslabError('malformed-body', 'the body must have at least one value')
}

/** Elements that are repeated are kept in any case, and need not be read back. */
function decodingOf(
  body: RequestBody,
  { elementCount }: WriteTarget,
  decode: DecodeValues,
  once: boolean,
): Pick<WriteRequest, 'decode' | 'keep'> {
  if (!once) return { decode }
  return elementCount === undefined ? decodeOnce(body, decode) : { decode, keep: async () => {} }
}

/** The dataset that an answer to POST names so: by its id, or by its path without the first slash. */
function nameOf(name: string, dialect: Dialect): DatasetName {
  try {
    return { id: dialect.parseId(name, 'dataset') }
  } catch (error) {
    if (error instanceof HyperslabError) return { h5path: name }
    throw error
  }
}

async function itemsIn<Request>(
  body: RequestBody,
  text: StoredText,
  dialect: Dialect,
  parse: (text: StoredText, parts: ValueBody) => Promise<Request>,
): Promise<readonly Item<Request>[]> {
  const { maxJson, memory } = body
  const { members, bodies } = await splitValueBodies(text, 'values', MAX_ITEMS, maxJson, memory)
  if (bodies === undefined || bodies.length === 0) {
    throw new HyperslabError('malformed-body', 'body.values must be a list of at least one object')
  }
  const split: { readonly text: StoredText; readonly location: string; readonly parts: ValueBody }[] = []
  for (const [i, text] of bodies.entries()) {
    const location = `body.values[${i}]`
    split.push({ text, location, parts: await within(location, () => splitValueBody(text, maxJson, memory)) })
    await nextTurn()
  }
  await body.checked(
    new Map<string, JsonValue>([...members, ['values', split.map(({ parts }) => parts.members)]]),
  )
  const items: Item<Request>[] = []
  for (const { text, location, parts } of split) {
    const name = await within(location, () => datasetIn(parts.members, dialect))
    const named = `${location}, ${'h5path' in name ? excerpt(name.h5path) : parts.members.get('id')}`
    items.push({ dataset: name, location: named, request: await within(named, () => parse(text, parts)) })
    await nextTurn()
  }
  return items
}

function datasetIn(members: JsonObject, dialect: Dialect): DatasetName {
  if (!members.has('id') && !members.has('h5path')) {
    throw new HyperslabError('malformed-body', 'it must have "id" or "h5path", which name the dataset')
  }
  const textOf = (name: string) => requiredString(members, name, 'malformed-body', 'item')
  const id = members.has('id') && { id: dialect.parseId(textOf('id'), 'dataset') }
  if (id && !members.has('h5path')) return id
  return { h5path: textOf('h5path'), ...id }
}
