// The JSON Schemas of bodies and answers, and how routes refer to them. They describe the wire for readers of the API
// description and for tests. The service itself uses those of bodies to find unknown members (input/known-members.ts).

import type { JSONSchema } from 'json-schema-typed/draft-2020-12'

export type Schema = JSONSchema.Interface

/** The schemas of a dialect by their names, which are nouns: `Group`, `LinkList`, `NewDataset`. */
export type Schemas = Readonly<Record<string, Schema>>

/** A parameter of a request, as the description of the API shows it. */
export interface ParameterDescription {
  /** The name as it is spelled on the wire. */
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly description: string
  readonly schema: Schema
}

/** A reference to a schema of the same dialect. */
export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` }
}

/** An object with these members and no others. Those whose names end with `?` may be absent. */
export function object(members: Readonly<Record<string, Schema>>, description?: string): Schema {
  const names = Object.keys(members)
  return {
    type: 'object',
    ...(description !== undefined && { description }),
    properties: Object.fromEntries(names.map(name => [name.replace(/\?$/, ''), members[name] ?? {}])),
    required: names.filter(name => !name.endsWith('?')),
    additionalProperties: false,
  }
}

/** An object that has at least these members. Those whose names end with `?` may be absent. */
export function looseObject(members: Readonly<Record<string, Schema>>): Schema {
  const { additionalProperties: _, ...schema } = object(members)
  return schema
}

/** Members of answers that clients send back and that have no effect. They are spread into the members of `object`. */
export function ignored(...names: readonly string[]): Readonly<Record<string, Schema>> {
  return Object.fromEntries(names.map(name => [`${name}?`, { description: 'Ignored: answers have it.' }]))
}

/** A list of such items. */
export function list(items: Schema, description?: string): Schema {
  return { type: 'array', items, ...(description !== undefined && { description }) }
}

/** An object whose members have any names. */
export function mapOf(items: Schema, description?: string): Schema {
  return {
    type: 'object',
    additionalProperties: items,
    ...(description !== undefined && { description }),
  }
}

export function oneOf(...schemas: readonly Schema[]): Schema {
  return { anyOf: [...schemas] }
}

/** One of these strings. */
export function word(...words: readonly string[]): Schema {
  return { type: 'string', enum: [...words] }
}

export const STRING: Schema = { type: 'string' }
export const NUMBER: Schema = { type: 'number' }
export const BOOLEAN: Schema = { type: 'boolean' }
/** A whole number from 0 on. */
export const COUNT: Schema = { type: 'integer', minimum: 0 }
/** A whole number from 1 on. */
export const POSITIVE: Schema = { type: 'integer', minimum: 1 }
/** Any JSON value. */
export const ANY: Schema = {}
