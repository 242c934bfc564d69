// Queries on their way in: what a request searches, and what a query-update sets.

import { HyperslabError } from '../../errors.ts'
import type { CompoundType } from '../../hdf5/datatype/datatype.ts'
import { excerpt, isJsonObject, type JsonObject, type JsonValue } from '../../hdf5/json.ts'
import { parseQuery } from '../../hdf5/query/parse.ts'
import type { Query } from '../../hdf5/query/query.ts'
import { elementsFromJson } from '../../hdf5/values/json-tree.ts'
import { chooseFields } from '../../hdf5/values/project.ts'
import type { QueryRequest, QueryRules, UpdateOf } from '../../service/values/queries.ts'
import type { Request } from '../message.ts'
import { wholeLimit } from '../parameters.ts'
import { requireStored } from './binary-types.ts'
import { selectionInBody, selectionInQuery } from './value-selection.ts'

/** What stands for another choice of elements than a query. */
const OTHER_CHOICES = ['append', 'points', 'regionref', 'element_count']

/** The query of a URL; undefined when it has none, or an empty one (hsds-values 6). */
export function queryInUrl(request: Request): QueryRequest | undefined {
  const text = request.target.query.get('query')
  if (!text) return undefined
  refuseOtherChoices(request)
  return {
    query: parseQuery(text, request.dialect.rules.queries.grammar),
    selection: selectionInQuery(request),
    limit: limitOf(request.target.query.get('Limit') ?? ''),
  }
}

export function queryRules({ dialect }: Request): QueryRules {
  return { searches: dialect.rules.queries.searches, references: dialect.references }
}

function refuseOtherChoices({ target, dialect }: Request): void {
  if (!dialect.rules.values.options) return
  const other = OTHER_CHOICES.find(name => target.query.get(name))
  if (other === undefined) return
  throw new HyperslabError('malformed-parameter', `query and ${other} cannot go together`)
}

/** Of queries 0 and negative numbers mean no limit (hsds-values 11.4). */
function limitOf(given: string): number | undefined {
  const limit = given === '' ? 0 : wholeLimit(given)
  return limit > 0 ? limit : undefined
}

/** Members of a body that are options, unless a field has the name. */
const OPTIONS: ReadonlySet<string> = new Set(['query', 'Limit', 'select', 'fields'])

/** What a query-update sets; the query stands in the URL or in the body. */
export function updateOf(request: Request, body: JsonValue | undefined): UpdateOf {
  if (body === undefined) throw new HyperslabError('malformed-body', 'the body must tell what the query sets')
  const inUrl = queryInUrl(request)
  refuseOtherChoices(request)
  // Only the type tells which members of the body are fields.
  return type => {
    const { references, rules } = request.dialect
    const { options, ...set } =
      type.class === 'H5T_COMPOUND' ? fieldsToSet(type, body, inUrl !== undefined) : valueToSet(body)
    const valueType = set.type ?? type
    requireStored(valueType, rules)
    return {
      query: inUrl?.query ?? queryInBody(request, options),
      selection: selectionInBody(request, options),
      limit: limitOf(textOf(options.get('Limit')) ?? request.target.query.get('Limit') ?? ''),
      fields: set.type?.fields.map(({ name }) => name),
      value: elementsFromJson(valueType, [], set.value, references),
    }
  }
}

interface ValueToSet {
  readonly options: JsonObject
  readonly value: JsonValue
  /** Of the value, if it has only some of the members. */
  readonly type?: CompoundType
}

/** `{"temp": 0, "flag": 1}`: a member that has a field's name is the field; null leaves it as it is. */
function fieldsToSet(type: CompoundType, body: JsonValue, isQueryInUrl: boolean): ValueToSet {
  if (!isJsonObject(body)) {
    throw new HyperslabError(
      'malformed-body',
      `the body must name fields and their values, not ${excerpt(body)}`,
    )
  }
  const options = new Map<string, JsonValue>()
  const values = new Map<string, JsonValue>()
  for (const [name, json] of body) {
    const isField = type.fields.some(field => field.name === name) && (isQueryInUrl || name !== 'query')
    if (isField && json !== null) values.set(name, json)
    else if (!isField && OPTIONS.has(name)) options.set(name, json)
    else if (!isField) {
      const hint = name === 'value' ? ': of a compound the body has the form {"field": value}' : ''
      throw new HyperslabError('malformed-fields', `there is no field ${excerpt(name)} to set${hint}`)
    }
  }
  if (values.size === 0) throw new HyperslabError('malformed-body', 'the body sets no field')
  return { options, value: [...values.values()], type: chooseFields(type, [...values.keys()]).type }
}

/** The new value, or `{"value": ...}`. */
function valueToSet(body: JsonValue): ValueToSet {
  const hasOptions = isJsonObject(body) && body.has('value')
  const options = new Map(hasOptions ? body : [])
  options.delete('value')
  for (const name of options.keys()) {
    if (!OPTIONS.has(name)) {
      throw new HyperslabError('malformed-body', `the body may have value and options, not ${excerpt(name)}`)
    }
  }
  const value = hasOptions ? body.get('value') : body
  if (value === undefined || value === null)
    throw new HyperslabError('malformed-body', 'the body sets nothing')
  return { options, value }
}

function queryInBody(request: Request, options: JsonObject): Query {
  const text = options.get('query')
  if (typeof text === 'string' && text !== '') return parseQuery(text, request.dialect.rules.queries.grammar)
  throw new HyperslabError('malformed-query', 'query must be a text, in the URL or in the body')
}

function textOf(limit: JsonValue | undefined): string | undefined {
  return limit === undefined || typeof limit === 'string' ? limit : excerpt(limit)
}
