// The parameters of routes: each has a name, a location (path, query or header), a schema and a function that reads it.
// The typed input of the route, the errors for bad input and the description of the API come from this declaration.

import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt } from '@hyperslab/model/json'
import { likelyName } from '../../nearest-name.ts'
import type { Dialect } from '../dialect/dialect.ts'
import type { RequestHead } from '../message/message.ts'
import type { ParameterDescription, Schema } from '../message/schema.ts'
import type { Target } from '../message/target.ts'

export interface Parameter<T> extends ParameterDescription {
  /** The only dialect that knows it; in the other one it counts as absent. */
  readonly only?: Dialect['name']
  /** Reads the parameter; throws when it is invalid. */
  readonly read: (head: RequestHead) => T
}

/** The parameters of a route, by its names for them. They are read in this order. */
export type Parameters = Readonly<Record<string, Parameter<unknown>>>

/**
 * The values of the parameters in a request. A parameter that may be absent from the declaration may be absent here.
 */
export type ParameterValues<P extends Parameters> = {
  readonly [Name in keyof P]: ReturnType<NonNullable<P[Name]>['read']>
}

/** Reads all parameters, in their order: the first bad one is the error. */
export function readParameters<P extends Parameters>(parameters: P, head: RequestHead): ParameterValues<P> {
  const values: Record<string, unknown> = {}
  for (const name in parameters) values[name] = parameters[name]?.read(head)
  return values as ParameterValues<P> // each member is what the parameter of its name reads
}

/**
 * Throws for a parameter that is not `known` and was probably meant to have an effect, because it resembles a known one
 * or is a member of the body. Clients send other parameters, which have no effect.
 */
export function requireKnownParameters(
  { query }: Target,
  known: readonly ParameterDescription[],
  inBody: readonly string[],
): void {
  const names = namesInQuery(known)
  for (const name of new Set(query.keys())) {
    if (name === '' || names.includes(name)) continue
    const nearest = likelyName(name, names)
    const shown = excerpt(name)
    if (nearest !== undefined) {
      throw new HyperslabError(
        'malformed-parameter',
        `the parameter ${shown} is unknown: the nearest is "${nearest}"`,
      )
    }
    if (inBody.includes(name)) {
      throw new HyperslabError(
        'malformed-parameter',
        `${shown} must be a member of the body, not a parameter`,
      )
    }
  }
}

/** Throws for a `format` that would be ignored: the answer would be in another one than requested. */
export function requireKnownFormat({ query }: Target, known: readonly ParameterDescription[]): void {
  if (!query.has('format') || namesInQuery(known).includes('format')) return
  throw new HyperslabError(
    'malformed-parameter',
    'format is not a parameter of this path: only values and whole domains are sent in several formats',
  )
}

function namesInQuery(parameters: readonly ParameterDescription[]): readonly string[] {
  return parameters.filter(parameter => parameter.in === 'query').map(({ name }) => name)
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
      if (!isKnownIn(dialect, only)) return undefined
      const text = target.query.get(name)
      return text === null || text === '' ? undefined : parse(text, dialect)
    },
  }
}

/** One of these words. Absent or empty: undefined. */
export function wordQuery<const T extends string>(
  name: string,
  words: readonly T[],
  description: string,
): Parameter<T | undefined> {
  return optionalQuery({
    name,
    description,
    schema: { type: 'string', enum: [...words] },
    parse(text) {
      const word = words.find(word => word === text)
      if (word !== undefined) return word
      throw new HyperslabError(
        'malformed-parameter',
        `${name}=${excerpt(text)} must be one of ${words.join(', ')}`,
      )
    },
  })
}

/** A flag of the query. Absent or empty is false; the dialect decides whether `0` and `false` are true. */
export function flagQuery(name: string, description: string, only?: Dialect['name']): Parameter<boolean> {
  return {
    name,
    in: 'query',
    description,
    schema: { type: 'string', examples: ['1'] },
    ...(only !== undefined && { only }),
    read({ dialect, target }) {
      if (!isKnownIn(dialect, only)) return false
      const text = target.query.get(name)
      return text !== null && text !== '' && isTrue(text, dialect)
    },
  }
}

/** The parameter for one dialect only. */
export function onlyIn<T>(only: Dialect['name'], parameter: Parameter<T>): Parameter<T | undefined> {
  return {
    ...parameter,
    only,
    read: head => (isKnownIn(head.dialect, only) ? parameter.read(head) : undefined),
  }
}

function isKnownIn({ name }: Dialect, only: Dialect['name'] | undefined): boolean {
  return only === undefined || only === name
}

/** The meaning of the string of a flag, which is not empty, in the dialect. */
export function isTrue(text: string, { rules }: Dialect): boolean {
  return rules.requests.anyStringIsTrue || !['0', 'false'].includes(text.toLowerCase())
}

/** A parameter that is read when it is used: an invalid one without effect is no error. */
export function whenUsed<T>(parameter: Parameter<T>): Parameter<() => T> {
  return { ...parameter, read: head => () => parameter.read(head) }
}
