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
import { SELECT_ALL } from '../../service/selection/request.ts'
import { type DatasetName, type Item, within } from '../../service/values/several-values.ts'
import type { ReadRequest, WriteRequest } from '../../service/values/values.ts'
import type { Dialect } from '../dialect/dialect.ts'
import type { RequestBody } from '../message/request-body.ts'
import { NO_WRITE_OPTIONS } from '../route/value-parameters.ts'
import { requiredString } from './members.ts'
import { targetInJson, writeInJson } from './value-input.ts'
import { readParts, type ValuePart } from './value-parts.ts'
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

/** Spools the body: the values of a write are read from there. */
export async function writesInBody(
  body: RequestBody,
  dialect: Dialect,
): Promise<readonly Item<WriteRequest>[]> {
  const { contentType, maxJson: maxBytes, memory } = body
  const spooled = await body.spool()
  const given = await readParts(spooled, contentType, { maxCount: MAX_ITEMS, maxBytes, memory })
  if (given !== undefined && given.list === undefined) return wholeDatasets(given.parts, dialect)
  const parts = given?.parts ?? []
  let used = 0
  const items = await itemsIn(body, given?.list ?? spooled, dialect, async (text, item) => {
    const hasValue = item.value !== undefined || item.valueBase64 !== undefined
    if (hasValue || given === undefined) return writeInJson(body, text, item, dialect, NO_WRITE_OPTIONS)
    const target = await targetInJson(body, text, item, dialect, NO_WRITE_OPTIONS)
    const part = parts.at(used++)
    if (part !== undefined) return { ...target, decode: part.decode(target, dialect) }
    throw new HyperslabError(
      'malformed-body',
      `it has no value, and the body has ${parts.length} parts with values`,
    )
  })
  if (used === parts.length) return items
  throw new HyperslabError(
    'malformed-body',
    `the list has ${used} items without a value, and the body ${parts.length} parts with values`,
  )
}

/** Each part is all values of the dataset that it names. */
function wholeDatasets(parts: readonly ValuePart[], dialect: Dialect): readonly Item<WriteRequest>[] {
  if (parts.length === 0) throw new HyperslabError('malformed-body', 'the body must have at least one value')
  const target = { selection: SELECT_ALL }
  return parts.map(({ name, location, decode }) => {
    const named = name === undefined ? location : `${location}, ${excerpt(name)}`
    if (name)
      return {
        dataset: nameOf(name, dialect),
        location: named,
        request: { ...target, decode: decode(target, dialect) },
      }
    throw new HyperslabError(
      'malformed-body',
      `${location} has no name: it must be the path or id of a dataset`,
    )
  })
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
