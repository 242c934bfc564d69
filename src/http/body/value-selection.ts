// What a request selects of a dataset's values: `select` in the query, and the members of a body.

import { HyperslabError } from '../../errors.ts'
import { isJsonList, type JsonObject } from '../../hdf5/json.ts'
import {
  parseHyperslab,
  parsePoints,
  parseSelect,
  parseSelectJson,
  parseStartStop,
} from '../../hdf5/selection/parse.ts'
import { SELECT_ALL, type SelectionRequest } from '../../hdf5/selection/request.ts'
import type { Request } from '../route.ts'

/** The selection of a request without JSON: `select` in the query, where an empty one may be as none. */
export function selectionInQuery({ target, dialect }: Request): SelectionRequest {
  const grammar = dialect.rules.selections
  const select = target.query.get('select')
  if (select === null || (select === '' && grammar === 'lists')) return SELECT_ALL
  return parseSelect(select, grammar)
}

/** The members of a compound that are asked for, in the body or else in the query: `a:b:c`, or a list of names. */
export function fieldsOf({ target, dialect }: Request, members?: JsonObject): readonly string[] | undefined {
  if (!dialect.rules.valueOptions) return undefined
  const fields = members?.get('fields') ?? target.query.get('fields')
  if (fields === null || fields === '') return undefined
  if (typeof fields === 'string') return fields.split(':')
  if (isJsonList(fields) && fields.every(name => typeof name === 'string')) return fields
  throw new HyperslabError('malformed-fields', '"fields" must be a text with colons, or a list of names')
}

/** The selection of a JSON body: `points`, or `start`, `stop` and `step`, or `select`, which may stand in the query. */
export function selectionInBody(request: Request, members: JsonObject): SelectionRequest {
  const grammar = request.dialect.rules.selections
  const member = (name: string) => members.get(name) ?? undefined
  const [points, start, stop, step, select] = ['points', 'start', 'stop', 'step', 'select'].map(member)
  const hasRange = start !== undefined || stop !== undefined || step !== undefined
  const inQuery = selectionInQuery(request)
  const ways = [points !== undefined, hasRange, select !== undefined, inQuery.kind !== 'all']
  if (ways.filter(Boolean).length > 1) {
    throw new HyperslabError(
      'malformed-selection',
      'only one of points, start and stop, select, and select in the query can be given',
    )
  }
  if (points !== undefined) return parsePoints(points, grammar)
  if (select !== undefined) return parseSelectJson(select)
  if (!hasRange) return inQuery
  return grammar === 'lists' ? parseStartStop(start, stop, step) : parseHyperslab(start, stop, step)
}
