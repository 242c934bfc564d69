// What a request selects of a dataset's values: `select`, `fields` and `regionref` in the query, and what its body says.

import { HyperslabError } from '../../errors.ts'
import { isJsonList, type JsonObject } from '../../hdf5/json.ts'
import { isCollection, kindOfCollection } from '../../hdf5/object-id.ts'
import { parseHyperslab, parseSelect, parseSelectJson, parseStartStop } from '../../hdf5/selection/parse.ts'
import { pointsFromBytes, pointsFromJson } from '../../hdf5/selection/points-input.ts'
import { SELECT_ALL, type SelectionRequest } from '../../hdf5/selection/request.ts'
import { type ByteRange, readRange, type StoredText, splitValueBody } from '../../hdf5/values/value-body.ts'
import type { RegionSource } from '../../service/attributes/regions.ts'
import type { ReadRequest } from '../../service/values/values.ts'
import type { Request } from '../message.ts'
import { isBinary } from './content-types.ts'
import { bodyTooLarge } from './request-body.ts'

/** The selection of a request without JSON: `select` in the query, unless it picks the region reference that selects. */
export function selectionInQuery(request: Request): SelectionRequest {
  return hasRegion(request) ? SELECT_ALL : selectIn(request)
}

/** An empty `select` may be as none. */
function selectIn({ target, dialect }: Request): SelectionRequest {
  const grammar = dialect.rules.values.selections
  const select = target.query.get('select')
  if (select === null || (select === '' && grammar === 'lists')) return SELECT_ALL
  return parseSelect(select, grammar)
}

/** The members of a compound that are asked for, in the body or else in the query: `a:b:c`, or a list of names. */
export function fieldsOf({ target, dialect }: Request, members?: JsonObject): readonly string[] | undefined {
  if (!dialect.rules.values.options) return undefined
  const fields = members?.get('fields') ?? target.query.get('fields')
  if (fields === null || fields === '') return undefined
  if (typeof fields === 'string') return fields.split(':')
  if (isJsonList(fields) && fields.every(name => typeof name === 'string')) return fields
  throw new HyperslabError('malformed-fields', '"fields" must be a text with colons, or a list of names')
}

/** The points of a JSON body, which stand in a range of it. They are held in memory, so they must not be too long. */
export function pointsIn(
  { body: { maxJson, memory }, dialect }: Request,
  body: StoredText,
  range: ByteRange,
): Promise<SelectionRequest> {
  if (range.to - range.from > maxJson) throw bodyTooLarge(maxJson)
  return pointsFromJson(readRange(body, range), dialect.rules.values.selections, memory)
}

/**
 * The selection of a JSON body: `points`, or `start`, `stop` and `step`, or `select`, which may stand in the query. None of
 * these goes together with a region.
 */
export function selectionInBody(
  request: Request,
  members: JsonObject,
  points?: SelectionRequest,
): SelectionRequest {
  const grammar = request.dialect.rules.values.selections
  const [start, stop, select] = ['start', 'stop', 'select'].map(name => members.get(name))
  const step = members.get('step') ?? undefined
  // Every other value stands in a range of the body.
  if (members.has('points')) throw new HyperslabError('malformed-selection', '"points" must not be null')
  const hasRange = start !== undefined || stop !== undefined || step !== undefined
  const inQuery = selectionInQuery(request)
  const isInQuery = hasRegion(request) || inQuery.kind !== 'all'
  const ways = [points !== undefined, hasRange, select !== undefined, isInQuery]
  if (ways.filter(Boolean).length > 1) {
    throw new HyperslabError(
      'malformed-selection',
      'only one of points, start and stop, select, and select or regionref in the query can be given',
    )
  }
  if (points !== undefined) return points
  if (select !== undefined) return parseSelectJson(select, grammar)
  if (!hasRange) return inQuery
  return grammar === 'lists' ? parseStartStop(start, stop, step) : parseHyperslab(start, stop, step)
}

/** What a POST asks for: points, as JSON or as bytes, or another selection where the dialect has it (hsds-values 8). */
export async function readRequestInBody(request: Request): Promise<ReadRequest> {
  const { body, dialect } = request
  if (isBinary(request.body, request.dialect)) {
    if (hasRegion(request) || selectIn(request).kind !== 'all') {
      throw new HyperslabError(
        'malformed-selection',
        'points as bytes cannot go together with select or regionref',
      )
    }
    const spooled = await body.spool()
    const { length } = spooled
    if (length > body.maxJson) throw bodyTooLarge(body.maxJson)
    body.memory.take(length)
    const selection = await pointsFromBytes(readRange(spooled, { from: 0, to: length }), length)
    return { selection, fields: fieldsOf(request) }
  }
  const spooled = await body.spool()
  const { members, points } = await splitValueBody(spooled, body.maxJson, body.memory)
  const selection = selectionInBody(request, members, points && (await pointsIn(request, spooled, points)))
  if (selection.kind === 'points' || (dialect.rules.values.options && selection.kind !== 'all')) {
    return { selection, fields: fieldsOf(request, members) }
  }
  throw new HyperslabError('malformed-selection', 'the body must tell what to read: `points`, for one')
}

function hasRegion({ target, dialect }: Request): boolean {
  return dialect.rules.values.options && (target.query.get('regionref') ?? '') !== ''
}

/** `regionref`: `/<collection>/<id>/attributes/<name>` or `/datasets/<id>`, where `select` picks one of its elements. */
export function regionInQuery(request: Request): RegionSource | undefined {
  if (!hasRegion(request)) return undefined
  const { target, dialect } = request
  const path = target.query.get('regionref') ?? ''
  const [start, collection, id = '', attributes, ...rest] = path.split('/')
  const name = rest.join('/')
  const namesAttribute = attributes === 'attributes' && name !== ''
  if (
    start !== '' ||
    !isCollection(collection) ||
    !(namesAttribute || (collection === 'datasets' && attributes === undefined))
  ) {
    throw new HyperslabError(
      'malformed-selection',
      `regionref=${path}: it has the form /<collection>/<id>/attributes/<name> or /datasets/<id>`,
    )
  }
  const kind = kindOfCollection(collection)
  const owner = { kind, id: dialect.parseId(id, kind) }
  return { owner, element: selectIn(request), ...(namesAttribute && { attribute: name }) }
}
