// How requests name their domain and ask for a form of numbers, as the description of the API tells it. choose.ts reads them.

import { optionalQuery, type Parameter } from '../parameter.ts'
import { STRING } from '../schema.ts'

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

/** The classic dialect (classic 1). */
export const DOMAIN_BY_HOST: readonly Parameter<unknown>[] = [
  query('host', 'The DNS name of the domain; without it, that of the header Host.'),
  query('domain', 'As host.'),
  header('X-Forwarded-Host', 'The DNS name of the domain behind a proxy.'),
  IGNORE_NAN,
]

/** The hsds dialect (hsds-objects 1.1 and 1.2). */
export const DOMAIN_BY_PATH: readonly Parameter<unknown>[] = [
  query('domain', 'The path of the domain or folder.'),
  query('bucket', 'The bucket that the domain is in; without it, the default bucket.'),
  header('X-Hdf-domain', 'As domain.'),
  header('X-Hdf-bucket', 'As bucket.'),
  IGNORE_NAN,
]
