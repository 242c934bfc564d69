// What a request selects of a dataset's values: `select` in the query, and the members of a body.

import { HyperslabError } from '../../errors.ts'
import { isJsonList, type JsonObject } from '../../hdf5/json.ts'
import { parseHyperslab, parsePoints, parseSelect } from '../../hdf5/selection/parse.ts'
import { SELECT_ALL, type SelectionRequest } from '../../hdf5/selection/request.ts'
import type { Request } from '../route.ts'

/** The selection of a read: `select` in the query. An empty one is an error where `select` has a form to keep. */
export function selectionInQuery({ target }: Request): SelectionRequest {
  const select = target.query.get('select')
  return select === null ? SELECT_ALL : parseSelect(select)
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

/** The selection of a write: `points`, `start`, `stop` and `step`, or `select`, in the body or in the query. */
export function selectionInBody(request: Request, members: JsonObject): SelectionRequest {
  const { rules } = request.dialect
  const points = members.get('points')
  const [start, stop, step] = [members.get('start'), members.get('stop'), members.get('step')]
  const hasRange = start !== undefined || stop !== undefined || step !== undefined
  if (points !== undefined && hasRange) {
    throw new HyperslabError('malformed-selection', 'points cannot go together with start, stop or step')
  }
  if (points !== undefined) return parsePoints(points)
  if (hasRange && rules.strictBodies && (start === undefined || stop === undefined)) {
    throw new HyperslabError('malformed-selection', 'start and stop have to be given both')
  }
  if (hasRange) return parseHyperslab(start, stop, step)
  const select = members.get('select')
  if (select === undefined) return selectionInQuery(request)
  if (typeof select !== 'string' || request.target.query.get('select')) {
    throw new HyperslabError('malformed-selection', 'select must be one text, in the body or in the query')
  }
  return parseSelect(select)
}
