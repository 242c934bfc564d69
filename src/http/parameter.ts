// What a parameter of a route is: its name, its place, its schema, and how it is read. From this come the typed input of the
// route, the errors for bad input, and the description of the API.

import type { Dialect } from './dialect/dialect.ts'
import type { RequestHead } from './message.ts'
import type { Schema } from './schema.ts'

export interface Parameter<T> {
  /** As it is spelled on the wire. */
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly description: string
  readonly schema: Schema
  /** The only dialect that knows it; in the other one it is as if it were not given. */
  readonly only?: Dialect['name']
  /** Errors when it is not what it must be. */
  readonly read: (head: RequestHead) => T
}

/** The parameters of a route, by the names that it calls them. They are read in this order. */
export type Parameters = Readonly<Record<string, Parameter<unknown>>>

/** What was given for them. A parameter that may be absent from the declaration may be absent here. */
export type Given<P extends Parameters> = {
  readonly [Name in keyof P]: ReturnType<NonNullable<P[Name]>['read']>
}

/** Reads all of them. The first that is bad decides. */
export function readParameters<P extends Parameters>(parameters: P, head: RequestHead): Given<P> {
  const given: Record<string, unknown> = {}
  for (const name in parameters) given[name] = parameters[name]?.read(head)
  return given as Given<P> // each member is what the parameter of its name reads
}

interface QueryParameter<T> {
  readonly name: string
  readonly description: string
  readonly schema: Schema
  readonly only?: Dialect['name']
  /** `text` is not empty. */
  readonly parse: (text: string, dialect: Dialect) => T
}

/** A parameter of the query that may be absent. An empty one counts as absent. */
export function optionalQuery<T>({ parse, ...data }: QueryParameter<T>): Parameter<T | undefined> {
  const { name, only } = data
  return {
    ...data,
    in: 'query',
    read({ dialect, target }) {
      if (only !== undefined && only !== dialect.name) return undefined
      const text = target.query.get(name)
      return text === null || text === '' ? undefined : parse(text, dialect)
    },
  }
}

/** A flag of the query. Absent or empty is false; `0` and `false` count as the dialect takes them. */
export function flagQuery(name: string, description: string, only?: Dialect['name']): Parameter<boolean> {
  return {
    name,
    in: 'query',
    description,
    schema: { type: 'string', examples: ['1'] },
    ...(only !== undefined && { only }),
    read({ dialect, target }) {
      if (only !== undefined && only !== dialect.name) return false
      const text = target.query.get(name)
      return text !== null && text !== '' && isTrue(text, dialect)
    },
  }
}

/** What the text of a flag, which is not empty, means in the dialect. */
export function isTrue(text: string, { rules }: Dialect): boolean {
  return rules.requests.anyTextIsTrue || !['0', 'false'].includes(text.toLowerCase())
}

/** A parameter that is read when it is used: where it has no effect, a bad one is no error. */
export function whenUsed<T>(parameter: Parameter<T>): Parameter<() => T> {
  return { ...parameter, read: head => () => parameter.read(head) }
}
