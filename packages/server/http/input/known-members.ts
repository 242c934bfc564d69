// Members of JSON bodies that have no meaning. The schema of a body lists its known members: an object whose schema
// allows no other members (`object` in schema.ts) must not have an unknown one. So a misspelled member is the same
// error for all routes, and the description of the API shows for which bodies (hsds-objects 1.3).

import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt, isJsonList, isJsonObject, type JsonValue } from '@hyperslab/model/json'
import { nearestName } from '../../nearest-name.ts'
import type { Schema, Schemas } from '../message/schema.ts'

/**
 * Throws `malformed-body` for the first unknown member. It must run in turns, because a body may have very many
 * members.
 */
export function checkMembers(json: JsonValue, schema: Schema, schemas: Schemas): Generator<void, void> {
  return checkParts(json, ruleOf(schema, schemas), schemas, 'body')
}

/** The rules that were made of the schemas of a dialect, which are constants: a small write makes none. */
const RULES = new WeakMap<Schemas, Map<Schema, Rule>>()

/** The rule of a schema about members. */
interface Rule {
  /** The schema of the items of a list. */
  readonly items: Schema | undefined
  readonly members: Schema['properties'] & object
  /** The schema of all other members. */
  readonly other: Schema | undefined
  readonly isClosed: boolean
  /** Whether one of the alternatives is closed. */
  readonly isPartlyClosed: boolean
  /** The members of all alternatives. */
  readonly names: readonly string[]
}

function* checkParts(
  json: JsonValue,
  { items, members, other, isClosed }: Rule,
  schemas: Schemas,
  location: string,
): Generator<void, void> {
  if (isJsonList(json)) {
    if (items === undefined) return
    const rule = ruleOf(items, schemas)
    for (let i = 0; i < json.length; i++) {
      yield
      if (hasParts(json[i])) yield* checkParts(json[i], rule, schemas, `${location}[${i}]`)
    }
  } else if (isJsonObject(json)) {
    for (const [name, value] of json) {
      yield
      const member = Object.hasOwn(members, name) ? members[name] : other
      if (isSchema(member)) {
        if (hasParts(value)) yield* checkParts(value, ruleOf(member, schemas), schemas, `${location}.${name}`)
      } else if (member === undefined && isClosed) {
        const hint = hintAt(location, name, members, schemas)
        throw new HyperslabError('malformed-body', `${location} must not have ${excerpt(name)}: ${hint}`)
      }
    }
  }
}

/** The reason why the name is unknown, with the place where it is known, or the name that may be meant. */
function hintAt(location: string, name: string, members: Rule['members'], schemas: Schemas): string {
  const hasName = (schema: unknown) =>
    isSchema(schema) && Object.hasOwn(ruleOf(schema, schemas).members, name)
  const names = Object.keys(members)
  const holder = names.find(one => hasName(members[one]))
  if (holder !== undefined) return `it is a member of ${location}.${holder}`
  const nearest = nearestName(name, names)
  return nearest === undefined
    ? 'it has no meaning'
    : `it has no meaning, the nearest that has is "${nearest}"`
}

function hasParts(json: JsonValue): boolean {
  return isJsonList(json) || isJsonObject(json)
}

function ruleOf(schema: Schema, schemas: Schemas): Rule {
  const rules = RULES.get(schemas) ?? new Map<Schema, Rule>()
  RULES.set(schemas, rules)
  const made = rules.get(schema)
  if (made) return made
  const variants = variantsOf(schema, schemas)
  const items = variants.find(({ items }) => typeof items === 'object')?.items
  const objects = variants.filter(({ items, type }) => items === undefined && isForObjects(type))
  const others = objects.map(({ additionalProperties }) => additionalProperties)
  const rule = {
    items: isSchema(items) ? items : undefined,
    members: Object.assign({}, ...objects.map(({ properties }) => properties)) as Rule['members'],
    other: others.find(isSchema),
    isClosed: others.length > 0 && others.every(other => other === false),
    isPartlyClosed: variants.some(({ additionalProperties }) => additionalProperties === false),
    names: variants.flatMap(({ properties }) => Object.keys(properties ?? {})),
  }
  rules.set(schema, rule)
  return rule
}

/** Whether bodies of the schema may have unknown members: others are not checked, because values may be long. */
export function isClosed(schema: Schema, schemas: Schemas): boolean {
  return ruleOf(schema, schemas).isPartlyClosed
}

/** The names of the members that an object of the schema may have. */
export function memberNames(schema: Schema, schemas: Schemas): readonly string[] {
  return ruleOf(schema, schemas).names
}

/** The alternatives of a schema, with references resolved. */
function variantsOf({ $ref, anyOf, ...schema }: Schema, schemas: Schemas): readonly Schema[] {
  if ($ref !== undefined) return variantsOf(schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {}, schemas)
  const alternatives: Schema[] = []
  for (const other of anyOf ?? []) {
    // Some schemas only list required members.
    if (isSchema(other) && Object.keys(other).join() !== 'required') alternatives.push(other)
  }
  return alternatives.length > 0 ? alternatives.flatMap(other => variantsOf(other, schemas)) : [schema]
}

function isSchema(schema: unknown): schema is Schema {
  return typeof schema === 'object' && schema !== null && !Array.isArray(schema)
}

function isForObjects(type: Schema['type']): boolean {
  return type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'))
}
