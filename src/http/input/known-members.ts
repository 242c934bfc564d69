// Members of JSON bodies that have no meaning. The schema of a body says which it knows: an object whose schema allows
// no other members (`object` in schema.ts) has none that are unknown. So a misspelled member is an error in the same
// way for all routes, and the description of the API says where (hsds-objects 1.3).

import { HyperslabError } from '../../errors.ts'
import { excerpt, isJsonList, isJsonObject, type JsonObject, type JsonValue } from '../../hdf5/json.ts'
import { nearestName } from '../../nearest-name.ts'
import type { Schema, Schemas } from '../message/schema.ts'

/** Throws `malformed-body` for the first unknown member. To be run in turns: a body may have very many. */
export function* checkMembers(
  json: JsonValue,
  schema: Schema,
  schemas: Schemas,
  location = 'body',
): Generator<void, void> {
  const variants = variantsOf(schema, schemas)
  if (isJsonList(json)) {
    const items = variants.find(({ items }) => typeof items === 'object')?.items
    if (!isSchema(items)) return
    for (const [i, item] of json.entries()) {
      yield
      yield* checkMembers(item, items, schemas, `${location}[${i}]`)
    }
  } else if (isJsonObject(json)) {
    yield* checkObject(json, variants, schemas, location)
  }
}

function* checkObject(
  json: JsonObject,
  variants: readonly Schema[],
  schemas: Schemas,
  location: string,
): Generator<void, void> {
  const objects = variants.filter(({ items, type }) => items === undefined && isForObjects(type))
  const known = Object.assign({}, ...objects.map(({ properties }) => properties)) as Schema['properties'] &
    object
  const others = objects.map(({ additionalProperties }) => additionalProperties)
  for (const [name, value] of json) {
    yield
    const member = Object.hasOwn(known, name) ? known[name] : others.find(isSchema)
    const within = `${location}.${name}`
    if (isSchema(member)) yield* checkMembers(value, member, schemas, within)
    else if (member === undefined && others.length > 0 && others.every(other => other === false)) {
      const nearest = nearestName(name, Object.keys(known))
      const hint = nearest === undefined ? '' : `, the nearest that has is "${nearest}"`
      throw new HyperslabError(
        'malformed-body',
        `${location} must not have ${excerpt(name)}: it has no meaning${hint}`,
      )
    }
  }
}

/** Whether bodies of the schema may have unknown members: others are not looked at, because values may be long. */
export function isClosed(schema: Schema, schemas: Schemas): boolean {
  return variantsOf(schema, schemas).some(({ additionalProperties }) => additionalProperties === false)
}

/** The names of the members that an object of the schema may have. */
export function memberNames(schema: Schema, schemas: Schemas): readonly string[] {
  return variantsOf(schema, schemas).flatMap(({ properties }) => Object.keys(properties ?? {}))
}

/** The alternatives of a schema, with references resolved. */
function variantsOf({ $ref, anyOf, ...schema }: Schema, schemas: Schemas): readonly Schema[] {
  if ($ref !== undefined) return variantsOf(schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {}, schemas)
  const alternatives: Schema[] = []
  for (const other of anyOf ?? []) {
    // Some only say which members must be there.
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
