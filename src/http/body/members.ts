// Reading the members of a JSON body: each function takes what was sent, checks it and names the member and the
// rule when it does not fit. Members that nobody asks for are ignored.

import { type ErrorCode, HyperslabError } from '../../errors.ts'
import type { JsonObject, JsonValue } from '../../hdf5/json.ts'

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return value instanceof Map
}

/** The body, which has to be an object. */
export function objectBody(json: JsonValue | undefined): JsonObject {
  if (json === undefined) throw new HyperslabError('malformed-body', 'the request needs a JSON body')
  if (!isObject(json)) {
    throw new HyperslabError('malformed-body', `the body must be a JSON object, not ${kindOf(json)}`)
  }
  return json
}

/** The body, which may be absent, empty or `null`. */
export function optionalObjectBody(json: JsonValue | undefined): JsonObject {
  return json === undefined || json === null ? new Map() : objectBody(json)
}

export function requiredText(body: JsonObject, name: string, code: ErrorCode, owner = 'body'): string {
  const value = body.get(name)
  if (typeof value === 'string') return value
  throw new HyperslabError(
    code,
    `${owner}.${name} must be a text, ${value === undefined ? 'it is missing' : `not ${kindOf(value)}`}`,
  )
}

/** What sort of JSON a value is, for messages. */
export function kindOf(value: JsonValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (isObject(value)) return 'an object'
  if (typeof value === 'string') return 'a text'
  return typeof value === 'boolean' ? String(value) : `the number ${value}`
}
