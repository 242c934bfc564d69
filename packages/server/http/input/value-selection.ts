// The selection of a dataset's values in the body of a request, beside that of its query.

import { HyperslabError } from '@hyperslab/base/errors'
import {
  type ByteRange,
  isJsonList,
  type JsonObject,
  pointsFromJson,
  readRange,
  type StoredText,
  splitValueBody,
} from '@hyperslab/model/json'
import { parseHyperslab, parseSelectJson, parseStartStop } from '../../service/selection/parse.ts'
import { SELECT_ALL, type SelectionGrammar, type SelectionRequest } from '../../service/selection/request.ts'
import type { ReadRequest } from '../../service/values/values.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { isBinary } from '../message/content-types.ts'
import { bodyTooLarge, type RequestBody } from '../message/request-body.ts'
import type { SelectionInQuery } from '../route/value-parameters.ts'
import { NO_MEMBERS } from './members.ts'

/** The members of a body that may be options; empty if the dialect has none. */
export function optionsIn(members: JsonObject, { rules }: Dialect): JsonObject {
  return rules.values.options ? members : NO_MEMBERS
}

/** The option `fields` of a body, a string as in the query or a list of names; without it, the fields of the query. */
export function fieldsIn(
  options: JsonObject,
  inQuery: readonly string[] | undefined,
): readonly string[] | undefined {
  const fields = options.get('fields') ?? undefined
  if (fields === undefined) return inQuery
  if (fields === '') return undefined
  if (typeof fields === 'string') return fields.split(':')
  if (isJsonList(fields) && fields.every(name => typeof name === 'string')) return fields
  throw new HyperslabError(
    'malformed-fields',
    '"fields" must be a string of names with colons between them, or a list of names',
  )
}

/** The points of a JSON body, which are a range of it. They are kept in memory, so their length is limited. */
export function readPoints(
  { maxJson, memory }: RequestBody,
  text: StoredText,
  range: ByteRange,
  grammar: SelectionGrammar,
): Promise<SelectionRequest> {
  if (range.to - range.from > maxJson) throw bodyTooLarge(maxJson)
  return pointsFromJson(readRange(text, range), grammar === 'ranges' ? 2 : 1, memory)
}

/**
 * The selection of a JSON body: `points`, or `start`, `stop` and `step`, or `select`, which may be in the query.
 * Only one of these can be given, and none together with a region.
 */
export function selectionInBody(
  members: JsonObject,
  points: SelectionRequest | undefined,
  { select: selectInQuery, region }: SelectionInQuery,
  grammar: SelectionGrammar,
): SelectionRequest {
  const [start, stop, select] = ['start', 'stop', 'select'].map(name => members.get(name))
  const step = members.get('step') ?? undefined
  // Every other value is in a range of the body.
  if (members.has('points')) throw new HyperslabError('malformed-selection', '"points" must not be null')
  const hasRange = start !== undefined || stop !== undefined || step !== undefined
  const isInQuery = region !== undefined || selectInQuery.kind !== 'all'
  const ways = [points !== undefined, hasRange, select !== undefined, isInQuery]
  if (ways.filter(Boolean).length > 1) {
    throw new HyperslabError(
      'malformed-selection',
      'the request must have only one selection: points, start and stop, select, or select or regionref in the query',
    )
  }
  if (points !== undefined) return points
  if (select !== undefined) return parseSelectJson(select, grammar)
  if (!hasRange) return region ? SELECT_ALL : selectInQuery
  return grammar === 'lists' ? parseStartStop(start, stop, step) : parseHyperslab(start, stop, step)
}

/**
 * The elements that a POST reads: points, as JSON or as bytes, or another selection if the dialect allows it
 * (hsds-values 8).
 */
export async function readRequestInBody(
  body: RequestBody,
  dialect: Dialect,
  { select, fields }: { readonly select: SelectionRequest; readonly fields: readonly string[] | undefined },
): Promise<ReadRequest> {
  const { rules } = dialect
  if (isBinary(body, dialect)) {
    if (select.kind !== 'all') {
      throw new HyperslabError('malformed-selection', 'points as bytes cannot go together with select')
    }
    const spooled = await body.spool()
    const { length } = spooled
    if (length > body.maxJson) throw bodyTooLarge(body.maxJson)
    body.memory.take(length)
    const selection = await pointsFromBytes(readRange(spooled, { from: 0, to: length }), length)
    return { selection, fields }
  }
  const grammar = rules.values.selections
  const spooled = await body.spool()
  const { members, points: range } = await splitValueBody(spooled, body.maxJson, body.memory)
  const points = range && (await readPoints(body, spooled, range, grammar))
  const selection = selectionInBody(members, points, { select }, grammar)
  const readsAny = rules.values.postReads === 'any'
  if (selection.kind === 'points' || (readsAny && selection.kind !== 'all')) {
    return { selection, fields: fieldsIn(optionsIn(members, dialect), fields) }
  }
  throw new HyperslabError(
    'malformed-selection',
    `the body must have ${readsAny ? '`points`, `select`, or `start` and `stop`' : '`points`'}`,
  )
}

/**
 * Unsigned 64-bit integers, little-endian, one point after another; their rank is that of the dataset. They are
 * `length` bytes, in pieces of whole integers. Integers beyond 2^53 become doubles beyond 2^53, where no extent
 * reaches.
 */
export async function pointsFromBytes(
  pieces: AsyncIterable<Uint8Array>,
  length: number,
): Promise<SelectionRequest> {
  if (length % 8 !== 0) {
    throw new HyperslabError(
      'malformed-selection',
      `points as bytes are unsigned 64-bit integers: ${length} bytes is not a multiple of 8`,
    )
  }
  const coordinates = new Float64Array(length / 8)
  let filled = 0
  for await (const bytes of pieces) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (let offset = 0; offset < bytes.length; offset += 8) {
      coordinates[filled++] = view.getUint32(offset + 4, true) * 2 ** 32 + view.getUint32(offset, true)
    }
  }
  return { kind: 'points', coordinates }
}
