// The parts of the description of the API other than the routes, for each dialect: the schemas of bodies and answers,
// and how requests name their domain and choose a form of numbers (choose.ts reads that).

import { classicSchemas } from '../dialect/classic/schemas/index.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { hsdsSchemas } from '../dialect/hsds/schemas/index.ts'
import { type Schemas, STRING } from '../message/schema.ts'
import { optionalQuery, type Parameter } from './parameter.ts'

interface DialectDescription {
  readonly schemas: Schemas
  readonly domainParameters: readonly Parameter<unknown>[]
}

function query(name: string, description: string): Parameter<string | undefined> {
  return optionalQuery({ name, description, schema: STRING, parse: text => text })
}

function header(name: string, description: string): Parameter<unknown> {
  return {
    name,
    in: 'header',
    description,
    schema: STRING,
    read: ({ headers }) => headers[name.toLowerCase()],
  }
}

const IGNORE_NAN = query('ignore_nan', 'NaN and infinities are sent as null.')

const REQUIRED_STATE = [
  header('If-State', 'The state that the domain must have, as GET / gives it; 412 if it has another one.'),
  query(
    'state',
    'The state that the domain must have; 412 if it has another one. The header If-State has precedence.',
  ),
]

/** The classic dialect (classic 1). */
const DOMAIN_BY_HOST: readonly Parameter<unknown>[] = [
  query('host', 'The DNS name of the domain; without it, that of the header Host.'),
  query('domain', 'As host.'),
  header('X-Forwarded-Host', 'The DNS name of the domain behind a proxy.'),
  ...REQUIRED_STATE,
  IGNORE_NAN,
]

/** The hsds dialect (hsds-objects 1.1 and 1.2). */
const DOMAIN_BY_PATH: readonly Parameter<unknown>[] = [
  query(
    'domain',
    'The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.',
  ),
  query('bucket', 'The bucket that the domain is in; without it, the default bucket.'),
  header('X-Hdf-domain', 'As domain.'),
  header('X-Hdf-bucket', 'As bucket.'),
  ...REQUIRED_STATE,
  IGNORE_NAN,
]

export const DESCRIPTIONS: Readonly<Record<Dialect['name'], DialectDescription>> = {
  classic: { schemas: classicSchemas, domainParameters: DOMAIN_BY_HOST },
  hsds: { schemas: hsdsSchemas, domainParameters: DOMAIN_BY_PATH },
}
