// Reads the members of a JSON body: each function checks the type, and its errors name the member and the rule.
// Members that no function reads are ignored.

import { type ErrorCode, HyperslabError } from '@hyperslab/base/errors'
import { isJsonObject, type JsonObject, type JsonValue } from '@hyperslab/model/json'
import type { Timestamp } from '@hyperslab/model/names'
import type { Dialect } from '../dialect/dialect.ts'

/** The body, which must be an object. */
export function objectBody(json: JsonValue | undefined): JsonObject {
  if (json === undefined) throw new HyperslabError('malformed-body', 'the request must have a JSON body')
  if (!isJsonObject(json)) {
    throw new HyperslabError('malformed-body', `the body must be a JSON object, not ${kindOf(json)}`)
  }
  return json
}

/** The body, which may be absent, empty or, if the dialect says so, `null`. */
export function optionalObjectBody(json: JsonValue | undefined, { rules }: Dialect): JsonObject {
  const isNone = json === undefined || (json === null && rules.requests.nullIsNoBody)
  return isNone ? NO_MEMBERS : objectBody(json)
}

/** Parses an item, which must be an object; errors begin with its location in the body. */
export function itemIn<T>(location: string, item: JsonValue, parse: (item: JsonObject) => T): T {
  if (!isJsonObject(item)) {
    throw new HyperslabError('malformed-body', `${location} must be an object, not ${kindOf(item)}`)
  }
  try {
    return parse(item)
  } catch (error) {
    throw error instanceof HyperslabError ? error.within(location) : error
  }
}

export function requiredString(body: JsonObject, name: string, code: ErrorCode, owner = 'body'): string {
  const value = body.get(name)
  if (typeof value === 'string') return value
  throw new HyperslabError(
    code,
    `${owner}.${name} must be a string, ${value === undefined ? 'it is missing' : `not ${kindOf(value)}`}`,
  )
}

export const NO_MEMBERS: JsonObject = new Map<string, JsonValue>()

/** The members of the body that may be creation options; empty if the dialect has none. */
export function creationOptionsIn(body: JsonObject, { rules }: Dialect): JsonObject {
  return rules.objects.creationOptions ? body : NO_MEMBERS
}

/** The option `created`, in seconds since the epoch; a value that is not a time is ignored (hsds-objects 17.6). */
export function createdIn(body: JsonObject, dialect: Dialect): { readonly created?: Timestamp } {
  const seconds = creationOptionsIn(body, dialect).get('created')
  if (typeof seconds !== 'number' || !Number.isFinite(seconds)) return {}
  return { created: Math.round(seconds * 1e6) }
}

/** The type of a JSON value, for messages. */
export function kindOf(value: JsonValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (isJsonObject(value)) return 'an object'
  if (typeof value === 'string') return 'a string'
  return typeof value === 'boolean' ? String(value) : `the number ${value}`
}
