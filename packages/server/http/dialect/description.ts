// Parts of the description of the API that are not in the routes, and how the dialects make them alike.

import { type ParameterDescription, type Schemas, STRING } from '../message/schema.ts'

/** The description of the API of a dialect, apart from its routes. */
export interface ApiDescription {
  readonly introduction: string
  readonly schemas: Schemas
  /** How a request names its domain and its state, and chooses a form of numbers. */
  readonly domainParameters: readonly ParameterDescription[]
}

export function query(name: string, description: string): ParameterDescription {
  return { name, in: 'query', description, schema: STRING }
}

export function header(name: string, description: string): ParameterDescription {
  return { name, in: 'header', description, schema: STRING }
}

/** The parameters that both dialects have. */
export const COMMON_PARAMETERS: readonly ParameterDescription[] = [
  header('If-State', 'The state that the domain must have, as GET / gives it; 412 if it has another one.'),
  query(
    'state',
    'The state that the domain must have; 412 if it has another one. The header If-State has precedence.',
  ),
  query('ignore_nan', 'NaN and infinities are sent as null.'),
]
