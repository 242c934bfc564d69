// The body of a query-update: the values that it sets, and options of the query that it may have.

import { HyperslabError } from '@hyperslab/base/errors'
import type { CompoundType } from '@hyperslab/model/datatype'
import {
  elementsFromJson,
  excerpt,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '@hyperslab/model/json'
import { chooseFields } from '@hyperslab/model/values'
import { parseQuery, type QueryGrammar } from '../../service/query/parse.ts'
import type { Query } from '../../service/query/query.ts'
import type { QueryRules, UpdateOf } from '../../service/values/queries.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { requireStored } from '../output/binary-types.ts'
import { parseQueryLimit, requireNoOtherChoice, type WriteParameters } from '../route/value-parameters.ts'
import { selectionInBody } from './value-selection.ts'

export function queryRules({ rules, references }: Dialect): QueryRules {
  return { searches: rules.queries.searches, references }
}

/** Members of a body that are options, unless a field has the name. */
const OPTIONS: ReadonlySet<string> = new Set(['query', 'Limit', 'select', 'fields'])

/** The values that a query-update sets; the query is in the URL or in the body. */
export function updateOf(
  body: JsonValue | undefined,
  { rules, references }: Dialect,
  { query, select, limit, append, elementCount, region }: WriteParameters,
): UpdateOf {
  if (body === undefined) {
    throw new HyperslabError(
      'malformed-body',
      'the request must have a body with the value that the query sets',
    )
  }
  const choices = { append: append(), regionref: region, element_count: elementCount() }
  requireNoOtherChoice(Object.entries(choices).find(([, choice]) => choice !== undefined)?.[0])
  // The fields of the type are members of the body.
  return type => {
    const { options, ...set } =
      type.class === 'H5T_COMPOUND' ? fieldsToSet(type, body, query !== undefined) : valueToSet(body)
    const valueType = set.type ?? type
    requireStored(valueType, rules.values)
    return {
      query: query ?? queryInBody(options, rules.queries.grammar),
      selection: selectionInBody(options, undefined, { select }, rules.values.selections),
      limit: options.has('Limit') ? limitInBody(options) : limit(),
      fields: set.type?.fields.map(({ name }) => name),
      value: elementsFromJson(valueType, [], set.value, references),
    }
  }
}

interface ValueToSet {
  readonly options: JsonObject
  readonly value: JsonValue
  /** The type of the value, if it has only some of the members. */
  readonly type?: CompoundType
}

/** `{"temp": 0, "flag": 1}`: a member that has a field's name is the field; null leaves it unchanged. */
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
  if (values.size === 0) throw new HyperslabError('malformed-body', 'the body must set at least one field')
  return { options, value: [...values.values()], type: chooseFields(type, [...values.keys()]).type }
}

/** The new value, or `{"value": ...}`. */
function valueToSet(body: JsonValue): ValueToSet {
  const hasOptions = isJsonObject(body) && body.has('value')
  const options = new Map(hasOptions ? body : [])
  options.delete('value')
  for (const name of options.keys()) {
    if (!OPTIONS.has(name)) {
      throw new HyperslabError(
        'malformed-body',
        `the body must have nothing but value and options, not ${excerpt(name)}`,
      )
    }
  }
  const value = hasOptions ? body.get('value') : body
  if (value === undefined || value === null)
    throw new HyperslabError('malformed-body', 'the body must have the value that the query sets')
  return { options, value }
}

function queryInBody(options: JsonObject, grammar: QueryGrammar): Query {
  const text = options.get('query')
  if (typeof text === 'string' && text !== '') return parseQuery(text, grammar)
  throw new HyperslabError('malformed-query', 'query must be a string, in the URL or in the body')
}

function limitInBody(options: JsonObject): number | undefined {
  const limit = options.get('Limit') ?? null
  if (limit === '') return undefined
  return parseQueryLimit(typeof limit === 'string' ? limit : excerpt(limit))
}
